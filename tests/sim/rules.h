/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * rules: what the preload does to which answer.
 *
 * IBSPEED_SIM_RULES names a file, read again whenever it changed; replace it
 * by rename, so that nobody reads half of it. `#` starts a comment. A line is
 * NODE PORT VERB, what the verb wants, and [ATTR] [only=PROGRAM] [share=N]:
 *
 *   set ATTR BYTE VALUE  a byte of the attribute; VALUE is hex
 *   flip BYTE MASK       bits of a byte of the whole packet; MASK is hex: 1 is
 *                        the class, 3 the method, 12 to 15 the TID, 16 and 17
 *                        the attribute, 20 to 23 its modifier
 *   cut N                the packet has N bytes only
 *   status HEX           the MAD's status
 *   drop                 no answer; the driver says so at once
 *   silence              no answer, and the driver forgets to say so
 *   delay MS             the answer, or that there is none, comes later
 *   duplicate            the answer comes twice
 *   reorder              the answer comes after the next one
 *
 * NODE is an id of the fabric file or `*`, PORT a decimal number or `*`, ATTR
 * portinfo, extportinfo, nodeinfo, nodedesc, switchinfo, lft (PORT is its
 * block) or any; without one both of a port's are meant. share=N takes N
 * percent of what fits, as the dice fall, always the same way:
 * IBSPEED_SIM_SEED sets them. All rules that fit are applied, in their order.
 * A mistake in the file ends the program with one line and exit status 2: a
 * rule that is silently not there would make a test pass for nothing.
 */
#ifndef IBSPEED_TESTS_SIM_RULES_H
#define IBSPEED_TESTS_SIM_RULES_H

#include <stdint.h>

#include "smp.h"

enum rule_verb {
	RULE_SET,
	RULE_FLIP,
	RULE_CUT,
	RULE_STATUS,
	RULE_DROP,
	RULE_SILENCE,
	RULE_DELAY,
	RULE_DUPLICATE,
	RULE_REORDER
};

struct rule {
	enum rule_verb verb;
	unsigned int byte; /* of set and flip */
	uint16_t value;	   /* of set, flip, cut, status and delay */
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
