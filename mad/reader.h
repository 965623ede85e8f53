/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* reader: drives a sweep over the SMI, a step at a time, so that its caller
 * can look after other things in between. */
#ifndef IBSPEED_READER_H
#define IBSPEED_READER_H

#include "ibspeed/option.h"
#include "ibspeed/sweep.h"
#include "smi.h"

/* The limits of a sweep as the settings say. */
struct ibs_sweep_limits reader_limits(const struct ibs_settings *settings);

/* Both are the caller's. */
struct reader {
	struct ibs_sweep *sweep;
	struct smi *smi;
	struct clock *clock; /* of the SMI */
	bool tell_errors;    /* a message for each Get that fails */
};

/*
 * Sends what may be sent, then takes in what has arrived, waiting at most
 * max_ms for it.
 * returns 1 something arrived, 0 nothing; -errno: the port is gone, the sweep
 *         cannot go on
 */
int reader_step(struct reader *reader, int max_ms);

#endif
