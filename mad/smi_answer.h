/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * smi_answer: what one packet from the wire says, whatever its bytes are.
 */
#ifndef IBSPEED_SMI_ANSWER_H
#define IBSPEED_SMI_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "ibspeed/attr.h"

#define SMI_MAD_SIZE 256

/*
 * status is the driver's: not 0 says that nobody answered, and mad is what was
 * asked then, its head at least.  Sets all but the stamp.
 * returns false  no answer to a Get of ours, as far as one packet can tell
 */
bool smi_parse_answer(const uint8_t *mad, int length, int status,
		      uint32_t *ret_tid, struct ibs_attr *ret_attr);
/* The same of the SA, and of one record. */
bool sa_parse_answer(const uint8_t *mad, int length, int status,
		     uint32_t *ret_tid, struct ibs_attr *ret_attr);

#endif
