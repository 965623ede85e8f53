// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The map: order, peers, links, and the bytes that gate others. */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "ibspeed/map.h"
#include "unit.h"

static void
put(struct ibs_map_port *port, enum ibs_port_info_field field, uint64_t value)
{
	ibs_field_put(port->pi, &ibs_port_info_fields[field], value);
}

/* The port of a frozen map. */
static uint32_t
find(const struct ibs_map *map, uint64_t guid, uint8_t num)
{
	return ibs_map_find_port(map, ibs_map_find_node(map, guid), num);
}

/* The same before it is frozen. */
static struct ibs_map_port *
edit_port(struct ibs_map *map, uint64_t guid, uint8_t num)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		if (map->nodes[map->ports[i].node].guid == guid &&
		    map->ports[i].num == num) {
			return &map->ports[i];
		}
	}
	return NULL;
}

static void
test_healthy(void)
{
	struct ibs_map *map = unit_map(NULL);

	CHECK_INT("nodes", map->n_nodes, 6);
	CHECK_INT("ports", map->n_ports, 16);
	CHECK_INT("links", map->n_links, 6);
	CHECK("complete", ibs_map_complete(map));
	for (uint32_t i = 0; i < map->n_links; i++) {
		const struct ibs_map_link *link = &map->links[i];

		CHECK_INT("findings", link->link.findings, 0);
		CHECK_INT("eff", link->link.eff_100mbps, 2000);
		CHECK("ends", link->a < link->b);
	}
	for (uint32_t i = 1; i < map->n_ports; i++) {
		const struct ibs_map_port *a = &map->ports[i - 1];
		const struct ibs_map_port *b = &map->ports[i];

		CHECK("order", a->node < b->node ||
				       (a->node == b->node && a->num < b->num));
	}
	CHECK_INT("no such node", ibs_map_find_node(map, 0x99), IBS_NO_INDEX);
	CHECK_INT("no such port", find(map, 0x10, 9), IBS_NO_INDEX);
	ibs_map_free(map);
}

/* An external port has no capability bits of its own: port 0 has them. */
static void
test_gate(void)
{
	struct ibs_map *map = unit_map(NULL);
	struct ibs_port port;

	ibs_map_port_decode(map, find(map, 0x10, 1), &port);
	CHECK_INT("external", port.speed, IBS_SPEED_HDR);
	CHECK("external", port.cap_port0);
	CHECK_INT("lid of port 0", port.lid, 1);
	ibs_map_port_decode(map, find(map, 0x20, 1), &port);
	CHECK("ca", !port.cap_port0);
	ibs_map_free(map);
}

static void
lose_port0(struct ibs_map *map)
{
	edit_port(map, 0x10, 0)->read = IBS_READ_TIMEOUT;
}

/* R36: port 0 does not answer; its ports are gated by their own bits. */
static void
test_r36_port0_silent(void)
{
	struct ibs_map *map = unit_map(lose_port0);
	struct ibs_port port;

	ibs_map_port_decode(map, find(map, 0x10, 1), &port);
	CHECK("own", !port.cap_port0);
	CHECK_INT("its extended fields as they stand", port.speed,
		  IBS_SPEED_HDR);
	for (uint32_t i = 0; i < map->n_links; i++) {
		CHECK_INT("no false finding", map->links[i].link.findings, 0);
	}
	CHECK("incomplete", !ibs_map_complete(map));
	ibs_map_free(map);
}

/*
 * Real port 0s (rows v04 and v05 of the real data): the base one has no link
 * and state 0, the enhanced one claims 4X SDR.  Neither is a link.
 */
static void
real_port0s(struct ibs_map *map)
{
	struct ibs_map_port *base = edit_port(map, 0x10, 0);
	struct ibs_map_port *enhanced = edit_port(map, 0x11, 0);

	memset(base->pi, 0, sizeof(base->pi));
	put(base, IBS_PI_CapabilityMask, 0xe550d848);
	put(base, IBS_PI_CapabilityMask2, 0x43b);
	put(enhanced, IBS_PI_CapabilityMask, 0xe750d84a);
	put(enhanced, IBS_PI_CapabilityMask2, 0x43a);
	put(enhanced, IBS_PI_LinkSpeedSupported, 1);
	put(enhanced, IBS_PI_LinkSpeedEnabled, 1);
	put(enhanced, IBS_PI_LinkSpeedActive, 1);
	put(enhanced, IBS_PI_LinkSpeedExtActive, 0);
}

static void
test_r19_port0_is_no_link(void)
{
	struct ibs_map *map = unit_map(real_port0s);
	struct ibs_port port;

	CHECK_INT("links", map->n_links, 6);
	CHECK("complete", ibs_map_complete(map));
	for (uint32_t i = 0; i < map->n_links; i++) {
		CHECK("a", map->ports[map->links[i].a].num != 0);
		CHECK_INT("speed", map->links[i].link.active.speed,
			  IBS_SPEED_HDR);
	}
	ibs_map_port_decode(map, find(map, 0x10, 0), &port);
	CHECK_INT("v04", port.speed, IBS_SPEED_NONE);
	CHECK("v04", ibs_port_state_name(port.state) == NULL);
	ibs_map_free(map);
}

static void
one_way(struct ibs_map *map)
{
	edit_port(map, 0x30, 1)->peer = IBS_NO_INDEX;
	edit_port(map, 0x40, 1)->peer = 5000;
}

/* R50: a port that is up and whose peer is not known keeps its row. */
static void
test_r50_no_peer(void)
{
	struct ibs_map *map = unit_map(one_way);
	unsigned int alone = 0;

	for (uint32_t i = 0; i < map->n_links; i++) {
		if (map->links[i].b == IBS_NO_INDEX) {
			alone++;
			CHECK_INT("eff", map->links[i].link.eff_100mbps, 2000);
			CHECK_INT("finding", map->links[i].link.findings,
				  IBS_BIT(IBS_FINDING_UNKNOWN));
		}
	}
	CHECK_INT("both ends of two cables", alone, 4);
	ibs_map_free(map);
}

static void
half_down(struct ibs_map *map)
{
	put(edit_port(map, 0x20, 1), IBS_PI_PortState, IBS_PORT_DOWN);
	put(edit_port(map, 0x30, 1), IBS_PI_PortState, IBS_PORT_DOWN);
	put(edit_port(map, 0x10, 2), IBS_PI_PortState, IBS_PORT_DOWN);
	edit_port(map, 0x40, 1)->read = IBS_READ_TIMEOUT;
}

static void
test_down_and_unread(void)
{
	struct ibs_map *map = unit_map(half_down);
	unsigned int mismatch = 0, unknown = 0;

	CHECK_INT("both ends down: no link", map->n_links, 5);
	for (uint32_t i = 0; i < map->n_links; i++) {
		ibs_set found = map->links[i].link.findings;

		mismatch += found == IBS_BIT(IBS_FINDING_MISMATCH);
		unknown += found == IBS_BIT(IBS_FINDING_UNKNOWN);
	}
	CHECK_INT("one end down", mismatch, 1);
	CHECK_INT("one end unread", unknown, 1);
	ibs_map_free(map);
}

static void
same_guids(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		struct ibs_node *node = &map->nodes[i];

		if (node->type == IBS_NODE_CA) {
			node->guid = 0;
			node->n_hops = 1;
			node->path[1] = (uint8_t)(9 - i);
		}
	}
}

/* R39, R43: nodes of one GUID stay apart, in the order of their routes. */
static void
test_r39_r43_same_guid(void)
{
	struct ibs_map *map = unit_map(same_guids);

	CHECK_INT("nodes", map->n_nodes, 6);
	CHECK_INT("links", map->n_links, 6);
	for (uint8_t i = 0; i < 4; i++) {
		CHECK_INT("guid", map->nodes[i].guid, 0);
		CHECK_INT("instance", map->nodes[i].instance, i);
	}
	CHECK("route", map->nodes[0].path[1] < map->nodes[3].path[1]);
	ibs_map_free(map);
}

static void
test_refused(void)
{
	struct ibs_map *map = ibs_map_new();
	struct ibs_node node = { .guid = 1, .type = IBS_NODE_CA };
	struct ibs_map_port port = { .node = 1,
				     .num = 1,
				     .peer = IBS_NO_INDEX };
	uint32_t index = 77;

	CHECK_INT("node", ibs_map_add_node(map, &node, &index), 0);
	CHECK_INT("no such node", ibs_map_add_port(map, &port, &index),
		  -EINVAL);
	CHECK_INT("untouched", index, 0);
	port.node = 0;
	CHECK_INT("first", ibs_map_add_port(map, &port, &index), 0);
	CHECK_INT("second", ibs_map_add_port(map, &port, &index), 0);
	CHECK_INT("two of one number", ibs_map_freeze(map), -EEXIST);
	ibs_map_free(map);
	map = ibs_map_new();
	CHECK_INT("empty", ibs_map_freeze(map), 0);
	CHECK("empty", ibs_map_complete(map));
	ibs_map_free(map);
	ibs_map_free(NULL);
}

static void
forced(struct ibs_map *map)
{
	map->subnet.force_link_speed_ext = 2;
	for (uint32_t i = 0; i < map->n_ports; i++) {
		put(&map->ports[i], IBS_PI_LinkSpeedExtEnabled, 2);
		put(&map->ports[i], IBS_PI_LinkSpeedExtActive, 2);
	}
}

/* Both ends enable the same set, but the SM was told to make them. */
static void
test_forced_by_sm(void)
{
	struct ibs_map *map = unit_map(forced);

	for (uint32_t i = 0; i < map->n_links; i++) {
		CHECK_INT("forced", map->links[i].link.findings,
			  IBS_BIT(IBS_FINDING_LIMITED_BY_CONFIG));
	}
	ibs_map_free(map);
}

static void
sm_view(struct ibs_map *map)
{
	struct ibs_map_port *port = edit_port(map, 0x20, 1);

	port->flags |= IBS_PORT_HAS_SM;
	port->sm = (struct ibs_pair){ IBS_SPEED_QDR, IBS_WIDTH_4X };
	port = edit_port(map, 0x30, 1);
	port->flags |= IBS_PORT_HAS_SM;
	port->sm = (struct ibs_pair){ IBS_SPEED_HDR, IBS_WIDTH_4X };
}

static void
test_sm_disagrees(void)
{
	struct ibs_map *map = unit_map(sm_view);
	unsigned int n = 0;

	for (uint32_t i = 0; i < map->n_links; i++) {
		n += map->links[i].link.findings ==
		     IBS_BIT(IBS_FINDING_SM_DISAGREES);
	}
	CHECK_INT("one", n, 1);
	ibs_map_free(map);
}

/* Leaf 2 is behind a silent port: it and its hosts are not in the map. */
static struct ibs_map *
without_leaf02(void)
{
	static const uint64_t seen[] = { 0x10, 0x20, 0x30 };
	struct ibs_map *whole = unit_map(NULL), *map = ibs_map_new();

	for (size_t i = 0; i < 3; i++) {
		uint32_t was = ibs_map_find_node(whole, seen[i]), node, port;
		const struct ibs_node *n = &whole->nodes[was];

		(void)ibs_map_add_node(map, n, &node);
		for (uint32_t j = 0; j < n->n_map_ports; j++) {
			struct ibs_map_port row =
				whole->ports[n->first_port + j];

			row.node = node;
			row.peer = IBS_NO_INDEX;
			(void)ibs_map_add_port(map, &row, &port);
		}
	}
	for (uint8_t i = 0; i < 2; i++) {
		struct ibs_map_port *leaf =
			edit_port(map, 0x10, (uint8_t)(1 + i));
		struct ibs_map_port *host = edit_port(map, seen[1 + i], 1);

		leaf->peer = (uint32_t)(host - map->ports);
		host->peer = (uint32_t)(leaf - map->ports);
	}
	ibs_map_free(whole);
	return map;
}

static void
silence(struct ibs_map *map, uint8_t num)
{
	struct ibs_map_port *port = edit_port(map, 0x10, num);

	port->behind_read = IBS_READ_TIMEOUT;
	port->behind_tries = 3;
}

static void
test_carry(void)
{
	struct ibs_map *before = unit_map(NULL), *map = without_leaf02();
	unsigned int n_timeout = 0, n_unreachable = 0;

	silence(map, 3);
	silence(map, 4);
	CHECK_INT("freeze", ibs_map_freeze(map), 0);
	CHECK_INT("seen", map->n_nodes, 3);
	CHECK_INT("carry", ibs_map_carry(map, before), 0);
	CHECK_INT("nodes", map->n_nodes, before->n_nodes);
	CHECK_INT("ports", map->n_ports, before->n_ports);
	CHECK_INT("every cable keeps its row", map->n_links, 6);
	CHECK("incomplete", !ibs_map_complete(map));
	for (uint32_t i = 0; i < map->n_ports; i++) {
		const struct ibs_map_port *port = &map->ports[i];

		n_timeout += port->read == IBS_READ_TIMEOUT;
		n_unreachable += port->read == IBS_READ_UNREACHABLE;
		CHECK_INT("peers", port->peer, before->ports[i].peer);
		CHECK_INT("told once", port->behind_read, IBS_READ_UNASKED);
	}
	CHECK_INT("the two ports that were asked", n_timeout, 2);
	CHECK_INT("the rest of leaf 2, and its hosts", n_unreachable, 6);
	ibs_map_free(map);
	ibs_map_free(before);
}

/* What OpenSM dropped is behind a port that is up and leads nowhere. */
static void
test_mark_hidden(void)
{
	struct ibs_map *map = without_leaf02();
	unsigned int n_unreachable = 0;

	silence(map, 4);
	ibs_map_mark_hidden(map);
	for (uint32_t i = 0; i < map->n_ports; i++) {
		n_unreachable +=
			map->ports[i].behind_read == IBS_READ_UNREACHABLE;
	}
	CHECK_INT("port 3", edit_port(map, 0x10, 3)->behind_read,
		  IBS_READ_UNREACHABLE);
	CHECK_INT("port 4 was asked", edit_port(map, 0x10, 4)->behind_read,
		  IBS_READ_TIMEOUT);
	CHECK_INT("no other", n_unreachable, 1);
	ibs_map_free(map);
}

/* A topology keeps what freezing a map drops, such as a loopback plug. */
static void
test_copy(void)
{
	struct ibs_map *map = without_leaf02(), *copy;
	struct ibs_map_port *plug = edit_port(map, 0x10, 3);

	plug->peer = (uint32_t)(plug - map->ports);
	map->sweep.sm_init_errors = true;
	copy = ibs_map_copy(map);
	CHECK_INT("nodes", copy->n_nodes, map->n_nodes);
	CHECK_INT("ports", copy->n_ports, map->n_ports);
	CHECK("sweep", copy->sweep.sm_init_errors);
	for (uint32_t i = 0; i < map->n_ports; i++) {
		CHECK_INT("num", copy->ports[i].num, map->ports[i].num);
		CHECK_INT("peer", copy->ports[i].peer, map->ports[i].peer);
	}
	CHECK_INT("freeze", ibs_map_freeze(copy), 0);
	CHECK_INT("freezing drops it",
		  edit_port(copy, 0x10, 3)->peer == IBS_NO_INDEX, 1);
	ibs_map_free(copy);
	ibs_map_free(map);
}

/* A cable that was pulled out is no silence: what was behind it is gone. */
static void
test_carry_nothing(void)
{
	struct ibs_map *before = unit_map(NULL), *map = without_leaf02();

	CHECK_INT("freeze", ibs_map_freeze(map), 0);
	CHECK_INT("carry", ibs_map_carry(map, before), 0);
	CHECK_INT("gone", map->n_nodes, 3);
	ibs_map_free(map);
	map = without_leaf02();
	silence(map, 5);
	CHECK_INT("freeze", ibs_map_freeze(map), 0);
	CHECK_INT("carry", ibs_map_carry(map, before), 0);
	CHECK_INT("nobody was behind port 5", map->n_nodes, 3);
	ibs_map_free(map);
	ibs_map_free(before);
}

static void
many_twins(struct ibs_map *map)
{
	struct ibs_node node = { .guid = 0, .type = IBS_NODE_CA, .n_hops = 2 };
	uint32_t index;

	for (unsigned int i = 0; i < 300; i++) {
		node.path[1] = (uint8_t)(1 + i / 200);
		node.path[2] = (uint8_t)(1 + i % 200);
		(void)ibs_map_add_node(map, &node, &index);
	}
}

static void
test_many_twins(void)
{
	struct ibs_map *map = unit_map(many_twins);

	CHECK_INT("last", map->nodes[299].instance, 299);
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "carry what is behind a silent port", test_carry },
	{ "carry nothing", test_carry_nothing },
	{ "mark what is hidden", test_mark_hidden },
	{ "copy", test_copy },
	{ "more than 256 nodes of one GUID", test_many_twins },
	{ "healthy", test_healthy },
	{ "gate", test_gate },
	{ "R36 port 0 does not answer", test_r36_port0_silent },
	{ "R19 port 0 is no link", test_r19_port0_is_no_link },
	{ "R50 no peer", test_r50_no_peer },
	{ "down and unread", test_down_and_unread },
	{ "R39 R43 nodes of one GUID", test_r39_r43_same_guid },
	{ "refused", test_refused },
	{ "forced by the SM", test_forced_by_sm },
	{ "sm-disagrees", test_sm_disagrees },
};
UNIT_MAIN("map", tests)
