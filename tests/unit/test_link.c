// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Two ports to a verdict: the rows of link.rows, each from both sides. */
#include <config.h>

#include "ibspeed/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "unit.h"

#define N_ROWS(table) (sizeof(table) / sizeof((table)[0]))

static void
findings_text(ibs_set findings, char *ret_text, size_t size)
{
	size_t length = 0;

	snprintf(ret_text, size, "-");
	for (int i = 0; i < IBS_FINDING_COUNT; i++) {
		if (findings & IBS_BIT(i)) {
			length += (size_t)snprintf(
				ret_text + length, size - length, "%s%s",
				length ? " " : "",
				ibs_finding_row((enum ibs_finding)i)->name);
		}
	}
}

static void
check_pair(struct unit_row *row, const char *key, struct ibs_pair pair)
{
	const char *want = unit_row_text(row, "", key);
	char got[UNIT_PAIR_SIZE];

	unit_pair_text(pair.speed, pair.width, got);
	unit_check_text(got, want, row->name, key, __FILE__, __LINE__);
}

static void
check_number(struct unit_row *row, const char *key, int64_t got)
{
	const char *want = unit_row_text(row, "", key);

	if (want) {
		unit_check_int(got, strtoll(want, NULL, 0), row->name, key,
			       __FILE__, __LINE__);
	}
}

static void
check_link(struct unit_row *row, const struct ibs_link *link)
{
	char findings[200];

	check_pair(row, "active", link->active);
	check_pair(row, "expected", link->expected);
	check_pair(row, "capability", link->capability);
	findings_text(link->findings, findings, sizeof(findings));
	CHECK_TEXT(row->name, findings, unit_row_text(row, "", "findings"));
	check_number(row, "eff", link->eff_100mbps);
	check_number(row, "lost", ibs_link_lost_100mbps(link));
}

static bool
forces(struct unit_row *row, const char *what)
{
	const char *text = unit_row_text(row, "", "forces");

	return text && strcmp(text, what) == 0;
}

static struct ibs_link_facts
row_facts(struct unit_row *row)
{
	static const char *const keys[2] = { "sm_a", "sm_b" };
	struct ibs_link_facts facts = { 0 };

	for (size_t i = 0; i < 2; i++) {
		const char *text = unit_row_text(row, "", keys[i]);

		if (text) {
			facts.has_sm[i] = true;
			facts.sm[i] = unit_pair(text);
		}
	}
	facts.sm_forces_width = forces(row, "width");
	facts.sm_forces_speed = forces(row, "speed");
	return facts;
}

static void
check_row(struct unit_row *row)
{
	struct ibs_link_facts facts = row_facts(row), turned = facts;
	struct unit_end end_a, end_b;
	struct ibs_port a, b;
	struct ibs_link link;

	unit_row_end(row, "a.", &end_a);
	unit_row_end(row, "b.", &end_b);
	unit_end_decode(&end_a, &a);
	unit_end_decode(&end_b, &b);
	ibs_link_judge(&a, &b, &facts, &link);
	check_link(row, &link);

	turned.has_sm[0] = facts.has_sm[1];
	turned.has_sm[1] = facts.has_sm[0];
	turned.sm[0] = facts.sm[1];
	turned.sm[1] = facts.sm[0];
	ibs_link_judge(&b, &a, &turned, &link);
	check_link(row, &link);
}

static void
test_rows(void)
{
	CHECK_INT("link.rows", unit_rows("link.rows", check_row), 77);
}

static struct ibs_port
hdr_port(void)
{
	uint8_t pi[IBS_ATTR_SIZE];
	const struct ibs_port_source source = { .pi = pi };
	struct ibs_port port;

	unit_port_info(pi, 2, 3, 4, 7);
	ibs_port_decode(&source, &port);
	return port;
}

/* Facts are optional, and none of them is not another answer. */
static void
test_no_facts(void)
{
	const struct ibs_link_facts none = { 0 };
	struct ibs_port port = hdr_port();
	struct ibs_link with, without;

	ibs_link_judge(&port, &port, NULL, &without);
	ibs_link_judge(&port, &port, &none, &with);
	CHECK_INT("no facts", without.findings, 0);
	CHECK_INT("no facts", with.findings, 0);
	CHECK_INT("no facts", without.eff_100mbps, 2000);
}

/* A port whose peer nobody knows keeps its speed (R50). */
static void
test_alone(void)
{
	struct ibs_port port = hdr_port();
	struct ibs_link link;

	ibs_link_judge_alone(&port, &link);
	CHECK_INT("R50", link.active.speed, IBS_SPEED_HDR);
	CHECK_INT("R50", link.active.width, IBS_WIDTH_4X);
	CHECK_INT("R50", link.eff_100mbps, 2000);
	CHECK_INT("R50", link.expected.speed, IBS_SPEED_NONE);
	CHECK_INT("R50", link.capability.width, IBS_WIDTH_NONE);
	CHECK_INT("R50", link.findings, IBS_BIT(IBS_FINDING_UNKNOWN));
	CHECK_INT("R50", ibs_link_lost_100mbps(&link), 0);

	ibs_port_unread(&port);
	ibs_link_judge_alone(&port, &link);
	CHECK_INT("unread", link.active.speed, IBS_SPEED_UNKNOWN);
	CHECK_INT("unread", link.eff_100mbps, -1);
	CHECK_INT("unread", link.findings, IBS_BIT(IBS_FINDING_UNKNOWN));
}

static void
test_findings(void)
{
	static const struct {
		const char *name;
		enum ibs_severity severity;
	} rows[] = {
		{ "degraded-width", IBS_SEVERITY_FINDING },
		{ "degraded-speed", IBS_SEVERITY_FINDING },
		{ "mismatch", IBS_SEVERITY_FINDING },
		{ "below-policy", IBS_SEVERITY_FINDING },
		{ "missing", IBS_SEVERITY_FINDING },
		{ "flapping", IBS_SEVERITY_FINDING },
		{ "unknown", IBS_SEVERITY_INCOMPLETE },
		{ "limited-by-config", IBS_SEVERITY_NOTE },
		{ "limited-by-peer", IBS_SEVERITY_NOTE },
		{ "not-enabled", IBS_SEVERITY_NOTE },
		{ "sm-disagrees", IBS_SEVERITY_NOTE },
		{ "moved", IBS_SEVERITY_NOTE },
		{ "new-link", IBS_SEVERITY_NOTE },
	};

	CHECK_INT("findings", N_ROWS(rows), IBS_FINDING_COUNT);
	for (size_t i = 0; i < N_ROWS(rows); i++) {
		const struct ibs_finding_row *row =
			ibs_finding_row((enum ibs_finding)i);

		CHECK_TEXT(rows[i].name, row->name, rows[i].name);
		CHECK_INT(rows[i].name, row->severity, rows[i].severity);
		CHECK(rows[i].name, strlen(row->says) > 0);
		CHECK_INT(rows[i].name, ibs_finding_find(rows[i].name), i);
		for (int s = 0; s <= IBS_SEVERITY_FINDING; s++) {
			CHECK_INT(rows[i].name,
				  ibs_findings_have(IBS_BIT(i),
						    (enum ibs_severity)s),
				  s == (int)rows[i].severity);
		}
	}
	CHECK("findings", !ibs_finding_row(IBS_FINDING_COUNT));
	CHECK_INT("findings", ibs_finding_find("degraded"), IBS_FINDING_COUNT);
	CHECK("findings", !ibs_findings_have(0, IBS_SEVERITY_FINDING));
}

static const struct unit_test tests[] = {
	{ "rows", test_rows },
	{ "no facts", test_no_facts },
	{ "alone", test_alone },
	{ "findings", test_findings },
};
UNIT_MAIN("link", tests)
