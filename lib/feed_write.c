// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The plugin's half of the feed: frames into a buffer of the caller.  Nothing
 * here allocates; the plugin calls it while it holds the SM's lock.
 */
#include <config.h>

#include "ibspeed/feed.h"

#include <errno.h>
#include <string.h>

#include "feed_wire.h"

static void
put_bytes(struct ibs_feed_out *out, const void *bytes, size_t size)
{
	if (out->overflow || size > out->capacity - out->size) {
		out->overflow = true;
	} else {
		memcpy(out->data + out->size, bytes, size);
	}
	out->size += size;
}

static void
store_be(uint8_t *at, uint64_t value, size_t size)
{
	for (size_t i = size; i-- > 0; value >>= 8) {
		at[i] = (uint8_t)value;
	}
}

/* The lowest size bytes of a number, highest first. */
static void
put_number(struct ibs_feed_out *out, uint64_t value, size_t size)
{
	uint8_t bytes[8];

	store_be(bytes, value, size);
	put_bytes(out, bytes, size);
}

static void
frame_begin(struct ibs_feed_out *out, enum ibs_feed_type type)
{
	out->frame_start = out->size;
	put_number(out, FEED_MAGIC, 4);
	put_number(out, IBS_FEED_VERSION, 2);
	put_number(out, type, 2);
	put_number(out, 0, 4);
}

static int
frame_end(struct ibs_feed_out *out)
{
	size_t payload = out->size - out->frame_start - IBS_FEED_HEADER_SIZE;

	if (out->overflow) {
		return -ENOSPC;
	}
	if (payload > IBS_FEED_PAYLOAD_MAX) {
		return -EMSGSIZE;
	}
	store_be(out->data + out->frame_start + FEED_HEADER_PAYLOAD_AT, payload,
		 4);
	return 0;
}

void
ibs_feed_topology_begin(struct ibs_feed_out *out,
			const struct ibs_feed_subnet *subnet)
{
	const struct ibs_subnet *s = &subnet->subnet;

	out->n_nodes = 0;
	out->n_ports = 0;
	out->over_limit = false;
	frame_begin(out, IBS_FEED_TOPOLOGY);
	put_number(out, s->sm_port_guid, 8);
	put_number(out, s->prefix, 8);
	put_number(out, subnet->m_key, 8);
	put_number(out, 0, 4);
	put_number(out, 0, 4);
	put_number(out, subnet->n_dropped, 4);
	put_number(out, subnet->sm_state, 1);
	put_number(out, subnet->sm_init_errors ? FEED_SUBNET_INIT_ERRORS : 0,
		   1);
	put_number(out, s->force_link_speed, 1);
	put_number(out, s->force_link_speed_ext, 1);
	put_number(out, s->force_link_width, 1);
	put_bytes(out, s->opensm, FEED_OPENSM_SIZE);
}

void
ibs_feed_topology_node(struct ibs_feed_out *out,
		       const struct ibs_feed_node *node)
{
	if (node->n_hops > IBS_HOPS_MAX ||
	    node->n_ports > FEED_NODE_PORTS_MAX) {
		out->over_limit = true;
		return;
	}
	out->n_nodes++;
	put_number(out, node->switch_info ? FEED_NODE_HAS_SWITCH_INFO : 0, 1);
	put_number(out, node->n_hops, 1);
	put_number(out, node->n_ports, 2);
	put_bytes(out, node->node_info, IBS_FEED_NODE_INFO_SIZE);
	put_bytes(out, node->desc, IBS_DESC_SIZE);
	if (node->switch_info) {
		put_bytes(out, node->switch_info, IBS_FEED_SWITCH_INFO_SIZE);
	}
	if (node->n_hops) {
		put_bytes(out, node->path + 1, node->n_hops);
	}
}

void
ibs_feed_topology_port(struct ibs_feed_out *out,
		       const struct ibs_feed_port *port)
{
	out->n_ports++;
	put_number(out,
		   (port->has_peer ? FEED_PORT_HAS_PEER : 0) |
			   (port->port_info ? FEED_PORT_HAS_PI : 0) |
			   (port->ext_port_info ? FEED_PORT_HAS_EPI : 0),
		   1);
	put_number(out, port->num, 1);
	put_number(out, port->guid, 8);
	if (port->has_peer) {
		put_number(out, port->peer_guid, 8);
		put_number(out, port->peer_num, 1);
	}
	if (port->port_info) {
		put_number(out, 0, FEED_M_KEY_SIZE);
		put_bytes(out, port->port_info + FEED_M_KEY_SIZE,
			  IBS_ATTR_SIZE - FEED_M_KEY_SIZE);
	}
	if (port->ext_port_info) {
		put_bytes(out, port->ext_port_info, FEED_EPI_SIZE);
	}
}

int
ibs_feed_topology_end(struct ibs_feed_out *out)
{
	uint8_t *counts;
	int err;

	if (out->over_limit || out->n_nodes > IBS_FEED_NODES_MAX ||
	    out->n_ports > IBS_FEED_PORTS_MAX) {
		return -EMSGSIZE;
	}
	err = frame_end(out);
	if (err) {
		return err;
	}
	counts = out->data + out->frame_start + IBS_FEED_HEADER_SIZE +
		 FEED_SUBNET_COUNTS_AT;
	store_be(counts, out->n_nodes, 4);
	store_be(counts + 4, out->n_ports, 4);
	return 0;
}

int
ibs_feed_role(struct ibs_feed_out *out, uint8_t sm_state)
{
	frame_begin(out, IBS_FEED_ROLE);
	put_number(out, sm_state, FEED_ROLE_PAYLOAD_SIZE);
	return frame_end(out);
}
