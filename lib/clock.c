// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The arithmetic of the HCA's counter: all of it modulo its mask. */
#include <config.h>

#include "ibspeed/clock.h"

#include <stdio.h>

#define NS_KHZ_PER_TICK 1e6
#define MILLION		1e6

static const char *const source_names[IBS_CLOCK_SOURCE_COUNT] = {
#define X(id, name) [IBS_CLOCK_##id] = (name),
	IBS_CLOCK_SOURCES(X)
#undef X
};

const char *
ibs_clock_source_name(enum ibs_clock_source source)
{
	return source_names[source];
}

static double
smaller(double a, double b)
{
	return a < b ? a : b;
}

static double
larger(double a, double b)
{
	return a > b ? a : b;
}

/* A double holds no more of a count than this. */
#define COUNT_MAX 9e18

static int64_t
rounded(double value)
{
	value = smaller(larger(value, -COUNT_MAX), COUNT_MAX);
	return (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
}

static double
since(uint64_t from_ns, uint64_t to_ns)
{
	return (double)(int64_t)(to_ns - from_ns);
}

static uint64_t
mask_of(const struct ibs_clock *clock)
{
	return clock->mask ? clock->mask : UINT64_MAX;
}

static double
ticks_in(const struct ibs_clock *clock, double ns)
{
	return ns * (double)clock->khz / NS_KHZ_PER_TICK;
}

/*
 * The ticks from one value of the counter to another, when about so many ns
 * have passed: that tells how often it went round.  Without kHz it is the
 * shorter way round, which may be back.
 */
static int64_t
ticks_between(const struct ibs_clock *clock, uint64_t from, uint64_t to,
	      double ns)
{
	uint64_t mask = mask_of(clock), ticks = (to - from) & mask;
	double missing = ticks_in(clock, ns) - (double)ticks;
	int64_t rounds;

	if (clock->khz == 0) {
		rounds = ticks > mask / 2 ? -1 : 0;
	} else {
		rounds = rounded(missing / ((double)mask + 1));
	}
	return (int64_t)(ticks + (uint64_t)rounds * (mask + 1));
}

static double
middle_ns(const struct ibs_anchor *from, const struct ibs_anchor *to)
{
	return (since(from->before_ns, to->before_ns) +
		since(from->after_ns, to->after_ns)) /
	       2;
}

/* Within so many ns nobody knows how often it went round. */
static bool
wraps_too_fast(const struct ibs_clock *clock, double ns)
{
	double off = ticks_in(clock, ns) * 2 * IBS_PPM_MAX / MILLION;

	return off >= (double)mask_of(clock) / 2;
}

static double
ppm_of(double ticks, double expected)
{
	return (ticks / expected - 1) * MILLION;
}

/* A tick is counted when it is over, hence the one more and less. */
static void
bound_rate(const struct ibs_clock *clock, const struct ibs_anchor *from,
	   const struct ibs_anchor *to, int64_t ticks, struct ibs_ppm *ret_ppm)
{
	double least_ns = since(from->after_ns, to->before_ns);
	double most_ns = since(from->before_ns, to->after_ns);

	if (least_ns <= 0) {
		return; /* they overlap: no rate can be told */
	}
	ret_ppm->baseline_ns = (uint64_t)middle_ns(from, to);
	ret_ppm->lo = ppm_of((double)ticks - 1, ticks_in(clock, most_ns));
	ret_ppm->mid =
		ppm_of((double)ticks, ticks_in(clock, middle_ns(from, to)));
	ret_ppm->hi = ppm_of((double)ticks + 1, ticks_in(clock, least_ns));
}

enum ibs_clock_fault
ibs_clock_rate(const struct ibs_clock *clock, const struct ibs_anchor *from,
	       const struct ibs_anchor *to, struct ibs_ppm *ret_ppm)
{
	struct ibs_ppm ppm = { 0 };
	double ns = middle_ns(from, to);
	int64_t ticks = ticks_between(clock, from->raw, to->raw, ns);

	if (ticks == 0 && (clock->khz == 0 || ticks_in(clock, ns) >= 2)) {
		return IBS_CLOCK_STILL;
	}
	if (clock->khz && wraps_too_fast(clock, ns)) {
		return IBS_CLOCK_WRAPS;
	}
	if (ticks < 0) {
		return IBS_CLOCK_BACK;
	}
	if (clock->khz == 0) {
		return IBS_CLOCK_GOOD;
	}
	bound_rate(clock, from, to, ticks, &ppm);
	if (ppm.baseline_ns == 0) {
		return IBS_CLOCK_GOOD;
	}
	*ret_ppm = ppm;
	return ppm.lo > IBS_PPM_MAX || ppm.hi < -IBS_PPM_MAX ? IBS_CLOCK_RATE
							     : IBS_CLOCK_GOOD;
}

/* --- readings between the anchors ---------------------------------------- */

/* Earliest and latest time of a value of the counter; ns after start. */
struct bounds {
	double least_ns;
	double most_ns;
};

/*
 * As the ticks are between those of the anchors, the times are.  The rate may
 * change by IBS_PPM_STEADY on the way to the nearer anchor, and a tick is
 * counted when it is over.
 */
static struct bounds
bounds_of(const struct ibs_clock *clock, const struct ibs_tick *tick)
{
	const struct ibs_anchor *start = &clock->start, *end = &clock->end;
	uint64_t origin_ns = start->before_ns;
	double whole_ns = middle_ns(start, end);
	double at_ns = since(origin_ns, tick->mono_ns);
	double whole =
		(double)ticks_between(clock, start->raw, end->raw, whole_ns);
	double part =
		(double)ticks_between(clock, start->raw, tick->raw, at_ns);
	double slack_ns = larger(0, smaller(at_ns, whole_ns - at_ns)) *
			  IBS_PPM_STEADY / MILLION;
	double width_ns = since(origin_ns, start->after_ns);

	return (struct bounds){
		.least_ns = (part - 1) / (whole + 1) *
				    since(origin_ns, end->before_ns) -
			    slack_ns,
		.most_ns = width_ns +
			   (part + 1) / larger(1, whole - 1) *
				   since(start->after_ns, end->after_ns) +
			   slack_ns,
	};
}

/* Without kHz there is their order alone. */
static bool
in_order(const struct ibs_clock *clock, const struct ibs_stamp *stamp)
{
	return ticks_between(clock, clock->start.raw, stamp->tx.raw, 0) >= 0 &&
	       ticks_between(clock, stamp->tx.raw, stamp->rx.raw, 0) >= 0 &&
	       ticks_between(clock, stamp->rx.raw, clock->end.raw, 0) >= 0;
}

/*
 * The counter was read after the host's clock when the Get was sent, and before
 * it when the answer had come.
 */
enum ibs_clock_fault
ibs_clock_check(const struct ibs_clock *clock, const struct ibs_stamp *stamp)
{
	uint64_t origin_ns = clock->start.before_ns;
	double tx_ns = since(origin_ns, stamp->tx.mono_ns);
	double rx_ns = since(origin_ns, stamp->rx.mono_ns);

	if (clock->khz == 0) {
		return in_order(clock, stamp) ? IBS_CLOCK_GOOD : IBS_CLOCK_JUMP;
	}
	return bounds_of(clock, &stamp->tx).most_ns < tx_ns ||
			       bounds_of(clock, &stamp->rx).least_ns > rx_ns
		       ? IBS_CLOCK_JUMP
		       : IBS_CLOCK_GOOD;
}

void
ibs_clock_tell(enum ibs_clock_fault fault, const struct ibs_clock *clock,
	       char *ret_text, size_t size)
{
	const char *device = clock->device;

	switch (fault) {
	case IBS_CLOCK_GOOD:
		ret_text[0] = '\0';
		return;
	case IBS_CLOCK_STILL:
		(void)snprintf(ret_text, size, "the counter of %s stands still",
			       device);
		return;
	case IBS_CLOCK_BACK:
		(void)snprintf(ret_text, size, "the counter of %s went back",
			       device);
		return;
	case IBS_CLOCK_RATE:
		(void)snprintf(ret_text, size,
			       "the counter of %s is %+.0f ppm off its %ju kHz",
			       device, clock->rate.mid, (uintmax_t)clock->khz);
		return;
	case IBS_CLOCK_WRAPS:
		(void)snprintf(ret_text, size,
			       "the counter of %s wraps around too often",
			       device);
		return;
	case IBS_CLOCK_JUMP:
		(void)snprintf(ret_text, size, "the counter of %s jumped",
			       device);
		return;
	}
}

/* --- when ---------------------------------------------------------------- */

/* The wall clock at a time: between the pairs of both ends of the sweep. */
static void
find_real(const struct ibs_clock *clock, struct ibs_moment *moment)
{
	const struct ibs_wall *start = &clock->wall_start;
	const struct ibs_wall *end = &clock->wall_end;
	double passed_ns = since(start->mono_ns, moment->mono_ns);
	double whole_ns = since(start->mono_ns, end->mono_ns);
	double real_ns = (double)(end->real_ns - start->real_ns);
	double drift_ns = real_ns - whole_ns;
	uint64_t half_ns =
		start->half_ns > end->half_ns ? start->half_ns : end->half_ns;

	if (start->mono_ns == 0 || end->mono_ns == 0 || whole_ns <= 0) {
		return;
	}
	passed_ns += drift_ns * passed_ns / whole_ns;
	moment->real_ns = (int64_t)((uint64_t)start->real_ns +
				    (uint64_t)rounded(passed_ns));
	/* Nobody knows when it was set, if it was. */
	moment->real_half_ns = moment->half_ns + half_ns +
			       (uint64_t)larger(drift_ns, -drift_ns);
}

bool
ibs_clock_when(const struct ibs_clock *clock, const struct ibs_stamp *stamp,
	       struct ibs_moment *ret_moment)
{
	struct ibs_moment moment = { 0 };
	uint64_t origin_ns = stamp->tx.mono_ns;
	double least_ns = 0, most_ns = since(origin_ns, stamp->rx.mono_ns);

	if (origin_ns == 0) {
		return false;
	}
	if (clock->convertible && stamp->tx.raw && stamp->rx.raw) {
		double start_ns = since(clock->start.before_ns, origin_ns);
		struct bounds tx = bounds_of(clock, &stamp->tx);
		struct bounds rx = bounds_of(clock, &stamp->rx);
		double by_tx_ns = larger(0, tx.least_ns - start_ns);
		double by_rx_ns = smaller(most_ns, rx.most_ns - start_ns);

		if (by_tx_ns <= by_rx_ns) {
			least_ns = by_tx_ns;
			most_ns = by_rx_ns;
		}
	}
	moment.mono_ns = origin_ns + (uint64_t)((least_ns + most_ns) / 2);
	moment.half_ns = (uint64_t)((most_ns - least_ns) / 2) + 1;
	find_real(clock, &moment);
	*ret_moment = moment;
	return true;
}
