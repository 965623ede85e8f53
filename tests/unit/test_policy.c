// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* A policy: what its lines may say, and which rule wins for a link. */
#include <config.h>

#include "ibspeed/policy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#define N_ROWS(table) (sizeof(table) / sizeof((table)[0]))
#define H_NS	      (INT64_C(3600) * 1000000000)

struct line {
	const char *section, *key, *value;
};

static int
add_line(struct ibs_policy *policy, const struct line *line, int number,
	 char *error)
{
	const struct ibs_policy_line policy_line = { line->section, line->key,
						     line->value, number, 0 };

	return ibs_policy_add(policy, &policy_line, error, 256);
}

/* A policy of so many lines; all must be right. */
static void
make(struct ibs_policy *policy, const struct line *lines, size_t n)
{
	char error[256] = "";

	*policy = (struct ibs_policy){ NULL, 0 };
	for (size_t i = 0; i < n; i++) {
		CHECK_INT(error, add_line(policy, &lines[i], (int)i + 1, error),
			  0);
	}
}

static const struct {
	struct line line;
	const char *error;
} wrong[] = {
	{ { "", "min", "100" }, "expected a [section] before the first key" },
	{ { "a", "speed", "100" }, "unknown key \"speed\"" },
	{ { "a", "role", "spine" },
	  "role is \"spine\", expected switch-switch, switch-host, "
	  "host-host or internal" },
	{ { "a", "guid", "12" },
	  "guid is \"12\", expected 0x and up to 16 hex digits" },
	{ { "a", "ports", "0" },
	  "ports is \"0\", expected port numbers such as 1-4,7" },
	{ { "a", "ports", "4-2" },
	  "ports is \"4-2\", expected port numbers such as 1-4,7" },
	{ { "a", "ports", "1,255" },
	  "ports is \"1,255\", expected port numbers such as 1-4,7" },
	{ { "a", "ports", "1;2" },
	  "ports is \"1;2\", expected port numbers such as 1-4,7" },
	{ { "a", "ports", "1-" },
	  "ports is \"1-\", expected port numbers such as 1-4,7" },
	{ { "a", "node", "" },
	  "node is \"\", expected the name or pattern of a node" },
	{ { "a", "expect", "4xQQQ" },
	  "expect is \"4xQQQ\", expected a width and speed such as "
	  "4xHDR, or none" },
	{ { "a", "expect", "200" },
	  "expect is \"200\", expected a width and speed such as "
	  "4xHDR, or none" },
	{ { "a", "min", "4xHDR" },
	  "min is \"4xHDR\", expected Gb/s such as 100 or 2.5" },
	{ { "a", "min", "-1" },
	  "min is \"-1\", expected Gb/s such as 100 or 2.5" },
	{ { "a", "ignore", "" },
	  "ignore is \"\", expected names of findings; or all or none, alone" },
	{ { "a", "count", "8x" },
	  "count is \"8x\", expected a number from 0 to 254" },
	{ { "a", "count", "255" },
	  "count is \"255\", expected a number from 0 to 254" },
	{ { "a", "flaps", "3" },
	  "flaps is \"3\", expected changes in a time such as 3/24h, "
	  "or none" },
	{ { "a", "flaps", "3/0h" },
	  "flaps is \"3/0h\", expected changes in a time such as "
	  "3/24h, or none" },
	{ { "a", "flaps", "3/24y" },
	  "flaps is \"3/24y\", expected changes in a time such as "
	  "3/24h, or none" },
	{ { "a", "ignore", "degraded" },
	  "ignore is \"degraded\", expected names of findings; or all or "
	  "none, alone" },
	{ { "a", "ignore", "none missing" },
	  "ignore is \"none missing\", expected names of findings; or all or "
	  "none, alone" },
};

static void
test_wrong(void)
{
	for (size_t i = 0; i < N_ROWS(wrong); i++) {
		struct ibs_policy policy = { NULL, 0 };
		char error[256] = "";

		CHECK_INT(wrong[i].error,
			  add_line(&policy, &wrong[i].line, 1, error), -EINVAL);
		CHECK_TEXT(wrong[i].error, error, wrong[i].error);
		ibs_policy_free(&policy);
	}
}

static void
test_twice(void)
{
	static const struct line lines[] = { { "a", "min", "100" },
					     { "a", "min", "50" } };
	struct ibs_policy policy;
	char error[256] = "";

	make(&policy, lines, 1);
	CHECK_INT("twice", add_line(&policy, &lines[1], 2, error), -EINVAL);
	CHECK_TEXT("twice", error, "min is given twice in [a]");
	ibs_policy_free(&policy);
}

static void
test_asks_nothing(void)
{
	static const struct line lines[] = { { "a", "min", "100" },
					     { "b", "role", "host-host" },
					     { "c", "count", "2" } };
	struct ibs_policy policy;
	char error[256] = "";
	int line = 0;

	make(&policy, lines, N_ROWS(lines));
	CHECK_INT("nothing", policy.n, 3);
	CHECK_INT("nothing",
		  ibs_policy_check(&policy, &line, error, sizeof(error)),
		  -EINVAL);
	CHECK_INT("nothing", line, 2);
	CHECK_TEXT("nothing", error,
		   "[b] asks nothing, expected expect, min, count, flaps or "
		   "ignore");
	ibs_policy_free(&policy);
}

static void
test_values(void)
{
	static const struct line lines[] = {
		{ "a", "ports", "1-4, 70,254" },
		{ "a", "guid", "0x1f" },
		{ "a", "expect", "2xHDR" },
		{ "a", "min", "2.5G" },
		{ "a", "count", "8" },
		{ "a", "flaps", "3/24h" },
		{ "a", "ignore", "unknown, moved" },
	};
	struct ibs_policy policy;
	const struct ibs_rule *rule;

	make(&policy, lines, N_ROWS(lines));
	rule = policy.rules;
	CHECK_INT("values", policy.n, 1);
	CHECK_INT("values", rule->ports[0], 0x1e);
	CHECK_INT("values", rule->ports[1], 1 << 6);
	CHECK_INT("values", rule->ports[3] >> 62, 1);
	CHECK_INT("values", rule->guid, 0x1f);
	CHECK_INT("values", rule->expect.speed, IBS_SPEED_HDR);
	CHECK_INT("values", rule->expect.width, IBS_WIDTH_2X);
	CHECK_INT("values", rule->min_100mbps, 25);
	CHECK_INT("values", rule->count, 8);
	CHECK_INT("values", rule->flaps, 3);
	CHECK_INT("values", rule->window_ns, 24 * H_NS);
	CHECK_INT("values", rule->ignore,
		  IBS_BIT(IBS_FINDING_UNKNOWN) | IBS_BIT(IBS_FINDING_MOVED));
	CHECK_INT("values", rule->line_of[IBS_KEY_EXPECT], 3);
	CHECK_INT("values", rule->line_of[IBS_KEY_MIN], 4);
	CHECK_INT("values", rule->line_of[IBS_KEY_IGNORE], 7);
	ibs_policy_free(&policy);
}

/* Two sections are two rules, whatever they are called. */
static void
test_same_name(void)
{
	static const struct ibs_policy_line lines[] = {
		{ "a", "node", "x", 2, 1 },
		{ "a", "min", "1", 3, 1 },
		{ "a", "node", "y", 5, 4 },
		{ "a", "min", "2", 6, 4 },
	};
	struct ibs_policy policy = { NULL, 0 };
	char error[256] = "";

	for (size_t i = 0; i < N_ROWS(lines); i++) {
		CHECK_INT(error,
			  ibs_policy_add(&policy, &lines[i], error,
					 sizeof(error)),
			  0);
	}
	CHECK_INT("same name", policy.n, 2);
	CHECK_TEXT("same name", policy.rules[1].node, "y");
	ibs_policy_free(&policy);
}

/* Of unit_map(): port 1 of leaf01 is hostA's, its ports 3 and 4 leaf02's. */
static void
check_rule(const char *row, const struct ibs_policy *policy, uint8_t num,
	   enum ibs_demand demand, int want)
{
	struct ibs_map *map = unit_map(NULL);
	uint32_t port = ibs_map_find_port(map, 0, num);
	uint32_t peer = map->ports[port].peer, rules[IBS_DEMANDS];
	struct ibs_policy_end a, b;
	bool used[8] = { false };

	ibs_policy_end_of_map(map, port, &a);
	if (peer != IBS_NO_INDEX) {
		ibs_policy_end_of_map(map, peer, &b);
	}
	ibs_policy_find(policy, &a, peer == IBS_NO_INDEX ? NULL : &b, used,
			rules);
	CHECK_INT(row, rules[demand] == IBS_NO_INDEX ? -1 : (int)rules[demand],
		  want);
	CHECK_INT(row, want < 0 || used[want], 1);
	ibs_map_free(map);
}

/* Each rule alone, on hostA's port of leaf01 and on a port between leaves. */
static void
test_fits(void)
{
	static const struct {
		struct line line;
		bool host, between, down;
	} rows[] = {
		{ { "a", "role", "switch-host" }, true, false, true },
		{ { "a", "role", "switch-switch" }, false, true, true },
		{ { "a", "role", "host-host" }, false, false, false },
		{ { "a", "node", "leaf*" }, true, true, true },
		{ { "a", "node", "leaf" }, false, false, false },
		{ { "a", "node", "host?" }, true, false, false },
		{ { "a", "peer", "hostA" }, true, false, false },
		{ { "a", "peer", "leaf02" }, false, true, false },
		{ { "a", "guid", "0x20" }, true, false, false },
		{ { "a", "guid", "0x11" }, false, true, false },
		{ { "a", "ports", "1-2" }, true, false, false },
		{ { "a", "ports", "3" }, false, true, false },
		{ { "a", "ports", "5" }, false, false, true },
	};

	for (size_t i = 0; i < N_ROWS(rows); i++) {
		struct line lines[2] = { rows[i].line, { "a", "min", "1" } };
		const char *row = rows[i].line.value;
		struct ibs_policy policy;

		make(&policy, lines, 2);
		check_rule(row, &policy, 1, IBS_DEMAND_SPEED,
			   rows[i].host ? 0 : -1);
		check_rule(row, &policy, 3, IBS_DEMAND_SPEED,
			   rows[i].between ? 0 : -1);
		check_rule(row, &policy, 5, IBS_DEMAND_SPEED,
			   rows[i].down ? 0 : -1);
		ibs_policy_free(&policy);
	}
}

/* node, guid and ports speak of one end, peer of the other. */
static void
test_one_end(void)
{
	static const struct line lines[] = {
		{ "a", "node", "leaf01" }, { "a", "peer", "leaf01" },
		{ "a", "min", "1" },	   { "b", "node", "hostA" },
		{ "b", "ports", "2-9" },   { "b", "count", "1" },
	};
	struct ibs_policy policy;

	make(&policy, lines, N_ROWS(lines));
	check_rule("itself", &policy, 3, IBS_DEMAND_SPEED, -1);
	check_rule("port of the other", &policy, 1, IBS_DEMAND_COUNT, -1);
	ibs_policy_free(&policy);
}

/* Later rules win, each kind of demand by itself. */
static void
test_later_wins(void)
{
	static const struct line lines[] = {
		{ "all", "expect", "4xHDR" },	    { "all", "flaps", "3/1h" },
		{ "hosts", "role", "switch-host" }, { "hosts", "min", "100" },
		{ "leaf", "node", "leaf01" },	    { "leaf", "ignore", "all" },
	};
	struct ibs_policy policy;

	make(&policy, lines, N_ROWS(lines));
	check_rule("host", &policy, 1, IBS_DEMAND_SPEED, 1);
	check_rule("host", &policy, 1, IBS_DEMAND_FLAPS, 0);
	check_rule("host", &policy, 1, IBS_DEMAND_IGNORE, 2);
	check_rule("between", &policy, 3, IBS_DEMAND_SPEED, 0);
	check_rule("between", &policy, 3, IBS_DEMAND_COUNT, -1);
	ibs_policy_free(&policy);
}

static const struct unit_test tests[] = {
	{ "wrong", test_wrong },
	{ "twice", test_twice },
	{ "asks nothing", test_asks_nothing },
	{ "values", test_values },
	{ "fits", test_fits },
	{ "one end", test_one_end },
	{ "later wins", test_later_wins },
	{ "same name", test_same_name },
};
UNIT_MAIN("policy", tests)
