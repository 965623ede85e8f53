// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/timex.h>

#include "host.h"

#define NS_PER_US     1000
#define SANDWICHES    10     /* the narrowest counts */
#define SPREAD_NS     10000u /* a counter that works moves in that time */
#define LOOK_AGAIN_NS UINT64_C(10000000000)

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

static void
take_anchor(struct clock *clock, struct ibs_anchor *ret_anchor)
{
	struct ibs_anchor best = { 0 };
	uint64_t begin_ns = clock_now_ns(clock), first = 0;
	bool moved = false;

	/* Until it has had the time to move, too. */
	for (int i = 0;
	     !clock->failed &&
	     (i < SANDWICHES || clock->now_ns - begin_ns < SPREAD_NS);
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

/* The kernel's word on CLOCK_REALTIME; it is a system call, once per anchor. */
static void
ask_kernel(struct ibs_wall *wall)
{
	struct timex timex = { .modes = 0 };
	int state = adjtimex(&timex);

	wall->max_error_ns = -1;
	if (state >= 0 && !(timex.status & STA_UNSYNC)) {
		wall->max_error_ns = (int64_t)timex.maxerror * NS_PER_US;
	}
	wall->tai_s = state >= 0 ? timex.tai : 0;
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
	ask_kernel(&best);
	*ret_wall = best;
}

/* --- epochs -------------------------------------------------------------- */

static void
end_epoch(struct clock *clock)
{
	verbs_counter_close(clock->counter);
	clock->counter = NULL;
	clock->last = (struct ibs_anchor){ 0 };
	clock->next_look_ns = clock_now_ns(clock) + LOOK_AGAIN_NS;
}

/* Why the counter cannot be read; the device is open still, or NULL. */
static void
tell_error(struct clock *clock, int err)
{
	struct ibs_clock *sweep = &clock->sweep;
	char *reason = sweep->reason;
	size_t size = sizeof(sweep->reason);
	char said[sizeof(sweep->reason)];

	memcpy(said, reason, sizeof(said));
	if (clock->counter && verbs_counter_gone(clock->counter)) {
		(void)snprintf(reason, size, "device gone: %s", sweep->device);
	} else if (err == -EPROTO) {
		(void)snprintf(reason, size, "unknown encoding: %s sets tv_sec",
			       sweep->device);
	} else if (err == -ENODATA) {
		(void)snprintf(reason, size, "%s gives no value",
			       sweep->device);
	} else if (err == -ERANGE) {
		(void)snprintf(reason, size, "the counter of %s reads 0",
			       sweep->device);
	} else if (err == -ESTALE) {
		ibs_clock_tell(IBS_CLOCK_STILL, sweep, reason, size);
	} else if (err == -EOPNOTSUPP) {
		(void)snprintf(reason, size,
			       "not supported by the provider: %s",
			       sweep->device);
	} else if (*said) {
		(void)snprintf(reason, size, "%s: %.100s",
			       err == -ENOSYS ? "no verbs" : "no device", said);
	} else {
		(void)snprintf(reason, size, "%s: %.50s", sweep->device,
			       strerror(-err));
	}
}

/* From here on this sweep has the host's clock. */
static void
fall_back(struct clock *clock, int err)
{
	tell_error(clock, err);
	clock->sweep.source = IBS_CLOCK_HOST;
	end_epoch(clock);
}

static void
look_for_device(struct clock *clock, const struct verbs_port *port)
{
	int err;

	if (clock_now_ns(clock) < clock->next_look_ns) {
		return;
	}
	*clock->sweep.reason = '\0';
	err = verbs_counter_open(port, &clock->sweep, &clock->counter);
	if (err) {
		fall_back(clock, err);
		return;
	}
	clock->sweep.epoch_ns = host_realtime_ns();
	clock->last = (struct ibs_anchor){ 0 };
}

/* What the last sweep left of this one's clock. */
static void
begin_sweep(struct clock *clock)
{
	struct ibs_clock *sweep = &clock->sweep;

	clock->failed = 0;
	sweep->n_failures = 0;
	sweep->convertible = false;
	sweep->rate = (struct ibs_ppm){ 0 };
	sweep->start = sweep->end = (struct ibs_anchor){ 0 };
	if (clock->counter) {
		*sweep->reason = '\0'; /* which was about that sweep */
	}
	host_boot_id(sweep->boot_id, sizeof(sweep->boot_id));
}

/* The counter went on since the last sweep as it should have. */
static void
check_since_last(struct clock *clock)
{
	struct ibs_clock *sweep = &clock->sweep;
	enum ibs_clock_fault fault;
	struct ibs_ppm ppm;

	if (!clock->last.raw) {
		return;
	}
	fault = ibs_clock_rate(sweep, &clock->last, &sweep->start, &ppm);
	if (fault == IBS_CLOCK_WRAPS) { /* too long ago: begin anew */
		clock->first = sweep->start;
		sweep->epoch_ns = host_realtime_ns();
	} else if (fault != IBS_CLOCK_GOOD) {
		ibs_clock_tell(fault == IBS_CLOCK_RATE ? IBS_CLOCK_JUMP : fault,
			       sweep, sweep->reason, sizeof(sweep->reason));
		sweep->source = IBS_CLOCK_HOST;
		end_epoch(clock);
	}
}

static void
begin_with_counter(struct clock *clock)
{
	struct ibs_clock *sweep = &clock->sweep;

	sweep->source = IBS_CLOCK_HCA;
	take_anchor(clock, &sweep->start);
	if (clock->failed) {
		fall_back(clock, clock->failed);
		return;
	}
	if (!clock->last.raw) {
		clock->first = sweep->start;
	}
	check_since_last(clock);
}

static void
tell_change(struct clock *clock)
{
	const struct ibs_clock *sweep = &clock->sweep;
	char now[sizeof(clock->told)];

	(void)snprintf(
		now, sizeof(now), "%s%s%s",
		ibs_clock_source_name((enum ibs_clock_source)sweep->source),
		*sweep->reason ? ": " : "", sweep->reason);
	if (*clock->told && strcmp(now, clock->told) != 0) {
		message("the clock of the readings is now %s", now);
	}
	memcpy(clock->told, now, sizeof(now));
}

void
clock_begin(struct clock *clock, const struct verbs_port *port)
{
	struct ibs_clock *sweep = &clock->sweep;

	begin_sweep(clock);
	sweep->source = IBS_CLOCK_HOST;
	if (port && !clock->counter) {
		look_for_device(clock, port);
	}
	if (!port) {
		(void)snprintf(sweep->reason, sizeof(sweep->reason),
			       "no SMP was sent");
	} else if (clock->counter) {
		begin_with_counter(clock);
	}
	if (sweep->source == IBS_CLOCK_HOST) {
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

void
clock_end(struct clock *clock, struct ibs_map *map)
{
	struct ibs_clock *sweep = &clock->sweep;

	if (sweep->source == IBS_CLOCK_HCA) {
		take_anchor(clock, &sweep->end);
	}
	if (sweep->source == IBS_CLOCK_HCA && clock->failed) {
		fall_back(clock, clock->failed);
	}
	take_wall(clock, &sweep->wall_end);
	stamp_sweep(sweep, &map->sweep);
	if (ibs_map_settle_clock(map, &clock->first) != IBS_CLOCK_GOOD) {
		end_epoch(clock);
	} else if (clock->counter) {
		clock->last = sweep->end;
	}
	*sweep = map->sweep.clock;
	tell_change(clock);
}

void
clock_free(struct clock *clock)
{
	verbs_counter_close(clock->counter);
	*clock = (struct clock){ 0 };
}
