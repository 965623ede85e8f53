/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* recording: a map into the store, with what it could not see. */
#ifndef IBSPEED_RECORDING_H
#define IBSPEED_RECORDING_H

#include "ibspeed/map.h"
#include "ibspeed/store.h"

/*
 * Takes over from the latest map of the store what a silent port hides, and
 * since when each port is as it is; and records the map.
 * in      *before  the latest map, or NULL: it is loaded
 * out     map->sweep.id
 * errors  -errno, the words are in ibs_store_error()
 */
int recording_write(struct ibs_store *store, struct ibs_map **before,
		    struct ibs_map *map);

#endif
