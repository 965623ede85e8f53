// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* An audit as CSV: a line per link with a finding. */
#include <config.h>

#include "writer_audit.h"
#include "writer_csv.h"

#include <string.h>

/* An end that is not in the map is known by what the baseline has of it. */
static void
put_end(struct ibs_csv_line *line, const struct ibs_audit *audit,
	const struct ibs_audit_end *end)
{
	const struct ibs_map *map = audit->request.map;
	struct ibs_node node;
	char name[IBS_DESC_TEXT_SIZE];

	if (end->port != IBS_NO_INDEX ||
	    (end->node == IBS_NO_INDEX && end->known == IBS_NO_INDEX)) {
		ibs_csv_end(line, map, end->port);
		return;
	}
	if (end->node != IBS_NO_INDEX) {
		node = map->nodes[end->node];
	} else {
		ibs_baseline_as_node(
			&audit->request.baseline->nodes[end->known], &node);
	}
	ibs_node_name(&node, name);
	ibs_csv_guid(line, node.guid);
	ibs_csv_text(line, "");
	ibs_csv_number(line, end->num);
	ibs_csv_text(line, name);
	ibs_csv_name(line, ibs_node_type_name(node.type));
	ibs_csv_text(line, "");
	ibs_csv_text(line, "");
}

static void
put_reasons(struct ibs_csv_line *line, const struct ibs_labels *labels,
	    const struct ibs_audit *audit, const struct ibs_audit_row *row)
{
	char reasons[2 * IBS_REASON_TEXT_SIZE] = "";
	size_t used = 0;

	for (uint32_t i = 0; i < row->n_reasons; i++) {
		const struct ibs_reason *reason =
			&audit->reasons[row->first_reason + i];
		char text[IBS_REASON_TEXT_SIZE];

		if (!ibs_reason_told(row, reason)) {
			continue;
		}
		ibs_reason_text(labels, audit, row, reason, text);
		if (used + strlen(text) + sizeof("; ") <= sizeof(reasons)) {
			used += (size_t)snprintf(reasons + used,
						 sizeof(reasons) - used, "%s%s",
						 used ? "; " : "", text);
		}
	}
	ibs_csv_text(line, reasons);
}

static void
put_waiver(struct ibs_csv_line *line, const struct ibs_audit *audit,
	   const struct ibs_audit_row *row)
{
	const struct ibs_waiver *waiver;

	if (row->waiver == IBS_NO_INDEX) {
		ibs_csv_text(line, "");
		ibs_csv_text(line, "");
		return;
	}
	waiver = &audit->request.waivers[row->waiver];
	ibs_csv_time(line, waiver->until_ns);
	ibs_csv_text(line, waiver->reason);
}

static void
put_row(struct ibs_csv_line *line, const struct ibs_labels *labels,
	const struct ibs_audit *audit, const struct ibs_audit_row *row)
{
	const struct ibs_map *map = audit->request.map;
	const struct ibs_map_link *link =
		row->link == IBS_NO_INDEX ? NULL : &map->links[row->link];
	struct ibs_pair none = { IBS_SPEED_NONE, IBS_WIDTH_NONE };
	char findings[IBS_FINDINGS_TEXT_SIZE];

	put_end(line, audit, &row->ends[0]);
	put_end(line, audit, &row->ends[1]);
	ibs_csv_pair(line, row->active);
	ibs_csv_number(line, row->eff_100mbps);
	ibs_csv_pair(line, link ? link->link.expected : none);
	ibs_csv_pair(line, link ? link->link.capability : none);
	ibs_csv_pair(line, row->expected);
	ibs_csv_number(line, row->expected_100mbps);
	ibs_csv_number(line, ibs_audit_lost_or_none(row));
	ibs_findings_text(row->findings, ' ', findings);
	ibs_csv_text(line, findings);
	ibs_csv_time(line, ibs_audit_since_ns(audit, row));
	ibs_csv_number(line, row->n_links);
	put_reasons(line, labels, audit, row);
	ibs_csv_name(line,
		     row->rule == IBS_NO_INDEX
			     ? NULL
			     : audit->request.policy->rules[row->rule].name);
	put_waiver(line, audit, row);
	ibs_csv_end_line(line);
}

int
ibs_csv_audit(FILE *out, const struct ibs_audit *audit)
{
	static const char *const names[] = {
		IBS_CSV_END("a"), IBS_CSV_END("b"),   "width",
		"speed",	  "eff_100mbps",      "expected_width",
		"expected_speed", "capability_width", "capability_speed",
		"should_width",	  "should_speed",     "should_100mbps",
		"lost_100mbps",	  "findings",	      "since",
		"n_links",	  "reasons",	      "rule",
		"waived_until",	  "waiver",	      NULL
	};
	struct ibs_csv_line line = { .out = out };
	struct ibs_labels labels;
	int err = ibs_labels_init(&labels, audit->request.map);

	if (err) {
		return err;
	}
	ibs_csv_names(&line, names);
	ibs_csv_end_line(&line);
	for (uint32_t i = 0; i < audit->n_rows; i++) {
		put_row(&line, &labels, audit, &audit->rows[i]);
	}
	ibs_labels_free(&labels);
	return ibs_stream_end(out);
}
