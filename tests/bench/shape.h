/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * shape: the cables of a made-up fabric.  Pods of leaf and spine switches with
 * hosts at the leaves; above them core switches (a fat tree of three levels),
 * cables from each pod to each other one (like a Dragonfly), or nothing (a fat
 * tree of two levels, or a single switch).
 *
 * Ports have numbers of their own over the whole fabric, "slots": that of a
 * node's port is its first_slot plus the port number.
 */
#ifndef IBSPEED_TESTS_SHAPE_H
#define IBSPEED_TESTS_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#define SHAPE_NO_SLOT	UINT32_MAX
#define SHAPE_NAME_SIZE 64

enum shape_role { SHAPE_HOST, SHAPE_LEAF, SHAPE_SPINE, SHAPE_CORE };

struct shape_node {
	uint64_t guid;	     /* a port's is this plus the port number */
	uint32_t first_slot; /* of port 0, which a host does not use */
	uint16_t pod;
	uint16_t num; /* among the nodes of its role and pod */
	uint8_t role; /* enum shape_role */
	uint8_t n_ports;
};

struct shape {
	uint32_t n_nodes;
	uint32_t n_slots;
	struct shape_node *nodes; /* hosts first */
	uint32_t *peers;	  /* slot at the other end, or NO_SLOT */
	uint32_t *owners;	  /* node of the slot */
};

/* Names of the fabrics: shape_name(i), NULL after the last. */
const char *shape_name(size_t i);
/* NULL: no such name, or no memory. */
struct shape *shape_make(const char *name);
void shape_free(struct shape *shape); /* NULL is fine */
/* Its NodeDescription. */
void shape_node_name(const struct shape *shape, uint32_t node,
		     char name[SHAPE_NAME_SIZE]);

#endif
