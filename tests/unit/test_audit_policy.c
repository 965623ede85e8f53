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

/* The line is that of the key that is not met, wherever the others stand. */
static void
test_lines(void)
{
	static const struct audited_line lines[] = {
		{ "up", "role", "switch-switch" },
		{ "up", "expect", "4xHDR" },
		{ "up", "min", "800" },
		{ "up", "count", "1" },
		{ NULL, NULL, NULL }
	};
	static const struct json_row rows[] = {
		{ "links.0.reasons.0.text",
		  "\"4xEDR, [up] of p.conf:2 expects 4xHDR\"" },
		{ "links.0.reasons.1.text",
		  "\"100 Gb/s, [up] of p.conf:3 asks for 800\"" },
		{ "links.0.reasons.2.text",
		  "\"together the ends support 4xHDR at most\"" },
		{ "links.1.reasons.0.line", "3" },
	};
	json_t *json = with_policy(narrowed, lines);

	CHECK_JSON(json, rows);
	json_decref(json);
}

/* No cable gives what the ends do not support. */
static void
test_too_much(void)
{
	static const struct audited_line lines[] = { { "a", "node", "hostA" },
						     { "a", "expect",
						       "12xXDR" },
						     { NULL, NULL, NULL } };
	static const struct json_row rows[] = {
		{ "links.0.reasons.1.code", "\"supports-less\"" },
		{ "links.0.reasons.1.text",
		  "\"together the ends support 4xHDR at most\"" },
	};
	json_t *json = with_policy(NULL, lines);

	audited_count("too much", json, 1);
	CHECK_JSON(json, rows);
	json_decref(json);
}

/* "set it or expect EDR": it is expected now. */
static void
test_expect_limited(void)
{
	static const struct audited_line lines[] = {
		{ "up", "role", "switch-switch" },
		{ "up", "expect", "4xEDR" },
		{ NULL, NULL, NULL }
	};
	json_t *json = with_policy(narrowed, lines);

	audited_count("expect limited", json, 0);
	json_decref(json);
}

static const struct audited_line four_uplinks[] = { { "pair", "role",
						      "switch-switch" },
						    { "pair", "count", "4" },
						    { NULL, NULL, NULL } };

/* Port 5 of leaf01 was not read, and of leaf02 neither: one may be there. */
static void
unread_spares(struct ibs_map *map)
{
	port_of(map, 0x10, 5)->read = IBS_READ_TIMEOUT;
	port_of(map, 0x11, 5)->read = IBS_READ_TIMEOUT;
}

static void
unread_spare(struct ibs_map *map)
{
	port_of(map, 0x10, 5)->read = IBS_READ_TIMEOUT;
}

/* The same of an uplink that is up, and nobody known behind either end. */
static void
lone_uplink(struct ibs_map *map)
{
	port_of(map, 0x10, 3)->peer = IBS_NO_INDEX;
	port_of(map, 0x11, 3)->peer = IBS_NO_INDEX;
}

static void
test_count_unread(void)
{
	static const struct json_row rows[] = {
		{ "links.0.findings", "[\"missing\"]" },
		{ "links.0.n_links", "1" },
		{ "links.0.lost_100mbps", "2000" },
		{ "links.1.findings", "[\"unknown\"]" },
		{ "links.1.n_links", "1" },
		{ "links.1.lost_100mbps", "null" },
		{ "links.1.reasons.0.text",
		  "\"2 of 4 links, by [pair] of p.conf:2; ports of both were "
		  "not read\"" },
		{ "groups.0.n_down", "1" },
		{ "groups.0.n_unknown", "1" },
	};
	static const struct json_row spare[] = {
		{ "links.0.findings", "[\"missing\"]" },
		{ "links.0.n_links", "2" },
		{ "links.1", NULL },
	};
	static const struct json_row lone[] = {
		{ "audit.findings.missing", "1" },
		{ "links.0.n_links", "2" },
		{ "audit.findings.unknown", "3" },
	};
	json_t *json = with_policy(unread_spares, four_uplinks);

	CHECK_JSON(json, rows);
	json_decref(json);
	json = with_policy(unread_spare, four_uplinks);
	CHECK_JSON(json, spare);
	json_decref(json);
	json = with_policy(lone_uplink, four_uplinks);
	CHECK_JSON(json, lone);
	json_decref(json);
}

/* A cable between two ports of one switch is no uplink. */
static void
loopback(struct ibs_map *map)
{
	audited_part(map, 0x11, 3);
	audited_part(map, 0x11, 4);
	audited_join(map, 0x10, 3, 0x10, 4);
}

static void
test_count_loop(void)
{
	json_t *json = with_policy(loopback, four_uplinks);

	audited_count("loop", json, 0);
	json_decref(json);
}

/* One end is Down: what the other enables is lost, without any baseline. */
static void
half_down(struct ibs_map *map)
{
	port_put(port_of(map, 0x20, 1), IBS_PI_PortState, IBS_PORT_DOWN);
}

static void
test_half_down(void)
{
	static const struct json_row rows[] = {
		{ "links.0.findings", "[\"mismatch\"]" },
		{ "links.0.lost_100mbps", "2000" },
		{ "links.0.should", "{\"width\":4,\"speed\":\"HDR\"}" },
		{ "switches.0.down.n_down", "1" },
		{ "switches.0.down.should_100mbps", "4000" },
	};
	json_t *json = audited_edit(half_down);

	CHECK_JSON(json, rows);
	json_decref(json);
}

/* leaf01/1 is up at one lane, and nobody is known behind it. */
static void
lone_slow(struct ibs_map *map)
{
	lane_lost(map);
	port_of(map, 0x10, 1)->peer = IBS_NO_INDEX;
	audited_part(map, 0x20, 1);
}

static void
test_lone_slow(void)
{
	static const struct audited_line lines[] = {
		{ "named", "node", "leaf01" },
		{ "named", "ports", "1" },
		{ "named", "expect", "4xHDR" },
		{ NULL, NULL, NULL }
	};
	static const struct json_row rows[] = {
		{ "links.0.lost_100mbps", "1500" },
		{ "audit.capacity.total.n_links", "6" },
		{ "audit.capacity.total.should_100mbps", "12000" },
		{ "audit.capacity.total.eff_100mbps", "10500" },
	};
	json_t *json = with_policy(lone_slow, lines);

	CHECK_JSON(json, rows);
	json_decref(json);
}

/* The rule speaks of a port that did not answer. */
static void
test_rule_of_unread(void)
{
	static const struct audited_line lines[] = {
		{ "named", "node", "leaf01" },
		{ "named", "ports", "5" },
		{ "named", "expect", "4xHDR" },
		{ NULL, NULL, NULL }
	};
	struct ibs_map *map = unit_map(unread_spare);
	struct ibs_audit_request request = audited_request(map);
	struct ibs_policy policy;
	struct ibs_audit audit;

	audited_policy(&policy, lines);
	request.policy = &policy;
	CHECK_INT("unread", ibs_audit_make(&request, &audit), 0);
	CHECK("unread", audit.used[0]);
	ibs_audit_free(&audit);
	ibs_policy_free(&policy);
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "expect", test_expect },
	{ "expect less", test_expect_less },
	{ "min", test_min },
	{ "ignore", test_ignore },
	{ "count", test_count },
	{ "named port", test_named_port },
	{ "flaps", test_flaps },
	{ "lines", test_lines },
	{ "too much", test_too_much },
	{ "expect limited", test_expect_limited },
	{ "count unread", test_count_unread },
	{ "count loop", test_count_loop },
	{ "half down", test_half_down },
	{ "lone slow", test_lone_slow },
	{ "rule of unread", test_rule_of_unread },
};
UNIT_MAIN("audit_policy", tests)
