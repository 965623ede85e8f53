/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * baseline: the links that an admin accepted, and the findings that he waived
 * for a time.  The store keeps both; an audit compares with them.
 *
 * units   *_ns  CLOCK_REALTIME
 */
#ifndef IBSPEED_BASELINE_H
#define IBSPEED_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/link.h"
#include "ibspeed/map.h"

#define IBS_WHO_SIZE	65
#define IBS_REASON_SIZE 256

struct ibs_baseline_node {
	uint64_t guid;
	uint32_t instance;
	uint8_t type;
	uint16_t device_id;
	uint32_t vendor_id;
	uint64_t port_guid; /* of the port that answered */
	uint8_t desc[IBS_DESC_SIZE];
};

/* What is known of it, as a node of a map; the rest is 0. */
void ibs_baseline_as_node(const struct ibs_baseline_node *known,
			  struct ibs_node *ret_node);

struct ibs_baseline_link {
	uint32_t nodes[2]; /* index of the node of each end */
	uint8_t nums[2];   /* its port */
	struct ibs_pair pair;
	int64_t at_ns; /* when it was accepted */
};

/* Who accepted all of it last, or the latest part when nobody did. */
struct ibs_baseline {
	struct ibs_baseline_node *nodes; /* by (guid, instance) */
	struct ibs_baseline_link *links; /* by the first end */
	uint32_t n_nodes;
	uint32_t n_links;
	bool whole;    /* all links were accepted once: others are new */
	int64_t at_ns; /* of that acceptance */
	char who[IBS_WHO_SIZE];
	uint32_t n_later; /* links that were accepted after it */
	int64_t later_ns; /* the latest of them; 0 none */
	char later_who[IBS_WHO_SIZE];
};
void ibs_baseline_free(struct ibs_baseline *baseline);

/* A port of a node, or the node with all of its ports. */
struct ibs_place {
	uint64_t guid;
	uint32_t instance;
	int16_t num; /* -1: the node */
};

/*
 * What nobody wants to hear of for a time: a port, or a node with all its.  A
 * link that has another finding than these (notes apart) is told again.
 */
struct ibs_waiver {
	uint64_t guid;
	uint32_t instance;
	int16_t num; /* -1: the node */
	int64_t at_ns;
	int64_t until_ns;
	ibs_set findings; /* that were there when it was made; 0: any */
	char reason[IBS_REASON_SIZE];
	char who[IBS_WHO_SIZE];
};

#endif
