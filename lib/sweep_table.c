// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The GUID table of a discovery: nodes by their GUID, which may be that of
 * several.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>

#include "sweep_private.h"

#define FIRST_BUCKETS 64u

static uint32_t *
bucket_of(const struct ibs_sweep *s, uint64_t guid)
{
	uint64_t mixed = (guid ^ guid >> 32) * UINT64_C(0x9e3779b97f4a7c15);

	return &s->discovery
			.buckets[mixed >> 32 & (s->discovery.n_buckets - 1)];
}

static void
into_bucket(struct ibs_sweep *s, uint32_t node)
{
	uint32_t *bucket = bucket_of(s, s->map->nodes[node].guid);

	s->nodes[node].next_twin = *bucket;
	*bucket = node;
}

/* At least as long as there are nodes, with all that were in it. */
static int
grow(struct sweep_discovery *d, uint32_t n_nodes)
{
	uint32_t n = d->n_buckets ? d->n_buckets : FIRST_BUCKETS;
	uint32_t *buckets;

	while (n < n_nodes) {
		n *= 2;
	}
	buckets = malloc(n * sizeof(*buckets));
	if (!buckets) {
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < n; i++) {
		buckets[i] = IBS_NO_INDEX;
	}
	free(d->buckets);
	d->buckets = buckets;
	d->n_buckets = n;
	return 0;
}

int
sweep_table_add(struct ibs_sweep *s, uint32_t node)
{
	if (node < s->discovery.n_buckets) {
		into_bucket(s, node);
		return 0;
	}
	if (grow(&s->discovery, node + 1)) {
		return -ENOMEM;
	}
	for (uint32_t i = 0; i <= node; i++) {
		into_bucket(s, i);
	}
	return 0;
}

uint32_t
sweep_table_first(const struct ibs_sweep *s, uint64_t guid)
{
	return s->discovery.n_buckets ? *bucket_of(s, guid) : IBS_NO_INDEX;
}
