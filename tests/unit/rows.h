/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Rows of tests/data/NAME.rows.  "row NAME" begins one, "key value" lines fill
 * it, a line that begins with a blank continues the value, "#" is a comment.
 *
 * The keys of an end, each behind a prefix such as "a.":
 *   pi, port0     PortInfo of the end and of the switch port 0 that gates it,
 *                 hex; or field by field, with IBA's names: "LID 7",
 *                 "port0.CapabilityMask 0xc048"
 *   w, s, x, x2   active/supported/enabled of LinkWidth, LinkSpeed,
 *                 LinkSpeedExt and LinkSpeedExt*2
 *   epi           MLNX ExtendedPortInfo, hex, or "absent"
 *   m             the same as active/supported/enabled
 *   get           "bit31", "ungated", "unread"
 */
#ifndef IBSPEED_TESTS_ROWS_H
#define IBSPEED_TESTS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/attr.h"
#include "ibspeed/link.h"
#include "ibspeed/port.h"

#define UNIT_ROW_PAIRS 48

struct unit_row {
	char name[64];
	size_t n_pairs;
	struct {
		char key[40];
		char value[200];
		bool used;
	} pairs[UNIT_ROW_PAIRS];
};

/*
 * Runs each row of the file; a key that nobody asked for is a failed check, a
 * file that cannot be read ends the program.  Returns how many rows there are.
 */
size_t unit_rows(const char *file, void (*run)(struct unit_row *row));
/* The value of a key; NULL when the row does not have it. */
const char *unit_row_text(struct unit_row *row, const char *prefix,
			  const char *key);

struct unit_end {
	uint8_t pi[IBS_ATTR_SIZE];
	uint8_t port0[IBS_ATTR_SIZE];
	struct ibs_epi epi;
	bool gated_by_port0;
	bool asked_ext;
	bool ungated;
	bool unread;
};

void unit_row_end(struct unit_row *row, const char *prefix,
		  struct unit_end *ret_end);
void unit_end_decode(const struct unit_end *end, struct ibs_port *ret_port);

/* "4xEDR"; "-" for NONE and "?" for UNKNOWN in place of either. */
#define UNIT_PAIR_SIZE 24
void unit_pair_text(unsigned int speed, unsigned int width,
		    char ret_text[UNIT_PAIR_SIZE]);
struct ibs_pair unit_pair(const char *text);

#endif
