// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* A port as all formats see it, and the two ends of a link. */
#include <config.h>

#include "writer_private.h"

#include <stdlib.h>

#include "ibspeed/writer.h"

const struct ibs_member_row ibs_member_rows[IBS_MEMBER_COUNT] = {
#define X(name, kind, value) { #name, IBS_MEMBER_##kind },
	IBS_MEMBERS(X)
#undef X
};

/* Switch port 0 has no cable: what it says of width and speed is no link's. */
static void
no_link(struct ibs_port *port)
{
	port->speed = IBS_SPEED_NONE;
	port->width = IBS_WIDTH_NONE;
	port->eff_100mbps = -1;
	port->active_speed = 0;
	port->up = false;
}

void
ibs_end_of_map(const struct ibs_map *map, uint32_t port,
	       struct ibs_end *ret_end)
{
	const struct ibs_map_port *row = &map->ports[port];
	const struct ibs_node *node = &map->nodes[row->node];
	bool read = row->read == IBS_READ_OK;

	*ret_end = (struct ibs_end){
		.map = map,
		.row = row,
		.node = node,
		.pi = read ? row->pi : NULL,
		.pkey_tbl_len =
			read ? ibs_node_pkey_tbl_len(node, row->num) : -1,
	};
	ibs_map_port_decode(map, port, &ret_end->port);
	if (read && !ibs_map_port_external(map, port)) {
		no_link(&ret_end->port);
	}
}

void
ibs_end_of_bytes(const struct ibs_decoded *decoded, struct ibs_end *ret_end)
{
	*ret_end = (struct ibs_end){ .pi = decoded->pi,
				     .port = decoded->port,
				     .pkey_tbl_len = -1 };
}

bool
ibs_unread_of_map(const struct ibs_map *map, uint32_t port,
		  struct ibs_unread *ret_unread)
{
	const struct ibs_map_port *row = &map->ports[port];
	struct ibs_unread unread = { .node = &map->nodes[row->node],
				     .num = row->num };

	if (row->read != IBS_READ_OK) {
		unread.read = row->read;
		unread.tries = row->tries;
		unread.status = row->status;
	} else if (row->behind_read != IBS_READ_UNASKED) {
		unread.behind = true;
		unread.read = row->behind_read;
		unread.tries = row->behind_tries;
		unread.status = row->behind_status;
	} else {
		return false;
	}
	*ret_unread = unread;
	return true;
}

void
ibs_unread_path(const struct ibs_unread *unread, char *ret_text)
{
	struct ibs_node behind = *unread->node;

	if (unread->behind && behind.n_hops < IBS_HOPS_MAX) {
		behind.path[++behind.n_hops] = unread->num;
	}
	ibs_path_text(&behind, ret_text);
}

struct ibs_pair
ibs_end_pair(const struct ibs_end *end)
{
	if (!end->pi) {
		return (struct ibs_pair){ IBS_SPEED_NONE, IBS_WIDTH_NONE };
	}
	return (struct ibs_pair){ end->port.speed, end->port.width };
}

void
ibs_end_members(const struct ibs_end *end, int64_t ret_values[IBS_MEMBER_COUNT])
{
	const struct ibs_port *p = &end->port;
	const struct ibs_rate_row *rate =
		p->eff_100mbps > 0 ? ibs_rate_by_eff(p->eff_100mbps) : NULL;
	const struct ibs_speed_row *speed =
		ibs_speed_row((enum ibs_speed)p->speed);
	int64_t signal_kbps = ibs_signal_kbps((enum ibs_speed)p->speed,
					      (enum ibs_width)p->width);

#define X(name, kind, value) ret_values[IBS_MEMBER_##name] = (int64_t)(value);
	IBS_MEMBERS(X)
#undef X
	for (int i = 0; !end->pi && i < IBS_MEMBER_COUNT; i++) {
		ret_values[i] = -1;
	}
}

bool
ibs_raw_is_hex(enum ibs_port_info_field field)
{
	return field == IBS_PI_M_Key || field == IBS_PI_GidPrefix ||
	       field == IBS_PI_CapabilityMask ||
	       field == IBS_PI_CapabilityMask2;
}

struct ibs_ends
ibs_link_ends(const struct ibs_map *map, const struct ibs_map_link *link,
	      uint32_t node)
{
	uint32_t a = map->ports[link->a].node, b;
	bool turn;

	if (link->b == IBS_NO_INDEX) {
		return (struct ibs_ends){ link->a, IBS_NO_INDEX };
	}
	b = map->ports[link->b].node;
	if (node == a || node == b) {
		turn = node != a;
	} else {
		turn = map->nodes[a].type != IBS_NODE_SWITCH &&
		       map->nodes[b].type == IBS_NODE_SWITCH;
	}
	return turn ? (struct ibs_ends){ link->b, link->a }
		    : (struct ibs_ends){ link->a, link->b };
}

int64_t
ibs_link_since_ns(const struct ibs_map *map, const struct ibs_map_link *link)
{
	int64_t a = map->ports[link->a].since_ns;
	int64_t b = link->b == IBS_NO_INDEX ? 0 : map->ports[link->b].since_ns;

	return a > b ? a : b;
}

int32_t
ibs_link_lost_or_none(const struct ibs_link *link)
{
	if (link->eff_100mbps < 0 ||
	    ibs_eff_100mbps((enum ibs_speed)link->expected.speed,
			    (enum ibs_width)link->expected.width) < 0) {
		return -1;
	}
	return ibs_link_lost_100mbps(link);
}

int
ibs_record_agrees(const struct ibs_path_report *report)
{
	const struct ibs_rate_row *rate = ibs_path_rate(report->path);

	if (!rate || report->record.rate_enum < 0) {
		return -1;
	}
	return rate->rate_enum == report->record.rate_enum;
}

bool *
ibs_ports_linked(const struct ibs_map *map)
{
	bool *linked = calloc((size_t)map->n_ports + 1, sizeof(*linked));

	if (!linked) {
		return NULL;
	}
	for (uint32_t i = 0; i < map->n_links; i++) {
		linked[map->links[i].a] = true;
		if (map->links[i].b != IBS_NO_INDEX) {
			linked[map->links[i].b] = true;
		}
	}
	return linked;
}

bool
ibs_query_has(const struct ibs_query *query, uint32_t port)
{
	if (port == IBS_NO_INDEX) {
		return false;
	}
	if (query->port != IBS_NO_INDEX) {
		return port == query->port;
	}
	return query->map->ports[port].node == query->node;
}
