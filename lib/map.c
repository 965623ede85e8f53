// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The map of a subnet: filled row by row by whoever knows the topology, read
 * into by the sweep, then frozen and only looked at.
 */
#include <config.h>

#include "ibspeed/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"

const char *
ibs_node_type_name(uint8_t type)
{
	switch (type) {
	case IBS_NODE_CA:
		return "ca";
	case IBS_NODE_SWITCH:
		return "switch";
	case IBS_NODE_ROUTER:
		return "router";
	}
	return NULL;
}

const char *
ibs_source_name(enum ibs_source source)
{
	static const char *const names[IBS_SOURCE_COUNT] = {
#define X(id, name) name,
		IBS_SOURCES(X)
#undef X
	};

	return source < IBS_SOURCE_COUNT ? names[source] : "unknown";
}

struct ibs_map *
ibs_map_new(void)
{
	return calloc(1, sizeof(struct ibs_map));
}

void
ibs_map_free(struct ibs_map *map)
{
	if (map) {
		free(map->nodes);
		free(map->ports);
		free(map->links);
		free(map);
	}
}

int
ibs_map_add_node(struct ibs_map *map, const struct ibs_node *node,
		 uint32_t *ret_node)
{
	void *rows = map->nodes;

	if (ibs_grow(&rows, sizeof(*node), map->n_nodes, &map->nodes_size)) {
		return -ENOMEM;
	}
	map->nodes = rows;
	map->nodes[map->n_nodes] = *node;
	map->nodes[map->n_nodes].port0 = IBS_NO_INDEX;
	map->nodes[map->n_nodes].n_map_ports = 0;
	*ret_node = map->n_nodes++;
	return 0;
}

int
ibs_map_add_port(struct ibs_map *map, const struct ibs_map_port *port,
		 uint32_t *ret_port)
{
	void *rows = map->ports;
	struct ibs_node *node;

	if (port->node >= map->n_nodes) {
		return -EINVAL;
	}
	if (ibs_grow(&rows, sizeof(*port), map->n_ports, &map->ports_size)) {
		return -ENOMEM;
	}
	map->ports = rows;
	map->ports[map->n_ports] = *port;
	node = &map->nodes[port->node];
	node->n_map_ports++;
	if (port->num == 0 && node->type == IBS_NODE_SWITCH) {
		node->port0 = map->n_ports;
	}
	*ret_port = map->n_ports++;
	return 0;
}

struct ibs_map *
ibs_map_copy(const struct ibs_map *map)
{
	struct ibs_map *copy = ibs_map_new();
	uint32_t index;
	int err = copy ? 0 : -ENOMEM;

	for (uint32_t i = 0; !err && i < map->n_nodes; i++) {
		err = ibs_map_add_node(copy, &map->nodes[i], &index);
	}
	for (uint32_t i = 0; !err && i < map->n_ports; i++) {
		err = ibs_map_add_port(copy, &map->ports[i], &index);
	}
	if (err) {
		ibs_map_free(copy);
		return NULL;
	}
	copy->subnet = map->subnet;
	copy->sweep = map->sweep;
	return copy;
}

bool
ibs_map_port_external(const struct ibs_map *map, uint32_t port)
{
	const struct ibs_map_port *p = &map->ports[port];

	return p->num != 0 || map->nodes[p->node].type != IBS_NODE_SWITCH;
}

void
ibs_map_port_decode(const struct ibs_map *map, uint32_t port,
		    struct ibs_port *ret_port)
{
	const struct ibs_map_port *p = &map->ports[port];
	uint32_t port0 = map->nodes[p->node].port0;
	struct ibs_port_source source = {
		.pi = p->pi,
		.epi = p->epi,
		.asked_ext = p->flags & IBS_PORT_ASKED_EXT,
	};

	if (p->read != IBS_READ_OK) {
		ibs_port_unread(ret_port);
		return;
	}
	if (map->nodes[p->node].type == IBS_NODE_SWITCH && p->num != 0) {
		source.ungated = true;
	}
	if (source.ungated && port0 != IBS_NO_INDEX &&
	    map->ports[port0].read == IBS_READ_OK) {
		source.ungated = false;
		source.cap = map->ports[port0].pi;
	}
	ibs_port_decode(&source, ret_port);
}

void
ibs_map_mark_hidden(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		struct ibs_map_port *port = &map->ports[i];
		uint64_t state = ibs_pi_get(port->pi, IBS_PI_PortState);

		if (map->nodes[port->node].type == IBS_NODE_SWITCH &&
		    port->num != 0 && port->read == IBS_READ_OK &&
		    port->peer == IBS_NO_INDEX &&
		    port->behind_read == IBS_READ_UNASKED &&
		    state >= IBS_PORT_INIT && state <= IBS_PORT_ACTIVE) {
			port->behind_read = IBS_READ_UNREACHABLE;
		}
	}
}

uint32_t
ibs_map_find_node(const struct ibs_map *map, uint64_t guid)
{
	uint32_t low = 0, high = map->n_nodes;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (map->nodes[middle].guid < guid) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low < map->n_nodes && map->nodes[low].guid == guid
		       ? low
		       : IBS_NO_INDEX;
}

uint32_t
ibs_map_find_instance(const struct ibs_map *map, uint64_t guid,
		      uint32_t instance)
{
	uint32_t node = ibs_map_find_node(map, guid);

	if (node == IBS_NO_INDEX || instance >= map->n_nodes - node ||
	    map->nodes[node + instance].guid != guid) {
		return IBS_NO_INDEX;
	}
	return node + instance;
}

uint32_t
ibs_map_find_port(const struct ibs_map *map, uint32_t node, uint8_t num)
{
	const struct ibs_node *n = &map->nodes[node];

	for (uint32_t i = 0; i < n->n_map_ports; i++) {
		if (map->ports[n->first_port + i].num == num) {
			return n->first_port + i;
		}
	}
	return IBS_NO_INDEX;
}

uint32_t
ibs_map_find_link(const struct ibs_map *map, uint32_t port)
{
	for (uint32_t i = 0; i < map->n_links; i++) {
		if (map->links[i].a == port || map->links[i].b == port) {
			return i;
		}
	}
	return IBS_NO_INDEX;
}

bool
ibs_map_complete(const struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		if (map->ports[i].read != IBS_READ_OK ||
		    map->ports[i].behind_read != IBS_READ_UNASKED) {
			return false;
		}
	}
	return true;
}

size_t
ibs_node_desc_length(const struct ibs_node *node)
{
	static const uint8_t nothing[IBS_DESC_SIZE];
	size_t length = strnlen((const char *)node->desc, sizeof(node->desc));

	/* nearly always it is a string */
	if (memcmp(node->desc + length, nothing, sizeof(nothing) - length) ==
	    0) {
		return length;
	}
	length = sizeof(node->desc);
	while (length && node->desc[length - 1] == 0) {
		length--;
	}
	return length;
}

uint16_t
ibs_node_pkey_tbl_len(const struct ibs_node *node, uint8_t num)
{
	return node->type == IBS_NODE_SWITCH && num ? node->sw_pkey_cap
						    : node->pkey_cap;
}
