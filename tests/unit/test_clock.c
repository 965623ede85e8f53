// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The counter of the HCA: its rate, what cannot be true, and when it was. */
#include <config.h>

#include "ibspeed/clock.h"

#include "clocked.h"
#include "unit.h"

/* From one anchor to another, at 1 GHz unless the row says so. */
static const struct rate_row {
	const char *name;
	uint64_t khz, mask;
	struct ibs_anchor from, to;
	enum ibs_clock_fault fault;
	double lo, hi; /* the rate, not looked at where both are 0 */
} rates[] = {
	{ "as it should",
	  1000000,
	  MASK_63,
	  { 5, 0, 0 },
	  { 5 + SECOND, SECOND, SECOND },
	  IBS_CLOCK_GOOD,
	  -0.002,
	  0.002 },
	{ "wide anchors are less sure",
	  1000000,
	  MASK_63,
	  { 5, 0, 1000 },
	  { 5 + SECOND, SECOND, SECOND + 1000 },
	  IBS_CLOCK_GOOD,
	  -1.01,
	  1.01 },
	{ "+35 ppm",
	  1000000,
	  MASK_63,
	  { 5, 0, 0 },
	  { 5 + SECOND + 35000, SECOND, SECOND },
	  IBS_CLOCK_GOOD,
	  34.99,
	  35.01 },
	{ "156250 kHz",
	  156250,
	  MASK_63,
	  { 5, 0, 0 },
	  { 156250005, SECOND, SECOND },
	  IBS_CLOCK_GOOD,
	  -0.01,
	  0.01 },
	{ "+499 ppm",
	  1000000,
	  MASK_63,
	  { 5, 0, 0 },
	  { 5 + SECOND + 499000, SECOND, SECOND },
	  IBS_CLOCK_GOOD,
	  0,
	  0 },
	{ "+501 ppm",
	  1000000,
	  MASK_63,
	  { 5, 0, 0 },
	  { 5 + SECOND + 501000, SECOND, SECOND },
	  IBS_CLOCK_RATE,
	  500.9,
	  501.1 },
	{ "-501 ppm",
	  1000000,
	  MASK_63,
	  { 5, 0, 0 },
	  { 5 + SECOND - 501000, SECOND, SECOND },
	  IBS_CLOCK_RATE,
	  -501.1,
	  -500.9 },
	{ "+501 ppm within the bounds of the anchors",
	  1000000,
	  MASK_63,
	  { 5, 0, 2000 },
	  { 5 + SECOND + 501000, SECOND, SECOND + 2000 },
	  IBS_CLOCK_GOOD,
	  0,
	  0 },
	{ "kHz in units of 1000",
	  1000,
	  MASK_63,
	  { 5, 0, 0 },
	  { 5 + SECOND, SECOND, SECOND },
	  IBS_CLOCK_RATE,
	  0,
	  0 },
	{ "no kHz",
	  0,
	  MASK_63,
	  { 5, 0, 0 },
	  { 7, SECOND, SECOND },
	  IBS_CLOCK_GOOD,
	  0,
	  0 },
	{ "no kHz, still",
	  0,
	  MASK_63,
	  { 5, 0, 0 },
	  { 5, SECOND, SECOND },
	  IBS_CLOCK_STILL,
	  0,
	  0 },
	{ "still",
	  1000000,
	  MASK_63,
	  { 5, 0, 0 },
	  { 5, SECOND, SECOND },
	  IBS_CLOCK_STILL,
	  0,
	  0 },
	{ "still for less than a tick",
	  1000,
	  MASK_63,
	  { 5, 0, 0 },
	  { 5, 900, 900 },
	  IBS_CLOCK_GOOD,
	  0,
	  0 },
	{ "back by one",
	  1000000,
	  MASK_63,
	  { 5, 0, 0 },
	  { 4, SECOND, SECOND },
	  IBS_CLOCK_BACK,
	  0,
	  0 },
	{ "from the top to 0",
	  1000000,
	  MASK_63,
	  { MASK_63, 0, 0 },
	  { SECOND - 1, SECOND, SECOND },
	  IBS_CLOCK_GOOD,
	  -0.002,
	  0.002 },
	{ "all 64 bits, from the top",
	  1000000,
	  UINT64_MAX,
	  { UINT64_MAX, 0, 0 },
	  { SECOND - 1, SECOND, SECOND },
	  IBS_CLOCK_GOOD,
	  -0.002,
	  0.002 },
	{ "all 64 bits, back",
	  1000000,
	  UINT64_MAX,
	  { 5, 0, 0 },
	  { 4, SECOND, SECOND },
	  IBS_CLOCK_BACK,
	  0,
	  0 },
	{ "a mask that is not told",
	  1000000,
	  0,
	  { 5, 0, 0 },
	  { 5 + SECOND, SECOND, SECOND },
	  IBS_CLOCK_GOOD,
	  -0.002,
	  0.002 },
	/* 300 s at 1 GHz go round 69 times in 32 bits */
	{ "32 bits, many times round",
	  1000000,
	  UINT32_MAX,
	  { 77, 0, 0 },
	  { (77 + 300 * SECOND) & UINT32_MAX, 300 * SECOND, 300 * SECOND },
	  IBS_CLOCK_GOOD,
	  -0.001,
	  0.001 },
	{ "32 bits that pose as 63",
	  1000000,
	  MASK_63,
	  { 77, 0, 0 },
	  { (77 + 300 * SECOND) & UINT32_MAX, 300 * SECOND, 300 * SECOND },
	  IBS_CLOCK_RATE,
	  0,
	  0 },
	{ "32 bits that pose as 63, and wrapped",
	  1000000,
	  MASK_63,
	  { UINT32_MAX - 5, 0, 0 },
	  { 7, SECOND, SECOND },
	  IBS_CLOCK_BACK,
	  0,
	  0 },
	/* 131 us: after a second nobody knows how often */
	{ "17 bits",
	  1000000,
	  0x1ffff,
	  { 5, 0, 0 },
	  { 7, SECOND, SECOND },
	  IBS_CLOCK_WRAPS,
	  0,
	  0 },
	{ "reset to 0",
	  1000000,
	  MASK_63,
	  { 500 * SECOND, 0, 0 },
	  { 1000, SECOND, SECOND },
	  IBS_CLOCK_BACK,
	  0,
	  0 },
	{ "jump ahead",
	  1000000,
	  MASK_63,
	  { 5, 0, 0 },
	  { 5 + 2 * SECOND, SECOND, SECOND },
	  IBS_CLOCK_RATE,
	  999999,
	  1000001 },
	{ "anchors that overlap",
	  1000000,
	  MASK_63,
	  { 5, 0, 100 },
	  { 60, 50, 150 },
	  IBS_CLOCK_GOOD,
	  0,
	  0 },
};

static void
test_rates(void)
{
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		const struct rate_row *row = &rates[i];
		const struct ibs_clock clock = { .khz = row->khz,
						 .mask = row->mask };
		struct ibs_ppm ppm = { .lo = 1e9, .hi = -1e9 };

		CHECK_INT(row->name,
			  ibs_clock_rate(&clock, &row->from, &row->to, &ppm),
			  row->fault);
		if (row->lo != 0 || row->hi != 0) {
			CHECK(row->name, row->lo <= ppm.lo);
			CHECK(row->name, ppm.lo <= ppm.mid);
			CHECK(row->name, ppm.mid <= ppm.hi);
			CHECK(row->name, ppm.hi <= row->hi);
		}
	}
}

/* Readings in ns after the begin of the sweep. */
static const struct reading_row {
	const char *name;
	uint64_t tx_ns, tx_raw, rx_ns, rx_raw;
	enum ibs_clock_fault fault;
	uint64_t mid_ns, half_ns; /* when it is read by the counter */
} readings[] = {
	{ "at once", 1000, 1000, 1000, 1000, IBS_CLOCK_GOOD, 1000, 1 },
	{ "40 us", 1000, 1050, 41000, 40950, IBS_CLOCK_GOOD, 21000, 20001 },
	{ "the process was stopped before the send", 1000, 900000, 941000,
	  940950, IBS_CLOCK_GOOD, 920249, 20751 },
	{ "and after the receive", 1000, 1050, 941000, 40950, IBS_CLOCK_GOOD,
	  21249, 20250 },
	{ "in the middle, the anchors' widths count", 500000000, 500000000,
	  500040000, 500040000, IBS_CLOCK_GOOD, 500020000, 20001 },
	{ "counted too little: still at the send", 500000000, 499900000,
	  500040000, 500039000, IBS_CLOCK_JUMP, 0, 0 },
	{ "counted too much at the receive", 500000000, 500001000, 500040000,
	  500140000, IBS_CLOCK_JUMP, 0, 0 },
	{ "went back to 0", 500000000, (uint64_t)-7 * SECOND, 500040000,
	  (uint64_t)-7 * SECOND + 40000, IBS_CLOCK_JUMP, 0, 0 },
};

static void
test_readings(void)
{
	struct ibs_clock clock;

	clocked_set(&clock);
	for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		const struct reading_row *row = &readings[i];
		const struct ibs_stamp stamp = clocked_stamp(
			row->tx_ns, row->tx_raw, row->rx_ns, row->rx_raw);
		struct ibs_moment moment;

		CHECK_INT(row->name, ibs_clock_check(&clock, &stamp),
			  row->fault);
		clock.convertible = row->fault == IBS_CLOCK_GOOD;
		CHECK(row->name, ibs_clock_when(&clock, &stamp, &moment));
		CHECK(row->name,
		      moment.mono_ns - moment.half_ns <= stamp.rx.mono_ns);
		CHECK(row->name,
		      moment.mono_ns + moment.half_ns >= stamp.tx.mono_ns);
		if (row->fault != IBS_CLOCK_GOOD) {
			continue;
		}
		CHECK_INT(row->name, moment.mono_ns - 7 * SECOND, row->mid_ns);
		CHECK_INT(row->name, moment.half_ns, row->half_ns);
		CHECK_INT(row->name,
			  moment.real_ns - 1700000000 * (int64_t)SECOND,
			  row->mid_ns);
		CHECK_INT(row->name, moment.real_half_ns, row->half_ns + 50);
	}
}

/* A slow counter and anchors without width: a tick may be just over. */
static void
test_slow(void)
{
	static const uint64_t khz[] = { 1000, 78125, 156250 };

	for (size_t k = 0; k < sizeof(khz) / sizeof(khz[0]); k++) {
		struct ibs_clock clock;

		clocked_set(&clock);
		clock.khz = khz[k];
		clock.convertible = true;
		clock.start = (struct ibs_anchor){ 1, 7 * SECOND, 7 * SECOND };
		clock.end = (struct ibs_anchor){ 1 + khz[k] * 1000, 8 * SECOND,
						 8 * SECOND };
		for (uint64_t ns = 1; ns < SECOND; ns += 1234567) {
			uint64_t raw = 1 + ns * khz[k] / 1000000;
			struct ibs_tick tick = { 7 * SECOND + ns, raw };
			struct ibs_stamp stamp = { tick, tick };
			struct ibs_moment moment;

			CHECK_INT("slow", ibs_clock_check(&clock, &stamp),
				  IBS_CLOCK_GOOD);
			stamp.tx.mono_ns -= 100000;
			stamp.rx.mono_ns += 100000;
			CHECK("slow", ibs_clock_when(&clock, &stamp, &moment));
			CHECK("slow", moment.mono_ns - moment.half_ns <=
					      7 * SECOND + ns);
			CHECK("slow", moment.mono_ns + moment.half_ns >=
					      7 * SECOND + ns);
		}
	}
}

static void
test_host_times(void)
{
	const struct ibs_stamp stamp = { { 7 * SECOND + 1000, 0 },
					 { 7 * SECOND + 3000, 0 } };
	const struct ibs_stamp none = { .tx = { 0 } };
	struct ibs_moment moment;
	struct ibs_clock clock;

	clocked_set(&clock);
	clock.source = IBS_CLOCK_HOST;
	CHECK("host", ibs_clock_when(&clock, &stamp, &moment));
	CHECK_INT("host", moment.mono_ns, 7 * SECOND + 2000);
	CHECK_INT("host", moment.half_ns, 1001);
	CHECK("no stamp", !ibs_clock_when(&clock, &none, &moment));

	/* somebody set the wall clock by an hour: nobody knows when */
	clock.wall_end.real_ns += 3600 * (int64_t)SECOND;
	CHECK("set", ibs_clock_when(&clock, &stamp, &moment));
	CHECK("set", moment.real_half_ns >= 3600 * SECOND);
	clock.wall_end.mono_ns = 0;
	CHECK("no wall", ibs_clock_when(&clock, &stamp, &moment));
	CHECK_INT("no wall", moment.real_ns, 0);
}

static const struct unit_test tests[] = {
	{ "rates", test_rates },
	{ "readings", test_readings },
	{ "slow counters", test_slow },
	{ "host times", test_host_times },
};
UNIT_MAIN("clock", tests)
