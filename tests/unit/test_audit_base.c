// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* An audit that compares with the accepted baseline. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "audited.h"
#include "unit.h"

#define S_NS	      INT64_C(1000000000)
#define NOW_NS	      (INT64_C(1748747564) * S_NS)
#define DATE	      "2025-06-01"
#define N_ROWS(table) (sizeof(table) / sizeof((table)[0]))

static void
check_against(void (*edit)(struct ibs_map *map), size_t n_links,
	      const struct json_row *rows, size_t n_rows)
{
	json_t *json = audited_against(NULL, edit);

	audited_count(rows[0].want, json, n_links);
	check_json(json, rows, n_rows);
	json_decref(json);
}

static void
test_same(void)
{
	static const struct json_row rows[] = {
		{ "audit.baseline.n_links", "6" },
		{ "audit.baseline.who", "\"admin\"" },
		{ "audit.n_found", "0" },
		{ "audit.n_noted", "0" },
	};

	check_against(NULL, 0, rows, N_ROWS(rows));
}

/* hostA's cable is out: both ends are there, and down. */
static void
unplugged(struct ibs_map *map)
{
	audited_part(map, 0x10, 1);
	audited_part(map, 0x20, 1);
}

static void
test_unplugged(void)
{
	static const struct json_row rows[] = {
		{ "links.0.findings", "[\"missing\"]" },
		{ "links.0.a.name", "\"leaf01\"" },
		{ "links.0.a.port", "1" },
		{ "links.0.a.state", "\"down\"" },
		{ "links.0.b.name", "\"hostA\"" },
		{ "links.0.lost_100mbps", "2000" },
		{ "links.0.reasons.0.text",
		  "\"leaf01/1 is down, the baseline of " DATE
		  " has 4xHDR to hostA/1: look at the cable\"" },
		{ "switches.0.down.n_down", "1" },
		{ "switches.0.down.should_100mbps", "4000" },
		{ "audit.capacity.total.eff_100mbps", "10000" },
		{ "audit.capacity.total.should_100mbps", "12000" },
	};

	check_against(unplugged, 1, rows, N_ROWS(rows));
}

/* hostA is gone from the map; its GUID is another's now. */
static void
host_gone(struct ibs_map *map)
{
	audited_part(map, 0x10, 1);
	audited_part(map, 0x20, 1);
	map->nodes[map->ports[port_of(map, 0x20, 1) - map->ports].node].guid =
		0x99;
}

static void
test_host_gone(void)
{
	static const struct json_row rows[] = {
		{ "links.0.findings", "[\"missing\"]" },
		{ "links.0.b.guid", "\"0x0000000000000020\"" },
		{ "links.0.b.name", "\"hostA\"" },
		{ "links.0.b.type", "\"ca\"" },
		{ "links.0.b.state", "null" },
		{ "links.0.lost_100mbps", "2000" },
	};

	check_against(host_gone, 1, rows, N_ROWS(rows));
}

/* leaf02 is gone, all of it, and nobody noticed who it was. */
static void
leaf_gone(struct ibs_map *map)
{
	for (uint8_t num = 1; num <= 5; num++) {
		audited_part(map, 0x11, num);
	}
	audited_part(map, 0x10, 3);
	audited_part(map, 0x10, 4);
	audited_part(map, 0x40, 1);
	audited_part(map, 0x50, 1);
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		if (map->nodes[i].guid == 0x11 || map->nodes[i].guid == 0x40) {
			map->nodes[i].guid += 0x1000;
		}
	}
}

static void
leaf_gone_unread(struct ibs_map *map)
{
	leaf_gone(map);
	port_of(map, 0x30, 1)->read = IBS_READ_TIMEOUT;
}

static void
test_gone(void)
{
	static const struct json_row rows[] = {
		{ "audit.findings.missing", "4" },
		{ "links.0.reasons.0.code", "\"link-down\"" },
		{ "links.2.reasons.0.text",
		  "\"neither end is there, the baseline of " DATE
		  " has 4xHDR\"" },
		{ "links.3.reasons.0.code", "\"link-down\"" },
		{ "audit.capacity.total.n_down", "4" },
	};

	check_against(leaf_gone, 4, rows, N_ROWS(rows));
}

/* Where not all was read, what was not seen may be there. */
static void
test_not_seen(void)
{
	static const struct json_row rows[] = {
		{ "audit.findings.missing", "3" },
		{ "audit.findings.unknown", "2" },
		{ "links.4.reasons.0.text",
		  "\"not seen, and not all was read; the baseline of " DATE
		  " has 4xHDR\"" },
		{ "links.4.lost_100mbps", "null" },
	};

	check_against(leaf_gone_unread, 5, rows, N_ROWS(rows));
}

/* The cables of hostA and hostC have changed places. */
static void
swapped(struct ibs_map *map)
{
	audited_join(map, 0x10, 1, 0x40, 1);
	audited_join(map, 0x11, 1, 0x20, 1);
}

static void
test_swapped(void)
{
	static const struct json_row rows[] = {
		{ "audit.n_found", "0" },
		{ "audit.findings.moved", "2" },
		{ "links.0.a.name", "\"leaf01\"" },
		{ "links.0.b.name", "\"hostC\"" },
		{ "links.0.lost_100mbps", "0" },
		{ "links.0.reasons.0.text",
		  "\"the baseline of " DATE " has leaf01/1 at hostA/1\"" },
		{ "links.0.reasons.1.text",
		  "\"the baseline of " DATE " has hostC/1 at leaf02/1\"" },
		{ "links.1.reasons.0.text",
		  "\"the baseline of " DATE " has leaf02/1 at hostC/1\"" },
	};

	check_against(swapped, 2, rows, N_ROWS(rows));
}

/* Port 4 of leaf01 goes to port 5 of leaf02 now. */
static void
moved(struct ibs_map *map)
{
	audited_part(map, 0x11, 4);
	port_put(port_of(map, 0x11, 5), IBS_PI_PortState, IBS_PORT_ACTIVE);
	audited_join(map, 0x10, 4, 0x11, 5);
}

static void
test_moved(void)
{
	static const struct json_row rows[] = {
		{ "links.0.findings", "[\"moved\"]" },
		{ "links.0.reasons.0.text",
		  "\"the baseline of " DATE " has leaf01/4 at leaf02/4\"" },
		{ "links.0.reasons.1", NULL },
		{ "audit.capacity.total.should_100mbps", "12000" },
	};

	check_against(moved, 1, rows, N_ROWS(rows));
}

static void
test_new(void)
{
	static const struct json_row rows[] = {
		{ "audit.n_found", "0" },
		{ "links.0.findings", "[\"new-link\"]" },
		{ "links.0.b.name", "\"hostA\"" },
		{ "links.0.reasons.0.text",
		  "\"not in the baseline of " DATE "\"" },
	};
	json_t *json = audited_against(unplugged, NULL);

	audited_count("new", json, 1);
	CHECK_JSON(json, rows);
	json_decref(json);
}

/* At EDR by both ends' choice: no fault of theirs, but less than accepted. */
static void
lowered(struct ibs_map *map)
{
	port_put(port_of(map, 0x10, 1), IBS_PI_LinkSpeedExtEnabled, 3);
	port_put(port_of(map, 0x10, 1), IBS_PI_LinkSpeedExtActive, 2);
	port_put(port_of(map, 0x20, 1), IBS_PI_LinkSpeedExtEnabled, 3);
	port_put(port_of(map, 0x20, 1), IBS_PI_LinkSpeedExtActive, 2);
}

static void
test_below(void)
{
	static const struct json_row rows[] = {
		{ "links.0.findings", "[\"below-policy\"]" },
		{ "links.0.lost_100mbps", "1000" },
		{ "links.0.reasons.0.text",
		  "\"4xEDR, the baseline of " DATE " has 4xHDR\"" },
		{ "links.0.rule", "null" },
	};

	check_against(lowered, 1, rows, N_ROWS(rows));
}

/* What was slow when it was accepted is no less slow. */
static void
test_accepted_slow(void)
{
	json_t *json = audited_against(lowered, lowered);

	audited_count("accepted", json, 0);
	json_decref(json);
	json = audited_against(lowered, NULL);
	audited_count("better", json, 0);
	json_decref(json);
}

static void
silent(struct ibs_map *map)
{
	port_of(map, 0x20, 1)->read = IBS_READ_TIMEOUT;
}

/* It does not answer either, but the other end has no link for sure. */
static void
silent_and_out(struct ibs_map *map)
{
	unplugged(map);
	silent(map);
	port_of(map, 0x10, 1)->since_ns = NOW_NS - 2 * S_NS;
}

static void
test_silent_and_out(void)
{
	static const struct json_row rows[] = {
		{ "links.0.findings", "[\"missing\"]" },
		{ "links.0.reasons.0.code", "\"link-down\"" },
		{ "links.0.since", "\"2025-06-01T03:12:42.000000000Z\"" },
		{ "links.0.lost_100mbps", "2000" },
	};

	check_against(silent_and_out, 1, rows, N_ROWS(rows));
}

/* Both ends are silent, and nobody has their cable any more. */
static void
both_silent(struct ibs_map *map)
{
	unplugged(map);
	silent(map);
	port_of(map, 0x10, 1)->read = IBS_READ_TIMEOUT;
}

static void
test_both_silent(void)
{
	static const struct json_row rows[] = {
		{ "links.0.findings", "[\"unknown\"]" },
		{ "links.0.reasons.0.code", "\"no-answer\"" },
		{ "links.0.lost_100mbps", "null" },
	};

	check_against(both_silent, 1, rows, N_ROWS(rows));
}

static void
test_silent(void)
{
	static const struct json_row rows[] = {
		{ "links.0.findings", "[\"unknown\"]" },
		{ "links.0.lost_100mbps", "null" },
		{ "audit.capacity.total.n_unknown", "1" },
		{ "audit.capacity.total.should_100mbps", "10000" },
	};

	check_against(silent, 1, rows, N_ROWS(rows));
}

/* One of two uplinks is out, and the policy counts them: told once. */
static void
uplink_out(struct ibs_map *map)
{
	audited_part(map, 0x10, 3);
	audited_part(map, 0x11, 3);
}

static void
test_counted_once(void)
{
	static const struct audited_line lines[] = { { "pair", "role",
						       "switch-switch" },
						     { "pair", "count", "2" },
						     { NULL, NULL, NULL } };
	static const struct json_row rows[] = {
		{ "links.0.reasons.0.code", "\"link-down\"" },
		{ "groups.0.n_links", "2" },
		{ "audit.capacity.switch-switch.should_100mbps", "4000" },
	};
	struct ibs_map *map = unit_map(uplink_out);
	struct ibs_audit_request request = audited_request(map);
	struct ibs_baseline baseline;
	struct ibs_policy policy;
	json_t *json;

	audited_baseline(NULL, &baseline);
	audited_policy(&policy, lines);
	request.baseline = &baseline;
	request.policy = &policy;
	json = audited_json(&request, "counted once");
	audited_count("counted once", json, 1);
	CHECK_JSON(json, rows);
	json_decref(json);
	ibs_policy_free(&policy);
	ibs_baseline_free(&baseline);
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "same", test_same },
	{ "unplugged", test_unplugged },
	{ "host gone", test_host_gone },
	{ "gone", test_gone },
	{ "not seen", test_not_seen },
	{ "swapped", test_swapped },
	{ "moved", test_moved },
	{ "new", test_new },
	{ "below", test_below },
	{ "accepted slow", test_accepted_slow },
	{ "silent", test_silent },
	{ "silent and out", test_silent_and_out },
	{ "both silent", test_both_silent },
	{ "counted once", test_counted_once },
};
UNIT_MAIN("audit_base", tests)
