/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* health: is what is recorded still true, or has nobody read since? */
#ifndef IBSPEED_HEALTH_H
#define IBSPEED_HEALTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/map.h"
#include "ibspeed/store.h"

#define HEALTH_SIZE 96

/* A recorder of this host that gave a sign of life not long ago. */
bool health_alive(const struct ibs_recorder_row *row, int64_t now_ns);
/*
 * Why the latest map may not be trusted any more; "" when it may.
 * in      row  of the recorder; NULL: none was here
 *         map  the latest; NULL: none
 */
void health_stale(const struct ibs_recorder_row *row, const struct ibs_map *map,
		  int64_t now_ns, char ret_text[HEALTH_SIZE]);
/* The same of a store, which has the map as its latest. */
void health_of_store(struct ibs_store *store, const struct ibs_map *map,
		     int64_t now_ns, char ret_text[HEALTH_SIZE]);

#endif
