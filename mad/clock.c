// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "host.h"

#define SANDWICHES    10		     /* the narrowest counts */
#define LOOK_FIRST_NS UINT64_C(10000000000)  /* each time in vain twice */
#define LOOK_LAST_NS  UINT64_C(600000000000) /* as long, up to that */
#define SPREAD_NS     UINT64_C(10000)
#define SPREAD_MAX_NS UINT64_C(1000000)
#define NS_KHZ	      UINT64_C(1000000) /* ns of a tick, times its kHz */

uint64_t
clock_now_ns(struct clock *clock)
{
	clock->now_ns = host_monotonic_raw_ns();
	return clock->now_ns;
}

uint64_t
clock_last_ns(const struct clock *clock)
{
	return clock->now_ns;
}

/* 0: there is no counter, or it has failed in this sweep. */
static uint64_t
read_counter(struct clock *clock)
{
	uint64_t raw = 0;
	int err;

	if (!clock->counter || clock->failed) {
		return 0;
	}
	err = verbs_counter_read(clock->counter, &raw);
	if (err) {
		clock->failed = err;
		clock->sweep.n_failures++;
		return 0;
	}
	return raw;
}

void
clock_tx(struct clock *clock, struct ibs_tick *ret_tick)
{
	ret_tick->mono_ns = clock_now_ns(clock);
	ret_tick->raw = read_counter(clock);
}

void
clock_rx(struct clock *clock, struct ibs_tick *ret_tick)
{
	ret_tick->raw = read_counter(clock);
	ret_tick->mono_ns = clock_now_ns(clock);
}

/* --- anchors ------------------------------------------------------------- */

/* A counter that works moves in that time. */
static uint64_t
spread_ns(const struct ibs_clock *clock)
{
	uint64_t two_ns = clock->khz ? 2 * NS_KHZ / clock->khz : 0;

	if (two_ns > SPREAD_MAX_NS) {
		return SPREAD_MAX_NS;
	}
	return two_ns > SPREAD_NS ? two_ns : SPREAD_NS;
}

static void
take_anchor(struct clock *clock, struct ibs_anchor *ret_anchor)
{
	struct ibs_anchor best = { 0 };
	uint64_t first = 0,
		 end_ns = clock_now_ns(clock) + spread_ns(&clock->sweep);
	bool moved = false;

	for (int i = 0;
	     !clock->failed && (i < SANDWICHES || clock->now_ns < end_ns);
	     i++) {
		struct ibs_anchor next = { .before_ns = clock_now_ns(clock) };

		next.raw = read_counter(clock);
		next.after_ns = clock_now_ns(clock);
		if (i == 0 || next.after_ns - next.before_ns <
				      best.after_ns - best.before_ns) {
			best = next;
		}
		first = i == 0 ? next.raw : first;
		moved = moved || next.raw != first;
	}
	if (!clock->failed && !moved) {
		clock->failed = -ESTALE;
	}
	*ret_anchor = best;
}

static void
take_wall(struct clock *clock, struct ibs_wall *ret_wall)
{
	struct ibs_wall best = { .half_ns = UINT64_MAX };

	for (int i = 0; i < SANDWICHES; i++) {
		uint64_t before_ns = clock_now_ns(clock);
		int64_t real_ns = host_realtime_ns();
		uint64_t width_ns = clock_now_ns(clock) - before_ns;

		if ((width_ns + 1) / 2 < best.half_ns) {
			best.real_ns = real_ns;
			best.mono_ns = before_ns + width_ns / 2;
			best.half_ns = (width_ns + 1) / 2;
		}
	}
	host_realtime_quality(&best.max_error_ns, &best.tai_s);
	*ret_wall = best;
}

/* --- epochs -------------------------------------------------------------- */

/* A fault of the counter, or -errno; the reason has been set. */
static void
end_epoch(struct clock *clock, int kind)
{
	uint64_t patience_ns = 2 * clock->patience_ns;

	if (patience_ns > LOOK_LAST_NS) {
		patience_ns = LOOK_LAST_NS;
	}
	if (patience_ns == 0 || clock->last.raw) { /* there was a good sweep */
		patience_ns = LOOK_FIRST_NS;
	}
	verbs_counter_close(clock->counter);
	clock->counter = NULL;
	clock->last = (struct ibs_anchor){ 0 };
	clock->rate = (struct ibs_ppm){ 0 };
	clock->kind = kind;
	memcpy(clock->why, clock->sweep.reason, sizeof(clock->why));
	clock->patience_ns = patience_ns;
	clock->next_look_ns = clock_now_ns(clock) + patience_ns;
}

/* From here on this sweep has the host's clock; the reason has been set. */
static void
fall_back(struct clock *clock, int kind)
{
	clock->sweep.source = IBS_CLOCK_HOST;
	end_epoch(clock, kind);
}

/* What a read of the counter said. */
static void
tell_read(struct ibs_clock *sweep, int err)
{
	char *reason = sweep->reason;
	size_t size = sizeof(sweep->reason);
	const char *device = sweep->device;

	if (err == -EPROTO) {
		(void)snprintf(reason, size, "unknown encoding: %s sets tv_sec",
			       device);
	} else if (err == -ENODATA) {
		(void)snprintf(reason, size, "%s gives no value", device);
	} else if (err == -ERANGE) {
		(void)snprintf(reason, size, "the counter of %s reads 0",
			       device);
	} else if (err == -ESTALE) {
		ibs_clock_tell(IBS_CLOCK_STILL, sweep, reason, size);
	} else if (err == -EOPNOTSUPP) {
		(void)snprintf(reason, size,
			       "not supported by the provider: %s", device);
	} else {
		(void)snprintf(reason, size, "%s: %.50s", device,
			       strerror(-err));
	}
}

static void
read_failed(struct clock *clock)
{
	struct ibs_clock *sweep = &clock->sweep;

	if (verbs_counter_gone(clock->counter)) {
		(void)snprintf(sweep->reason, sizeof(sweep->reason),
			       "device gone: %s", sweep->device);
	} else {
		tell_read(sweep, clock->failed);
	}
	fall_back(clock, clock->failed);
}

/* Times of the past may come again: the name of an epoch does not. */
static void
begin_epoch(struct clock *clock)
{
	int64_t now_ns = host_realtime_ns();

	clock->sweep.epoch_ns = now_ns > clock->sweep.epoch_ns
					? now_ns
					: clock->sweep.epoch_ns + 1;
	clock->last = (struct ibs_anchor){ 0 };
	clock->rate = (struct ibs_ppm){ 0 };
}

static void
look_for_device(struct clock *clock, const struct verbs_port *port)
{
	struct ibs_clock *sweep = &clock->sweep;
	char said[sizeof(sweep->reason)];
	int err = verbs_counter_open(port, sweep, &clock->counter);

	if (!err) {
		begin_epoch(clock);
		return;
	}
	if (*sweep->device) {
		tell_read(sweep, err);
	} else {
		memcpy(said, sweep->reason, sizeof(said));
		(void)snprintf(sweep->reason, sizeof(sweep->reason),
			       "%s: %.100s",
			       err == -ENOSYS ? "no verbs" : "no device", said);
	}
	fall_back(clock, err);
}

/* What the last sweep left of this one's clock. */
static void
begin_sweep(struct clock *clock)
{
	struct ibs_clock *sweep = &clock->sweep;

	clock->failed = 0;
	sweep->source = IBS_CLOCK_HOST;
	sweep->convertible = false;
	sweep->n_failures = 0;
	sweep->rate = (struct ibs_ppm){ 0 };
	sweep->start = sweep->end = (struct ibs_anchor){ 0 };
	*sweep->reason = '\0';
	host_boot_id(sweep->boot_id, sizeof(sweep->boot_id));
}

/* Did the counter go on since the last sweep as it did before? */
static enum ibs_clock_fault
find_fault(const struct clock *clock)
{
	const struct ibs_ppm *rate = &clock->rate;
	struct ibs_ppm gap = { 0 };
	enum ibs_clock_fault fault = ibs_clock_rate(&clock->sweep, &clock->last,
						    &clock->sweep.start, &gap);

	if (fault == IBS_CLOCK_GOOD && gap.baseline_ns &&
	    rate->baseline_ns >= IBS_RATE_MEASURED_NS &&
	    (gap.lo > rate->hi + IBS_PPM_STEADY ||
	     gap.hi < rate->lo - IBS_PPM_STEADY)) {
		fault = IBS_CLOCK_JUMP;
	}
	return fault == IBS_CLOCK_RATE ? IBS_CLOCK_JUMP : fault;
}

static void
check_since_last(struct clock *clock)
{
	struct ibs_clock *sweep = &clock->sweep;
	enum ibs_clock_fault fault = find_fault(clock);

	if (fault == IBS_CLOCK_WRAPS) { /* too long ago to tell */
		begin_epoch(clock);
	} else if (fault != IBS_CLOCK_GOOD) {
		ibs_clock_tell(fault, sweep, sweep->reason,
			       sizeof(sweep->reason));
		fall_back(clock, (int)fault);
	}
}

static void
begin_with_counter(struct clock *clock)
{
	struct ibs_clock *sweep = &clock->sweep;

	sweep->source = IBS_CLOCK_HCA;
	take_anchor(clock, &sweep->start);
	if (clock->failed) {
		read_failed(clock);
		return;
	}
	if (clock->last.raw) {
		check_since_last(clock);
	}
	if (!clock->last.raw) {
		clock->first = sweep->start;
	}
}

/* Not with each sweep, whatever its figures are. */
static void
tell_change(struct clock *clock)
{
	if (clock->told && clock->kind != clock->told_kind) {
		message("the clock of the readings is now %s%s%s",
			ibs_clock_source_name(clock->kind ? IBS_CLOCK_HOST
							  : IBS_CLOCK_HCA),
			clock->kind ? ": " : "", clock->kind ? clock->why : "");
	}
	clock->told = true;
	clock->told_kind = clock->kind;
}

void
clock_begin(struct clock *clock, const struct verbs_port *port)
{
	struct ibs_clock *sweep = &clock->sweep;

	begin_sweep(clock);
	if (!port) {
		(void)snprintf(sweep->reason, sizeof(sweep->reason),
			       "no SMP was sent");
	} else if (!clock->counter &&
		   clock_now_ns(clock) < clock->next_look_ns) {
		memcpy(sweep->reason, clock->why, sizeof(sweep->reason));
	} else if (!clock->counter) {
		look_for_device(clock, port);
	}
	if (port && clock->counter) {
		begin_with_counter(clock);
	}
	if (port && sweep->source == IBS_CLOCK_HOST) {
		tell_change(clock); /* it may be the last thing we say */
	}
	take_wall(clock, &sweep->wall_start);
}

static void
stamp_sweep(const struct ibs_clock *clock, struct ibs_sweep_info *sweep)
{
	sweep->start_ns = clock->wall_start.real_ns;
	sweep->start_mono_ns = clock->wall_start.mono_ns;
	sweep->end_ns = clock->wall_end.real_ns;
	sweep->end_mono_ns = clock->wall_end.mono_ns;
	sweep->clock = *clock;
}

/* What the next sweep will be held against. */
static void
keep_epoch(struct clock *clock)
{
	struct ibs_ppm ppm;

	if (clock->sweep.source != IBS_CLOCK_HCA) {
		return;
	}
	clock->last = clock->sweep.end;
	clock->rate = clock->sweep.rate;
	clock->patience_ns = 0;
	clock->kind = 0;
	if (ibs_clock_rate(&clock->sweep, &clock->first, &clock->last, &ppm) ==
	    IBS_CLOCK_WRAPS) {
		clock->first = clock->sweep.start; /* the other is too old */
	}
}

void
clock_end(struct clock *clock, struct ibs_map *map)
{
	struct ibs_clock *sweep = &clock->sweep;
	bool sent = sweep->source == IBS_CLOCK_HCA;
	enum ibs_clock_fault fault;

	if (sent) {
		take_anchor(clock, &sweep->end);
	}
	if (sent && clock->failed) {
		read_failed(clock);
	}
	take_wall(clock, &sweep->wall_end);
	stamp_sweep(sweep, &map->sweep);
	fault = ibs_map_settle_clock(map, &clock->first);
	*sweep = map->sweep.clock;
	if (fault == IBS_CLOCK_GOOD) {
		keep_epoch(clock);
	} else {
		end_epoch(clock, (int)fault);
	}
	if (sent) {
		tell_change(clock);
	}
}

void
clock_free(struct clock *clock)
{
	verbs_counter_close(clock->counter);
	*clock = (struct clock){ 0 };
}
