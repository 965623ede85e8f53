// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* One or two ports as text, a value per line, both ends beside each other. */
#include <config.h>

#include "writer_text.h"

#include <inttypes.h>
#include <string.h>

#define GAP	   2
#define VALUE_SIZE IBS_CELL_SIZE

/* What is known of an end by name, not by number. */
typedef void value_maker(const struct ibs_end *end, char text[VALUE_SIZE]);

static void
put(char text[VALUE_SIZE], const char *value)
{
	snprintf(text, VALUE_SIZE, "%s", value ? value : "-");
}

static void
make_state(const struct ibs_end *end, char text[VALUE_SIZE])
{
	put(text, ibs_port_state_name(end->port.state));
}

static void
make_phys_state(const struct ibs_end *end, char text[VALUE_SIZE])
{
	put(text, ibs_phys_state_name(end->port.phys_state));
}

static void
make_active(const struct ibs_end *end, char text[VALUE_SIZE])
{
	ibs_pair_text(ibs_end_pair(end), text);
}

/* One word behind another, a blank between. */
static void
add_word(char text[VALUE_SIZE], const char *word)
{
	size_t used = strlen(text);

	snprintf(text + used, VALUE_SIZE - used, "%s%s", used ? " " : "", word);
}

static void
widths_text(ibs_set set, char text[VALUE_SIZE])
{
	text[0] = '\0';
	for (int i = 0; i < IBS_WIDTH_COUNT; i++) {
		const struct ibs_width_row *row =
			ibs_width_row((enum ibs_width)i);

		if (row && (set & IBS_BIT(i))) {
			char word[IBS_NUMBER_SIZE];

			snprintf(word, sizeof(word), "%uX", row->lanes);
			add_word(text, word);
		}
	}
}

static void
speeds_text(ibs_set set, char text[VALUE_SIZE])
{
	text[0] = '\0';
	for (int i = 0; i < IBS_SPEED_COUNT; i++) {
		if (ibs_speed_row((enum ibs_speed)i) && (set & IBS_BIT(i))) {
			add_word(text, ibs_speed_name((enum ibs_speed)i));
		}
	}
}

static void
make_widths_supported(const struct ibs_end *end, char text[VALUE_SIZE])
{
	widths_text(end->port.width_supported, text);
}

static void
make_widths_enabled(const struct ibs_end *end, char text[VALUE_SIZE])
{
	widths_text(end->port.width_enabled, text);
}

static void
make_speeds_supported(const struct ibs_end *end, char text[VALUE_SIZE])
{
	speeds_text(end->port.speed_supported, text);
}

static void
make_speeds_enabled(const struct ibs_end *end, char text[VALUE_SIZE])
{
	speeds_text(end->port.speed_enabled, text);
}

static void
make_cap(const struct ibs_end *end, char text[VALUE_SIZE])
{
	put(text, end->port.cap_port0 ? "port0" : "own");
}

static void
make_fdr10_known(const struct ibs_end *end, char text[VALUE_SIZE])
{
	put(text, end->port.fdr10_known ? "yes" : "no");
}

static void
make_needs_reread(const struct ibs_end *end, char text[VALUE_SIZE])
{
	put(text, end->port.needs_reread ? "yes" : "no");
}

static void
make_name(const struct ibs_end *end, char text[VALUE_SIZE])
{
	ibs_node_cell(end->node, text);
}

static void
make_guid(const struct ibs_end *end, char text[VALUE_SIZE])
{
	snprintf(text, VALUE_SIZE, "0x%016" PRIx64, end->node->guid);
}

static void
make_port_guid(const struct ibs_end *end, char text[VALUE_SIZE])
{
	snprintf(text, VALUE_SIZE, "0x%016" PRIx64, end->row->guid);
}

static void
make_port(const struct ibs_end *end, char text[VALUE_SIZE])
{
	snprintf(text, VALUE_SIZE, "%u", end->row->num);
}

static void
make_read(const struct ibs_end *end, char text[VALUE_SIZE])
{
	put(text, ibs_read_name((enum ibs_read)end->row->read));
}

static void
make_since(const struct ibs_end *end, char text[VALUE_SIZE])
{
	ibs_time_text(end->row->since_ns, 0, text);
}

static void
make_opensm(const struct ibs_end *end, char text[VALUE_SIZE])
{
	put(text, NULL);
	if (end->row->flags & IBS_PORT_HAS_SM) {
		ibs_pair_text(end->row->sm, text);
	}
}

/* "2026-11-30T14:33:55.123456789Z +-20.5 us" */
static void
make_read_at(const struct ibs_end *end, char text[VALUE_SIZE])
{
	char half[IBS_NUMBER_SIZE];
	struct ibs_moment moment;
	size_t used;

	if (!ibs_clock_when(&end->map->sweep.clock, &end->row->stamp,
			    &moment)) {
		return;
	}
	ibs_time_text(moment.real_ns, 9, text);
	used = strlen(text);
	if (used) {
		ibs_decimal_text((int64_t)moment.real_half_ns, 3, half);
		snprintf(text + used, VALUE_SIZE - used, " +-%s us", half);
	}
}

static void
make_ticks(const struct ibs_end *end, char text[VALUE_SIZE])
{
	const struct ibs_stamp *stamp = &end->row->stamp;

	if (stamp->tx.raw && stamp->rx.raw) {
		snprintf(text, VALUE_SIZE, "%" PRIu64 "..%" PRIu64,
			 stamp->tx.raw, stamp->rx.raw);
	}
}

static const struct {
	const char *name;
	value_maker *make;
	bool of_map; /* bytes alone do not have it, unread ports do */
	bool verbose;
} named_rows[] = {
	{ "name", make_name, true, false },
	{ "guid", make_guid, true, false },
	{ "port_guid", make_port_guid, true, false },
	{ "port", make_port, true, false },
	{ "read", make_read, true, false },
	{ "since", make_since, true, false },
	{ "read_at", make_read_at, true, true },
	{ "ticks", make_ticks, true, true },
	{ "opensm", make_opensm, true, false },
	{ "state", make_state, false, false },
	{ "phys_state", make_phys_state, false, false },
	{ "active", make_active, false, false },
	{ "widths_supported", make_widths_supported, false, false },
	{ "widths_enabled", make_widths_enabled, false, false },
	{ "speeds_supported", make_speeds_supported, false, false },
	{ "speeds_enabled", make_speeds_enabled, false, false },
	{ "cap", make_cap, false, false },
	{ "fdr10_known", make_fdr10_known, false, false },
	{ "needs_reread", make_needs_reread, false, false },
};
#define N_NAMED	    (sizeof(named_rows) / sizeof(named_rows[0]))
#define N_LINES	    (N_NAMED + IBS_MEMBER_COUNT)
#define N_LINES_RAW (N_LINES + IBS_PI_COUNT)

/* MTU codes 1..5: 256 to 4096 bytes. */
static void
mtu_text(int64_t code, char text[VALUE_SIZE])
{
	if (code >= 1 && code <= 5) {
		snprintf(text, VALUE_SIZE, "%d (%" PRId64 ")", 128 << (int)code,
			 code);
	} else {
		snprintf(text, VALUE_SIZE, "unknown (%" PRId64 ")", code);
	}
}

static void
width_text(int64_t code, char text[VALUE_SIZE])
{
	const struct ibs_width_row *row =
		ibs_width_row(ibs_width_from_code((uint8_t)code));

	if (row) {
		snprintf(text, VALUE_SIZE, "%uX (%" PRId64 ")", row->lanes,
			 code);
	} else {
		snprintf(text, VALUE_SIZE, "unknown (%" PRId64 ")", code);
	}
}

static void
gbps_text(int64_t eff_100mbps, char text[VALUE_SIZE])
{
	char gbps[IBS_NUMBER_SIZE];

	ibs_decimal_text(eff_100mbps, 1, gbps);
	snprintf(text, VALUE_SIZE, "%" PRId64 " (%s Gb/s)", eff_100mbps, gbps);
}

static void
member_text(const struct ibs_member_row *row, int64_t value,
	    char text[VALUE_SIZE])
{
	if (value < 0) {
		put(text, NULL);
		return;
	}
	switch (row->kind) {
	case IBS_MEMBER_DECIMAL:
		snprintf(text, VALUE_SIZE, "%" PRId64, value);
		break;
	case IBS_MEMBER_HEX:
		snprintf(text, VALUE_SIZE, "0x%" PRIx64, (uint64_t)value);
		break;
	case IBS_MEMBER_MTU:
		mtu_text(value, text);
		break;
	case IBS_MEMBER_WIDTH:
		width_text(value, text);
		break;
	case IBS_MEMBER_GBPS:
		gbps_text(value, text);
		break;
	}
}

static void
raw_text(const struct ibs_end *end, size_t field, char text[VALUE_SIZE])
{
	const struct ibs_field *row = &ibs_port_info_fields[field];
	uint64_t value = ibs_field_get(end->pi, row);

	if (end->map && field == IBS_PI_M_Key) {
		return;
	}
	if (ibs_raw_is_hex((enum ibs_port_info_field)field)) {
		snprintf(text, VALUE_SIZE, "0x%0*" PRIx64, row->size_bits / 4,
			 value);
	} else {
		snprintf(text, VALUE_SIZE, "%" PRIu64, value);
	}
}

/* Line i of an end; "-" for what it does not have. */
static void
line_text(const struct ibs_end *end, size_t i, char text[VALUE_SIZE])
{
	int64_t values[IBS_MEMBER_COUNT];
	bool of_map = i < N_NAMED && named_rows[i].of_map;

	text[0] = '\0';
	if (!end || (of_map ? !end->node : !end->pi)) {
		put(text, NULL);
	} else if (i < N_NAMED) {
		named_rows[i].make(end, text);
	} else if (i < N_LINES) {
		ibs_end_members(end, values);
		member_text(&ibs_member_rows[i - N_NAMED], values[i - N_NAMED],
			    text);
	} else {
		raw_text(end, i - N_LINES, text);
	}
	if (!text[0]) {
		put(text, NULL);
	}
}

static const char *
line_name(size_t i)
{
	if (i < N_NAMED) {
		return named_rows[i].name;
	}
	return i < N_LINES ? ibs_member_rows[i - N_NAMED].name
			   : ibs_port_info_fields[i - N_LINES].name;
}

static bool
has_line(const struct ibs_end *end, size_t i, bool verbose)
{
	return i >= N_NAMED || ((!named_rows[i].of_map || end->node) &&
				(!named_rows[i].verbose || verbose));
}

/* The widest value of an end, so that the other stands in one column. */
static int
column_width(const struct ibs_end *end, size_t n_lines, bool verbose)
{
	char text[VALUE_SIZE];
	size_t width = 0;

	for (size_t i = 0; i < n_lines; i++) {
		if (!has_line(end, i, verbose)) {
			continue;
		}
		line_text(end, i, text);
		width = strlen(text) > width ? strlen(text) : width;
	}
	return (int)width;
}

void
ibs_text_ends(FILE *out, const struct ibs_end *a, const struct ibs_end *b,
	      bool raw)
{
	size_t n_lines = raw ? N_LINES_RAW : N_LINES;
	int width = column_width(a, n_lines, raw);
	char text[VALUE_SIZE];

	for (size_t i = 0; i < n_lines; i++) {
		if (!has_line(a, i, raw)) {
			continue;
		}
		ibs_dots(out, line_name(i));
		line_text(a, i, text);
		fprintf(out, "%-*s", b ? width + GAP : 0, text);
		if (b) {
			line_text(b, i, text);
			fputs(text, out);
		}
		fputc('\n', out);
	}
}

void
ibs_text_verdict(FILE *out, const struct ibs_link *link)
{
	char text[IBS_CELL_SIZE];

	ibs_dots(out, "link");
	ibs_link_cell(link, text);
	fprintf(out, "%s\n", text);
	ibs_dots(out, "eff_100mbps");
	member_text(&ibs_member_rows[IBS_MEMBER_eff_100mbps], link->eff_100mbps,
		    text);
	fprintf(out, "%s\n", text);
	ibs_dots(out, "lost_100mbps");
	member_text(&ibs_member_rows[IBS_MEMBER_eff_100mbps],
		    ibs_link_lost_or_none(link), text);
	fprintf(out, "%s\n", text);
	ibs_dots(out, "expected");
	ibs_pair_gbps_text(link->expected, text, sizeof(text));
	fprintf(out, "%s\n", text);
	ibs_dots(out, "capability");
	ibs_pair_gbps_text(link->capability, text, sizeof(text));
	fprintf(out, "%s\n", text);
	ibs_dots(out, "findings");
	ibs_findings_text(link->findings, ',', text);
	fprintf(out, "%s\n", text[0] ? text : "-");
}
