// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * What should be there: links that the baseline has, ports that a rule names.
 * And cables that are where the baseline does not have them.
 */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "audit_private.h"

/* An end of a link of the baseline, as the map has it. */
static void
end_of_base(const struct ibs_auditing *auditing,
	    const struct ibs_baseline_link *link, int end,
	    struct ibs_audit_end *ret_end)
{
	const struct ibs_map *map = auditing->request->map;
	uint32_t node = auditing->map_node[link->nodes[end]];

	*ret_end = (struct ibs_audit_end){ .node = node,
					   .port = IBS_NO_INDEX,
					   .known = link->nodes[end],
					   .num = link->nums[end] };
	if (node != IBS_NO_INDEX) {
		ret_end->port = ibs_map_find_port(map, node, link->nums[end]);
	}
}

void
ibs_audit_ends_of_base(const struct ibs_auditing *auditing, uint32_t base,
		       struct ibs_audit_end ret_ends[2])
{
	const struct ibs_baseline_link *link =
		&auditing->request->baseline->links[base];

	end_of_base(auditing, link, 0, &ret_ends[0]);
	end_of_base(auditing, link, 1, &ret_ends[1]);
}

int
ibs_audit_baseline_open(struct ibs_auditing *auditing)
{
	const struct ibs_baseline *baseline = auditing->request->baseline;
	int err = ibs_audit_find_nodes(auditing);

	if (err) {
		return err;
	}
	for (uint32_t i = 0; baseline && i < baseline->n_links; i++) {
		for (int end = 0; end < 2; end++) {
			struct ibs_audit_end place;

			end_of_base(auditing, &baseline->links[i], end, &place);
			if (place.port != IBS_NO_INDEX) {
				auditing->base_of[place.port] = i;
			}
		}
	}
	return ibs_audit_find_partners(auditing);
}

/* Which end of a link of the baseline the port is. */
static uint32_t
base_end(const struct ibs_auditing *auditing, uint32_t base, uint32_t port)
{
	struct ibs_audit_end ends[2];

	ibs_audit_ends_of_base(auditing, base, ends);
	return ends[0].port == port ? 0 : 1;
}

int
ibs_audit_baseline_notes(struct ibs_auditing *auditing, struct ibs_case *work)
{
	const struct ibs_baseline *baseline = auditing->request->baseline;
	uint32_t bases[2] = { IBS_NO_INDEX, IBS_NO_INDEX };
	struct ibs_reason reason = { .rule = IBS_NO_INDEX };
	int err = 0;

	if (!baseline || work->base != IBS_NO_INDEX ||
	    work->link->b == IBS_NO_INDEX) {
		return 0;
	}
	reason.code = IBS_REASON_ELSEWHERE;
	reason.finding = IBS_FINDING_MOVED;
	for (uint8_t i = 0; !err && i < 2; i++) {
		bases[i] = auditing->base_of[work->row.ends[i].port];
		if (bases[i] != IBS_NO_INDEX) {
			work->row.findings |= IBS_BIT(IBS_FINDING_MOVED);
			reason.end = i;
			reason.other = bases[i];
			reason.value = base_end(auditing, bases[i],
						work->row.ends[i].port);
			err = ibs_audit_add_reason(auditing, &reason);
		}
	}
	if (!err && baseline->whole && bases[0] == IBS_NO_INDEX &&
	    bases[1] == IBS_NO_INDEX) {
		work->row.findings |= IBS_BIT(IBS_FINDING_NEW_LINK);
		reason.code = IBS_REASON_NOT_IN_BASELINE;
		reason.finding = IBS_FINDING_NEW_LINK;
		reason.other = IBS_NO_INDEX;
		err = ibs_audit_add_reason(auditing, &reason);
	}
	return err;
}

enum ibs_fate
ibs_audit_fate(const struct ibs_auditing *auditing,
	       const struct ibs_audit_end *end)
{
	const struct ibs_map *map = auditing->request->map;
	uint32_t link;

	if (end->port == IBS_NO_INDEX) {
		return IBS_FATE_ABSENT;
	}
	link = auditing->link_of[end->port];
	if (link != IBS_NO_INDEX) {
		return map->links[link].b == IBS_NO_INDEX ? IBS_FATE_ALONE
							  : IBS_FATE_ELSEWHERE;
	}
	return map->ports[end->port].read == IBS_READ_OK ? IBS_FATE_DOWN
							 : IBS_FATE_UNREAD;
}

bool
ibs_audit_is_there(const struct ibs_auditing *auditing, uint32_t base)
{
	struct ibs_audit_end ends[2];

	ibs_audit_ends_of_base(auditing, base, ends);
	return ends[0].port != IBS_NO_INDEX && ends[1].port != IBS_NO_INDEX &&
	       auditing->link_of[ends[0].port] != IBS_NO_INDEX &&
	       auditing->link_of[ends[0].port] ==
		       auditing->link_of[ends[1].port];
}

void
ibs_audit_policy_end(const struct ibs_auditing *auditing,
		     const struct ibs_audit_end *end,
		     struct ibs_policy_end *ret_end)
{
	const struct ibs_baseline_node *node;
	struct ibs_node gone;

	if (end->port != IBS_NO_INDEX) {
		ibs_policy_end_of_map(auditing->request->map, end->port,
				      ret_end);
		return;
	}
	node = &auditing->request->baseline->nodes[end->known];
	ibs_baseline_as_node(node, &gone);
	*ret_end = (struct ibs_policy_end){
		.guid = node->guid,
		.port_guid = node->port_guid,
		.desc = node->desc,
		.type = node->type,
		.num = (uint8_t)end->num,
		.internal = ibs_node_internal(&gone),
	};
}

static void
open_case(const struct ibs_auditing *auditing, struct ibs_case *work)
{
	*work = (struct ibs_case){
		.base = IBS_NO_INDEX,
		.role = IBS_ROLE_COUNT,
		.row = { .link = IBS_NO_INDEX,
			 .ends = { ibs_audit_nobody, ibs_audit_nobody },
			 .active = ibs_pair_none,
			 .expected = ibs_pair_none,
			 .n_links = 1,
			 .rule = IBS_NO_INDEX,
			 .waiver = IBS_NO_INDEX,
			 .first_reason = auditing->audit->n_reasons },
	};
	memset(work->rules, 0xff, sizeof(work->rules)); /* NO_INDEX */
}

/* Both ends, the switch first as in the rows of the map. */
static void
place_ends(const struct ibs_auditing *auditing, uint32_t base,
	   struct ibs_case *work)
{
	const struct ibs_baseline *baseline = auditing->request->baseline;
	const struct ibs_baseline_link *link = &baseline->links[base];
	bool turn = baseline->nodes[link->nodes[0]].type != IBS_NODE_SWITCH &&
		    baseline->nodes[link->nodes[1]].type == IBS_NODE_SWITCH;
	struct ibs_policy_end a, b;

	open_case(auditing, work);
	work->base = base;
	end_of_base(auditing, link, turn, &work->row.ends[0]);
	end_of_base(auditing, link, !turn, &work->row.ends[1]);
	ibs_audit_policy_end(auditing, &work->row.ends[0], &a);
	ibs_audit_policy_end(auditing, &work->row.ends[1], &b);
	work->role = (uint8_t)ibs_role_of(&a, &b);
	if (auditing->request->policy) {
		ibs_policy_find(auditing->request->policy, &a, &b,
				auditing->audit->used, work->rules);
	}
}

/* What it should be worth: the rule's word, or the baseline's. */
static void
expect(const struct ibs_auditing *auditing, struct ibs_pair pair,
       struct ibs_case *work)
{
	const struct ibs_rule *rule =
		ibs_audit_rule(auditing, work, IBS_DEMAND_SPEED);
	struct ibs_audit_row *row = &work->row;

	if (rule && rule->expect.speed != IBS_SPEED_NONE) {
		pair = rule->expect;
	}
	row->expected = pair;
	row->expected_100mbps = ibs_eff_100mbps((enum ibs_speed)pair.speed,
						(enum ibs_width)pair.width);
	if (rule && rule->min_100mbps > row->expected_100mbps) {
		row->expected_100mbps = rule->min_100mbps;
	}
}

static int
end_with(const enum ibs_fate fates[2], enum ibs_fate fate)
{
	return fates[0] == fate ? 0 : fates[1] == fate ? 1 : -1;
}

/*
 * Down at an end that was read, whoever is silent; or put elsewhere; or nowhere
 * to be seen.
 */
static void
reason_of_fates(const struct ibs_auditing *auditing,
		const enum ibs_fate fates[2], struct ibs_reason *reason)
{
	static const struct {
		enum ibs_fate fate;
		enum ibs_reason_code code;
		enum ibs_finding finding;
	} rows[] = {
		{ IBS_FATE_DOWN, IBS_REASON_LINK_DOWN, IBS_FINDING_MISSING },
		{ IBS_FATE_UNREAD, IBS_REASON_NO_ANSWER, IBS_FINDING_UNKNOWN },
		{ IBS_FATE_ELSEWHERE, IBS_REASON_OTHER_CABLE,
		  IBS_FINDING_MISSING },
	};
	bool complete = auditing->audit->complete;

	reason->code = complete ? IBS_REASON_LINK_GONE : IBS_REASON_NOT_SEEN;
	reason->finding = complete ? IBS_FINDING_MISSING : IBS_FINDING_UNKNOWN;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int end = end_with(fates, rows[i].fate);

		if (end >= 0) {
			reason->code = (uint8_t)rows[i].code;
			reason->finding = (uint8_t)rows[i].finding;
			reason->end = (uint8_t)end;
			return;
		}
	}
}

/* An end is up with nobody known behind it, and the other proves nothing. */
static bool
may_be_there(const enum ibs_fate fates[2])
{
	return end_with(fates, IBS_FATE_ALONE) >= 0 &&
	       end_with(fates, IBS_FATE_DOWN) < 0;
}

/* The port has its row, or a part in one. */
static void
mark_told(struct ibs_auditing *auditing, const struct ibs_case *work)
{
	for (int i = 0; i < 2; i++) {
		if (work->row.ends[i].port != IBS_NO_INDEX) {
			auditing->told[work->row.ends[i].port] = true;
		}
	}
}

static bool
is_told(const struct ibs_auditing *auditing, const struct ibs_case *work)
{
	bool told = false;

	for (int i = 0; i < 2; i++) {
		uint32_t port = work->row.ends[i].port;

		told = told || (port != IBS_NO_INDEX && auditing->told[port]);
	}
	return told;
}

static int
add_absent(struct ibs_auditing *auditing, const enum ibs_fate fates[2],
	   struct ibs_case *work)
{
	struct ibs_pair pair =
		auditing->request->baseline->links[work->base].pair;
	struct ibs_reason reason = { .wants = pair,
				     .rule = IBS_NO_INDEX,
				     .other = work->base };
	int err;

	expect(auditing, pair, work);
	reason_of_fates(auditing, fates, &reason);
	work->row.findings = IBS_BIT(reason.finding);
	if (reason.finding == IBS_FINDING_UNKNOWN) {
		work->row.eff_100mbps = -1;
	} else if (work->row.expected_100mbps > 0) {
		work->row.lost_100mbps = work->row.expected_100mbps;
	}
	mark_told(auditing, work);
	err = ibs_audit_add_reason(auditing, &reason);
	if (!err) {
		err = ibs_audit_flaps(auditing, work);
	}
	return err ? err : ibs_audit_close(auditing, work);
}

static int
judge_absent(struct ibs_auditing *auditing, uint32_t base)
{
	struct ibs_case work;
	enum ibs_fate fates[2];

	if (ibs_audit_is_there(auditing, base) ||
	    auditing->partner[base] != IBS_NO_INDEX) {
		return 0;
	}
	place_ends(auditing, base, &work);
	for (int i = 0; i < 2; i++) {
		fates[i] = ibs_audit_fate(auditing, &work.row.ends[i]);
	}
	if (may_be_there(fates)) {
		work.row.eff_100mbps = -1; /* the row of the port tells it */
		if (is_told(auditing, &work)) {
			return 0; /* and the sum of all has it */
		}
		return ibs_audit_add_cable(auditing, &work);
	}
	return add_absent(auditing, fates, &work);
}

int
ibs_audit_missing(struct ibs_auditing *auditing)
{
	const struct ibs_baseline *baseline = auditing->request->baseline;
	int err = 0;

	for (uint32_t i = 0; baseline && !err && i < baseline->n_links; i++) {
		err = judge_absent(auditing, i);
	}
	return err;
}

/* A rule that names the port wants a link there. */
static int
judge_wanted(struct ibs_auditing *auditing, struct ibs_case *work)
{
	const struct ibs_rule *rule =
		ibs_audit_rule(auditing, work, IBS_DEMAND_SPEED);
	struct ibs_reason reason = { .code = IBS_REASON_PORT_DOWN,
				     .finding = IBS_FINDING_MISSING,
				     .rule = work->rules[IBS_DEMAND_SPEED],
				     .other = IBS_NO_INDEX };

	if (!rule || !ibs_rule_names_ports(rule) ||
	    (rule->expect.speed == IBS_SPEED_NONE && !rule->min_100mbps)) {
		return 0;
	}
	auditing->audit->used[reason.rule] = true;
	expect(auditing, ibs_pair_none, work);
	reason.wants = work->row.expected;
	if (reason.wants.speed == IBS_SPEED_NONE) {
		reason.code = IBS_REASON_PORT_DOWN_MIN;
		reason.limit = (uint32_t)rule->min_100mbps;
	}
	work->row.findings = IBS_BIT(IBS_FINDING_MISSING);
	work->row.lost_100mbps = work->row.expected_100mbps;
	work->row.rule = reason.rule;
	return ibs_audit_add_reason(auditing, &reason);
}

static int
judge_down_port(struct ibs_auditing *auditing, uint32_t port)
{
	const struct ibs_map *map = auditing->request->map;
	struct ibs_policy_end end;
	struct ibs_case work;
	int err;

	open_case(auditing, &work);
	ibs_audit_end_of_port(map, port, &work.row.ends[0]);
	ibs_policy_end_of_map(map, port, &end);
	ibs_policy_find(auditing->request->policy, &end, NULL, NULL,
			work.rules);
	work.row.expected_100mbps = -1;
	err = judge_wanted(auditing, &work);
	if (!err) {
		err = ibs_audit_flaps(auditing, &work);
	}
	return err ? err : ibs_audit_close(auditing, &work);
}

/* A rule that speaks of a port that was not read is no slip. */
static void
use_rules(const struct ibs_auditing *auditing, uint32_t port)
{
	uint32_t rules[IBS_DEMANDS];
	struct ibs_policy_end end;

	ibs_policy_end_of_map(auditing->request->map, port, &end);
	ibs_policy_find(auditing->request->policy, &end, NULL,
			auditing->audit->used, rules);
}

int
ibs_audit_down_ports(struct ibs_auditing *auditing)
{
	const struct ibs_map *map = auditing->request->map;
	const struct ibs_policy *policy = auditing->request->policy;
	int err = 0;

	for (uint32_t i = 0; policy && !err && i < map->n_ports; i++) {
		if (auditing->link_of[i] != IBS_NO_INDEX ||
		    !ibs_map_port_external(map, i)) {
			continue;
		}
		if (map->ports[i].read != IBS_READ_OK) {
			use_rules(auditing, i);
		} else if (!auditing->told[i]) {
			err = judge_down_port(auditing, i);
		}
	}
	return err;
}
