// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * What the links of an audit add up to: parallel links of two nodes, each
 * switch towards switches and towards hosts, and all of them by their role.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "audit_private.h"
#include "grow.h"

void
ibs_capacity_add(struct ibs_capacity *sum, const struct ibs_cable *cable)
{
	int32_t eff = cable->eff_100mbps, expected = cable->expected_100mbps;

	sum->n_links++;
	if (eff < 0) {
		sum->n_unknown++;
		return;
	}
	if (eff == 0) {
		sum->n_down++;
	} else if (eff == expected) {
		sum->n_full++;
	} else if (2 * eff == expected) {
		sum->n_half++;
	} else if (4 * eff == expected) {
		sum->n_quarter++;
	} else {
		sum->n_slow++;
	}
	sum->eff_100mbps += (uint32_t)eff;
	sum->expected_100mbps += (uint32_t)expected;
}

static uint64_t
lost(const struct ibs_capacity *capacity)
{
	return capacity->expected_100mbps - capacity->eff_100mbps;
}

static bool
is_whole(const struct ibs_capacity *capacity)
{
	return capacity->n_full == capacity->n_links;
}

static int
compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static uint64_t
rank_of(const struct ibs_auditing *auditing, uint32_t node)
{
	return node < auditing->request->map->n_nodes ? auditing->ranks[node]
						      : node;
}

/* Ranks of the lower and of the higher node, whichever end they are. */
static void
order_nodes(const struct ibs_auditing *auditing, const struct ibs_cable *cable,
	    uint64_t ret_ranks[2])
{
	for (int i = 0; i < 2; i++) {
		ret_ranks[i] = rank_of(auditing, cable->nodes[i]);
	}
	if (ret_ranks[0] > ret_ranks[1]) {
		uint64_t rank = ret_ranks[0];

		ret_ranks[0] = ret_ranks[1];
		ret_ranks[1] = rank;
	}
}

static int
compare_cables(const void *left, const void *right, void *context)
{
	uint64_t a[2], b[2];
	int order;

	order_nodes(context, left, a);
	order_nodes(context, right, b);
	order = compare_numbers(a[0], b[0]);
	return order ? order : compare_numbers(a[1], b[1]);
}

static void
sort_cables(struct ibs_auditing *auditing)
{
	if (auditing->n_cables) {
		qsort_r(auditing->cables, auditing->n_cables,
			sizeof(*auditing->cables), compare_cables, auditing);
	}
}

/* How many from that one on join the same two nodes. */
static uint32_t
run_length(struct ibs_auditing *auditing, uint32_t first)
{
	uint32_t n = 1;

	while (first + n < auditing->n_cables &&
	       compare_cables(&auditing->cables[first],
			      &auditing->cables[first + n], auditing) == 0) {
		n++;
	}
	return n;
}

static void
end_of_node(const struct ibs_auditing *auditing, uint32_t node,
	    struct ibs_audit_end *ret_end)
{
	uint32_t n_nodes = auditing->request->map->n_nodes;

	*ret_end = ibs_audit_nobody;
	if (node < n_nodes) {
		ret_end->node = node;
	} else {
		ret_end->known = node - n_nodes;
	}
}

/* The best of them: what one that is missing should be, and the last rule. */
static struct ibs_cable
best_of_run(const struct ibs_auditing *auditing, uint32_t first, uint32_t n)
{
	struct ibs_cable best = auditing->cables[first];

	for (uint32_t i = 1; i < n; i++) {
		const struct ibs_cable *cable = &auditing->cables[first + i];

		if (cable->expected_100mbps > best.expected_100mbps) {
			best.expected_100mbps = cable->expected_100mbps;
			best.expected = cable->expected;
		}
		if (best.count_rule == IBS_NO_INDEX ||
		    (cable->count_rule != IBS_NO_INDEX &&
		     cable->count_rule > best.count_rule)) {
			best.count_rule = cable->count_rule;
		}
	}
	return best;
}

/* What a pair of nodes has too few of. */
struct shortfall {
	struct ibs_cable best;
	uint32_t n, want;
};

/* A row for the two nodes, and a cable for each that is missing. */
static int
add_too_few(struct ibs_auditing *auditing, const struct shortfall *few,
	    uint32_t n_links, enum ibs_finding finding)
{
	const struct ibs_cable *best = &few->best;
	bool known = finding == IBS_FINDING_MISSING;
	struct ibs_case work = {
		.base = IBS_NO_INDEX,
		.role = IBS_ROLE_COUNT, /* its cables are added here */
		.row = { .findings = IBS_BIT(finding),
			 .eff_100mbps = known ? 0 : -1,
			 .link = IBS_NO_INDEX,
			 .expected = best->expected,
			 .expected_100mbps = best->expected_100mbps,
			 .n_links = n_links,
			 .rule = best->count_rule,
			 .waiver = IBS_NO_INDEX,
			 .first_reason = auditing->audit->n_reasons },
	};
	struct ibs_reason reason = { .code = known ? IBS_REASON_TOO_FEW
						   : IBS_REASON_FEW_KNOWN,
				     .finding = (uint8_t)finding,
				     .value = few->n,
				     .limit = few->want,
				     .rule = best->count_rule,
				     .other = IBS_NO_INDEX };
	int err;

	memset(work.rules, 0xff, sizeof(work.rules)); /* NO_INDEX */
	end_of_node(auditing, best->nodes[0], &work.row.ends[0]);
	end_of_node(auditing, best->nodes[1], &work.row.ends[1]);
	if (known && best->expected_100mbps > 0) {
		work.row.lost_100mbps =
			(int64_t)best->expected_100mbps * n_links;
	}
	err = ibs_audit_add_reason(auditing, &reason);
	if (!err) {
		err = ibs_audit_close(auditing, &work);
	}
	work.role = best->role;
	work.row.lost_100mbps /= n_links;
	for (uint32_t i = 0; !err && i < n_links; i++) {
		err = ibs_audit_add_cable(auditing, &work);
	}
	return err;
}

/* Ports of a node that may have a cable that nobody knows of. */
static uint32_t
count_unknown(const struct ibs_auditing *auditing, uint32_t node)
{
	const struct ibs_map *map = auditing->request->map;
	uint32_t n = 0;

	if (node >= map->n_nodes) {
		return auditing->audit->complete ? 0 : UINT32_MAX;
	}
	for (uint32_t i = map->nodes[node].first_port;
	     i < map->n_ports && map->ports[i].node == node; i++) {
		uint32_t link = auditing->link_of[i];

		if (!ibs_map_port_external(map, i)) {
			continue;
		}
		if (link == IBS_NO_INDEX) {
			n += map->ports[i].read != IBS_READ_OK &&
			     !auditing->told[i];
		} else {
			n += map->links[link].b == IBS_NO_INDEX &&
			     auditing->base_of[i] == IBS_NO_INDEX;
		}
	}
	return n;
}

static uint32_t
smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Missing, but for as many as the ports may have that nobody knows of. */
static int
judge_count(struct ibs_auditing *auditing, const struct shortfall *few)
{
	uint32_t n = few->want - few->n;
	uint32_t unknown = smaller(
		n, smaller(count_unknown(auditing, few->best.nodes[0]),
			   count_unknown(auditing, few->best.nodes[1])));
	int err = 0;

	if (unknown) {
		err = add_too_few(auditing, few, unknown, IBS_FINDING_UNKNOWN);
	}
	if (!err && n > unknown) {
		err = add_too_few(auditing, few, n - unknown,
				  IBS_FINDING_MISSING);
	}
	return err;
}

/* The cables are in order; those that are added come behind them. */
static int
find_too_few(struct ibs_auditing *auditing)
{
	uint32_t n_cables = auditing->n_cables, n;
	int err = 0;

	for (uint32_t i = 0; !err && i < n_cables; i += n) {
		struct shortfall few;

		n = run_length(auditing, i);
		if (n > n_cables - i) {
			n = n_cables - i;
		}
		few.best = best_of_run(auditing, i, n);
		few.n = n;
		if (few.best.count_rule == IBS_NO_INDEX ||
		    few.best.nodes[0] == few.best.nodes[1]) {
			continue; /* a loop is no uplink */
		}
		few.want = auditing->request->policy->rules[few.best.count_rule]
				   .count;
		if (n < few.want) {
			err = judge_count(auditing, &few);
		}
	}
	return err;
}

static int
add_group(struct ibs_auditing *auditing, uint32_t first, uint32_t n)
{
	struct ibs_audit *audit = auditing->audit;
	struct ibs_audit_group group = { .capacity = { .n_links = 0 } };
	void *rows = audit->groups;

	for (uint32_t i = 0; i < n; i++) {
		ibs_capacity_add(&group.capacity, &auditing->cables[first + i]);
	}
	if (n < 2 ||
	    (is_whole(&group.capacity) && !auditing->request->verbose)) {
		return 0;
	}
	for (int i = 0; i < 2; i++) {
		end_of_node(auditing, auditing->cables[first].nodes[i],
			    &group.ends[i]);
	}
	if (ibs_grow(&rows, sizeof(group), audit->n_groups,
		     &auditing->groups_size)) {
		return -ENOMEM;
	}
	audit->groups = rows;
	audit->groups[audit->n_groups++] = group;
	return 0;
}

static uint64_t
rank_of_end(const struct ibs_auditing *auditing,
	    const struct ibs_audit_end *end)
{
	return end->node != IBS_NO_INDEX ? rank_of(auditing, end->node)
					 : (uint64_t)UINT32_MAX + end->known;
}

static int
compare_groups(const void *left, const void *right, void *context)
{
	const struct ibs_audit_group *a = left, *b = right;
	int order = compare_numbers(lost(&b->capacity), lost(&a->capacity));

	for (int i = 0; !order && i < 2; i++) {
		order = compare_numbers(rank_of_end(context, &a->ends[i]),
					rank_of_end(context, &b->ends[i]));
	}
	return order;
}

static int
make_groups(struct ibs_auditing *auditing)
{
	struct ibs_audit *audit = auditing->audit;
	uint32_t n;
	int err = 0;

	for (uint32_t i = 0; !err && i < auditing->n_cables; i += n) {
		n = run_length(auditing, i);
		err = add_group(auditing, i, n);
	}
	if (!err && audit->n_groups) {
		qsort_r(audit->groups, audit->n_groups, sizeof(*audit->groups),
			compare_groups, auditing);
	}
	return err;
}

static void
add_to_switch(const struct ibs_auditing *auditing,
	      struct ibs_audit_switch *switches, const struct ibs_cable *cable,
	      int end)
{
	const struct ibs_map *map = auditing->request->map;
	uint32_t node = cable->nodes[end];

	if (node >= map->n_nodes || map->nodes[node].type != IBS_NODE_SWITCH) {
		return;
	}
	if (cable->role == IBS_ROLE_SWITCH_SWITCH) {
		ibs_capacity_add(&switches[node].up, cable);
	} else if (cable->role == IBS_ROLE_SWITCH_HOST) {
		ibs_capacity_add(&switches[node].down, cable);
	}
}

static int
compare_switches(const void *left, const void *right, void *context)
{
	const struct ibs_audit_switch *a = left, *b = right;
	const struct ibs_auditing *auditing = context;
	int order = compare_numbers(lost(&b->up) + lost(&b->down),
				    lost(&a->up) + lost(&a->down));

	return order ? order
		     : compare_numbers(auditing->ranks[a->node],
				       auditing->ranks[b->node]);
}

static int
make_switches(struct ibs_auditing *auditing)
{
	const struct ibs_map *map = auditing->request->map;
	struct ibs_audit *audit = auditing->audit;
	struct ibs_audit_switch *switches =
		calloc((size_t)map->n_nodes + 1, sizeof(*switches));

	if (!switches) {
		return -ENOMEM;
	}
	audit->switches = switches;
	for (uint32_t i = 0; i < auditing->n_cables; i++) {
		const struct ibs_cable *cable = &auditing->cables[i];

		if (cable->nodes[0] != cable->nodes[1]) { /* no loop */
			add_to_switch(auditing, switches, cable, 0);
			add_to_switch(auditing, switches, cable, 1);
		}
	}
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		switches[i].node = i;
		if (map->nodes[i].type == IBS_NODE_SWITCH &&
		    (auditing->request->verbose || !is_whole(&switches[i].up) ||
		     !is_whole(&switches[i].down))) {
			switches[audit->n_switches++] = switches[i];
		}
	}
	if (audit->n_switches) {
		qsort_r(switches, audit->n_switches, sizeof(*switches),
			compare_switches, auditing);
	}
	return 0;
}

int
ibs_audit_sum(struct ibs_auditing *auditing)
{
	struct ibs_audit *audit = auditing->audit;
	int err;

	sort_cables(auditing);
	err = find_too_few(auditing);
	if (err) {
		return err;
	}
	sort_cables(auditing);
	for (uint32_t i = 0; i < auditing->n_cables; i++) {
		const struct ibs_cable *cable = &auditing->cables[i];

		ibs_capacity_add(&audit->by_role[cable->role], cable);
		ibs_capacity_add(&audit->total, cable);
	}
	err = make_groups(auditing);
	return err ? err : make_switches(auditing);
}
