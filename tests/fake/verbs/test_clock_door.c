// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * mad/clock.c by the double of libibverbs, in real time: which clock a sweep
 * has and why, and how good its times are against the truth.
 */
#include <config.h>

#include "clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "programmed.h"
#include "unit.h"

#define NOTICED_US  15000 /* a new program */
#define READING_US  2000
#define N_ACCURATE  10000
#define N_ANCHORS   400
#define MID_ERROR   2000 /* ns */
#define BASELINE_NS UINT64_C(10000000000)

static const struct verbs_port port = {
	.device = "a", .num = 1, .guid = 0x11, .node_guid = 0x10
};

static void
write_program(const char *lines)
{
	char text[1024];

	(void)snprintf(text, sizeof(text), "log %s\n%s", programmed_log, lines);
	programmed_write(programmed_path, text);
	(void)usleep(NOTICED_US);
}

/* All ports of the map are read, so that it takes about 40 ms. */
static struct ibs_map *
sweep(struct clock *clock)
{
	struct ibs_map *map = unit_map(NULL);

	clock_begin(clock, &port);
	for (uint32_t i = 0; i < map->n_ports; i++) {
		struct ibs_stamp *stamp = &map->ports[i].stamp;

		clock_tx(clock, &stamp->tx);
		(void)usleep(READING_US);
		clock_rx(clock, &stamp->rx);
	}
	clock_end(clock, map);
	return map;
}

#define HCA  IBS_CLOCK_HCA
#define HOST IBS_CLOCK_HOST
#define A    "device a 0x10\nport 0x11\n"

static const struct source_row {
	const char *name;
	const char *lines;
	enum ibs_clock_source source;
	bool convertible;
	const char *reason; /* how it begins */
} sources[] = {
	{ "good", A, HCA, true, "" },
	{ "156250 kHz", A "khz 156250\nstart 12345678901\n", HCA, true, "" },
	{ "480 ppm", A "ppm 480\n", HCA, true, "" },
	{ "named otherwise",
	  "device x 0x20\nport 0x21\ndevice b 0x30\nport 0x11\n", HCA, true,
	  "" },
	{ "no GID, but the GUID of the node",
	  "device a 0x10\nport 0x11\nfail query_gid 5\n", HCA, true, "" },
	{ "of two the one that has a counter",
	  "device a 0x10\nport 0x11\nmissing rt_values\n"
	  "device b 0x10\nport 0x11\n",
	  HCA, true, "" },
	{ "no verbs", "fail list 38\n", HOST, false,
	  "no verbs: libibverbs has no device: Function not implemented" },
	{ "no device", "", HOST, false, "no device: libibverbs has no device" },
	{ "another port", "device b 0x20\nport 0x21\n", HOST, false,
	  "no device: no device of libibverbs has this port" },
	{ "not allowed", A "fail open 13\n", HOST, false,
	  "no device: no device of libibverbs has this port; a: Permission "
	  "denied" },
	{ "Ethernet", "device a 0x20\nport 0x11\nlink_layer 2\n", HOST, false,
	  "no device: no device of libibverbs has this port" },
	{ "no op", A "missing rt_values\n", HOST, false,
	  "not supported by the provider: a" },
	{ "EIO from the first on", A "fail rt_values 5\n", HOST, false,
	  "a: Input/output error" },
	{ "EIO in between", A "fail rt_values 5 30\n", HOST, false,
	  "a: Input/output error" },
	{ "EIO at the end", A "fail rt_values 5 40 1\n", HOST, false,
	  "a: Input/output error" },
	{ "mask bit cleared", A "comp_mask 0\n", HOST, false,
	  "a gives no value" },
	{ "tv_sec", A "tv_sec 5\n", HOST, false,
	  "unknown encoding: a sets tv_sec" },
	{ "0 for ever", A "still 0\n", HOST, false,
	  "the counter of a reads 0" },
	{ "dies", A "dies +15000000\n", HOST, false, "device gone: a" },
	{ "stands still", A "still +0\n", HOST, false,
	  "the counter of a stands still" },
	{ "stands still later", A "still +15000000\n", HOST, false,
	  "the counter of a stands still" },
	{ "reset", A "start 1000000000000\nreset +15000000 1\n", HOST, false,
	  "the counter of a went back" },
	{ "reset without kHz",
	  A "khz 0\ntrue_khz 1000000\nstart 1000000000000\n"
	    "reset +15000000 1\n",
	  HOST, false, "the counter of a went back" },
	{ "a port of Ethernet with the GUID of the node",
	  "device a 0x10\nport 0x99\nlink_layer 2\n", HOST, false,
	  "no device: no device of libibverbs has this port" },
	{ "no kHz", A "khz 0\ntrue_khz 1000000\n", HCA, false,
	  "a does not tell the kHz of its counter" },
	{ "no mask", A "mask 0\n", HCA, false,
	  "a does not tell the width of its counter" },
	{ "legacy", A "missing query_device_ex\n", HCA, false,
	  "a does not tell the kHz of its counter" },
	{ "another kHz", A "khz 156250\ntrue_khz 78125\n", HCA, false,
	  "the counter of a is -" },
	{ "+900 ppm", A "ppm 900\n", HCA, false, "the counter of a is +" },
	{ "15 bits", A "khz 1000000\nmask 0x7fff\nbits 15\nstart 1\n", HCA,
	  false, "the counter of a wraps around too often" },
};

static void
check_sweep(const struct source_row *row, struct clock *clock)
{
	struct ibs_map *map = sweep(clock);
	const struct ibs_clock *got = &map->sweep.clock;
	struct ibs_moment moment;
	char begin[sizeof(got->reason)];

	(void)snprintf(
		begin, sizeof(begin), "%.*s",
		(int)(*row->reason ? strlen(row->reason) : sizeof(begin) - 1),
		got->reason);
	CHECK_TEXT(row->name, begin, row->reason);
	CHECK_INT(row->name, got->source, row->source);
	CHECK_INT(row->name, got->convertible, row->convertible);
	for (uint32_t i = 0; i < map->n_ports; i++) {
		const struct ibs_stamp *stamp = &map->ports[i].stamp;

		CHECK_INT(row->name, stamp->tx.raw != 0, row->source == HCA);
		CHECK(row->name, ibs_clock_when(got, stamp, &moment));
		CHECK(row->name, moment.mono_ns >= stamp->tx.mono_ns &&
					 moment.mono_ns <= stamp->rx.mono_ns);
	}
	ibs_map_free(map);
}

static void
test_sources(void)
{
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		struct clock clock = { 0 };

		write_program(sources[i].lines);
		check_sweep(&sources[i], &clock);
		CHECK(sources[i].name,
		      sources[i].source == HCA || !clock.counter);
		clock_free(&clock);
	}
}

/* An epoch ends with its device; a later look begins another. */
static void
test_epochs(void)
{
	static const struct source_row good = { "good", "", HCA, true, "" };
	static const struct source_row gone = { "gone", "", HOST, false,
						"device gone: a" };
	static const struct source_row back = { "went back", "", HOST, false,
						"the counter of a went back" };
	struct clock clock = { 0 };
	int64_t first;

	write_program(A "start 1000000000000\n");
	check_sweep(&good, &clock);
	first = clock.sweep.epoch_ns;
	check_sweep(&good, &clock);
	CHECK_INT("one epoch", clock.sweep.epoch_ns, first);
	CHECK("its rate is of both sweeps",
	      clock.sweep.rate.baseline_ns > 2 * 12 * READING_US * 1000);

	write_program(A "dies +1\n");
	check_sweep(&gone, &clock);
	check_sweep(&gone, &clock);
	write_program(A);
	check_sweep(&gone, &clock);
	CHECK("not looked for at once", clock.counter == NULL);
	clock.next_look_ns = 0;
	check_sweep(&good, &clock);
	CHECK("another epoch", clock.sweep.epoch_ns > first);
	first = clock.sweep.epoch_ns;

	/* between two sweeps */
	write_program(A "reset +0 5\n");
	check_sweep(&back, &clock);
	CHECK_INT("no anchor is kept", clock.sweep.start.raw, 0);
	clock.next_look_ns = 0;
	check_sweep(&good, &clock);
	CHECK("and another", clock.sweep.epoch_ns > first);
	clock_free(&clock);
}

static void
test_no_smps(void)
{
	struct clock clock = { 0 };
	struct ibs_map *map = unit_map(NULL);

	write_program(A);
	clock_begin(&clock, NULL);
	clock_end(&clock, map);
	CHECK_INT("source", map->sweep.clock.source, HOST);
	CHECK_TEXT("reason", map->sweep.clock.reason, "no SMP was sent");
	CHECK("the device is not opened", clock.counter == NULL);
	CHECK("times", map->sweep.start_ns > 0 &&
			       map->sweep.end_ns >= map->sweep.start_ns);
	CHECK("wall", map->sweep.clock.wall_end.mono_ns >=
			      map->sweep.clock.wall_start.mono_ns);
	clock_free(&clock);
	ibs_map_free(map);
}

/* --- how good ------------------------------------------------------------ */

/* As a PCIe read may be, and worse. */
#define HARD                                                                   \
	A "khz 156250\nppm 35\nlatency 1500\njitter 800\nspike 5 30000\n"      \
	  "latch 40\nwander 0.1 60000000000\n"

/* What happens between the send and the receive; truth: when. */
static void
make_readings(struct clock *clock, unsigned int pause_us,
	      struct ibs_stamp *stamps, uint64_t *truths)
{
	for (int i = 0; i < N_ACCURATE; i++) {
		clock_tx(clock, &stamps[i].tx);
		truths[i] = host_monotonic_raw_ns();
		clock_rx(clock, &stamps[i].rx);
		if (pause_us) {
			(void)usleep(pause_us);
		}
	}
}

/* In how many readings the truth is within what is stated. */
static int
count_inside(const struct ibs_clock *clock, const struct ibs_stamp *stamps,
	     const uint64_t *truths)
{
	int n = 0;

	for (int i = 0; i < N_ACCURATE; i++) {
		struct ibs_moment moment;

		CHECK_INT("each fits", ibs_clock_check(clock, &stamps[i]),
			  IBS_CLOCK_GOOD);
		CHECK("each has a time",
		      ibs_clock_when(clock, &stamps[i], &moment));
		n += moment.mono_ns - moment.half_ns <= truths[i] &&
		     truths[i] <= moment.mono_ns + moment.half_ns;
		CHECK("and no less exact than by the host",
		      2 * (moment.half_ns - 1) <=
			      stamps[i].rx.mono_ns - stamps[i].tx.mono_ns);
	}
	return n;
}

static void
check_readings(const char *row, const char *lines, unsigned int pause_us)
{
	static struct ibs_stamp stamps[N_ACCURATE];
	static uint64_t truths[N_ACCURATE];
	struct ibs_map *map = unit_map(NULL);
	struct clock clock = { 0 };

	write_program(lines);
	clock_begin(&clock, &port);
	make_readings(&clock, pause_us, stamps, truths);
	clock_end(&clock, map);
	CHECK_TEXT(row, map->sweep.clock.reason, "");
	CHECK(row, map->sweep.clock.convertible);
	CHECK_INT(row, count_inside(&map->sweep.clock, stamps, truths),
		  N_ACCURATE);
	clock_free(&clock);
	ibs_map_free(map);
}

static void
test_readings(void)
{
	check_readings("jitter and spikes", HARD, 0);
	check_readings("a rate that comes and goes", A "wander 10 2000000000\n",
		       100);
}

/* Anchors and when their counts were true, in the order of the log. */
static void
check_truths(const struct ibs_anchor *anchors, int n)
{
	FILE *in = fopen(programmed_log, "re");
	uint64_t ns, raw;
	int at = 0;

	while (in && at < n &&
	       fscanf(in, "%*s %" SCNu64 " %" SCNu64, &ns, &raw) == 2) {
		const struct ibs_anchor *anchor = &anchors[at];
		uint64_t mid_ns = anchor->before_ns +
				  (anchor->after_ns - anchor->before_ns) / 2;

		if (raw != anchor->raw) {
			continue;
		}
		at++;
		CHECK("the truth is inside",
		      anchor->before_ns <= ns && ns <= anchor->after_ns);
		CHECK("near the middle",
		      mid_ns < ns + MID_ERROR && ns < mid_ns + MID_ERROR);
	}
	CHECK_INT("all are in the log", at, n);
	if (in) {
		(void)fclose(in);
	}
}

static void
test_anchors(void)
{
	static struct ibs_anchor anchors[N_ANCHORS];
	struct ibs_map *map = unit_map(NULL);
	struct clock clock = { 0 };

	(void)unlink(programmed_log);
	write_program(HARD);
	for (int i = 0; i < N_ANCHORS; i += 2) {
		clock_begin(&clock, &port);
		clock_end(&clock, map);
		CHECK_INT("source", map->sweep.clock.source, HCA);
		anchors[i] = map->sweep.clock.start;
		anchors[i + 1] = map->sweep.clock.end;
	}
	clock_free(&clock);
	ibs_map_free(map);
	check_truths(anchors, N_ANCHORS);
}

static void
test_rate(void)
{
	const struct ibs_ppm *rate;
	struct ibs_map *map = unit_map(NULL);
	struct clock clock = { 0 };
	uint64_t begin_ns = host_monotonic_raw_ns();

	write_program(A "khz 156250\nppm 35\nlatency 1500\njitter 800\n"
			"spike 5 30000\n");
	do {
		clock_begin(&clock, &port);
		clock_end(&clock, map);
		(void)usleep(500000);
	} while (host_monotonic_raw_ns() - begin_ns < BASELINE_NS + 500000000);
	rate = &map->sweep.clock.rate;
	CHECK("baseline", rate->baseline_ns >= BASELINE_NS - 500000000);
	CHECK("the truth is inside", rate->lo <= 35 && 35 <= rate->hi);
	CHECK("within 1 ppm",
	      rate->hi - rate->mid <= 1 && rate->mid - rate->lo <= 1);
	clock_free(&clock);
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "which clock, and why", test_sources },
	{ "epochs", test_epochs },
	{ "no SMPs", test_no_smps },
	{ "10,000 readings", test_readings },
	{ "anchors", test_anchors },
	{ "the rate over 10 s", test_rate },
};

int
main(void)
{
	int status;

	programmed_begin();
	status = unit_main("clock door", tests,
			   sizeof(tests) / sizeof(tests[0]));
	programmed_end();
	return status;
}
