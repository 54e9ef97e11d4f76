/* SPDX-License-Identifier: BSD-2-Clause */
/* One interface as packets see it: an AF_PACKET receive ring (TPACKET_V2, one copy,
 * no system call a packet, not bounded by rmem_max) and a socket to send from the
 * ring's own memory. Each frame has its vnet_hdr right before it, on both ways, so
 * super-packets and partial checksums cross whole.
 *
 * Deliberately no transmit ring: its pages are shared with the receiver of the
 * packet, and over veth the kernel hands a frame back as soon as the peer's stack
 * has taken the packet, while its data still waits to be read.
 *
 * Frames not meant for the interface's link address, and what is neither IPv4 nor
 * IPv6, are filtered before they are copied. */
#ifndef USER_PORT_H
#define USER_PORT_H

#include <linux/virtio_net.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum {
	PORT_BATCH = 32,
	PORT_FRAME_BYTES = 65536 + 512, /* the largest super-packet with its headers */
	PORT_BLOCK_BYTES = 2 << 20,
	PORT_BLOCKS = 16,
	PORT_FRAMES = PORT_BLOCKS * (PORT_BLOCK_BYTES / PORT_FRAME_BYTES),
};

struct port {
	int receive, send;
	uint8_t *ring;
	uint32_t next;                  /* frame to look at */
	uint64_t overflowed;            /* frames lost because the ring was full */
	struct mmsghdr message[2 * PORT_BATCH]; /* to be sent by this port */
	struct iovec vector[2 * PORT_BATCH];
	uint32_t messages;
};

/* A received frame; it stays valid until port_release. */
struct port_frame {
	struct virtio_net_hdr *vnet;    /* directly before the frame */
	uint8_t *frame;
	uint32_t bytes;                 /* of the frame */
	uint32_t captured;              /* of them at hand; less: larger than the ring's frames */
	bool tagged;
};

/* Opens both sockets on an interface. 0 or -errno, logged. */
int port_open(struct port *port, const char *name, uint32_t interface);
void port_close(struct port *port);
/* The frame at next + ahead; false if it has not come yet. */
bool port_look(const struct port *port, uint32_t ahead, struct port_frame *out);
/* Gives count frames from next on back to the kernel. */
void port_release(struct port *port, uint32_t count);
/* Puts a frame (of any port, not yet released) into the batch to send. */
void port_queue(struct port *port, const struct port_frame *frame);
/* Sends the batch in order. failed: called for each one that could not be sent. */
void port_flush(struct port *port, void (*failed)(void *context, uint32_t index), void *context);
/* Adds what the kernel has counted since the last call to overflowed. */
void port_count_overflow(struct port *port);

#endif
