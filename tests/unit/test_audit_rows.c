// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * An audit of each link of tests/data/link.rows: it lists what the two ends
 * say and nothing else, and has a reason for each finding.  Those that are
 * named after a report say it in words that nobody takes for another fault.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "audited.h"
#include "rows.h"
#include "unit.h"

#define N_ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* What is asked of the row, and not looked at here. */
static const char *const other_keys[] = { "active", "expected", "capability",
					  "eff", "lost" };

/* Reports and their rows: a text of the first reason, or nothing is listed. */
static const struct {
	const char *report;
	const char *row;
	const char *text;
	int lost_100mbps;
} reports[] = {
	{ "R03", "R03", NULL, 0 },
	{ "R04", "R04",
	  "speed FDR10, both ends enable FDR: reseat or replace the cable",
	  160 },
	{ "R06", "L8",
	  "speed QDR, both ends enable FDR10: reseat or replace the cable", 0 },
	{ "R07", "R07", NULL, 0 },
	{ "R16", "R16 A",
	  "end A/1 enables 2X only (LinkWidthEnabled 0x10), end B/1 4X: set it "
	  "or expect 2X",
	  0 },
	{ "R16", "R16 A, 2X only", NULL, 0 },
	{ "R16", "R16 B",
	  "width 2X, both ends enable 4X: reseat or replace the cable", 1000 },
	{ "R17", "R17", NULL, 0 },
	{ "R18", "R18", NULL, 0 },
	{ "R22", "R22", NULL, 0 },
	{ "R22", "R22 one end",
	  "end A/1 enables QDR only (LinkSpeedExtEnabled 0x00), end B/1 FDR: "
	  "set it or expect QDR",
	  0 },
	{ "R23", "R23",
	  "end A/1 enables 1X only (LinkWidthEnabled 0x01), end B/1 4X: set it "
	  "or expect 1X",
	  0 },
	{ "R25", "R25", NULL, 0 },
	{ "R26", "R26", NULL, 0 },
	{ "R27", "R27 down", NULL, 0 },
	{ "R30", "R30", NULL, 0 },
	{ "R64", "R64", NULL, 0 },
};

static uint32_t
add_port(struct ibs_map *map, const struct ibs_map_port *port)
{
	uint32_t index = 0;

	if (ibs_map_add_port(map, port, &index)) {
		abort();
	}
	return index;
}

/* A switch when its port 0 gates, with that port. */
static uint32_t
add_end(struct ibs_map *map, const struct unit_end *end, const char *name)
{
	bool is_switch = end->gated_by_port0 || end->ungated;
	struct ibs_node node = { .guid = (uint64_t)name[4],
				 .type = is_switch ? IBS_NODE_SWITCH
						   : IBS_NODE_CA,
				 .n_ports = 1 };
	struct ibs_map_port port = {
		.peer = IBS_NO_INDEX,
		.num = 1,
		.read = end->unread ? IBS_READ_TIMEOUT : IBS_READ_OK,
		.flags = end->asked_ext ? IBS_PORT_ASKED_EXT : 0,
		.epi = end->epi
	};
	struct ibs_map_port port0 = { .peer = IBS_NO_INDEX,
				      .read = end->ungated ? IBS_READ_TIMEOUT
							   : IBS_READ_OK };

	memcpy(node.desc, name, strlen(name));
	if (ibs_map_add_node(map, &node, &port.node)) {
		abort();
	}
	port0.node = port.node;
	memcpy(port0.pi, end->port0, sizeof(port0.pi));
	memcpy(port.pi, end->pi, sizeof(port.pi));
	if (is_switch) {
		(void)add_port(map, &port0);
	}
	return add_port(map, &port);
}

static void
put_sm(struct unit_row *row, const char *key, struct ibs_map_port *port)
{
	const char *text = unit_row_text(row, "", key);

	if (text) {
		port->flags |= IBS_PORT_HAS_SM;
		port->sm = unit_pair(text);
	}
}

static struct ibs_map *
row_map(struct unit_row *row)
{
	struct ibs_map *map = ibs_map_new();
	const char *forces = unit_row_text(row, "", "forces");
	struct unit_end ends[2];
	uint32_t a, b;

	if (!map) {
		abort();
	}
	unit_row_end(row, "a.", &ends[0]);
	unit_row_end(row, "b.", &ends[1]);
	a = add_end(map, &ends[0], "end A");
	b = add_end(map, &ends[1], "end B");
	map->ports[a].peer = b;
	map->ports[b].peer = a;
	put_sm(row, "sm_a", &map->ports[a]);
	put_sm(row, "sm_b", &map->ports[b]);
	map->subnet.force_link_width = forces && strcmp(forces, "width") == 0;
	map->subnet.force_link_speed_ext =
		forces && strcmp(forces, "speed") == 0;
	if (ibs_map_freeze(map)) {
		abort();
	}
	return map;
}

/* "degraded-width mismatch", "-" for none */
static void
findings_text(ibs_set findings, char *ret_text, size_t size)
{
	size_t used = 0;

	snprintf(ret_text, size, "-");
	for (int i = 0; i < IBS_FINDING_COUNT; i++) {
		if (findings & IBS_BIT(i)) {
			used += (size_t)snprintf(
				ret_text + used, size - used, "%s%s",
				used ? " " : "",
				ibs_finding_row((enum ibs_finding)i)->name);
		}
	}
}

static void
check_reasons(const char *name, const struct ibs_audit *audit)
{
	ibs_set explained = 0;

	for (uint32_t i = 0; i < audit->n_reasons; i++) {
		explained |= IBS_BIT(audit->reasons[i].finding);
	}
	CHECK_INT(name, explained, audit->n_rows ? audit->rows[0].findings : 0);
}

static void
check_report(const char *name, const struct ibs_audit_request *request)
{
	for (size_t i = 0; i < N_ROWS(reports); i++) {
		json_t *json, *text;

		if (strcmp(reports[i].row, name) != 0) {
			continue;
		}
		json = audited_json(request, reports[i].report);
		text = json_at(json, "links.0.reasons.0.text");
		CHECK_TEXT(name, text ? json_string_value(text) : NULL,
			   reports[i].text);
		CHECK_INT(name,
			  json_integer_value(
				  json_at(json, "links.0.lost_100mbps")),
			  reports[i].lost_100mbps);
		json_decref(json);
	}
}

static void
check_row(struct unit_row *row)
{
	struct ibs_map *map = row_map(row);
	struct ibs_audit_request request = audited_request(map);
	struct ibs_audit audit;
	char got[256];

	for (size_t i = 0; i < N_ROWS(other_keys); i++) {
		(void)unit_row_text(row, "", other_keys[i]);
	}
	check_report(row->name, &request);
	request.notes = true;
	CHECK_INT(row->name, ibs_audit_make(&request, &audit), 0);
	findings_text(audit.n_rows ? audit.rows[0].findings : 0, got,
		      sizeof(got));
	CHECK_TEXT(row->name, got, unit_row_text(row, "", "findings"));
	check_reasons(row->name, &audit);
	ibs_audit_free(&audit);
	ibs_map_free(map);
}

static void
test_rows(void)
{
	CHECK("link.rows", unit_rows("link.rows", check_row) > 70);
}

/* R19: port 0 of a switch has no link, whatever it says of width and speed. */
static void
port0_of_all_kinds(struct ibs_map *map)
{
	port_put(port_of(map, 0x10, 0), IBS_PI_PortState, IBS_PORT_UNUSED);
	port_put(port_of(map, 0x10, 0), IBS_PI_LinkWidthActive, 0);
	port_put(port_of(map, 0x11, 0), IBS_PI_LinkSpeedExtActive, 0);
	port_put(port_of(map, 0x11, 0), IBS_PI_LinkSpeedActive, 1);
}

static void
test_r19(void)
{
	json_t *json = audited_edit(port0_of_all_kinds);

	audited_count("R19", json, 0);
	json_decref(json);
}

/* R34, R48: uplinks at EDR and hosts at HDR, one of them at EDR: each link is
 * what both its ends can, and no switch or host is slow because of another. */
static void
edr(struct ibs_map *map, uint64_t guid, uint8_t num)
{
	port_put(port_of(map, guid, num), IBS_PI_LinkSpeedExtActive, 2);
	port_put(port_of(map, guid, num), IBS_PI_LinkSpeedExtSupported, 3);
	port_put(port_of(map, guid, num), IBS_PI_LinkSpeedExtEnabled, 3);
}

static void
several_speeds(struct ibs_map *map)
{
	for (uint8_t num = 3; num <= 4; num++) {
		edr(map, 0x10, num);
		edr(map, 0x11, num);
	}
	edr(map, 0x20, 1);
	port_put(port_of(map, 0x10, 1), IBS_PI_LinkSpeedExtActive, 2);
}

static void
test_r34_r48(void)
{
	static const struct json_row rows[] = {
		{ "links", "[]" },
		{ "switches", "[]" },
		{ "audit.capacity.switch-switch.should_100mbps", "2000" },
		{ "audit.capacity.switch-host.should_100mbps", "7000" },
		{ "audit.capacity.switch-host.n_full", "4" },
	};
	json_t *json = audited_edit(several_speeds);

	CHECK_JSON(json, rows);
	json_decref(json);
}

/* R18: the aggregation node in a switch is no host, and its link no host's. */
static void
aggregation(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		if (map->nodes[i].guid == 0x20) {
			map->nodes[i].device_id = 0xcf09;
		}
	}
	port_put(port_of(map, 0x20, 1), IBS_PI_LinkWidthSupported, 3);
	port_put(port_of(map, 0x10, 1), IBS_PI_LinkWidthSupported, 19);
}

static void
test_r18(void)
{
	static const struct json_row rows[] = {
		{ "links", "[]" },
		{ "audit.capacity.internal.n_links", "1" },
		{ "audit.capacity.switch-host.n_links", "3" },
		{ "audit.capacity.total.n_links", "6" },
	};
	json_t *json = audited_edit(aggregation);

	CHECK_JSON(json, rows);
	json_decref(json);
}

/* A cable between two ports of one switch is a link like others. */
static void
loopback(struct ibs_map *map)
{
	struct ibs_map_port *a = port_of(map, 0x10, 3);
	struct ibs_map_port *b = port_of(map, 0x10, 4);

	port_of(map, 0x11, 3)->peer = IBS_NO_INDEX;
	port_of(map, 0x11, 4)->peer = IBS_NO_INDEX;
	port_put(port_of(map, 0x11, 3), IBS_PI_PortState, IBS_PORT_DOWN);
	port_put(port_of(map, 0x11, 4), IBS_PI_PortState, IBS_PORT_DOWN);
	a->peer = (uint32_t)(b - map->ports);
	b->peer = (uint32_t)(a - map->ports);
}

static void
test_loopback(void)
{
	static const struct json_row rows[] = {
		{ "links", "[]" },
		{ "audit.capacity.switch-switch.n_links", "1" },
		{ "audit.capacity.switch-switch.should_100mbps", "2000" },
	};
	json_t *json = audited_edit(loopback);

	CHECK_JSON(json, rows);
	json_decref(json);
}

static const struct unit_test tests[] = {
	{ "rows", test_rows },
	{ "R19 port 0", test_r19 },
	{ "R34 R48 several speeds", test_r34_r48 },
	{ "R18 aggregation node", test_r18 },
	{ "loopback", test_loopback },
};
UNIT_MAIN("audit_rows", tests)
