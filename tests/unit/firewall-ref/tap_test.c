/* SPDX-License-Identifier: BSD-2-Clause */
/* Super-packets and partial checksums through the attached program: TAP devices
 * with vnet_hdr stand for both interfaces. The one a packet leaves by offers no
 * offloads, so the kernel completes the sums and cuts the segments; every frame
 * that comes out must then be right, summed anew. */
#include "tests/unit/skip.h"

#ifdef HAVE_BPF
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <poll.h>
#include <sys/ioctl.h>

#include "common/own.h"
#include "tests/unit/firewall-ref/bpf.h"
#include "tests/unit/firewall-ref/story.h"

#define WAIT_MS 2000

static int tap_open(const char *name)
{
	struct ifreq request = { .ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR };
	int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return -1;
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	if (ioctl(fd, TUNSETIFF, &request) || ioctl(fd, TUNSETOFFLOAD, 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Sends the packet with a partial checksum, in segments of p->gso if that is set, to
 * the interface's own link address or to link. */
static void tap_send(int fd, const struct packet *p, const char *link)
{
	struct frame f;
	struct {
		struct virtio_net_hdr header;
		uint8_t frame[FRAME_MAX];
	} __attribute__((packed)) out = { .header = { .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM } };
	bool six = p->from >= CLIENT_6;

	frame_build(&f, p);
	memcpy(f.at, link ? link : p->outside ? "\x02\0\0\0\x02\x02" : "\x02\0\0\0\x01\x02", 6);
	frame_put(frame_sum_field(&f, p->protocol), frame_pseudo(&f), 2);
	out.header.csum_start = (uint16_t)(frame_transport(&f) - f.at);
	out.header.csum_offset = (uint16_t)(frame_sum_field(&f, p->protocol) - frame_transport(&f));
	if (p->gso) {
		out.header.gso_type = six ? VIRTIO_NET_HDR_GSO_TCPV6 : VIRTIO_NET_HDR_GSO_TCPV4;
		out.header.gso_size = p->gso;
		out.header.hdr_len = (uint16_t)(out.header.csum_start + 20);
	}
	memcpy(out.frame, f.at, f.bytes);
	assert_int_equal(write(fd, &out, sizeof(out.header) + f.bytes), sizeof(out.header) + f.bytes);
}

/* The next frame of that protocol; what the kernel says of its own is passed over. */
static void tap_receive(int fd, struct frame *f, uint8_t protocol)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	struct {
		struct virtio_net_hdr header;
		uint8_t frame[FRAME_MAX];
	} __attribute__((packed)) in;

	for (;;) {
		ssize_t bytes = read(fd, &in, sizeof(in));

		if (bytes < 0) {
			if (poll(&wait, 1, WAIT_MS) != 1)
				fail_msg("nothing came out");
			continue;
		}
		memset(f, 0, sizeof(*f));
		f->bytes = (uint32_t)(bytes - (ssize_t)sizeof(in.header));
		memcpy(f->at, in.frame, f->bytes);
		if ((f->at[12] == 0x08 && f->at[13] == 0 && f->at[23] == protocol) ||
		    (f->at[12] == 0x86 && f->at[20] == protocol))
			break;
	}
	assert_int_equal(in.header.flags & VIRTIO_NET_HDR_F_NEEDS_CSUM, 0);
	assert_int_equal(in.header.gso_type, VIRTIO_NET_HDR_GSO_NONE);
}

/* Sends a packet in and checks the frames that come out at the other side. */
static void pass(const int tap[2], struct packet p, enum host from, enum host to)
{
	uint32_t left = p.payload ? p.payload : 1;
	uint8_t address[16];

	tap_send(tap[p.outside], &p, NULL);
	while (left) {
		uint32_t payload;
		struct frame f;
		bool six;

		tap_receive(tap[!p.outside], &f, p.protocol);
		six = frame_is_6(&f);
		assert_memory_equal(f.at, native_link[!p.outside], 6);
		assert_int_equal(frame_transport_sum(&f), 0xffff);
		inet_pton(six ? AF_INET6 : AF_INET, host_text[from], address);
		assert_memory_equal(f.at + FRAME_ETHERNET + (six ? 8 : 12), address, six ? 16 : 4);
		inet_pton(six ? AF_INET6 : AF_INET, host_text[to], address);
		assert_memory_equal(f.at + FRAME_ETHERNET + (six ? 24 : 16), address, six ? 16 : 4);
		assert_int_equal(six ? f.at[21] : f.at[22], 63);
		payload = frame_transport_bytes(&f) - (p.protocol == 6 ? 20u : 8u);
		if (p.gso)
			assert_in_range(payload, 1, p.gso);
		left -= p.payload ? payload : 1;
	}
}

static void partial_and_super(const int tap[2])
{
	static const struct packet six[] = {
		{ .from = CLIENT_6, .to = SERVER_6, .protocol = 6, .from_port = 1, .to_port = 2, .flags = SYN,
		  .sequence = 1000 },
		{ .outside = true, .from = SERVER_6, .to = CLIENT_6, .protocol = 6, .from_port = 2, .to_port = 1,
		  .flags = SYN | ACK, .sequence = 5000, .acknowledgement = 1001 },
		{ .from = CLIENT_6, .to = SERVER_6, .protocol = 6, .from_port = 1, .to_port = 2, .flags = ACK,
		  .sequence = 1001, .acknowledgement = 5001, .payload = 3000, .gso = 1400 },
	};
	struct packet data = C(ACK, 1001, 5001, 3500), answer = N(ACK, 5001, 4501, 2999);

	data.gso = 1000;
	answer.gso = 1460;
	pass(tap, (struct packet)C(SYN, 1000, 0, 0), OUTSIDE, SERVER);
	pass(tap, (struct packet)N(SYN | ACK, 5000, 1001, 0), SERVER, CLIENT);
	pass(tap, data, OUTSIDE, SERVER);
	pass(tap, answer, SERVER, CLIENT);
	pass(tap, (struct packet)ANY(17, CLIENT, SERVER, 5, 6, 333), OUTSIDE, SERVER);
	pass(tap, (struct packet)BACK(17, SERVER, OUTSIDE, 6, 5, 334), SERVER, CLIENT);
	for (int i = 0; i < 3; i++)
		pass(tap, six[i], six[i].from, six[i].to);
}

/* To another link address, to all and to a group: not the firewall's to forward. What
 * comes out next is the packet behind them. */
static void others(const int tap[2])
{
	static const char *const links[] = { "\x02\0\0\0\x09\x09", "\xff\xff\xff\xff\xff\xff",
					     "\x01\0\x5e\x01\x02\x03" };
	const struct packet p = ANY(17, CLIENT, SERVER, 7, 8, 111);

	for (size_t i = 0; i < ARRAY_LEN(links); i++)
		tap_send(tap[0], &p, links[i]);
}

static void through(unsigned features)
{
	const struct path_options options = { .inside = "in", .outside = "out", .flow_table_size = 64 };
	struct filter_count filters[8] = { 0 };
	struct path_stats stats = { .filters = filters, .filter_capacity = 8 };
	struct path *path = NULL;
	int tap[2];

	SKIP_UNLESS_ROOT();
	if (unshare(CLONE_NEWNET))
		SKIP_NO_FEATURE("network namespaces");
	tap[0] = tap_open("in");
	tap[1] = tap_open("out");
	if (tap[0] < 0 || tap[1] < 0)
		SKIP_NO_FEATURE("TAP devices");
	assert_int_equal(system(bpf_lab), 0);
	if (kernel_path_open(&options, features, &path))
		SKIP_NO_FEATURE("BPF programs for tc (Linux 5.17, BTF)");
	bpf_publish(path, INSPECT NAT ALL);
	others(tap);
	partial_and_super(tap);
	/* Counted as on the wire: every segment with its headers. */
	assert_int_equal(path_kernel.stats(path, &stats), 0);
	assert_int_equal(stats.totals.forwarded.packets, 6 + 4 + 3 + 3);
	assert_int_equal(stats.totals.forwarded.bytes, 2 * 40 + (3500 + 4 * 40) + (2999 + 3 * 40) +
						       (333 + 28) + (334 + 28) + 2 * 60 + (3000 + 3 * 60));
	assert_int_equal(filters[0].bytes, stats.totals.forwarded.bytes);
	path_kernel.close(path);
	close(tap[0]);
	close(tap[1]);
}

static void through_taps(void **state)
{
	(void)state;
	through(FEATURES);
}

static void through_taps_older_kernel(void **state)
{
	(void)state;
	through(0);
}
#else
static void through_taps(void **state)
{
	(void)state;
	SKIP_NO_FEATURE("clang and bpftool at build time");
}

static void through_taps_older_kernel(void **state)
{
	through_taps(state);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(through_taps),
		cmocka_unit_test(through_taps_older_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
