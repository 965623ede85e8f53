// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * What one map gives to the next: what an incomplete discovery could not see,
 * the node behind a silent port and whatever could only be reached through it,
 * which keep their rows as unread.
 */
#include <config.h>

#include "ibspeed/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WANTED (IBS_NO_INDEX - 1) /* a node that will be carried */

struct carrying {
	struct ibs_map *map;
	const struct ibs_map *before;
	uint32_t *nodes; /* of before, to those of map; NO_INDEX: not there */
	uint32_t *ports; /* likewise, of the nodes that are carried */
	uint32_t *queue; /* nodes of before that are to be carried */
	uint32_t n_queue;
};

/* The node with the same GUID and instance. */
static uint32_t
same_node(const struct ibs_map *map, const struct ibs_node *node)
{
	uint32_t found = ibs_map_find_node(map, node->guid);

	if (found == IBS_NO_INDEX || node->instance >= map->n_nodes - found ||
	    map->nodes[found + node->instance].guid != node->guid) {
		return IBS_NO_INDEX;
	}
	return found + node->instance;
}

static void
want(struct carrying *c, uint32_t node)
{
	if (c->nodes[node] == IBS_NO_INDEX) {
		c->nodes[node] = WANTED;
		c->queue[c->n_queue++] = node;
	}
}

static int
carry_port(struct carrying *c, uint32_t port, uint32_t node)
{
	const struct ibs_map_port *was = &c->before->ports[port];
	struct ibs_map_port row = { .guid = was->guid,
				    .node = node,
				    .peer = IBS_NO_INDEX,
				    .num = was->num,
				    .read = IBS_READ_UNREACHABLE };

	if (was->peer != IBS_NO_INDEX) {
		want(c, c->before->ports[was->peer].node);
	}
	return ibs_map_add_port(c->map, &row, &c->ports[port]);
}

static int
carry_node(struct carrying *c, uint32_t node)
{
	const struct ibs_node *was = &c->before->nodes[node];
	int err = ibs_map_add_node(c->map, was, &c->nodes[node]);

	for (uint32_t i = 0; !err && i < was->n_map_ports; i++) {
		err = carry_port(c, was->first_port + i, c->nodes[node]);
	}
	return err;
}

/* The port of the map at the other end of a carried port's cable. */
static uint32_t
new_peer(const struct carrying *c, uint32_t peer)
{
	const struct ibs_map_port *was = &c->before->ports[peer];

	if (c->ports[peer] != IBS_NO_INDEX) {
		return c->ports[peer];
	}
	return ibs_map_find_port(c->map, c->nodes[was->node], was->num);
}

/* A silent port is that of the node that did not answer, and has a peer now. */
static void
join(struct carrying *c, uint32_t carried, uint32_t peer)
{
	struct ibs_map_port *near = &c->map->ports[peer];
	struct ibs_map_port *far = &c->map->ports[carried];

	if (near->peer != IBS_NO_INDEX && near->peer != carried) {
		return;
	}
	near->peer = carried;
	far->peer = peer;
	if (near->behind_read != IBS_READ_UNASKED) {
		far->read = near->behind_read;
		far->status = near->behind_status;
		far->tries = near->behind_tries;
		near->behind_read = IBS_READ_UNASKED;
		near->behind_status = 0;
		near->behind_tries = 0;
	}
}

static void
join_all(struct carrying *c)
{
	for (uint32_t i = 0; i < c->before->n_ports; i++) {
		uint32_t was = c->before->ports[i].peer;
		uint32_t peer = IBS_NO_INDEX;

		if (c->ports[i] != IBS_NO_INDEX && was != IBS_NO_INDEX) {
			peer = new_peer(c, was);
		}
		if (peer != IBS_NO_INDEX) {
			join(c, c->ports[i], peer);
		}
	}
}

/* The nodes that were behind the ports that are silent now. */
static void
find_silent(struct carrying *c)
{
	for (uint32_t i = 0; i < c->before->n_ports; i++) {
		const struct ibs_map_port *was = &c->before->ports[i];
		uint32_t node = c->nodes[was->node];
		uint32_t port = IBS_NO_INDEX;

		if (node < c->map->n_nodes && was->peer != IBS_NO_INDEX) {
			port = ibs_map_find_port(c->map, node, was->num);
		}
		if (port != IBS_NO_INDEX &&
		    c->map->ports[port].behind_read != IBS_READ_UNASKED) {
			want(c, c->before->ports[was->peer].node);
		}
	}
}

static int
carry(struct carrying *c)
{
	uint32_t n_nodes = c->before->n_nodes, n_ports = c->before->n_ports;

	for (uint32_t i = 0; i < n_nodes; i++) {
		c->nodes[i] = same_node(c->map, &c->before->nodes[i]);
	}
	for (uint32_t i = 0; i < n_ports; i++) {
		c->ports[i] = IBS_NO_INDEX;
	}
	find_silent(c);
	for (uint32_t i = 0; i < c->n_queue; i++) {
		int err = carry_node(c, c->queue[i]);

		if (err) {
			return err;
		}
	}
	if (c->n_queue == 0) {
		return 0;
	}
	join_all(c);
	return ibs_map_freeze(c->map);
}

static bool
has_silent(const struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		if (map->ports[i].behind_read != IBS_READ_UNASKED) {
			return true;
		}
	}
	return false;
}

int
ibs_map_carry(struct ibs_map *map, const struct ibs_map *before)
{
	size_t n_nodes = (size_t)before->n_nodes + 1;
	struct carrying c = { .map = map, .before = before };
	int err = -ENOMEM;

	if (!has_silent(map)) {
		return 0;
	}
	c.nodes = calloc(n_nodes, sizeof(*c.nodes));
	c.ports = calloc((size_t)before->n_ports + 1, sizeof(*c.ports));
	c.queue = calloc(n_nodes, sizeof(*c.queue));
	if (c.nodes && c.ports && c.queue) {
		err = carry(&c);
	}
	free(c.nodes);
	free(c.ports);
	free(c.queue);
	return err;
}
