/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * diff: what changed from one map to the next, one node or port at a time.
 *
 * A port's state is what became of its Get, its PortInfo without the fields
 * that move by themselves (of a Down port only PortState and
 * PortPhysicalState), its ExtendedPortInfo and its peer.  A node's state is its
 * ids and its NodeDescription.  The rest is kept as it was read last: counters,
 * tries, routes, and OpenSM's own view of a port.
 *
 * locks   none; pure.  Both maps are frozen.
 */
#ifndef IBSPEED_DIFF_H
#define IBSPEED_DIFF_H

#include <stddef.h>
#include <stdint.h>

#include "ibspeed/map.h"

enum ibs_change_kind {
	IBS_CHANGE_NEW,	  /* only in the new map */
	IBS_CHANGE_GONE,  /* only in the old map */
	IBS_CHANGE_STATE, /* in both, and another state */
	IBS_CHANGE_BYTES  /* in both, same state, but not the same rest */
};

struct ibs_change {
	enum ibs_change_kind kind;
	uint32_t before; /* index in the old map, or NO_INDEX */
	uint32_t after;	 /* index in the new map, or NO_INDEX */
};

struct ibs_diff {
	struct ibs_change *nodes;
	struct ibs_change *ports;
	size_t n_nodes;
	size_t n_ports;
};

/*
 * in      before  NULL: everything is new
 * errors  -ENOMEM
 * owner   the caller calls ibs_diff_free
 */
int ibs_diff_make(const struct ibs_map *before, const struct ibs_map *after,
		  struct ibs_diff *ret_diff);
void ibs_diff_free(struct ibs_diff *diff);

/*
 * Since when each port is as it is: as long as before says, if its state is
 * still the same, else since the sweep of map began.
 * in      before  NULL: all of it is new
 * errors  -ENOMEM
 */
int ibs_diff_since(const struct ibs_map *before, struct ibs_map *map);

#endif
