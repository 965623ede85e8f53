/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * hold: answers that came and that the program is not to have yet.
 *
 * units   now_ns, due_ns  one clock; HOLD_FOREVER is no time
 * locks   the caller's
 */
#ifndef IBSPEED_TESTS_SIM_HOLD_H
#define IBSPEED_TESTS_SIM_HOLD_H

#include <stdbool.h>
#include <stdint.h>

#define HOLD_FOREVER UINT64_MAX

/* An answer of libibumad: what umad_recv() gave. */
struct hold_answer {
	int port_id;
	int agent_id;
	int length; /* of the MAD; *umad has umad_size() more in front */
	void *umad;
};

/* after_next: until another answer was delivered, at the latest at due_ns. */
void hold_put(const struct hold_answer *answer, uint64_t due_ns,
	      bool after_next);
/* When the first one is due, HOLD_FOREVER: none is held. */
uint64_t hold_due(int port_id);
/*
 * The first one that is due by now, copied to *answer's umad, of which length
 * is the room; false: none.
 */
bool hold_take(struct hold_answer *answer, uint64_t now_ns);
/* An answer is delivered: what waits for that is due. */
void hold_delivered(uint64_t now_ns);

#endif
