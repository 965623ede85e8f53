// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* A walk from port to port by the forwarding tables. */
#include <config.h>

#include "ibspeed/path.h"

#include <errno.h>
#include <stdlib.h>

#define LFT_NO_ENTRY 255u

const struct ibs_path_end_row *
ibs_path_end_row(enum ibs_path_end end)
{
	static const struct ibs_path_end_row rows[IBS_PATH_END_COUNT] = {
#define X(id, name, result, says) { name, says, IBS_PATH_##result },
		IBS_PATH_ENDS(X)
#undef X
	};

	return end < IBS_PATH_END_COUNT ? &rows[end] : NULL;
}

static bool
is_switch(const struct ibs_map *map, uint32_t node)
{
	return map->nodes[node].type == IBS_NODE_SWITCH;
}

uint32_t
ibs_path_port_of(const struct ibs_map *map, uint32_t node)
{
	const struct ibs_node *n = &map->nodes[node];

	if (is_switch(map, node)) {
		return n->port0;
	}
	for (uint32_t i = 0; i < n->n_map_ports; i++) {
		struct ibs_port port;

		ibs_map_port_decode(map, n->first_port + i, &port);
		if (port.state == IBS_PORT_ACTIVE) {
			return n->first_port + i;
		}
	}
	return n->n_map_ports ? n->first_port : IBS_NO_INDEX;
}

uint32_t
ibs_path_local_port(const struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		const struct ibs_map_port *port = &map->ports[i];
		const struct ibs_node *node = &map->nodes[port->node];
		bool is_it = is_switch(map, port->node)
				     ? port->num == 0
				     : port->guid == node->port_guid;

		if (node->n_hops == 0 && is_it && port->read == IBS_READ_OK) {
			return i;
		}
	}
	return IBS_NO_INDEX;
}

/* The worst rate of all; the first of equals. */
static bool
is_slower(const struct ibs_link *link, const struct ibs_link *than)
{
	const struct ibs_rate_row *a = ibs_rate_by_eff(link->eff_100mbps);
	const struct ibs_rate_row *b = ibs_rate_by_eff(than->eff_100mbps);

	if (a && b) {
		return ibs_rate_merit(a->rate_enum) <
		       ibs_rate_merit(b->rate_enum);
	}
	return link->eff_100mbps < than->eff_100mbps;
}

static const struct ibs_link *
link_of_hop(const struct ibs_path *path, uint32_t hop)
{
	return &path->map->links[path->hops[hop].link].link;
}

/* A link whose speed is not known may be the slowest: then nobody can say. */
static void
sum_up(struct ibs_path *path)
{
	bool known = true;

	for (uint32_t i = 0; i < path->n_hops; i++) {
		const struct ibs_link *link = link_of_hop(path, i);

		if (link->eff_100mbps < 0) {
			known = false;
		} else if (path->slowest == IBS_NO_INDEX ||
			   is_slower(link, link_of_hop(path, path->slowest))) {
			path->slowest = i;
		}
	}
	if (known && path->slowest != IBS_NO_INDEX) {
		path->eff_100mbps =
			link_of_hop(path, path->slowest)->eff_100mbps;
	}
}

static void
end_at(struct ibs_path *path, enum ibs_path_end end, uint32_t node)
{
	path->at = node;
	path->end = (uint8_t)end;
	path->ended = true;
	if (end == IBS_PATH_ARRIVED) {
		sum_up(path);
	}
}

static void
end_at_port(struct ibs_path *path, enum ibs_path_end end, uint32_t port)
{
	path->at_port = path->map->ports[port].num;
	path->has_port = true;
	end_at(path, end, path->map->ports[port].node);
}

/* Packets other than the SM's pass none but an Active port. */
static bool
is_closed(const struct ibs_map *map, uint32_t port)
{
	struct ibs_port decoded;

	if (map->ports[port].read != IBS_READ_OK) {
		return false;
	}
	ibs_map_port_decode(map, port, &decoded);
	return decoded.state != IBS_PORT_ACTIVE;
}

static bool
has_left(const struct ibs_path *path, uint32_t node)
{
	for (uint32_t i = 0; i < path->n_hops; i++) {
		if (path->map->ports[path->hops[i].out].node == node) {
			return true;
		}
	}
	return false;
}

/* The packets are at the port; a switch that is no destination forwards. */
static void
arrive(struct ibs_path *path, uint32_t port)
{
	const struct ibs_map *map = path->map;
	uint32_t node = map->ports[port].node;
	uint32_t dst = path->route.dst;

	if (port == dst ||
	    (is_switch(map, node) && node == map->ports[dst].node)) {
		end_at(path, IBS_PATH_ARRIVED, node);
	} else if (!is_switch(map, node)) {
		end_at_port(path, IBS_PATH_STRAY, port);
	} else if (has_left(path, node)) {
		end_at(path, IBS_PATH_LOOP, node);
	} else {
		path->at = node;
	}
}

/* Over the link of the port that the packets leave by. */
static void
cross(struct ibs_path *path, uint32_t out)
{
	const struct ibs_map *map = path->map;
	uint32_t in = map->ports[out].peer;
	uint32_t link;

	if (is_closed(map, out)) {
		end_at_port(path, IBS_PATH_NOT_ACTIVE, out);
		return;
	}
	link = in == IBS_NO_INDEX ? IBS_NO_INDEX : ibs_map_find_link(map, out);
	if (link == IBS_NO_INDEX) {
		end_at_port(path,
			    map->ports[out].read == IBS_READ_OK
				    ? IBS_PATH_UNKNOWN_PEER
				    : IBS_PATH_UNREAD_PORT,
			    out);
		return;
	}
	if (is_closed(map, in)) {
		end_at_port(path, IBS_PATH_NOT_ACTIVE, in);
		return;
	}
	path->hops[path->n_hops++] =
		(struct ibs_hop){ .out = out, .in = in, .link = link };
	arrive(path, in);
}

/* The LIDs of a port are 2^LMC from its own on.  0: its first, and stays 0 when
 * the port has none, or nobody knows. */
static int
choose_lid(const struct ibs_map *map, uint32_t index, uint16_t *lid)
{
	struct ibs_port port;

	if (map->ports[index].read != IBS_READ_OK) {
		return 0;
	}
	ibs_map_port_decode(map, index, &port);
	if (port.lid == 0 || port.lid > IBS_LID_MAX) {
		*lid = 0;
		return 0;
	}
	if (!*lid) {
		*lid = port.lid;
	}
	return *lid >= port.lid && *lid < port.lid + (1u << port.lmc) ? 0
								      : -EINVAL;
}

static int
choose_lids(struct ibs_path *path)
{
	struct ibs_route *route = &path->route;
	int err = choose_lid(path->map, route->src, &route->slid);

	if (!err) {
		err = choose_lid(path->map, route->dst, &route->dlid);
	}
	if (!err && !route->dlid) {
		end_at_port(path,
			    path->map->ports[route->dst].read == IBS_READ_OK
				    ? IBS_PATH_NO_LID
				    : IBS_PATH_UNREAD_PORT,
			    route->dst);
	}
	return err;
}

static uint32_t
count_switches(const struct ibs_map *map)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < map->n_nodes; i++) {
		n += is_switch(map, i);
	}
	return n;
}

int
ibs_path_begin(const struct ibs_map *map, const struct ibs_route *route,
	       struct ibs_path *ret_path)
{
	struct ibs_path path = { .map = map,
				 .route = *route,
				 .at = map->ports[route->src].node,
				 .slowest = IBS_NO_INDEX,
				 .eff_100mbps = -1 };
	int err = choose_lids(&path);

	if (err) {
		return err;
	}
	/* One out of the source, and no switch is left twice. */
	path.hops = calloc((size_t)count_switches(map) + 1, sizeof(*path.hops));
	if (!path.hops) {
		return -ENOMEM;
	}
	if (!path.ended && route->src == route->dst) {
		end_at(&path, IBS_PATH_ARRIVED, path.at);
	} else if (!path.ended && !is_switch(map, path.at)) {
		cross(&path, route->src);
	}
	*ret_path = path;
	return 0;
}

void
ibs_path_free(struct ibs_path *path)
{
	free(path->hops);
	path->hops = NULL;
	path->n_hops = 0;
}

bool
ibs_path_wants(const struct ibs_path *path)
{
	return !path->ended;
}

static void
end_unread(struct ibs_path *path, const struct ibs_attr *attr)
{
	path->read = attr->read;
	path->status = attr->status;
	end_at(path, IBS_PATH_UNREAD_TABLE, path->at);
}

/* Where the switch sends the packets. */
static void
leave_by(struct ibs_path *path, uint8_t num)
{
	uint32_t out = ibs_map_find_port(path->map, path->at, num);

	path->at_port = num;
	path->has_port = true;
	if (num == LFT_NO_ENTRY) {
		path->has_port = false;
		end_at(path, IBS_PATH_NO_ENTRY, path->at);
	} else if (num == 0) {
		end_at(path, IBS_PATH_KEPT, path->at);
	} else if (out == IBS_NO_INDEX) {
		end_at(path, IBS_PATH_NO_PORT, path->at);
	} else {
		path->has_port = false;
		cross(path, out);
	}
}

void
ibs_path_forward(struct ibs_path *path, const struct ibs_attr *switch_info,
		 const struct ibs_attr *block)
{
	uint16_t lid = path->route.dlid;

	if (switch_info->read != IBS_READ_OK) {
		end_unread(path, switch_info);
	} else if (lid > ibs_si_get(switch_info->data, IBS_SI_LinearFDBTop)) {
		end_at(path, IBS_PATH_ABOVE_TOP, path->at);
	} else if (block->read != IBS_READ_OK) {
		end_unread(path, block);
	} else {
		leave_by(path, block->data[lid % IBS_LFT_BLOCK]);
	}
}

enum ibs_path_result
ibs_path_result(const struct ibs_path *path)
{
	const struct ibs_path_end_row *row =
		ibs_path_end_row((enum ibs_path_end)path->end);

	if (!path->ended || (row->result == IBS_PATH_FOUND &&
			     path->n_hops > 0 && path->eff_100mbps < 0)) {
		return IBS_PATH_INCOMPLETE;
	}
	return row->result;
}

const struct ibs_rate_row *
ibs_path_rate(const struct ibs_path *path)
{
	return path->eff_100mbps > 0 ? ibs_rate_by_eff(path->eff_100mbps)
				     : NULL;
}
