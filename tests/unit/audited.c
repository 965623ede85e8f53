// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "audited.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

#define NOW_NS (INT64_C(1748747564) * 1000000000) /* 2025-06-01 */

void
audited_policy(struct ibs_policy *policy, const struct audited_line *lines)
{
	char error[256] = "";

	*policy = (struct ibs_policy){ NULL, 0 };
	for (int i = 0; lines[i].section; i++) {
		const struct ibs_policy_line line = {
			lines[i].section, lines[i].key, lines[i].value, i + 1, 0
		};

		CHECK_INT(error,
			  ibs_policy_add(policy, &line, error, sizeof(error)),
			  0);
	}
}

void
audited_baseline(void (*edit)(struct ibs_map *map),
		 struct ibs_baseline *baseline)
{
	struct ibs_map *map = unit_map(edit);

	*baseline = (struct ibs_baseline){ .whole = true,
					   .at_ns = NOW_NS - 1,
					   .who = "admin" };
	baseline->nodes = calloc(map->n_nodes, sizeof(*baseline->nodes));
	baseline->links = calloc(map->n_links, sizeof(*baseline->links));
	if (!baseline->nodes || !baseline->links) {
		abort();
	}
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		struct ibs_baseline_node *node = &baseline->nodes[i];

		node->guid = map->nodes[i].guid;
		node->instance = map->nodes[i].instance;
		node->type = map->nodes[i].type;
		node->vendor_id = map->nodes[i].vendor_id;
		node->device_id = map->nodes[i].device_id;
		node->port_guid = map->nodes[i].port_guid;
		memcpy(node->desc, map->nodes[i].desc, sizeof(node->desc));
	}
	for (uint32_t i = 0; i < map->n_links; i++) {
		const struct ibs_map_link *link = &map->links[i];
		struct ibs_baseline_link *row = &baseline->links[i];

		row->nodes[0] = map->ports[link->a].node;
		row->nodes[1] = map->ports[link->b].node;
		row->nums[0] = map->ports[link->a].num;
		row->nums[1] = map->ports[link->b].num;
		row->pair = link->link.active;
		row->at_ns = baseline->at_ns;
	}
	baseline->n_nodes = map->n_nodes;
	baseline->n_links = map->n_links;
	ibs_map_free(map);
}

struct ibs_audit_request
audited_request(const struct ibs_map *map)
{
	return (struct ibs_audit_request){ .map = map, .now_ns = NOW_NS };
}

/* What the rows lost is what the whole lost, whatever a map holds. */
static void
check_lost(const char *row, const struct ibs_audit *audit)
{
	uint64_t should = audit->total.expected_100mbps;
	uint64_t does = audit->total.eff_100mbps;
	int64_t lost = 0;

	for (uint32_t i = 0; i < audit->n_rows; i++) {
		lost += audit->rows[i].lost_100mbps;
	}
	CHECK_INT(row, lost, should - does);
}

json_t *
audited_json(const struct ibs_audit_request *request, const char *row)
{
	struct ibs_audit audit;
	struct written text;
	int err = ibs_audit_make(request, &audit);

	CHECK_INT(row, err, 0);
	if (err) {
		abort();
	}
	check_lost(row, &audit);
	written_open(&text);
	CHECK_INT(row, ibs_writer_json.audit(text.out, &audit), 0);
	ibs_audit_free(&audit);
	return written_json(&text, row);
}

json_t *
audited_edit(void (*edit)(struct ibs_map *map))
{
	struct ibs_map *map = unit_map(edit);
	struct ibs_audit_request request = audited_request(map);
	json_t *json = audited_json(&request, "edit");

	ibs_map_free(map);
	return json;
}

void
audited_count(const char *row, json_t *json, size_t want)
{
	CHECK_INT(row, json_array_size(json_at(json, "links")), want);
}

void
audited_join(struct ibs_map *map, uint64_t a, uint8_t a_num, uint64_t b,
	     uint8_t b_num)
{
	struct ibs_map_port *x = port_of(map, a, a_num);
	struct ibs_map_port *y = port_of(map, b, b_num);

	x->peer = (uint32_t)(y - map->ports);
	y->peer = (uint32_t)(x - map->ports);
	port_put(x, IBS_PI_PortState, IBS_PORT_ACTIVE);
	port_put(y, IBS_PI_PortState, IBS_PORT_ACTIVE);
}

void
audited_part(struct ibs_map *map, uint64_t guid, uint8_t num)
{
	struct ibs_map_port *port = port_of(map, guid, num);

	port->peer = IBS_NO_INDEX;
	port_put(port, IBS_PI_PortState, IBS_PORT_DOWN);
}

json_t *
audited_against(void (*base)(struct ibs_map *map),
		void (*edit)(struct ibs_map *map))
{
	struct ibs_map *map = unit_map(edit);
	struct ibs_audit_request request = audited_request(map);
	struct ibs_baseline baseline;
	json_t *json;

	audited_baseline(base, &baseline);
	request.baseline = &baseline;
	json = audited_json(&request, "against");
	ibs_baseline_free(&baseline);
	ibs_map_free(map);
	return json;
}
