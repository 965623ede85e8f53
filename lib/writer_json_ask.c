// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Answers to one question as JSON: a query, the status, rates. */
#include <config.h>

#include "writer_json.h"

#define NS_PER_S 1000000000

static void
write_ports(struct ibs_json_stream *stream, const struct ibs_query *query)
{
	const struct ibs_node *node = &query->map->nodes[query->node];

	ibs_json_array_open(stream, "ports");
	for (uint32_t i = 0; !stream->err && i < node->n_map_ports; i++) {
		uint32_t port = node->first_port + i;

		if (ibs_query_has(query, port)) {
			ibs_json_row(stream, ibs_json_end(query->map, port,
							  query->verbose > 0));
		}
	}
	ibs_json_array_close(stream);
}

static void
write_links(struct ibs_json_stream *stream, const struct ibs_query *query)
{
	const struct ibs_map *map = query->map;

	ibs_json_array_open(stream, "links");
	for (uint32_t i = 0; !stream->err && i < map->n_links; i++) {
		const struct ibs_map_link *row = &map->links[i];

		if (ibs_query_has(query, row->a) ||
		    ibs_query_has(query, row->b)) {
			ibs_json_row(stream, ibs_json_map_link(
						     map, row,
						     ibs_link_ends(map, row,
								   query->node),
						     query->verbose > 0));
		}
	}
	ibs_json_array_close(stream);
}

static json_t *
verbs_object(const struct ibs_verbs *verbs)
{
	json_t *json = json_object(), *differs = json_array();

	for (int i = 0; i < IBS_VERBS_COUNT; i++) {
		if (verbs->differs & IBS_BIT(i)) {
			json_array_append_new(
				differs, json_string(ibs_verbs_member_name(
						 (enum ibs_verbs_member)i)));
		}
	}
	ibs_json_put(&json, "device", ibs_json_text(verbs->device));
	ibs_json_put(
		&json, "port",
		ibs_json_number(*verbs->device ? (int64_t)verbs->num : -1));
	ibs_json_put(&json, "error", ibs_json_text(verbs->error));
	ibs_json_put(&json, "differs", differs);
	ibs_json_put(&json, "port_speed_100mbps",
		     ibs_json_number(verbs->speed_100mbps));
	ibs_json_put(&json, "port_speed_error",
		     ibs_json_text(verbs->speed_error));
	return json;
}

int
ibs_json_query(FILE *out, const struct ibs_query *query)
{
	struct ibs_json_stream stream;

	ibs_json_open(&stream, out);
	ibs_json_member(&stream, "sweep", ibs_json_sweep(query->map));
	ibs_json_member(&stream, "node",
			ibs_json_node(&query->map->nodes[query->node]));
	write_ports(&stream, query);
	write_links(&stream, query);
	ibs_json_member(&stream, "verbs",
			query->verbs ? verbs_object(query->verbs)
				     : json_null());
	return ibs_json_close(&stream);
}

static json_t *
recorder_object(const struct ibs_status *status)
{
	static const struct ibs_recorder_row nobody;
	const struct ibs_recorder_row *row =
		status->has_recorder ? &status->recorder : &nobody;
	json_t *json = json_object();

	ibs_json_put(&json, "state",
		     json_string(ibs_recorder_state_name(status)));
	ibs_json_put(&json, "pid", ibs_json_number(row->pid ? row->pid : -1));
	ibs_json_put(&json, "host", ibs_json_text(row->host));
	ibs_json_put(&json, "boot_id", ibs_json_text(row->boot_id));
	ibs_json_put(&json, "version", ibs_json_text(row->version));
	ibs_json_put(&json, "started", ibs_json_time(row->started_ns));
	ibs_json_put(&json, "seen", ibs_json_time(row->seen_ns));
	ibs_json_put(&json, "interval_s",
		     ibs_json_number(row->interval_s ? row->interval_s : -1));
	ibs_json_put(&json, "stale", ibs_json_text(status->stale));
	ibs_json_put(&json, "sm_state",
		     ibs_json_text(ibs_sm_state_name(row->sm_state)));
	ibs_json_put(&json, "error", ibs_json_text(row->error));
	return json;
}

static json_t *
opensm_object(const struct ibs_map *map)
{
	json_t *json = map ? ibs_json_subnet(map) : json_object();
	json_t *version = json_null();

	if (map) {
		version = ibs_json_text(map->subnet.opensm);
		json_object_del(json, "opensm");
	}
	ibs_json_put(&json, "version", version);
	return json;
}

static json_t *
sweep_object(const struct ibs_status *status)
{
	const struct ibs_map *map = status->map;
	int64_t age_s;
	json_t *json;

	if (!map) {
		return json_null();
	}
	age_s = map->sweep.end_ns
			? (status->now_ns - map->sweep.end_ns) / NS_PER_S
			: -1;
	json = ibs_json_sweep(map);
	ibs_json_put(&json, "age_s", ibs_json_number(age_s));
	return json;
}

static json_t *
store_object(const struct ibs_status *status)
{
	json_t *json = json_object();

	ibs_json_put(&json, "path", ibs_json_text(status->db));
	ibs_json_put(&json, "sweeps", json_integer(status->n_sweeps));
	ibs_json_put(&json, "size_bytes", json_integer(status->size_bytes));
	return json;
}

static json_t *
counts_object(const struct ibs_map *map)
{
	struct ibs_summary sum;
	json_t *json;

	if (!map) {
		return json_null();
	}
	ibs_summary_make(map, &sum);
	json = ibs_json_counts(&sum);
	ibs_json_put(&json, "down", json_integer(sum.n_down));
	ibs_json_put(&json, "unread", json_integer(sum.n_unread));
	ibs_json_put(&json, "behind", json_integer(sum.n_behind));
	return json;
}

int
ibs_json_status(FILE *out, const struct ibs_status *status)
{
	struct ibs_json_stream stream;

	ibs_json_open(&stream, out);
	ibs_json_member(&stream, "recorder", recorder_object(status));
	ibs_json_member(&stream, "opensm", opensm_object(status->map));
	ibs_json_member(&stream, "clock",
			status->map ? ibs_json_clock(status->map)
				    : json_null());
	ibs_json_member(&stream, "sweep", sweep_object(status));
	ibs_json_member(&stream, "store", store_object(status));
	ibs_json_member(&stream, "counts", counts_object(status->map));
	return ibs_json_close(&stream);
}

static json_t *
pairs_array(int64_t eff_100mbps)
{
	json_t *json = json_array();
	struct ibs_pair pair = { .speed = IBS_SPEED_COUNT };
	char text[IBS_PAIR_TEXT_SIZE];

	while (ibs_pair_next(eff_100mbps, &pair)) {
		ibs_pair_text(pair, text);
		ibs_json_append(&json, json_string(text));
	}
	return json;
}

static json_t *
rate_object(const struct ibs_rate_query *query)
{
	const struct ibs_rate_row *rate = query->rate;
	const struct ibs_speed_row *speed =
		ibs_speed_row((enum ibs_speed)query->pair.speed);
	json_t *json = ibs_json_pair(query->pair);

	ibs_json_put(&json, "query", ibs_json_text(query->text));
	ibs_json_put(&json, "eff_100mbps", ibs_json_number(query->eff_100mbps));
	ibs_json_put(&json, "rate_enum",
		     ibs_json_number(rate ? rate->rate_enum : -1));
	ibs_json_put(&json, "rate_mult",
		     ibs_json_number(rate ? rate->rate_mult : -1));
	ibs_json_put(&json, "rate_mbps",
		     ibs_json_number(rate ? rate->rate_mbps : -1));
	ibs_json_put(&json, "lane_kbps",
		     ibs_json_number(speed ? (int64_t)speed->lane_kbps : -1));
	ibs_json_put(&json, "signal_kbps",
		     ibs_json_number(ibs_signal_kbps(
			     (enum ibs_speed)query->pair.speed,
			     (enum ibs_width)query->pair.width)));
	ibs_json_put(&json, "pairs", pairs_array(query->eff_100mbps));
	return json;
}

int
ibs_json_rates(FILE *out, const struct ibs_rate_query *rates, size_t n)
{
	json_t *json = json_array();

	for (size_t i = 0; i < n; i++) {
		ibs_json_append(&json, rate_object(&rates[i]));
	}
	return ibs_json_document(out, json);
}
