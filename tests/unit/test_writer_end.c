// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Every writer on every stream: rates, ports as text, and what can fail. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/writer.h"
#include "unit.h"
#include "written.h"

static const struct ibs_writer *const writers[] = { &ibs_writer_text,
						    &ibs_writer_json,
						    &ibs_writer_csv };
#define N_WRITERS (sizeof(writers) / sizeof(writers[0]))

static void
test_find(void)
{
	for (size_t i = 0; i < N_WRITERS; i++) {
		CHECK(writers[i]->name,
		      ibs_writer_find(writers[i]->name) == writers[i]);
	}
	CHECK("none", !ibs_writer_find("xml"));
	CHECK("none", !ibs_writer_find(""));
	CHECK("case", !ibs_writer_find("JSON"));
	CHECK("csv", !ibs_writer_csv.status && !ibs_writer_csv.port &&
			     !ibs_writer_csv.link && !ibs_writer_csv.rates);
}

static const struct ibs_rate_query *
some_rates(void)
{
	static struct ibs_rate_query rates[4];

	rates[0] = (struct ibs_rate_query){ .text = "4xHDR",
					    .pair = { IBS_SPEED_HDR,
						      IBS_WIDTH_4X },
					    .eff_100mbps = 2000,
					    .rate = ibs_rate_by_eff(2000) };
	rates[1] = (struct ibs_rate_query){ .text = "enum:2",
					    .eff_100mbps = 25,
					    .rate = ibs_rate_by_enum(2) };
	rates[2] = (struct ibs_rate_query){ .text = "12xXDR",
					    .pair = { IBS_SPEED_XDR,
						      IBS_WIDTH_12X },
					    .eff_100mbps = 24000 };
	rates[3] = (struct ibs_rate_query){ .text = "\"\x1b\xe9",
					    .eff_100mbps = -1 };
	return rates;
}

static void
test_rates(void)
{
	static const struct json_row rows[] = {
		{ "0", "{\"width\":4,\"speed\":\"HDR\",\"query\":\"4xHDR\","
		       "\"eff_100mbps\":2000,\"rate_enum\":17,\"rate_mult\":80,"
		       "\"rate_mbps\":206250,\"lane_kbps\":53125000,"
		       "\"signal_kbps\":212500000,"
		       "\"pairs\":[\"1xXDR\",\"2xNDR\",\"4xHDR\",\"8xEDR\"]}" },
		{ "1.width", "null" },
		{ "1.speed", "null" },
		{ "1.lane_kbps", "null" },
		{ "1.signal_kbps", "null" },
		{ "1.rate_mbps", "2500" },
		{ "1.pairs", "[\"1xSDR\"]" },
		{ "2.rate_enum", "null" },
		{ "2.eff_100mbps", "24000" },
		{ "2.signal_kbps", "2550000000" },
		{ "3.query", "\"\\\"\\\\x1b\\\\xe9\"" },
		{ "3.eff_100mbps", "null" },
		{ "3.pairs", "[]" },
	};
	struct written written;
	json_t *json;

	written_open(&written);
	CHECK_INT("json", ibs_writer_json.rates(written.out, some_rates(), 4),
		  0);
	json = written_json(&written, "rates");
	CHECK_JSON(json, rows);
	CHECK_INT("json", json_array_size(json), 4);
	json_decref(json);
	written_open(&written);
	CHECK_INT("text", ibs_writer_text.rates(written.out, some_rates(), 3),
		  0);
	written_close(&written);
	CHECK_TEXT("text", written.bytes,
		   "QUERY   SPEED   Gb/s  ENUM  MULT    Mb/s  LANE Gb/s"
		   "  SIGNAL Gb/s  PAIRS\n"
		   "4xHDR   4xHDR    200    17    80  206250     53.125"
		   "        212.5  1xXDR,2xNDR,4xHDR,8xEDR\n"
		   "enum:2  -        2.5     2     1    2500          -"
		   "            -  1xSDR\n"
		   "12xXDR  12xXDR  2400     -     -       -      212.5"
		   "         2550  12xXDR\n");
	free(written.bytes);
}

static void
edit(struct ibs_map *map)
{
	port_put(port_of(map, 0x10, 3), IBS_PI_LinkWidthActive, 1);
	port_put(port_of(map, 0x11, 3), IBS_PI_LinkWidthActive, 1);
	port_of(map, 0x10, 3)->since_ns = INT64_C(1748747564000000001);
	port_of(map, 0x50, 1)->read = IBS_READ_TIMEOUT;
}

/* Lines that a query of one port as text must have. */
static void
test_port_text(void)
{
	static const char *const lines[] = {
		"\nlink:............................1xHDR\n",
		"\nlost_100mbps:....................1500 (150 Gb/s)\n",
		"\nexpected:........................4xHDR 200\n",
		"\nfindings:........................degraded-width\n",
		"\nport:............................3   ",
		"\nsince:...........................2025-06-01T03:12:44Z  ",
		"\nmax_mtu:.........................4096 (5)   ",
		"\nactive_width:....................1X (1)   ",
		"\npkey_tbl_len:....................8   ",
		"\nmax_msg_sz:......................-   ",
		"\nCapabilityMask:..................0x00000000  ",
		"\nM_Key:...........................-   ",
	};
	struct ibs_map *map = unit_map(edit);
	struct ibs_query query = { .map = map, .verbose = 1 };
	struct written written;

	query.node = ibs_map_find_node(map, 0x10);
	query.port = ibs_map_find_port(map, query.node, 3);
	written_open(&written);
	CHECK_INT("query", ibs_writer_text.query(written.out, &query), 0);
	written_close(&written);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		CHECK(lines[i], strstr(written.bytes, lines[i]));
	}
	free(written.bytes);
	ibs_map_free(map);
}

/* Everything that a format offers. */
static int
write_all(const struct ibs_writer *writer, FILE *out, struct ibs_map *map)
{
	struct ibs_report report;
	struct ibs_query query = { .map = map,
				   .port = IBS_NO_INDEX,
				   .verbose = 1 };
	struct ibs_status status = { .db = "\xff", .map = map };
	struct ibs_decoded end = { .pi = map->ports[1].pi };
	size_t bad;
	int err;

	if (ibs_report_make(map, NULL, 0, &report, &bad)) {
		abort();
	}
	ibs_map_port_decode(map, 1, &end.port);
	report.verbose = 1;
	err = writer->map(out, &report);
	ibs_report_free(&report);
	if (!err) {
		err = writer->query(out, &query);
	}
	if (!err && writer->status) {
		err = writer->status(out, &status);
	}
	if (!err && writer->port) {
		err = writer->port(out, &end);
	}
	if (!err && writer->link) {
		err = writer->link(out, &end, &end, &map->links[0].link);
	}
	if (!err && writer->rates) {
		err = writer->rates(out, some_rates(), 4);
	}
	return err;
}

static void
test_full_disk(void)
{
	struct ibs_map *map = unit_map(edit);

	for (size_t i = 0; i < N_WRITERS; i++) {
		FILE *full = fopen("/dev/full", "w");

		if (!full) {
			printf("SKIP: no /dev/full\n");
			break;
		}
		CHECK_INT(writers[i]->name, write_all(writers[i], full, map),
			  -EIO);
		fclose(full);
	}
	ibs_map_free(map);
}

/* Allocations of jansson that still succeed; then none does. */
static long allocations_left;

static void *
scarce_malloc(size_t size)
{
	return allocations_left-- > 0 ? malloc(size) : NULL;
}

static void
test_no_memory(void)
{
	struct ibs_map *map = unit_map(edit);
	struct written written;
	int err = -ENOMEM;
	long n;

	json_set_alloc_funcs(scarce_malloc, free);
	for (n = 0; err && n < 100000; n += 1 + n / 64) {
		allocations_left = n;
		written_open(&written);
		err = write_all(&ibs_writer_json, written.out, map);
		written_close(&written);
		free(written.bytes);
		CHECK("json", err == 0 || err == -ENOMEM);
	}
	json_set_alloc_funcs(malloc, free);
	CHECK("json", err == 0 && n > 1000);
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "formats by name", test_find },
	{ "rates", test_rates },
	{ "a port as text", test_port_text },
	{ "a stream that fails", test_full_disk },
	{ "no memory", test_no_memory },
};
UNIT_MAIN("writer end", tests)
