// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Files of older versions: nothing in them is lost. */
#include <config.h>

#include "ibspeed/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "store_unit.h"
#include "unit.h"

#define DUMP_SIZE 65536

/* The SQL of a file of tests/data, into a store. */
static void
make_old(const struct store_unit *unit, const char *name)
{
	const char *srcdir = getenv("srcdir");
	static char sql[DUMP_SIZE];
	char path[512];
	FILE *file;
	size_t n;

	snprintf(path, sizeof(path), "%s/tests/data/%s", srcdir ? srcdir : ".",
		 name);
	file = fopen(path, "r");
	n = file ? fread(sql, 1, sizeof(sql) - 1, file) : 0;
	CHECK(path, n > 0 && n < sizeof(sql) - 1);
	sql[n] = '\0';
	if (file) {
		fclose(file);
	}
	store_unit_exec(unit, sql);
}

/* What each sweep of the file was made from. */
static void (*const all_values[])(struct ibs_map *map) = {
	store_unit_edit_all
};

static const struct {
	const char *name;
	void (*const *edits)(struct ibs_map *map);
	int n_sweeps;
	int64_t n_nodes, n_ports; /* states in the file */
} old_files[] = {
	{ "store_1_history.sql", store_unit_history, STORE_UNIT_SWEEPS, 9, 25 },
	{ "store_1_values.sql", all_values, 1, 6, 16 },
};

static void
check_old(size_t i, const struct store_unit *unit, struct ibs_store *store)
{
	const char *name = old_files[i].name;
	struct ibs_map *map = NULL;
	int64_t id = 0;

	for (int s = 0; s < old_files[i].n_sweeps; s++) {
		map = unit_map(old_files[i].edits[s]);
		map->sweep.id = s + 1;
		store_unit_check(name, store, s + 1, map);
		if (s + 1 < old_files[i].n_sweeps) {
			ibs_map_free(map);
		}
	}
	CHECK_INT(name, store_unit_int(unit, "SELECT count(*) FROM node"),
		  old_files[i].n_nodes);
	CHECK_INT(name, store_unit_int(unit, "SELECT count(*) FROM port"),
		  old_files[i].n_ports);
	/* the same map again is no change */
	CHECK_INT(name, ibs_store_record(store, NULL, map, &id), 0);
	CHECK_INT(name, id, old_files[i].n_sweeps + 1);
	CHECK_INT(name, store_unit_rows(unit),
		  id + old_files[i].n_nodes + old_files[i].n_ports);
	ibs_map_free(map);
}

/* What came later is there, too. */
static void
check_new(struct ibs_store *store)
{
	const struct ibs_acceptance acceptance = { .at_ns = 1, .who = "me" };
	struct ibs_accepted accepted = { .n_links = 0 };
	struct ibs_baseline baseline;
	struct ibs_map *map = NULL;

	CHECK_INT("load", ibs_store_load(store, 0, &map), 0);
	CHECK_INT("accept",
		  ibs_store_accept(store, map, &acceptance, &accepted), 0);
	CHECK_INT("baseline",
		  ibs_store_get_baseline(store, IBS_STORE_NOW, &baseline), 0);
	CHECK_INT("baseline", baseline.n_links, accepted.n_links);
	ibs_baseline_free(&baseline);
	ibs_map_free(map);
}

static void
test_migrate(void)
{
	for (size_t i = 0; i < sizeof(old_files) / sizeof(old_files[0]); i++) {
		struct ibs_store *store;
		struct store_unit unit;

		store_unit_make(&unit);
		make_old(&unit, old_files[i].name);
		store_unit_refused(old_files[i].name, unit.path, IBS_STORE_READ,
				   -EPROTO);
		store = store_unit_open(&unit, IBS_STORE_WRITE);
		if (store) {
			check_old(i, &unit, store);
			check_new(store);
		}
		ibs_store_close(store);
		CHECK_INT(old_files[i].name,
			  store_unit_int(&unit, "PRAGMA user_version"),
			  IBS_STORE_VERSION);
		store_unit_remove(&unit);
	}
}

/* An older file that does not hold together stays as it is. */
static void
test_damaged(void)
{
	struct store_unit unit;

	store_unit_make(&unit);
	make_old(&unit, "store_1_values.sql");
	store_unit_exec(&unit, "UPDATE port SET read = 'x' WHERE id = 3");
	store_unit_refused("damaged", unit.path, IBS_STORE_WRITE, -EPROTO);
	CHECK_INT("untouched", store_unit_int(&unit, "PRAGMA user_version"), 1);
	CHECK_INT("untouched",
		  store_unit_int(&unit, "SELECT count(*) FROM port"
					" WHERE read = 'x'"),
		  1);
	store_unit_remove(&unit);
}

static const struct unit_test tests[] = {
	{ "a file of version 1", test_migrate },
	{ "a damaged file of version 1", test_damaged },
};
UNIT_MAIN("store_old", tests)
