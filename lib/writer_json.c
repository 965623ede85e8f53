// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The format json: documents, from the pieces that writer_json_*.c make. */
#include <config.h>

#include "writer_audit.h"
#include "writer_json.h"

#include <errno.h>
#include <stdlib.h>

#define FLAGS (JSON_COMPACT | JSON_ENCODE_ANY)

static void
glue(struct ibs_json_stream *stream, const char *text)
{
	if (!stream->err && fputs(text, stream->out) == EOF) {
		stream->err = -EIO;
	}
}

static void
piece(struct ibs_json_stream *stream, json_t *value)
{
	if (!stream->err && !value) {
		stream->err = -ENOMEM;
	}
	if (!stream->err && json_dumpf(value, stream->out, FLAGS)) {
		stream->err = ferror(stream->out) ? -EIO : -ENOMEM;
	}
	json_decref(value);
}

void
ibs_json_open(struct ibs_json_stream *stream, FILE *out)
{
	*stream = (struct ibs_json_stream){ .out = out };
	glue(stream, "{");
}

static void
key_of(struct ibs_json_stream *stream, const char *key)
{
	glue(stream, stream->follow ? ",\n\"" : "\"");
	glue(stream, key);
	glue(stream, "\":");
	stream->follow = true;
}

void
ibs_json_member(struct ibs_json_stream *stream, const char *key, json_t *value)
{
	key_of(stream, key);
	piece(stream, value);
}

void
ibs_json_array_open(struct ibs_json_stream *stream, const char *key)
{
	key_of(stream, key);
	glue(stream, "[");
	stream->follow = false;
}

void
ibs_json_row(struct ibs_json_stream *stream, json_t *value)
{
	glue(stream, stream->follow ? ",\n" : "\n");
	piece(stream, value);
	stream->follow = true;
}

void
ibs_json_array_close(struct ibs_json_stream *stream)
{
	glue(stream, "]");
	stream->follow = true;
}

int
ibs_json_close(struct ibs_json_stream *stream)
{
	glue(stream, "}\n");
	return stream->err ? stream->err : ibs_stream_end(stream->out);
}

int
ibs_json_document(FILE *out, json_t *value)
{
	struct ibs_json_stream stream = { .out = out };

	piece(&stream, value);
	glue(&stream, "\n");
	return stream.err ? stream.err : ibs_stream_end(out);
}

static json_t *
summary_object(const struct ibs_summary *sum)
{
	json_t *findings = json_object(), *json = json_object();

	for (int i = 0; i < IBS_FINDING_COUNT; i++) {
		const struct ibs_finding_row *row =
			ibs_finding_row((enum ibs_finding)i);

		if (row->by == IBS_BY_LINK) {
			ibs_json_put(&findings, row->name,
				     json_integer(sum->n_findings[i]));
		}
	}
	ibs_json_put(&json, "counts", ibs_json_counts(sum));
	ibs_json_put(&json, "switches", json_integer(sum->n_switches));
	ibs_json_put(&json, "cas", json_integer(sum->n_cas));
	ibs_json_put(&json, "routers", json_integer(sum->n_routers));
	ibs_json_put(&json, "other", json_integer(sum->n_other));
	ibs_json_put(&json, "links", json_integer(sum->n_links));
	ibs_json_put(&json, "found_links", json_integer(sum->n_found_links));
	ibs_json_put(&json, "findings", findings);
	ibs_json_put(&json, "down", json_integer(sum->n_down));
	ibs_json_put(&json, "read", json_integer(sum->n_read));
	ibs_json_put(&json, "unread", json_integer(sum->n_unread));
	ibs_json_put(&json, "behind", json_integer(sum->n_behind));
	ibs_json_put(&json, "eff_100mbps",
		     json_integer((json_int_t)sum->eff_100mbps));
	ibs_json_put(&json, "expected_100mbps",
		     json_integer((json_int_t)sum->expected_100mbps));
	return json;
}

static void
write_links(struct ibs_json_stream *stream, const struct ibs_report *report)
{
	const struct ibs_map *map = report->map;

	ibs_json_array_open(stream, "links");
	for (uint32_t i = 0; !stream->err && i < report->n_links; i++) {
		const struct ibs_map_link *row = &map->links[report->links[i]];

		ibs_json_row(
			stream,
			ibs_json_map_link(map, row,
					  ibs_link_ends(map, row, IBS_NO_INDEX),
					  report->verbose > 0));
	}
	ibs_json_array_close(stream);
}

/* The node with those of its ports that are no end of a link. */
static json_t *
node_object(const struct ibs_report *report, uint32_t node, const bool *linked)
{
	const struct ibs_node *n = &report->map->nodes[node];
	json_t *json = ibs_json_node(n), *ports = json_array();

	for (uint32_t i = 0; i < n->n_map_ports; i++) {
		uint32_t port = n->first_port + i;

		if (!linked[port]) {
			ibs_json_append(&ports,
					ibs_json_end(report->map, port,
						     report->verbose > 0));
		}
	}
	ibs_json_put(&json, "ports", ports);
	return json;
}

/* One flag per node: it is in the report.  NULL: no memory. */
static bool *
nodes_told(const struct ibs_report *report)
{
	const struct ibs_map *map = report->map;
	bool *told = calloc((size_t)map->n_nodes + 1, sizeof(*told));

	for (uint32_t i = 0; told && i < map->n_nodes; i++) {
		told[i] = !report->filtered;
	}
	for (uint32_t i = 0; told && i < report->n_links; i++) {
		const struct ibs_map_link *row = &map->links[report->links[i]];

		told[map->ports[row->a].node] = true;
		if (row->b != IBS_NO_INDEX) {
			told[map->ports[row->b].node] = true;
		}
	}
	return told;
}

static void
write_nodes(struct ibs_json_stream *stream, const struct ibs_report *report)
{
	bool *linked = ibs_ports_linked(report->map);
	bool *told = nodes_told(report);

	if (!linked || !told) {
		stream->err = stream->err ? stream->err : -ENOMEM;
	}
	ibs_json_array_open(stream, "nodes");
	for (uint32_t i = 0; !stream->err && i < report->map->n_nodes; i++) {
		if (told[i]) {
			ibs_json_row(stream, node_object(report, i, linked));
		}
	}
	ibs_json_array_close(stream);
	free(linked);
	free(told);
}

static json_t *
port_place(const struct ibs_unread *unread)
{
	char name[IBS_DESC_TEXT_SIZE];
	json_t *json = json_object();

	ibs_node_name(unread->node, name);
	ibs_json_put(&json, "guid", ibs_json_guid(unread->node->guid));
	ibs_json_put(&json, "name", json_string(name));
	ibs_json_put(&json, "port", json_integer(unread->num));
	return json;
}

/* Of a node that nobody knows there is but the port that leads to it. */
static json_t *
unread_object(const struct ibs_unread *unread)
{
	char path[IBS_PATH_TEXT_SIZE];
	bool status = unread->read == IBS_READ_STATUS;
	json_t *json;

	ibs_unread_path(unread, path);
	if (unread->behind) {
		json = json_object();
		ibs_json_put(&json, "guid", json_null());
		ibs_json_put(&json, "name", json_null());
		ibs_json_put(&json, "port", json_null());
		ibs_json_put(&json, "behind", port_place(unread));
	} else {
		json = port_place(unread);
		ibs_json_put(&json, "behind", json_null());
	}
	ibs_json_put(&json, "path", json_string(path));
	ibs_json_put(&json, "reason",
		     json_string(ibs_read_name((enum ibs_read)unread->read)));
	ibs_json_put(&json, "status",
		     ibs_json_number(status ? unread->status : -1));
	ibs_json_put(&json, "tries", json_integer(unread->tries));
	return json;
}

static void
write_unread(struct ibs_json_stream *stream, const struct ibs_map *map)
{
	struct ibs_unread unread;

	ibs_json_array_open(stream, "unread");
	for (uint32_t i = 0; !stream->err && i < map->n_ports; i++) {
		if (ibs_unread_of_map(map, i, &unread)) {
			ibs_json_row(stream, unread_object(&unread));
		}
	}
	ibs_json_array_close(stream);
}

void
ibs_json_map_head(struct ibs_json_stream *stream,
		  const struct ibs_report *report)
{
	ibs_json_member(stream, "schema", json_string("ibspeed-map/1"));
	ibs_json_member(stream, "filtered", json_boolean(report->filtered));
	ibs_json_member(stream, "subnet", ibs_json_subnet(report->map));
	ibs_json_member(stream, "sweep", ibs_json_sweep(report->map));
	ibs_json_member(stream, "summary", summary_object(&report->summary));
}

void
ibs_json_map_tail(struct ibs_json_stream *stream,
		  const struct ibs_report *report)
{
	write_nodes(stream, report);
	write_unread(stream, report->map);
}

static int
write_map(FILE *out, const struct ibs_report *report)
{
	struct ibs_json_stream stream;

	ibs_json_open(&stream, out);
	ibs_json_map_head(&stream, report);
	write_links(&stream, report);
	ibs_json_map_tail(&stream, report);
	return ibs_json_close(&stream);
}

static int
write_port(FILE *out, const struct ibs_decoded *port)
{
	struct ibs_end end;

	ibs_end_of_bytes(port, &end);
	return ibs_json_document(out, ibs_json_port(&end, true));
}

static int
write_link(FILE *out, const struct ibs_decoded *a, const struct ibs_decoded *b,
	   const struct ibs_link *link)
{
	struct ibs_end ends[2];

	ibs_end_of_bytes(a, &ends[0]);
	ibs_end_of_bytes(b, &ends[1]);
	return ibs_json_document(
		out, ibs_json_link(link, ibs_json_port(&ends[0], true),
				   ibs_json_port(&ends[1], true)));
}

const struct ibs_writer ibs_writer_json = {
	.name = "json",
	.map = write_map,
	.audit = ibs_json_audit,
	.query = ibs_json_query,
	.path = ibs_json_path,
	.status = ibs_json_status,
	.port = write_port,
	.link = write_link,
	.rates = ibs_json_rates,
};
