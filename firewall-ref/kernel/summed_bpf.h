/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0) */
/* How far a packet's checksum has come: skb->ip_summed, which a program cannot see
 * in its own __sk_buff. */
#ifndef KERNEL_SUMMED_BPF_H
#define KERNEL_SUMMED_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "firewall-ref/datapath/layer.h"
#include "firewall-ref/kernel/maps.h"

/* From include/linux/skbuff.h; the offsets are the running kernel's. */
struct sk_buff {
	__u8 ip_summed : 2;
} __attribute__((preserve_access_index));

enum { SUMMED_COMPLETE = 2, SUMMED_PARTIAL = 3 }; /* CHECKSUM_* of skbuff.h */

extern void *bpf_cast_to_kern_ctx(void *context) __ksym __weak;

/* Bytes of the sk_buff without bpf_cast_to_kern_ctx: the context is that sk_buff,
 * though the verifier would not have it read directly. */
LAYER_INLINE __u64 summed_copied(struct __sk_buff *skb, __u32 at, __u32 bytes)
{
	__u64 copy = 0;

	bpf_probe_read_kernel(&copy, bytes, (void *)skb + at);
	return copy; /* little end first */
}

/* The bytes around the bit field, in one of the sizes they may have. can_cast is
 * constant to the verifier, which follows one branch and takes the other away: the
 * function need not be there. */
#define SUMMED_BYTES(type, at) \
	(can_cast ? *(type *)(bpf_cast_to_kern_ctx(skb) + (at)) : (type)summed_copied(skb, at, sizeof(type)))

LAYER_INLINE __u32 summed_read(struct __sk_buff *skb)
{
	struct sk_buff *kernel = 0;
	__u64 value;

	switch (__builtin_preserve_field_info(kernel->ip_summed, 1 /* BPF_FIELD_BYTE_SIZE */)) {
	case 1:
		value = SUMMED_BYTES(__u8, __builtin_preserve_field_info(kernel->ip_summed, 0));
		break;
	case 2:
		value = SUMMED_BYTES(__u16, __builtin_preserve_field_info(kernel->ip_summed, 0));
		break;
	case 4:
		value = SUMMED_BYTES(__u32, __builtin_preserve_field_info(kernel->ip_summed, 0));
		break;
	default:
		value = SUMMED_BYTES(__u64, __builtin_preserve_field_info(kernel->ip_summed, 0));
	}
	value <<= __builtin_preserve_field_info(kernel->ip_summed, 4 /* LSHIFT_U64 */);
	value >>= __builtin_preserve_field_info(kernel->ip_summed, 5 /* RSHIFT_U64 */);
	return (__u32)value;
}

#endif
