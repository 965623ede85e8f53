// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Histories that nobody would think of: each sweep comes back as it was
 * recorded.  And what the views cost.
 */
#include <config.h>

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "ibspeed/attr.h"
#include "ibspeed/diff.h"
#include "store_unit.h"
#include "unit.h"

#define N_GUIDS	    5
#define N_TWINS	    2 /* nodes of one GUID */
#define N_NODES	    (N_GUIDS * N_TWINS)
#define N_PORTS	    3 /* of a node */
#define N_SWEEPS    25
#define N_HISTORIES 12
#define CHANGES_MAX 20

/* A node of the fabric as it is just now. */
struct node {
	bool there;
	uint8_t type, name, hop;
	struct {
		bool there, up;
		uint8_t read, tries, speed, counter, behind;
		int peer; /* node * N_PORTS + port; -1 none */
	} ports[N_PORTS];
};

static struct node fabric[N_NODES];
static uint64_t state;

static uint32_t
random_below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 11) % n);
}

static void
unplug(int port)
{
	int peer = fabric[port / N_PORTS].ports[port % N_PORTS].peer;

	if (peer >= 0) {
		fabric[peer / N_PORTS].ports[peer % N_PORTS].peer = -1;
		fabric[port / N_PORTS].ports[port % N_PORTS].peer = -1;
	}
}

static void
plug(int a, int b)
{
	unplug(a);
	unplug(b);
	if (a != b) {
		fabric[a / N_PORTS].ports[a % N_PORTS].peer = b;
		fabric[b / N_PORTS].ports[b % N_PORTS].peer = a;
	}
}

static void
change_port(int node, int port)
{
	struct node *n = &fabric[node];

	switch (random_below(9)) {
	case 0:
		n->ports[port].there = !n->ports[port].there;
		break;
	case 1:
		unplug(node * N_PORTS + port);
		break;
	case 2:
		n->ports[port].read = (uint8_t)random_below(IBS_READ_COUNT);
		break;
	case 3:
		n->ports[port].tries = (uint8_t)random_below(256);
		break;
	case 4:
		n->ports[port].speed = (uint8_t)random_below(4);
		break;
	case 5:
		n->ports[port].counter++;
		break;
	case 6:
		n->ports[port].behind = (uint8_t)random_below(IBS_READ_COUNT);
		break;
	case 7:
		n->ports[port].up = !n->ports[port].up;
		break;
	default:
		plug(node * N_PORTS + port,
		     (int)random_below(N_NODES * N_PORTS));
		break;
	}
}

static void
change_something(void)
{
	int node = (int)random_below(N_NODES);

	switch (random_below(6)) {
	case 0:
		fabric[node].there = !fabric[node].there;
		break;
	case 1:
		fabric[node].name = (uint8_t)random_below(4);
		break;
	case 2:
		fabric[node].hop = (uint8_t)random_below(50);
		break;
	default:
		change_port(node, (int)random_below(N_PORTS));
		break;
	}
}

static void
begin(uint64_t seed)
{
	memset(fabric, 0, sizeof(fabric));
	state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	for (int i = 0; i < N_NODES; i++) {
		fabric[i].there = i % N_TWINS == 0;
		fabric[i].type = (uint8_t)(1 + random_below(3));
		for (int p = 0; p < N_PORTS; p++) {
			fabric[i].ports[p].there = true;
			fabric[i].ports[p].read = IBS_READ_OK;
			fabric[i].ports[p].peer = -1;
		}
	}
}

static uint32_t
add_node(struct ibs_map *map, int i)
{
	const struct node *n = &fabric[i];
	struct ibs_node row = { .guid = (uint64_t)(i / N_TWINS),
				.type = n->type,
				.n_ports = N_PORTS,
				.n_hops = 2 };
	uint32_t index = IBS_NO_INDEX;

	if (i / N_TWINS % 2) {
		row.guid |= UINT64_C(1) << 63; /* SQLite's are signed */
	}
	row.path[1] = (uint8_t)(1 + n->hop);
	row.path[2] = (uint8_t)(1 + i); /* no two have one route */
	snprintf((char *)row.desc, sizeof(row.desc), "name %u", n->name);
	CHECK_INT("node", ibs_map_add_node(map, &row, &index), 0);
	return index;
}

static uint32_t
add_port(struct ibs_map *map, uint32_t node, int i, int p)
{
	struct ibs_map_port row = { .guid = (uint64_t)i,
				    .node = node,
				    .peer = IBS_NO_INDEX,
				    .num = (uint8_t)p,
				    .read = fabric[i].ports[p].read,
				    .tries = fabric[i].ports[p].tries,
				    .behind_read = fabric[i].ports[p].behind };
	uint32_t index = IBS_NO_INDEX;

	if (row.read == IBS_READ_OK) {
		unit_port_info(row.pi, 2, 3, fabric[i].ports[p].speed, 0xf);
		ibs_field_put(row.pi, &ibs_port_info_fields[IBS_PI_PortState],
			      fabric[i].ports[p].up ? IBS_PORT_ACTIVE
						    : IBS_PORT_DOWN);
		ibs_field_put(row.pi,
			      &ibs_port_info_fields[IBS_PI_P_KeyViolations],
			      fabric[i].ports[p].counter);
	}
	CHECK_INT("port", ibs_map_add_port(map, &row, &index), 0);
	return index;
}

static struct ibs_map *
make_map(int64_t id)
{
	struct ibs_map *map = ibs_map_new();
	uint32_t index[N_NODES * N_PORTS];

	map->sweep.id = id;
	map->sweep.start_ns = 1000000 * id;
	for (int i = 0; i < N_NODES; i++) {
		uint32_t node =
			fabric[i].there ? add_node(map, i) : IBS_NO_INDEX;

		for (int p = 0; p < N_PORTS; p++) {
			index[i * N_PORTS + p] =
				fabric[i].there && fabric[i].ports[p].there
					? add_port(map, node, i, p)
					: IBS_NO_INDEX;
		}
	}
	for (int i = 0; i < N_NODES * N_PORTS; i++) {
		int peer = fabric[i / N_PORTS].ports[i % N_PORTS].peer;

		if (peer >= 0 && index[i] != IBS_NO_INDEX &&
		    index[peer] != IBS_NO_INDEX) {
			map->ports[index[i]].peer = index[peer];
		}
	}
	CHECK_INT("freeze", ibs_map_freeze(map), 0);
	return map;
}

/* In the latest sweep all is as it was, in older ones each state. */
static void
check_loaded(struct ibs_store *store, const struct ibs_map *want, bool latest)
{
	struct ibs_map *got = NULL;
	struct ibs_diff diff;

	CHECK_INT("load", ibs_store_load(store, want->sweep.id, &got), 0);
	if (!got) {
		return;
	}
	CHECK_INT("diff", ibs_diff_make(want, got, &diff), 0);
	for (size_t i = 0; i < diff.n_nodes; i++) {
		CHECK("node",
		      !latest && diff.nodes[i].kind == IBS_CHANGE_BYTES);
	}
	for (size_t i = 0; i < diff.n_ports; i++) {
		CHECK("port",
		      !latest && diff.ports[i].kind == IBS_CHANGE_BYTES);
	}
	ibs_diff_free(&diff);
	ibs_map_free(got);
}

static void
check_history(uint64_t seed)
{
	struct ibs_map *maps[N_SWEEPS];
	struct ibs_store *store;
	struct store_unit unit;

	begin(seed);
	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	for (int i = 0; i < N_SWEEPS; i++) {
		uint32_t n = i ? random_below(CHANGES_MAX) : 0;

		while (n--) {
			change_something();
		}
		maps[i] = make_map(i + 1);
		/* by the caller's map, or by the store's own */
		store_unit_record(store,
				  i && random_below(2) ? maps[i - 1] : NULL,
				  maps[i]);
		check_loaded(store, maps[i], true);
	}
	for (int i = 0; i < N_SWEEPS; i++) {
		check_loaded(store, maps[i], false);
		ibs_map_free(maps[i]);
	}
	ibs_store_close(store);
	store_unit_remove(&unit);
}

static void
test_histories(void)
{
	for (uint64_t seed = 1; seed <= N_HISTORIES; seed++) {
		check_history(seed);
	}
}

/* --- what others ask by SQL ---------------------------------------------- */

/* Whether the plan of a query has a step that begins so. */
static bool
plan_has(sqlite3 *db, const char *query, const char *step)
{
	char sql[256];
	sqlite3_stmt *stmt = NULL;
	bool found = false;

	snprintf(sql, sizeof(sql), "EXPLAIN QUERY PLAN %s", query);
	CHECK_INT(query, sqlite3_prepare_v2(db, sql, -1, &stmt, NULL),
		  SQLITE_OK);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(stmt, 3);

		found = found || strncmp(text, step, strlen(step)) == 0;
	}
	sqlite3_finalize(stmt);
	return found;
}

/* Nobody waits for the product of all nodes and all ports. */
static void
test_views(void)
{
	static const char *const queries[] = {
		"SELECT * FROM port WHERE node_guid = 16",
		"SELECT * FROM port WHERE node_guid = 16 AND port_num = 1",
		"SELECT count(*) FROM port WHERE closed_sweep IS NULL",
		"SELECT * FROM node WHERE node_guid = 16",
		"SELECT count(*) FROM port JOIN node USING (node_guid)",
	};
	struct ibs_map *map = unit_map(NULL);
	struct ibs_store *store;
	struct store_unit unit;
	sqlite3 *db = NULL;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	store_unit_record(store, NULL, map);
	ibs_store_close(store);
	CHECK_INT("open", sqlite3_open(unit.path, &db), SQLITE_OK);
	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
		CHECK(queries[i], plan_has(db, queries[i], "SEARCH"));
		CHECK(queries[i], !plan_has(db, queries[i], "SCAN p "));
		CHECK(queries[i], !plan_has(db, queries[i], "SCAN port_"));
	}
	CHECK(queries[0], !plan_has(db, queries[0], "MATERIALIZE"));
	CHECK(queries[0], !plan_has(db, queries[0], "SCAN"));
	sqlite3_close(db);
	ibs_map_free(map);
	store_unit_remove(&unit);
}

static const struct unit_test tests[] = {
	{ "histories that nobody would think of", test_histories },
	{ "what the views cost", test_views },
};
UNIT_MAIN("store random", tests)
