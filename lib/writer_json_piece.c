// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Small pieces of JSON that several documents share. */
#include <config.h>

#include "writer_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void
ibs_json_put(json_t **object, const char *key, json_t *value)
{
	if (json_object_set_new_nocheck(*object, key, value)) {
		json_decref(*object);
		*object = NULL;
	}
}

void
ibs_json_append(json_t **array, json_t *value)
{
	if (json_array_append_new(*array, value)) {
		json_decref(*array);
		*array = NULL;
	}
}

json_t *
ibs_json_number(int64_t value)
{
	return value < 0 ? json_null() : json_integer(value);
}

/* Bytes that are no UTF-8 are escaped as names are. */
json_t *
ibs_json_text(const char *text)
{
	size_t length;
	char *escaped;
	json_t *json;

	if (!text || !text[0]) {
		return json_null();
	}
	json = json_string(text);
	if (json) {
		return json;
	}
	length = strlen(text);
	escaped = malloc(4 * length + 1);
	if (!escaped) {
		return NULL;
	}
	ibs_escape((const uint8_t *)text, length, escaped, 4 * length + 1);
	json = json_string(escaped);
	free(escaped);
	return json;
}

json_t *
ibs_json_guid(uint64_t guid)
{
	char text[IBS_NUMBER_SIZE];

	snprintf(text, sizeof(text), "0x%016" PRIx64, guid);
	return json_string(text);
}

json_t *
ibs_json_time(int64_t ns)
{
	char text[IBS_TIME_TEXT_SIZE];

	ibs_time_text(ns, 9, text);
	return ibs_json_text(text);
}

json_t *
ibs_json_pair(struct ibs_pair pair)
{
	const struct ibs_width_row *width =
		ibs_width_row((enum ibs_width)pair.width);
	const char *speed = NULL;
	json_t *json = json_object();

	if (pair.speed != IBS_SPEED_NONE) {
		speed = ibs_speed_name((enum ibs_speed)pair.speed);
	}
	ibs_json_put(&json, "width",
		     ibs_json_number(width ? width->lanes : -1));
	ibs_json_put(&json, "speed", ibs_json_text(speed));
	return json;
}

json_t *
ibs_json_findings(ibs_set findings)
{
	json_t *json = json_array();

	for (int i = 0; i < IBS_FINDING_COUNT; i++) {
		if (findings & IBS_BIT(i)) {
			ibs_json_append(
				&json,
				json_string(ibs_finding_row((enum ibs_finding)i)
						    ->name));
		}
	}
	return json;
}

json_t *
ibs_json_counts(const struct ibs_summary *sum)
{
	json_t *json = json_object();

	for (size_t i = 0; i < sum->n_counts; i++) {
		const struct ibs_count *count = &sum->counts[i];
		json_t *row = json_object();
		char pair[IBS_PAIR_TEXT_SIZE];

		ibs_pair_text(count->pair, pair);
		ibs_json_put(&row, "links", json_integer(count->n_links));
		ibs_json_put(&row, "ends", json_integer(count->n_ends));
		ibs_json_put(&json, pair, row);
	}
	return json;
}

/* null for 0: a map that was not read through an SM knows none. */
static json_t *
guid_unless_0(uint64_t guid)
{
	return guid ? ibs_json_guid(guid) : json_null();
}

json_t *
ibs_json_subnet(const struct ibs_map *map)
{
	const struct ibs_subnet *subnet = &map->subnet;
	json_t *json = json_object();

	ibs_json_put(&json, "sm_port_guid",
		     guid_unless_0(subnet->sm_port_guid));
	ibs_json_put(&json, "prefix", guid_unless_0(subnet->prefix));
	ibs_json_put(&json, "opensm", ibs_json_text(subnet->opensm));
	ibs_json_put(&json, "force_link_speed",
		     json_integer(subnet->force_link_speed));
	ibs_json_put(&json, "force_link_speed_ext",
		     json_integer(subnet->force_link_speed_ext));
	ibs_json_put(&json, "force_link_width",
		     json_integer(subnet->force_link_width));
	return json;
}

/* null for what is not known: 0 in the map. */
static json_t *
number_unless_0(int64_t value)
{
	return ibs_json_number(value ? value : -1);
}

json_t *
ibs_json_sweep(const struct ibs_map *map)
{
	const struct ibs_sweep_info *sweep = &map->sweep;
	json_t *json = json_object();

	ibs_json_put(&json, "id", number_unless_0(sweep->id));
	ibs_json_put(&json, "start", ibs_json_time(sweep->start_ns));
	ibs_json_put(&json, "end", ibs_json_time(sweep->end_ns));
	ibs_json_put(&json, "start_ns", number_unless_0(sweep->start_ns));
	ibs_json_put(&json, "end_ns", number_unless_0(sweep->end_ns));
	ibs_json_put(&json, "start_mono_ns",
		     number_unless_0((int64_t)sweep->start_mono_ns));
	ibs_json_put(&json, "end_mono_ns",
		     number_unless_0((int64_t)sweep->end_mono_ns));
	ibs_json_put(
		&json, "source",
		json_string(ibs_source_name((enum ibs_source)sweep->source)));
	ibs_json_put(&json, "complete", json_boolean(ibs_map_complete(map)));
	ibs_json_put(&json, "n_smps", json_integer(sweep->n_smps));
	ibs_json_put(&json, "n_retries", json_integer(sweep->n_retries));
	ibs_json_put(&json, "n_timeouts", json_integer(sweep->n_timeouts));
	ibs_json_put(&json, "n_stray", json_integer(sweep->n_stray));
	ibs_json_put(&json, "sm_init_errors",
		     json_boolean(sweep->sm_init_errors));
	ibs_json_put(&json, "clock", ibs_json_clock(map));
	return json;
}
