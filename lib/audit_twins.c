// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Nodes that share a GUID are numbered by their routes, and a route changes:
 * which of them is which of the baseline is told by what they are cabled to.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>

#include "audit_private.h"

struct twins {
	struct ibs_auditing *auditing;
	const struct ibs_map *map;
	const struct ibs_baseline *baseline;
	bool *taken; /* [map->n_nodes] */
};

static bool
is_twin(const struct twins *twins, uint32_t known)
{
	const struct ibs_baseline_node *nodes = twins->baseline->nodes;
	uint64_t guid = nodes[known].guid;

	return (known && nodes[known - 1].guid == guid) ||
	       (known + 1 < twins->baseline->n_nodes &&
		nodes[known + 1].guid == guid) ||
	       ibs_map_find_instance(twins->map, guid, 1) != IBS_NO_INDEX;
}

static void
take(struct twins *twins, uint32_t known, uint32_t node)
{
	if (node != IBS_NO_INDEX && !twins->taken[node] &&
	    twins->auditing->map_node[known] == IBS_NO_INDEX &&
	    twins->map->nodes[node].guid ==
		    twins->baseline->nodes[known].guid) {
		twins->auditing->map_node[known] = node;
		twins->taken[node] = true;
	}
}

/* Who is behind a port of the map now. */
static uint32_t
node_behind(const struct ibs_map *map, uint32_t node, uint8_t num)
{
	uint32_t port = node == IBS_NO_INDEX
				? IBS_NO_INDEX
				: ibs_map_find_port(map, node, num);
	uint32_t peer =
		port == IBS_NO_INDEX ? IBS_NO_INDEX : map->ports[port].peer;

	return peer == IBS_NO_INDEX ? IBS_NO_INDEX : map->ports[peer].node;
}

/* The twin behind the port of a node that there is one of. */
static void
take_by_links(struct twins *twins)
{
	const struct ibs_baseline *baseline = twins->baseline;

	for (uint32_t i = 0; i < baseline->n_links; i++) {
		const struct ibs_baseline_link *link = &baseline->links[i];

		for (int end = 0; end < 2; end++) {
			uint32_t other = link->nodes[1 - end];

			if (!is_twin(twins, link->nodes[end]) ||
			    is_twin(twins, other)) {
				continue;
			}
			take(twins, link->nodes[end],
			     node_behind(twins->map,
					 twins->auditing->map_node[other],
					 link->nums[1 - end]));
		}
	}
}

/* Those with no such cable keep their numbers, or get what is left. */
static void
take_the_rest(struct twins *twins)
{
	const struct ibs_baseline *baseline = twins->baseline;
	const struct ibs_map *map = twins->map;

	for (uint32_t i = 0; i < baseline->n_nodes; i++) {
		take(twins, i,
		     ibs_map_find_instance(map, baseline->nodes[i].guid,
					   baseline->nodes[i].instance));
	}
	for (uint32_t i = 0; i < baseline->n_nodes; i++) {
		uint64_t guid = baseline->nodes[i].guid;
		uint32_t node = ibs_map_find_node(map, guid);

		while (node < map->n_nodes && map->nodes[node].guid == guid) {
			take(twins, i, node++);
		}
	}
}

int
ibs_audit_find_nodes(struct ibs_auditing *auditing)
{
	struct twins twins = { .auditing = auditing,
			       .map = auditing->request->map,
			       .baseline = auditing->request->baseline };

	if (!twins.baseline) {
		return 0;
	}
	twins.taken =
		calloc((size_t)twins.map->n_nodes + 1, sizeof(*twins.taken));
	if (!twins.taken) {
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < twins.baseline->n_nodes; i++) {
		if (!is_twin(&twins, i)) {
			take(&twins, i,
			     ibs_map_find_instance(
				     twins.map, twins.baseline->nodes[i].guid,
				     twins.baseline->nodes[i].instance));
		}
	}
	take_by_links(&twins);
	take_the_rest(&twins);
	free(twins.taken);
	return 0;
}
