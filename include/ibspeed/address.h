/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * address: what a person types to name a node, a port, a speed or a rate.
 *
 * errors  -EINVAL it has not that form, -ENOENT the form is right and nothing
 *         is there
 * locks   none; pure
 */
#ifndef IBSPEED_ADDRESS_H
#define IBSPEED_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/map.h"
#include "ibspeed/writer.h"

/* "0x" and 1 to 16 hex digits. */
int ibs_guid_from_text(const char *text, uint64_t *ret_guid);
/* "4xHDR", the case does not matter; -ENOENT "5xHDR", "4xFOO". */
int ibs_pair_from_text(const char *text, struct ibs_pair *ret_pair);
/* A decimal number; -EINVAL also when it is over max. */
int ibs_number_from_text(const char *text, int64_t max, int64_t *ret_number);
/* Gb/s, "100", "2.5G", to units of 100 Mb/s. */
int ibs_gbps_from_text(const char *text, int64_t *ret_100mbps);
/*
 * enum:17, mult:80, mbps:206250, 4xHDR, or Gb/s as in 200G, 2.5G.  Numbers may
 * be anything: that no rate has them is an answer too, not an error.
 */
int ibs_rate_from_text(const char *text, struct ibs_rate_query *ret_rate);

#define IBS_CANDIDATES_MAX 8u

struct ibs_address {
	uint32_t node;
	uint32_t port;	/* NO_INDEX: the node as a whole */
	uint16_t lid;	/* by LID: that one, of those of the port; else 0 */
	bool by_prefix; /* the name is longer; of all candidates */
	/* with -ENOTUNIQ: the first nodes that it may be, and how many */
	uint32_t candidates[IBS_CANDIDATES_MAX];
	uint32_t n_candidates;
};

/*
 * Finds a node or port: by node or port GUID, by LID (is_lid), by the name of
 * the node, or by a prefix of it that only one node has.
 * errors  -EINVAL, -ENOENT, -ENOTUNIQ several nodes (only then *ret_address is
 *         set on failure: the candidates)
 */
int ibs_address_find(const struct ibs_map *map, const char *text, bool is_lid,
		     struct ibs_address *ret_address);

#endif
