// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The way from a port to another as text: a row per link, and the slowest. */
#include <config.h>

#include "writer_text.h"

#include <inttypes.h>

enum column { NAME, PORT, PEER, PEER_PORT, SPEED, GBPS, EXPECTED, FINDINGS };
static const char *const titles[] = { "NAME",	  "PORT",     "PEER",
				      "PORT",	  "SPEED",    "Gb/s",
				      "EXPECTED", "FINDINGS", NULL };

static void
hop_cells(const struct ibs_labels *labels, const struct ibs_hop *hop,
	  struct ibs_cells *cells)
{
	const struct ibs_link *link = &labels->map->links[hop->link].link;

	ibs_end_cells(labels, hop->out, cells->text[NAME], cells->text[PORT]);
	ibs_end_cells(labels, hop->in, cells->text[PEER],
		      cells->text[PEER_PORT]);
	ibs_link_cell(link, cells->text[SPEED]);
	ibs_decimal_text(link->eff_100mbps, 1, cells->text[GBPS]);
	ibs_expected_cell(link, cells->text[EXPECTED]);
	ibs_findings_text(link->findings, ',', cells->text[FINDINGS]);
}

static void
write_hops(FILE *out, const struct ibs_labels *labels,
	   const struct ibs_path *path)
{
	struct ibs_table table;
	struct ibs_cells cells;

	ibs_table_init(&table, titles,
		       1u << PORT | 1u << PEER_PORT | 1u << GBPS);
	for (uint32_t i = 0; i < path->n_hops; i++) {
		hop_cells(labels, &path->hops[i], &cells);
		ibs_table_fit(&table, &cells);
	}
	ibs_table_title(out, &table);
	for (uint32_t i = 0; i < path->n_hops; i++) {
		hop_cells(labels, &path->hops[i], &cells);
		ibs_table_row(out, &table, &cells);
	}
	fputc('\n', out);
}

/* "leaf-1/3" */
static void
write_port(FILE *out, const struct ibs_labels *labels, uint32_t port)
{
	const struct ibs_map_port *row = &labels->map->ports[port];
	char name[IBS_CELL_SIZE];

	ibs_label(labels, &labels->map->nodes[row->node], name);
	fprintf(out, "%s/%u", name, row->num);
}

static void
write_ends(FILE *out, const struct ibs_labels *labels,
	   const struct ibs_path *path)
{
	write_port(out, labels, path->route.src);
	fputs(" to ", out);
	write_port(out, labels, path->route.dst);
	if (path->route.dlid) {
		fprintf(out, ", LID %u", path->route.dlid);
	}
	fputs("\n\n", out);
}

/* "100 Gb/s, rate enum 16 (mult 40, 103125 Mb/s)" */
static void
write_rate(FILE *out, int64_t eff_100mbps, const struct ibs_rate_row *rate)
{
	char gbps[IBS_NUMBER_SIZE];

	ibs_decimal_text(eff_100mbps, 1, gbps);
	fprintf(out, "%s Gb/s, ", gbps);
	if (rate) {
		fprintf(out, "rate enum %d (mult %d, %d Mb/s)", rate->rate_enum,
			rate->rate_mult, rate->rate_mbps);
	} else {
		fputs("which no rate enum has", out);
	}
}

static void
write_slowest(FILE *out, const struct ibs_labels *labels,
	      const struct ibs_path *path)
{
	const struct ibs_hop *hop = &path->hops[path->slowest];
	const struct ibs_link *link = &path->map->links[hop->link].link;
	char speed[IBS_CELL_SIZE], gbps[IBS_NUMBER_SIZE];

	ibs_link_cell(link, speed);
	ibs_decimal_text(link->eff_100mbps, 1, gbps);
	write_port(out, labels, hop->out);
	fputs(" -> ", out);
	write_port(out, labels, hop->in);
	fprintf(out, " is the slowest%s: %s, %s Gb/s",
		path->eff_100mbps < 0 ? " that is known" : "", speed, gbps);
}

/* The words of an end that is about a port tell its state too. */
static void
write_detail(FILE *out, const struct ibs_path *path)
{
	struct ibs_port port;

	if (path->end == IBS_PATH_NOT_ACTIVE) {
		const char *state;

		ibs_map_port_decode(
			path->map,
			ibs_map_find_port(path->map, path->at, path->at_port),
			&port);
		state = ibs_port_state_name(port.state);
		fprintf(out, " (it is %s)", state ? state : "in no state");
	} else if (path->end == IBS_PATH_UNREAD_TABLE &&
		   path->read == IBS_READ_STATUS) {
		fprintf(out, " (status 0x%04x)", path->status);
	} else if (path->end == IBS_PATH_UNREAD_TABLE) {
		fprintf(out, " (%s)", ibs_read_name((enum ibs_read)path->read));
	}
}

/* Where it ends when that is not the destination. */
static void
write_end(FILE *out, const struct ibs_labels *labels,
	  const struct ibs_path *path)
{
	const struct ibs_path_end_row *end =
		ibs_path_end_row((enum ibs_path_end)path->end);
	char name[IBS_CELL_SIZE];

	ibs_label(labels, &path->map->nodes[path->at], name);
	fputs(end->result == IBS_PATH_NONE ? "no path" : "not followed further",
	      out);
	fprintf(out, ", at %s", name);
	if (path->has_port) {
		fprintf(out, "/%u", path->at_port);
	}
	fprintf(out, ": %s", end->says);
	write_detail(out, path);
}

/* Then none is the slowest. */
static bool
all_alike(const struct ibs_path *path)
{
	for (uint32_t i = 0; i < path->n_hops; i++) {
		const struct ibs_hop *hop = &path->hops[i];

		if (path->map->links[hop->link].link.eff_100mbps !=
		    path->eff_100mbps) {
			return false;
		}
	}
	return path->eff_100mbps >= 0;
}

static void
write_verdict(FILE *out, const struct ibs_labels *labels,
	      const struct ibs_path *path)
{
	if (path->end != IBS_PATH_ARRIVED) {
		write_end(out, labels, path);
		return;
	}
	if (path->n_hops == 0) {
		fputs("the same port: no link is on the way", out);
		return;
	}
	if (all_alike(path)) {
		fputs("no link is slower than another; path ", out);
	} else if (path->slowest != IBS_NO_INDEX) {
		write_slowest(out, labels, path);
		fputs("; path ", out);
	}
	if (path->eff_100mbps < 0) {
		fputs("unknown, since the speed of a link is", out);
	} else {
		write_rate(out, path->eff_100mbps, ibs_path_rate(path));
	}
}

/* "rate enum 16 (100 Gb/s)" */
static void
write_record_rate(FILE *out, int rate_enum)
{
	const struct ibs_rate_row *rate = ibs_rate_by_enum(rate_enum);
	char gbps[IBS_NUMBER_SIZE];

	if (rate) {
		ibs_decimal_text(rate->eff_100mbps, 1, gbps);
		fprintf(out, "rate enum %d (%s Gb/s)", rate_enum, gbps);
	} else {
		fprintf(out, "rate enum %d, which is not known", rate_enum);
	}
}

/* Less costs speed; more lets senders congest the slowest link. */
static const char *
difference_words(const struct ibs_path_report *report)
{
	int path = ibs_rate_merit(ibs_path_rate(report->path)->rate_enum);
	int record = ibs_rate_merit(report->record.rate_enum);

	if (record < 0) {
		return "";
	}
	return record > path ? ": more than the slowest link carries"
			     : ": less than the slowest link carries";
}

static void
write_record(FILE *out, const struct ibs_path_report *report)
{
	const struct ibs_path_record *record = &report->record;

	ibs_text_head(out, "SA");
	if (record->failed) {
		fputs("could not be asked for its PathRecord\n", out);
	} else if (record->read == IBS_READ_STATUS) {
		fprintf(out, "gives no PathRecord: status 0x%04x\n",
			record->status);
	} else if (record->read == IBS_READ_UNASKED) {
		fputs("not asked for its PathRecord: no SM or LID is known\n",
		      out);
	} else if (record->read != IBS_READ_OK) {
		fputs("did not answer\n", out);
	} else if (ibs_record_agrees(report) == 1) {
		fputs("its PathRecord says the same rate\n", out);
	} else {
		fputs("its PathRecord says ", out);
		write_record_rate(out, record->rate_enum);
		if (ibs_record_agrees(report) == 0) {
			fputs(difference_words(report), out);
		}
		fputc('\n', out);
	}
}

static bool
same_place(const struct ibs_path *path, const struct ibs_path *back)
{
	return path->at == back->at && path->has_port == back->has_port &&
	       (!path->has_port || path->at_port == back->at_port);
}

/* Then what is said of the way there holds for the way back. */
static bool
same_back(const struct ibs_path_report *report)
{
	const struct ibs_path *path = report->path, *back = report->back;

	if (!back) {
		return true;
	}
	return path->end == back->end &&
	       path->eff_100mbps == back->eff_100mbps &&
	       (path->end == IBS_PATH_ARRIVED || same_place(path, back));
}

int
ibs_path_verdict(FILE *out, const struct ibs_path *path)
{
	struct ibs_labels labels;
	int err = ibs_labels_init(&labels, path->map);

	if (err) {
		return err;
	}
	write_verdict(out, &labels, path);
	ibs_labels_free(&labels);
	return ibs_stream_end(out);
}

int
ibs_text_path(FILE *out, const struct ibs_path_report *report)
{
	const struct ibs_path *path = report->path;
	struct ibs_labels labels;
	int err = ibs_labels_init(&labels, path->map);

	if (err) {
		return err;
	}
	write_ends(out, &labels, path);
	if (path->n_hops > 0) {
		write_hops(out, &labels, path);
	}
	ibs_text_head(out, "Path");
	write_verdict(out, &labels, path);
	fputc('\n', out);
	if (!same_back(report)) {
		ibs_text_head(out, "Back");
		write_verdict(out, &labels, report->back);
		fputc('\n', out);
	}
	write_record(out, report);
	ibs_labels_free(&labels);
	return ibs_stream_end(out);
}
