/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A sweep of one second that is stamped by an HCA of 1 GHz. */
#ifndef IBSPEED_TESTS_CLOCKED_H
#define IBSPEED_TESTS_CLOCKED_H

#include <stdint.h>

#include "ibspeed/clock.h"

#define MASK_63 INT64_MAX
#define SECOND	UINT64_C(1000000000)

/* It begins at 7 s of CLOCK_MONOTONIC_RAW; raw is ns + 100. */
void clocked_set(struct ibs_clock *clock);
/* Both sides of a reading, in ns and ticks after the begin. */
struct ibs_stamp clocked_stamp(uint64_t tx_ns, uint64_t tx_raw, uint64_t rx_ns,
			       uint64_t rx_raw);
/* A value in every member, as a store has to give it back. */
void clocked_fill(struct ibs_clock *clock);
void clocked_check(const char *row, const struct ibs_clock *a,
		   const struct ibs_clock *b);

#endif
