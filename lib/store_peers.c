// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Joins the ports of a map that is being loaded: the store names the other end
 * of a port by its row, the map by its index.
 */
#include <config.h>

#include "store_private.h"

#include <errno.h>
#include <stdlib.h>

/* index[first[node] + num] is that port of that node. */
struct slots {
	uint32_t *first; /* of each node, and behind the last */
	uint32_t *index;
};

uint32_t
ibs_peers_find_node(const int64_t *node_rows, uint32_t n, int64_t row)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (node_rows[middle] < row) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low < n && node_rows[low] == row ? low : IBS_NO_INDEX;
}

/* A node has a slot for each number up to its largest. */
static void
place_nodes(const struct ibs_map *map, uint32_t *first)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		uint32_t *n_slots = &first[map->ports[i].node + 1];

		if (*n_slots <= map->ports[i].num) {
			*n_slots = map->ports[i].num + 1u;
		}
	}
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		first[i + 1] += first[i];
	}
}

static int
make_slots(const struct ibs_map *map, struct slots *slots)
{
	uint32_t n_slots;

	slots->first = calloc((size_t)map->n_nodes + 1, sizeof(uint32_t));
	if (!slots->first) {
		return -ENOMEM;
	}
	place_nodes(map, slots->first);
	n_slots = slots->first[map->n_nodes];
	slots->index = calloc((size_t)n_slots + 1, sizeof(uint32_t));
	if (!slots->index) {
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < n_slots; i++) {
		slots->index[i] = IBS_NO_INDEX;
	}
	for (uint32_t i = 0; i < map->n_ports; i++) {
		const struct ibs_map_port *port = &map->ports[i];

		slots->index[slots->first[port->node] + port->num] = i;
	}
	return 0;
}

static uint32_t
find_peer(const struct slots *slots, uint32_t node, uint8_t num)
{
	if (node == IBS_NO_INDEX ||
	    num >= slots->first[node + 1] - slots->first[node]) {
		return IBS_NO_INDEX;
	}
	return slots->index[slots->first[node] + num];
}

int
ibs_peers_join(struct ibs_map *map, const int64_t *node_rows,
	       const int64_t *peer_rows)
{
	struct slots slots = { NULL, NULL };
	int err = make_slots(map, &slots);

	for (uint32_t i = 0; i < map->n_ports && !err; i++) {
		uint32_t node;

		if (peer_rows[i]) {
			node = ibs_peers_find_node(node_rows, map->n_nodes,
						   IBS_ROW_NODE(peer_rows[i]));
			map->ports[i].peer = find_peer(
				&slots, node, IBS_ROW_NUM(peer_rows[i]));
		}
	}
	free(slots.first);
	free(slots.index);
	return err;
}
