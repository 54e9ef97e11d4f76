/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* How long a flow may be silent in each of its states. Half-open and closing
 * connections share the transitory timer (RFC 5382 REQ-5: at least 4 minutes);
 * UDP 5 minutes (RFC 4787 REQ-5), ICMP echo 60 s (RFC 5508 REQ-2). */
#ifndef DATAPATH_TIMER_H
#define DATAPATH_TIMER_H

#include "firewall-ref/datapath/layer.h"

#define TIMER_ESTABLISHED_S 432000u
#define TIMER_TRANSITORY_S 240u
#define TIMER_UDP_S 300u
#define TIMER_ICMP_S 60u
#define TIMER_TIME_WAIT_S 120u /* at most; less if the transitory timer is shorter */
#define TIMER_CLOSED_S 10u

LAYER_INLINE __u32 timer_setting(const struct setting *setting, enum setting_timer timer, __u32 normal)
{
	__u32 given = setting->timeout_s[timer];

	return given ? given : normal;
}

LAYER_INLINE __u32 timer_of(const struct setting *setting, __u8 state)
{
	__u32 transitory = timer_setting(setting, TIMER_TRANSITORY, TIMER_TRANSITORY_S);

	switch (state) {
	case FLOW_ESTABLISHED:
		return timer_setting(setting, TIMER_ESTABLISHED, TIMER_ESTABLISHED_S);
	case FLOW_TIME_WAIT:
		return transitory < TIMER_TIME_WAIT_S ? transitory : TIMER_TIME_WAIT_S;
	case FLOW_CLOSED:
		return transitory < TIMER_CLOSED_S ? transitory : TIMER_CLOSED_S;
	case FLOW_ICMP:
		return timer_setting(setting, TIMER_ICMP, TIMER_ICMP_S);
	case FLOW_UDP:
	case FLOW_UDP_NEW:
	case FLOW_OTHER:
		return timer_setting(setting, TIMER_UDP, TIMER_UDP_S);
	default:
		return transitory;
	}
}

/* Has the flow been silent for too long at now_ns? Another core may have stored
 * a seen_ns later than now_ns. */
LAYER_INLINE int timer_over(const struct flow *flow, __u64 now_ns)
{
	__u64 seen_ns = flow->seen_ns;

	return now_ns > seen_ns && now_ns - seen_ns >= flow->timeout_s * 1000000000ull;
}

#endif
