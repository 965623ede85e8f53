// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The map as text: a row per link, slow ones first, and what it sums up to. */
#include <config.h>

#include "writer_text.h"

#include <inttypes.h>
#include <string.h>

#define NS_PER_MS 1000000
#define MS_DIGITS 3

enum column {
	NAME,
	PORT,
	PEER,
	PEER_PORT,
	SPEED,
	GBPS,
	EXPECTED,
	FINDINGS,
	SINCE
};
static const char *const link_titles[] = { "NAME",     "PORT",	   "PEER",
					   "PORT",     "SPEED",	   "Gb/s",
					   "EXPECTED", "FINDINGS", "SINCE",
					   NULL };

/* Most links have been as they are since the same sweep. */
struct since {
	int64_t ns;
	char text[IBS_TIME_TEXT_SIZE];
};

static void
since_cell(struct since *since, int64_t ns, char text[IBS_CELL_SIZE])
{
	if (ns != since->ns) {
		since->ns = ns;
		ibs_time_text(ns, 0, since->text);
	}
	memcpy(text, since->text, sizeof(since->text));
}

static void
link_cells(const struct ibs_labels *labels, const struct ibs_map_link *row,
	   struct since *since, struct ibs_cells *cells)
{
	const struct ibs_map *map = labels->map;
	const struct ibs_link *link = &row->link;
	struct ibs_ends ends = ibs_link_ends(map, row, IBS_NO_INDEX);

	ibs_end_cells(labels, ends.a, cells->text[NAME], cells->text[PORT]);
	ibs_end_cells(labels, ends.b, cells->text[PEER],
		      cells->text[PEER_PORT]);
	ibs_link_cell(link, cells->text[SPEED]);
	ibs_decimal_text(link->eff_100mbps, 1, cells->text[GBPS]);
	ibs_expected_cell(link, cells->text[EXPECTED]);
	ibs_findings_text(link->findings, ',', cells->text[FINDINGS]);
	since_cell(since, ibs_link_since_ns(map, row), cells->text[SINCE]);
}

static void
write_links(FILE *out, const struct ibs_report *report,
	    const struct ibs_labels *labels)
{
	struct since since = { .ns = 0 };
	struct ibs_table table;
	struct ibs_cells cells;

	ibs_table_init(&table, link_titles,
		       1u << PORT | 1u << PEER_PORT | 1u << GBPS);
	for (uint32_t i = 0; i < report->n_links; i++) {
		link_cells(labels, &report->map->links[report->links[i]],
			   &since, &cells);
		ibs_table_fit(&table, &cells);
	}
	ibs_table_title(out, &table);
	for (uint32_t i = 0; i < report->n_links; i++) {
		link_cells(labels, &report->map->links[report->links[i]],
			   &since, &cells);
		ibs_table_row(out, &table, &cells);
	}
}

void
ibs_text_reading(FILE *out, const struct ibs_summary *sum)
{
	uint32_t n_ports = sum->n_read + sum->n_unread;

	if (!sum->n_unread && !sum->n_behind) {
		fprintf(out, "complete, %u %s\n", n_ports,
			ibs_plural(n_ports, "port", "ports"));
		return;
	}
	fputs("INCOMPLETE", out);
	if (sum->n_unread) {
		fprintf(out, ", %u of %u ports did not answer", sum->n_unread,
			n_ports);
	}
	if (sum->n_behind) {
		fprintf(out, ", nobody answered behind %u %s", sum->n_behind,
			ibs_plural(sum->n_behind, "port", "ports"));
	}
	fputc('\n', out);
}

static void
write_duration(FILE *out, const struct ibs_sweep_info *sweep)
{
	uint64_t ns = sweep->end_mono_ns - sweep->start_mono_ns;
	char seconds[IBS_NUMBER_SIZE];

	if (sweep->end_mono_ns <= sweep->start_mono_ns) {
		return;
	}
	ibs_decimal_text((int64_t)(ns / NS_PER_MS), MS_DIGITS, seconds);
	fprintf(out, " in %s s", seconds);
}

void
ibs_text_subnet(FILE *out, const struct ibs_subnet *subnet)
{
	fprintf(out, "0x%016" PRIx64 ", ", subnet->prefix);
	if (subnet->sm_port_guid) {
		fprintf(out, "SM port 0x%016" PRIx64, subnet->sm_port_guid);
	} else {
		fputs("no SM is known", out);
	}
	if (subnet->opensm[0]) {
		fputs(", ", out);
		ibs_text_foreign(out, subnet->opensm);
	}
}

void
ibs_text_map_head(FILE *out, const struct ibs_report *report)
{
	const struct ibs_subnet *subnet = &report->map->subnet;
	const struct ibs_sweep_info *sweep = &report->map->sweep;
	char when[IBS_TIME_TEXT_SIZE];

	fputs("Subnet ", out);
	ibs_text_subnet(out, subnet);
	ibs_time_text(sweep->end_ns, 0, when);
	fprintf(out, "\n%s %s",
		sweep->source == IBS_SOURCE_SM ? "OpenSM's own record of"
					       : "Read",
		when[0] ? when : "at an unknown time");
	write_duration(out, sweep);
	if (!subnet->opensm[0]) {
		/* there may be islands */
		fputs(", from the local port on", out);
	}
	if (sweep->id) {
		fprintf(out, ", sweep %" PRId64, sweep->id);
	}
	fputs(": ", out);
	ibs_text_reading(out, &report->summary);
	if (sweep->sm_init_errors) {
		fputs("OpenSM met errors while it brought the subnet up\n",
		      out);
	}
	fputc('\n', out);
}

void
ibs_text_findings(FILE *out, const uint32_t n_findings[IBS_FINDING_COUNT])
{
	const char *head = "Findings";

	for (int i = 0; i < IBS_FINDING_COUNT; i++) {
		const struct ibs_finding_row *row =
			ibs_finding_row((enum ibs_finding)i);

		if (n_findings[i] == 0) {
			continue;
		}
		ibs_text_head(out, head);
		fprintf(out, "%u %s%s: %s\n", n_findings[i], row->name,
			row->severity == IBS_SEVERITY_NOTE ? " (note)" : "",
			row->says);
		head = "";
	}
	if (head[0]) {
		ibs_text_head(out, head);
		fputs("none\n", out);
	}
}

static void
write_bandwidth(FILE *out, const struct ibs_summary *sum)
{
	char eff[IBS_NUMBER_SIZE], expected[IBS_NUMBER_SIZE];
	char lost[IBS_NUMBER_SIZE];

	ibs_decimal_text((int64_t)sum->eff_100mbps, 1, eff);
	ibs_decimal_text((int64_t)sum->expected_100mbps, 1, expected);
	ibs_decimal_text((int64_t)(sum->expected_100mbps - sum->eff_100mbps), 1,
			 lost);
	ibs_text_head(out, "Bandwidth");
	fprintf(out, "%s of %s Gb/s expected, %s Gb/s lost\n", eff, expected,
		lost);
}

static void
write_nodes(FILE *out, const struct ibs_summary *sum)
{
	ibs_text_head(out, "Nodes");
	fprintf(out, "%u %s, %u %s", sum->n_switches,
		ibs_plural(sum->n_switches, "switch", "switches"), sum->n_cas,
		ibs_plural(sum->n_cas, "CA", "CAs"));
	if (sum->n_routers) {
		fprintf(out, ", %u %s", sum->n_routers,
			ibs_plural(sum->n_routers, "router", "routers"));
	}
	if (sum->n_other) {
		fprintf(out, ", %u of another type", sum->n_other);
	}
	fputc('\n', out);
}

static void
write_summary(FILE *out, const struct ibs_report *report)
{
	const struct ibs_summary *sum = &report->summary;

	fputc('\n', out);
	ibs_text_counts(out, sum);
	fputc('\n', out);
	if (report->filtered) {
		ibs_text_head(out, "Shown");
		fprintf(out, "%u of %u %s\n", report->n_links, sum->n_links,
			ibs_plural(sum->n_links, "link", "links"));
	}
	write_nodes(out, sum);
	ibs_text_head(out, "Links");
	fprintf(out, "%u, %u with findings\n", sum->n_links,
		sum->n_found_links);
	ibs_text_findings(out, sum->n_findings);
	write_bandwidth(out, sum);
	ibs_text_head(out, "Ports");
	fprintf(out, "%u down\n", sum->n_down);
	ibs_text_head(out, "Reading");
	ibs_text_reading(out, sum);
}

static void
unread_cells(const struct ibs_labels *labels, const struct ibs_unread *unread,
	     struct ibs_cells *cells)
{
	char name[IBS_CELL_SIZE], path[IBS_PATH_TEXT_SIZE];

	ibs_unread_path(unread, path);
	ibs_label(labels, unread->node, name);
	snprintf(cells->text[0], IBS_CELL_SIZE, "%s%.*s",
		 unread->behind ? "behind " : "", IBS_CELL_SIZE - 8, name);
	snprintf(cells->text[1], IBS_CELL_SIZE, "%u", unread->num);
	snprintf(cells->text[2], IBS_CELL_SIZE, "%s", path);
	snprintf(cells->text[3], IBS_CELL_SIZE, "%s",
		 ibs_read_name((enum ibs_read)unread->read));
	if (unread->read == IBS_READ_STATUS) {
		snprintf(cells->text[3], IBS_CELL_SIZE, "status 0x%04x",
			 unread->status);
	}
	snprintf(cells->text[4], IBS_CELL_SIZE, "%u", unread->tries);
}

void
ibs_text_unread(FILE *out, const struct ibs_labels *labels)
{
	static const char *const titles[] = { "NAME",	"PORT",	 "PATH",
					      "REASON", "TRIES", NULL };
	const struct ibs_map *map = labels->map;
	struct ibs_unread unread;
	struct ibs_table table;
	struct ibs_cells cells;
	bool timeout = false;

	ibs_table_init(&table, titles, 1u << 1 | 1u << 4);
	for (uint32_t i = 0; i < map->n_ports; i++) {
		if (ibs_unread_of_map(map, i, &unread)) {
			unread_cells(labels, &unread, &cells);
			ibs_table_fit(&table, &cells);
		}
	}
	fputc('\n', out);
	ibs_table_title(out, &table);
	for (uint32_t i = 0; i < map->n_ports; i++) {
		if (ibs_unread_of_map(map, i, &unread)) {
			unread_cells(labels, &unread, &cells);
			ibs_table_row(out, &table, &cells);
			timeout |= unread.read == IBS_READ_TIMEOUT;
		}
	}
	if (timeout) {
		fputs("No answer may also mean that an M_Key protects the "
		      "port.\n",
		      out);
	}
}

int
ibs_text_map(FILE *out, const struct ibs_report *report)
{
	struct ibs_labels labels;
	int err = ibs_labels_init(&labels, report->map);

	if (err) {
		return err;
	}
	ibs_text_map_head(out, report);
	write_links(out, report, &labels);
	write_summary(out, report);
	if (!ibs_map_complete(report->map)) {
		ibs_text_unread(out, &labels);
	}
	ibs_labels_free(&labels);
	return ibs_stream_end(out);
}
