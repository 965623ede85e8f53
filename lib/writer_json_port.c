// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Ports, ends and links as JSON. */
#include <config.h>

#include "writer_json.h"

#include <inttypes.h>
#include <string.h>

/* A set of widths or speeds, worst first. */
static json_t *
width_array(ibs_set set)
{
	json_t *json = json_array();

	for (int i = 0; i < IBS_WIDTH_COUNT; i++) {
		const struct ibs_width_row *row =
			ibs_width_row((enum ibs_width)i);

		if (row && (set & IBS_BIT(i))) {
			ibs_json_append(&json, json_integer(row->lanes));
		}
	}
	return json;
}

static json_t *
speed_array(ibs_set set)
{
	json_t *json = json_array();

	for (int i = 0; i < IBS_SPEED_COUNT; i++) {
		const struct ibs_speed_row *row =
			ibs_speed_row((enum ibs_speed)i);

		if (row && (set & IBS_BIT(i))) {
			ibs_json_append(&json, json_string(row->name));
		}
	}
	return json;
}

static json_t *
sets_object(ibs_set widths, ibs_set speeds)
{
	json_t *json = json_object();

	ibs_json_put(&json, "widths", width_array(widths));
	ibs_json_put(&json, "speeds", speed_array(speeds));
	return json;
}

static json_t *
raw_field(const uint8_t *pi, int field)
{
	const struct ibs_field *row = &ibs_port_info_fields[field];
	uint64_t value = ibs_field_get(pi, row);
	char text[IBS_NUMBER_SIZE];

	if (!ibs_raw_is_hex((enum ibs_port_info_field)field)) {
		return json_integer((json_int_t)value);
	}
	snprintf(text, sizeof(text), "0x%0*" PRIx64, row->size_bits / 4, value);
	return json_string(text);
}

/* A map never tells the M_Key: it is a secret, and is not kept. */
static json_t *
raw_object(const struct ibs_end *end)
{
	json_t *json = json_object();

	if (!end->pi) {
		json_decref(json);
		return json_null();
	}
	for (int i = 0; i < IBS_PI_COUNT; i++) {
		if (end->map && i == IBS_PI_M_Key) {
			continue;
		}
		ibs_json_put(&json, ibs_port_info_fields[i].name,
			     raw_field(end->pi, i));
	}
	return json;
}

static json_t *
boolean_or_null(const struct ibs_end *end, bool value)
{
	return end->pi ? json_boolean(value) : json_null();
}

static void
put_names(json_t **json, const struct ibs_end *end)
{
	const struct ibs_port *port = &end->port;
	json_t *pair = ibs_json_pair(ibs_end_pair(end));
	const char *state = NULL, *phys_state = NULL, *cap = NULL;

	if (end->pi) {
		state = ibs_port_state_name(port->state);
		phys_state = ibs_phys_state_name(port->phys_state);
		cap = port->cap_port0 ? "port0" : "own";
	}
	ibs_json_put(json, "state", ibs_json_text(state));
	ibs_json_put(json, "phys_state", ibs_json_text(phys_state));
	if (!pair || json_object_update(*json, pair)) {
		json_decref(*json);
		*json = NULL;
	}
	json_decref(pair);
	ibs_json_put(json, "cap", ibs_json_text(cap));
	ibs_json_put(json, "fdr10_known",
		     boolean_or_null(end, port->fdr10_known));
	ibs_json_put(json, "needs_reread",
		     boolean_or_null(end, port->needs_reread));
	ibs_json_put(json, "link_layer", json_string("infiniband"));
}

json_t *
ibs_json_port(const struct ibs_end *end, bool raw)
{
	const struct ibs_port *port = &end->port;
	json_t *json = json_object();
	int64_t values[IBS_MEMBER_COUNT];

	put_names(&json, end);
	ibs_end_members(end, values);
	for (int i = 0; i < IBS_MEMBER_COUNT; i++) {
		ibs_json_put(&json, ibs_member_rows[i].name,
			     ibs_json_number(values[i]));
	}
	ibs_json_put(&json, "supported",
		     end->pi ? sets_object(port->width_supported,
					   port->speed_supported)
			     : json_null());
	ibs_json_put(
		&json, "enabled",
		end->pi ? sets_object(port->width_enabled, port->speed_enabled)
			: json_null());
	if (raw) {
		ibs_json_put(&json, "raw", raw_object(end));
	}
	return json;
}

json_t *
ibs_json_end(const struct ibs_map *map, uint32_t port, bool raw)
{
	const struct ibs_map_port *row = &map->ports[port];
	const struct ibs_node *node = &map->nodes[row->node];
	char name[IBS_DESC_TEXT_SIZE];
	struct ibs_end end;
	json_t *json;

	ibs_end_of_map(map, port, &end);
	ibs_node_name(node, name);
	json = ibs_json_port(&end, raw);
	ibs_json_put(&json, "guid", ibs_json_guid(node->guid));
	ibs_json_put(&json, "instance", json_integer(node->instance));
	ibs_json_put(&json, "port_guid", ibs_json_guid(row->guid));
	ibs_json_put(&json, "port", json_integer(row->num));
	ibs_json_put(&json, "name", json_string(name));
	ibs_json_put(&json, "type",
		     ibs_json_text(ibs_node_type_name(node->type)));
	ibs_json_put(&json, "read",
		     json_string(ibs_read_name((enum ibs_read)row->read)));
	ibs_json_put(&json, "since", ibs_json_time(row->since_ns));
	ibs_json_put(&json, "reading", ibs_json_reading(map, port));
	ibs_json_put(&json, "opensm",
		     row->flags & IBS_PORT_HAS_SM ? ibs_json_pair(row->sm)
						  : json_null());
	return json;
}

json_t *
ibs_json_link(const struct ibs_link *link, json_t *a, json_t *b)
{
	json_t *json = json_object();

	ibs_json_put(&json, "a", a);
	ibs_json_put(&json, "b", b);
	ibs_json_put(&json, "active", ibs_json_pair(link->active));
	ibs_json_put(&json, "expected", ibs_json_pair(link->expected));
	ibs_json_put(&json, "capability", ibs_json_pair(link->capability));
	ibs_json_put(&json, "eff_100mbps", ibs_json_number(link->eff_100mbps));
	ibs_json_put(&json, "lost_100mbps",
		     ibs_json_number(ibs_link_lost_or_none(link)));
	ibs_json_put(&json, "findings", ibs_json_findings(link->findings));
	return json;
}

json_t *
ibs_json_map_link(const struct ibs_map *map, const struct ibs_map_link *row,
		  struct ibs_ends ends, bool raw)
{
	json_t *a = ibs_json_end(map, ends.a, raw);
	json_t *b = ends.b == IBS_NO_INDEX ? json_null()
					   : ibs_json_end(map, ends.b, raw);
	json_t *json = ibs_json_link(&row->link, a, b);

	ibs_json_put(&json, "since",
		     ibs_json_time(ibs_link_since_ns(map, row)));
	return json;
}

json_t *
ibs_json_node(const struct ibs_node *node)
{
	char name[IBS_DESC_TEXT_SIZE], path[IBS_PATH_TEXT_SIZE];
	json_t *json = json_object();

	ibs_node_name(node, name);
	ibs_path_text(node, path);
	ibs_json_put(&json, "guid", ibs_json_guid(node->guid));
	ibs_json_put(&json, "instance", json_integer(node->instance));
	ibs_json_put(&json, "port_guid", ibs_json_guid(node->port_guid));
	ibs_json_put(&json, "sys_guid", ibs_json_guid(node->sys_guid));
	ibs_json_put(&json, "name", json_string(name));
	ibs_json_put(&json, "type",
		     ibs_json_text(ibs_node_type_name(node->type)));
	ibs_json_put(&json, "node_type", json_integer(node->type));
	ibs_json_put(&json, "vendor_id", json_integer(node->vendor_id));
	ibs_json_put(&json, "device_id", json_integer(node->device_id));
	ibs_json_put(&json, "n_ports", json_integer(node->n_ports));
	ibs_json_put(&json, "path", json_string(path));
	return json;
}
