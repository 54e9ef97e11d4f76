/* SPDX-License-Identifier: BSD-2-Clause */
#include "firewall-ref/user/port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>

#include "common/log.h"
#include "common/own.h"

#define PORT_PER_BLOCK (PORT_BLOCK_BYTES / PORT_FRAME_BYTES)
#define PORT_SEND_BUFFER_BYTES (16 << 20)
#define PORT_WAIT_MS 5 /* for room in the send buffer */

_Static_assert(PORT_FRAME_BYTES % TPACKET_ALIGNMENT == 0, "the ring's frames are aligned");

static int port_filter(int fd)
{
	static struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(SKF_AD_OFF + SKF_AD_PKTTYPE)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PACKET_HOST, 0, 4),
		BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 12),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ETH_P_IP, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ETH_P_IPV6, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, 0x40000),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	const struct sock_fprog program = { ARRAY_LEN(code), code };

	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)) ? -errno : 0;
}

static int port_set(int fd, int option, int value)
{
	return setsockopt(fd, SOL_PACKET, option, &value, sizeof(value)) ? -errno : 0;
}

static int port_bind(int fd, uint32_t interface, uint16_t protocol)
{
	const struct sockaddr_ll address = { .sll_family = AF_PACKET,
					     .sll_protocol = htons(protocol),
					     .sll_ifindex = (int)interface };

	return bind(fd, (const struct sockaddr *)&address, sizeof(address)) ? -errno : 0;
}

/* The kernel puts the network header behind a multiple of 16 bytes and the ten of
 * struct virtio_net_hdr; six more keep it aligned for the data path's structures. */
enum { PORT_RESERVE_BYTES = TPACKET_ALIGNMENT - sizeof(struct virtio_net_hdr) };

static int port_open_receive(struct port *port, uint32_t interface)
{
	const struct tpacket_req ring = { .tp_block_size = PORT_BLOCK_BYTES,
					  .tp_block_nr = PORT_BLOCKS,
					  .tp_frame_size = PORT_FRAME_BYTES,
					  .tp_frame_nr = PORT_FRAMES };
	int fd = port->receive = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int error;

	if (fd < 0)
		return -errno;
	if ((error = port_set(fd, PACKET_VERSION, TPACKET_V2)) ||
	    (error = port_set(fd, PACKET_VNET_HDR, 1)) ||
	    (error = port_set(fd, PACKET_RESERVE, PORT_RESERVE_BYTES)) ||
	    (error = port_set(fd, PACKET_IGNORE_OUTGOING, 1)) || (error = port_filter(fd)))
		return error;
	if (setsockopt(fd, SOL_PACKET, PACKET_RX_RING, &ring, sizeof(ring)))
		return -errno;
	port->ring = mmap(NULL, (size_t)PORT_BLOCKS * PORT_BLOCK_BYTES, PROT_READ | PROT_WRITE,
			  MAP_SHARED, fd, 0);
	if (port->ring == MAP_FAILED) {
		port->ring = NULL;
		return -errno;
	}
	return port_bind(fd, interface, ETH_P_ALL);
}

/* Bound to no protocol, so that it receives nothing. */
static int port_open_send(struct port *port, uint32_t interface)
{
	const int bytes = PORT_SEND_BUFFER_BYTES;
	int fd = port->send = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int error;

	if (fd < 0)
		return -errno;
	/* Beyond wmem_max needs a privilege; what is granted without it is enough to run. */
	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof(bytes)))
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
	error = port_set(fd, PACKET_VNET_HDR, 1);
	return error ? error : port_bind(fd, interface, 0);
}

int port_open(struct port *port, const char *name, uint32_t interface)
{
	int error;

	memset(port, 0, sizeof(*port));
	port->receive = port->send = -1;
	error = port_open_receive(port, interface);
	if (!error)
		error = port_open_send(port, interface);
	if (!error)
		return 0;
	port_close(port);
	if (error == -EPERM)
		return log_err(error, "packet socket on %s: %s (needs CAP_NET_RAW, or a user namespace: "
			       "unshare -Urn)", name, strerror(-error));
	return log_err(error, "packet socket on %s: %s", name, strerror(-error));
}

void port_close(struct port *port)
{
	if (port->ring)
		munmap(port->ring, (size_t)PORT_BLOCKS * PORT_BLOCK_BYTES);
	port->ring = NULL;
	own_close(&port->receive);
	own_close(&port->send);
	port->receive = port->send = -1;
}

static struct tpacket2_hdr *port_header(const struct port *port, uint32_t frame)
{
	frame %= PORT_FRAMES;
	return (struct tpacket2_hdr *)(port->ring +
				       (size_t)(frame / PORT_PER_BLOCK) * PORT_BLOCK_BYTES +
				       (size_t)(frame % PORT_PER_BLOCK) * PORT_FRAME_BYTES);
}

bool port_look(const struct port *port, uint32_t ahead, struct port_frame *out)
{
	struct tpacket2_hdr *h = port_header(port, port->next + ahead);
	uint32_t status = __atomic_load_n(&h->tp_status, __ATOMIC_ACQUIRE);

	if (!(status & TP_STATUS_USER))
		return false;
	out->frame = (uint8_t *)h + h->tp_mac;
	out->vnet = (struct virtio_net_hdr *)(out->frame - sizeof(*out->vnet));
	out->bytes = h->tp_len;
	out->captured = h->tp_snaplen;
	out->tagged = status & TP_STATUS_VLAN_VALID;
	return true;
}

void port_release(struct port *port, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		__atomic_store_n(&port_header(port, port->next + i)->tp_status, TP_STATUS_KERNEL,
				 __ATOMIC_RELEASE);
	port->next = (port->next + count) % PORT_FRAMES;
}

void port_queue(struct port *port, const struct port_frame *frame)
{
	uint32_t i = port->messages++;

	port->vector[i] = (struct iovec){ frame->vnet, sizeof(*frame->vnet) + frame->bytes };
	port->message[i].msg_hdr = (struct msghdr){ .msg_iov = &port->vector[i], .msg_iovlen = 1 };
}

void port_flush(struct port *port, void (*failed)(void *context, uint32_t index), void *context)
{
	uint32_t done = 0;

	while (done < port->messages) {
		int n = sendmmsg(port->send, port->message + done, port->messages - done, 0);

		if (n > 0) {
			done += (uint32_t)n;
		} else if (errno == EAGAIN) {
			struct pollfd room = { .fd = port->send, .events = POLLOUT };

			if (poll(&room, 1, PORT_WAIT_MS) <= 0)
				failed(context, done++);
		} else if (errno != EINTR) {
			failed(context, done++);
		}
	}
	port->messages = 0;
}

void port_count_overflow(struct port *port)
{
	struct tpacket_stats stats;
	socklen_t size = sizeof(stats);

	if (!getsockopt(port->receive, SOL_PACKET, PACKET_STATISTICS, &stats, &size))
		port->overflowed += stats.tp_drops;
}
