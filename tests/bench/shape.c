// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "shape.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_GUID UINT64_C(0x0002c90300000000)
#define GUID_STEP  256 /* room for the GUIDs of its ports */

/* How many of each; all switches of a fabric have the same radix. */
struct plan {
	const char *name;
	unsigned int radix;
	unsigned int n_pods;
	unsigned int n_leaves; /* of a pod */
	unsigned int n_hosts;  /* of a leaf; its other ports go up */
	unsigned int n_spines; /* of a pod */
	unsigned int n_cores;  /* of the fabric */
	bool is_dragonfly;     /* pods are cabled to each other */
};

static const struct plan plans[] = {
	{ "star", 64, 1, 1, 64, 0, 0, false },
	{ "small", 36, 1, 8, 20, 4, 0, false },
	{ "1k", 64, 1, 32, 32, 16, 0, false },
	{ "1k-dragonfly", 32, 4, 16, 16, 16, 0, true },
	{ "5k", 40, 13, 20, 20, 20, 200, false },
	{ "5k-dragonfly", 40, 13, 20, 20, 20, 0, true },
	{ "10k-wide", 144, 1, 144, 72, 72, 0, false },
	{ "11k", 36, 36, 18, 18, 18, 324, false },
	{ "11k-dragonfly", 36, 36, 18, 18, 18, 0, true },
	{ "27k", 64, 27, 32, 32, 32, 512, false },
	{ "27k-dragonfly", 64, 27, 32, 32, 32, 0, true },
};
#define N_PLANS (sizeof(plans) / sizeof(plans[0]))

const char *
shape_name(size_t i)
{
	return i < N_PLANS ? plans[i].name : NULL;
}

/* A shape in the making: the first node of each role, and what is left. */
struct yard {
	const struct plan *plan;
	struct shape *shape;
	uint32_t leaves, spines, cores;
	unsigned int *n_used; /* ports of each node that have a cable */
};

static void
add_nodes(struct yard *yard, enum shape_role role, unsigned int n_pods,
	  unsigned int n_each, unsigned int n_ports)
{
	struct shape *shape = yard->shape;

	for (unsigned int i = 0; i < n_pods * n_each; i++) {
		struct shape_node *node = &shape->nodes[shape->n_nodes];

		*node = (struct shape_node){
			.guid = FIRST_GUID + GUID_STEP * shape->n_nodes,
			.first_slot = shape->n_slots,
			.pod = (uint16_t)(i / n_each),
			.num = (uint16_t)(i % n_each),
			.role = (uint8_t)role,
			.n_ports = (uint8_t)n_ports,
		};
		for (unsigned int num = 0; num <= n_ports; num++) {
			shape->peers[shape->n_slots] = SHAPE_NO_SLOT;
			shape->owners[shape->n_slots++] = shape->n_nodes;
		}
		shape->n_nodes++;
	}
}

static void
connect_ports(struct shape *shape, uint32_t a, unsigned int a_num, uint32_t b,
	      unsigned int b_num)
{
	uint32_t a_slot = shape->nodes[a].first_slot + a_num;
	uint32_t b_slot = shape->nodes[b].first_slot + b_num;

	shape->peers[a_slot] = b_slot;
	shape->peers[b_slot] = a_slot;
}

/* A cable between the next ports that are left. */
static void
connect_next(struct yard *yard, uint32_t a, uint32_t b)
{
	assert(yard->n_used[a] < yard->shape->nodes[a].n_ports);
	assert(yard->n_used[b] < yard->shape->nodes[b].n_ports);
	connect_ports(yard->shape, a, ++yard->n_used[a], b, ++yard->n_used[b]);
}

static void
connect_hosts(struct yard *yard)
{
	uint32_t host = 0;

	for (uint32_t leaf = yard->leaves; leaf < yard->spines; leaf++) {
		for (unsigned int i = 0; i < yard->plan->n_hosts; i++) {
			connect_next(yard, leaf, host++);
		}
	}
}

/* A leaf's cables go to all spines of its pod in turn. */
static void
connect_leaves(struct yard *yard)
{
	const struct plan *plan = yard->plan;
	unsigned int n_up = plan->n_spines ? plan->radix - plan->n_hosts : 0;

	for (uint32_t leaf = yard->leaves; leaf < yard->spines; leaf++) {
		uint32_t first = yard->spines + (leaf - yard->leaves) /
							plan->n_leaves *
							plan->n_spines;

		for (unsigned int i = 0; i < n_up; i++) {
			connect_next(yard, leaf, first + i % plan->n_spines);
		}
	}
}

/* The spines of one number, over all pods, share their own cores. */
static void
connect_cores(struct yard *yard)
{
	const struct plan *plan = yard->plan;
	unsigned int n_each = plan->n_cores / plan->n_spines;
	unsigned int n_up = plan->radix - plan->n_leaves;

	for (uint32_t spine = yard->spines; spine < yard->cores; spine++) {
		uint32_t first = yard->cores + (spine - yard->spines) %
						       plan->n_spines * n_each;

		for (unsigned int i = 0; i < n_up; i++) {
			connect_next(yard, spine, first + i % n_each);
		}
	}
}

/* The next spine of the pod in turn: all of them get as many cables. */
static uint32_t
next_spine(const struct yard *yard, unsigned int pod, unsigned int *n_cables)
{
	return yard->spines + pod * yard->plan->n_spines +
	       n_cables[pod]++ % yard->plan->n_spines;
}

static bool
connect_pods(struct yard *yard)
{
	const struct plan *plan = yard->plan;
	unsigned int n_up = plan->n_spines * (plan->radix - plan->n_leaves);
	unsigned int *n_cables = calloc(plan->n_pods, sizeof(*n_cables));
	unsigned int n_each;

	assert(plan->n_pods > 1);
	n_each = n_up / (plan->n_pods - 1);
	for (unsigned int i = 0; n_cables && i < n_each; i++) {
		for (unsigned int b = 1; b < plan->n_pods; b++) {
			for (unsigned int a = 0; a < b; a++) {
				connect_next(yard,
					     next_spine(yard, a, n_cables),
					     next_spine(yard, b, n_cables));
			}
		}
	}
	free(n_cables);
	return n_cables != NULL;
}

static bool
make_room(struct yard *yard)
{
	const struct plan *plan = yard->plan;
	struct shape *shape = yard->shape;
	size_t n_hosts = (size_t)plan->n_pods * plan->n_leaves * plan->n_hosts;
	size_t n_switches =
		(size_t)plan->n_pods * (plan->n_leaves + plan->n_spines) +
		plan->n_cores;
	size_t n_slots = 2 * n_hosts + (plan->radix + 1) * n_switches;

	shape->nodes = calloc(n_hosts + n_switches, sizeof(*shape->nodes));
	shape->peers = calloc(n_slots, sizeof(*shape->peers));
	shape->owners = calloc(n_slots, sizeof(*shape->owners));
	yard->n_used = calloc(n_hosts + n_switches, sizeof(*yard->n_used));
	return shape->nodes && shape->peers && shape->owners && yard->n_used;
}

static bool
fill(struct yard *yard)
{
	const struct plan *plan = yard->plan;
	bool good = true;

	add_nodes(yard, SHAPE_HOST, plan->n_pods,
		  plan->n_leaves * plan->n_hosts, 1);
	yard->leaves = yard->shape->n_nodes;
	add_nodes(yard, SHAPE_LEAF, plan->n_pods, plan->n_leaves, plan->radix);
	yard->spines = yard->shape->n_nodes;
	add_nodes(yard, SHAPE_SPINE, plan->n_pods, plan->n_spines, plan->radix);
	yard->cores = yard->shape->n_nodes;
	add_nodes(yard, SHAPE_CORE, 1, plan->n_cores, plan->radix);
	connect_hosts(yard);
	connect_leaves(yard);
	if (plan->n_cores) {
		connect_cores(yard);
	}
	if (plan->is_dragonfly) {
		good = connect_pods(yard);
	}
	return good;
}

struct shape *
shape_make(const char *name)
{
	struct yard yard = { .plan = plans };
	bool good;

	while (yard.plan < plans + N_PLANS &&
	       strcmp(yard.plan->name, name) != 0) {
		yard.plan++;
	}
	if (yard.plan == plans + N_PLANS) {
		return NULL;
	}
	yard.shape = calloc(1, sizeof(*yard.shape));
	if (!yard.shape) {
		return NULL;
	}
	good = make_room(&yard) && fill(&yard);
	free(yard.n_used);
	if (!good) {
		shape_free(yard.shape);
		return NULL;
	}
	return yard.shape;
}

void
shape_free(struct shape *shape)
{
	if (shape) {
		free(shape->nodes);
		free(shape->peers);
		free(shape->owners);
		free(shape);
	}
}

void
shape_node_name(const struct shape *shape, uint32_t node,
		char name[SHAPE_NAME_SIZE])
{
	const struct shape_node *n = &shape->nodes[node];
	unsigned int pod = n->pod + 1u, num = n->num + 1u;

	switch ((enum shape_role)n->role) {
	case SHAPE_HOST:
		(void)snprintf(name, SHAPE_NAME_SIZE, "node-%02u-%04u mlx5_0",
			       pod, num);
		return;
	case SHAPE_LEAF:
		(void)snprintf(name, SHAPE_NAME_SIZE, "leaf-%02u-%03u", pod,
			       num);
		return;
	case SHAPE_SPINE:
		(void)snprintf(name, SHAPE_NAME_SIZE, "spine-%02u-%03u", pod,
			       num);
		return;
	case SHAPE_CORE:
		(void)snprintf(name, SHAPE_NAME_SIZE, "core-%04u", num);
		return;
	}
}
