// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* What an audit finds without a past: reasons, policy, order and sums. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static void
forced(struct ibs_map *map)
{
	narrowed(map);
	port_put(port_of(map, 0x11, 3), IBS_PI_LinkSpeedExtEnabled, 3);
	map->subnet.force_link_speed_ext = 3;
}

static void
test_healthy(void)
{
	static const struct json_row rows[] = {
		{ "schema", "\"ibspeed-map/1\"" },
		{ "audit.n_found", "0" },
		{ "audit.n_noted", "0" },
		{ "audit.policy", "null" },
		{ "audit.baseline", "null" },
		{ "audit.capacity.total.n_links", "6" },
		{ "audit.capacity.total.n_full", "6" },
		{ "audit.capacity.total.eff_100mbps", "12000" },
		{ "audit.capacity.total.should_100mbps", "12000" },
		{ "audit.capacity.switch-switch.n_links", "2" },
		{ "audit.capacity.switch-host.n_links", "4" },
		{ "groups", "[]" },
		{ "switches", "[]" },
		{ "links", "[]" },
	};
	json_t *json = audited_edit(NULL);

	CHECK_JSON(json, rows);
	json_decref(json);
}

static void
test_lane_lost(void)
{
	static const struct json_row rows[] = {
		{ "audit.n_found", "1" },
		{ "audit.findings.degraded-width", "1" },
		{ "links.0.findings", "[\"degraded-width\"]" },
		{ "links.0.a.name", "\"leaf01\"" },
		{ "links.0.b.name", "\"hostA\"" },
		{ "links.0.lost_100mbps", "1500" },
		{ "links.0.should", "{\"width\":4,\"speed\":\"HDR\"}" },
		{ "links.0.should_100mbps", "2000" },
		{ "links.0.reasons.0.code", "\"lanes-lost\"" },
		{ "links.0.reasons.0.text",
		  "\"width 1X, both ends enable 4X: reseat or replace the "
		  "cable\"" },
		{ "links.0.reasons.1", NULL },
		{ "links.0.waiver", "null" },
		{ "switches.0.name", "\"leaf01\"" },
		{ "switches.0.down.n_links", "2" },
		{ "switches.0.down.n_full", "1" },
		{ "switches.0.down.n_quarter", "1" },
		{ "switches.0.down.eff_100mbps", "2500" },
		{ "switches.0.down.should_100mbps", "4000" },
		{ "switches.0.up.n_full", "2" },
		{ "switches.1", NULL },
		{ "groups", "[]" },
	};
	json_t *json = audited_edit(lane_lost);

	audited_count("lane lost", json, 1);
	CHECK_JSON(json, rows);
	json_decref(json);
}

static void
test_narrowed(void)
{
	static const struct json_row rows[] = {
		{ "audit.n_found", "0" },
		{ "audit.n_noted", "1" },
		{ "links.0.findings", "[\"limited-by-config\"]" },
		{ "links.0.lost_100mbps", "0" },
		{ "links.0.reasons.0.text",
		  "\"leaf01/3 enables EDR only (LinkSpeedExtEnabled 0x03), "
		  "leaf02/3 HDR: set it or expect EDR\"" },
		{ "links.0.reasons.0.field", "\"LinkSpeedExtEnabled\"" },
		{ "links.0.reasons.0.value", "3" },
		{ "links.0.reasons.0.end", "\"a\"" },
		{ "links.0.reasons.1", NULL },
	};
	json_t *json = audited_edit(narrowed);

	audited_count("narrowed", json, 1);
	CHECK_JSON(json, rows);
	json_decref(json);
}

static void
test_forced(void)
{
	static const struct json_row rows[] = {
		{ "links.0.findings", "[\"limited-by-config\"]" },
		{ "links.0.reasons.0.code", "\"sm-forces\"" },
		{ "links.0.reasons.0.text",
		  "\"limited to EDR by force_link_speed_ext 3 in opensm.conf, "
		  "both ends support HDR\"" },
		{ "links.0.reasons.0.field", "\"force_link_speed_ext\"" },
		{ "links.0.reasons.0.value", "3" },
		{ "links.0.reasons.1", NULL },
	};
	json_t *json = audited_edit(forced);

	CHECK_JSON(json, rows);
	json_decref(json);
}

static void
silent_and_odd(struct ibs_map *map)
{
	port_of(map, 0x20, 1)->read = IBS_READ_TIMEOUT;
	port_of(map, 0x20, 1)->tries = 3;
	port_put(port_of(map, 0x30, 1), IBS_PI_LinkSpeedExtActive, 3);
	port_put(port_of(map, 0x11, 1), IBS_PI_PortState, IBS_PORT_DOWN);
	port_put(port_of(map, 0x50, 1), IBS_PI_LinkWidthActive, 1);
	port_of(map, 0x10, 3)->peer = IBS_NO_INDEX;
	port_of(map, 0x11, 3)->peer = IBS_NO_INDEX;
	port_of(map, 0x10, 3)->behind_read = IBS_READ_STATUS;
	port_of(map, 0x10, 3)->behind_status = 0x1c;
	port_of(map, 0x10, 4)->flags |= IBS_PORT_HAS_SM;
	port_of(map, 0x10, 4)->sm =
		(struct ibs_pair){ IBS_SPEED_EDR, IBS_WIDTH_4X };
}

/* The reason of the row of a node's port. */
static const char *
reason_of(json_t *json, const char *name, int port)
{
	size_t i;
	json_t *link;

	json_array_foreach(json_at(json, "links"), i, link)
	{
		json_t *a = json_object_get(link, "a");

		if (strcmp(json_string_value(json_object_get(a, "name")),
			   name) == 0 &&
		    json_integer_value(json_object_get(a, "port")) == port) {
			return json_string_value(
				json_at(link, "reasons.0.text"));
		}
	}
	return NULL;
}

static void
test_reasons(void)
{
	static const struct {
		const char *name;
		int port;
		const char *text;
	} rows[] = {
		{ "leaf01", 1,
		  "hostA/1 did not answer: timeout after 3 tries" },
		{ "leaf01", 2,
		  "hostB/1 has LinkSpeedExtActive 0x03, a code that is not "
		  "known" },
		{ "leaf02", 1,
		  "hostC/1 is up, leaf02/1 says it is down: read again, then "
		  "look at leaf02/1" },
		{ "leaf02", 2,
		  "width 1X, both ends enable 4X: reseat or replace the "
		  "cable" },
		{ "leaf01", 3,
		  "who is behind leaf01/3 did not answer: status 0x001c" },
		{ "leaf02", 3, "nobody knows who is behind leaf02/3" },
		{ "leaf01", 4,
		  "OpenSM has leaf01/4 at 4xEDR, the port says 4xHDR: a heavy "
		  "sweep tells it" },
	};
	json_t *json = audited_edit(silent_and_odd);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CHECK_TEXT(rows[i].text,
			   reason_of(json, rows[i].name, rows[i].port),
			   rows[i].text);
	}
	audited_count("reasons", json, 7);
	json_decref(json);
}

/* R23: the enabled set is already another, the link not trained again yet. */
static void
pending(struct ibs_map *map)
{
	port_put(port_of(map, 0x10, 1), IBS_PI_LinkWidthEnabled, 1);
}

static void
test_pending(void)
{
	static const struct json_row rows[] = {
		{ "audit.n_found", "0" },
		{ "links.0.findings",
		  "[\"limited-by-config\",\"not-enabled\"]" },
		{ "links.0.reasons.1.text",
		  "\"leaf01/1 runs at 4X, its LinkWidthEnabled 0x01 does not "
		  "enable that: not retrained yet\"" },
		{ "audit.capacity.total.should_100mbps", "12000" },
	};
	json_t *json = audited_edit(pending);

	CHECK_JSON(json, rows);
	json_decref(json);
}

static void
two_slow(struct ibs_map *map)
{
	lane_lost(map);
	narrowed(map);
	port_put(port_of(map, 0x11, 1), IBS_PI_LinkSpeedExtActive, 2);
	port_put(port_of(map, 0x40, 1), IBS_PI_LinkSpeedExtActive, 2);
}

/* Most capacity lost first, whatever the ends are called. */
static void
test_order(void)
{
	static const struct json_row rows[] = {
		{ "links.0.lost_100mbps", "1500" },
		{ "links.1.lost_100mbps", "1000" },
		{ "links.1.a.name", "\"leaf02\"" },
		{ "links.2.findings", "[\"limited-by-config\"]" },
		{ "switches.0.name", "\"leaf01\"" },
		{ "switches.1.name", "\"leaf02\"" },
	};
	json_t *json = audited_edit(two_slow);

	CHECK_JSON(json, rows);
	json_decref(json);
}

static void
test_choice(void)
{
	static const struct {
		const char *row, *node;
		ibs_set only;
		int64_t min_lost;
		size_t want;
	} rows[] = {
		{ "all", NULL, 0, 0, 3 },
		{ "node", "leaf02", 0, 0, 2 },
		{ "pattern", "host*", 0, 0, 2 },
		{ "guid", "0x20", 0, 0, 1 },
		{ "only", NULL, IBS_BIT(IBS_FINDING_DEGRADED_SPEED), 0, 1 },
		{ "lost", NULL, 0, 1500, 1 },
	};
	struct ibs_map *map = unit_map(two_slow);
	struct ibs_audit audit;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_audit_request request = audited_request(map);

		request.node = rows[i].node;
		request.only = rows[i].only;
		request.min_lost_100mbps = rows[i].min_lost;
		CHECK_INT(rows[i].row, ibs_audit_make(&request, &audit), 0);
		CHECK_INT(rows[i].row, audit.n_rows, rows[i].want);
		CHECK_INT(rows[i].row, audit.total.expected_100mbps, 11000);
		ibs_audit_free(&audit);
	}
	ibs_map_free(map);
}

static void
test_nobody(void)
{
	struct ibs_map *map = unit_map(NULL);
	struct ibs_audit_request request = audited_request(map);
	struct ibs_audit audit;

	request.node = "nobody";
	CHECK_INT("nobody", ibs_audit_make(&request, &audit), -ENOENT);
	ibs_map_free(map);
}

static void
test_strict(void)
{
	struct ibs_map *map = unit_map(narrowed);
	struct ibs_audit_request request = audited_request(map);
	struct ibs_audit audit;

	CHECK_INT("note", ibs_audit_make(&request, &audit), 0);
	CHECK("note", !ibs_audit_found(&audit));
	ibs_audit_free(&audit);
	request.strict = true;
	CHECK_INT("strict", ibs_audit_make(&request, &audit), 0);
	CHECK("strict", ibs_audit_found(&audit));
	ibs_audit_free(&audit);
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "healthy", test_healthy },   { "lane lost", test_lane_lost },
	{ "narrowed", test_narrowed }, { "forced", test_forced },
	{ "reasons", test_reasons },   { "pending", test_pending },
	{ "order", test_order },       { "choice", test_choice },
	{ "nobody", test_nobody },     { "strict", test_strict },
};
UNIT_MAIN("audit", tests)
