/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * topology: what OpenSM knows of its subnet, as a frame of the feed.  The only
 * reader of OpenSM's tables.
 *
 * locks   topology_copy takes the SM's lock shared and allocates nothing while
 *         it holds it
 */
#ifndef IBSPEED_PLUGIN_TOPOLOGY_H
#define IBSPEED_PLUGIN_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct osm_opensm;

/*
 * in      n_dropped  goes into the frame
 * errors  -ENOMEM, -EMSGSIZE (more than a frame may hold), -EAGAIN (the tables
 *         grew each time that they were copied)
 * owner   the caller frees *ret_frame
 */
int topology_copy(struct osm_opensm *osm, uint32_t n_dropped,
		  uint8_t **ret_frame, size_t *ret_size);

/* The SM's own state, as SMInfo has it. */
uint8_t topology_sm_state(const struct osm_opensm *osm);
bool topology_is_master(const struct osm_opensm *osm);

#endif
