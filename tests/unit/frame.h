/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A feed frame in memory, for the tests that write one and read it back. */
#ifndef IBSPEED_TESTS_FRAME_H
#define IBSPEED_TESTS_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "ibspeed/feed.h"

#define FRAME_EPI_DEVICE   0xcb20u /* has the MLNX ExtendedPortInfo */
#define FRAME_PLAIN_DEVICE 0x0042u

struct frame {
	struct ibs_feed_out out;
	uint8_t bytes[32768];
	uint8_t ni[IBS_ATTR_SIZE]; /* of the node that frame_node() adds */
};

extern const struct ibs_feed_subnet frame_subnet;

/* An empty buffer of so many bytes, and a topology begun in it. */
void frame_begin(struct frame *f, size_t capacity);
/* NodeInfo of a node on FRAME_EPI_DEVICE; PortGUID is guid + 1. */
void frame_node_info(struct frame *f, uint64_t guid, uint8_t type);
/* A node without hops and name, as frame_node_info() left it. */
void frame_node(struct frame *f, uint16_t n_ports);

const uint8_t *frame_payload(const struct frame *f);
size_t frame_payload_size(const struct frame *f);
/* Checks that the payload reads with that result; NULL unless it is 0. */
struct ibs_map *frame_read(const struct frame *f, const char *row,
			   enum ibs_source source, int want);

void frame_put_pi(uint8_t *pi, enum ibs_port_info_field field, uint64_t value);

#endif
