// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* hold: a table of answers, searched from one end to the other. */
#include <config.h>

#include "hold.h"

#include <infiniband/umad.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "smp.h"

#define HOLD_MAX  4096
#define HOLD_SIZE (SMP_SIZE + 128) /* with the header of libibumad */

struct hold_row {
	bool used;
	bool after_next;
	int port_id;
	int agent_id;
	int length;
	uint64_t due_ns;
	uint64_t number; /* what is due at one time leaves as it came */
	uint8_t umad[HOLD_SIZE];
};

static struct hold_row hold_rows[HOLD_MAX];
static unsigned int hold_n_rows; /* none is used from here on */
static uint64_t hold_number;

static struct hold_row *
hold_new_row(void)
{
	unsigned int i;

	for (i = 0; i < hold_n_rows; i++) {
		if (!hold_rows[i].used) {
			return &hold_rows[i];
		}
	}
	if (hold_n_rows == HOLD_MAX) {
		fprintf(stderr, "simpreload: too many answers held back\n");
		_exit(2);
	}
	return &hold_rows[hold_n_rows++];
}

/* What a copy takes, of an answer that has no more room than that. */
static size_t
hold_bytes(int length)
{
	size_t size = umad_size() + (size_t)(length > 0 ? length : 0);

	return size < HOLD_SIZE ? size : HOLD_SIZE;
}

void
hold_put(const struct hold_answer *answer, uint64_t due_ns, bool after_next)
{
	struct hold_row *row = hold_new_row();

	row->used = true;
	row->after_next = after_next;
	row->port_id = answer->port_id;
	row->agent_id = answer->agent_id;
	row->length = answer->length;
	row->due_ns = due_ns;
	row->number = hold_number++;
	memcpy(row->umad, answer->umad, hold_bytes(answer->length));
}

static bool
hold_is_before(const struct hold_row *a, const struct hold_row *b)
{
	return a->due_ns < b->due_ns ||
	       (a->due_ns == b->due_ns && a->number < b->number);
}

static struct hold_row *
hold_first(int port_id)
{
	struct hold_row *first = NULL;
	unsigned int i;

	for (i = 0; i < hold_n_rows; i++) {
		struct hold_row *row = &hold_rows[i];

		if (row->used && row->port_id == port_id &&
		    (first == NULL || hold_is_before(row, first))) {
			first = row;
		}
	}
	return first;
}

uint64_t
hold_due(int port_id)
{
	const struct hold_row *first = hold_first(port_id);

	return first != NULL ? first->due_ns : HOLD_FOREVER;
}

bool
hold_take(struct hold_answer *answer, uint64_t now_ns)
{
	struct hold_row *first = hold_first(answer->port_id);

	if (first == NULL || first->due_ns > now_ns) {
		return false;
	}
	memcpy(answer->umad, first->umad,
	       hold_bytes(first->length < answer->length ? first->length
							 : answer->length));
	answer->agent_id = first->agent_id;
	answer->length = first->length;
	first->used = false;
	return true;
}

void
hold_delivered(uint64_t now_ns)
{
	unsigned int i;

	for (i = 0; i < hold_n_rows; i++) {
		if (hold_rows[i].after_next) {
			hold_rows[i].after_next = false;
			hold_rows[i].due_ns = now_ns;
		}
	}
}
