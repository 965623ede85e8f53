// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The tables of speed.h: each pair by its row, each rate by libibverbs. */
#include <config.h>

#include "ibspeed/speed.h"

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "unit.h"

#define N_ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* -1: nobody has a value. */
struct pair_row {
	const char *speed;
	unsigned int lanes;
	int32_t eff_100mbps;
	int rate_enum, rate_mult, rate_mbps;
	int64_t signal_kbps;
	uint32_t lane_kbps;
};
static const struct pair_row pair_rows[] = {
	{ "SDR", 1, 25, 2, 1, 2500, 2500000, 2500000 },
	{ "SDR", 2, 50, 5, 2, 5000, 5000000, 2500000 },
	{ "SDR", 4, 100, 3, 4, 10000, 10000000, 2500000 },
	{ "SDR", 8, 200, 6, 8, 20000, 20000000, 2500000 },
	{ "SDR", 12, 300, 4, 12, 30000, 30000000, 2500000 },
	{ "DDR", 1, 50, 5, 2, 5000, 5000000, 5000000 },
	{ "DDR", 2, 100, 3, 4, 10000, 10000000, 5000000 },
	{ "DDR", 4, 200, 6, 8, 20000, 20000000, 5000000 },
	{ "DDR", 8, 400, 7, 16, 40000, 40000000, 5000000 },
	{ "DDR", 12, 600, 8, 24, 60000, 60000000, 5000000 },
	{ "QDR", 1, 100, 3, 4, 10000, 10000000, 10000000 },
	{ "QDR", 2, 200, 6, 8, 20000, 20000000, 10000000 },
	{ "QDR", 4, 400, 7, 16, 40000, 40000000, 10000000 },
	{ "QDR", 8, 800, 9, 32, 80000, 80000000, 10000000 },
	{ "QDR", 12, 1200, 10, 48, 120000, 120000000, 10000000 },
	{ "FDR10", 1, 100, 3, 4, 10000, 10312500, 10312500 },
	{ "FDR10", 2, 200, 6, 8, 20000, 20625000, 10312500 },
	{ "FDR10", 4, 400, 7, 16, 40000, 41250000, 10312500 },
	{ "FDR10", 8, 800, 9, 32, 80000, 82500000, 10312500 },
	{ "FDR10", 12, 1200, 10, 48, 120000, 123750000, 10312500 },
	{ "FDR", 1, 140, 11, 6, 14062, 14062500, 14062500 },
	{ "FDR", 2, 280, 19, 11, 28125, 28125000, 14062500 },
	{ "FDR", 4, 560, 12, 22, 56250, 56250000, 14062500 },
	{ "FDR", 8, 1120, 13, 45, 112500, 112500000, 14062500 },
	{ "FDR", 12, 1680, 14, 67, 168750, 168750000, 14062500 },
	{ "EDR", 1, 250, 15, 10, 25781, 25781250, 25781250 },
	{ "EDR", 2, 500, 20, 20, 53125, 51562500, 25781250 },
	{ "EDR", 4, 1000, 16, 40, 103125, 103125000, 25781250 },
	{ "EDR", 8, 2000, 17, 80, 206250, 206250000, 25781250 },
	{ "EDR", 12, 3000, 18, 120, 309375, 309375000, 25781250 },
	{ "HDR", 1, 500, 20, 20, 53125, 53125000, 53125000 },
	{ "HDR", 2, 1000, 16, 40, 103125, 106250000, 53125000 },
	{ "HDR", 4, 2000, 17, 80, 206250, 212500000, 53125000 },
	{ "HDR", 8, 4000, 21, 160, 425000, 425000000, 53125000 },
	{ "HDR", 12, 6000, 22, 240, 637500, 637500000, 53125000 },
	{ "NDR", 1, 1000, 16, 40, 103125, 106250000, 106250000 },
	{ "NDR", 2, 2000, 17, 80, 206250, 212500000, 106250000 },
	{ "NDR", 4, 4000, 21, 160, 425000, 425000000, 106250000 },
	{ "NDR", 8, 8000, 23, 320, 850000, 850000000, 106250000 },
	{ "NDR", 12, 12000, 24, 480, 1275000, 1275000000, 106250000 },
	{ "XDR", 1, 2000, 17, 80, 206250, 212500000, 212500000 },
	{ "XDR", 2, 4000, 21, 160, 425000, 425000000, 212500000 },
	{ "XDR", 4, 8000, 23, 320, 850000, 850000000, 212500000 },
	{ "XDR", 8, 16000, 25, 640, 1700000, 1700000000, 212500000 },
	{ "XDR", 12, 24000, -1, -1, -1, 2550000000, 212500000 },
};

static void
check_rate(const char *name, const struct pair_row *row)
{
	const struct ibs_rate_row *rate = ibs_rate_by_eff(row->eff_100mbps);

	CHECK_INT(name, rate ? rate->rate_enum : -1, row->rate_enum);
	CHECK_INT(name, rate ? rate->rate_mult : -1, row->rate_mult);
	CHECK_INT(name, rate ? rate->rate_mbps : -1, row->rate_mbps);
	CHECK(name, !rate || ibs_rate_by_enum(row->rate_enum) == rate);
	CHECK(name, !rate || ibs_rate_by_mult(row->rate_mult) == rate);
	CHECK(name, !rate || ibs_rate_by_mbps(row->rate_mbps) == rate);
}

static void
test_pairs(void)
{
	CHECK_INT("pairs", N_ROWS(pair_rows),
		  (IBS_SPEED_COUNT - IBS_SPEED_SDR) *
			  (IBS_WIDTH_COUNT - IBS_WIDTH_1X));
	for (size_t i = 0; i < N_ROWS(pair_rows); i++) {
		const struct pair_row *row = &pair_rows[i];
		enum ibs_speed speed = ibs_speed_from_name(row->speed);
		enum ibs_width width = ibs_width_from_lanes(row->lanes);
		char name[32];

		snprintf(name, sizeof(name), "%s %uX", row->speed, row->lanes);
		CHECK_INT(name, ibs_eff_100mbps(speed, width),
			  row->eff_100mbps);
		CHECK_INT(name, ibs_signal_kbps(speed, width),
			  row->signal_kbps);
		CHECK_INT(name, ibs_speed_row(speed)->lane_kbps,
			  row->lane_kbps);
		check_rate(name, row);
	}
}

/*
 * Where libibverbs has no value and the kernel does: exactly these.  1600 Gb/s
 * is the kernel's IB_RATE_1600_GBPS.
 */
struct exception {
	int input, ours;
};
static const struct exception enum_to_mult[] = {
	{ 11, 6 },  { 12, 22 }, { 13, 45 },  { 14, 67 },  { 15, 10 },
	{ 16, 40 }, { 17, 80 }, { 18, 120 }, { 25, 640 },
};
static const struct exception mult_to_enum[] = {
	{ 6, 11 },  { 10, 15 }, { 22, 12 },  { 40, 16 },  { 45, 13 },
	{ 67, 14 }, { 80, 17 }, { 120, 18 }, { 640, 25 },
};
static const struct exception enum_to_mbps[] = { { 25, 1700000 } };
static const struct exception mbps_to_enum[] = { { 1700000, 25 } };

static int
our_mult(int rate_enum)
{
	const struct ibs_rate_row *row = ibs_rate_by_enum(rate_enum);

	return row ? row->rate_mult : -1;
}

static int
our_mbps(int rate_enum)
{
	const struct ibs_rate_row *row = ibs_rate_by_enum(rate_enum);

	return row ? row->rate_mbps : -1;
}

static int
our_enum_of_mult(int mult)
{
	const struct ibs_rate_row *row = ibs_rate_by_mult(mult);

	return row ? row->rate_enum : IBV_RATE_MAX;
}

static int
our_enum_of_mbps(int mbps)
{
	const struct ibs_rate_row *row = ibs_rate_by_mbps(mbps);

	return row ? row->rate_enum : IBV_RATE_MAX;
}

static int
verbs_mult(int rate_enum)
{
	return ibv_rate_to_mult((enum ibv_rate)rate_enum);
}

static int
verbs_mbps(int rate_enum)
{
	return ibv_rate_to_mbps((enum ibv_rate)rate_enum);
}

static int
verbs_enum_of_mult(int mult)
{
	return (int)mult_to_ibv_rate(mult);
}

static int
verbs_enum_of_mbps(int mbps)
{
	return (int)mbps_to_ibv_rate(mbps);
}

struct conversion {
	const char *name;
	int (*ours)(int input);
	int (*verbs)(int input);
	int last; /* inputs -1..last */
	int none; /* what libibverbs says when it has no value */
	const struct exception *exceptions;
	size_t n_exceptions;
};
static const struct conversion conversions[] = {
	{ "ibv_rate_to_mult", our_mult, verbs_mult, 65535, -1, enum_to_mult,
	  N_ROWS(enum_to_mult) },
	{ "mult_to_ibv_rate", our_enum_of_mult, verbs_enum_of_mult, 65535,
	  IBV_RATE_MAX, mult_to_enum, N_ROWS(mult_to_enum) },
	{ "ibv_rate_to_mbps", our_mbps, verbs_mbps, 65535, -1, enum_to_mbps,
	  N_ROWS(enum_to_mbps) },
	{ "mbps_to_ibv_rate", our_enum_of_mbps, verbs_enum_of_mbps, 2000000,
	  IBV_RATE_MAX, mbps_to_enum, N_ROWS(mbps_to_enum) },
};

static void
check_conversion(const struct conversion *c)
{
	size_t n_differ = 0;

	for (int input = -1; input <= c->last; input++) {
		int ours = c->ours(input), verbs = c->verbs(input);

		if (ours == verbs) {
			continue;
		}
		CHECK_INT(c->name, verbs, c->none);
		if (n_differ < c->n_exceptions) {
			CHECK_INT(c->name, input,
				  c->exceptions[n_differ].input);
			CHECK_INT(c->name, ours, c->exceptions[n_differ].ours);
		}
		n_differ++;
	}
	CHECK_INT(c->name, n_differ, c->n_exceptions);
}

static void
test_verbs(void)
{
	for (size_t i = 0; i < N_ROWS(conversions); i++) {
		check_conversion(&conversions[i]);
	}
}

/* Every rate that libibverbs has a name for is in our table. */
static void
test_verbs_names(void)
{
	static const int enums[] = {
		IBV_RATE_2_5_GBPS, IBV_RATE_5_GBPS,   IBV_RATE_10_GBPS,
		IBV_RATE_20_GBPS,  IBV_RATE_30_GBPS,  IBV_RATE_40_GBPS,
		IBV_RATE_60_GBPS,  IBV_RATE_80_GBPS,  IBV_RATE_120_GBPS,
		IBV_RATE_14_GBPS,  IBV_RATE_56_GBPS,  IBV_RATE_112_GBPS,
		IBV_RATE_168_GBPS, IBV_RATE_25_GBPS,  IBV_RATE_100_GBPS,
		IBV_RATE_200_GBPS, IBV_RATE_300_GBPS, IBV_RATE_28_GBPS,
		IBV_RATE_50_GBPS,  IBV_RATE_400_GBPS, IBV_RATE_600_GBPS,
		IBV_RATE_800_GBPS, IBV_RATE_1200_GBPS
	};

	for (size_t i = 0; i < N_ROWS(enums); i++) {
		CHECK("ibv_rate", ibs_rate_by_enum(enums[i]));
	}
	CHECK("ibv_rate", !ibs_rate_by_enum(IBV_RATE_MAX));
}

static void
test_merit(void)
{
	static const int worst_first[] = { 2,  5,  3,  11, 6,  4,  15, 19,
					   7,  8,  20, 12, 9,  10, 16, 13,
					   14, 17, 18, 21, 22, 23, 24, 25 };
	unsigned int n_rated = 0;

	for (size_t i = 0; i < N_ROWS(worst_first); i++) {
		CHECK_INT("merit", ibs_rate_merit(worst_first[i]), i);
	}
	for (int rate = -1; rate <= 65535; rate++) {
		n_rated += ibs_rate_merit(rate) >= 0;
	}
	CHECK_INT("merit", n_rated, N_ROWS(worst_first));
	CHECK("merit", ibs_rate_merit(10) > ibs_rate_merit(11));
	CHECK("merit", ibs_rate_merit(5) < ibs_rate_merit(4));
}

/* No value of a look-up outside the table, at the edges of the types. */
static void
test_none(void)
{
	static const int64_t values[] = { INT64_MIN,
					  INT32_MIN,
					  -1,
					  0,
					  UINT32_MAX,
					  INT64_MAX,
					  (int64_t)UINT32_MAX + 3 };

	for (size_t i = 0; i < N_ROWS(values); i++) {
		CHECK("none", !ibs_rate_by_eff(values[i]));
		CHECK("none", !ibs_rate_by_enum(values[i]));
		CHECK("none", !ibs_rate_by_mult(values[i]));
		CHECK("none", !ibs_rate_by_mbps(values[i]));
	}
	for (int i = -1; i < 300; i++) {
		enum ibs_speed speed = (enum ibs_speed)i;
		enum ibs_width width = (enum ibs_width)i;
		bool known_speed = i > IBS_SPEED_UNKNOWN && i < IBS_SPEED_COUNT;
		bool known_width = i > IBS_WIDTH_UNKNOWN && i < IBS_WIDTH_COUNT;

		CHECK_INT("speed", !!ibs_speed_row(speed), known_speed);
		CHECK_INT("width", !!ibs_width_row(width), known_width);
		CHECK_INT("speed", ibs_eff_100mbps(speed, IBS_WIDTH_1X) > 0,
			  known_speed);
		CHECK_INT("width", ibs_signal_kbps(IBS_SPEED_SDR, width) > 0,
			  known_width);
	}
	CHECK_INT("speed", ibs_eff_100mbps(IBS_SPEED_NONE, IBS_WIDTH_4X), -1);
	CHECK_INT("width", ibs_signal_kbps(IBS_SPEED_XDR, IBS_WIDTH_NONE), -1);
}

static void
test_names(void)
{
	static const char *const names[IBS_SPEED_COUNT] = {
		"-",   "unknown", "SDR", "DDR", "QDR", "FDR10",
		"FDR", "EDR",	  "HDR", "NDR", "XDR"
	};

	for (int i = 0; i < IBS_SPEED_COUNT; i++) {
		enum ibs_speed speed = (enum ibs_speed)i;

		CHECK_TEXT("name", ibs_speed_name(speed), names[i]);
		CHECK_INT(names[i], ibs_speed_from_name(names[i]),
			  i > IBS_SPEED_UNKNOWN ? i : IBS_SPEED_NONE);
	}
	CHECK_TEXT("name", ibs_speed_name(IBS_SPEED_COUNT), "unknown");
	CHECK_INT("fdr10", ibs_speed_from_name("fdr10"), IBS_SPEED_FDR10);
	CHECK_INT("FDR1", ibs_speed_from_name("FDR1"), IBS_SPEED_NONE);
	CHECK_INT("FDR100", ibs_speed_from_name("FDR100"), IBS_SPEED_NONE);
	CHECK_INT("empty", ibs_speed_from_name(""), IBS_SPEED_NONE);
}

/* active_speed of ibv_port_attr: one bit each, in the order of the speeds. */
static void
test_ib_speeds(void)
{
	for (int i = IBS_SPEED_SDR; i < IBS_SPEED_COUNT; i++) {
		CHECK_INT(ibs_speed_name((enum ibs_speed)i),
			  ibs_speed_row((enum ibs_speed)i)->ib_speed,
			  1 << (i - IBS_SPEED_SDR));
	}
}

static void
test_widths(void)
{
	static const struct {
		unsigned int lanes;
		uint8_t code;
		enum ibs_width width;
	} rows[] = {
		{ 1, 1, IBS_WIDTH_1X },	  { 2, 16, IBS_WIDTH_2X },
		{ 4, 2, IBS_WIDTH_4X },	  { 8, 4, IBS_WIDTH_8X },
		{ 12, 8, IBS_WIDTH_12X },
	};
	unsigned int n_lanes = 0, n_codes = 0;

	for (size_t i = 0; i < N_ROWS(rows); i++) {
		const struct ibs_width_row *row = ibs_width_row(rows[i].width);

		CHECK_INT("width", row->lanes, rows[i].lanes);
		CHECK_INT("width", row->code, rows[i].code);
		CHECK_INT("width", ibs_width_from_lanes(rows[i].lanes),
			  rows[i].width);
		CHECK_INT("width", ibs_width_from_code(rows[i].code),
			  rows[i].width);
		CHECK("width", i == 0 || rows[i].width > rows[i - 1].width);
	}
	for (unsigned int i = 0; i < 256; i++) {
		n_lanes += ibs_width_from_lanes(i) != IBS_WIDTH_NONE;
		n_codes += ibs_width_from_code((uint8_t)i) != IBS_WIDTH_UNKNOWN;
	}
	CHECK_INT("lanes", n_lanes, N_ROWS(rows));
	CHECK_INT("codes", n_codes, N_ROWS(rows));
	CHECK_INT("lanes", ibs_width_from_lanes(256 + 4), IBS_WIDTH_NONE);
}

/* The best of every set is the highest of its members by the table. */
static void
test_sets(void)
{
	CHECK_INT("empty", ibs_speed_best(0), IBS_SPEED_NONE);
	CHECK_INT("empty", ibs_width_best(0), IBS_WIDTH_NONE);
	for (unsigned int set = 4; set < 1u << IBS_SPEED_COUNT; set += 4) {
		int best = 0;

		for (int i = IBS_SPEED_SDR; i < IBS_SPEED_COUNT; i++) {
			best = (set & IBS_BIT(i)) ? i : best;
		}
		CHECK_INT("set", ibs_speed_best((ibs_set)set), best);
	}
	for (unsigned int mask = 0; mask < 256; mask++) {
		unsigned int lanes = 0;
		enum ibs_width best =
			ibs_width_best(ibs_width_set((uint8_t)mask));

		lanes = mask & 1 ? 1 : lanes;
		lanes = mask & 16 ? 2 : lanes;
		lanes = mask & 2 ? 4 : lanes;
		lanes = mask & 4 ? 8 : lanes;
		lanes = mask & 8 ? 12 : lanes;
		CHECK_INT("mask", best, ibs_width_from_lanes(lanes));
	}
}

static const struct unit_test tests[] = {
	{ "45 pairs", test_pairs },
	{ "libibverbs", test_verbs },
	{ "libibverbs names", test_verbs_names },
	{ "merit", test_merit },
	{ "none", test_none },
	{ "names", test_names },
	{ "ib_port_speed", test_ib_speeds },
	{ "widths", test_widths },
	{ "sets", test_sets },
};
UNIT_MAIN("speed", tests)
