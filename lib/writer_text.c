// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The format text: answers to one question, and the list of its reports. */
#include <config.h>

#include "writer_audit.h"

#include <inttypes.h>
#include <string.h>

#define NS_PER_S 1000000000

static void
write_node(FILE *out, const struct ibs_node *node)
{
	const char *type = ibs_node_type_name(node->type);
	char text[IBS_PATH_TEXT_SIZE > IBS_DESC_TEXT_SIZE ? IBS_PATH_TEXT_SIZE
							  : IBS_DESC_TEXT_SIZE];

	ibs_dots(out, "name");
	ibs_node_cell(node, text);
	fprintf(out, "%s\n", text[0] ? text : "-");
	ibs_dots(out, "guid");
	fprintf(out, "0x%016" PRIx64 "\n", node->guid);
	ibs_dots(out, "type");
	fprintf(out, "%s (%u)\n", type ? type : "unknown", node->type);
	ibs_dots(out, "vendor_id");
	fprintf(out, "0x%06x\n", node->vendor_id);
	ibs_dots(out, "device_id");
	fprintf(out, "0x%04x\n", node->device_id);
	ibs_dots(out, "n_ports");
	fprintf(out, "%u\n", node->n_ports);
	ibs_dots(out, "path");
	ibs_path_text(node, text);
	fprintf(out, "%s\n", text);
}

/* When all of it was read: "2026-11-30T16:11:15Z, sweep 3". */
static void
write_when(FILE *out, const struct ibs_sweep_info *sweep)
{
	char text[IBS_TIME_TEXT_SIZE];

	ibs_time_text(sweep->end_ns, 0, text);
	ibs_dots(out, "read");
	fputs(text[0] ? text : "-", out);
	if (sweep->id) {
		fprintf(out, ", sweep %" PRId64, sweep->id);
	}
	fputc('\n', out);
}

/* The link of a port; NULL when it has none. */
static const struct ibs_map_link *
link_of(const struct ibs_map *map, uint32_t port)
{
	uint32_t link = ibs_map_find_link(map, port);

	return link == IBS_NO_INDEX ? NULL : &map->links[link];
}

enum column {
	PORT,
	STATE,
	PHYS,
	SPEED,
	GBPS,
	PEER,
	PEER_PORT,
	EXPECTED,
	FINDINGS,
	SINCE
};
static const char *const port_titles[] = { "PORT",  "STATE",	"PHYS",
					   "SPEED", "Gb/s",	"PEER",
					   "PORT",  "EXPECTED", "FINDINGS",
					   "SINCE", NULL };

static void
put_link_cells(const struct ibs_labels *labels, uint32_t port,
	       struct ibs_cells *cells)
{
	const struct ibs_map *map = labels->map;
	const struct ibs_map_link *row = link_of(map, port);
	int64_t since_ns = map->ports[port].since_ns;

	if (row) {
		ibs_expected_cell(&row->link, cells->text[EXPECTED]);
		ibs_findings_text(row->link.findings, ',',
				  cells->text[FINDINGS]);
		ibs_end_cells(labels, row->a == port ? row->b : row->a,
			      cells->text[PEER], cells->text[PEER_PORT]);
		since_ns = ibs_link_since_ns(map, row);
	}
	ibs_time_text(since_ns, 0, cells->text[SINCE]);
}

static void
put_text(char cell[IBS_CELL_SIZE], const char *text)
{
	snprintf(cell, IBS_CELL_SIZE, "%s", text ? text : "");
}

static void
port_cells(const struct ibs_labels *labels, uint32_t port,
	   struct ibs_cells *cells)
{
	struct ibs_end end;

	for (int i = 0; i < IBS_COLUMNS_MAX; i++) {
		cells->text[i][0] = '\0';
	}
	ibs_end_of_map(labels->map, port, &end);
	snprintf(cells->text[PORT], IBS_CELL_SIZE, "%u", end.row->num);
	if (end.pi) {
		put_text(cells->text[STATE],
			 ibs_port_state_name(end.port.state));
		put_text(cells->text[PHYS],
			 ibs_phys_state_name(end.port.phys_state));
		ibs_pair_text(ibs_end_pair(&end), cells->text[SPEED]);
		ibs_decimal_text(end.port.eff_100mbps, 1, cells->text[GBPS]);
	} else {
		put_text(cells->text[STATE],
			 ibs_read_name((enum ibs_read)end.row->read));
	}
	put_link_cells(labels, port, cells);
}

static void
write_ports(FILE *out, const struct ibs_query *query,
	    const struct ibs_labels *labels)
{
	const struct ibs_node *node = &query->map->nodes[query->node];
	struct ibs_table table;
	struct ibs_cells cells;

	ibs_table_init(&table, port_titles,
		       1u << PORT | 1u << GBPS | 1u << PEER_PORT);
	for (uint32_t i = 0; i < node->n_map_ports; i++) {
		port_cells(labels, node->first_port + i, &cells);
		ibs_table_fit(&table, &cells);
	}
	ibs_table_title(out, &table);
	for (uint32_t i = 0; i < node->n_map_ports; i++) {
		port_cells(labels, node->first_port + i, &cells);
		ibs_table_row(out, &table, &cells);
	}
}

/* A port and its peer in full, and what the link is. */
static void
write_port_in_full(FILE *out, const struct ibs_query *query, uint32_t port)
{
	const struct ibs_map_link *row = link_of(query->map, port);
	uint32_t peer = IBS_NO_INDEX;
	struct ibs_end a, b;

	ibs_end_of_map(query->map, port, &a);
	if (row) {
		peer = row->a == port ? row->b : row->a;
		ibs_text_verdict(out, &row->link);
		fputc('\n', out);
	}
	if (peer != IBS_NO_INDEX) {
		ibs_end_of_map(query->map, peer, &b);
	}
	ibs_text_ends(out, &a, peer == IBS_NO_INDEX ? NULL : &b,
		      query->verbose > 0);
}

static void
write_verbs(FILE *out, const struct ibs_verbs *verbs)
{
	char speed[IBS_NUMBER_SIZE];

	fputc('\n', out);
	ibs_text_head(out, "Verbs");
	if (*verbs->error) {
		fprintf(out, "%s\n", verbs->error);
		return;
	}
	fprintf(out, "%s port %u ", verbs->device, verbs->num);
	fputs(verbs->differs ? "differs from PortInfo:"
			     : "agrees with PortInfo",
	      out);
	for (int i = 0; i < IBS_VERBS_COUNT; i++) {
		if (verbs->differs & IBS_BIT(i)) {
			fprintf(out, " %s",
				ibs_verbs_member_name(
					(enum ibs_verbs_member)i));
		}
	}
	fputc('\n', out);
	ibs_text_head(out, "");
	if (*verbs->speed_error) {
		fprintf(out, "ibv_query_port_speed: %s\n", verbs->speed_error);
	} else {
		ibs_decimal_text(verbs->speed_100mbps, 1, speed);
		fprintf(out, "ibv_query_port_speed: %s Gb/s\n", speed);
	}
}

static int
write_query(FILE *out, const struct ibs_query *query)
{
	const struct ibs_node *node = &query->map->nodes[query->node];
	bool one = query->port != IBS_NO_INDEX || node->n_map_ports == 1;
	struct ibs_labels labels;
	int err = ibs_labels_init(&labels, query->map);

	if (err) {
		return err;
	}
	write_node(out, node);
	write_when(out, &query->map->sweep);
	if (!one) {
		fputc('\n', out);
		write_ports(out, query, &labels);
	}
	for (uint32_t i = 0; i < node->n_map_ports; i++) {
		uint32_t port = node->first_port + i;

		if ((one || query->verbose) && ibs_query_has(query, port)) {
			fputc('\n', out);
			write_port_in_full(out, query, port);
		}
	}
	ibs_labels_free(&labels);
	if (query->verbose) {
		fputc('\n', out);
		ibs_text_clock(out, &query->map->sweep.clock, 0);
	}
	if (query->verbs) {
		write_verbs(out, query->verbs);
	}
	return ibs_stream_end(out);
}

static int
write_port(FILE *out, const struct ibs_decoded *port)
{
	struct ibs_end end;

	ibs_end_of_bytes(port, &end);
	ibs_text_ends(out, &end, NULL, true);
	return ibs_stream_end(out);
}

static int
write_link(FILE *out, const struct ibs_decoded *a, const struct ibs_decoded *b,
	   const struct ibs_link *link)
{
	struct ibs_end ends[2];

	ibs_end_of_bytes(a, &ends[0]);
	ibs_end_of_bytes(b, &ends[1]);
	ibs_text_verdict(out, link);
	fputc('\n', out);
	ibs_text_ends(out, &ends[0], &ends[1], true);
	return ibs_stream_end(out);
}

static void
write_recorder(FILE *out, const struct ibs_status *status)
{
	const struct ibs_recorder_row *row = &status->recorder;
	char text[IBS_TIME_TEXT_SIZE];

	ibs_text_head(out, "Recorder");
	fputs(ibs_recorder_state_name(status), out);
	if (!status->has_recorder) {
		fputs(": nobody has recorded here\n", out);
		return;
	}
	fprintf(out, ", pid %" PRId64 " on ", row->pid);
	ibs_text_foreign(out, row->host);
	fputs(", ibspeed ", out);
	ibs_text_foreign(out, row->version);
	ibs_time_text(row->started_ns, 0, text);
	fprintf(out, ", started %s", text[0] ? text : "-");
	ibs_time_text(row->seen_ns, 0, text);
	fprintf(out, ", last seen %s\n", text[0] ? text : "-");
	ibs_text_head(out, "SM");
	fputs(row->sm_state ? ibs_sm_state_name(row->sm_state) : "none", out);
	fputc('\n', out);
	if (row->error[0]) {
		ibs_text_head(out, "Error");
		ibs_text_foreign(out, row->error);
		fputc('\n', out);
	}
}

static void
write_map_status(FILE *out, const struct ibs_map *map, int64_t now_ns)
{
	const struct ibs_sweep_info *sweep = &map->sweep;
	struct ibs_summary sum;
	char text[IBS_TIME_TEXT_SIZE];

	ibs_summary_make(map, &sum);
	ibs_text_head(out, "Sweep");
	ibs_time_text(sweep->end_ns, 0, text);
	fprintf(out, "%" PRId64 ", %s", sweep->id, text[0] ? text : "-");
	if (sweep->end_ns && now_ns >= sweep->end_ns) {
		ibs_text_age(out, (now_ns - sweep->end_ns) / NS_PER_S);
	}
	fputs(": ", out);
	ibs_text_reading(out, &sum);
	ibs_text_head(out, "SMPs");
	fprintf(out, "%u sent, %u retries, %u without an answer, %u stray\n",
		sweep->n_smps, sweep->n_retries, sweep->n_timeouts,
		sweep->n_stray);
	ibs_text_clock(out, &sweep->clock, now_ns);
	ibs_text_head(out, "Subnet");
	ibs_text_subnet(out, &map->subnet);
	fputs("\n\n", out);
	ibs_text_counts(out, &sum);
	fputc('\n', out);
	ibs_text_head(out, "Ports");
	fprintf(out, "%u down, %u did not answer\n", sum.n_down, sum.n_unread);
}

static int
write_status(FILE *out, const struct ibs_status *status)
{
	write_recorder(out, status);
	if (status->stale && *status->stale) {
		ibs_text_head(out, "Stale");
		fprintf(out, "%s\n", status->stale);
	}
	ibs_text_head(out, "Store");
	ibs_text_foreign(out, status->db);
	fprintf(out, ", %" PRId64 " %s, %" PRId64 " bytes\n", status->n_sweeps,
		ibs_plural((uint64_t)status->n_sweeps, "sweep", "sweeps"),
		status->size_bytes);
	if (status->map) {
		write_map_status(out, status->map, status->now_ns);
	} else {
		ibs_text_head(out, "Sweep");
		fputs("none recorded yet\n", out);
	}
	return ibs_stream_end(out);
}

const struct ibs_writer ibs_writer_text = {
	.name = "text",
	.map = ibs_text_map,
	.audit = ibs_text_audit,
	.query = write_query,
	.path = ibs_text_path,
	.status = write_status,
	.port = write_port,
	.link = write_link,
	.rates = ibs_text_rates,
};
