// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Which links a report tells, in which order, and the sums of a map. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/writer.h"
#include "unit.h"
#include "written.h"

/*
 * leaf01 3 - leaf02 3 runs at 1xHDR, 4 - 4 at 4xEDR; hostC does not answer;
 * hostD enables up to EDR only.
 */
static void
edit_slow(struct ibs_map *map)
{
	for (uint64_t guid = 0x10; guid <= 0x11; guid++) {
		port_put(port_of(map, guid, 3), IBS_PI_LinkWidthActive, 1);
		port_put(port_of(map, guid, 4), IBS_PI_LinkSpeedExtActive, 2);
	}
	port_of(map, 0x40, 1)->read = IBS_READ_TIMEOUT;
	port_put(port_of(map, 0x50, 1), IBS_PI_LinkSpeedExtEnabled, 3);
	port_put(port_of(map, 0x50, 1), IBS_PI_LinkSpeedExtActive, 2);
	port_put(port_of(map, 0x11, 2), IBS_PI_LinkSpeedExtActive, 2);
}

/* "leaf01 3 hostA 1;..." of the links that a report tells. */
static void
told(const struct ibs_report *report, char *text, size_t size)
{
	const struct ibs_map *map = report->map;

	text[0] = '\0';
	for (uint32_t i = 0; i < report->n_links; i++) {
		const struct ibs_map_link *row = &map->links[report->links[i]];
		const struct ibs_map_port *a = &map->ports[row->a];
		const struct ibs_map_port *b = &map->ports[row->b];
		size_t used = strlen(text);

		snprintf(text + used, size - used, "%s%.20s %u %.20s %u",
			 i ? ";" : "", map->nodes[a->node].desc, a->num,
			 map->nodes[b->node].desc, b->num);
	}
}

static void
check_words(const struct ibs_map *map, const char *const *words,
	    const char *want)
{
	struct ibs_report report;
	char text[1024];
	size_t n = 0, bad = 77;
	int err;

	while (words[n]) {
		n++;
	}
	err = ibs_report_make(map, words, n, &report, &bad);
	if (!want) { /* nobody has that name or GUID */
		CHECK_INT(words[0], err, -ENOENT);
		CHECK_INT(words[0], bad, 0);
		return;
	}
	if (err) {
		abort();
	}
	told(&report, text, sizeof(text));
	CHECK_TEXT(n ? words[0] : "(none)", text, want);
	CHECK_INT(n ? words[0] : "(none)", report.filtered, n > 0);
	ibs_report_free(&report);
	ibs_report_free(&report);
}

static void
test_order(void)
{
	struct ibs_map *map = unit_map(edit_slow);

	check_words(map, (const char *const[]){ NULL },
		    "leaf01 3 leaf02 3;leaf01 4 leaf02 4;leaf02 1 hostC 1;"
		    "leaf02 2 hostD 1;leaf01 1 hostA 1;leaf01 2 hostB 1");
	ibs_map_free(map);
}

static void
edit_names(struct ibs_map *map)
{
	node_rename(map, 0x10, "leaf10", sizeof("leaf10") - 1);
	node_rename(map, 0x11, "leaf9", sizeof("leaf9") - 1);
}

/* leaf9 stands before leaf10, and port numbers are numbers. */
static void
test_natural_order(void)
{
	struct ibs_map *map = unit_map(edit_names);

	check_words(map, (const char *const[]){ NULL },
		    "leaf9 1 hostC 1;leaf9 2 hostD 1;leaf10 1 hostA 1;"
		    "leaf10 2 hostB 1;leaf10 3 leaf9 3;leaf10 4 leaf9 4");
	ibs_map_free(map);
}

static void
test_words(void)
{
	static const struct {
		const char *words[4];
		const char *want;
	} rows[] = {
		{ { "hostA" }, "leaf01 1 hostA 1" },
		{ { "0x20" }, "leaf01 1 hostA 1" },
		{ { "0x0000000000000020" }, "leaf01 1 hostA 1" },
		{ { "0X20" }, "leaf01 1 hostA 1" },
		{ { "host?", "leaf01" }, "leaf01 1 hostA 1;leaf01 2 hostB 1" },
		{ { "*[AB]" }, "leaf01 1 hostA 1;leaf01 2 hostB 1" },
		{ { "HOSTA" }, NULL },
		{ { "1xHDR" }, "leaf01 3 leaf02 3" },
		{ { "4xedr", "leaf01" }, "leaf01 4 leaf02 4" },
		{ { "degraded-speed" }, "leaf01 4 leaf02 4" },
		{ { "limited-by-config" }, "leaf02 2 hostD 1" },
		{ { "unknown" }, "leaf02 1 hostC 1" },
		{ { "leaf02", "degraded-width", "leaf01" },
		  "leaf01 3 leaf02 3" },
		{ { "leaf", "0x50", "4xEDR" }, "leaf02 2 hostD 1" },
		{ { "12xXDR" }, "" },
		{ { "4x4rack" }, NULL },
		{ { "0x99" }, NULL },
	};
	struct ibs_map *map = unit_map(edit_slow);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		check_words(map, rows[i].words, rows[i].want);
	}
	ibs_map_free(map);
}

static void
test_bad_words(void)
{
	static const char *const words[] = { "5xHDR",
					     "4xFOO",
					     "0x",
					     "0xfoo",
					     "4xHDRx",
					     "",
					     "0x12345678901234567",
					     "99999999999xHDR" };
	struct ibs_map *map = unit_map(NULL);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *const asked[] = { "leaf01", words[i] };
		struct ibs_report report = { .n_links = 77 };
		size_t bad = 99;

		CHECK_INT(words[i],
			  ibs_report_make(map, asked, 2, &report, &bad),
			  -EINVAL);
		CHECK_INT(words[i], bad, 1);
		CHECK_INT(words[i], report.n_links, 77);
	}
	ibs_map_free(map);
}

static void
edit_odd_name(struct ibs_map *map)
{
	node_rename(map, 0x20, "n\xe9  \"x\"", sizeof("n\xe9  \"x\"") - 1);
}

/* A word may be what JSON or what the text prints. */
static void
test_escaped_words(void)
{
	static const char *const words[] = { "n\\xe9  \"x\"",
					     "n\\xe9 \\x20\"x\"", "n\\xe9*" };
	struct ibs_map *map = unit_map(edit_odd_name);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *const asked[] = { words[i], NULL };

		check_words(map, asked, "leaf01 1 n\xe9  \"x\" 1");
	}
	ibs_map_free(map);
}

static void
check_count(const struct ibs_summary *sum, size_t i, enum ibs_speed speed,
	    enum ibs_width width, uint32_t n_links, uint32_t n_ends)
{
	const char *row = ibs_speed_name(speed);

	CHECK_INT(row, sum->counts[i].pair.speed, speed);
	CHECK_INT(row, sum->counts[i].pair.width, width);
	CHECK_INT(row, sum->counts[i].n_links, n_links);
	CHECK_INT(row, sum->counts[i].n_ends, n_ends);
}

static void
test_summary(void)
{
	struct ibs_map *map = unit_map(edit_slow);
	struct ibs_summary sum;

	ibs_summary_make(map, &sum);
	CHECK_INT("slow", sum.n_counts, 4);
	check_count(&sum, 0, IBS_SPEED_HDR, IBS_WIDTH_4X, 2, 5);
	check_count(&sum, 1, IBS_SPEED_HDR, IBS_WIDTH_1X, 1, 2);
	check_count(&sum, 2, IBS_SPEED_EDR, IBS_WIDTH_4X, 2, 4);
	check_count(&sum, 3, IBS_SPEED_UNKNOWN, IBS_WIDTH_UNKNOWN, 1, 0);
	CHECK_INT("slow", sum.n_switches, 2);
	CHECK_INT("slow", sum.n_cas, 4);
	CHECK_INT("slow", sum.n_routers + sum.n_other, 0);
	CHECK_INT("slow", sum.n_links, 6);
	CHECK_INT("slow", sum.n_down, 2);
	CHECK_INT("slow", sum.n_unread, 1);
	CHECK_INT("slow", sum.n_read, 15);
	CHECK_INT("slow", sum.n_found_links, 3);
	CHECK_INT("slow", sum.n_findings[IBS_FINDING_DEGRADED_WIDTH], 1);
	CHECK_INT("slow", sum.n_findings[IBS_FINDING_DEGRADED_SPEED], 1);
	CHECK_INT("slow", sum.n_findings[IBS_FINDING_LIMITED_BY_CONFIG], 1);
	CHECK_INT("slow", sum.n_findings[IBS_FINDING_MISMATCH], 0);
	CHECK_INT("slow", sum.eff_100mbps, 500 + 1000 + 1000 + 2 * 2000);
	CHECK_INT("slow", sum.expected_100mbps, 2000 + 2000 + 1000 + 2 * 2000);
	ibs_map_free(map);
}

static void
edit_odd_nodes(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		if (map->nodes[i].guid == 0x20) {
			map->nodes[i].type = IBS_NODE_ROUTER;
		} else if (map->nodes[i].guid == 0x30) {
			map->nodes[i].type = 9;
		}
	}
	port_put(port_of(map, 0x40, 1), IBS_PI_PortState, IBS_PORT_DOWN);
}

/* One end down, the other up: no speed of its own, and not counted as one. */
static void
test_half_down(void)
{
	struct ibs_map *map = unit_map(edit_odd_nodes);
	struct ibs_summary sum;

	ibs_summary_make(map, &sum);
	CHECK_INT("half", sum.n_routers, 1);
	CHECK_INT("half", sum.n_other, 1);
	CHECK_INT("half", sum.n_down, 3);
	CHECK_INT("half", sum.n_counts, 1);
	check_count(&sum, 0, IBS_SPEED_HDR, IBS_WIDTH_4X, 5, 11);
	CHECK_INT("half", sum.n_findings[IBS_FINDING_MISMATCH], 1);
	CHECK_INT("half", sum.n_found_links, 1);
	check_words(map, (const char *const[]){ "mismatch", NULL },
		    "leaf02 1 hostC 1");
	ibs_map_free(map);
}

static void
test_empty(void)
{
	struct ibs_map *map = ibs_map_new();
	struct ibs_report report;
	size_t bad;

	if (!map || ibs_map_freeze(map)) {
		abort();
	}
	CHECK_INT("empty", ibs_report_make(map, NULL, 0, &report, &bad), 0);
	CHECK_INT("empty", report.n_links, 0);
	CHECK_INT("empty", report.summary.n_counts, 0);
	ibs_report_free(&report);
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "slow links first, then by name", test_order },
	{ "numbers in names count as numbers", test_natural_order },
	{ "words of a filter", test_words },
	{ "words that are none", test_bad_words },
	{ "names as they are printed", test_escaped_words },
	{ "summary", test_summary },
	{ "one end down, odd nodes", test_half_down },
	{ "nothing at all", test_empty },
};
UNIT_MAIN("report", tests)
