/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* reader: drives a sweep over the SMI, a step at a time, so that its caller
 * can look after other things in between. */
#ifndef IBSPEED_READER_H
#define IBSPEED_READER_H

#include "ibspeed/option.h"
#include "ibspeed/sweep.h"
#include "smi.h"

/* When a reading began. */
struct reader_start {
	int64_t real_ns;  /* CLOCK_REALTIME */
	uint64_t mono_ns; /* CLOCK_MONOTONIC_RAW */
};
struct reader_start reader_now(void);
/* Its times and the clock they are from, into the map; it ends now. */
void reader_stamp(struct ibs_map *map, const struct reader_start *start);

/* The limits of a sweep as the settings say. */
struct ibs_sweep_limits reader_limits(const struct ibs_settings *settings);

/* Both are the caller's. */
struct reader {
	struct ibs_sweep *sweep;
	struct smi *smi;
	bool tell_errors; /* a message for each Get that fails */
};

/*
 * Sends what may be sent, then takes in what has arrived, waiting at most
 * max_ms for it.
 * returns 1 something arrived, 0 nothing; -errno: the port is gone, the sweep
 *         cannot go on
 */
int reader_step(struct reader *reader, int max_ms);

#endif
