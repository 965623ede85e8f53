/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * rules: what the preload does to which answer.
 *
 * IBSPEED_SIM_RULES names a file, read again whenever it changed; replace it
 * by rename, so that nobody reads half of it. `#` starts a comment.
 *
 *   NODE PORT set ATTR BYTE VALUE [only=PROGRAM]  a byte of the answer; hex
 *   NODE PORT drop [ATTR] [only=PROGRAM]          no answer: time-out
 *   NODE PORT status HEX [ATTR] [only=PROGRAM]    the MAD's status
 *
 * NODE is an id of the fabric file or `*`, PORT a decimal number or `*`, ATTR
 * portinfo, extportinfo, nodeinfo, nodedesc or switchinfo; without one both
 * of a port's are meant. All rules that fit are applied, in their order.
 * A mistake in the file ends the program with one line and exit status 2: a
 * rule that is silently not there would make a test pass for nothing.
 */
#ifndef IBSPEED_TESTS_SIM_RULES_H
#define IBSPEED_TESTS_SIM_RULES_H

#include <stdint.h>

#include "smp.h"

enum rule_verb { RULE_SET, RULE_DROP, RULE_STATUS };

struct rule {
	enum rule_verb verb;
	unsigned int byte; /* of set */
	uint16_t value;	   /* of set and status */
};

struct rule_subject {
	const char *program;
	const char *node;
	unsigned int port;
	uint16_t attr_id;
};

/* The next rule that fits, from *cursor (0 at first) on; NULL at the end. */
const struct rule *rules_next(const struct rule_subject *subject,
			      unsigned int *cursor);
/* Once before the rules are asked for an answer: reads a changed file. */
void rules_refresh(void);
/* NULL for an attribute that no rule can name. */
const char *rules_attr_name(uint16_t attr_id);

#endif
