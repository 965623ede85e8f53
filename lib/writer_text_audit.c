// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * An audit as text: a row per link with a finding and why, what that means for
 * switches and parallel links, and one line that sums it up at the end.
 */
#include <config.h>

#include "writer_audit.h"

#include <inttypes.h>
#include <string.h>

enum column {
	NAME,
	PORT,
	PEER,
	PEER_PORT,
	SPEED,
	EXPECTED,
	LOST,
	FINDINGS,
	SINCE,
	REASON
};
static const char *const row_titles[] = { "NAME",   "PORT",	"PEER",
					  "PORT",   "SPEED",	"EXPECTED",
					  "LOST",   "FINDINGS", "SINCE",
					  "REASON", NULL };

static void
end_cells(const struct ibs_labels *labels, const struct ibs_audit *audit,
	  const struct ibs_audit_end *end, char *const cells[2])
{
	ibs_audit_end_label(labels, audit, end, cells[0]);
	cells[1][0] = '\0';
	if (end->num >= 0) {
		snprintf(cells[1], IBS_CELL_SIZE, "%d", end->num);
	}
}

static void
speed_cell(const struct ibs_audit *audit, const struct ibs_audit_row *row,
	   char text[IBS_CELL_SIZE])
{
	if (row->link != IBS_NO_INDEX) {
		ibs_link_cell(&audit->request.map->links[row->link].link, text);
	} else {
		snprintf(text, IBS_CELL_SIZE, "%s",
			 row->eff_100mbps < 0 ? "unknown" : "down");
	}
}

/* "4xHDR 200", or "min 100" where only that is asked. */
static void
expected_cell(const struct ibs_audit_row *row, char text[IBS_CELL_SIZE])
{
	int32_t pair_100mbps =
		ibs_eff_100mbps((enum ibs_speed)row->expected.speed,
				(enum ibs_width)row->expected.width);
	char gbps[IBS_NUMBER_SIZE];

	text[0] = '\0';
	if (row->expected_100mbps > pair_100mbps) {
		ibs_decimal_text(row->expected_100mbps, 1, gbps);
		snprintf(text, IBS_CELL_SIZE, "min %s", gbps);
	} else if (row->expected.speed != row->active.speed ||
		   row->expected.width != row->active.width) {
		ibs_pair_gbps_text(row->expected, text, IBS_CELL_SIZE);
	}
}

static void
row_cells(const struct ibs_labels *labels, const struct ibs_audit *audit,
	  const struct ibs_audit_row *row, struct ibs_cells *cells)
{
	end_cells(labels, audit, &row->ends[0],
		  (char *const[2]){ cells->text[NAME], cells->text[PORT] });
	end_cells(
		labels, audit, &row->ends[1],
		(char *const[2]){ cells->text[PEER], cells->text[PEER_PORT] });
	speed_cell(audit, row, cells->text[SPEED]);
	expected_cell(row, cells->text[EXPECTED]);
	ibs_decimal_text(ibs_audit_lost_or_none(row), 1, cells->text[LOST]);
	ibs_findings_text(row->findings, ',', cells->text[FINDINGS]);
	ibs_time_text(ibs_audit_since_ns(audit, row), 0, cells->text[SINCE]);
	cells->text[REASON][0] = '\0';
}

static void
write_waiver(FILE *out, const struct ibs_waiver *waiver)
{
	char until[IBS_TIME_TEXT_SIZE];

	ibs_time_text(waiver->until_ns, 0, until);
	fprintf(out, "waived until %s: ", until);
	ibs_text_foreign(out, waiver->reason);
}

static void
write_reasons(FILE *out, const struct ibs_labels *labels,
	      const struct ibs_audit *audit, const struct ibs_audit_row *row)
{
	const char *between = "";

	for (uint32_t i = 0; i < row->n_reasons; i++) {
		const struct ibs_reason *reason =
			&audit->reasons[row->first_reason + i];
		char text[IBS_REASON_TEXT_SIZE];

		if (ibs_reason_told(row, reason)) {
			ibs_reason_text(labels, audit, row, reason, text);
			fprintf(out, "%s%s", between, text);
			between = "; ";
		}
	}
	if (row->waiver != IBS_NO_INDEX) {
		fputs(between, out);
		write_waiver(out, &audit->request.waivers[row->waiver]);
	} else if (!*between) {
		fputc('-', out);
	}
	fputc('\n', out);
}

static void
write_rows(FILE *out, const struct ibs_labels *labels,
	   const struct ibs_audit *audit)
{
	struct ibs_table table;
	struct ibs_cells cells;

	if (!audit->n_rows) {
		return;
	}
	ibs_table_init(&table, row_titles,
		       1u << PORT | 1u << PEER_PORT | 1u << LOST);
	for (uint32_t i = 0; i < audit->n_rows; i++) {
		row_cells(labels, audit, &audit->rows[i], &cells);
		ibs_table_fit(&table, &cells);
	}
	ibs_table_title(out, &table);
	for (uint32_t i = 0; i < audit->n_rows; i++) {
		row_cells(labels, audit, &audit->rows[i], &cells);
		ibs_table_row_begin(out, &table, &cells);
		write_reasons(out, labels, audit, &audit->rows[i]);
	}
	fputc('\n', out);
}

/* That there may be more, and that the sums do not know of it. */
static void
write_shown(FILE *out, const struct ibs_audit *audit)
{
	const struct ibs_audit_request *request = &audit->request;

	if (request->only || request->node || request->min_lost_100mbps) {
		fprintf(out,
			"Shown %u of %u %s with findings or notes; capacities "
			"are those of the whole fabric\n\n",
			audit->n_rows, audit->n_all,
			ibs_plural(audit->n_all, "link", "links"));
	}
}

/* "8,000", "212.5" */
static void
write_gbps(FILE *out, uint64_t units)
{
	char text[IBS_NUMBER_SIZE];
	size_t whole;

	ibs_decimal_text((int64_t)units, 1, text);
	whole = strcspn(text, ".");
	for (size_t i = 0; text[i]; i++) {
		if (i && i < whole && (whole - i) % 3 == 0) {
			fputc(',', out);
		}
		fputc(text[i], out);
	}
}

/* In tenths, and 100 only when nothing is lost. */
static void
write_percent(FILE *out, const struct ibs_capacity *capacity)
{
	uint64_t whole = capacity->expected_100mbps;
	uint64_t permille = 1000;
	char text[IBS_NUMBER_SIZE];

	if (whole) {
		permille = (1000 * capacity->eff_100mbps + whole / 2) / whole;
	}
	if (permille == 1000 && capacity->eff_100mbps < whole) {
		permille--;
	}
	ibs_decimal_text((int64_t)permille, 1, text);
	fprintf(out, "%s %%", text);
}

/* "38 of 40 uplinks full, 1 at half, 1 down: 96.3 % of 8,000 Gb/s" */
static void
write_capacity(FILE *out, const struct ibs_capacity *capacity, const char *what)
{
	const struct {
		uint32_t n;
		const char *text;
	} parts[] = {
		{ capacity->n_half, "at half" },
		{ capacity->n_quarter, "at a quarter" },
		{ capacity->n_slow, "slow" },
		{ capacity->n_down, "down" },
		{ capacity->n_unknown, "unknown" },
	};

	fprintf(out, "%u of %u %s full", capacity->n_full, capacity->n_links,
		what);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].n) {
			fprintf(out, ", %u %s", parts[i].n, parts[i].text);
		}
	}
	if (!capacity->expected_100mbps) {
		fputs(": not known\n", out);
		return;
	}
	fputs(": ", out);
	write_percent(out, capacity);
	fputs(" of ", out);
	write_gbps(out, capacity->expected_100mbps);
	fputs(" Gb/s\n", out);
}

static bool
is_told(const struct ibs_audit *audit, const struct ibs_capacity *capacity)
{
	return capacity->n_links &&
	       (audit->request.verbose || capacity->n_full < capacity->n_links);
}

static void
write_switches(FILE *out, const struct ibs_labels *labels,
	       const struct ibs_audit *audit)
{
	char name[IBS_CELL_SIZE];

	for (uint32_t i = 0; i < audit->n_switches; i++) {
		const struct ibs_audit_switch *place = &audit->switches[i];

		ibs_label(labels, &audit->request.map->nodes[place->node],
			  name);
		if (is_told(audit, &place->up)) {
			fprintf(out, "%s: ", name);
			write_capacity(out, &place->up,
				       place->down.n_links ? "uplinks"
							   : "switch links");
		}
		if (is_told(audit, &place->down)) {
			fprintf(out, "%s: ", name);
			write_capacity(out, &place->down, "host links");
		}
	}
	if (audit->n_switches) {
		fputc('\n', out);
	}
}

static void
write_groups(FILE *out, const struct ibs_labels *labels,
	     const struct ibs_audit *audit)
{
	for (uint32_t i = 0; i < audit->n_groups; i++) {
		const struct ibs_audit_group *group = &audit->groups[i];
		char a[IBS_CELL_SIZE], b[IBS_CELL_SIZE];

		ibs_audit_end_label(labels, audit, &group->ends[0], a);
		ibs_audit_end_label(labels, audit, &group->ends[1], b);
		fprintf(out, "%s - %s: ", a, b);
		write_capacity(out, &group->capacity, "links");
	}
	if (audit->n_groups) {
		fputc('\n', out);
	}
}

static void
write_yardsticks(FILE *out, const struct ibs_audit_request *request)
{
	const struct ibs_baseline *baseline = request->baseline;
	char at[IBS_TIME_TEXT_SIZE];

	ibs_text_head(out, "Policy");
	if (request->policy) {
		ibs_text_foreign(out, request->policy_file);
		fprintf(out, ", %zu %s\n", request->policy->n,
			ibs_plural(request->policy->n, "rule", "rules"));
	} else {
		fputs("none\n", out);
	}
	ibs_text_head(out, "Baseline");
	if (!baseline) {
		fputs("none\n", out);
		return;
	}
	ibs_time_text(baseline->at_ns, 0, at);
	fprintf(out, "%u %s%s, accepted %s by ", baseline->n_links,
		ibs_plural(baseline->n_links, "link", "links"),
		baseline->whole ? "" : " of a part", at[0] ? at : "-");
	ibs_text_foreign(out, baseline->who[0] ? baseline->who : "somebody");
	if (baseline->later_ns) {
		ibs_time_text(baseline->later_ns, 0, at);
		fprintf(out, "; %u of them later, last change %s by ",
			baseline->n_later, at);
		ibs_text_foreign(out, baseline->later_who);
	}
	fputc('\n', out);
}

static void
write_roles(FILE *out, const struct ibs_audit *audit)
{
	const char *head = "Capacity";

	for (int i = 0; i < IBS_ROLE_COUNT; i++) {
		char what[32];

		if (!audit->by_role[i].n_links) {
			continue;
		}
		snprintf(what, sizeof(what), "%s links",
			 ibs_role_name((enum ibs_role)i));
		ibs_text_head(out, head);
		write_capacity(out, &audit->by_role[i], what);
		head = "";
	}
}

/* The line that stands for all when there is time for no more. */
static void
write_sum(FILE *out, const struct ibs_audit *audit)
{
	const struct ibs_capacity *total = &audit->total;

	ibs_text_head(out, "Audit");
	fprintf(out, "%u %s, %u %s, %u unknown, %u waived on %u %s; ",
		audit->n_found,
		ibs_plural(audit->n_found, "finding", "findings"),
		audit->n_noted, ibs_plural(audit->n_noted, "note", "notes"),
		audit->n_unknown, audit->n_waived, total->n_links,
		ibs_plural(total->n_links, "link", "links"));
	write_gbps(out, total->expected_100mbps - total->eff_100mbps);
	fputs(" of ", out);
	write_gbps(out, total->expected_100mbps);
	fputs(" Gb/s lost; ", out);
	ibs_text_reading(out, &audit->report.summary);
}

int
ibs_text_audit(FILE *out, const struct ibs_audit *audit)
{
	struct ibs_labels labels;
	int err = ibs_labels_init(&labels, audit->request.map);

	if (err) {
		return err;
	}
	ibs_text_map_head(out, &audit->report);
	write_rows(out, &labels, audit);
	write_shown(out, audit);
	write_switches(out, &labels, audit);
	write_groups(out, &labels, audit);
	write_yardsticks(out, &audit->request);
	ibs_text_findings(out, audit->n_findings);
	write_roles(out, audit);
	write_sum(out, audit);
	if (!audit->complete) {
		ibs_text_unread(out, &labels);
	}
	ibs_labels_free(&labels);
	return ibs_stream_end(out);
}
