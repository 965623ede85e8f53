// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* JSON as others read it: every document is loaded back and looked at. */
#include <config.h>

#include <jansson.h>
#include <stdlib.h>

#include "ibspeed/writer.h"
#include "unit.h"
#include "written.h"

#define S_NS	 INT64_C(1000000000)
#define SINCE_NS (INT64_C(1748747564) * S_NS)

/*
 * hostA's link is at 1xHDR; hostB has no answer, hostC said no, hostD's speed
 * code is not known; the cable 3 - 3 is known at one end only, 4 - 4 has gone
 * down at one end.
 */
static void
edit(struct ibs_map *map)
{
	map->subnet = (struct ibs_subnet){ .sm_port_guid = 0x20,
					   .prefix = 0xfe80000000000000,
					   .opensm = "OpenSM 3.3.23" };
	map->sweep.id = 7;
	map->sweep.end_ns = SINCE_NS + 1;
	for (uint32_t i = 0; i < map->n_ports; i++) {
		map->ports[i].since_ns = SINCE_NS + i;
	}
	port_put(port_of(map, 0x20, 1), IBS_PI_LinkWidthActive, 1);
	port_put(port_of(map, 0x10, 1), IBS_PI_LinkWidthActive, 1);
	port_of(map, 0x30, 1)->read = IBS_READ_TIMEOUT;
	port_of(map, 0x30, 1)->tries = 3;
	port_of(map, 0x40, 1)->read = IBS_READ_STATUS;
	port_of(map, 0x40, 1)->status = 0x1c;
	port_put(port_of(map, 0x50, 1), IBS_PI_LinkSpeedExtActive, 3);
	port_of(map, 0x10, 3)->peer = IBS_NO_INDEX;
	port_of(map, 0x11, 3)->peer = IBS_NO_INDEX;
	port_put(port_of(map, 0x11, 4), IBS_PI_PortState, IBS_PORT_DOWN);
	port_of(map, 0x10, 4)->flags |= IBS_PORT_HAS_SM;
	port_of(map, 0x10, 4)->sm =
		(struct ibs_pair){ IBS_SPEED_QDR, IBS_WIDTH_4X };
}

static json_t *
map_json(struct ibs_map *map, const char *word, unsigned int verbose)
{
	struct ibs_report report;
	struct written text;
	size_t bad;

	if (ibs_report_make(map, &word, word ? 1 : 0, &report, &bad)) {
		abort();
	}
	report.verbose = verbose;
	written_open(&text);
	CHECK_INT("map", ibs_writer_json.map(text.out, &report), 0);
	ibs_report_free(&report);
	return written_json(&text, "map");
}

static void
test_map_head(void)
{
	static const struct json_row rows[] = {
		{ "schema", "\"ibspeed-map/1\"" },
		{ "filtered", "false" },
		{ "subnet.sm_port_guid", "\"0x0000000000000020\"" },
		{ "subnet.prefix", "\"0xfe80000000000000\"" },
		{ "subnet.opensm", "\"OpenSM 3.3.23\"" },
		{ "subnet.force_link_width", "0" },
		{ "sweep.id", "7" },
		{ "sweep.start", "null" },
		{ "sweep.start_ns", "null" },
		{ "sweep.end", "\"2025-06-01T03:12:44.000000001Z\"" },
		{ "sweep.end_ns", "1748747564000000001" },
		{ "sweep.source", "\"smp\"" },
		{ "sweep.complete", "false" },
		{ "sweep.n_smps", "0" },
		{ "sweep.sm_init_errors", "false" },
		{ "sweep.clock.source", "null" },
		{ "sweep.clock.epoch", "null" },
		{ "sweep.clock.start.wall", "null" },
		{ "summary.counts.1xHDR", "{\"links\":1,\"ends\":2}" },
		{ "summary.counts.4xHDR", "{\"links\":2,\"ends\":6}" },
		{ "summary.findings.degraded-width", "1" },
		{ "summary.down", "3" },
		{ "summary.unread", "2" },
		{ "unread.0.guid", "\"0x0000000000000030\"" },
		{ "unread.0.port", "1" },
		{ "unread.0.path", "\"0\"" },
		{ "unread.0.reason", "\"timeout\"" },
		{ "unread.0.status", "null" },
		{ "unread.0.tries", "3" },
		{ "unread.1.reason", "\"status\"" },
		{ "unread.1.status", "28" },
	};
	struct ibs_map *map = unit_map(edit);
	json_t *json = map_json(map, NULL, 0);

	CHECK_JSON(json, rows);
	CHECK_INT("map", json_array_size(json_at(json, "links")), 7);
	CHECK_INT("map", json_array_size(json_at(json, "nodes")), 6);
	CHECK_INT("map", json_array_size(json_at(json, "unread")), 2);
	json_decref(json);
	ibs_map_free(map);
}

/* The link of the report's first word. */
static void
check_link(const char *word, const struct json_row *rows, size_t n)
{
	struct ibs_map *map = unit_map(edit);
	json_t *json = map_json(map, word, 0);

	CHECK_INT(word, json_array_size(json_at(json, "links")), 1);
	check_json(json_at(json, "links.0"), rows, n);
	CHECK(word, json_is_true(json_at(json, "filtered")));
	json_decref(json);
	ibs_map_free(map);
}
#define CHECK_LINK(word, rows)                                                 \
	check_link(word, rows, sizeof(rows) / sizeof((rows)[0]))

static void
test_link(void)
{
	static const struct json_row rows[] = {
		{ "active", "{\"width\":1,\"speed\":\"HDR\"}" },
		{ "expected", "{\"width\":4,\"speed\":\"HDR\"}" },
		{ "capability", "{\"width\":4,\"speed\":\"HDR\"}" },
		{ "eff_100mbps", "500" },
		{ "lost_100mbps", "1500" },
		{ "findings", "[\"degraded-width\"]" },
		{ "since", "\"2025-06-01T03:12:44.000000012Z\"" },
		{ "a.type", "\"switch\"" },
		{ "a.lid", "1" },
		{ "a.cap", "\"port0\"" },
		{ "a.pkey_tbl_len", "8" },
		{ "b.guid", "\"0x0000000000000020\"" },
		{ "b.port_guid", "\"0x0000000000000020\"" },
		{ "b.port", "1" },
		{ "b.name", "\"hostA\"" },
		{ "b.type", "\"ca\"" },
		{ "b.cap", "\"own\"" },
		{ "b.state", "\"active\"" },
		{ "b.phys_state", "\"linkup\"" },
		{ "b.width", "1" },
		{ "b.speed", "\"HDR\"" },
		{ "b.eff_100mbps", "500" },
		{ "b.rate_enum", "20" },
		{ "b.rate_mult", "20" },
		{ "b.rate_mbps", "53125" },
		{ "b.lane_kbps", "53125000" },
		{ "b.signal_kbps", "53125000" },
		{ "b.max_mtu", "5" },
		{ "b.port_cap_flags", "49224" },
		{ "b.port_cap_flags2", "48" },
		{ "b.max_msg_sz", "null" },
		{ "b.flags", "null" },
		{ "b.pkey_tbl_len", "128" },
		{ "b.active_width", "1" },
		{ "b.active_speed", "64" },
		{ "b.link_layer", "\"infiniband\"" },
		{ "b.fdr10_known", "true" },
		{ "b.needs_reread", "false" },
		{ "b.supported.widths", "[1,4]" },
		{ "b.enabled.speeds",
		  "[\"SDR\",\"DDR\",\"QDR\",\"FDR\",\"EDR\",\"HDR\"]" },
		{ "b.opensm", "null" },
		{ "b.raw", NULL },
	};

	CHECK_LINK("hostA", rows);
}

static void
test_unread_end(void)
{
	static const struct json_row rows[] = {
		{ "active", "{\"width\":null,\"speed\":\"unknown\"}" },
		{ "expected", "{\"width\":null,\"speed\":null}" },
		{ "eff_100mbps", "null" },
		{ "lost_100mbps", "null" },
		{ "findings", "[\"unknown\"]" },
		{ "b.read", "\"timeout\"" },
		{ "b.name", "\"hostB\"" },
		{ "b.state", "null" },
		{ "b.speed", "null" },
		{ "b.width", "null" },
		{ "b.eff_100mbps", "null" },
		{ "b.lid", "null" },
		{ "b.lmc", "null" },
		{ "b.pkey_tbl_len", "null" },
		{ "b.supported", "null" },
		{ "b.cap", "null" },
		{ "b.needs_reread", "null" },
	};

	CHECK_LINK("hostB", rows);
}

static void
test_unknown_speed(void)
{
	static const struct json_row rows[] = { { "eff_100mbps", "null" },
						{ "b.speed", "\"unknown\"" },
						{ "b.width", "4" },
						{ "b.eff_100mbps", "null" },
						{ "b.rate_enum", "null" },
						{ "b.rate_mbps", "null" },
						{ "b.lane_kbps", "null" },
						{ "b.active_speed", "null" },
						{ "b.active_width", "2" },
						{ "b.state", "\"active\"" },
						{ "findings",
						  "[\"unknown\"]" } };

	CHECK_LINK("hostD", rows);
}

static void
test_half_down(void)
{
	static const struct json_row rows[] = {
		{ "active", "{\"width\":null,\"speed\":null}" },
		{ "eff_100mbps", "0" },
		{ "a.eff_100mbps", "2000" },
		{ "a.opensm", "{\"width\":4,\"speed\":\"QDR\"}" },
		{ "b.state", "\"down\"" },
		{ "b.eff_100mbps", "0" },
		{ "b.width", "null" },
		{ "b.speed", "null" },
		{ "b.rate_enum", "null" },
		{ "b.active_width", "null" },
		{ "b.active_speed", "null" },
	};

	CHECK_LINK("mismatch", rows);
}

/* Nobody at the other end; down ports and port 0 stand with their node. */
static void
test_alone_and_nodes(void)
{
	static const struct json_row rows[] = {
		{ "nodes.0.guid", "\"0x0000000000000010\"" },
		{ "nodes.0.type", "\"switch\"" },
		{ "nodes.0.ports.0.port", "0" },
		{ "nodes.0.ports.0.state", "\"active\"" },
		{ "nodes.0.ports.0.speed", "null" },
		{ "nodes.0.ports.0.width", "null" },
		{ "nodes.0.ports.0.eff_100mbps", "null" },
		{ "nodes.0.ports.0.active_width", "null" },
		{ "nodes.0.ports.0.lid", "1" },
		{ "nodes.0.ports.1.port", "5" },
		{ "nodes.0.ports.1.state", "\"down\"" },
		{ "nodes.0.ports.1.eff_100mbps", "0" },
		{ "nodes.0.ports.2", NULL },
		{ "nodes.2.ports", "[]" },
	};
	struct ibs_map *map = unit_map(edit);
	json_t *json = map_json(map, NULL, 0), *link;
	int alone = 0;
	size_t i;

	CHECK_JSON(json, rows);
	json_array_foreach(json_at(json, "links"), i, link)
	{
		alone += json_is_null(json_object_get(link, "b"));
	}
	CHECK_INT("alone", alone, 2);
	json_decref(json);
	ibs_map_free(map);
}

static void
test_raw(void)
{
	static const struct json_row map_rows[] = {
		{ "links.0.b.raw.M_Key", NULL },
		{ "links.0.b.raw.CapabilityMask", "\"0x0000c048\"" },
		{ "links.0.b.raw.CapabilityMask2", "\"0x0030\"" },
		{ "links.0.b.raw.GidPrefix", "\"0x0000000000000000\"" },
		{ "links.0.b.raw.LinkWidthActive", "1" },
	};
	static const struct json_row port_rows[] = {
		{ "raw.M_Key", "\"0x0123456789abcdef\"" },
		{ "raw.LinkSpeedExtActive", "4" },
		{ "pkey_tbl_len", "null" },
		{ "cap", "\"own\"" },
		{ "guid", NULL },
	};
	struct ibs_map *map = unit_map(edit);
	json_t *json = map_json(map, "hostA", 1);
	uint8_t pi[IBS_ATTR_SIZE];
	struct ibs_port_source source = { .pi = pi };
	struct ibs_decoded port = { .pi = pi };
	struct written text;

	CHECK_JSON(json, map_rows);
	json_decref(json);
	ibs_map_free(map);
	unit_port_info(pi, 2, 3, 4, 7);
	ibs_field_put(pi, &ibs_port_info_fields[IBS_PI_M_Key],
		      0x0123456789abcdef);
	ibs_port_decode(&source, &port.port);
	written_open(&text);
	CHECK_INT("port", ibs_writer_json.port(text.out, &port), 0);
	json = written_json(&text, "port");
	CHECK_JSON(json, port_rows);
	CHECK_INT("raw", json_object_size(json_at(json, "raw")), IBS_PI_COUNT);
	json_decref(json);
}

static void
test_decoded_link(void)
{
	static const struct json_row rows[] = {
		{ "a.width", "4" },
		{ "b.width", "1" },
		{ "a.raw.LinkWidthActive", "2" },
		{ "eff_100mbps", "500" },
		{ "findings", "[\"degraded-width\",\"mismatch\"]" },
		{ "a.name", NULL },
	};
	uint8_t pi[2][IBS_ATTR_SIZE];
	struct ibs_decoded ends[2];
	struct ibs_link link;
	struct written text;
	json_t *json;

	for (int i = 0; i < 2; i++) {
		struct ibs_port_source source = { .pi = pi[i] };

		unit_port_info(pi[i], i ? 1 : 2, 3, 4, 7);
		ends[i].pi = pi[i];
		ibs_port_decode(&source, &ends[i].port);
	}
	ibs_link_judge(&ends[0].port, &ends[1].port, NULL, &link);
	written_open(&text);
	CHECK_INT("link",
		  ibs_writer_json.link(text.out, &ends[0], &ends[1], &link), 0);
	json = written_json(&text, "link");
	CHECK_JSON(json, rows);
	json_decref(json);
}

static void
test_query(void)
{
	static const struct json_row rows[] = {
		{ "node.guid", "\"0x0000000000000020\"" },
		{ "node.name", "\"hostA\"" },
		{ "ports.0.port", "1" },
		{ "ports.0.name", "\"hostA\"" },
		{ "ports.1", NULL },
		{ "links.0.a.name", "\"hostA\"" },
		{ "links.0.b.name", "\"leaf01\"" },
		{ "links.1", NULL },
	};
	struct ibs_map *map = unit_map(edit);
	struct ibs_query query = { .map = map, .port = IBS_NO_INDEX };
	struct written text;
	json_t *json;

	query.node = ibs_map_find_node(map, 0x20);
	written_open(&text);
	CHECK_INT("query", ibs_writer_json.query(text.out, &query), 0);
	json = written_json(&text, "query");
	CHECK_JSON(json, rows);
	json_decref(json);
	query.node = ibs_map_find_node(map, 0x10);
	written_open(&text);
	CHECK_INT("query", ibs_writer_json.query(text.out, &query), 0);
	json = written_json(&text, "query");
	CHECK_INT("switch", json_array_size(json_at(json, "ports")), 6);
	CHECK_INT("switch", json_array_size(json_at(json, "links")), 4);
	json_decref(json);
	query.port = ibs_map_find_port(map, query.node, 5);
	written_open(&text);
	CHECK_INT("query", ibs_writer_json.query(text.out, &query), 0);
	json = written_json(&text, "query");
	CHECK_INT("port", json_integer_value(json_at(json, "ports.0.port")), 5);
	CHECK_INT("port", json_array_size(json_at(json, "ports")), 1);
	CHECK_INT("port", json_array_size(json_at(json, "links")), 0);
	json_decref(json);
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "head of a map, unread ports", test_map_head },
	{ "link and its ends", test_link },
	{ "end that did not answer", test_unread_end },
	{ "speed code that is not known", test_unknown_speed },
	{ "one end down", test_half_down },
	{ "links with one end, ports without a link", test_alone_and_nodes },
	{ "raw fields", test_raw },
	{ "decoded link", test_decoded_link },
	{ "query", test_query },
};
UNIT_MAIN("writer json", tests)
