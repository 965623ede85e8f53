/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * agents: a queueing model of a fabric, for what a simulator that answers at
 * once does not show: the agent of a node serves one SMP at a time, and VL15
 * has no flow control.
 *
 *   agent     one SMP at a time, 20 or 100 us each, 10 % more or less; four
 *             receive buffers, and the SMP that is served holds its own until
 *             it is over.  What finds them full is lost, and costs the engine
 *             its time-out.
 *   way       1 us, and 0.2 us for each hop, there and back.  Agents on the
 *             way forward in no time.
 *   sender    sends as fast as the engine lets it.
 */
#ifndef IBSPEED_TESTS_AGENTS_H
#define IBSPEED_TESTS_AGENTS_H

#include <stdint.h>

#include "ibspeed/map.h"
#include "ibspeed/sweep.h"
#include "shape.h"

struct run {
	const char *fabric;
	unsigned int service_us;
	unsigned int window;
	unsigned int per_node;
	unsigned int silent_each; /* each so many-th host is; 0: none */
};

struct result {
	uint64_t time_ns;
	uint64_t agent_ns;  /* what the busiest agent alone needs */
	uint64_t window_ns; /* what the window alone needs */
	unsigned int n_smps;
	unsigned int n_lost;
	unsigned int most; /* at one agent */
	uint32_t n_over;   /* Gets that found the limit reached */
};

/* Lets the engine work till its end.  Its map, frozen; it never fails. */
struct ibs_map *agents_run(const struct shape *shape, const struct run *run,
			   struct ibs_sweep *sweep, struct result *ret_result);

#endif
