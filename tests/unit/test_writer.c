// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Names whatever their bytes, text and CSV, and streams that fail. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/writer.h"
#include "unit.h"
#include "written.h"

/* The bytes that an escaped text stands for. */
static size_t
unescape(const char *text, uint8_t *bytes)
{
	size_t n = 0;

	while (*text) {
		unsigned int byte = (unsigned char)*text++;

		if (byte == '\\' && sscanf(text, "x%2x", &byte) == 1) {
			text += 3;
		}
		bytes[n++] = (uint8_t)byte;
	}
	return n;
}

static void
test_escape(void)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *want;
	} rows[] = {
		{ "leaf01", 6, "leaf01" }, { "", 0, "" },
		{ "a b  c", 6, "a b  c" }, { "\"'`", 3, "\"'`" },
		{ "a\\b", 3, "a\\x5cb" },  { "n\xe9", 2, "n\\xe9" },
		{ "a\0b", 3, "a\\x00b" },  { "\x1b[2J", 4, "\\x1b[2J" },
		{ "\x7f~", 2, "\\x7f~" },  { "\xff\xff", 2, "\\xff\\xff" },
	};
	uint8_t all[256], back[256];
	char text[4 * sizeof(all) + 1];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ibs_escape((const uint8_t *)rows[i].bytes, rows[i].size, text,
			   sizeof(text));
		CHECK_TEXT(rows[i].want, text, rows[i].want);
	}
	for (size_t i = 0; i < sizeof(all); i++) {
		all[i] = (uint8_t)i;
	}
	ibs_escape(all, sizeof(all), text, sizeof(text));
	CHECK_INT("all", unescape(text, back), sizeof(all));
	CHECK("all", memcmp(all, back, sizeof(all)) == 0);
}

/* Never inside an escape, never behind the end. */
static void
test_escape_cut(void)
{
	static const char *const want[] = { "",	 "",	   "a",	      "a", "a",
					    "a", "a\\xe9", "a\\xe9b", NULL };

	for (size_t size = 1; want[size]; size++) {
		char text[16];

		memset(text, '#', sizeof(text));
		ibs_escape((const uint8_t *)"a\xe9"
					    "b",
			   3, text, size);
		CHECK_TEXT(want[size], text, want[size]);
		CHECK(want[size], text[size] == '#');
	}
}

/* Names that were meant to hurt. */
static void
edit_hostile(struct ibs_map *map)
{
	uint8_t full[IBS_DESC_SIZE];

	memset(full, 0xff, sizeof(full));
	node_rename(map, 0x10, "", 0);
	node_rename(map, 0x11, "a\0b\0\"c\",\x1b[2J\r\n", 14);
	node_rename(map, 0x20, "MT4123   ConnectX6 ", 19);
	node_rename(map, 0x30, full, sizeof(full));
	node_rename(map, 0x40, "-", 1);
	node_rename(map, 0x50, "-", 1);
	port_of(map, 0x50, 1)->read = IBS_READ_TIMEOUT;
}

typedef int map_writer(FILE *out, const struct ibs_report *report);

static void
write_map(map_writer *write, struct ibs_map *map, struct written *written)
{
	struct ibs_report report;
	size_t bad;

	if (ibs_report_make(map, NULL, 0, &report, &bad)) {
		abort();
	}
	written_open(written);
	CHECK_INT("map", write(written->out, &report), 0);
	ibs_report_free(&report);
}

static void
test_hostile_json(void)
{
	static const struct json_row rows[] = {
		{ "nodes.0.name", "\"\"" },
		{ "nodes.1.name",
		  "\"a\\\\x00b\\\\x00\\\"c\\\",\\\\x1b[2J\\\\x0d\\\\x0a\"" },
		{ "nodes.2.name", "\"MT4123   ConnectX6 \"" },
		{ "nodes.4.name", "\"-\"" },
	};
	struct ibs_map *map = unit_map(edit_hostile);
	struct written written;
	json_t *json;
	uint8_t back[IBS_DESC_TEXT_SIZE];

	write_map(ibs_writer_json.map, map, &written);
	json = written_json(&written, "hostile");
	CHECK_JSON(json, rows);
	CHECK_INT("full",
		  unescape(json_string_value(json_at(json, "nodes.3.name")),
			   back),
		  IBS_DESC_SIZE);
	CHECK("full", memcmp(back, map->nodes[3].desc, IBS_DESC_SIZE) == 0);
	json_decref(json);
	ibs_map_free(map);
}

/* Columns of a line: two blanks or more stand between them. */
static int
count_columns(const char *line)
{
	int n = 1;

	for (const char *at = line; *at; at++) {
		if (at[0] == ' ' && at[1] == ' ' && at[2] != ' ') {
			n++;
		}
	}
	return n;
}

static void
test_hostile_text(void)
{
	struct ibs_map *map = unit_map(edit_hostile);
	struct written written;
	char *rest, *line;
	int n = 0;

	write_map(ibs_writer_text.map, map, &written);
	written_close(&written);
	CHECK_INT("text", strlen(written.bytes), written.size);
	for (size_t i = 0; i < written.size; i++) {
		uint8_t byte = (uint8_t)written.bytes[i];

		CHECK("text", (byte >= ' ' && byte <= '~') || byte == '\n');
	}
	CHECK("text", strstr(written.bytes, "MT4123 \\x20\\x20ConnectX6\\x20"));
	rest = strstr(written.bytes, "NAME ");
	while (rest && (line = strsep(&rest, "\n")) && *line) {
		CHECK_INT(line, count_columns(line), 9);
		n++;
	}
	CHECK_INT("text", n, 1 + 6);
	free(written.bytes);
	ibs_map_free(map);
}

static void
edit_slow(struct ibs_map *map)
{
	map->subnet = (struct ibs_subnet){ .sm_port_guid = 0x20,
					   .prefix = 0xfe80000000000000,
					   .opensm = "OpenSM 3.3.23" };
	map->sweep.id = 7;
	map->sweep.end_ns = INT64_C(1748747564000000001);
	map->sweep.start_mono_ns = 1;
	map->sweep.end_mono_ns = 12500001;
	port_put(port_of(map, 0x10, 3), IBS_PI_LinkWidthActive, 1);
	port_put(port_of(map, 0x11, 3), IBS_PI_LinkWidthActive, 1);
	node_rename(map, 0x40, "hostA", 5);
	port_of(map, 0x50, 1)->read = IBS_READ_STATUS;
	port_of(map, 0x50, 1)->status = 0x1c;
	port_of(map, 0x50, 1)->tries = 1;
}

static void
test_text(void)
{
	static const char want[] =
		"Subnet 0xfe80000000000000, SM port 0x0000000000000020, "
		"OpenSM 3.3.23\n"
		"Read 2025-06-01T03:12:44Z in 0.012 s, sweep 7: INCOMPLETE, "
		"1 of 16 ports did not answer\n"
		"\n"
		"NAME    PORT  PEER                      PORT  SPEED    Gb/s"
		"  EXPECTED   FINDINGS        SINCE\n"
		"leaf01     3  leaf02                       3  1xHDR      50"
		"  4xHDR 200  degraded-width  -\n"
		"leaf02     2  hostD                        1  unknown     -"
		"  -          unknown         -\n"
		"leaf01     1  hostA 0x0000000000000020     1  4xHDR     200"
		"  -          -               -\n"
		"leaf01     2  hostB                        1  4xHDR     200"
		"  -          -               -\n"
		"leaf01     4  leaf02                       4  4xHDR     200"
		"  -          -               -\n"
		"leaf02     1  hostA 0x0000000000000040     1  4xHDR     200"
		"  -          -               -\n"
		"\n"
		"SPEED    LINKS  ENDS  Gb/s  TOTAL Gb/s\n"
		"4xHDR        4     9   200         800\n"
		"1xHDR        1     2    50          50\n"
		"unknown      1     0     -           -\n"
		"\n"
		"Nodes      2 switches, 4 CAs\n"
		"Links      6, 2 with findings\n"
		"Findings   1 degraded-width: fewer lanes than both ends "
		"enable\n"
		"           1 unknown: an end did not answer, or its codes "
		"are not known\n"
		"Bandwidth  850 of 1000 Gb/s expected, 150 Gb/s lost\n"
		"Ports      2 down\n"
		"Reading    INCOMPLETE, 1 of 16 ports did not answer\n"
		"\n"
		"NAME   PORT  PATH  REASON         TRIES\n"
		"hostD     1  0     status 0x001c      1\n";
	struct ibs_map *map = unit_map(edit_slow);
	struct written written;

	write_map(ibs_writer_text.map, map, &written);
	written_close(&written);
	CHECK_TEXT("text", written.bytes, want);
	free(written.bytes);
	ibs_map_free(map);
}

/* Fields of a CSV line; a line break inside quotes would be none. */
static int
count_fields(const char *line)
{
	bool quoted = false;
	int n = 1;

	for (; *line; line++) {
		quoted ^= *line == '"';
		n += *line == ',' && !quoted;
	}
	return quoted ? -1 : n;
}

static void
test_csv(void)
{
	struct ibs_map *map = unit_map(edit_hostile);
	struct ibs_query query = { .map = map, .port = IBS_NO_INDEX };
	struct written written;
	char *rest, *line;
	int n = 0;

	write_map(ibs_writer_csv.map, map, &written);
	written_close(&written);
	CHECK("csv", strstr(written.bytes,
			    ",\"a\\x00b\\x00\"\"c\"\",\\x1b[2J\\x0d\\x0a\","));
	CHECK("csv", strstr(written.bytes, ",MT4123   ConnectX6 ,"));
	rest = written.bytes;
	while ((line = strsep(&rest, "\n")) && *line) {
		CHECK_INT(line, count_fields(line), 24);
		n++;
	}
	CHECK_INT("csv", n, 1 + 6);
	free(written.bytes);
	written_open(&written);
	CHECK_INT("csv", ibs_writer_csv.query(written.out, &query), 0);
	written_close(&written);
	rest = written.bytes;
	for (n = 0; (line = strsep(&rest, "\n")) && *line; n++) {
		CHECK_INT(line, count_fields(line), 36);
	}
	CHECK_INT("csv", n, 1 + 6);
	free(written.bytes);
	ibs_map_free(map);
}

static struct ibs_status
status_of(const struct ibs_map *map)
{
	return (struct ibs_status){
		.db = "/tmp/\xe9.db",
		.now_ns = map->sweep.end_ns + INT64_C(12999999999),
		.has_recorder = true,
		.recorder_alive = true,
		.recorder = { .pid = 42,
			      .host = "n\x1b[2J",
			      .version = "0.1.0",
			      .sm_state = 3 },
		.map = map,
		.n_sweeps = 7,
		.size_bytes = 4096,
	};
}

static void
test_status(void)
{
	static const struct json_row rows[] = {
		{ "recorder.state", "\"running\"" },
		{ "recorder.pid", "42" },
		{ "recorder.host", "\"n\\u001B[2J\"" },
		{ "recorder.started", "null" },
		{ "recorder.sm_state", "\"master\"" },
		{ "recorder.error", "null" },
		{ "opensm.version", "\"OpenSM 3.3.23\"" },
		{ "clock.source", "null" },
		{ "sweep.id", "7" },
		{ "sweep.age_s", "12" },
		{ "sweep.complete", "false" },
		{ "store.path", "\"/tmp/\\\\xe9.db\"" },
		{ "store.sweeps", "7" },
		{ "store.size_bytes", "4096" },
		{ "counts.4xHDR", "{\"links\":4,\"ends\":9}" },
		{ "counts.unread", "1" },
		{ "counts.down", "2" },
	};
	struct ibs_map *map = unit_map(edit_slow);
	struct ibs_status status = status_of(map);
	struct written written;
	json_t *json;

	written_open(&written);
	CHECK_INT("json", ibs_writer_json.status(written.out, &status), 0);
	json = written_json(&written, "status");
	CHECK_JSON(json, rows);
	json_decref(json);
	written_open(&written);
	CHECK_INT("text", ibs_writer_text.status(written.out, &status), 0);
	written_close(&written);
	CHECK("text", strstr(written.bytes,
			     "Recorder   running, pid 42 on n\\x1b[2J,"));
	CHECK("text", strstr(written.bytes, ", 12 s old: INCOMPLETE, 1 of"));
	free(written.bytes);
	ibs_map_free(map);
}

static void
test_status_of_nothing(void)
{
	static const struct json_row rows[] = {
		{ "recorder.state", "\"none\"" },
		{ "recorder.pid", "null" },
		{ "opensm.version", "null" },
		{ "clock", "null" },
		{ "sweep", "null" },
		{ "counts", "null" },
	};
	struct ibs_status status = { .db = "x.db" };
	struct written written;
	json_t *json;

	written_open(&written);
	CHECK_INT("json", ibs_writer_json.status(written.out, &status), 0);
	json = written_json(&written, "nothing");
	CHECK_JSON(json, rows);
	json_decref(json);
	written_open(&written);
	CHECK_INT("text", ibs_writer_text.status(written.out, &status), 0);
	written_close(&written);
	CHECK_TEXT("text", written.bytes,
		   "Recorder   none: nobody has recorded here\n"
		   "Store      x.db, 0 sweeps, 0 bytes\n"
		   "Sweep      none recorded yet\n");
	free(written.bytes);
}

static const struct unit_test tests[] = {
	{ "escape", test_escape },
	{ "escape, cut", test_escape_cut },
	{ "hostile names, json", test_hostile_json },
	{ "hostile names, text", test_hostile_text },
	{ "map as text", test_text },
	{ "csv", test_csv },
	{ "status", test_status },
	{ "status of nothing", test_status_of_nothing },
};
UNIT_MAIN("writer", tests)
