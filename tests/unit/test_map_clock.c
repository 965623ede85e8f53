// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The clock of a sweep that is over, and its stamps in few bytes. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clocked.h"
#include "ibspeed/map.h"
#include "stamps.h"
#include "unit.h"

/* --- the clock of a map -------------------------------------------------- */

static struct ibs_map *
stamped_map(void)
{
	struct ibs_map *map = unit_map(NULL);

	clocked_set(&map->sweep.clock);
	map->sweep.start_mono_ns = 7 * SECOND;
	for (uint32_t i = 0; i < map->n_ports; i++) {
		uint64_t at = 1000 + 100000 * (uint64_t)i;

		map->ports[i].stamp =
			clocked_stamp(at, at + 50, at + 40000, at + 39950);
	}
	return map;
}

static const struct settle_row {
	const char *name;
	uint64_t khz, mask;
	int64_t first;	   /* ns of the epoch before the sweep */
	int64_t first_raw; /* ticks of it, -1 as many */
	uint64_t end_raw;  /* too many of the sweep */
	uint64_t port_raw; /* too many of one port */
	enum ibs_clock_fault fault;
	enum ibs_clock_source source;
	bool convertible;
	const char *reason;
} settles[] = {
	{ "good", 1000000, MASK_63, 0, -1, 0, 0, IBS_CLOCK_GOOD, IBS_CLOCK_HCA,
	  true, "" },
	{ "good for long", 1000000, MASK_63, 5000000000, -1, 0, 0,
	  IBS_CLOCK_GOOD, IBS_CLOCK_HCA, true, "" },
	{ "no kHz", 0, MASK_63, 0, -1, 0, 0, IBS_CLOCK_GOOD, IBS_CLOCK_HCA,
	  false, "mlx5_0 does not tell the kHz of its counter" },
	{ "no mask", 1000000, 0, 0, -1, 0, 0, IBS_CLOCK_GOOD, IBS_CLOCK_HCA,
	  false, "mlx5_0 does not tell the width of its counter" },
	{ "another kHz", 999000, MASK_63, 0, -1, 0, 0, IBS_CLOCK_RATE,
	  IBS_CLOCK_HCA, false,
	  "the counter of mlx5_0 is +1001 ppm off its 999000 kHz" },
	{ "17 bits", 1000000, 0x1ffff, 0, -1, 0, 0, IBS_CLOCK_WRAPS,
	  IBS_CLOCK_HCA, false,
	  "the counter of mlx5_0 wraps around too often" },
	{ "it was good, and is no more", 1000000, MASK_63, 5000000000, -1,
	  1000000, 0, IBS_CLOCK_JUMP, IBS_CLOCK_HOST, false,
	  "the counter of mlx5_0 jumped" },
	{ "one reading", 1000000, MASK_63, 0, -1, 0, 500000, IBS_CLOCK_JUMP,
	  IBS_CLOCK_HOST, false, "the counter of mlx5_0 jumped" },
	{ "still", 1000000, MASK_63, 0, -1, (uint64_t)-1000000000, 0,
	  IBS_CLOCK_STILL, IBS_CLOCK_HOST, false,
	  "the counter of mlx5_0 stands still" },
	{ "back", 1000000, MASK_63, 0, -1, (uint64_t)-1000000050, 0,
	  IBS_CLOCK_BACK, IBS_CLOCK_HOST, false,
	  "the counter of mlx5_0 went back" },
	{ "between the sweeps", 1000000, MASK_63, 5000000000, 4000000000, 0, 0,
	  IBS_CLOCK_JUMP, IBS_CLOCK_HOST, false,
	  "the counter of mlx5_0 jumped" },
};

static void
check_settle(const struct settle_row *row)
{
	struct ibs_map *map = stamped_map();
	struct ibs_clock *clock = &map->sweep.clock;
	struct ibs_anchor first = clock->start;

	clock->khz = row->khz;
	clock->mask = row->mask;
	first.before_ns -= (uint64_t)row->first;
	first.after_ns -= (uint64_t)row->first;
	first.raw -=
		(uint64_t)(row->first_raw < 0 ? row->first : row->first_raw);
	clock->end.raw += row->end_raw;
	map->ports[5].stamp.rx.raw += row->port_raw;
	CHECK_INT(row->name, ibs_map_settle_clock(map, &first), row->fault);
	CHECK_INT(row->name, clock->source, row->source);
	CHECK_INT(row->name, clock->convertible, row->convertible);
	CHECK_TEXT(row->name, clock->reason, row->reason);
	CHECK_INT(row->name, map->ports[5].stamp.tx.raw != 0,
		  row->source == IBS_CLOCK_HCA);
	CHECK(row->name, map->ports[5].stamp.tx.mono_ns != 0);
	ibs_map_free(map);
}

static void
test_settle(void)
{
	for (size_t i = 0; i < sizeof(settles) / sizeof(settles[0]); i++) {
		check_settle(&settles[i]);
	}
}

/* --- stamps in few bytes ------------------------------------------------- */

static bool
same_stamp(const struct ibs_stamp *a, const struct ibs_stamp *b)
{
	return a->tx.mono_ns == b->tx.mono_ns && a->tx.raw == b->tx.raw &&
	       a->rx.mono_ns == b->rx.mono_ns && a->rx.raw == b->rx.raw;
}

static void
test_stamps(void)
{
	struct ibs_map *map = stamped_map(), *copy = stamped_map();
	bool *chosen = calloc(map->n_ports, sizeof(*chosen));
	uint8_t *data = malloc((size_t)map->n_ports * IBS_STAMP_SIZE_MAX);
	size_t n, rest;

	chosen[0] = chosen[3] = chosen[map->n_ports - 1] = true;
	map->ports[1].stamp = (struct ibs_stamp){ .tx = { 0 } };
	map->ports[2].stamp.tx.raw = map->ports[2].stamp.rx.raw = 0;
	map->ports[3].stamp =
		(struct ibs_stamp){ { 1, UINT64_MAX }, { INT64_MAX, 1 } };
	for (uint32_t i = 0; i < copy->n_ports; i++) {
		copy->ports[i].stamp = (struct ibs_stamp){ .tx = { 0 } };
	}
	n = ibs_stamps_pack(map, chosen, true, data);
	rest = ibs_stamps_pack(map, chosen, false, data + n);
	CHECK_INT("some", ibs_stamps_unpack(copy, data, n), 0);
	CHECK("some", same_stamp(&copy->ports[3].stamp, &map->ports[3].stamp));
	CHECK_INT("some", copy->ports[4].stamp.tx.mono_ns, 0);
	CHECK_INT("all", ibs_stamps_unpack(copy, data + n, rest), 0);
	for (uint32_t i = 0; i < copy->n_ports; i++) {
		CHECK("all",
		      same_stamp(&copy->ports[i].stamp, &map->ports[i].stamp));
	}
	CHECK("small", rest <= map->n_ports * 20);

	CHECK_INT("cut", ibs_stamps_unpack(copy, data, n - 1), -EPROTO);
	copy->n_ports = 3;
	CHECK_INT("another map", ibs_stamps_unpack(copy, data, n), -EPROTO);
	copy->n_ports = map->n_ports;
	memset(data, 0xff, 64);
	CHECK_INT("noise", ibs_stamps_unpack(copy, data, 64), -EPROTO);
	free(data);
	free(chosen);
	ibs_map_free(copy);
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "the clock of a map", test_settle },
	{ "stamps in few bytes", test_stamps },
};
UNIT_MAIN("map clock", tests)
