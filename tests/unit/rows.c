// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "rows.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static void
give_up(const char *what, const char *where)
{
	printf("%s: %s\n", what, where);
	exit(2);
}

static FILE *
open_rows(const char *file)
{
	const char *srcdir = getenv("srcdir");
	char path[512];
	FILE *in;

	snprintf(path, sizeof(path), "%s/tests/data/%s", srcdir ? srcdir : ".",
		 file);
	in = fopen(path, "re");
	if (!in) {
		give_up("cannot open", path);
	}
	return in;
}

static void
run_row(struct unit_row *row, void (*run)(struct unit_row *row))
{
	run(row);
	for (size_t i = 0; i < row->n_pairs; i++) {
		if (!row->pairs[i].used) {
			unit_check(0, row->name, row->pairs[i].key, __FILE__,
				   __LINE__);
		}
	}
	memset(row, 0, sizeof(*row));
}

static void
copy(char *to, size_t size, const char *from)
{
	if (strlen(from) >= size) {
		give_up("too long", from);
	}
	memcpy(to, from, strlen(from) + 1);
}

static void
add_pair(struct unit_row *row, const char *key, const char *value)
{
	if (!row->name[0] || row->n_pairs == UNIT_ROW_PAIRS) {
		give_up("no room for", key);
	}
	copy(row->pairs[row->n_pairs].key, sizeof(row->pairs[0].key), key);
	copy(row->pairs[row->n_pairs].value, sizeof(row->pairs[0].value),
	     value);
	row->n_pairs++;
}

static void
continue_value(struct unit_row *row, const char *more)
{
	char *value;

	if (row->n_pairs == 0) {
		give_up("continues nothing", more);
	}
	value = row->pairs[row->n_pairs - 1].value;
	copy(value + strlen(value), sizeof(row->pairs[0].value) - strlen(value),
	     more);
}

static char *
skip_blanks(char *text)
{
	while (isspace((unsigned char)*text)) {
		text++;
	}
	return text;
}

/* Takes the first word off the line; returns the rest. */
static char *
split(char *line)
{
	char *rest = line + strcspn(line, " \t");

	if (*rest) {
		*rest++ = '\0';
	}
	return skip_blanks(rest);
}

size_t
unit_rows(const char *file, void (*run)(struct unit_row *row))
{
	FILE *in = open_rows(file);
	struct unit_row row = { 0 };
	char line[256];
	size_t n_rows = 0;

	while (fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '#' || !*skip_blanks(line)) {
			continue;
		}
		if (isspace((unsigned char)line[0])) {
			continue_value(&row, skip_blanks(line));
		} else if (strncmp(line, "row ", 4) == 0) {
			if (n_rows++) {
				run_row(&row, run);
			}
			copy(row.name, sizeof(row.name), line + 4);
		} else {
			const char *value = split(line);

			add_pair(&row, line, value);
		}
	}
	fclose(in);
	if (n_rows) {
		run_row(&row, run);
	}
	return n_rows;
}

const char *
unit_row_text(struct unit_row *row, const char *prefix, const char *key)
{
	size_t length = strlen(prefix);

	for (size_t i = 0; i < row->n_pairs; i++) {
		if (strncmp(row->pairs[i].key, prefix, length) == 0 &&
		    strcmp(row->pairs[i].key + length, key) == 0) {
			row->pairs[i].used = true;
			return row->pairs[i].value;
		}
	}
	return NULL;
}

/* "active/supported/enabled"; false when the row does not have it. */
static bool
row_triple(struct unit_row *row, const char *prefix, const char *key,
	   unsigned int ret_values[3])
{
	const char *text = unit_row_text(row, prefix, key);

	if (!text) {
		return false;
	}
	if (sscanf(text, "%u/%u/%u", &ret_values[0], &ret_values[1],
		   &ret_values[2]) != 3) {
		give_up("not three numbers", text);
	}
	return true;
}

static void
put_triples(struct unit_row *row, const char *prefix, uint8_t *pi)
{
	static const struct {
		const char *key;
		enum ibs_port_info_field fields[3];
	} triples[] = {
		{ "w",
		  { IBS_PI_LinkWidthActive, IBS_PI_LinkWidthSupported,
		    IBS_PI_LinkWidthEnabled } },
		{ "s",
		  { IBS_PI_LinkSpeedActive, IBS_PI_LinkSpeedSupported,
		    IBS_PI_LinkSpeedEnabled } },
		{ "x",
		  { IBS_PI_LinkSpeedExtActive, IBS_PI_LinkSpeedExtSupported,
		    IBS_PI_LinkSpeedExtEnabled } },
		{ "x2",
		  { IBS_PI_LinkSpeedExtActive2, IBS_PI_LinkSpeedExtSupported2,
		    IBS_PI_LinkSpeedExtEnabled2 } },
	};
	unsigned int values[3];

	for (size_t i = 0; i < sizeof(triples) / sizeof(triples[0]); i++) {
		if (!row_triple(row, prefix, triples[i].key, values)) {
			continue;
		}
		for (size_t j = 0; j < 3; j++) {
			ibs_field_put(
				pi, &ibs_port_info_fields[triples[i].fields[j]],
				values[j]);
		}
	}
}

/* Hex bytes, then single fields; false when the row has neither. */
static bool
put_port_info(struct unit_row *row, const char *prefix, const char *hex,
	      uint8_t *pi)
{
	bool there = hex != NULL;

	if (hex) {
		unit_hex(hex, pi);
	}
	for (size_t i = 0; i < IBS_PI_COUNT; i++) {
		const struct ibs_field *field = &ibs_port_info_fields[i];
		const char *text = unit_row_text(row, prefix, field->name);

		if (text) {
			ibs_field_put(pi, field, strtoull(text, NULL, 0));
			there = true;
		}
	}
	return there;
}

static void
put_epi(struct unit_row *row, const char *prefix, struct unit_end *end)
{
	const char *text = unit_row_text(row, prefix, "epi");
	uint8_t data[IBS_ATTR_SIZE];
	unsigned int values[3];

	if (text && strcmp(text, "absent") == 0) {
		end->epi.read = IBS_EPI_ABSENT;
	} else if (text) {
		unit_hex(text, data);
		end->epi = ibs_epi_from_attr(data);
	}
	if (row_triple(row, prefix, "m", values)) {
		end->epi = (struct ibs_epi){ .read = IBS_EPI_ANSWERED,
					     .active = (uint8_t)values[0],
					     .supported = (uint8_t)values[1],
					     .enabled = (uint8_t)values[2] };
	}
}

void
unit_row_end(struct unit_row *row, const char *prefix, struct unit_end *ret_end)
{
	struct unit_end end = { 0 };
	const char *get = unit_row_text(row, prefix, "get");
	char port0[16];

	snprintf(port0, sizeof(port0), "%sport0.", prefix);
	put_port_info(row, prefix, unit_row_text(row, prefix, "pi"), end.pi);
	put_triples(row, prefix, end.pi);
	end.gated_by_port0 = put_port_info(
		row, port0, unit_row_text(row, prefix, "port0"), end.port0);
	put_epi(row, prefix, &end);
	end.asked_ext = get && strcmp(get, "bit31") == 0;
	end.ungated = get && strcmp(get, "ungated") == 0;
	end.unread = get && strcmp(get, "unread") == 0;
	if (get && !end.asked_ext && !end.ungated && !end.unread) {
		give_up("unknown get", get);
	}
	*ret_end = end;
}

void
unit_end_decode(const struct unit_end *end, struct ibs_port *ret_port)
{
	struct ibs_port_source source = {
		.pi = end->pi,
		.cap = end->gated_by_port0 ? end->port0 : NULL,
		.epi = end->epi,
		.asked_ext = end->asked_ext,
		.ungated = end->ungated,
	};

	if (end->unread) {
		ibs_port_unread(ret_port);
		return;
	}
	ibs_port_decode(&source, ret_port);
}

void
unit_pair_text(unsigned int speed, unsigned int width,
	       char ret_text[UNIT_PAIR_SIZE])
{
	const struct ibs_speed_row *s = ibs_speed_row((enum ibs_speed)speed);
	const struct ibs_width_row *w = ibs_width_row((enum ibs_width)width);
	char lanes[8];

	snprintf(lanes, sizeof(lanes), "%d", w ? w->lanes : 0);
	snprintf(ret_text, UNIT_PAIR_SIZE, "%sx%s",
		 w			   ? lanes
		 : width == IBS_WIDTH_NONE ? "-"
					   : "?",
		 s			   ? s->name
		 : speed == IBS_SPEED_NONE ? "-"
					   : "?");
}

struct ibs_pair
unit_pair(const char *text)
{
	unsigned int lanes;
	char speed[8];

	if (sscanf(text, "%ux%7s", &lanes, speed) != 2) {
		give_up("not a width and a speed", text);
	}
	return (struct ibs_pair){
		.speed = (uint8_t)ibs_speed_from_name(speed),
		.width = (uint8_t)ibs_width_from_lanes(lanes),
	};
}
