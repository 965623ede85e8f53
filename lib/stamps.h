/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * stamps: when the ports of a map were read, as few bytes: per port its index,
 * the host's two times and the two counts of the HCA, each as the difference to
 * the one before it, 7 bits to a byte, the lowest first.
 */
#ifndef IBSPEED_LIB_STAMPS_H
#define IBSPEED_LIB_STAMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/map.h"

#define IBS_STAMP_SIZE_MAX 50 /* bytes of a port */

/*
 * The stamps of the ports whose flag in chosen is as wanted, into ret_data with
 * room for all; how many bytes.
 */
size_t ibs_stamps_pack(const struct ibs_map *map, const bool *chosen,
		       bool wanted, uint8_t *ret_data);
/*
 * Back into the frozen map, with the times of its sweep.
 * errors  -EPROTO these are no stamps of that map; some may be set then
 */
int ibs_stamps_unpack(struct ibs_map *map, const uint8_t *data, size_t size);

#endif
