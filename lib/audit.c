// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Each link of a map judged by what it could be, by the policy and by the
 * baseline.  The reasons are found by audit_explain.c, what is not in the map
 * by audit_missing.c, the sums by audit_sum.c, order and choice by
 * audit_rows.c.
 */
#include <config.h>

#include "ibspeed/audit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "audit_private.h"
#include "writer_private.h"

const struct ibs_audit_end ibs_audit_nobody = { IBS_NO_INDEX, IBS_NO_INDEX,
						IBS_NO_INDEX, -1 };
const struct ibs_pair ibs_pair_none = { IBS_SPEED_NONE, IBS_WIDTH_NONE };

void
ibs_audit_end_of_port(const struct ibs_map *map, uint32_t port,
		      struct ibs_audit_end *ret_end)
{
	*ret_end = ibs_audit_nobody;
	if (port != IBS_NO_INDEX) {
		ret_end->node = map->ports[port].node;
		ret_end->port = port;
		ret_end->num = map->ports[port].num;
	}
}

const struct ibs_rule *
ibs_audit_rule(const struct ibs_auditing *auditing, const struct ibs_case *work,
	       enum ibs_demand demand)
{
	uint32_t rule = work->rules[demand];

	return rule == IBS_NO_INDEX ? NULL
				    : &auditing->request->policy->rules[rule];
}

static int32_t
pair_100mbps(struct ibs_pair pair)
{
	return ibs_eff_100mbps((enum ibs_speed)pair.speed,
			       (enum ibs_width)pair.width);
}

/* At QDR, which may be the speed that is wanted: no end told. */
static bool
may_run_at(const struct ibs_map *map, const struct ibs_map_link *row,
	   struct ibs_pair want)
{
	const uint32_t ends[2] = { row->a, row->b };
	bool may = true;

	for (int i = 0; i < 2; i++) {
		struct ibs_port port;

		if (ends[i] == IBS_NO_INDEX) {
			continue;
		}
		ibs_map_port_decode(map, ends[i], &port);
		may = may &&
		      ibs_link_may_be_fdr10(
			      &port, (enum ibs_speed)row->link.active.speed,
			      (enum ibs_speed)want.speed);
	}
	return may;
}

/* Slower; or as fast, and no better in width or speed: QDR below FDR10. */
static bool
is_below(const struct ibs_map *map, const struct ibs_map_link *row,
	 struct ibs_pair want)
{
	const struct ibs_link *link = &row->link;
	int32_t want_100mbps = pair_100mbps(want);

	if (link->eff_100mbps != want_100mbps) {
		return link->eff_100mbps < want_100mbps;
	}
	if (link->active.width == want.width && may_run_at(map, row, want)) {
		return false;
	}
	return link->active.speed <= want.speed &&
	       link->active.width <= want.width &&
	       (link->active.speed != want.speed ||
		link->active.width != want.width);
}

static const struct ibs_baseline_link *
base_link(const struct ibs_auditing *auditing, const struct ibs_case *work)
{
	return work->base == IBS_NO_INDEX
		       ? NULL
		       : &auditing->request->baseline->links[work->base];
}

/* Where one end is up and the other Down, what the one that is up enables. */
static struct ibs_pair
enabled_pair(const struct ibs_map *map, const struct ibs_map_link *row)
{
	const uint32_t ends[2] = { row->a, row->b };
	struct ibs_pair pair = row->link.expected;

	for (int i = 0; row->link.eff_100mbps == 0 && i < 2; i++) {
		struct ibs_port port;

		if (ends[i] == IBS_NO_INDEX) {
			continue;
		}
		ibs_map_port_decode(map, ends[i], &port);
		if (port.up) {
			pair.speed =
				(uint8_t)ibs_speed_best(port.speed_enabled);
			pair.width =
				(uint8_t)ibs_width_best(port.width_enabled);
		}
	}
	return pair;
}

/* What the link should be, and be worth. */
static void
expect(const struct ibs_auditing *auditing, struct ibs_case *work)
{
	const struct ibs_rule *rule =
		ibs_audit_rule(auditing, work, IBS_DEMAND_SPEED);
	const struct ibs_baseline_link *base = base_link(auditing, work);
	struct ibs_audit_row *row = &work->row;

	row->expected = enabled_pair(auditing->request->map, work->link);
	if (rule && pair_100mbps(rule->expect) >= 0) {
		row->expected = rule->expect;
	} else if (base &&
		   pair_100mbps(base->pair) > pair_100mbps(row->expected)) {
		row->expected = base->pair;
	}
	row->expected_100mbps = pair_100mbps(row->expected);
	if (rule && rule->min_100mbps > row->expected_100mbps) {
		row->expected_100mbps = rule->min_100mbps;
	}
	if (row->eff_100mbps >= 0 && row->expected_100mbps > row->eff_100mbps) {
		row->lost_100mbps = row->expected_100mbps - row->eff_100mbps;
	}
}

/* What the policy expects takes the place of what both ends enable. */
static void
drop_unexpected(const struct ibs_rule *rule, const struct ibs_link *link,
		ibs_set *findings)
{
	if (link->active.width >= rule->expect.width) {
		*findings &= (ibs_set)~IBS_BIT(IBS_FINDING_DEGRADED_WIDTH);
	}
	if (link->active.speed >= rule->expect.speed) {
		*findings &= (ibs_set)~IBS_BIT(IBS_FINDING_DEGRADED_SPEED);
	}
	if (link->active.width >= rule->expect.width &&
	    link->active.speed >= rule->expect.speed &&
	    link->expected.width >= rule->expect.width &&
	    link->expected.speed >= rule->expect.speed) {
		*findings &= (ibs_set)~IBS_BIT(IBS_FINDING_LIMITED_BY_CONFIG);
	}
}

/* No cable helps where the ends themselves do not support what is asked. */
static int
add_support(struct ibs_auditing *auditing, const struct ibs_case *work,
	    const struct ibs_reason *below)
{
	const struct ibs_link *link = &work->link->link;
	struct ibs_reason reason = { .code = IBS_REASON_SUPPORTS_LESS,
				     .finding = IBS_FINDING_BELOW_POLICY,
				     .has = link->capability,
				     .rule = IBS_NO_INDEX,
				     .other = IBS_NO_INDEX };
	int32_t most = pair_100mbps(link->capability);
	bool less =
		below->code == IBS_REASON_BELOW_MIN
			? most < (int64_t)below->limit
			: link->capability.width < below->wants.width ||
				  link->capability.speed < below->wants.speed;

	return most <= 0 || !less ? 0 : ibs_audit_add_reason(auditing, &reason);
}

static int
below(struct ibs_auditing *auditing, struct ibs_case *work,
      enum ibs_reason_code code, struct ibs_pair wants)
{
	uint32_t rule = work->rules[IBS_DEMAND_SPEED];
	struct ibs_reason reason = {
		.code = (uint8_t)code,
		.finding = IBS_FINDING_BELOW_POLICY,
		.has = work->link->link.active,
		.wants = wants,
		.value = (uint32_t)work->row.eff_100mbps,
		.rule = code == IBS_REASON_BELOW_BASELINE ? IBS_NO_INDEX : rule,
		.other = work->base,
	};
	int err;

	if (reason.rule != IBS_NO_INDEX) {
		reason.limit = (uint32_t)auditing->request->policy->rules[rule]
				       .min_100mbps;
		work->row.rule = rule;
	}
	work->row.findings |= IBS_BIT(IBS_FINDING_BELOW_POLICY);
	err = ibs_audit_add_reason(auditing, &reason);
	return err ? err : add_support(auditing, work, &reason);
}

/* Rule and baseline; a rule's speed stands above the baseline's. */
static int
below_policy(struct ibs_auditing *auditing, struct ibs_case *work)
{
	const struct ibs_rule *rule =
		ibs_audit_rule(auditing, work, IBS_DEMAND_SPEED);
	const struct ibs_baseline_link *base = base_link(auditing, work);
	const struct ibs_map *map = auditing->request->map;
	const struct ibs_link *link = &work->link->link;
	bool expects = rule && pair_100mbps(rule->expect) >= 0;
	int err = 0;

	if (link->eff_100mbps <= 0) {
		return 0;
	}
	if (expects) {
		drop_unexpected(rule, link, &work->row.findings);
		if (is_below(map, work->link, rule->expect)) {
			err = below(auditing, work, IBS_REASON_BELOW_EXPECT,
				    rule->expect);
		}
	} else if (base && pair_100mbps(base->pair) >= 0 &&
		   is_below(map, work->link, base->pair)) {
		err = below(auditing, work, IBS_REASON_BELOW_BASELINE,
			    base->pair);
	}
	if (!err && rule && link->eff_100mbps < rule->min_100mbps) {
		err = below(auditing, work, IBS_REASON_BELOW_MIN,
			    ibs_pair_none);
	}
	return err;
}

int
ibs_audit_flaps(struct ibs_auditing *auditing, struct ibs_case *work)
{
	const struct ibs_audit_request *request = auditing->request;
	const struct ibs_rule *rule =
		ibs_audit_rule(auditing, work, IBS_DEMAND_FLAPS);
	struct ibs_reason reason = { .code = IBS_REASON_CHANGES,
				     .finding = IBS_FINDING_FLAPPING,
				     .rule = work->rules[IBS_DEMAND_FLAPS],
				     .other = IBS_NO_INDEX };
	const uint16_t *changes;

	if (!rule || !rule->window_ns || !request->flaps ||
	    !request->flaps[reason.rule]) {
		return 0;
	}
	changes = request->flaps[reason.rule];
	reason.limit = rule->flaps;
	for (uint8_t i = 0; i < 2; i++) {
		uint32_t port = work->row.ends[i].port;

		if (port != IBS_NO_INDEX && changes[port] > reason.value) {
			reason.value = changes[port];
			reason.end = i;
		}
	}
	if (reason.value <= reason.limit) {
		return 0;
	}
	work->row.findings |= IBS_BIT(IBS_FINDING_FLAPPING);
	if (work->row.rule == IBS_NO_INDEX) {
		work->row.rule = reason.rule;
	}
	return ibs_audit_add_reason(auditing, &reason);
}

/* The two ends as they are told, their bytes, and the rules for them. */
static void
open_case(const struct ibs_auditing *auditing, uint32_t link,
	  struct ibs_case *work)
{
	const struct ibs_audit_request *request = auditing->request;
	const struct ibs_map *map = request->map;
	const struct ibs_map_link *row = &map->links[link];
	struct ibs_ends ends = ibs_link_ends(map, row, IBS_NO_INDEX);
	struct ibs_policy_end a, b;
	bool both = ends.b != IBS_NO_INDEX;

	*work = (struct ibs_case){
		.link = row,
		.base = IBS_NO_INDEX,
		.row = { .findings = row->link.findings,
			 .link = link,
			 .active = row->link.active,
			 .eff_100mbps = row->link.eff_100mbps,
			 .n_links = 1,
			 .rule = IBS_NO_INDEX,
			 .waiver = IBS_NO_INDEX,
			 .first_reason = auditing->audit->n_reasons },
	};
	ibs_audit_end_of_port(map, ends.a, &work->row.ends[0]);
	ibs_audit_end_of_port(map, ends.b, &work->row.ends[1]);
	ibs_policy_end_of_map(map, ends.a, &a);
	if (both) {
		ibs_policy_end_of_map(map, ends.b, &b);
	}
	memset(work->rules, 0xff, sizeof(work->rules)); /* NO_INDEX */
	if (request->policy) {
		ibs_policy_find(request->policy, &a, both ? &b : NULL,
				auditing->audit->used, work->rules);
	}
	work->role = (uint8_t)(both ? ibs_role_of(&a, &b) : IBS_ROLE_COUNT);
}

/* Its own link in the baseline, and not another of one end. */
static void
find_base(const struct ibs_auditing *auditing, struct ibs_case *work)
{
	uint32_t a = work->link->a, b = work->link->b;

	if (b != IBS_NO_INDEX && auditing->base_of[a] == auditing->base_of[b]) {
		work->base = auditing->base_of[a];
	}
}

static int
judge_link(struct ibs_auditing *auditing, uint32_t link)
{
	const struct ibs_map *map = auditing->request->map;
	struct ibs_case work;
	int err;

	open_case(auditing, link, &work);
	find_base(auditing, &work);
	expect(auditing, &work);
	if (!auditing->request->notes) {
		work.row.findings &=
			(ibs_set)~IBS_BIT(IBS_FINDING_LIMITED_BY_PEER);
	}
	err = below_policy(auditing, &work);
	if (!err) {
		err = ibs_audit_flaps(auditing, &work);
	}
	if (!err) {
		err = ibs_audit_baseline_notes(auditing, &work);
	}
	if (!err && (work.row.findings & work.link->link.findings)) {
		for (int i = 0; i < 2; i++) {
			if (work.row.ends[i].port != IBS_NO_INDEX) {
				ibs_map_port_decode(map, work.row.ends[i].port,
						    &work.ports[i]);
			}
		}
		err = ibs_audit_explain(auditing, &work);
	}
	return err ? err : ibs_audit_close(auditing, &work);
}

static int
judge(struct ibs_auditing *auditing)
{
	const struct ibs_map *map = auditing->request->map;
	int err = ibs_audit_baseline_open(auditing);

	for (uint32_t i = 0; !err && i < map->n_links; i++) {
		err = judge_link(auditing, i);
	}
	if (!err) {
		err = ibs_audit_missing(auditing);
	}
	if (!err) {
		err = ibs_audit_down_ports(auditing);
	}
	if (!err) {
		err = ibs_audit_sum(auditing);
	}
	return err ? err : ibs_audit_choose(auditing);
}

uint32_t *
ibs_audit_no_indexes(uint32_t n)
{
	uint32_t *indexes = calloc((size_t)n + 1, sizeof(*indexes));

	if (indexes) {
		memset(indexes, 0xff, n * sizeof(*indexes)); /* NO_INDEX */
	}
	return indexes;
}

static int
open_audit(struct ibs_auditing *auditing)
{
	const struct ibs_audit_request *request = auditing->request;
	const struct ibs_map *map = request->map;
	const struct ibs_baseline *baseline = request->baseline;
	size_t n_rules = request->policy ? request->policy->n : 0;

	auditing->link_of = ibs_audit_no_indexes(map->n_ports);
	auditing->base_of = ibs_audit_no_indexes(map->n_ports);
	auditing->map_node =
		ibs_audit_no_indexes(baseline ? baseline->n_nodes : 0);
	auditing->partner =
		ibs_audit_no_indexes(baseline ? baseline->n_links : 0);
	auditing->told = calloc((size_t)map->n_ports + 1, sizeof(bool));
	auditing->audit->used = calloc(n_rules + 1, sizeof(bool));
	auditing->ranks = ibs_rank_names(map);
	if (!auditing->link_of || !auditing->base_of || !auditing->map_node ||
	    !auditing->partner || !auditing->told || !auditing->audit->used ||
	    !auditing->ranks) {
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < map->n_links; i++) {
		auditing->link_of[map->links[i].a] = i;
		if (map->links[i].b != IBS_NO_INDEX) {
			auditing->link_of[map->links[i].b] = i;
		}
	}
	return 0;
}

int
ibs_audit_make(const struct ibs_audit_request *request,
	       struct ibs_audit *ret_audit)
{
	struct ibs_audit audit = { .request = *request,
				   .report = { .map = request->map,
					       .filtered = true,
					       .verbose = request->verbose },
				   .complete = ibs_map_complete(request->map) };
	struct ibs_auditing auditing = { .request = request, .audit = &audit };
	int err = open_audit(&auditing);

	if (!err) {
		err = judge(&auditing);
	}
	free(auditing.link_of);
	free(auditing.base_of);
	free(auditing.map_node);
	free(auditing.partner);
	free(auditing.told);
	free(auditing.cables);
	free(auditing.ranks);
	if (err) {
		ibs_audit_free(&audit);
		return err;
	}
	ibs_summary_make(request->map, &audit.report.summary);
	*ret_audit = audit;
	return 0;
}

void
ibs_audit_free(struct ibs_audit *audit)
{
	ibs_report_free(&audit->report);
	free(audit->rows);
	free(audit->reasons);
	free(audit->groups);
	free(audit->switches);
	free(audit->used);
	*audit = (struct ibs_audit){ .n_rows = 0 };
}

bool
ibs_audit_sure(const struct ibs_audit *audit)
{
	return audit->complete && !audit->n_unknown && !audit->request.stale;
}

bool
ibs_audit_found(const struct ibs_audit *audit)
{
	return audit->n_found || (audit->request.strict && audit->n_noted);
}
