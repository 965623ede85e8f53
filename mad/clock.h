/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * clock: stamps readings with the counter of the HCA that they go through, and
 * with the host's clock.
 *
 * A counter is taken up for an epoch.  What it says that cannot be true ends
 * the epoch: the times go on from the host's clock, and the device is looked
 * for again at a later sweep, in a new epoch.
 *
 * locks   none; one thread
 */
#ifndef IBSPEED_MAD_CLOCK_H
#define IBSPEED_MAD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "ibspeed/clock.h"
#include "ibspeed/map.h"
#include "verbs.h"

struct clock {
	struct verbs_counter *counter; /* NULL: no epoch now */
	struct ibs_clock sweep;	       /* that is going on */
	struct ibs_anchor first;       /* of the epoch */
	struct ibs_anchor last;	       /* of the sweep before; raw 0: none */
	struct ibs_ppm rate;	       /* of the epoch so far */
	uint64_t now_ns; /* CLOCK_MONOTONIC_RAW as it was read last */
	int failed;	 /* -errno of a read of the counter in this sweep */
	/* While there is no epoch: why, and when to look for a device. */
	int kind; /* enum ibs_clock_fault or -errno; 0: there is one */
	char why[sizeof(((struct ibs_clock *)0)->reason)];
	uint64_t next_look_ns; /* CLOCK_MONOTONIC_RAW */
	uint64_t patience_ns;  /* from one look to the next */
	bool told;	       /* there was a sweep: a change is told */
	int told_kind;
};

/* { 0 } is a clock without a device. */
void clock_free(struct clock *clock);

/*
 * A sweep begins, through that port; looks for its device if there is no epoch.
 * The first time of a process that may block for seconds.  NULL: no SMPs are
 * sent, and the device does not matter.
 */
void clock_begin(struct clock *clock, const struct verbs_port *port);
/*
 * It ends: its times, and the clock that they are from, into its map.  When
 * that is not the one of the sweep before there is a message.
 */
void clock_end(struct clock *clock, struct ibs_map *map);

/* Before a send, and after a receive: as close to it as can be. */
void clock_tx(struct clock *clock, struct ibs_tick *ret_tick);
void clock_rx(struct clock *clock, struct ibs_tick *ret_tick);
/* CLOCK_MONOTONIC_RAW now; and as it was read last, which costs nothing. */
uint64_t clock_now_ns(struct clock *clock);
uint64_t clock_last_ns(const struct clock *clock);

#endif
