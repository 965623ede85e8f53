// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "store_unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
check_anchor(const char *row, const struct ibs_anchor *a,
	     const struct ibs_anchor *b)
{
	CHECK_INT(row, a->raw, b->raw);
	CHECK_INT(row, a->before_ns, b->before_ns);
	CHECK_INT(row, a->after_ns, b->after_ns);
}

static void
check_wall(const char *row, const struct ibs_wall *a, const struct ibs_wall *b)
{
	CHECK_INT(row, a->real_ns, b->real_ns);
	CHECK_INT(row, a->mono_ns, b->mono_ns);
	CHECK_INT(row, a->half_ns, b->half_ns);
	CHECK_INT(row, a->max_error_ns, b->max_error_ns);
	CHECK_INT(row, a->tai_s, b->tai_s);
}

static void
check_clock(const char *row, const struct ibs_clock *a,
	    const struct ibs_clock *b)
{
	CHECK_INT(row, a->source, b->source);
	CHECK_INT(row, a->convertible, b->convertible);
	CHECK_TEXT(row, a->reason, b->reason);
	CHECK_TEXT(row, a->device, b->device);
	CHECK_INT(row, a->port_num, b->port_num);
	CHECK_INT(row, a->port_guid, b->port_guid);
	CHECK_INT(row, a->node_guid, b->node_guid);
	CHECK_INT(row, a->khz, b->khz);
	CHECK_INT(row, a->mask, b->mask);
	CHECK_INT(row, a->epoch_ns, b->epoch_ns);
	CHECK_TEXT(row, a->boot_id, b->boot_id);
	CHECK_INT(row, a->n_failures, b->n_failures);
	check_anchor(row, &a->start, &b->start);
	check_anchor(row, &a->end, &b->end);
	check_wall(row, &a->wall_start, &b->wall_start);
	check_wall(row, &a->wall_end, &b->wall_end);
	CHECK(row, a->rate.lo == b->rate.lo && a->rate.mid == b->rate.mid &&
			   a->rate.hi == b->rate.hi);
	CHECK_INT(row, a->rate.baseline_ns, b->rate.baseline_ns);
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
	check_clock(row, &a->clock, &b->clock);
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
