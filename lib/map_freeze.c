// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * From rows in the order they were found to the frozen map: nodes by GUID,
 * ports by node and number, links judged.
 */
#include <config.h>

#include "ibspeed/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Nodes of one GUID stay in the order that they were recorded in, since the
 * routes have moved on by now; new ones, all of instance 0, stand by their
 * routes, nearest first.
 */
static int
compare_nodes(const void *left, const void *right, void *context)
{
	const struct ibs_node *nodes = context;
	const struct ibs_node *a = &nodes[*(const uint32_t *)left];
	const struct ibs_node *b = &nodes[*(const uint32_t *)right];

	if (a->guid != b->guid) {
		return a->guid < b->guid ? -1 : 1;
	}
	if (a->instance != b->instance) {
		return a->instance < b->instance ? -1 : 1;
	}
	if (a->n_hops != b->n_hops) {
		return a->n_hops < b->n_hops ? -1 : 1;
	}
	return memcmp(a->path, b->path, sizeof(a->path));
}

static void
number_instances(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		struct ibs_node *node = &map->nodes[i];
		bool twin = i > 0 && node[-1].guid == node->guid;

		node->instance = twin ? node[-1].instance + 1 : 0;
	}
}

/* Sorts the nodes; ports then name their node by its new index. */
static int
sort_nodes(struct ibs_map *map)
{
	size_t n = map->n_nodes;
	uint32_t *order = calloc(n + 1, sizeof(*order));
	uint32_t *moved_to = calloc(n + 1, sizeof(*moved_to));
	struct ibs_node *nodes = calloc(n + 1, sizeof(*nodes));

	if (!order || !moved_to || !nodes) {
		free(order);
		free(moved_to);
		free(nodes);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < n; i++) {
		order[i] = i;
	}
	if (n) {
		qsort_r(order, n, sizeof(*order), compare_nodes, map->nodes);
	}
	for (uint32_t i = 0; i < n; i++) {
		nodes[i] = map->nodes[order[i]];
		moved_to[order[i]] = i;
	}
	for (uint32_t i = 0; i < map->n_ports; i++) {
		map->ports[i].node = moved_to[map->ports[i].node];
	}
	free(order);
	free(moved_to);
	free(map->nodes);
	map->nodes = nodes;
	map->nodes_size = (uint32_t)n + 1;
	number_instances(map);
	return 0;
}

/*
 * Where each port goes: ports of a node stand together, and nearly always come
 * in the order of their numbers already.
 */
static int
order_ports(const struct ibs_map *map, uint32_t *order)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		struct ibs_node *node = &map->nodes[map->ports[i].node];
		uint32_t at = node->first_port + node->n_map_ports++;
		uint8_t num = map->ports[i].num;

		for (; at > node->first_port; at--) {
			uint8_t before = map->ports[order[at - 1]].num;

			if (before == num) {
				return -EEXIST;
			}
			if (before < num) {
				break;
			}
			order[at] = order[at - 1];
		}
		order[at] = i;
	}
	return 0;
}

static void
place_nodes(struct ibs_map *map)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < map->n_nodes; i++) {
		map->nodes[i].first_port = next;
		next += map->nodes[i].n_map_ports;
		map->nodes[i].n_map_ports = 0;
		map->nodes[i].port0 = IBS_NO_INDEX;
	}
}

static void
move_ports(struct ibs_map *map, const uint32_t *order, uint32_t *moved_to,
	   struct ibs_map_port *ports)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		ports[i] = map->ports[order[i]];
		moved_to[order[i]] = i;
	}
	for (uint32_t i = 0; i < map->n_ports; i++) {
		struct ibs_node *node = &map->nodes[ports[i].node];

		if (ports[i].peer < map->n_ports) {
			ports[i].peer = moved_to[ports[i].peer];
		} else {
			ports[i].peer = IBS_NO_INDEX;
		}
		if (ports[i].num == 0 && node->type == IBS_NODE_SWITCH) {
			node->port0 = i;
		}
	}
}

static int
sort_ports(struct ibs_map *map)
{
	size_t n = map->n_ports;
	uint32_t *order = calloc(n + 1, sizeof(*order));
	uint32_t *moved_to = calloc(n + 1, sizeof(*moved_to));
	struct ibs_map_port *ports = calloc(n + 1, sizeof(*ports));
	int err = -ENOMEM;

	if (order && moved_to && ports) {
		place_nodes(map);
		err = order_ports(map, order);
	}
	if (!err) {
		move_ports(map, order, moved_to, ports);
		free(map->ports);
		map->ports = ports;
		map->ports_size = (uint32_t)n + 1;
		ports = NULL;
	}
	free(order);
	free(moved_to);
	free(ports);
	return err;
}

/* A cable has two ends that agree on each other, and no end at port 0. */
static void
check_peers(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		uint32_t peer = map->ports[i].peer;

		if (peer == IBS_NO_INDEX) {
			continue;
		}
		if (peer == i || map->ports[peer].peer != i ||
		    !ibs_map_port_external(map, i) ||
		    !ibs_map_port_external(map, peer)) {
			map->ports[i].peer = IBS_NO_INDEX;
		}
	}
}

static void
judge(const struct ibs_map *map, struct ibs_map_link *link,
      const struct ibs_port *a, const struct ibs_port *b)
{
	const struct ibs_map_port *ends[2] = { &map->ports[link->a],
					       &map->ports[link->b] };
	struct ibs_link_facts facts = {
		.sm_forces_width = map->subnet.force_link_width,
		.sm_forces_speed = map->subnet.force_link_speed ||
				   map->subnet.force_link_speed_ext,
	};

	for (int i = 0; i < 2; i++) {
		facts.has_sm[i] = ends[i]->flags & IBS_PORT_HAS_SM;
		facts.sm[i] = ends[i]->sm;
	}
	ibs_link_judge(a, b, &facts, &link->link);
}

/*
 * A link is there when a port that is not known to be down has a peer; or is
 * up and nobody knows its peer.  Two ends that are down are two unused ports.
 */
static bool
make_link(const struct ibs_map *map, uint32_t index,
	  struct ibs_map_link *ret_link)
{
	const struct ibs_map_port *port = &map->ports[index];
	struct ibs_map_link link = { .a = index, .b = port->peer };
	struct ibs_port a, b;

	if (!ibs_map_port_external(map, index) ||
	    (port->peer != IBS_NO_INDEX && port->peer < index)) {
		return false;
	}
	ibs_map_port_decode(map, index, &a);
	if (port->peer == IBS_NO_INDEX) {
		ibs_link_judge_alone(&a, &link.link);
		*ret_link = link;
		return a.up;
	}
	ibs_map_port_decode(map, port->peer, &b);
	if (a.state == IBS_PORT_DOWN && b.state == IBS_PORT_DOWN) {
		return false;
	}
	judge(map, &link, &a, &b);
	*ret_link = link;
	return true;
}

static int
make_links(struct ibs_map *map)
{
	free(map->links);
	map->links = calloc((size_t)map->n_ports + 1, sizeof(*map->links));
	if (!map->links) {
		return -ENOMEM;
	}
	map->n_links = 0;
	for (uint32_t i = 0; i < map->n_ports; i++) {
		if (make_link(map, i, &map->links[map->n_links])) {
			map->n_links++;
		}
	}
	return 0;
}

int
ibs_map_freeze(struct ibs_map *map)
{
	int err = sort_nodes(map);

	if (!err) {
		err = sort_ports(map);
	}
	if (!err) {
		check_peers(map);
		err = make_links(map);
	}
	return err;
}
