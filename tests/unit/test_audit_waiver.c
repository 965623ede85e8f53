// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* What a waiver covers, which one counts, and what is said when it ended. */
#include <config.h>

#include <stdlib.h>

#include "audited.h"
#include "unit.h"

#define S_NS	      INT64_C(1000000000)
#define NOW_NS	      (INT64_C(1748747564) * S_NS)
#define DATE	      "2025-06-01"
#define N_ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* hostA and its port of leaf01 are down. */
static void
unplugged(struct ibs_map *map)
{
	static const struct {
		uint64_t guid;
		uint8_t num;
	} ends[] = { { 0x10, 1 }, { 0x20, 1 } };

	for (size_t i = 0; i < N_ROWS(ends); i++) {
		struct ibs_map_port *port =
			port_of(map, ends[i].guid, ends[i].num);

		port->peer = IBS_NO_INDEX;
		port_put(port, IBS_PI_PortState, IBS_PORT_DOWN);
	}
}

static json_t *
waived(const struct ibs_waiver *waivers, size_t n)
{
	struct ibs_map *map = unit_map(unplugged);
	struct ibs_audit_request request = audited_request(map);
	struct ibs_baseline baseline;
	json_t *json;

	audited_baseline(NULL, &baseline);
	request.baseline = &baseline;
	request.waivers = waivers;
	request.n_waivers = n;
	json = audited_json(&request, "waived");
	ibs_baseline_free(&baseline);
	ibs_map_free(map);
	return json;
}

static void
test_waived(void)
{
	static const struct ibs_waiver waivers[] = {
		{ .guid = 0x10, .num = 2, .until_ns = NOW_NS + S_NS },
		{ .guid = 0x20,
		  .num = -1,
		  .until_ns = NOW_NS + S_NS,
		  .reason = "RMA 4711",
		  .who = "admin" },
	};
	static const struct json_row rows[] = {
		{ "audit.n_found", "0" },
		{ "audit.n_waived", "1" },
		{ "audit.findings.missing", "0" },
		{ "links.0.findings", "[\"missing\"]" },
		{ "links.0.waiver.reason", "\"RMA 4711\"" },
		{ "audit.capacity.total.n_down", "1" },
	};
	json_t *json = waived(waivers, N_ROWS(waivers));

	CHECK_JSON(json, rows);
	json_decref(json);
}

static void
test_waiver_ended(void)
{
	static const struct ibs_waiver waivers[] = {
		{ .guid = 0x10,
		  .num = 1,
		  .until_ns = NOW_NS,
		  .reason = "RMA 4711" },
	};
	static const struct json_row rows[] = {
		{ "audit.n_found", "1" },
		{ "audit.n_waived", "0" },
		{ "links.0.waiver", "null" },
		{ "links.0.reasons.1.text",
		  "\"its waiver ended: " DATE " \\\"RMA 4711\\\"\"" },
	};
	json_t *json = waived(waivers, N_ROWS(waivers));

	CHECK_JSON(json, rows);
	json_decref(json);
}

/* A week later, and of another finding, nobody wants to know. */
static void
test_waiver_long_ended(void)
{
	static const struct ibs_waiver waivers[] = {
		{ .guid = 0x10,
		  .num = 1,
		  .until_ns = NOW_NS - 7 * 86400 * S_NS - 1,
		  .reason = "a week ago" },
		{ .guid = 0x10,
		  .num = 1,
		  .until_ns = NOW_NS,
		  .findings = IBS_BIT(IBS_FINDING_DEGRADED_WIDTH),
		  .reason = "of another finding" },
	};
	static const struct json_row rows[] = {
		{ "audit.n_found", "1" },
		{ "links.0.reasons.0.code", "\"link-down\"" },
		{ "links.0.reasons.1", NULL },
	};
	json_t *json = waived(waivers, N_ROWS(waivers));

	CHECK_JSON(json, rows);
	json_decref(json);
}

/* It was slow when it was waived, and now it is down. */
static void
test_waived_for_less(void)
{
	static const struct ibs_waiver waivers[] = {
		{ .guid = 0x10,
		  .num = 1,
		  .until_ns = NOW_NS + S_NS,
		  .findings = IBS_BIT(IBS_FINDING_DEGRADED_WIDTH) |
			      IBS_BIT(IBS_FINDING_BELOW_POLICY),
		  .reason = "slow" },
	};
	static const struct json_row rows[] = {
		{ "audit.n_found", "1" },
		{ "audit.n_waived", "0" },
		{ "links.0.findings", "[\"missing\"]" },
		{ "links.0.waiver", "null" },
	};
	json_t *json = waived(waivers, N_ROWS(waivers));

	CHECK_JSON(json, rows);
	json_decref(json);
}

static void
test_waived_twice(void)
{
	static const struct ibs_waiver waivers[] = {
		{ .guid = 0x10,
		  .num = 1,
		  .until_ns = NOW_NS + S_NS,
		  .reason = "the port" },
		{ .guid = 0x20,
		  .num = -1,
		  .until_ns = NOW_NS + 2 * S_NS,
		  .findings = IBS_BIT(IBS_FINDING_MISSING),
		  .reason = "the node, for longer" },
		{ .guid = 0x20,
		  .num = 1,
		  .until_ns = NOW_NS - S_NS,
		  .reason = "ended" },
	};
	static const struct json_row rows[] = {
		{ "audit.n_waived", "1" },
		{ "links.0.waiver.reason", "\"the node, for longer\"" },
		{ "links.0.waiver.findings", "[\"missing\"]" },
		{ "links.0.reasons.1", NULL },
	};
	json_t *json = waived(waivers, N_ROWS(waivers));

	CHECK_JSON(json, rows);
	json_decref(json);
}

static const struct unit_test tests[] = {
	{ "waived", test_waived },
	{ "waiver ended", test_waiver_ended },
	{ "waiver long ended", test_waiver_long_ended },
	{ "waived for less", test_waived_for_less },
	{ "waived twice", test_waived_twice },
};
UNIT_MAIN("audit_waiver", tests)
