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
test_round_trip(void)
{
	static const struct {
		const char *name;
		void (*edit)(struct ibs_map *map);
	} rows[] = {
		{ "plain", NULL },
		{ "sweep", store_unit_edit_sweep },
		{ "nodes", store_unit_edit_nodes },
		{ "ports", store_unit_edit_ports },
		{ "all together", store_unit_edit_all },
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
	store_unit_put(map, HOST_A, IBS_PI_M_Key, UINT64_MAX);
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
edit_counters(struct ibs_map *map)
{
	map->sweep.start_ns = 2000;
	store_unit_put(map, HOST_A, IBS_PI_P_KeyViolations, 9);
	map->ports[HOST_B].tries = 2;
	map->ports[HOST_C].flags |= IBS_PORT_HAS_SM;
	map->ports[HOST_C].sm =
		(struct ibs_pair){ IBS_SPEED_EDR, IBS_WIDTH_4X };
	map->nodes[2].n_hops = 1;
	map->nodes[2].path[1] = 7;
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
		{ "a port's speed", store_unit_edit_speed, 1, 1 },
		{ "counters, tries, the SM's view, a route", edit_counters, 0,
		  0 },
		{ "a name", store_unit_edit_name, 1, 1 },
		{ "a cable, two ports", store_unit_edit_unplug, 2, 2 },
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
	struct ibs_map *after = unit_map(store_unit_edit_speed);
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

static void
test_history(void)
{
	struct ibs_map *maps[STORE_UNIT_SWEEPS];
	struct ibs_store *store;
	struct store_unit unit;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	for (int i = 0; i < STORE_UNIT_SWEEPS; i++) {
		maps[i] = unit_map(store_unit_history[i]);
		store_unit_record(store, i ? maps[i - 1] : NULL, maps[i]);
	}
	/* the counter of the edited speed has a row of its own: kept */
	for (int i = 0; i < STORE_UNIT_SWEEPS; i++) {
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
	struct ibs_map *first = unit_map(NULL),
		       *second = unit_map(store_unit_edit_speed);
	struct ibs_map *third = unit_map(store_unit_edit_speed);
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
	CHECK_INT("store_unit_put", ibs_store_put_recorder(store, &row), 0);
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

/* The file says in words what its numbers mean. */
static void
test_outcomes(void)
{
	struct store_unit unit;
	char sql[128];

	store_unit_make(&unit);
	ibs_store_close(store_unit_open(&unit, IBS_STORE_WRITE));
	for (int i = 0; i < IBS_READ_COUNT; i++) {
		snprintf(sql, sizeof(sql),
			 "SELECT count(*) FROM outcome"
			 " WHERE code = %d AND name = '%s'",
			 i, ibs_read_name((enum ibs_read)i));
		CHECK_INT(sql, store_unit_int(&unit, sql), 1);
	}
	CHECK_INT("no more",
		  store_unit_int(&unit, "SELECT count(*) FROM outcome"),
		  IBS_READ_COUNT);
	store_unit_remove(&unit);
}

/* What the views unpack is what was recorded. */
static void
test_views(void)
{
	static const struct {
		const char *where;
		int64_t n;
	} rows[] = {
		{ "epi_read = 'answered' AND hex(epi) = '0102FF'", 1 },
		{ "epi_read = 'absent' AND epi IS NULL", 1 },
		{ "epi_read IS NULL AND epi IS NULL", 14 },
		{ "sm_known = 1 AND sm_speed = 256 AND sm_lanes = 12", 1 },
		{ "sm_known AND sm_gate AND sm_speed = -1 AND sm_lanes = -1",
		  1 },
		{ "sm_known AND sm_speed IS NULL AND sm_lanes IS NULL", 1 },
		{ "sm_known = 0 AND sm_gate = 0 AND sm_speed IS NULL", 13 },
		{ "read = 'ok' AND status IS NULL AND length(portinfo) = 64",
		  12 },
		{ "read = 'timeout' AND tries = 255 AND portinfo IS NULL", 1 },
		{ "read = 'status' AND status = 65535", 1 },
		{ "read = 'unreachable' OR read = 'unasked'", 2 },
		{ "behind_read = 'status' AND behind_status = 28"
		  " AND behind_tries = 3",
		  1 },
		{ "behind_read = 'timeout' AND behind_status IS NULL"
		  " AND behind_tries = 255",
		  1 },
		{ "behind_read IS NULL AND behind_tries = 0", 14 },
		{ "asked_ext = 1", 14 },
		{ "peer_guid IS NULL AND peer_num IS NULL"
		  " AND peer_instance IS NULL",
		  4 },
		{ "peer_guid = -1 AND peer_instance = 0 AND peer_num = 1", 1 },
		{ "closed_sweep IS NULL AND opened_sweep = 1", 16 },
	};
	struct ibs_map *map = unit_map(store_unit_edit_all);
	struct ibs_store *store;
	struct store_unit unit;
	char sql[256];

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	store_unit_record(store, NULL, map);
	ibs_store_close(store);
	ibs_map_free(map);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM port WHERE %s",
			 rows[i].where);
		CHECK_INT(rows[i].where, store_unit_int(&unit, sql), rows[i].n);
	}
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
		store_unit_put(map, i, IBS_PI_LinkWidthActive, 1);
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
	{ "outcomes have names in the file", test_outcomes },
	{ "the views of the tables", test_views },
	{ "time of 5k nodes", test_timing },
};
UNIT_MAIN("store", tests)
