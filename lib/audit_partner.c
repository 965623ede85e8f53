// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Which cable of the map took the place of one of the baseline: one for one,
 * so that a link that nothing stands in for is missing, whatever its ports have
 * now.
 *
 * A port has one cable, so a link of the baseline shares a port with two of the
 * map at most, and the other way round: they hang together in chains.  One that
 * finds both of its own taken may pass a chain on by one place.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "audit_private.h"

struct pairing {
	const struct ibs_auditing *auditing;
	uint32_t *partner; /* [baseline->n_links] link of the map */
	uint32_t *old_of;  /* [map->n_links] the other way round */
	bool far;	   /* it may go to other nodes than it did */
};

static uint32_t
other_port(const struct ibs_map_link *link, uint32_t port)
{
	return link->a == port ? link->b : link->a;
}

static uint8_t
role_of(const struct ibs_auditing *auditing, const struct ibs_audit_end ends[2])
{
	struct ibs_policy_end a, b;

	ibs_audit_policy_end(auditing, &ends[0], &a);
	ibs_audit_policy_end(auditing, &ends[1], &b);
	return (uint8_t)ibs_role_of(&a, &b);
}

/*
 * To other nodes a cable moves when both its ends did, or when a host went to
 * another switch.  A port that feeds something else now, while what was there
 * has nothing, is a link lost; and a host is no uplink.
 */
static bool
stands_in_far(const struct ibs_auditing *auditing,
	      const struct ibs_audit_end ends[2], int end,
	      const struct ibs_map_link *link)
{
	const struct ibs_map *map = auditing->request->map;
	struct ibs_audit_end now[2];
	uint8_t role = role_of(auditing, ends);

	ibs_audit_end_of_port(map, link->a, &now[0]);
	ibs_audit_end_of_port(map, link->b, &now[1]);
	if (role != role_of(auditing, now)) {
		return false;
	}
	return ibs_audit_fate(auditing, &ends[1 - end]) == IBS_FATE_ELSEWHERE ||
	       (role == IBS_ROLE_SWITCH_HOST &&
		map->nodes[ends[end].node].type != IBS_NODE_SWITCH);
}

/* The link that this end has now, if it may stand in for the old one. */
static uint32_t
candidate(const struct pairing *pairing, uint32_t base, int end)
{
	const struct ibs_auditing *auditing = pairing->auditing;
	const struct ibs_map *map = auditing->request->map;
	struct ibs_audit_end ends[2];
	uint32_t link, peer;

	ibs_audit_ends_of_base(auditing, base, ends);
	if (ibs_audit_fate(auditing, &ends[end]) != IBS_FATE_ELSEWHERE) {
		return IBS_NO_INDEX;
	}
	link = auditing->link_of[ends[end].port];
	peer = other_port(&map->links[link], ends[end].port);
	if (map->ports[peer].node == ends[1 - end].node ||
	    (pairing->far &&
	     stands_in_far(auditing, ends, end, &map->links[link]))) {
		return link;
	}
	return IBS_NO_INDEX;
}

static uint32_t
other_candidate(const struct pairing *pairing, uint32_t base, uint32_t link)
{
	uint32_t first = candidate(pairing, base, 0);

	return first != link ? first : candidate(pairing, base, 1);
}

/* Whether each owner along the chain can take the next one. */
static bool
chain_gives(const struct pairing *pairing, uint32_t link)
{
	while (pairing->old_of[link] != IBS_NO_INDEX) {
		link = other_candidate(pairing, pairing->old_of[link], link);
		if (link == IBS_NO_INDEX) {
			return false;
		}
	}
	return true;
}

static void
pass_on(struct pairing *pairing, uint32_t base, uint32_t link)
{
	while (base != IBS_NO_INDEX) {
		uint32_t owner = pairing->old_of[link];

		pairing->old_of[link] = base;
		pairing->partner[base] = link;
		base = owner;
		if (base != IBS_NO_INDEX) {
			link = other_candidate(pairing, base, link);
		}
	}
}

/* One that is free, or else one that can be made so. */
static void
find_partner(struct pairing *pairing, uint32_t base)
{
	const uint32_t links[2] = { candidate(pairing, base, 0),
				    candidate(pairing, base, 1) };

	for (int end = 0; end < 2; end++) {
		if (links[end] != IBS_NO_INDEX &&
		    pairing->old_of[links[end]] == IBS_NO_INDEX) {
			pass_on(pairing, base, links[end]);
			return;
		}
	}
	for (int end = 0; end < 2; end++) {
		if (links[end] != IBS_NO_INDEX &&
		    chain_gives(pairing, links[end])) {
			pass_on(pairing, base, links[end]);
			return;
		}
	}
}

/* Between the same nodes first: that cable is the nearest to what it was. */
int
ibs_audit_find_partners(struct ibs_auditing *auditing)
{
	const struct ibs_baseline *baseline = auditing->request->baseline;
	struct pairing pairing = { .auditing = auditing,
				   .partner = auditing->partner };

	if (!baseline) {
		return 0;
	}
	pairing.old_of = ibs_audit_no_indexes(auditing->request->map->n_links);
	if (!pairing.old_of) {
		return -ENOMEM;
	}
	for (int far = 0; far < 2; far++) {
		pairing.far = far;
		for (uint32_t i = 0; i < baseline->n_links; i++) {
			if (pairing.partner[i] == IBS_NO_INDEX &&
			    !ibs_audit_is_there(auditing, i)) {
				find_partner(&pairing, i);
			}
		}
	}
	free(pairing.old_of);
	return 0;
}
