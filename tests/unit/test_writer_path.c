// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The way from a port to another as text, JSON and CSV. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "ibspeed/path.h"
#include "ibspeed/writer.h"
#include "unit.h"
#include "written.h"

#define HOST_A	   0x20 /* LID 3, at port 1 of leaf01 */
#define HOST_C	   0x40 /* LID 5, at port 1 of leaf02 */
#define HOST_C_LID 5

static void
slow_between(struct ibs_map *map)
{
	port_put(port_of(map, 0x10, 3), IBS_PI_LinkSpeedExtActive, 2);
	port_put(port_of(map, 0x11, 3), IBS_PI_LinkSpeedExtActive, 2);
}

static void
silent_host(struct ibs_map *map)
{
	port_of(map, HOST_A, 1)->read = IBS_READ_TIMEOUT;
}

/* leaf01 sends host C by its port 3 and all others by port 1, leaf02 likewise:
 * the same cable, as long as nobody says otherwise. */
static uint8_t
entry_of(const struct ibs_path *path)
{
	bool leaf01 = path->map->nodes[path->at].guid == 0x10;

	if (path->route.dlid == HOST_C_LID) {
		return leaf01 ? 3 : 1;
	}
	return leaf01 ? 1 : 4;
}

static uint32_t
port_at(const struct ibs_map *map, uint64_t guid)
{
	return ibs_path_port_of(map, ibs_map_find_node(map, guid));
}

/* Both tables answer, until read says otherwise. */
static void
follow(const struct ibs_map *map, uint64_t src, uint64_t dst,
       enum ibs_read read, struct ibs_path *path)
{
	const struct ibs_route route = { .src = port_at(map, src),
					 .dst = port_at(map, dst) };
	struct ibs_attr info = { .read = (uint8_t)read, .status = 0x1c };
	struct ibs_attr block = { .read = IBS_READ_OK };

	ibs_field_put(info.data, &ibs_switch_info_fields[IBS_SI_LinearFDBTop],
		      63);
	CHECK_INT("path", ibs_path_begin(map, &route, path), 0);
	while (ibs_path_wants(path)) {
		memset(block.data, entry_of(path), sizeof(block.data));
		ibs_path_forward(path, &info, &block);
	}
}

static void
check_text(const char *row, const struct ibs_path_report *report,
	   const char *want)
{
	struct written written;

	written_open(&written);
	CHECK_INT(row, ibs_writer_text.path(written.out, report), 0);
	written_close(&written);
	CHECK_TEXT(row, written.bytes, want);
	free(written.bytes);
}

#define HEAD  "hostA/1 to hostC/1, LID 5\n\n"
#define TITLE "NAME    PORT  PEER    PORT  SPEED  Gb/s  EXPECTED   FINDINGS\n"
#define HOPS                                                                   \
	"hostA      1  leaf01     1  4xHDR   200  -          -\n"              \
	"leaf01     3  leaf02     3  4xEDR   100  4xHDR 200  degraded-speed\n" \
	"leaf02     1  hostC      1  4xHDR   200  -          -\n\n"
#define PATH                                                                   \
	"Path       leaf01/3 -> leaf02/3 is the slowest: 4xEDR, 100 Gb/s; "    \
	"path 100 Gb/s, rate enum 16 (mult 40, 103125 Mb/s)\n"
#define BACK                                                                   \
	"Back       no link is slower than another; path 200 Gb/s, rate "      \
	"enum 17 (mult 80, 206250 Mb/s)\n"

static void
test_text(void)
{
	static const struct {
		const char *row;
		struct ibs_path_record record;
		const char *want;
	} rows[] = {
		{ "the same",
		  { .read = IBS_READ_OK, .rate_enum = 16 },
		  "SA         its PathRecord says the same rate\n" },
		{ "more",
		  { .read = IBS_READ_OK, .rate_enum = 17 },
		  "SA         its PathRecord says rate enum 17 (200 Gb/s): "
		  "more than the slowest link carries\n" },
		{ "less",
		  { .read = IBS_READ_OK, .rate_enum = 4 },
		  "SA         its PathRecord says rate enum 4 (30 Gb/s): "
		  "less than the slowest link carries\n" },
		{ "a rate that nobody knows",
		  { .read = IBS_READ_OK, .rate_enum = 63 },
		  "SA         its PathRecord says rate enum 63, which is not "
		  "known\n" },
		{ "refused",
		  { .read = IBS_READ_STATUS, .status = 0x300, .rate_enum = -1 },
		  "SA         gives no PathRecord: status 0x0300\n" },
		{ "silent",
		  { .read = IBS_READ_TIMEOUT, .rate_enum = -1 },
		  "SA         did not answer\n" },
		{ "this host cannot",
		  { .read = IBS_READ_UNASKED, .failed = true, .rate_enum = -1 },
		  "SA         could not be asked for its PathRecord\n" },
		{ "nobody to ask",
		  { .read = IBS_READ_UNASKED, .rate_enum = -1 },
		  "SA         not asked for its PathRecord: no SM or LID is "
		  "known\n" },
	};
	struct ibs_map *map = unit_map(slow_between);
	struct ibs_path path, back;
	struct ibs_path_report report = { .path = &path, .back = &back };

	follow(map, HOST_A, HOST_C, IBS_READ_OK, &path);
	follow(map, HOST_C, HOST_A, IBS_READ_OK, &back);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char want[1024];

		snprintf(want, sizeof(want), HEAD TITLE HOPS PATH BACK "%s",
			 rows[i].want);
		report.record = rows[i].record;
		check_text(rows[i].row, &report, want);
	}
	ibs_path_free(&path);
	ibs_path_free(&back);
	ibs_map_free(map);
}

#define SILENT "SA         did not answer\n"

/* One that does not get there, and one whose speed is not known. */
static void
test_text_without_rate(void)
{
	struct ibs_map *map = unit_map(NULL);
	struct ibs_path path;
	struct ibs_path_report report = { .path = &path,
					  .record = { .read = IBS_READ_TIMEOUT,
						      .rate_enum = -1 } };

	follow(map, HOST_A, HOST_C, IBS_READ_STATUS, &path);
	check_text("refused", &report,
		   HEAD
		   "NAME   PORT  PEER    PORT  SPEED  Gb/s  EXPECTED  "
		   "FINDINGS\n"
		   "hostA     1  leaf01     1  4xHDR   200  -         -\n"
		   "\nPath       not followed further, at leaf01: the "
		   "forwarding table was not read (status 0x001c)\n" SILENT);
	ibs_path_free(&path);
	follow(map, HOST_A, 0x50, IBS_READ_OK, &path);
	check_text(
		"astray", &report,
		"hostA/1 to hostD/1, LID 6\n\n"
		"NAME    PORT  PEER    PORT  SPEED  Gb/s  EXPECTED  FINDINGS\n"
		"hostA      1  leaf01     1  4xHDR   200  -         -\n"
		"leaf01     1  hostA      1  4xHDR   200  -         -\n\n"
		"Path       no path, at hostA/1: this is not the "
		"destination\n" SILENT);
	ibs_path_free(&path);
	follow(map, HOST_A, HOST_A, IBS_READ_OK, &path);
	check_text("to itself", &report,
		   "hostA/1 to hostA/1, LID 3\n\n"
		   "Path       the same port: no link is on the way\n" SILENT);
	ibs_path_free(&path);
	ibs_map_free(map);
	map = unit_map(silent_host);
	follow(map, HOST_A, 0x10, IBS_READ_OK, &path);
	check_text(
		"unknown", &report,
		"hostA/1 to leaf01/0, LID 1\n\n"
		"NAME   PORT  PEER    PORT  SPEED    Gb/s  EXPECTED  "
		"FINDINGS\n"
		"hostA     1  leaf01     1  unknown     -  -         unknown\n"
		"\nPath       unknown, since the speed of a link is\n" SILENT);
	ibs_path_free(&path);
	ibs_map_free(map);
}

/* Both ways end at a port that is down, each at another. */
static void
down_between(struct ibs_map *map)
{
	port_put(port_of(map, 0x10, 3), IBS_PI_PortState, IBS_PORT_DOWN);
	port_put(port_of(map, 0x11, 4), IBS_PI_PortState, IBS_PORT_DOWN);
}

/* Both end at this one. */
static void
down_host(struct ibs_map *map)
{
	port_put(port_of(map, HOST_A, 1), IBS_PI_PortState, IBS_PORT_DOWN);
}

#define DOWN(port) "no path, at " port ": the port is not Active (it is down)\n"

static void
test_text_back(void)
{
	static const struct {
		const char *row;
		void (*edit)(struct ibs_map *map);
		const char *want;
	} rows[] = {
		{ "at other ports", down_between,
		  "Path       " DOWN("leaf01/3") "Back       " DOWN("leaf02/4")
			  SILENT },
		{ "at one port", down_host,
		  "Path       " DOWN("hostA/1") SILENT },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_map *map = unit_map(rows[i].edit);
		struct ibs_path path, back;
		struct ibs_path_report report = {
			.path = &path,
			.back = &back,
			.record = { .read = IBS_READ_TIMEOUT, .rate_enum = -1 },
		};
		struct written written;
		const char *lines;

		follow(map, HOST_A, HOST_C, IBS_READ_OK, &path);
		follow(map, HOST_C, HOST_A, IBS_READ_OK, &back);
		written_open(&written);
		CHECK_INT(rows[i].row,
			  ibs_writer_text.path(written.out, &report), 0);
		written_close(&written);
		lines = strstr(written.bytes, "Path  ");
		CHECK_TEXT(rows[i].row, lines ? lines : "", rows[i].want);
		free(written.bytes);
		ibs_path_free(&path);
		ibs_path_free(&back);
		ibs_map_free(map);
	}
}

static void
test_verdict(void)
{
	struct ibs_map *map = unit_map(down_host);
	struct written written;
	struct ibs_path path;

	follow(map, HOST_A, HOST_C, IBS_READ_OK, &path);
	written_open(&written);
	CHECK_INT("verdict", ibs_path_verdict(written.out, &path), 0);
	written_close(&written);
	CHECK_TEXT("verdict", written.bytes,
		   "no path, at hostA/1: the port is not Active (it is down)");
	free(written.bytes);
	ibs_path_free(&path);
	ibs_map_free(map);
}

static void
test_json(void)
{
	static const struct json_row rows[] = {
		{ "schema", "\"ibspeed-path/1\"" },
		{ "src.name", "\"hostA\"" },
		{ "dst.name", "\"hostC\"" },
		{ "slid", "3" },
		{ "dlid", "5" },
		{ "end", "\"arrived\"" },
		{ "at.name", "\"hostC\"" },
		{ "at.port", "null" },
		{ "eff_100mbps", "1000" },
		{ "rate_enum", "16" },
		{ "rate_mult", "40" },
		{ "rate_mbps", "103125" },
		{ "slowest", "1" },
		{ "links.1.a.name", "\"leaf01\"" },
		{ "links.1.b.name", "\"leaf02\"" },
		{ "links.2.a.name", "\"leaf02\"" },
		{ "links.2.b.name", "\"hostC\"" },
		{ "links.3", NULL },
		{ "record",
		  "{\"read\":\"ok\",\"status\":null,\"eff_100mbps\":2000,"
		  "\"rate_enum\":17,\"rate_mult\":80,\"rate_mbps\":206250,"
		  "\"agrees\":false}" },
		{ "back.slid", "5" },
		{ "back.dlid", "3" },
		{ "back.end", "\"unread-table\"" },
		{ "back.at",
		  "{\"guid\":\"0x0000000000000011\",\"name\":\"leaf02\","
		  "\"port\":null}" },
		{ "back.eff_100mbps", "null" },
		{ "back.rate_enum", "null" },
		{ "back.slowest", "null" },
		{ "back.links.0.a.name", "\"hostC\"" },
		{ "back.links.1", NULL },
	};
	struct ibs_map *map = unit_map(slow_between);
	struct ibs_path path, back;
	struct ibs_path_report report = { .path = &path,
					  .back = &back,
					  .record = { .read = IBS_READ_OK,
						      .rate_enum = 17 } };
	struct written written;
	json_t *json;

	follow(map, HOST_A, HOST_C, IBS_READ_OK, &path);
	follow(map, HOST_C, HOST_A, IBS_READ_TIMEOUT, &back);
	written_open(&written);
	CHECK_INT("json", ibs_writer_json.path(written.out, &report), 0);
	json = written_json(&written, "json");
	CHECK_JSON(json, rows);
	json_decref(json);
	ibs_path_free(&path);
	ibs_path_free(&back);
	ibs_map_free(map);
}

static void
test_csv(void)
{
	struct ibs_map *map = unit_map(slow_between);
	struct ibs_path path;
	struct ibs_path_report report = { .path = &path };
	struct written written;
	const char *line;

	follow(map, HOST_C, HOST_A, IBS_READ_OK, &path);
	written_open(&written);
	CHECK_INT("csv", ibs_writer_csv.path(written.out, &report), 0);
	written_close(&written);
	line = strchr(written.bytes, '\n') + 1;
	CHECK("as packets go", strstr(line, "hostC") < strstr(line, "leaf02"));
	line = strchr(line, '\n') + 1;
	CHECK("as packets go", strstr(line, "leaf02") < strstr(line, "leaf01"));
	line = strchr(line, '\n') + 1;
	CHECK("as packets go", strstr(line, "leaf01") < strstr(line, "hostA"));
	CHECK("and no more", strchr(line, '\n')[1] == '\0');
	free(written.bytes);
	ibs_path_free(&path);
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "text", test_text },
	{ "text where there is no rate", test_text_without_rate },
	{ "text of the way back", test_text_back },
	{ "the verdict alone", test_verdict },
	{ "json", test_json },
	{ "csv", test_csv },
};

UNIT_MAIN("writer_path", tests)
