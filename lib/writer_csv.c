// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The format csv: a line of names, then a line per link or port.  Quoted as
 * RFC 4180 has it, and only where it must be; what has no value is empty.
 */
#include <config.h>

#include "ibspeed/writer.h"

#include <inttypes.h>
#include <string.h>

#include "writer_private.h"

/* A line is begun with false and ended by end_line. */
struct line {
	FILE *out;
	bool follow;
};

static void
put(struct line *line, const char *text)
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

static void
put_number(struct line *line, int64_t value)
{
	char text[IBS_NUMBER_SIZE] = "";

	if (value >= 0) {
		snprintf(text, sizeof(text), "%" PRId64, value);
	}
	put(line, text);
}

static void
put_guid(struct line *line, uint64_t guid)
{
	char text[IBS_NUMBER_SIZE];

	snprintf(text, sizeof(text), "0x%016" PRIx64, guid);
	put(line, text);
}

static void
put_name(struct line *line, const char *name)
{
	put(line, name ? name : "");
}

static void
put_pair(struct line *line, struct ibs_pair pair)
{
	const struct ibs_width_row *width =
		ibs_width_row((enum ibs_width)pair.width);

	put_number(line, width ? width->lanes : -1);
	put_name(line, pair.speed == IBS_SPEED_NONE
			       ? NULL
			       : ibs_speed_name((enum ibs_speed)pair.speed));
}

static void
put_time(struct line *line, int64_t ns)
{
	char text[IBS_TIME_TEXT_SIZE];

	ibs_time_text(ns, 9, text);
	put(line, text);
}

static void
end_line(struct line *line)
{
	fputc('\n', line->out);
	line->follow = false;
}

static void
put_names(struct line *line, const char *const *names)
{
	for (; *names; names++) {
		put(line, *names);
	}
}

/* The columns of an end of a link, N_END_COLUMNS of them. */
#define END_COLUMNS(x)                                                         \
	x "_guid", x "_port_guid", x "_port", x "_name", x "_type", x "_lid",  \
		x "_state"
#define N_END_COLUMNS 7

/* Which port it is: the columns that every row of a port begins with. */
static void
put_which(struct line *line, const struct ibs_end *end)
{
	char name[IBS_DESC_TEXT_SIZE];

	ibs_node_name(end->node, name);
	put_guid(line, end->node->guid);
	put_guid(line, end->row->guid);
	put_number(line, end->row->num);
	put(line, name);
	put_name(line, ibs_node_type_name(end->node->type));
}

static void
put_end(struct line *line, const struct ibs_map *map, uint32_t port)
{
	int64_t values[IBS_MEMBER_COUNT];
	struct ibs_end end;

	if (port == IBS_NO_INDEX) {
		for (int i = 0; i < N_END_COLUMNS; i++) {
			put(line, "");
		}
		return;
	}
	ibs_end_of_map(map, port, &end);
	ibs_end_members(&end, values);
	put_which(line, &end);
	put_number(line, values[IBS_MEMBER_lid]);
	put_name(line, end.pi ? ibs_port_state_name(end.port.state) : NULL);
}

static void
put_link(struct line *line, const struct ibs_map *map,
	 const struct ibs_map_link *row, struct ibs_ends ends)
{
	char findings[IBS_FINDINGS_TEXT_SIZE];

	put_end(line, map, ends.a);
	put_end(line, map, ends.b);
	put_pair(line, row->link.active);
	put_number(line, row->link.eff_100mbps);
	put_pair(line, row->link.expected);
	put_pair(line, row->link.capability);
	put_number(line, ibs_link_lost_or_none(&row->link));
	ibs_findings_text(row->link.findings, ' ', findings);
	put(line, findings);
	put_time(line, ibs_link_since_ns(map, row));
	end_line(line);
}

static void
put_link_names(struct line *line)
{
	static const char *const names[] = { END_COLUMNS("a"),
					     END_COLUMNS("b"),
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

	put_names(line, names);
	end_line(line);
}

static int
write_map(FILE *out, const struct ibs_report *report)
{
	const struct ibs_map *map = report->map;
	struct line line = { .out = out };

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
	struct line line = { .out = out };

	put_link_names(&line);
	for (uint32_t i = 0; i < path->n_hops; i++) {
		const struct ibs_hop *hop = &path->hops[i];
		struct ibs_ends ends = { .a = hop->out, .b = hop->in };

		put_link(&line, path->map, &path->map->links[hop->link], ends);
	}
	return ibs_stream_end(out);
}

static void
put_port(struct line *line, const struct ibs_map *map, uint32_t port)
{
	int64_t values[IBS_MEMBER_COUNT];
	struct ibs_end end;

	ibs_end_of_map(map, port, &end);
	ibs_end_members(&end, values);
	put_which(line, &end);
	put(line, ibs_read_name((enum ibs_read)end.row->read));
	put_time(line, end.row->since_ns);
	put_name(line, end.pi ? ibs_port_state_name(end.port.state) : NULL);
	put_name(line,
		 end.pi ? ibs_phys_state_name(end.port.phys_state) : NULL);
	put_pair(line, ibs_end_pair(&end));
	for (int i = 0; i < IBS_MEMBER_COUNT; i++) {
		put_number(line, values[i]);
	}
	end_line(line);
}

static int
write_query(FILE *out, const struct ibs_query *query)
{
	static const char *const names[] = { "guid",  "port_guid", "port",
					     "name",  "type",	   "read",
					     "since", "state",	   "phys_state",
					     "width", "speed",	   NULL };
	const struct ibs_node *node = &query->map->nodes[query->node];
	struct line line = { .out = out };

	put_names(&line, names);
	for (int i = 0; i < IBS_MEMBER_COUNT; i++) {
		put(&line, ibs_member_rows[i].name);
	}
	end_line(&line);
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
	.query = write_query,
	.path = write_path,
};
