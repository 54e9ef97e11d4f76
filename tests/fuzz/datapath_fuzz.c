/* SPDX-License-Identifier: BSD-2-Clause */
/* Sequences of frames from anyone, through the native data path. Input: one byte
 * picks the policy; then for each frame one byte of flags, two of length, and the
 * bytes, the Ethernet type and the first IP byte being helped along.
 *
 * What must hold: a frame that is not forwarded is untouched; one that is has a
 * right IPv4 header sum and is not shorter than its headers; two keys a flow. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "firewall-ref/policy.h"
#include "firewall-ref/policy_compile.h"
#include "firewall-ref/user/layer_native.h"
/* After the layer whose words it uses. */
#include "firewall-ref/datapath/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(x) do { if (!(x)) abort(); } while (0)

enum { FRAME_OUTSIDE = 1, FRAME_PARTIAL = 2, FRAME_GSO = 4, FRAME_IPV6 = 8, FRAME_RAW = 16, FRAME_LATE = 32 };

static const char *const policies[] = {
	"inspect tcp on\nnat 0.0.0.0/1 to 198.19.0.1\npermit ip between any and any\n",
	"inspect tcp on\npermit tcp from any to any port 1-40000\npermit udp between any and any limit 1Mbit\n",
	"inspect tcp off\nnat 0.0.0.0/1 to 198.19.0.1\npermit ip between any and any limit 8kbit burst 2000\n",
	"inspect tcp off\nclassifier linear\npermit ip from 0.0.0.0/1 to any\npermit ip from 2001::/16 to any\n",
};

static void publish(struct tables *tables, const char *text)
{
	struct policy policy;
	struct compiled rules;
	struct setting setting = { 0 };

	MUST(!policy_read_text(&policy, "fuzz", text, strlen(text)));
	MUST(!policy_compile(&policy, &rules));
	setting.flags = (policy.inspect_tcp ? SETTING_INSPECT : 0) | (policy.nat.on ? SETTING_NAT : 0);
	if (policy.nat.on) {
		setting.nat_source_mask = 0x80; /* /1, as in the policies above */
		memcpy(&setting.nat_address, policy.nat.address.bytes, 4);
	}
	MUST(!tables_publish(tables, &setting, &rules));
	compiled_free(&rules);
	policy_free(&policy);
}

/* The frame at the end of an allocation, its IP header aligned to 4. */
static uint8_t *frame_make(const uint8_t *bytes, size_t count, uint8_t flags)
{
	uint8_t *room = malloc(count + 2);

	MUST(room);
	memcpy(room + 2, bytes, count);
	if (count >= 24 && !(flags & FRAME_RAW)) {
		uint32_t sum = 0;
		uint8_t *ip = room + 16;

		room[14] = flags & FRAME_IPV6 ? 0x86 : 0x08;
		room[15] = flags & FRAME_IPV6 ? 0xdd : 0x00;
		ip[0] = flags & FRAME_IPV6 ? 0x60 : 0x45;
		if (!(flags & FRAME_IPV6) && count >= 34) {
			ip[2] = (uint8_t)((count - 14) >> 8);
			ip[3] = (uint8_t)(count - 14);
			ip[10] = ip[11] = 0;
			for (int i = 0; i < 20; i += 2)
				sum += (uint32_t)(ip[i] << 8 | ip[i + 1]);
			sum = ~((sum & 0xffff) + (sum >> 16) + ((sum & 0xffff) + (sum >> 16) > 0xffff));
			ip[10] = (uint8_t)(sum >> 8);
			ip[11] = (uint8_t)sum;
		}
	}
	return room;
}

static void frame_run(struct tables *tables, struct routes *routes, const uint8_t *bytes, size_t count,
		      uint8_t flags, uint64_t now_ns)
{
	uint8_t *room = frame_make(bytes, count, flags), *before = malloc(count + 2);
	struct layer layer = {
		.tables = tables, .routes = routes, .frame = room + 2, .head_bytes = (uint32_t)count,
		.frame_bytes = (uint32_t)count, .gso_bytes = flags & FRAME_GSO ? 100 : 0,
		.partial = flags & FRAME_PARTIAL, .now_ns = now_ns,
		.side = flags & FRAME_OUTSIDE ? SIDE_OUTSIDE : SIDE_INSIDE,
	};
	struct descriptor d = { 0 };
	enum verdict verdict;

	MUST(before);
	memcpy(before, room, count + 2);
	verdict = pipeline_run(&layer, &d);
	if (verdict != VERDICT_FORWARD)
		MUST(!memcmp(before, room, count + 2));
	else
		MUST(count >= 34 && (d.key.family == 6 || parse_header_sum((void *)(room + 16)) == 0xffff));
	if (verdict == VERDICT_DROP)
		MUST(d.reason > DROP_NONE && d.reason < DROP_COUNT);
	MUST(tables->key_count == 2 * (tables->flow_size - tables->free_count));
	free(before);
	free(room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct routes routes = { .hop = { { .interface = 1, .mtu = 1500 }, { .interface = 2, .mtu = 1500 } },
				 .own = { { .family = 4, .source = { 0x010013c6 } } }, .own_count = 1 };
	struct tables tables;
	uint64_t now_ns = 1000000000;

	if (!size)
		return 0;
	MUST(!tables_open(&tables, 16, 16));
	publish(&tables, policies[data[0] % (sizeof(policies) / sizeof(policies[0]))]);
	for (size_t at = 1; at + 3 <= size;) {
		uint8_t flags = data[at];
		size_t count = (size_t)(data[at + 1] << 8 | data[at + 2]) % 2048;

		at += 3;
		if (count > size - at)
			count = size - at;
		now_ns += flags & FRAME_LATE ? 100000000000 : 1000000;
		frame_run(&tables, &routes, data + at, count, flags, now_ns);
		at += count;
		if (flags & 64)
			tables_sweep(&tables, now_ns);
		if (flags & 128)
			publish(&tables, policies[count % (sizeof(policies) / sizeof(policies[0]))]);
	}
	tables_close(&tables);
	return 0;
}
