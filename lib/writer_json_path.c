// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The way from a port to another as JSON. */
#include <config.h>

#include "writer_json.h"

static json_t *
links_array(const struct ibs_path *path, bool raw)
{
	json_t *json = json_array();

	for (uint32_t i = 0; i < path->n_hops; i++) {
		const struct ibs_hop *hop = &path->hops[i];
		struct ibs_ends ends = { .a = hop->out, .b = hop->in };

		ibs_json_append(&json,
				ibs_json_map_link(path->map,
						  &path->map->links[hop->link],
						  ends, raw));
	}
	return json;
}

/* Where it ends; port is null where it is the node that matters. */
static json_t *
place_object(const struct ibs_path *path)
{
	const struct ibs_node *node = &path->map->nodes[path->at];
	char name[IBS_DESC_TEXT_SIZE];
	json_t *json = json_object();

	ibs_node_name(node, name);
	ibs_json_put(&json, "guid", ibs_json_guid(node->guid));
	ibs_json_put(&json, "name", json_string(name));
	ibs_json_put(&json, "port",
		     ibs_json_number(path->has_port ? path->at_port : -1));
	return json;
}

static void
put_rate(json_t **json, int64_t eff_100mbps, const struct ibs_rate_row *rate)
{
	ibs_json_put(json, "eff_100mbps", ibs_json_number(eff_100mbps));
	ibs_json_put(json, "rate_enum",
		     ibs_json_number(rate ? rate->rate_enum : -1));
	ibs_json_put(json, "rate_mult",
		     ibs_json_number(rate ? rate->rate_mult : -1));
	ibs_json_put(json, "rate_mbps",
		     ibs_json_number(rate ? rate->rate_mbps : -1));
}

static json_t *
lid_value(uint16_t lid)
{
	return ibs_json_number(lid ? lid : -1);
}

static void
put_way(json_t **json, const struct ibs_path *path, bool raw)
{
	const struct ibs_path_end_row *end =
		ibs_path_end_row((enum ibs_path_end)path->end);

	ibs_json_put(json, "slid", lid_value(path->route.slid));
	ibs_json_put(json, "dlid", lid_value(path->route.dlid));
	ibs_json_put(json, "end", json_string(end->name));
	ibs_json_put(json, "at", place_object(path));
	put_rate(json, path->eff_100mbps, ibs_path_rate(path));
	ibs_json_put(json, "slowest",
		     ibs_json_number(path->slowest == IBS_NO_INDEX
					     ? -1
					     : (int64_t)path->slowest));
	ibs_json_put(json, "links", links_array(path, raw));
}

static json_t *
agrees_value(const struct ibs_path_report *report)
{
	int agrees = ibs_record_agrees(report);

	return agrees < 0 ? json_null() : json_boolean(agrees);
}

static json_t *
record_object(const struct ibs_path_report *report)
{
	const struct ibs_path_record *record = &report->record;
	const struct ibs_rate_row *rate = ibs_rate_by_enum(record->rate_enum);
	bool status = record->read == IBS_READ_STATUS;
	json_t *json = json_object();

	ibs_json_put(
		&json, "read",
		json_string(
			record->failed
				? "failed"
				: ibs_read_name((enum ibs_read)record->read)));
	ibs_json_put(&json, "status",
		     ibs_json_number(status ? record->status : -1));
	put_rate(&json, rate ? (int64_t)rate->eff_100mbps : -1, rate);
	ibs_json_put(&json, "rate_enum", ibs_json_number(record->rate_enum));
	ibs_json_put(&json, "agrees", agrees_value(report));
	return json;
}

static json_t *
back_object(const struct ibs_path *back, bool raw)
{
	json_t *json;

	if (!back) {
		return json_null();
	}
	json = json_object();
	put_way(&json, back, raw);
	return json;
}

int
ibs_json_path(FILE *out, const struct ibs_path_report *report)
{
	const struct ibs_path *path = report->path;
	bool raw = report->verbose > 0;
	json_t *json = json_object();

	ibs_json_put(&json, "schema", json_string("ibspeed-path/1"));
	ibs_json_put(&json, "src",
		     ibs_json_end(path->map, path->route.src, raw));
	ibs_json_put(&json, "dst",
		     ibs_json_end(path->map, path->route.dst, raw));
	put_way(&json, path, raw);
	ibs_json_put(&json, "record", record_object(report));
	ibs_json_put(&json, "back", back_object(report->back, raw));
	return ibs_json_document(out, json);
}
