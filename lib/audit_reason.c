// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Reasons in words: the table of audit_private.h and what stands in it. */
#include <config.h>

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "audit_private.h"
#include "writer_audit.h"

#define DATE_SIZE 11
#define NS_PER_S  INT64_C(1000000000)

static const struct {
	const char *name;
	const char *text;
} reasons[IBS_REASON_COUNT] = {
#define X(code, name, text) { name, text },
	IBS_REASONS(X)
#undef X
};

const char *
ibs_reason_name(const struct ibs_reason *reason)
{
	return reasons[reason->code].name;
}

bool
ibs_reason_told(const struct ibs_audit_row *row,
		const struct ibs_reason *reason)
{
	return reason->finding == IBS_FINDING_COUNT ||
	       (row->findings & IBS_BIT(reason->finding));
}

/* What a text is made of. */
struct telling {
	const struct ibs_labels *labels;
	const struct ibs_audit *audit;
	const struct ibs_audit_row *row;
	const struct ibs_reason *reason;
	char *at;
	size_t left;
};

static void __attribute__((format(printf, 2, 3)))
say(struct telling *t, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(t->at, t->left, format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= t->left) {
		length = (int)t->left - 1;
	}
	t->at += length;
	t->left -= (size_t)length;
}

void
ibs_audit_end_label(const struct ibs_labels *labels,
		    const struct ibs_audit *audit,
		    const struct ibs_audit_end *end,
		    char ret_text[IBS_CELL_SIZE])
{
	struct ibs_node node;

	ret_text[0] = '\0';
	if (end->node != IBS_NO_INDEX) {
		ibs_label(labels, &labels->map->nodes[end->node], ret_text);
		return;
	}
	if (end->known == IBS_NO_INDEX) {
		return;
	}
	ibs_baseline_as_node(&audit->request.baseline->nodes[end->known],
			     &node);
	ibs_node_cell(&node, ret_text);
	if (!ret_text[0]) {
		snprintf(ret_text, IBS_CELL_SIZE, "0x%016" PRIx64, node.guid);
	}
}

/* "leaf07/12" */
static void
say_end(struct telling *t, const struct ibs_audit_end *end)
{
	char label[IBS_CELL_SIZE];

	ibs_audit_end_label(t->labels, t->audit, end, label);
	say(t, "%s", label[0] ? label : "somebody");
	if (end->num >= 0) {
		say(t, "/%d", end->num);
	}
}

static void
say_pair(struct telling *t, struct ibs_pair pair)
{
	const struct ibs_width_row *width =
		ibs_width_row((enum ibs_width)pair.width);
	char text[IBS_PAIR_TEXT_SIZE];

	if (pair.speed == IBS_SPEED_NONE && pair.width == IBS_WIDTH_NONE) {
		say(t, "nothing");
	} else if (pair.speed == IBS_SPEED_NONE && width) {
		say(t, "%uX", width->lanes);
	} else if (pair.width == IBS_WIDTH_NONE) {
		say(t, "%s", ibs_speed_name((enum ibs_speed)pair.speed));
	} else {
		ibs_pair_text(pair, text);
		say(t, "%s", text);
	}
}

static void
say_date(struct telling *t, int64_t ns)
{
	char text[IBS_TIME_TEXT_SIZE];

	ibs_time_text(ns, 0, text);
	text[DATE_SIZE - 1] = '\0';
	say(t, "%s", text[0] ? text : "an unknown day");
}

static void
say_gbps(struct telling *t, uint32_t units)
{
	char text[IBS_NUMBER_SIZE];

	ibs_decimal_text(units, 1, text);
	say(t, "%s", text);
}

static void
say_rule(struct telling *t)
{
	const struct ibs_audit_request *request = &t->audit->request;
	const struct ibs_rule *rule = &request->policy->rules[t->reason->rule];

	say(t, "[%s] of %s:%d", rule->name,
	    request->policy_file ? request->policy_file : "the policy",
	    ibs_reason_line(t->audit, t->reason));
}

/* The largest unit that divides it. */
static void
say_window(struct telling *t)
{
	static const struct {
		int64_t s;
		const char *name;
	} units[] = {
		{ 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" }
	};
	int64_t s = t->audit->request.policy->rules[t->reason->rule].window_ns /
		    NS_PER_S;
	size_t i = 0;

	while (s % units[i].s || (units[i].s == 86400 && s < 2 * 86400)) {
		i++;
	}
	say(t, "%" PRId64 " %s", s / units[i].s, units[i].name);
}

static void
say_waiver(struct telling *t)
{
	const struct ibs_waiver *waiver =
		&t->audit->request.waivers[t->reason->other];
	char text[4 * IBS_REASON_SIZE];

	say_date(t, waiver->until_ns);
	ibs_escape((const uint8_t *)waiver->reason, strlen(waiver->reason),
		   text, sizeof(text));
	say(t, " \"%s\"", text);
}

/* Where the baseline has the cable of the end. */
static void
say_other(struct telling *t)
{
	const struct ibs_baseline *baseline = t->audit->request.baseline;
	const struct ibs_baseline_link *link =
		&baseline->links[t->reason->other];
	uint32_t end = 1 - t->reason->value; /* the other than that one */
	struct ibs_audit_end other = { IBS_NO_INDEX, IBS_NO_INDEX,
				       link->nodes[end], link->nums[end] };

	say_end(t, &other);
}

static void
say_answer(struct telling *t)
{
	const struct ibs_audit_end *end = &t->row->ends[t->reason->end];
	struct ibs_unread unread;

	if (end->port == IBS_NO_INDEX ||
	    !ibs_unread_of_map(t->audit->request.map, end->port, &unread)) {
		say(t, "it was not read");
		return;
	}
	say(t, "%s", ibs_read_name((enum ibs_read)unread.read));
	if (unread.read == IBS_READ_STATUS) {
		say(t, " 0x%04x", unread.status);
	}
	if (unread.tries) {
		say(t, " after %u %s", unread.tries,
		    ibs_plural(unread.tries, "try", "tries"));
	}
}

static void
say_field(struct telling *t, char letter)
{
	const struct ibs_reason *reason = t->reason;
	uint8_t end = reason->end;

	switch (letter) {
	case 'e':
	case 'p':
		say_end(t, &t->row->ends[letter == 'e' ? end : 1 - end]);
		return;
	case 'h':
	case 'w':
		say_pair(t, letter == 'h' ? reason->has : reason->wants);
		return;
	case 'g':
	case 'm':
		say_gbps(t, letter == 'g' ? reason->value : reason->limit);
		return;
	case 'n':
	case 'l':
		say(t, "%u", letter == 'n' ? reason->value : reason->limit);
		return;
	case 'c':
		say(t, "%s", ibs_plural(reason->value, "change", "changes"));
		return;
	case 'v':
		say(t, "0x%02x", reason->value);
		return;
	case 'f':
		say(t, "%s", reason->field);
		return;
	default:
		break;
	}
}

/* When its link was accepted, or all of it. */
static void
say_accepted(struct telling *t)
{
	const struct ibs_baseline *baseline = t->audit->request.baseline;
	uint32_t link = t->reason->other;

	say_date(t, link == IBS_NO_INDEX ? baseline->at_ns
					 : baseline->links[link].at_ns);
}

static void
say_context(struct telling *t, char letter)
{
	switch (letter) {
	case 'r':
		say_rule(t);
		return;
	case 't':
		say_window(t);
		return;
	case 'b':
		say_accepted(t);
		return;
	case 'o':
		say_other(t);
		return;
	case 'a':
		say_answer(t);
		return;
	case 'x':
		say_waiver(t);
		return;
	default:
		say_field(t, letter);
	}
}

void
ibs_reason_text(const struct ibs_labels *labels, const struct ibs_audit *audit,
		const struct ibs_audit_row *row,
		const struct ibs_reason *reason,
		char ret_text[IBS_REASON_TEXT_SIZE])
{
	struct telling t = { .labels = labels,
			     .audit = audit,
			     .row = row,
			     .reason = reason,
			     .at = ret_text,
			     .left = IBS_REASON_TEXT_SIZE };
	const char *text = reasons[reason->code].text;

	ret_text[0] = '\0';
	while (*text) {
		size_t plain = strcspn(text, "%");

		say(&t, "%.*s", (int)plain, text);
		text += plain;
		if (*text) {
			say_context(&t, text[1]);
			text += 2;
		}
	}
}

int
ibs_reason_line(const struct ibs_audit *audit, const struct ibs_reason *reason)
{
	static const struct {
		enum ibs_reason_code code;
		enum ibs_policy_key key;
	} rows[] = {
		{ IBS_REASON_BELOW_EXPECT, IBS_KEY_EXPECT },
		{ IBS_REASON_BELOW_MIN, IBS_KEY_MIN },
		{ IBS_REASON_PORT_DOWN, IBS_KEY_EXPECT },
		{ IBS_REASON_PORT_DOWN_MIN, IBS_KEY_MIN },
		{ IBS_REASON_TOO_FEW, IBS_KEY_COUNT },
		{ IBS_REASON_FEW_KNOWN, IBS_KEY_COUNT },
		{ IBS_REASON_CHANGES, IBS_KEY_FLAPS },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (reason->rule != IBS_NO_INDEX &&
		    rows[i].code == reason->code) {
			return audit->request.policy->rules[reason->rule]
				.line_of[rows[i].key];
		}
	}
	return 0;
}

int64_t
ibs_audit_since_ns(const struct ibs_audit *audit,
		   const struct ibs_audit_row *row)
{
	int64_t since_ns = 0;

	for (int i = 0; i < 2; i++) {
		uint32_t port = row->ends[i].port;

		if (port != IBS_NO_INDEX &&
		    audit->request.map->ports[port].since_ns > since_ns) {
			since_ns = audit->request.map->ports[port].since_ns;
		}
	}
	return since_ns;
}

int64_t
ibs_audit_lost_or_none(const struct ibs_audit_row *row)
{
	return row->eff_100mbps < 0 || row->expected_100mbps < 0
		       ? -1
		       : row->lost_100mbps;
}
