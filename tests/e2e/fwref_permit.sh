#!/bin/bash
# Default deny, permitted TCP, UDP and ICMP, both families, both paths; counters by
# filter and drops by reason.
. "$(dirname "$0")/fwref.bash"

# What the rules let through, told by who answers.
tcp() { # FAMILY SOURCE DESTINATION PORT [PATIENCE]
	in_c socat -T1 -u "TCP$1:$3:$4,bind=$2,connect-timeout=${5:-1}" - 2>/dev/null | grep -q hello
}
udp() { # FAMILY SOURCE DESTINATION PORT [PATIENCE...]: socat waits all of it, so short first
	local wait
	for wait in ${5:-0.2 1 2 3}; do
		echo ask | in_c socat -t"$wait" -T"$wait" - "UDP$1:$3:$4,bind=$2" 2>/dev/null | grep -q hello && return
	done
	return 1
}

check() {
	lab_up
	cat >"$work/policy" <<-E
		permit tcp from 198.18.64.0/24 to any port 5001
		permit tcp from 2001:2:0:40::/64 to any port 5000-5002
		permit udp from 198.18.64.1 to 198.19.64.0/18 port 53
		permit udp from 2001:2:0:40::1 to any
		permit icmp from 198.18.0.0/16 to 198.19.0.2
		permit icmp6 from any to 2001:2:0:2::2
	E
	start "$1"
	serve s socat TCP4-LISTEN:5001,fork,reuseaddr SYSTEM:'echo hello'
	serve s socat TCP6-LISTEN:5001,fork,reuseaddr,ipv6only SYSTEM:'echo hello'
	serve s socat UDP4-LISTEN:53,fork,bind=198.19.64.1 SYSTEM:'echo hello'
	serve s socat 'UDP6-LISTEN:53,fork,bind=[2001:2:0:80::1]' SYSTEM:'echo hello'
	in_c ping -q -c 2 -i 0.1 -W 1 198.19.0.2 >/dev/null || fail "ping"
	in_c ping -q -c 2 -i 0.1 -W 1 2001:2:0:2::2 >/dev/null || fail "ping, IPv6"
	tcp 4 198.18.64.1 198.19.64.1 5001 || fail "tcp"
	tcp 6 '[2001:2:0:40::1]' '[2001:2:0:80::1]' 5001 || fail "tcp, IPv6"
	udp 4 198.18.64.1 198.19.64.1 53 || fail "udp"
	udp 6 '[2001:2:0:40::1]' '[2001:2:0:80::1]' 53 || fail "udp, IPv6"
	[ "$(stats '.drops.denied // 0')" = 0 ] || fail "denied what is permitted"
	tcp 4 198.18.65.1 198.19.64.1 5001 0.2 && fail "tcp from elsewhere passed"
	udp 4 198.18.64.2 198.19.64.1 53 0.2 && fail "udp from elsewhere passed"
	in_c ping -q -c 1 -W 0.2 198.19.64.9 >/dev/null && fail "ping elsewhere passed"
	[ "$(stats '.drops.denied')" -ge 3 ] || fail "denied packets are not counted"
	stats '.filters[] | "\(.line) \(.packets > 0)"' >"$work/lines"
	printf '%s true\n' 1 2 3 4 5 6 | cmp -s - "$work/lines" || { cat "$work/lines"; fail "filters"; }
	[ "$(stats .path)" = "$1" ] || fail "path"
	# A received packet went one way or another.
	stats '[.packets, .forwarded_packets + .stack_packets + ([.drops[]] | add)] | .[0] == .[1]' |
		grep -q true || fail "packets do not add up"
	stop
	lab_down
}
paths check
