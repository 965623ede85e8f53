// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The rows of an audit: made one by one, then ordered, chosen and counted. */
#include <config.h>

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "audit_private.h"
#include "grow.h"
#include "ibspeed/address.h"
#include "writer_private.h"

/* What makes a link carry less than it should. */
#define LOSSES                                                                 \
	(IBS_BIT(IBS_FINDING_DEGRADED_WIDTH) |                                 \
	 IBS_BIT(IBS_FINDING_DEGRADED_SPEED) | IBS_BIT(IBS_FINDING_MISMATCH) | \
	 IBS_BIT(IBS_FINDING_BELOW_POLICY) | IBS_BIT(IBS_FINDING_MISSING))

int
ibs_audit_add_row(struct ibs_auditing *auditing,
		  const struct ibs_audit_row *row)
{
	struct ibs_audit *audit = auditing->audit;
	void *rows = audit->rows;

	if (ibs_grow(&rows, sizeof(*row), audit->n_rows,
		     &auditing->rows_size)) {
		return -ENOMEM;
	}
	audit->rows = rows;
	audit->rows[audit->n_rows] = *row;
	audit->rows[audit->n_rows++].n_reasons =
		audit->n_reasons - row->first_reason;
	return 0;
}

int
ibs_audit_add_reason(struct ibs_auditing *auditing,
		     const struct ibs_reason *reason)
{
	struct ibs_audit *audit = auditing->audit;
	void *rows = audit->reasons;

	if (ibs_grow(&rows, sizeof(*reason), audit->n_reasons,
		     &auditing->reasons_size)) {
		return -ENOMEM;
	}
	audit->reasons = rows;
	audit->reasons[audit->n_reasons++] = *reason;
	return 0;
}

/* A node that is not in the map counts from behind the map's. */
static uint32_t
cable_node(const struct ibs_auditing *auditing, const struct ibs_audit_end *end)
{
	return end->node != IBS_NO_INDEX
		       ? end->node
		       : auditing->request->map->n_nodes + end->known;
}

/* Where missing links are ignored, none is too few. */
static uint32_t
count_rule(const struct ibs_auditing *auditing, const struct ibs_case *work)
{
	const struct ibs_rule *ignore =
		ibs_audit_rule(auditing, work, IBS_DEMAND_IGNORE);

	return ignore && (ignore->ignore & IBS_BIT(IBS_FINDING_MISSING))
		       ? IBS_NO_INDEX
		       : work->rules[IBS_DEMAND_COUNT];
}

int
ibs_audit_add_cable(struct ibs_auditing *auditing, const struct ibs_case *work)
{
	const struct ibs_audit_row *row = &work->row;
	struct ibs_cable cable = {
		.eff_100mbps = row->eff_100mbps,
		.expected_100mbps = row->eff_100mbps,
		.expected = row->expected,
		.count_rule = count_rule(auditing, work),
		.role = work->role,
	};
	void *rows = auditing->cables;

	if (work->role == IBS_ROLE_COUNT) {
		return 0; /* nobody is known at the other end */
	}
	if (row->lost_100mbps > 0) {
		cable.expected_100mbps += (int32_t)row->lost_100mbps;
	}
	for (int i = 0; i < 2; i++) {
		cable.nodes[i] = cable_node(auditing, &row->ends[i]);
	}
	if (ibs_grow(&rows, sizeof(cable), auditing->n_cables,
		     &auditing->cables_size)) {
		return -ENOMEM;
	}
	auditing->cables = rows;
	auditing->cables[auditing->n_cables++] = cable;
	return 0;
}

static bool
waiver_fits(const struct ibs_auditing *auditing,
	    const struct ibs_waiver *waiver, const struct ibs_audit_end *end)
{
	uint64_t guid;
	uint32_t instance;

	if (waiver->num >= 0 && waiver->num != end->num) {
		return false;
	}
	if (end->node != IBS_NO_INDEX) {
		guid = auditing->request->map->nodes[end->node].guid;
		instance = auditing->request->map->nodes[end->node].instance;
	} else if (end->known != IBS_NO_INDEX) {
		guid = auditing->request->baseline->nodes[end->known].guid;
		instance =
			auditing->request->baseline->nodes[end->known].instance;
	} else {
		return false;
	}
	return waiver->guid == guid && waiver->instance == instance;
}

/* What is there and was not when it was waived may be an outage: told again. */
static bool
waiver_covers(const struct ibs_waiver *waiver, const struct ibs_audit_row *row)
{
	ibs_set rest = row->findings & (ibs_set)~waiver->findings;

	if (!waiver->findings || !rest) {
		return true;
	}
	return (row->findings & waiver->findings) &&
	       !ibs_findings_have(rest, IBS_SEVERITY_FINDING) &&
	       !ibs_findings_have(rest, IBS_SEVERITY_INCOMPLETE);
}

/* That one of these two which ends last; NO_INDEX none. */
static uint32_t
later_waiver(const struct ibs_audit_request *request, uint32_t a, uint32_t b)
{
	return a == IBS_NO_INDEX || request->waivers[a].until_ns <
					    request->waivers[b].until_ns
		       ? b
		       : a;
}

/* For so long an audit says that a waiver has ended. */
#define TOLD_AFTER_NS (INT64_C(7) * 86400 * 1000000000)

/* The waiver in force, or else the one that ended last, as a reason. */
static int
waive(struct ibs_auditing *auditing, struct ibs_audit_row *row)
{
	const struct ibs_audit_request *request = auditing->request;
	struct ibs_reason ended = { .code = IBS_REASON_WAIVER_ENDED,
				    .finding = IBS_FINDING_COUNT,
				    .rule = IBS_NO_INDEX,
				    .other = IBS_NO_INDEX };

	for (uint32_t i = 0; i < request->n_waivers; i++) {
		const struct ibs_waiver *waiver = &request->waivers[i];

		if ((!waiver_fits(auditing, waiver, &row->ends[0]) &&
		     !waiver_fits(auditing, waiver, &row->ends[1])) ||
		    !waiver_covers(waiver, row)) {
			continue;
		}
		if (waiver->until_ns > request->now_ns) {
			row->waiver = later_waiver(request, row->waiver, i);
		} else if (request->now_ns - waiver->until_ns <=
			   TOLD_AFTER_NS) {
			ended.other = later_waiver(request, ended.other, i);
		}
	}
	return row->waiver != IBS_NO_INDEX || ended.other == IBS_NO_INDEX
		       ? 0
		       : ibs_audit_add_reason(auditing, &ended);
}

/* In the order of the findings that they explain. */
static void
sort_reasons(struct ibs_reason *reasons, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct ibs_reason reason = reasons[i];
		uint32_t at = i;

		while (at && reasons[at - 1].finding > reason.finding) {
			reasons[at] = reasons[at - 1];
			at--;
		}
		reasons[at] = reason;
	}
}

/*
 * A port that a rule names and that has no link, or one that lost something and
 * nobody is known behind it: nobody knows what it would be a link to, so it
 * stands in the sum of all and in no other.
 */
static void
add_lone_port(struct ibs_auditing *auditing, const struct ibs_audit_row *row)
{
	const struct ibs_cable cable = {
		.eff_100mbps = row->eff_100mbps,
		.expected_100mbps =
			row->eff_100mbps + (int32_t)row->lost_100mbps,
	};

	if (row->ends[1].node != IBS_NO_INDEX ||
	    row->ends[1].known != IBS_NO_INDEX) {
		return;
	}
	if ((row->findings & IBS_BIT(IBS_FINDING_MISSING)) ||
	    row->lost_100mbps > 0) {
		ibs_capacity_add(&auditing->audit->total, &cable);
		auditing->told[row->ends[0].port] = true;
	}
}

int
ibs_audit_close(struct ibs_auditing *auditing, struct ibs_case *work)
{
	const struct ibs_rule *rule =
		ibs_audit_rule(auditing, work, IBS_DEMAND_IGNORE);
	struct ibs_audit_row *row = &work->row;
	ibs_set found = row->findings;
	int err = 0;

	if (rule) {
		row->findings &= (ibs_set)~rule->ignore;
	}
	if ((found & LOSSES) && !(row->findings & LOSSES)) {
		row->lost_100mbps = 0;
	}
	if (work->link || (row->findings & IBS_BIT(IBS_FINDING_MISSING)) ||
	    (row->findings & IBS_BIT(IBS_FINDING_UNKNOWN))) {
		err = ibs_audit_add_cable(auditing, work);
	}
	if (err || !row->findings) {
		auditing->audit->n_reasons = row->first_reason;
		return err;
	}
	add_lone_port(auditing, row);
	sort_reasons(auditing->audit->reasons + row->first_reason,
		     auditing->audit->n_reasons - row->first_reason);
	err = waive(auditing, row);
	return err ? err : ibs_audit_add_row(auditing, row);
}

static int
class_of(const struct ibs_audit_row *row)
{
	return ibs_findings_have(row->findings, IBS_SEVERITY_FINDING)	   ? 0
	       : ibs_findings_have(row->findings, IBS_SEVERITY_INCOMPLETE) ? 1
									   : 2;
}

static int64_t
rank_of(const struct ibs_auditing *auditing, const struct ibs_audit_end *end)
{
	if (end->node != IBS_NO_INDEX) {
		return auditing->ranks[end->node];
	}
	return (int64_t)UINT32_MAX + end->known;
}

static int
compare_numbers(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int
compare_ends(const struct ibs_auditing *auditing, const struct ibs_audit_end *a,
	     const struct ibs_audit_end *b)
{
	int order = compare_numbers(rank_of(auditing, a), rank_of(auditing, b));

	return order ? order : compare_numbers(a->num, b->num);
}

static int
compare_rows(const void *left, const void *right, void *context)
{
	const struct ibs_auditing *auditing = context;
	const struct ibs_audit_row *a = left, *b = right;
	int order = compare_numbers(a->waiver != IBS_NO_INDEX,
				    b->waiver != IBS_NO_INDEX);

	if (!order) {
		order = compare_numbers(b->lost_100mbps, a->lost_100mbps);
	}
	if (!order) {
		order = compare_numbers(class_of(a), class_of(b));
	}
	for (int i = 0; !order && i < 2; i++) {
		order = compare_ends(auditing, &a->ends[i], &b->ends[i]);
	}
	return order ? order
		     : compare_numbers(a->first_reason, b->first_reason);
}

/* By GUID, or by name as the words of a report are. */
static bool
node_matches(const char *pattern, const struct ibs_node *node)
{
	uint64_t guid;

	return ibs_guid_from_text(pattern, &guid) == 0
		       ? guid == node->guid || guid == node->port_guid
		       : ibs_name_matches(pattern, node);
}

static bool
known_matches(const char *pattern, const struct ibs_baseline_node *known)
{
	struct ibs_node node;

	ibs_baseline_as_node(known, &node);
	return node_matches(pattern, &node);
}

static bool
end_matches(const struct ibs_audit_request *request,
	    const struct ibs_audit_end *end)
{
	if (end->node != IBS_NO_INDEX) {
		return node_matches(request->node,
				    &request->map->nodes[end->node]);
	}
	return end->known != IBS_NO_INDEX &&
	       known_matches(request->node,
			     &request->baseline->nodes[end->known]);
}

/* A name that nobody has is a slip, and no good news. */
static bool
somebody_matches(const struct ibs_audit_request *request)
{
	for (uint32_t i = 0; i < request->map->n_nodes; i++) {
		if (node_matches(request->node, &request->map->nodes[i])) {
			return true;
		}
	}
	for (uint32_t i = 0;
	     request->baseline && i < request->baseline->n_nodes; i++) {
		if (known_matches(request->node,
				  &request->baseline->nodes[i])) {
			return true;
		}
	}
	return false;
}

static bool
is_wanted(const struct ibs_audit_request *request, struct ibs_audit_row *row)
{
	if (request->only) {
		row->findings &= request->only;
	}
	return row->findings &&
	       row->lost_100mbps >= request->min_lost_100mbps &&
	       (!request->node || end_matches(request, &row->ends[0]) ||
		end_matches(request, &row->ends[1]));
}

static void
count_row(struct ibs_audit *audit, const struct ibs_audit_row *row)
{
	if (row->waiver != IBS_NO_INDEX) {
		audit->n_waived++;
		return;
	}
	for (int i = 0; i < IBS_FINDING_COUNT; i++) {
		audit->n_findings[i] += (row->findings & IBS_BIT(i)) != 0;
	}
	switch (class_of(row)) {
	case 0:
		audit->n_found++;
		break;
	case 1:
		audit->n_unknown++;
		break;
	default:
		audit->n_noted++;
	}
}

static int
choose_rows(struct ibs_audit *audit)
{
	struct ibs_report *report = &audit->report;
	uint32_t n = 0;

	report->links =
		calloc((size_t)audit->n_rows + 1, sizeof(*report->links));
	if (!report->links) {
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < audit->n_rows; i++) {
		struct ibs_audit_row row = audit->rows[i];

		if (!is_wanted(&audit->request, &row)) {
			continue;
		}
		count_row(audit, &row);
		audit->rows[n++] = row;
		if (row.link != IBS_NO_INDEX) {
			report->links[report->n_links++] = row.link;
		}
	}
	audit->n_all = audit->n_rows;
	audit->n_rows = n;
	return 0;
}

int
ibs_audit_choose(struct ibs_auditing *auditing)
{
	struct ibs_audit *audit = auditing->audit;

	if (audit->request.node && !somebody_matches(&audit->request)) {
		return -ENOENT;
	}
	if (audit->n_rows) {
		qsort_r(audit->rows, audit->n_rows, sizeof(*audit->rows),
			compare_rows, auditing);
	}
	return choose_rows(audit);
}
