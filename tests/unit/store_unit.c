// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "store_unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ibspeed/attr.h"
#include "clocked.h"
#include "unit.h"

void
store_unit_make(struct store_unit *unit)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(unit->dir, sizeof(unit->dir), "%s/ibspeed-store.XXXXXX",
		 tmp ? tmp : "/tmp");
	if (!mkdtemp(unit->dir) || chmod(unit->dir, 0755)) {
		perror(unit->dir);
		abort();
	}
	snprintf(unit->path, sizeof(unit->path), "%s/map?%%20#.db", unit->dir);
}

void
store_unit_remove_files(const struct store_unit *unit)
{
	static const char *const ends[] = { "", "-wal", "-shm", "-journal" };
	char path[sizeof(unit->path) + 16];

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", unit->path, ends[i]);
		unlink(path);
	}
}

void
store_unit_remove(const struct store_unit *unit)
{
	store_unit_remove_files(unit);
	if (rmdir(unit->dir)) {
		perror(unit->dir);
	}
}

struct ibs_store *
store_unit_open(const struct store_unit *unit, enum ibs_store_mode mode)
{
	struct ibs_store *store = NULL;
	char error[512] = "";
	int err =
		ibs_store_open(unit->path, mode, &store, error, sizeof(error));

	CHECK_INT(error, err, 0);
	return store;
}

int
store_unit_try(const char *path, enum ibs_store_mode mode, char *error,
	       size_t size)
{
	struct ibs_store *store = NULL;
	int err;

	error[0] = '\0';
	err = ibs_store_open(path, mode, &store, error, size);
	ibs_store_close(store);
	return err;
}

void
store_unit_refused(const char *row, const char *path, enum ibs_store_mode mode,
		   int want)
{
	char error[512];

	CHECK_INT(row, store_unit_try(path, mode, error, sizeof(error)), want);
	CHECK(error, strstr(error, path) == error);
	CHECK(error, strlen(error) > strlen(path) + 4);
	CHECK(error, strchr(error, '\n') == NULL);
}

void
store_unit_record(struct ibs_store *store, const struct ibs_map *before,
		  struct ibs_map *after)
{
	int err = ibs_store_record(store, before, after, &after->sweep.id);

	CHECK_INT(ibs_store_error(store), err, 0);
}

static void
check_sweep(const char *row, const struct ibs_map *got,
	    const struct ibs_map *want)
{
	const struct ibs_sweep_info *a = &got->sweep, *b = &want->sweep;

	CHECK_INT(row, a->id, b->id);
	CHECK_INT(row, a->start_ns, b->start_ns);
	CHECK_INT(row, a->end_ns, b->end_ns);
	CHECK_INT(row, a->start_mono_ns, b->start_mono_ns);
	CHECK_INT(row, a->end_mono_ns, b->end_mono_ns);
	CHECK_INT(row, a->source, b->source);
	CHECK_INT(row, a->sm_init_errors, b->sm_init_errors);
	CHECK_INT(row, a->n_smps, b->n_smps);
	CHECK_INT(row, a->n_retries, b->n_retries);
	CHECK_INT(row, a->n_timeouts, b->n_timeouts);
	CHECK_INT(row, a->n_stray, b->n_stray);
	clocked_check(row, &a->clock, &b->clock);
	CHECK_INT(row, got->subnet.sm_port_guid, want->subnet.sm_port_guid);
	CHECK_INT(row, got->subnet.prefix, want->subnet.prefix);
	CHECK_TEXT(row, got->subnet.opensm, want->subnet.opensm);
	CHECK_INT(row, got->subnet.force_link_speed,
		  want->subnet.force_link_speed);
	CHECK_INT(row, got->subnet.force_link_speed_ext,
		  want->subnet.force_link_speed_ext);
	CHECK_INT(row, got->subnet.force_link_width,
		  want->subnet.force_link_width);
}

static void
check_node(const char *row, const struct ibs_node *a, const struct ibs_node *b)
{
	CHECK_INT(row, a->guid, b->guid);
	CHECK_INT(row, a->sys_guid, b->sys_guid);
	CHECK_INT(row, a->port_guid, b->port_guid);
	CHECK_INT(row, a->vendor_id, b->vendor_id);
	CHECK_INT(row, a->device_id, b->device_id);
	CHECK_INT(row, a->pkey_cap, b->pkey_cap);
	CHECK_INT(row, a->sw_pkey_cap, b->sw_pkey_cap);
	CHECK_INT(row, a->instance, b->instance);
	CHECK_INT(row, a->type, b->type);
	CHECK_INT(row, a->n_ports, b->n_ports);
	CHECK_INT(row, a->n_hops, b->n_hops);
	CHECK(row, memcmp(a->path, b->path, sizeof(a->path)) == 0);
	CHECK(row, memcmp(a->desc, b->desc, sizeof(a->desc)) == 0);
	CHECK_INT(row, a->first_port, b->first_port);
	CHECK_INT(row, a->n_map_ports, b->n_map_ports);
}

static void
check_port(const char *row, const struct ibs_map_port *a,
	   const struct ibs_map_port *b)
{
	CHECK_INT(row, a->guid, b->guid);
	CHECK_INT(row, a->node, b->node);
	CHECK_INT(row, a->peer, b->peer);
	CHECK_INT(row, a->status, b->status);
	CHECK_INT(row, a->num, b->num);
	CHECK_INT(row, a->read, b->read);
	CHECK_INT(row, a->tries, b->tries);
	CHECK_INT(row, a->flags, b->flags);
	CHECK_INT(row, a->behind_read, b->behind_read);
	CHECK_INT(row, a->behind_status, b->behind_status);
	CHECK_INT(row, a->behind_tries, b->behind_tries);
	CHECK_INT(row, a->epi.read, b->epi.read);
	CHECK_INT(row, a->epi.supported, b->epi.supported);
	CHECK_INT(row, a->epi.enabled, b->epi.enabled);
	CHECK_INT(row, a->epi.active, b->epi.active);
	CHECK_INT(row, a->sm.speed, b->sm.speed);
	CHECK_INT(row, a->sm.width, b->sm.width);
	CHECK(row, memcmp(a->pi, b->pi, sizeof(a->pi)) == 0);
}

void
store_unit_check(const char *row, struct ibs_store *store, int64_t sweep_id,
		 const struct ibs_map *want)
{
	struct ibs_map *got = NULL;
	int err = ibs_store_load(store, sweep_id, &got);

	CHECK_INT(err ? ibs_store_error(store) : row, err, 0);
	if (err) {
		return;
	}
	check_sweep(row, got, want);
	CHECK_INT(row, got->n_nodes, want->n_nodes);
	CHECK_INT(row, got->n_ports, want->n_ports);
	CHECK_INT(row, got->n_links, want->n_links);
	for (uint32_t i = 0; i < got->n_nodes && i < want->n_nodes; i++) {
		check_node(row, &got->nodes[i], &want->nodes[i]);
	}
	for (uint32_t i = 0; i < got->n_ports && i < want->n_ports; i++) {
		check_port(row, &got->ports[i], &want->ports[i]);
	}
	ibs_map_free(got);
}

static sqlite3 *
open_foreign(const struct store_unit *unit)
{
	int persist = 1;
	sqlite3 *db;

	if (sqlite3_open(unit->path, &db) != SQLITE_OK) {
		printf("%s: %s\n", unit->path, sqlite3_errmsg(db));
		abort();
	}
	sqlite3_busy_timeout(db, 5000);
	sqlite3_file_control(db, "main", SQLITE_FCNTL_PERSIST_WAL, &persist);
	return db;
}

int64_t
store_unit_int(const struct store_unit *unit, const char *sql)
{
	sqlite3 *db = open_foreign(unit);
	sqlite3_stmt *stmt = NULL;
	int64_t value = INT64_MIN;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW) {
		value = sqlite3_column_int64(stmt, 0);
	} else {
		CHECK_TEXT(sql, sqlite3_errmsg(db), "a row");
	}
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return value;
}

void
store_unit_exec(const struct store_unit *unit, const char *sql)
{
	sqlite3 *db = open_foreign(unit);
	int code = sqlite3_exec(db, sql, NULL, NULL, NULL);

	CHECK_INT(sql, code, SQLITE_OK);
	sqlite3_close(db);
}

int64_t
store_unit_rows(const struct store_unit *unit)
{
	return store_unit_int(unit, "SELECT (SELECT count(*) FROM sweep)"
				    " + (SELECT count(*) FROM node)"
				    " + (SELECT count(*) FROM port)"
				    " + (SELECT count(*) FROM role)"
				    " + (SELECT count(*) FROM recorder)");
}

void
store_unit_put(struct ibs_map *map, uint32_t port,
	       enum ibs_port_info_field field, uint64_t value)
{
	ibs_field_put(map->ports[port].pi, &ibs_port_info_fields[field], value);
}

/* A value in every member, none of them 0 or equal to its neighbour's. */
void
store_unit_edit_sweep(struct ibs_map *map)
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
		.clock = { .source = IBS_CLOCK_HOST, .reason = "no HCA clock" },
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

void
store_unit_edit_nodes(struct ibs_map *map)
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

void
store_unit_edit_ports(struct ibs_map *map)
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
	ports[LEAF2_PORT4].behind_read = IBS_READ_STATUS;
	ports[LEAF2_PORT4].behind_status = 0x1c;
	ports[LEAF2_PORT4].behind_tries = 3;
	ports[LEAF2_PORT5].behind_read = IBS_READ_TIMEOUT;
	ports[LEAF2_PORT5].behind_tries = 255;
	memset(ports[LEAF2_PORT0].pi + 8, 0xff, IBS_ATTR_SIZE - 8);
}

void
store_unit_edit_all(struct ibs_map *map)
{
	store_unit_edit_sweep(map);
	store_unit_edit_nodes(map);
	store_unit_edit_ports(map);
}

void
store_unit_edit_speed(struct ibs_map *map)
{
	map->sweep.start_ns = 2000;
	store_unit_put(map, HOST_A, IBS_PI_LinkSpeedExtActive, 2);
	store_unit_put(map, HOST_A, IBS_PI_P_KeyViolations, 9);
}

void
store_unit_edit_name(struct ibs_map *map)
{
	memcpy(map->nodes[2].desc, "renamed", 7);
}

void
store_unit_edit_unplug(struct ibs_map *map)
{
	map->ports[LEAF1_PORT1].peer = IBS_NO_INDEX;
	map->ports[HOST_A].peer = IBS_NO_INDEX;
}

/* unit_map() with the ports of the last node cut off, and then the node. */
static void
edit_gone(struct ibs_map *map)
{
	map->ports[map->ports[HOST_D].peer].peer = IBS_NO_INDEX;
	map->n_ports--;
	map->n_nodes--;
}

void (*const store_unit_history[STORE_UNIT_SWEEPS])(struct ibs_map *map) = {
	NULL,
	store_unit_edit_speed,
	edit_gone,
	store_unit_edit_unplug,
	store_unit_edit_name,
	NULL,
	NULL,
};

/* Hosts hang on leaves, and each leaf on a spine by each of its UP ports. */
#define LEAVES	    400u
#define SPINES	    200u
#define DOWN	    12u
#define UP	    24u
#define SPINE_PORTS (LEAVES * UP / SPINES)

static uint32_t
big_node(struct ibs_map *map, uint8_t type, uint32_t n_ports, uint32_t number)
{
	struct ibs_node node = { .guid = 0xe41d2d0300000000 + 16u * number,
				 .type = type,
				 .n_ports = (uint8_t)n_ports,
				 .n_hops = 4 };
	uint32_t index = 0;

	node.port_guid = node.guid;
	snprintf((char *)node.desc, sizeof(node.desc), "node%05u", number);
	if (ibs_map_add_node(map, &node, &index)) {
		abort();
	}
	return index;
}

static uint32_t
big_port(struct ibs_map *map, uint32_t node, uint32_t num)
{
	struct ibs_map_port port = { .guid = map->nodes[node].guid,
				     .node = node,
				     .peer = IBS_NO_INDEX,
				     .num = (uint8_t)num,
				     .read = IBS_READ_OK,
				     .flags = IBS_PORT_ASKED_EXT,
				     .tries = 1 };
	uint32_t index = 0;

	unit_port_info(port.pi, 2, 3, 4, 7);
	if (ibs_map_add_port(map, &port, &index)) {
		abort();
	}
	return index;
}

static void
big_join(struct ibs_map *map, uint32_t a, uint32_t b)
{
	map->ports[a].peer = b;
	map->ports[b].peer = a;
}

struct ibs_map *
store_unit_big_map(void (*edit)(struct ibs_map *map))
{
	struct ibs_map *map = ibs_map_new();
	uint32_t spine_ports[LEAVES * UP];
	uint32_t number = 0, n_up = 0;

	if (!map) {
		abort();
	}
	for (uint32_t s = 0; s < SPINES; s++) {
		uint32_t node =
			big_node(map, IBS_NODE_SWITCH, SPINE_PORTS, number++);

		big_port(map, node, 0);
		for (uint32_t p = 0; p < SPINE_PORTS; p++) {
			spine_ports[n_up++] = big_port(map, node, p + 1);
		}
	}
	for (uint32_t l = 0; l < LEAVES; l++) {
		uint32_t node =
			big_node(map, IBS_NODE_SWITCH, DOWN + UP, number++);

		big_port(map, node, 0);
		for (uint32_t p = 0; p < UP; p++) {
			big_join(map, big_port(map, node, p + 1),
				 spine_ports[p * LEAVES + l]);
		}
		for (uint32_t p = 0; p < DOWN; p++) {
			uint32_t host = big_node(map, IBS_NODE_CA, 1, number++);

			big_join(map, big_port(map, node, UP + p + 1),
				 big_port(map, host, 1));
		}
	}
	if (edit) {
		edit(map);
	}
	if (ibs_map_freeze(map)) {
		abort();
	}
	return map;
}
