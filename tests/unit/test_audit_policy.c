// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* An audit by a policy: what each demand finds, and which rule is named. */
#include <config.h>

#include <stdlib.h>

#include "audited.h"
#include "unit.h"

/* hostA's link runs at one lane of four. */
static void
lane_lost(struct ibs_map *map)
{
	port_put(port_of(map, 0x10, 1), IBS_PI_LinkWidthActive, 1);
	port_put(port_of(map, 0x20, 1), IBS_PI_LinkWidthActive, 1);
}

/* Port 3 of leaf01, towards leaf02, enables EDR at most. */
static void
narrowed(struct ibs_map *map)
{
	port_put(port_of(map, 0x10, 3), IBS_PI_LinkSpeedExtEnabled, 3);
	port_put(port_of(map, 0x10, 3), IBS_PI_LinkSpeedExtActive, 2);
	port_put(port_of(map, 0x11, 3), IBS_PI_LinkSpeedExtActive, 2);
}

/* With the policy, and what it finds. */
static json_t *
with_policy(void (*edit)(struct ibs_map *map), const struct audited_line *lines)
{
	struct ibs_map *map = unit_map(edit);
	struct ibs_audit_request request = audited_request(map);
	struct ibs_policy policy;
	json_t *json;

	audited_policy(&policy, lines);
	request.policy = &policy;
	request.policy_file = "p.conf";
	json = audited_json(&request, lines[0].value);
	ibs_policy_free(&policy);
	ibs_map_free(map);
	return json;
}

static void
test_expect(void)
{
	static const struct audited_line lines[] = {
		{ "up", "role", "switch-switch" },
		{ "up", "expect", "4xHDR" },
		{ NULL, NULL, NULL }
	};
	static const struct json_row rows[] = {
		{ "audit.n_found", "1" },
		{ "links.0.findings",
		  "[\"below-policy\",\"limited-by-config\"]" },
		{ "links.0.lost_100mbps", "1000" },
		{ "links.0.rule", "\"up\"" },
		{ "links.0.reasons.0.text",
		  "\"4xEDR, [up] of p.conf:2 expects 4xHDR\"" },
		{ "links.0.reasons.0.line", "2" },
		{ "switches.0.up.n_half", "1" },
		{ "groups.0.n_half", "1" },
		{ "groups.0.n_links", "2" },
		{ "groups.0.a.name", "\"leaf01\"" },
	};
	json_t *json = with_policy(narrowed, lines);

	CHECK_JSON(json, rows);
	json_decref(json);
}

/* What is expected takes the place of what both ends enable. */
static void
test_expect_less(void)
{
	static const struct audited_line lines[] = {
		{ "thin", "node", "hostA" },
		{ "thin", "expect", "1xHDR" },
		{ NULL, NULL, NULL }
	};
	json_t *json = with_policy(lane_lost, lines);

	audited_count("expect less", json, 0);
	json_decref(json);
}

static void
test_min(void)
{
	static const struct audited_line lines[] = {
		{ "m", "role", "switch-host" },
		{ "m", "min", "400" },
		{ "late", "node", "host[BCD]" },
		{ "late", "min", "100" },
		{ NULL, NULL, NULL }
	};
	static const struct json_row rows[] = {
		{ "audit.n_found", "1" },
		{ "links.0.b.name", "\"hostA\"" },
		{ "links.0.lost_100mbps", "2000" },
		{ "links.0.should_100mbps", "4000" },
		{ "links.0.reasons.0.text",
		  "\"200 Gb/s, [m] of p.conf:2 asks for 400\"" },
	};
	json_t *json = with_policy(NULL, lines);

	CHECK_JSON(json, rows);
	json_decref(json);
}

static void
test_ignore(void)
{
	static const struct audited_line lines[] = {
		{ "known", "guid", "0x20" },
		{ "known", "ignore", "degraded-width" },
		{ NULL, NULL, NULL }
	};
	static const struct json_row rows[] = {
		{ "audit.n_found", "0" },
		{ "links", "[]" },
		{ "switches", "[]" },
		{ "audit.capacity.total.should_100mbps", "10500" },
	};
	json_t *json = with_policy(lane_lost, lines);

	CHECK_JSON(json, rows);
	json_decref(json);
}

static void
test_count(void)
{
	static const struct audited_line lines[] = { { "pair", "role",
						       "switch-switch" },
						     { "pair", "count", "4" },
						     { NULL, NULL, NULL } };
	static const struct json_row rows[] = {
		{ "links.0.findings", "[\"missing\"]" },
		{ "links.0.a.name", "\"leaf01\"" },
		{ "links.0.a.port", "null" },
		{ "links.0.b.name", "\"leaf02\"" },
		{ "links.0.n_links", "2" },
		{ "links.0.lost_100mbps", "4000" },
		{ "links.0.reasons.0.text",
		  "\"2 of 4 links, by [pair] of p.conf:2\"" },
		{ "groups.0.n_down", "2" },
		{ "groups.0.should_100mbps", "8000" },
		{ "switches.0.up.n_links", "4" },
		{ "switches.0.up.n_down", "2" },
	};
	json_t *json = with_policy(NULL, lines);

	audited_count("count", json, 1);
	CHECK_JSON(json, rows);
	json_decref(json);
}

/* Port 5 of both leaves is down: missing where a rule names it. */
static void
test_named_port(void)
{
	static const struct audited_line lines[] = {
		{ "all", "node", "leaf*" },	{ "all", "min", "100" },
		{ "named", "node", "leaf02" },	{ "named", "ports", "1-5" },
		{ "named", "expect", "4xHDR" }, { NULL, NULL, NULL }
	};
	static const struct json_row rows[] = {
		{ "links.0.findings", "[\"missing\"]" },
		{ "links.0.a.name", "\"leaf02\"" },
		{ "links.0.a.port", "5" },
		{ "links.0.b", "null" },
		{ "links.0.lost_100mbps", "2000" },
		{ "links.0.reasons.0.text",
		  "\"leaf02/5 is down, [named] of p.conf:5 expects 4xHDR\"" },
	};
	json_t *json = with_policy(NULL, lines);

	audited_count("named port", json, 1);
	CHECK_JSON(json, rows);
	json_decref(json);
}

static void
test_flaps(void)
{
	static const struct audited_line lines[] = { { "f", "flaps", "3/24h" },
						     { NULL, NULL, NULL } };
	static const struct json_row rows[] = {
		{ "audit.n_found", "2" },
		{ "links.0.findings", "[\"flapping\"]" },
		{ "links.0.a.name", "\"leaf01\"" },
		{ "links.0.reasons.0.text",
		  "\"4 changes in 24 h, [f] of p.conf:1 allows 3\"" },
		{ "links.1.a.port", "5" },
		{ "links.1.reasons.0.text",
		  "\"9 changes in 24 h, [f] of p.conf:1 allows 3\"" },
	};
	struct ibs_map *map = unit_map(NULL);
	struct ibs_audit_request request = audited_request(map);
	/* leaf01/1, leaf01/5 that is down, hostA, hostB */
	static const uint16_t changes[16] = {
		[1] = 3, [5] = 9, [12] = 4, [13] = 3
	};
	const uint16_t *const flaps[1] = { changes };
	struct ibs_policy policy;
	json_t *json;

	audited_policy(&policy, lines);
	request.policy = &policy;
	request.policy_file = "p.conf";
	request.flaps = flaps;
	json = audited_json(&request, "flaps");
	audited_count("flaps", json, 2);
	CHECK_JSON(json, rows);
	json_decref(json);
	ibs_policy_free(&policy);
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "expect", test_expect }, { "expect less", test_expect_less },
	{ "min", test_min },	   { "ignore", test_ignore },
	{ "count", test_count },   { "named port", test_named_port },
	{ "flaps", test_flaps },
};
UNIT_MAIN("audit_policy", tests)
