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

/* A Get that failed, on standard error. */
void reader_tell(const struct ibs_smp *smp, const struct ibs_attr *attr);
/* True for an error of smi_send that concerns one Get and not the port. */
bool reader_is_passing(int err);

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
