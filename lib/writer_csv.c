// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The format csv: a line of names, then a line per link or port.  Quoted as
 * RFC 4180 has it, and only where it must be; what has no value is empty.
 */
#include <config.h>

#include "ibspeed/writer.h"

#include <inttypes.h>
#include <string.h>

#include "writer_audit.h"
#include "writer_csv.h"

void
ibs_csv_text(struct ibs_csv_line *line, const char *text)
{
	if (line->follow) {
		fputc(',', line->out);
	}
	line->follow = true;
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, line->out);
		return;
	}
	fputc('"', line->out);
	for (; *text; text++) {
		if (*text == '"') {
			fputc('"', line->out);
		}
		fputc(*text, line->out);
	}
	fputc('"', line->out);
}

void
ibs_csv_number(struct ibs_csv_line *line, int64_t value)
{
	char text[IBS_NUMBER_SIZE] = "";

	if (value >= 0) {
		snprintf(text, sizeof(text), "%" PRId64, value);
	}
	ibs_csv_text(line, text);
}

void
ibs_csv_guid(struct ibs_csv_line *line, uint64_t guid)
{
	char text[IBS_NUMBER_SIZE];

	snprintf(text, sizeof(text), "0x%016" PRIx64, guid);
	ibs_csv_text(line, text);
}

void
ibs_csv_name(struct ibs_csv_line *line, const char *name)
{
	ibs_csv_text(line, name ? name : "");
}

void
ibs_csv_pair(struct ibs_csv_line *line, struct ibs_pair pair)
{
	const struct ibs_width_row *width =
		ibs_width_row((enum ibs_width)pair.width);

	ibs_csv_number(line, width ? width->lanes : -1);
	ibs_csv_name(line,
		     pair.speed == IBS_SPEED_NONE
			     ? NULL
			     : ibs_speed_name((enum ibs_speed)pair.speed));
}

void
ibs_csv_time(struct ibs_csv_line *line, int64_t ns)
{
	char text[IBS_TIME_TEXT_SIZE];

	ibs_time_text(ns, 9, text);
	ibs_csv_text(line, text);
}

void
ibs_csv_end_line(struct ibs_csv_line *line)
{
	fputc('\n', line->out);
	line->follow = false;
}

void
ibs_csv_names(struct ibs_csv_line *line, const char *const *names)
{
	for (; *names; names++) {
		ibs_csv_text(line, *names);
	}
}

/* Which port it is: the columns that every row of a port begins with. */
static void
put_which(struct ibs_csv_line *line, const struct ibs_end *end)
{
	char name[IBS_DESC_TEXT_SIZE];

	ibs_node_name(end->node, name);
	ibs_csv_guid(line, end->node->guid);
	ibs_csv_guid(line, end->row->guid);
	ibs_csv_number(line, end->row->num);
	ibs_csv_text(line, name);
	ibs_csv_name(line, ibs_node_type_name(end->node->type));
}

void
ibs_csv_end(struct ibs_csv_line *line, const struct ibs_map *map, uint32_t port)
{
	int64_t values[IBS_MEMBER_COUNT];
	struct ibs_end end;

	if (port == IBS_NO_INDEX) {
		for (int i = 0; i < IBS_CSV_N_END; i++) {
			ibs_csv_text(line, "");
		}
		return;
	}
	ibs_end_of_map(map, port, &end);
	ibs_end_members(&end, values);
	put_which(line, &end);
	ibs_csv_number(line, values[IBS_MEMBER_lid]);
	ibs_csv_name(line, end.pi ? ibs_port_state_name(end.port.state) : NULL);
}

static void
put_link(struct ibs_csv_line *line, const struct ibs_map *map,
	 const struct ibs_map_link *row, struct ibs_ends ends)
{
	char findings[IBS_FINDINGS_TEXT_SIZE];

	ibs_csv_end(line, map, ends.a);
	ibs_csv_end(line, map, ends.b);
	ibs_csv_pair(line, row->link.active);
	ibs_csv_number(line, row->link.eff_100mbps);
	ibs_csv_pair(line, row->link.expected);
	ibs_csv_pair(line, row->link.capability);
	ibs_csv_number(line, ibs_link_lost_or_none(&row->link));
	ibs_findings_text(row->link.findings, ' ', findings);
	ibs_csv_text(line, findings);
	ibs_csv_time(line, ibs_link_since_ns(map, row));
	ibs_csv_end_line(line);
}

static void
put_link_names(struct ibs_csv_line *line)
{
	static const char *const names[] = { IBS_CSV_END("a"),
					     IBS_CSV_END("b"),
					     "width",
					     "speed",
					     "eff_100mbps",
					     "expected_width",
					     "expected_speed",
					     "capability_width",
					     "capability_speed",
					     "lost_100mbps",
					     "findings",
					     "since",
					     NULL };

	ibs_csv_names(line, names);
	ibs_csv_end_line(line);
}

static int
write_map(FILE *out, const struct ibs_report *report)
{
	const struct ibs_map *map = report->map;
	struct ibs_csv_line line = { .out = out };

	put_link_names(&line);
	for (uint32_t i = 0; i < report->n_links; i++) {
		const struct ibs_map_link *row = &map->links[report->links[i]];

		put_link(&line, map, row,
			 ibs_link_ends(map, row, IBS_NO_INDEX));
	}
	return ibs_stream_end(out);
}

/* The links of the way there, in its order and direction. */
static int
write_path(FILE *out, const struct ibs_path_report *report)
{
	const struct ibs_path *path = report->path;
	struct ibs_csv_line line = { .out = out };

	put_link_names(&line);
	for (uint32_t i = 0; i < path->n_hops; i++) {
		const struct ibs_hop *hop = &path->hops[i];
		struct ibs_ends ends = { .a = hop->out, .b = hop->in };

		put_link(&line, path->map, &path->map->links[hop->link], ends);
	}
	return ibs_stream_end(out);
}

static void
put_port(struct ibs_csv_line *line, const struct ibs_map *map, uint32_t port)
{
	int64_t values[IBS_MEMBER_COUNT];
	struct ibs_end end;

	ibs_end_of_map(map, port, &end);
	ibs_end_members(&end, values);
	put_which(line, &end);
	ibs_csv_text(line, ibs_read_name((enum ibs_read)end.row->read));
	ibs_csv_time(line, end.row->since_ns);
	ibs_csv_name(line, end.pi ? ibs_port_state_name(end.port.state) : NULL);
	ibs_csv_name(line,
		     end.pi ? ibs_phys_state_name(end.port.phys_state) : NULL);
	ibs_csv_pair(line, ibs_end_pair(&end));
	for (int i = 0; i < IBS_MEMBER_COUNT; i++) {
		ibs_csv_number(line, values[i]);
	}
	ibs_csv_end_line(line);
}

static int
write_query(FILE *out, const struct ibs_query *query)
{
	static const char *const names[] = { "guid",  "port_guid", "port",
					     "name",  "type",	   "read",
					     "since", "state",	   "phys_state",
					     "width", "speed",	   NULL };
	const struct ibs_node *node = &query->map->nodes[query->node];
	struct ibs_csv_line line = { .out = out };

	ibs_csv_names(&line, names);
	for (int i = 0; i < IBS_MEMBER_COUNT; i++) {
		ibs_csv_text(&line, ibs_member_rows[i].name);
	}
	ibs_csv_end_line(&line);
	for (uint32_t i = 0; i < node->n_map_ports; i++) {
		if (ibs_query_has(query, node->first_port + i)) {
			put_port(&line, query->map, node->first_port + i);
		}
	}
	return ibs_stream_end(out);
}

const struct ibs_writer ibs_writer_csv = {
	.name = "csv",
	.map = write_map,
	.audit = ibs_csv_audit,
	.query = write_query,
	.path = write_path,
};
