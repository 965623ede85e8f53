/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* verbs: the only door to libibverbs. */
#ifndef IBSPEED_VERBS_H
#define IBSPEED_VERBS_H

#include "ibspeed/map.h"
#include "ibspeed/writer.h"

/*
 * Asks libibverbs about a port of this host, index port of the map, and holds
 * the answer against its PortInfo.  That there is no device is an answer.
 */
void verbs_query(const struct ibs_map *map, uint32_t port,
		 struct ibs_verbs *ret_verbs);

#endif
