/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * sa: questions to the subnet administration (SA), which the SM answers.  The
 * second half of the door to libibumad and libibmad.  Sends Gets of one record
 * and nothing else.
 *
 * locks   none; one thread per handle
 */
#ifndef IBSPEED_SA_H
#define IBSPEED_SA_H

#include <stdint.h>

#include "ibspeed/attr.h"
#include "smi.h"

#define SA_ATTR_PATH_RECORD 0x0035

/* One PathRecord, and where the SA is. */
struct sa_question {
	uint16_t sm_lid;
	uint8_t sm_sl;
	uint16_t slid;
	uint16_t dlid;
};

/*
 * Asks once and waits for the answer, as long as a Get of the agent may take.
 * in      smi  opened with smi_options.sa
 *         tid  never 0, never used before
 * out     the record in data, with READ_OK; READ_STATUS, READ_TIMEOUT
 * errors  -errno it could not be asked
 */
int sa_get_path(struct smi *smi, const struct sa_question *question,
		uint32_t tid, struct ibs_attr *ret_attr);

#endif
