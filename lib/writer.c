// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The list of formats, and the texts and orders that all of them share. */
#include <config.h>

#include "ibspeed/writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "writer_private.h"

#define N_ROWS(table) (sizeof(table) / sizeof((table)[0]))
#define NS_PER_S      1000000000

const struct ibs_writer *
ibs_writer_find(const char *name)
{
	static const struct ibs_writer *const writers[] = { &ibs_writer_text,
							    &ibs_writer_json,
							    &ibs_writer_csv };

	for (size_t i = 0; i < N_ROWS(writers); i++) {
		if (strcmp(writers[i]->name, name) == 0) {
			return writers[i];
		}
	}
	return NULL;
}

/* One escaped byte; false when it does not fit any more. */
static bool
put_byte(uint8_t byte, bool plain, char **at, size_t *left)
{
	size_t size = plain ? 1 : 4;

	if (*left <= size) {
		return false;
	}
	if (plain) {
		**at = (char)byte;
	} else {
		snprintf(*at, *left, "\\x%02x", byte);
	}
	*at += size;
	*left -= size;
	return true;
}

static bool
is_plain(uint8_t byte)
{
	return byte >= ' ' && byte <= '~' && byte != '\\';
}

void
ibs_escape(const uint8_t *bytes, size_t size, char *ret_text, size_t text_size)
{
	char *at = ret_text;

	if (text_size == 0) {
		return;
	}
	for (size_t i = 0; i < size; i++) {
		if (!put_byte(bytes[i], is_plain(bytes[i]), &at, &text_size)) {
			break;
		}
	}
	*at = '\0';
}

void
ibs_node_name(const struct ibs_node *node, char ret_text[IBS_DESC_TEXT_SIZE])
{
	ibs_escape(node->desc, ibs_node_desc_length(node), ret_text,
		   IBS_DESC_TEXT_SIZE);
}

void
ibs_node_cell(const struct ibs_node *node, char ret_text[IBS_DESC_TEXT_SIZE])
{
	size_t length = ibs_node_desc_length(node);
	size_t left = IBS_DESC_TEXT_SIZE;
	bool dash = length == 1 && node->desc[0] == '-';
	char *at = ret_text;

	for (size_t i = 0; i < length; i++) {
		uint8_t byte = node->desc[i];
		bool plain = is_plain(byte) && !dash;

		if (byte == ' ' &&
		    (i == 0 || i + 1 == length || node->desc[i - 1] == ' ')) {
			plain = false;
		}
		put_byte(byte, plain, &at, &left);
	}
	*at = '\0';
}

size_t
ibs_number_text(uint64_t value, char *ret_text)
{
	char digits[IBS_NUMBER_SIZE];
	size_t length = 0;

	do {
		digits[length++] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	for (size_t i = 0; i < length; i++) {
		ret_text[i] = digits[length - 1 - i];
	}
	ret_text[length] = '\0';
	return length;
}

void
ibs_decimal_text(int64_t value, unsigned int digits,
		 char ret_text[IBS_NUMBER_SIZE])
{
	int64_t unit = 1;
	size_t length;

	if (value < 0) {
		snprintf(ret_text, IBS_NUMBER_SIZE, "-");
		return;
	}
	for (unsigned int i = 0; i < digits; i++) {
		unit *= 10;
	}
	if (value % unit == 0) {
		ibs_number_text((uint64_t)(value / unit), ret_text);
		return;
	}
	snprintf(ret_text, IBS_NUMBER_SIZE, "%" PRId64 ".%0*" PRId64,
		 value / unit, (int)digits, value % unit);
	length = strlen(ret_text);
	while (ret_text[length - 1] == '0') {
		ret_text[--length] = '\0';
	}
}

void
ibs_pair_text(struct ibs_pair pair, char ret_text[IBS_PAIR_TEXT_SIZE])
{
	const struct ibs_speed_row *speed =
		ibs_speed_row((enum ibs_speed)pair.speed);
	const struct ibs_width_row *width =
		ibs_width_row((enum ibs_width)pair.width);

	if (speed && width) {
		size_t used = ibs_number_text(width->lanes, ret_text);

		ret_text[used++] = 'x';
		memcpy(ret_text + used, speed->name, strlen(speed->name) + 1);
	} else if (speed) {
		snprintf(ret_text, IBS_PAIR_TEXT_SIZE, "?x%s", speed->name);
	} else if (width) {
		snprintf(ret_text, IBS_PAIR_TEXT_SIZE, "%ux?", width->lanes);
	} else {
		bool none = pair.speed == IBS_SPEED_NONE &&
			    pair.width == IBS_WIDTH_NONE;

		snprintf(ret_text, IBS_PAIR_TEXT_SIZE, "%s",
			 none ? "-" : "unknown");
	}
}

/* The width at which a speed has so many units; NONE when there is none. */
static enum ibs_width
width_with(enum ibs_speed speed, int64_t eff_100mbps)
{
	for (int i = IBS_WIDTH_UNKNOWN + 1; i < IBS_WIDTH_COUNT; i++) {
		enum ibs_width width = (enum ibs_width)i;

		if (ibs_eff_100mbps(speed, width) == eff_100mbps) {
			return width;
		}
	}
	return IBS_WIDTH_NONE;
}

bool
ibs_pair_next(int64_t eff_100mbps, struct ibs_pair *pair)
{
	while (pair->speed > IBS_SPEED_UNKNOWN + 1) {
		pair->speed--;
		pair->width = (uint8_t)width_with((enum ibs_speed)pair->speed,
						  eff_100mbps);
		if (pair->width != IBS_WIDTH_NONE) {
			return true;
		}
	}
	return false;
}

void
ibs_time_text(int64_t ns, unsigned int digits,
	      char ret_text[IBS_TIME_TEXT_SIZE])
{
	time_t seconds = (time_t)(ns / NS_PER_S);
	struct tm tm;
	int used;

	ret_text[0] = '\0';
	if (ns <= 0 || !gmtime_r(&seconds, &tm)) {
		return;
	}
	used = snprintf(ret_text, IBS_TIME_TEXT_SIZE,
			"%04d-%02d-%02dT%02d:%02d:%02d", tm.tm_year + 1900,
			tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
			tm.tm_sec);
	if (digits) {
		char rest[IBS_NUMBER_SIZE];

		snprintf(rest, sizeof(rest), "%09" PRId64, ns % NS_PER_S);
		used += snprintf(ret_text + used,
				 IBS_TIME_TEXT_SIZE - (size_t)used, ".%.*s",
				 (int)digits, rest);
	}
	snprintf(ret_text + used, IBS_TIME_TEXT_SIZE - (size_t)used, "Z");
}

void
ibs_path_text(const struct ibs_node *node, char ret_text[IBS_PATH_TEXT_SIZE])
{
	int used = snprintf(ret_text, IBS_PATH_TEXT_SIZE, "0");

	for (unsigned int i = 1; i <= node->n_hops && i <= IBS_HOPS_MAX; i++) {
		used += snprintf(ret_text + used,
				 IBS_PATH_TEXT_SIZE - (size_t)used, ",%u",
				 node->path[i]);
	}
}

void
ibs_findings_text(ibs_set findings, char separator,
		  char ret_text[IBS_FINDINGS_TEXT_SIZE])
{
	int used = 0;

	ret_text[0] = '\0';
	for (int i = 0; findings && i < IBS_FINDING_COUNT; i++) {
		const struct ibs_finding_row *row =
			ibs_finding_row((enum ibs_finding)i);

		if (!(findings & IBS_BIT(i))) {
			continue;
		}
		if (used) {
			ret_text[used++] = separator;
		}
		used += snprintf(ret_text + used,
				 IBS_FINDINGS_TEXT_SIZE - (size_t)used, "%s",
				 row->name);
	}
}

const char *
ibs_sm_state_name(uint8_t sm_state)
{
	static const char *const names[] = { NULL, "discovering", "standby",
					     "master" };

	return sm_state < N_ROWS(names) ? names[sm_state] : "unknown";
}

const char *
ibs_verbs_member_name(enum ibs_verbs_member member)
{
	static const char *const names[IBS_VERBS_COUNT] = {
#define X(name) #name,
		IBS_VERBS_MEMBERS(X)
#undef X
	};

	return member < IBS_VERBS_COUNT ? names[member] : "unknown";
}

const char *
ibs_recorder_state_name(const struct ibs_status *status)
{
	if (!status->has_recorder) {
		return "none";
	}
	return status->recorder_alive ? "running" : "stopped";
}

/* A name as text that ends; NULs inside end it early. */
static void
name_copy(const struct ibs_node *node, char text[IBS_DESC_SIZE + 1])
{
	memcpy(text, node->desc, IBS_DESC_SIZE);
	text[IBS_DESC_SIZE] = '\0';
}

static int
compare_names(const void *left, const void *right)
{
	const struct ibs_node *a = *(const struct ibs_node *const *)left;
	const struct ibs_node *b = *(const struct ibs_node *const *)right;
	char a_name[IBS_DESC_SIZE + 1], b_name[IBS_DESC_SIZE + 1];
	int order;

	name_copy(a, a_name);
	name_copy(b, b_name);
	order = strverscmp(a_name, b_name);
	if (order == 0) {
		order = memcmp(a->desc, b->desc, IBS_DESC_SIZE);
	}
	if (order == 0) {
		order = a < b ? -1 : a > b; /* by GUID, as in the map */
	}
	return order;
}

const struct ibs_node **
ibs_nodes_by_name(const struct ibs_map *map)
{
	const struct ibs_node **nodes =
		calloc((size_t)map->n_nodes + 1, sizeof(*nodes));

	if (!nodes) {
		return NULL;
	}
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		nodes[i] = &map->nodes[i];
	}
	qsort(nodes, map->n_nodes, sizeof(*nodes), compare_names);
	return nodes;
}

int
ibs_stream_end(FILE *out)
{
	return fflush(out) || ferror(out) ? -EIO : 0;
}
