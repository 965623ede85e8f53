// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The clock of a sweep and the times of its readings come back. */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "clocked.h"
#include "store_unit.h"
#include "unit.h"

static void
edit_clock(struct ibs_map *map)
{
	clocked_fill(&map->sweep.clock);
}

static void
stamp_ports(struct ibs_map *map, uint64_t begin_ns)
{
	clocked_set(&map->sweep.clock);
	map->sweep.start_mono_ns = 7 * SECOND;
	for (uint32_t i = 0; i < map->n_ports; i++) {
		uint64_t at = begin_ns + 100000 * (uint64_t)i;

		map->ports[i].stamp =
			clocked_stamp(at, at + 50, at + 40000, at + 39950);
	}
}

static void
edit_first(struct ibs_map *map)
{
	stamp_ports(map, 1000);
}

static void
edit_speed(struct ibs_map *map)
{
	store_unit_edit_speed(map);
	stamp_ports(map, 2000);
}

static void
edit_third(struct ibs_map *map)
{
	store_unit_edit_speed(map);
	stamp_ports(map, 3000);
}

static void
test_round_trip(void)
{
	struct ibs_map *map = unit_map(edit_clock), *got = NULL;
	struct ibs_store *store;
	struct store_unit unit;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	store_unit_record(store, NULL, map);
	CHECK_INT("load", ibs_store_load(store, 0, &got), 0);
	if (got) {
		clocked_check("clock", &got->sweep.clock, &map->sweep.clock);
	}
	ibs_map_free(got);
	ibs_store_close(store);
	ibs_map_free(map);
	store_unit_remove(&unit);
}

/* How many ports of a sweep have the times that they were recorded with. */
static uint32_t
count_stamps(struct ibs_store *store, int64_t sweep_id,
	     const struct ibs_map *recorded)
{
	struct ibs_map *map = NULL;
	uint32_t n = 0;

	CHECK_INT("load", ibs_store_load(store, sweep_id, &map), 0);
	for (uint32_t i = 0; map && i < map->n_ports; i++) {
		const struct ibs_stamp *got = &map->ports[i].stamp;

		n += got->tx.mono_ns != 0;
		CHECK("as recorded",
		      !got->tx.mono_ns || memcmp(got, &recorded->ports[i].stamp,
						 sizeof(*got)) == 0);
	}
	ibs_map_free(map);
	return n;
}

/* All of the first and of the latest; in between, of what changed. */
static void
test_stamps(void)
{
	struct ibs_map *maps[] = { unit_map(edit_first), unit_map(edit_speed),
				   unit_map(edit_third) };
	uint32_t n_ports = maps[0]->n_ports;
	struct ibs_store *store;
	struct store_unit unit;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	store_unit_record(store, NULL, maps[0]);
	store_unit_record(store, maps[0], maps[1]);
	CHECK_INT("latest", count_stamps(store, 2, maps[1]), n_ports);
	store_unit_record(store, maps[1], maps[2]);
	CHECK_INT("first", count_stamps(store, 1, maps[0]), n_ports);
	CHECK_INT("older", count_stamps(store, 2, maps[1]), 1);
	CHECK_INT("latest", count_stamps(store, 3, maps[2]), n_ports);
	ibs_store_close(store);
	for (int i = 0; i < 3; i++) {
		ibs_map_free(maps[i]);
	}
	store_unit_remove(&unit);
}

/* What no clock can have, and no stamps of that map. */
static const char *const damages[] = {
	"UPDATE clock SET convertible = 2",
	"UPDATE clock SET port_num = 256",
	"UPDATE clock SET khz = -1",
	"UPDATE clock SET ppm_lo = 9e999",
	"UPDATE clock SET ppm_mid = -9e999",
	"UPDATE clock SET ppm_lo = 3, ppm_mid = 2, ppm_hi = 4",
	"UPDATE clock SET baseline_ns = -1",
	"UPDATE clock SET start_after_ns = start_before_ns - 1",
	"UPDATE clock SET end_before_ns = start_before_ns - 1",
	"UPDATE clock SET start_half_ns = -1",
	"UPDATE clock SET end_mono_ns = start_mono_ns - 1",
	"UPDATE clock SET end_real_ns = -9223372036854775807",
	"UPDATE clock SET changed = x'ff'",
	"UPDATE clock SET changed = x'01ffffffffffffffffffff'",
	"UPDATE clock SET device = printf('%.100c', 'x')",
	"DELETE FROM clock",
};

static void
test_damaged(void)
{
	struct ibs_map *map = unit_map(edit_first);

	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct ibs_map *got = NULL;
		struct ibs_store *store;
		struct store_unit unit;

		store_unit_make(&unit);
		store = store_unit_open(&unit, IBS_STORE_WRITE);
		store_unit_record(store, NULL, map);
		store_unit_exec(&unit, damages[i]);
		CHECK_INT(damages[i], ibs_store_load(store, 0, &got), -EPROTO);
		ibs_map_free(got);
		ibs_store_close(store);
		store_unit_remove(&unit);
	}
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "the clock", test_round_trip },
	{ "the times of the readings", test_stamps },
	{ "what no clock can have", test_damaged },
};
UNIT_MAIN("store clock", tests)
