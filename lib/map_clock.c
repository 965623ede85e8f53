// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The clock of a sweep that is over: are its ticks to be believed? */
#include <config.h>

#include <stdio.h>

#include "ibspeed/map.h"

static void
drop_ticks(struct ibs_map *map)
{
	map->sweep.clock.start = map->sweep.clock.end =
		(struct ibs_anchor){ 0 };
	for (uint32_t i = 0; i < map->n_ports; i++) {
		map->ports[i].stamp.tx.raw = map->ports[i].stamp.rx.raw = 0;
	}
}

static enum ibs_clock_fault
check_readings(const struct ibs_map *map)
{
	const struct ibs_clock *clock = &map->sweep.clock;
	enum ibs_clock_fault fault = IBS_CLOCK_GOOD;

	for (uint32_t i = 0; i < map->n_ports && fault == IBS_CLOCK_GOOD; i++) {
		const struct ibs_stamp *stamp = &map->ports[i].stamp;

		if (stamp->tx.raw && stamp->rx.raw) {
			fault = ibs_clock_check(clock, stamp);
		}
	}
	return fault;
}

/* A rate that was good for a while and is no more was not the kHz's fault. */
static bool
was_measured(const struct ibs_clock *clock, const struct ibs_anchor *first)
{
	return clock->start.before_ns - first->after_ns >=
		       IBS_RATE_MEASURED_NS &&
	       clock->start.before_ns > first->after_ns;
}

static enum ibs_clock_fault
find_fault(struct ibs_map *map, const struct ibs_anchor *first)
{
	struct ibs_clock *clock = &map->sweep.clock;
	enum ibs_clock_fault fault =
		ibs_clock_rate(clock, &clock->start, &clock->end, &clock->rate);

	if (fault == IBS_CLOCK_RATE && was_measured(clock, first)) {
		fault = IBS_CLOCK_JUMP;
	}
	if (fault == IBS_CLOCK_GOOD) {
		fault = check_readings(map);
	}
	if (fault == IBS_CLOCK_GOOD && first->raw != clock->start.raw &&
	    ibs_clock_rate(clock, first, &clock->end, &clock->rate) ==
		    IBS_CLOCK_RATE) {
		fault = IBS_CLOCK_JUMP;
	}
	return fault;
}

enum ibs_clock_fault
ibs_map_settle_clock(struct ibs_map *map, const struct ibs_anchor *first)
{
	struct ibs_clock *clock = &map->sweep.clock;
	enum ibs_clock_fault fault;

	if (clock->source != IBS_CLOCK_HCA) {
		drop_ticks(map);
		return IBS_CLOCK_GOOD;
	}
	fault = find_fault(map, first);
	if (fault != IBS_CLOCK_GOOD) {
		ibs_clock_tell(fault, clock, clock->reason,
			       sizeof(clock->reason));
	} else if (!clock->khz || !clock->mask) {
		(void)snprintf(clock->reason, sizeof(clock->reason),
			       "%s does not tell the %s of its counter",
			       clock->device, clock->khz ? "width" : "kHz");
	} else {
		clock->convertible = true;
	}
	if (fault != IBS_CLOCK_GOOD && fault != IBS_CLOCK_RATE &&
	    fault != IBS_CLOCK_WRAPS) {
		clock->source = IBS_CLOCK_HOST;
		drop_ticks(map);
	}
	return fault;
}
