// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* What is recorded comes back, and costs what changed. */
#include <config.h>

#include "ibspeed/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "ibspeed/attr.h"
#include "store_unit.h"
#include "unit.h"

static void
put(struct ibs_map *map, uint32_t port, enum ibs_port_info_field field,
    uint64_t value)
{
	ibs_field_put(map->ports[port].pi, &ibs_port_info_fields[field], value);
}

/* A value in every member, none of them 0 or equal to its neighbour's. */
static void
edit_sweep(struct ibs_map *map)
{
	map->sweep = (struct ibs_sweep_info){
		.start_ns = 1700000000123456789,
		.end_ns = 1700000001123456789,
		.start_mono_ns = 5000000001,
		.end_mono_ns = UINT64_MAX - 1,
		.source = IBS_SOURCE_SM,
		.sm_init_errors = true,
		.n_smps = UINT32_MAX,
		.n_retries = 3,
		.n_timeouts = 4,
		.n_stray = 5,
		.clock = {
			.source = IBS_CLOCK_HCA,
			.convertible = true,
			.reason = "as if",
			.device = "mlx5_0",
			.port_num = 255,
			.port_guid = UINT64_MAX,
			.node_guid = UINT64_MAX - 1,
			.khz = 156250,
			.mask = UINT64_MAX - 2,
			.epoch_ns = 1700000000000000001,
			.n_failures = UINT32_MAX - 1,
			.boot_id = "9b0c61c4-3c3f-4e62-9f62-6e8a26b2a0c5",
			.start = { UINT64_MAX - 3, 5000000002, 5000000004 },
			.end = { 11, UINT64_MAX - 4, UINT64_MAX - 5 },
			.wall_start = { 1700000000123456789, 5000000001, 12, -1,
					0 },
			.wall_end = { 1700000001123456789, UINT64_MAX - 1, 13,
				      1400000, 37 },
			.rate = { -1.25, 0.5, 1.75, 10000000000 },
		},
	};
	map->subnet = (struct ibs_subnet){
		.sm_port_guid = 0xfe00000000000001,
		.prefix = 0xfe80000000000000,
		.opensm = "OpenSM 3.3.23",
		.force_link_speed = 15,
		.force_link_speed_ext = 31,
		.force_link_width = 255,
	};
}

static void
edit_nodes(struct ibs_map *map)
{
	struct ibs_node *node = &map->nodes[2];

	/* bytes that are no text in any encoding, a NUL among them */
	memset(node->desc, 0xff, sizeof(node->desc));
	memcpy(node->desc, "a\0'\"\n\xc3(%s", 10);
	node->guid = UINT64_MAX; /* sorts last, and first in SQLite */
	node->sys_guid = 0x8000000000000001;
	node->port_guid = 0x8000000000000002;
	node->vendor_id = 0xffffff;
	node->n_hops = IBS_HOPS_MAX;
	for (uint8_t i = 1; i <= IBS_HOPS_MAX; i++) {
		node->path[i] = (uint8_t)(255 - i);
	}
	memset(map->nodes[3].desc, 0, IBS_DESC_SIZE);
	map->nodes[3].guid = 0;
	map->nodes[3].type = 7; /* a type that nobody knows */
	/* three nodes of one GUID, told apart by their routes */
	map->nodes[4].guid = map->nodes[5].guid = map->nodes[1].guid;
	map->nodes[4].n_hops = map->nodes[5].n_hops = 2;
	map->nodes[4].path[2] = 9;
	map->nodes[5].path[2] = 8;
}

static void
edit_ports(struct ibs_map *map)
{
	struct ibs_map_port *ports = map->ports;

	ports[LEAF1_PORT1].epi =
		(struct ibs_epi){ IBS_EPI_ANSWERED, 1, 2, 255 };
	ports[LEAF1_PORT2].epi.read = IBS_EPI_ABSENT;
	ports[LEAF1_PORT3].flags = IBS_PORT_HAS_SM;
	ports[LEAF1_PORT3].sm =
		(struct ibs_pair){ IBS_SPEED_XDR, IBS_WIDTH_12X };
	ports[LEAF1_PORT4].flags = IBS_PORT_HAS_SM | IBS_PORT_SM_GATE;
	ports[LEAF1_PORT4].sm =
		(struct ibs_pair){ IBS_SPEED_UNKNOWN, IBS_WIDTH_UNKNOWN };
	ports[LEAF1_PORT5].flags = IBS_PORT_HAS_SM | IBS_PORT_ASKED_EXT;
	ports[HOST_A].read = IBS_READ_TIMEOUT;
	ports[HOST_A].tries = 255;
	memset(ports[HOST_A].pi, 0, IBS_ATTR_SIZE);
	ports[HOST_B].read = IBS_READ_STATUS;
	ports[HOST_B].status = 0xffff;
	memset(ports[HOST_B].pi, 0, IBS_ATTR_SIZE);
	ports[HOST_C].read = IBS_READ_UNREACHABLE;
	memset(ports[HOST_C].pi, 0, IBS_ATTR_SIZE);
	ports[HOST_D].read = IBS_READ_UNASKED;
	memset(ports[HOST_D].pi, 0, IBS_ATTR_SIZE);
	memset(ports[LEAF2_PORT0].pi + 8, 0xff, IBS_ATTR_SIZE - 8);
}

static void
edit_all(struct ibs_map *map)
{
	edit_sweep(map);
	edit_nodes(map);
	edit_ports(map);
}

static void
test_round_trip(void)
{
	static const struct {
		const char *name;
		void (*edit)(struct ibs_map *map);
	} rows[] = {
		{ "plain", NULL },
		{ "sweep", edit_sweep },
		{ "nodes", edit_nodes },
		{ "ports", edit_ports },
		{ "all together", edit_all },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_map *map = unit_map(rows[i].edit);
		struct ibs_store *store;
		struct store_unit unit;
		int64_t id = 0;

		store_unit_make(&unit);
		store = store_unit_open(&unit, IBS_STORE_WRITE);
		store_unit_record(store, NULL, map);
		CHECK_INT(rows[i].name, map->sweep.id, 1);
		store_unit_check(rows[i].name, store, 0, map);
		/* what is loaded is no change, or each start would be one */
		CHECK_INT(rows[i].name, ibs_store_record(store, NULL, map, &id),
			  0);
		CHECK_INT(rows[i].name, id, 2);
		CHECK_INT(rows[i].name, store_unit_rows(&unit),
			  2 + map->n_nodes + map->n_ports);
		ibs_store_close(store);
		ibs_map_free(map);
		store_unit_remove(&unit);
	}
}

static void
edit_m_key(struct ibs_map *map)
{
	put(map, HOST_A, IBS_PI_M_Key, UINT64_MAX);
}

static void
test_no_m_key(void)
{
	struct ibs_map *map = unit_map(edit_m_key);
	struct store_unit unit;
	struct ibs_store *store;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	store_unit_record(store, NULL, map);
	ibs_store_close(store);
	CHECK_INT(
		"all ports",
		store_unit_int(&unit,
			       "SELECT count(*) FROM port"
			       " WHERE substr(portinfo, 1, 8) != zeroblob(8)"),
		0);
	ibs_map_free(map);
	store_unit_remove(&unit);
}

static void
edit_speed(struct ibs_map *map)
{
	map->sweep.start_ns = 2000;
	put(map, HOST_A, IBS_PI_LinkSpeedExtActive, 2);
	put(map, HOST_A, IBS_PI_P_KeyViolations, 9);
}

static void
edit_counters(struct ibs_map *map)
{
	map->sweep.start_ns = 2000;
	put(map, HOST_A, IBS_PI_P_KeyViolations, 9);
	map->ports[HOST_B].tries = 2;
	map->ports[HOST_C].flags |= IBS_PORT_HAS_SM;
	map->ports[HOST_C].sm =
		(struct ibs_pair){ IBS_SPEED_EDR, IBS_WIDTH_4X };
	map->nodes[2].n_hops = 1;
	map->nodes[2].path[1] = 7;
}

static void
edit_name(struct ibs_map *map)
{
	memcpy(map->nodes[2].desc, "renamed", 7);
}

static void
edit_unplug(struct ibs_map *map)
{
	map->ports[LEAF1_PORT1].peer = IBS_NO_INDEX;
	map->ports[HOST_A].peer = IBS_NO_INDEX;
}

static void
test_changes(void)
{
	static const struct {
		const char *name;
		void (*edit)(struct ibs_map *map);
		int64_t closed, opened; /* rows of node and port */
	} rows[] = {
		{ "nothing", NULL, 0, 0 },
		{ "a port's speed", edit_speed, 1, 1 },
		{ "counters, tries, the SM's view, a route", edit_counters, 0,
		  0 },
		{ "a name", edit_name, 1, 1 },
		{ "a cable, two ports", edit_unplug, 2, 2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_map *before = unit_map(NULL);
		struct ibs_map *after = unit_map(rows[i].edit);
		struct ibs_store *store;
		struct store_unit unit;
		int64_t n_rows;

		store_unit_make(&unit);
		store = store_unit_open(&unit, IBS_STORE_WRITE);
		store_unit_record(store, NULL, before);
		n_rows = store_unit_rows(&unit);
		store_unit_record(store, before, after);
		CHECK_INT(rows[i].name, store_unit_rows(&unit),
			  n_rows + 1 + rows[i].opened);
		CHECK_INT(rows[i].name,
			  store_unit_int(&unit,
					 "SELECT (SELECT count(*) FROM port"
					 " WHERE closed_sweep = 2)"
					 " + (SELECT count(*) FROM node"
					 " WHERE closed_sweep = 2)"),
			  rows[i].closed);
		store_unit_check(rows[i].name, store, 0, after);
		ibs_store_close(store);
		ibs_map_free(before);
		ibs_map_free(after);
		store_unit_remove(&unit);
	}
}

static void
edit_start(struct ibs_map *map)
{
	map->sweep.start_ns = 1000;
}

static void
test_since(void)
{
	struct ibs_map *before = unit_map(edit_start);
	struct ibs_map *after = unit_map(edit_speed);
	struct ibs_map *got = NULL;
	struct ibs_store *store;
	struct store_unit unit;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	store_unit_record(store, NULL, before);
	store_unit_record(store, before, after);
	CHECK_INT("latest", ibs_store_load(store, 0, &got), 0);
	if (got) {
		CHECK_INT("same", got->ports[HOST_B].since_ns, 1000);
		CHECK_INT("changed", got->ports[HOST_A].since_ns, 2000);
	}
	ibs_map_free(got);
	ibs_store_close(store);
	ibs_map_free(before);
	ibs_map_free(after);
	store_unit_remove(&unit);
}

/* unit_map() with the ports of the last node cut off, and then the node. */
static void
edit_gone(struct ibs_map *map)
{
	map->ports[map->ports[HOST_D].peer].peer = IBS_NO_INDEX;
	map->n_ports--;
	map->n_nodes--;
}

static void
test_history(void)
{
	static void (*const edits[])(struct ibs_map * map) = {
		NULL, edit_speed, edit_gone, edit_unplug, edit_name, NULL, NULL,
	};
	enum { N = sizeof(edits) / sizeof(edits[0]) };
	struct ibs_map *maps[N];
	struct ibs_store *store;
	struct store_unit unit;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	for (int i = 0; i < N; i++) {
		maps[i] = unit_map(edits[i]);
		store_unit_record(store, i ? maps[i - 1] : NULL, maps[i]);
	}
	/* the counter of edit_speed is of a row of its own, so it is kept */
	for (int i = 0; i < N; i++) {
		char row[32];

		snprintf(row, sizeof(row), "sweep %d", i + 1);
		store_unit_check(row, store, i + 1, maps[i]);
		ibs_map_free(maps[i]);
	}
	CHECK_INT("came back",
		  store_unit_int(&unit, "SELECT count(*) FROM node"
					" WHERE node_guid = 0x50"),
		  2);
	CHECK_INT("names kept",
		  store_unit_int(&unit, "SELECT count(DISTINCT name) FROM node"
					" WHERE node_guid = 0x20"),
		  2);
	ibs_store_close(store);
	store_unit_remove(&unit);
}

/* A map before that is not the store's latest is not believed. */
static void
test_before(void)
{
	struct ibs_map *first = unit_map(NULL), *second = unit_map(edit_speed);
	struct ibs_map *third = unit_map(edit_speed);
	struct ibs_store *store;
	struct store_unit unit;
	int64_t n_rows;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	/* of a store that is no more */
	first->sweep.id = 77;
	store_unit_record(store, first, first);
	CHECK_INT("new store", store_unit_rows(&unit),
		  1 + first->n_nodes + first->n_ports);
	store_unit_record(store, first, second);
	n_rows = store_unit_rows(&unit);
	store_unit_record(store, first, third);
	CHECK_INT("old", store_unit_rows(&unit), n_rows + 1);
	store_unit_record(store, NULL, third);
	CHECK_INT("none", store_unit_rows(&unit), n_rows + 2);
	store_unit_check("latest", store, 0, third);
	ibs_store_close(store);
	ibs_map_free(first);
	ibs_map_free(second);
	ibs_map_free(third);
	store_unit_remove(&unit);
}

static void
test_status(void)
{
	struct ibs_recorder_row row = { .pid = 4711,
					.started_ns = 1,
					.seen_ns = 2,
					.boot_id = "boot",
					.host = "sm01",
					.version = "0.1.0",
					.error = "no space",
					.sm_state = 3 };
	struct ibs_recorder_row got = { 0 };
	struct ibs_map *map = unit_map(NULL);
	int64_t sweeps = -1, size_bytes = -1;
	struct ibs_map *none = NULL;
	struct ibs_store *store;
	struct store_unit unit;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	CHECK_INT("empty", ibs_store_get_recorder(store, &got), -ENODATA);
	CHECK_INT("empty", ibs_store_load(store, 0, &none), -ENODATA);
	CHECK_INT("put", ibs_store_put_recorder(store, &row), 0);
	row.seen_ns = 3;
	CHECK_INT("again", ibs_store_put_recorder(store, &row), 0);
	CHECK_INT("get", ibs_store_get_recorder(store, &got), 0);
	CHECK_INT("row", got.pid, 4711);
	CHECK_INT("row", got.started_ns, 1);
	CHECK_INT("row", got.seen_ns, 3);
	CHECK_TEXT("row", got.boot_id, "boot");
	CHECK_TEXT("row", got.host, "sm01");
	CHECK_TEXT("row", got.version, "0.1.0");
	CHECK_TEXT("row", got.error, "no space");
	CHECK_INT("row", got.sm_state, 3);
	CHECK_INT("role", ibs_store_add_role(store, 5, 2), 0);
	CHECK_INT("role", ibs_store_add_role(store, 6, 3), 0);
	CHECK_INT("rows", store_unit_rows(&unit), 3);
	store_unit_record(store, NULL, map);
	store_unit_record(store, map, map);
	CHECK_INT("size", ibs_store_size(store, &sweeps, &size_bytes), 0);
	CHECK_INT("size", sweeps, 2);
	CHECK("size", size_bytes >= 4096);
	CHECK_INT("no sweep", ibs_store_load(store, 3, &none), -ENODATA);
	CHECK("no sweep", none == NULL);
	ibs_store_close(store);
	ibs_map_free(map);
	store_unit_remove(&unit);
}

static double
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void
edit_one_percent(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_ports; i += 100) {
		put(map, i, IBS_PI_LinkWidthActive, 1);
	}
}

/* Printed for whoever looks; no machine is asked to be fast. */
static void
test_timing(void)
{
	struct ibs_map *map = store_unit_big_map(NULL);
	struct ibs_map *changed = store_unit_big_map(edit_one_percent);
	struct ibs_store *store;
	struct store_unit unit;
	double at[5];

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	at[0] = now_ms();
	store_unit_record(store, NULL, map);
	at[1] = now_ms();
	store_unit_record(store, map, map);
	at[2] = now_ms();
	store_unit_record(store, map, changed);
	at[3] = now_ms();
	store_unit_check("big", store, 2, map);
	store_unit_check("big", store, 3, changed);
	at[4] = now_ms();
	ibs_map_free(map);
	map = NULL;
	CHECK_INT("load", ibs_store_load(store, 0, &map), 0);
	printf("\n    %u nodes, %u ports: first map %.1f ms, unchanged %.2f ms,"
	       " 1 %% changed %.2f ms, load %.1f ms\n    ",
	       changed->n_nodes, changed->n_ports, at[1] - at[0], at[2] - at[1],
	       at[3] - at[2], now_ms() - at[4]);
	ibs_store_close(store);
	ibs_map_free(map);
	ibs_map_free(changed);
	store_unit_remove(&unit);
}

static const struct unit_test tests[] = {
	{ "a map comes back as it was", test_round_trip },
	{ "no M_Key is recorded", test_no_m_key },
	{ "a sweep costs what changed", test_changes },
	{ "since when", test_since },
	{ "the map of an old sweep", test_history },
	{ "nothing is recorded twice", test_before },
	{ "recorder, role and size", test_status },
	{ "time of 5k nodes", test_timing },
};
UNIT_MAIN("store", tests)
