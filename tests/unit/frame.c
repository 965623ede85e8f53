// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "frame.h"

#include <string.h>

#include "unit.h"

const struct ibs_feed_subnet frame_subnet = {
	.subnet = { .sm_port_guid = 0x21,
		    .prefix = 0xfe80000000000000u,
		    .opensm = "OpenSM 3.3.23",
		    .force_link_speed = 2,
		    .force_link_speed_ext = 4,
		    .force_link_width = 3 },
	.m_key = 0x1122334455667788u,
	.sm_state = 3,
	.sm_init_errors = true,
	.n_dropped = 7,
};

void
frame_begin(struct frame *f, size_t capacity)
{
	f->out =
		(struct ibs_feed_out){ .data = f->bytes, .capacity = capacity };
	ibs_feed_topology_begin(&f->out, &frame_subnet);
}

static void
put_ni(struct frame *f, enum ibs_node_info_field field, uint64_t value)
{
	ibs_field_put(f->ni, &ibs_node_info_fields[field], value);
}

void
frame_node_info(struct frame *f, uint64_t guid, uint8_t type)
{
	memset(f->ni, 0, sizeof(f->ni));
	put_ni(f, IBS_NI_NodeType, type);
	put_ni(f, IBS_NI_NumPorts, 2);
	put_ni(f, IBS_NI_SystemImageGUID, guid + 0x1000);
	put_ni(f, IBS_NI_NodeGUID, guid);
	put_ni(f, IBS_NI_PortGUID, guid + 1);
	put_ni(f, IBS_NI_PartitionCap, 128);
	put_ni(f, IBS_NI_DeviceID, FRAME_EPI_DEVICE);
	put_ni(f, IBS_NI_VendorID, 0x2c9);
}

void
frame_node(struct frame *f, uint16_t n_ports)
{
	static const uint8_t zeros[IBS_DESC_SIZE] = { 0 };

	ibs_feed_topology_node(&f->out,
			       &(struct ibs_feed_node){ .node_info = f->ni,
							.desc = zeros,
							.path = zeros,
							.n_ports = n_ports });
}

const uint8_t *
frame_payload(const struct frame *f)
{
	return f->bytes + IBS_FEED_HEADER_SIZE;
}

size_t
frame_payload_size(const struct frame *f)
{
	return f->out.size - IBS_FEED_HEADER_SIZE;
}

struct ibs_map *
frame_read(const struct frame *f, const char *row, enum ibs_source source,
	   int want)
{
	struct ibs_feed_subnet subnet;
	struct ibs_map *map = NULL;
	int err = ibs_feed_read_topology(
		frame_payload(f), frame_payload_size(f), source, &subnet, &map);

	CHECK_INT(row, err, want);
	CHECK(row, (map != NULL) == (err == 0));
	return map;
}

void
frame_put_pi(uint8_t *pi, enum ibs_port_info_field field, uint64_t value)
{
	ibs_field_put(pi, &ibs_port_info_fields[field], value);
}
