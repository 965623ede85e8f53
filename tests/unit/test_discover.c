// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Discovery against a fake fabric, walked hop by hop. */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "fabric.h"
#include "ibspeed/sweep.h"
#include "unit.h"

static const struct ibs_scope all = { .whole = true };

static struct ibs_map *
discover(const struct ibs_scope *scope)
{
	struct ibs_sweep *sweep;
	struct ibs_map *map = NULL;

	CHECK_INT("new", ibs_sweep_discover(scope, &fabric_usual, 1, &sweep),
		  0);
	fabric_drive(sweep);
	CHECK_INT("finish", ibs_sweep_finish(sweep, &map), 0);
	CHECK_INT("freeze", ibs_map_freeze(map), 0);
	return map;
}

static void
start(uint64_t guid, uint8_t num, void (*edit)(struct ibs_map *map))
{
	fabric_start(edit);
	fabric.start = fabric_port(guid, num);
}

static void
end(struct ibs_map *map)
{
	ibs_map_free(map);
	fabric_end();
}

/* The map is the truth: nodes, ports, bytes, peers. */
static void
check_all(const char *row, const struct ibs_map *map)
{
	const struct ibs_map *truth = fabric.truth;

	CHECK_INT(row, map->n_nodes, truth->n_nodes);
	CHECK_INT(row, map->n_ports, truth->n_ports);
	CHECK_INT(row, map->n_links, truth->n_links);
	CHECK(row, ibs_map_complete(map));
	for (uint32_t i = 0; i < map->n_nodes && i < truth->n_nodes; i++) {
		CHECK(row, map->nodes[i].guid == truth->nodes[i].guid);
		CHECK(row,
		      map->nodes[i].port_guid == truth->nodes[i].port_guid);
		CHECK(row, memcmp(map->nodes[i].desc, truth->nodes[i].desc,
				  IBS_DESC_SIZE) == 0);
		CHECK_INT(row, map->nodes[i].device_id,
			  truth->nodes[i].device_id);
		CHECK_INT(row, map->nodes[i].pkey_cap,
			  truth->nodes[i].pkey_cap);
		CHECK_INT(row, map->nodes[i].sw_pkey_cap,
			  truth->nodes[i].type == IBS_NODE_SWITCH
				  ? truth->nodes[i].sw_pkey_cap
				  : 0);
	}
	for (uint32_t i = 0; i < map->n_ports && i < truth->n_ports; i++) {
		CHECK_INT(row, map->ports[i].num, truth->ports[i].num);
		CHECK_INT(row, map->ports[i].peer, truth->ports[i].peer);
		CHECK(row, memcmp(map->ports[i].pi, truth->ports[i].pi,
				  IBS_ATTR_SIZE) == 0);
	}
}

static void
test_whole(void)
{
	struct ibs_map *map;

	start(0x20, 1, NULL);
	map = discover(&all);
	check_all("from a host", map);
	/* one NodeInfo for the start, one for each of six cables */
	CHECK_INT("one probe per cable", fabric.n_node_info, 7);
	CHECK_INT("no retries", map->sweep.n_retries, 0);
	end(map);
	start(0x10, 0, NULL);
	map = discover(&all);
	check_all("from a switch", map);
	end(map);
}

/* R47: a CA and a CA, no switch. */
static void
two_hosts(struct ibs_map *map)
{
	uint32_t a = 12, b = 13;

	CHECK_INT("a", map->ports[a].num, 1);
	map->ports[map->ports[a].peer].peer = IBS_NO_INDEX;
	map->ports[map->ports[b].peer].peer = IBS_NO_INDEX;
	map->ports[a].peer = b;
	map->ports[b].peer = a;
}

static void
test_r47_two_hosts(void)
{
	struct ibs_map *map;

	start(0x20, 1, two_hosts);
	map = discover(&all);
	CHECK_INT("nodes", map->n_nodes, 2);
	CHECK_INT("links", map->n_links, 1);
	CHECK_INT("findings", map->links[0].link.findings, 0);
	CHECK("complete", ibs_map_complete(map));
	end(map);
}

/* A cable from a switch to itself. */
static void
loopback(struct ibs_map *map)
{
	uint32_t one = 3, two = 4; /* ports 3 and 4 of the first switch */

	map->ports[map->ports[one].peer].peer = IBS_NO_INDEX;
	map->ports[map->ports[two].peer].peer = IBS_NO_INDEX;
	map->ports[one].peer = two;
	map->ports[two].peer = one;
}

/* R49: what is behind no cable is not in the map, and that is no error. */
static void
test_loopback_and_island(void)
{
	struct ibs_map *map;

	start(0x20, 1, loopback);
	map = discover(&all);
	CHECK_INT("the other switch is an island", map->n_nodes, 3);
	CHECK_INT("links", map->n_links, 3);
	CHECK("complete", ibs_map_complete(map));
	end(map);
}

static void
same_guid(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		if (map->nodes[i].guid == 0x50) {
			map->nodes[i].guid = 0x20;
		}
	}
}

static void
zero_guids(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		if (map->nodes[i].type == IBS_NODE_CA) {
			map->nodes[i].guid = map->nodes[i].port_guid = 0;
		}
	}
	for (uint32_t i = 0; i < map->n_ports; i++) {
		if (map->nodes[map->ports[i].node].type == IBS_NODE_CA) {
			map->ports[i].guid = 0;
		}
	}
}

/* R39, R43: one GUID at two places is two nodes, and the walk ends. */
static void
test_r39_r43_same_guid(void)
{
	struct ibs_map *map;

	start(0x20, 1, same_guid);
	map = discover(&all);
	CHECK_INT("nodes", map->n_nodes, 6);
	CHECK_INT("links", map->n_links, 6);
	CHECK_INT("first", map->nodes[2].instance, 0);
	CHECK_INT("second", map->nodes[3].instance, 1);
	end(map);
	start(0x10, 0, zero_guids);
	map = discover(&all);
	CHECK_INT("nodes", map->n_nodes, 6);
	CHECK_INT("links", map->n_links, 6);
	CHECK_INT("last", map->nodes[3].instance, 3);
	end(map);
}

static void
twin_switches(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		if (map->nodes[i].type == IBS_NODE_SWITCH) {
			map->nodes[i].guid = 0x10;
		}
	}
}

static void
test_twin_switches_end(void)
{
	struct ibs_map *map;

	start(0x20, 1, twin_switches);
	map = discover(&all);
	CHECK("both kept", map->n_nodes >= 3);
	CHECK("it ends", map->sweep.n_smps < 200);
	end(map);
}

/* R37, R50: a host that is up and does not answer. */
static void
test_r50_silent_neighbour(void)
{
	struct ibs_map *map;
	unsigned int n = 0;

	start(0x20, 1, NULL);
	fabric_misbehave(0x30, 1, DEAF);
	map = discover(&all);
	CHECK_INT("nodes", map->n_nodes, 5);
	CHECK("incomplete", !ibs_map_complete(map));
	for (uint32_t i = 0; i < map->n_ports; i++) {
		if (map->ports[i].behind_read != IBS_READ_UNASKED) {
			n++;
			CHECK_INT("port", map->ports[i].num, 2);
			CHECK_INT("how", map->ports[i].behind_read,
				  IBS_READ_TIMEOUT);
			CHECK_INT("tries", map->ports[i].behind_tries, 3);
		}
	}
	CHECK_INT("one", n, 1);
	CHECK_INT("its row stays", map->n_links, 6);
	end(map);
}

static void
test_start_silent(void)
{
	static const struct ibs_scope nowhere = { .n_hops = 2,
						  .path = { 0, 1, 9 } };
	struct ibs_sweep *sweep;
	struct ibs_map *map = NULL;

	start(0x20, 1, two_hosts);
	CHECK_INT("new", ibs_sweep_discover(&nowhere, &fabric_usual, 1, &sweep),
		  0);
	fabric_drive(sweep);
	CHECK_INT("finish", ibs_sweep_finish(sweep, &map), 0);
	CHECK_INT("only the way there", map->n_nodes, 1);
	CHECK_INT("freeze", ibs_map_freeze(map), 0);
	end(map);
}

/* One node: all of its ports, and of its neighbours the other ends. */
static void
test_one_node(void)
{
	static const struct {
		const char *name;
		struct ibs_scope scope;
		uint64_t guid;
		uint32_t n_nodes, n_ports, n_links;
	} rows[] = {
		{ "here", { .n_hops = 0 }, 0x20, 2, 3, 1 },
		{ "the switch",
		  { .n_hops = 1, .path = { 0, 1 } },
		  0x10,
		  /* three neighbours; port 0 and two ends of the switch */
		  4,
		  11,
		  4 },
		{ "a host",
		  { .n_hops = 2, .path = { 0, 1, 2 } },
		  0x30,
		  2,
		  3,
		  1 },
		{ "a far host",
		  { .n_hops = 3, .path = { 0, 1, 3, 1 } },
		  0x40,
		  2,
		  3,
		  1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_map *map;
		uint32_t node;

		start(0x20, 1, NULL);
		map = discover(&rows[i].scope);
		node = ibs_map_find_node(map, rows[i].guid);
		CHECK(rows[i].name, node != IBS_NO_INDEX);
		CHECK_INT(rows[i].name, map->n_nodes, rows[i].n_nodes);
		CHECK_INT(rows[i].name, map->n_ports, rows[i].n_ports);
		CHECK_INT(rows[i].name, map->n_links, rows[i].n_links);
		CHECK(rows[i].name, ibs_map_complete(map));
		end(map);
	}
}

static void
test_bad_scope(void)
{
	struct ibs_scope scope = { .n_hops = 1, .whole = true };
	struct ibs_sweep *sweep = NULL;

	CHECK_INT("hops", ibs_sweep_discover(&scope, &fabric_usual, 1, &sweep),
		  -EINVAL);
	scope = (struct ibs_scope){ .n_hops = IBS_HOPS_MAX + 1 };
	CHECK_INT("hops", ibs_sweep_discover(&scope, &fabric_usual, 1, &sweep),
		  -EINVAL);
	CHECK("untouched", sweep == NULL);
}

static void
test_max_rate(void)
{
	struct ibs_sweep_limits slow = fabric_usual;
	struct ibs_sweep *sweep;
	struct ibs_map *map;
	struct ibs_smp smp;

	slow.max_rate = 1000;
	start(0x20, 1, NULL);
	CHECK_INT("new", ibs_sweep_discover(&all, &slow, 1, &sweep), 0);
	CHECK("first", ibs_sweep_next(sweep, 5, &smp));
	fabric_drive(sweep);
	CHECK_INT("finish", ibs_sweep_finish(sweep, &map), 0);
	CHECK_INT("freeze", ibs_map_freeze(map), 0);
	CHECK_INT("one at a time", fabric.in_flight_max, 1);
	CHECK_INT("links", map->n_links, 6);
	end(map);
}

static const struct unit_test tests[] = {
	{ "whole", test_whole },
	{ "R47 two hosts", test_r47_two_hosts },
	{ "R49 loopback and island", test_loopback_and_island },
	{ "R39 R43 one GUID twice", test_r39_r43_same_guid },
	{ "twin switches", test_twin_switches_end },
	{ "R50 silent neighbour", test_r50_silent_neighbour },
	{ "route to nowhere", test_start_silent },
	{ "one node", test_one_node },
	{ "bad scope", test_bad_scope },
	{ "max_rate", test_max_rate },
};
UNIT_MAIN("discover", tests)
