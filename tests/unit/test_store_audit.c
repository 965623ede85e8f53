// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* What an audit asks the store: baseline, changes, a time's sweep. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/attr.h"
#include "ibspeed/store.h"
#include "store_unit.h"
#include "unit.h"

#define S_NS	 INT64_C(1000000000)
#define START_NS (1700000000 * S_NS)
#define N_LINKS	 6u

static void
put(struct ibs_map *map, uint32_t port, enum ibs_port_info_field field,
    uint64_t value)
{
	ibs_field_put(map->ports[port].pi, &ibs_port_info_fields[field], value);
}

static void
part(struct ibs_map *map, uint32_t port)
{
	uint32_t peer = map->ports[port].peer;

	map->ports[port].peer = map->ports[peer].peer = IBS_NO_INDEX;
	put(map, port, IBS_PI_PortState, IBS_PORT_DOWN);
	put(map, peer, IBS_PI_PortState, IBS_PORT_DOWN);
}

static void
unplugged(struct ibs_map *map)
{
	part(map, HOST_A);
	part(map, HOST_C);
}

static void
slow(struct ibs_map *map)
{
	put(map, HOST_A, IBS_PI_LinkWidthActive, 1);
	put(map, LEAF1_PORT1, IBS_PI_LinkWidthActive, 1);
	put(map, HOST_C, IBS_PI_LinkWidthActive, 1);
	put(map, LEAF2_PORT0 + 1, IBS_PI_LinkWidthActive, 1);
}

static void
silent(struct ibs_map *map)
{
	map->ports[HOST_A].read = IBS_READ_TIMEOUT;
	part(map, HOST_C);
}

/* hostA and hostC have changed places. */
static void
swapped(struct ibs_map *map)
{
	map->ports[LEAF1_PORT1].peer = HOST_C;
	map->ports[HOST_C].peer = LEAF1_PORT1;
	map->ports[LEAF2_PORT0 + 1].peer = HOST_A;
	map->ports[HOST_A].peer = LEAF2_PORT0 + 1;
}

static void
accept(struct ibs_store *store, void (*edit)(struct ibs_map *map),
       uint32_t node, uint32_t port, uint32_t want)
{
	struct ibs_map *map = unit_map(edit);
	struct ibs_place place = { .num = -1 };
	struct ibs_acceptance acceptance = { .at_ns = START_NS,
					     .who = "admin" };
	struct ibs_accepted accepted = { .n_links = 0 };

	if (node != IBS_NO_INDEX) {
		place.guid = map->nodes[node].guid;
		place.instance = map->nodes[node].instance;
		acceptance.place = &place;
	}
	if (port != IBS_NO_INDEX) {
		place.num = map->ports[port].num;
	}
	CHECK_INT("accept",
		  ibs_store_accept(store, map, &acceptance, &accepted), 0);
	CHECK_INT("accept", accepted.n_links, want);
	ibs_map_free(map);
}

/* "name/num width" of the link of a node's port; "" there is none. */
static void
link_of(struct ibs_store *store, uint64_t guid, uint8_t num, char *ret_text)
{
	struct ibs_baseline baseline;

	ret_text[0] = '\0';
	if (ibs_store_get_baseline(store, IBS_STORE_NOW, &baseline)) {
		return;
	}
	for (uint32_t i = 0; i < baseline.n_links; i++) {
		const struct ibs_baseline_link *link = &baseline.links[i];

		for (int k = 0; k < 2; k++) {
			const struct ibs_baseline_node *node =
				&baseline.nodes[link->nodes[k]];
			const struct ibs_baseline_node *peer =
				&baseline.nodes[link->nodes[1 - k]];

			if (node->guid == guid && link->nums[k] == num) {
				sprintf(ret_text, "%.64s/%u %uX",
					(const char *)peer->desc,
					link->nums[1 - k],
					ibs_width_row((enum ibs_width)
							      link->pair.width)
						->lanes);
			}
		}
	}
	ibs_baseline_free(&baseline);
}

static void
check_link(const char *row, struct ibs_store *store, uint64_t guid,
	   const char *want)
{
	char got[128];

	link_of(store, guid, 1, got);
	CHECK_TEXT(row, got, want);
}

static void
check_size(const char *row, struct ibs_store *store, uint32_t n_nodes,
	   uint32_t n_links)
{
	struct ibs_baseline baseline;

	CHECK_INT(row, ibs_store_get_baseline(store, IBS_STORE_NOW, &baseline),
		  0);
	CHECK_INT(row, baseline.n_nodes, n_nodes);
	CHECK_INT(row, baseline.n_links, n_links);
	CHECK_INT(row, baseline.at_ns, START_NS);
	CHECK_TEXT(row, baseline.who, "admin");
	ibs_baseline_free(&baseline);
}

/* What rules see of a node stays known when it is gone: the last is a host. */
static void
check_node(struct ibs_store *store)
{
	struct ibs_baseline baseline;
	struct ibs_node node;

	CHECK_INT("node",
		  ibs_store_get_baseline(store, IBS_STORE_NOW, &baseline), 0);
	ibs_baseline_as_node(&baseline.nodes[baseline.n_nodes - 1], &node);
	ibs_baseline_free(&baseline);
	CHECK_INT("node", node.vendor_id, 0x2c9);
	CHECK("node", node.device_id != 0);
	CHECK("node", node.port_guid != 0);
}

static void
test_accept(void)
{
	struct ibs_baseline baseline;
	struct store_unit unit;
	struct ibs_store *store;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	CHECK_INT("none",
		  ibs_store_get_baseline(store, IBS_STORE_NOW, &baseline),
		  -ENODATA);
	accept(store, NULL, IBS_NO_INDEX, IBS_NO_INDEX, N_LINKS);
	check_size("all", store, 6, N_LINKS);
	check_link("all", store, 0x20, "leaf01/1 4X");
	check_node(store);
	accept(store, unplugged, IBS_NO_INDEX, IBS_NO_INDEX, N_LINKS - 2);
	check_size("less", store, 4, N_LINKS - 2);
	check_link("less", store, 0x20, "");
	ibs_store_close(store);
	store_unit_remove(&unit);
}

/* Node 2 is hostA, node 0 leaf01; the rest stays as it was accepted. */
static void
test_accept_part(void)
{
	struct ibs_baseline baseline;
	struct store_unit unit;
	struct ibs_store *store;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	accept(store, NULL, 2, IBS_NO_INDEX, 1);
	CHECK_INT("part",
		  ibs_store_get_baseline(store, IBS_STORE_NOW, &baseline), 0);
	CHECK("part", !baseline.whole);
	ibs_baseline_free(&baseline);
	accept(store, NULL, IBS_NO_INDEX, IBS_NO_INDEX, N_LINKS);
	accept(store, slow, 0, LEAF1_PORT1, 1);
	check_link("port", store, 0x20, "leaf01/1 1X");
	check_link("other", store, 0x40, "leaf02/1 4X");
	CHECK_INT("whole",
		  ibs_store_get_baseline(store, IBS_STORE_NOW, &baseline), 0);
	CHECK("whole", baseline.whole);
	ibs_baseline_free(&baseline);
	accept(store, swapped, 2, IBS_NO_INDEX, 1);
	check_link("moved", store, 0x20, "leaf02/1 4X");
	check_link("its old port", store, 0x10, "");
	check_link("whose port it took", store, 0x40, "");
	ibs_store_close(store);
	store_unit_remove(&unit);
}

static struct ibs_accepted
accept_at(struct ibs_store *store, void (*edit)(struct ibs_map *map),
	  const struct ibs_place *place, int64_t at_ns)
{
	struct ibs_map *map = unit_map(edit);
	struct ibs_acceptance acceptance = { .place = place,
					     .at_ns = at_ns,
					     .who = place ? "bob" : "alice" };
	struct ibs_accepted accepted = { .n_links = 0 };

	CHECK_INT("accept at",
		  ibs_store_accept(store, map, &acceptance, &accepted), 0);
	ibs_map_free(map);
	return accepted;
}

static void
check_accepted(const char *row, struct ibs_accepted got, uint32_t n_links,
	       uint32_t n_changed, uint32_t n_gone)
{
	CHECK_INT(row, got.n_links, n_links);
	CHECK_INT(row, got.n_changed, n_changed);
	CHECK_INT(row, got.n_gone, n_gone);
}

/* What came of it, who did it, and what was known of it before. */
static void
test_accept_later(void)
{
	static const struct ibs_place host_a = { 0x20, 0, -1 };
	static const struct ibs_place port_0 = { 0x10, 0, 0 };
	struct ibs_acceptance nothing = { .place = &port_0, .who = "bob" };
	struct ibs_map *map = unit_map(NULL);
	struct ibs_accepted accepted;
	struct ibs_baseline baseline;
	struct store_unit unit;
	struct ibs_store *store;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	CHECK_INT("nothing", ibs_store_accept(store, map, &nothing, &accepted),
		  -ENODATA);
	CHECK_INT("nothing",
		  ibs_store_get_baseline(store, IBS_STORE_NOW, &baseline),
		  -ENODATA);
	check_accepted("whole", accept_at(store, NULL, NULL, START_NS), N_LINKS,
		       0, 0);
	check_accepted("part", accept_at(store, slow, &host_a, START_NS + 2), 1,
		       1, 0);
	CHECK_INT("now",
		  ibs_store_get_baseline(store, IBS_STORE_NOW, &baseline), 0);
	CHECK_INT("now", baseline.n_links, N_LINKS);
	CHECK_INT("now", baseline.at_ns, START_NS);
	CHECK_TEXT("now", baseline.who, "alice");
	CHECK_INT("now", baseline.n_later, 1);
	CHECK_INT("now", baseline.later_ns, START_NS + 2);
	CHECK_TEXT("now", baseline.later_who, "bob");
	ibs_baseline_free(&baseline);
	CHECK_INT("then",
		  ibs_store_get_baseline(store, START_NS + 1, &baseline), 0);
	CHECK_INT("then", baseline.n_links, N_LINKS - 1);
	CHECK_INT("then", baseline.n_later, 0);
	CHECK("then", !baseline.whole);
	ibs_baseline_free(&baseline);
	check_accepted("gone", accept_at(store, unplugged, &host_a, START_NS),
		       0, 0, 1);
	CHECK_INT("before", ibs_store_get_baseline(store, 1, &baseline),
		  -ENODATA);
	ibs_store_close(store);
	store_unit_remove(&unit);
	ibs_map_free(map);
}

/* Who did not answer is accepted as he was. */
static void
test_accept_silent(void)
{
	struct store_unit unit;
	struct ibs_store *store;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	accept(store, NULL, IBS_NO_INDEX, IBS_NO_INDEX, N_LINKS);
	accept(store, silent, IBS_NO_INDEX, IBS_NO_INDEX, N_LINKS - 2);
	check_link("silent", store, 0x20, "leaf01/1 4X");
	check_link("unplugged", store, 0x40, "");
	ibs_store_close(store);
	store_unit_remove(&unit);
}

/* Records the map of edit as the sweep of a time. */
static struct ibs_map *
record(struct ibs_store *store, void (*edit)(struct ibs_map *map), int64_t at_s)
{
	struct ibs_map *map = unit_map(edit);
	int64_t sweep;

	map->sweep.start_ns = START_NS + at_s * S_NS;
	map->sweep.end_ns = map->sweep.start_ns + S_NS / 2;
	CHECK_INT("record", ibs_store_record(store, NULL, map, &sweep), 0);
	ibs_map_free(map);
	CHECK_INT("load", ibs_store_load(store, sweep, &map), 0);
	return map;
}

static void
one_lane(struct ibs_map *map)
{
	put(map, HOST_A, IBS_PI_LinkWidthActive, 1);
	put(map, LEAF1_PORT1, IBS_PI_LinkWidthActive, 1);
	/* no change of a link: */
	put(map, HOST_B, IBS_PI_LinkWidthEnabled, 1);
}

static void
away(struct ibs_map *map)
{
	part(map, HOST_A);
	map->ports[HOST_B].read = IBS_READ_TIMEOUT;
}

static void
check_changes(struct ibs_store *store, const struct ibs_map *map, int64_t at_s,
	      uint16_t host_a, uint16_t host_b)
{
	uint16_t changes[16];

	CHECK_INT("changes",
		  ibs_store_count_changes(store, map, START_NS + at_s * S_NS,
					  changes),
		  0);
	CHECK_INT("host A", changes[HOST_A], host_a);
	CHECK_INT("leaf01/1", changes[LEAF1_PORT1], host_a);
	CHECK_INT("host B", changes[HOST_B], host_b);
	CHECK_INT("leaf01/3", changes[LEAF1_PORT3], 0);
}

/* hostA: 4X, 1X, away, 4X, 4X, 1X; hostB is silent once. */
static void
test_changes(void)
{
	static void (*const edits[])(struct ibs_map * map) = { NULL, one_lane,
							       away, NULL,
							       NULL, one_lane };
	struct ibs_map *maps[6];
	struct store_unit unit;
	struct ibs_store *store;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	for (int i = 0; i < 6; i++) {
		maps[i] = record(store, edits[i], 60 * i);
	}
	check_changes(store, maps[5], 0, 4, 0);
	check_changes(store, maps[5], 61, 3, 0);
	check_changes(store, maps[5], 241, 1, 0);
	check_changes(store, maps[5], 301, 0, 0);
	check_changes(store, maps[4], 0, 3, 0);
	check_changes(store, maps[0], 0, 0, 0);
	for (int i = 0; i < 6; i++) {
		ibs_map_free(maps[i]);
	}
	ibs_store_close(store);
	store_unit_remove(&unit);
}

/* At FDR10, which nobody told of the second time. */
static void
fdr10(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		put(map, i, IBS_PI_LinkSpeedExtActive, 0);
		map->ports[i].epi =
			(struct ibs_epi){ IBS_EPI_ANSWERED, 1, 1, 1 };
	}
}

static void
fdr10_untold(struct ibs_map *map)
{
	fdr10(map);
	map->ports[HOST_A].epi = (struct ibs_epi){ .read = IBS_EPI_NOT_ASKED };
}

static void
qdr(struct ibs_map *map)
{
	fdr10(map);
	map->ports[HOST_A].epi.active = 0;
}

/* Untold is no change, and does not hide one. */
static void
test_changes_untold(void)
{
	static void (*const edits[])(struct ibs_map * map) = {
		fdr10, fdr10_untold, fdr10, fdr10_untold, qdr
	};
	static const uint16_t want[] = { 0, 0, 0, 0, 1 };
	struct store_unit unit;
	struct ibs_store *store;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	for (int i = 0; i < 5; i++) {
		struct ibs_map *map = record(store, edits[i], 60 * i);
		uint16_t changes[16];

		CHECK_INT(
			"untold",
			ibs_store_count_changes(store, map, START_NS, changes),
			0);
		CHECK_INT("untold", changes[HOST_A], want[i]);
		ibs_map_free(map);
	}
	ibs_store_close(store);
	store_unit_remove(&unit);
}

static void
without_host_d(struct ibs_map *map)
{
	part(map, HOST_D);
	map->n_ports--;
	map->n_nodes--;
}

/* A port that was not in the map for a while was down for so long. */
static void
test_gap(void)
{
	struct ibs_map *map;
	struct store_unit unit;
	struct ibs_store *store;
	uint16_t changes[16];

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	ibs_map_free(record(store, NULL, 0));
	ibs_map_free(record(store, without_host_d, 60));
	map = record(store, NULL, 120);
	CHECK_INT("gap", ibs_store_count_changes(store, map, 0, changes), 0);
	CHECK_INT("gap", changes[HOST_D], 2);
	CHECK_INT("gap", changes[LEAF2_PORT0 + 2], 2);
	ibs_map_free(map);
	ibs_store_close(store);
	store_unit_remove(&unit);
}

static void
test_sweep_at(void)
{
	struct store_unit unit;
	struct ibs_store *store;
	int64_t id = 0;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	ibs_map_free(record(store, NULL, 0));
	ibs_map_free(record(store, slow, 60));
	CHECK_INT("before", ibs_store_sweep_at(store, START_NS, &id), -ENODATA);
	CHECK_INT("first", ibs_store_sweep_at(store, START_NS + 60 * S_NS, &id),
		  0);
	CHECK_INT("first", id, 1);
	CHECK_INT("second", ibs_store_sweep_at(store, INT64_MAX, &id), 0);
	CHECK_INT("second", id, 2);
	ibs_store_close(store);
	store_unit_remove(&unit);
}

static const struct unit_test tests[] = {
	{ "accept", test_accept },
	{ "accept a part", test_accept_part },
	{ "accept later", test_accept_later },
	{ "accept the silent", test_accept_silent },
	{ "changes", test_changes },
	{ "gap", test_gap },
	{ "sweep at", test_sweep_at },
	{ "changes untold", test_changes_untold },
};
UNIT_MAIN("store_audit", tests)
