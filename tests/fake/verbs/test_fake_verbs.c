// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The double of libibverbs itself: program.h, line by line. */
#include <config.h>

#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "programmed.h"
#include "unit.h"

#define N_READS 2000

/* --- what is asked ------------------------------------------------------- */

static void
test_list(void)
{
	struct ibv_device **devices;
	struct ibv_context *context;
	int n = -1;

	programmed(
		"device a 0x10 # with a remark\n\nport 0x11\ndevice b 0x20\n");
	devices = ibv_get_device_list(&n);
	CHECK_INT("two", n, 2);
	CHECK_TEXT("two", ibv_get_device_name(devices[1]), "b");
	CHECK("two", be64toh(ibv_get_device_guid(devices[0])) == 0x10);
	CHECK("two", devices[2] == NULL);
	context = ibv_open_device(devices[1]);
	ibv_free_device_list(devices);
	CHECK_TEXT("the context keeps its device",
		   ibv_get_device_name(context->device), "b");
	CHECK_INT("close", ibv_close_device(context), 0);

	programmed("");
	devices = ibv_get_device_list(&n);
	CHECK("none", devices && n == 0);
	ibv_free_device_list(devices);
	programmed("fail list 38\n");
	errno = 0;
	CHECK("no verbs", ibv_get_device_list(&n) == NULL && errno == ENOSYS);
	unsetenv("IBSPEED_FAKE_VERBS");
	errno = 0;
	CHECK("no program",
	      ibv_get_device_list(NULL) == NULL && errno == ENOSYS);
	setenv("IBSPEED_FAKE_VERBS", programmed_path, 1);
}

static void
test_device(void)
{
	struct ibv_device_attr_ex ex;
	struct ibv_device_attr attr;
	struct ibv_context *context;

	programmed("device a 0x10\nkhz 156250\nmask 0xffff\nport 1\nport 2\n");
	context = programmed_open();
	CHECK_INT("ex", ibv_query_device_ex(context, NULL, &ex), 0);
	CHECK_INT("ex", ex.hca_core_clock, 156250);
	CHECK_INT("ex", ex.completion_timestamp_mask, 0xffff);
	CHECK_INT("ex", ex.orig_attr.phys_port_cnt, 2);
	CHECK_INT("plain", ibv_query_device(context, &attr), 0);
	CHECK_INT("plain", attr.phys_port_cnt, 2);
	CHECK("plain", be64toh(attr.node_guid) == 0x10);
	ibv_close_device(context);

	programmed("device a 0x10\nkhz 156250\nmissing query_device_ex\n"
		   "missing rt_values\nmissing query_port\nport 1\n"
		   "port_cap_flags2 7\nlid 5\n");
	context = programmed_open();
	CHECK_INT("legacy", ibv_query_device_ex(context, NULL, &ex), 0);
	CHECK_INT("legacy", ex.hca_core_clock, 0);
	CHECK_INT("legacy", ex.orig_attr.phys_port_cnt, 1);
	CHECK_INT("legacy", programmed_raw(context), -EOPNOTSUPP);
	ibv_close_device(context);
}

static void
test_port(void)
{
	struct ibv_port_attr attr;
	struct ibv_context *context;
	union ibv_gid gid;

	programmed("device a 0x10\nport 0x11\nstate 1\nphys_state 2\nlid 7\n"
		   "active_speed 128\nlink_layer 2\nport_cap_flags2 7\n"
		   "port 0x12 0xfec0000000000001\n");
	context = programmed_open();
	CHECK_INT("port 1", ibv_query_port(context, 1, &attr), 0);
	CHECK_INT("port 1", attr.state, IBV_PORT_DOWN);
	CHECK_INT("port 1", attr.phys_state, 2);
	CHECK_INT("port 1", attr.lid, 7);
	CHECK_INT("port 1", attr.active_speed, 128);
	CHECK_INT("port 1", attr.link_layer, IBV_LINK_LAYER_ETHERNET);
	CHECK_INT("port 1", attr.port_cap_flags2, 7);
	CHECK_INT("port 2", ibv_query_port(context, 2, &attr), 0);
	CHECK_INT("port 2", attr.state, IBV_PORT_ACTIVE);
	CHECK_INT("port 2", attr.link_layer, IBV_LINK_LAYER_INFINIBAND);
	CHECK_INT("port 3", ibv_query_port(context, 3, &attr), EINVAL);
	CHECK_INT("port 0", ibv_query_port(context, 0, &attr), EINVAL);
	CHECK_INT("gid", ibv_query_gid(context, 1, 0, &gid), 0);
	CHECK("gid", be64toh(gid.global.interface_id) == 0x11);
	CHECK("gid", be64toh(gid.global.subnet_prefix) == 0xfe80000000000000);
	CHECK_INT("prefix", ibv_query_gid(context, 2, 0, &gid), 0);
	CHECK("prefix",
	      be64toh(gid.global.subnet_prefix) == 0xfec0000000000001);
	errno = 0;
	CHECK_INT("gid 1", ibv_query_gid(context, 1, 1, &gid), -1);
	CHECK_INT("gid 1", errno, EINVAL);
	ibv_close_device(context);

	programmed("device a 0x10\nmissing query_port\nport 1\nlid 5\n"
		   "port_cap_flags2 7\n");
	context = programmed_open();
	CHECK_INT("the symbol", ibv_query_port(context, 1, &attr), 0);
	CHECK_INT("the symbol", attr.lid, 5);
	CHECK_INT("the symbol", attr.port_cap_flags2, 0);
	ibv_close_device(context);
}

typedef int (*query_port_speed)(struct ibv_context *context, uint32_t port_num,
				uint64_t *port_speed);

static void
test_port_speed(void)
{
	void *symbol =
		dlvsym(RTLD_DEFAULT, "ibv_query_port_speed", "IBVERBS_1.16");
	void *old = dlopen(OLD_SO, RTLD_LAZY | RTLD_LOCAL);
	struct ibv_context *context;
	query_port_speed query;
	uint64_t speed = 0;

	CHECK("new", symbol != NULL);
	CHECK("old", old && dlvsym(old, "ibv_open_device", "IBVERBS_1.1"));
	CHECK("old",
	      old && !dlvsym(old, "ibv_query_port_speed", "IBVERBS_1.16"));
	if (old) {
		dlclose(old);
	}
	memcpy(&query, &symbol, sizeof(query));
	programmed("device a 1\nport 1\nport_speed 2000\nport 2\n");
	context = programmed_open();
	CHECK_INT("speed", query(context, 1, &speed), 0);
	CHECK_INT("speed", speed, 2000);
	CHECK_INT("no speed", query(context, 2, &speed), EOPNOTSUPP);
	CHECK_INT("no port", query(context, 3, &speed), EINVAL);
	programmed("device a 1\nport 1\nfail query_port_speed 93\n");
	CHECK_INT("93", query(context, 1, &speed), EPROTONOSUPPORT);
	ibv_close_device(context);
}

/* --- the counter --------------------------------------------------------- */

/* 1 GHz, so that ticks are ns; at which time it must read what. */
static const struct {
	const char *lines;
	uint64_t ns;
	int64_t raw;
} readings[] = {
	{ "", 5000, 5000 },
	{ "khz 156250\n", 64000, 10000 },
	{ "khz 0\ntrue_khz 156250\n", 64000, 10000 },
	{ "start 100\n", 5000, 5100 },
	{ "ppm 35\n", 1000000000, 1000035000 },
	{ "ppm -0.5\n", 1000000000, 999999500 },
	{ "ppm 35\n", 1000000000000000000, 1000035000000000000 },
	{ "bits 16\n", 0x12345, 0x2345 },
	{ "bits 16\nmask 0xff\nstart 0x10000\n", 0x45, 0x45 },
	{ "still 3000\n", 2999, 2999 },
	{ "still 3000\n", 5000, 3000 },
	{ "reset 3000 7\nstart 1\n", 2999, 3000 },
	{ "reset 3000 7\nstart 1\n", 3000, 7 },
	{ "reset 3000 7\nstart 1\n", 3010, 17 },
	{ "jump 3000 -500\n", 2999, 2999 },
	{ "jump 3000 -500\n", 3000, 2500 },
	{ "drift 1000000 1000\n", 1000000, 1000000 },
	{ "drift 1000000 1000\n", 2000000, 2001000 },
	{ "wander 100 1000000000\n", 1000000000, 1000000000 },
	/* half a sine of 100 ppm over 1 s: 100000 ns / pi */
	{ "wander 100 1000000000\n", 500000000, 500031830 },
};

static void
test_counter(void)
{
	for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		struct ibv_context *context;
		char lines[256];

		(void)snprintf(lines, sizeof(lines), "device a 1\n%s",
			       readings[i].lines);
		programmed(lines);
		context = programmed_open();
		CHECK_INT(readings[i].lines,
			  programmed_raw_at(context, readings[i].ns),
			  readings[i].raw);
		ibv_close_device(context);
	}
}

static void
test_values(void)
{
	struct ibv_values_ex values = { .comp_mask = 3 };
	struct ibv_context *context;

	programmed_time(1000);
	programmed("device a 1\ntv_sec 5\ncomp_mask 0\n");
	context = programmed_open();
	CHECK_INT("mask", ibv_query_rt_values_ex(context, &values), EINVAL);
	CHECK_INT("mask", values.comp_mask, 0);
	values.comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
	CHECK_INT("values", ibv_query_rt_values_ex(context, &values), 0);
	CHECK_INT("values", values.comp_mask, 0);
	CHECK_INT("values", values.raw_clock.tv_sec, 5);
	CHECK_INT("values", values.raw_clock.tv_nsec, 1000);
	programmed("device a 1\nstill +50\n");
	CHECK_INT("now", programmed_raw(context), 1000);
	CHECK_INT("from the program on", programmed_raw_at(context, 1040),
		  1040);
	CHECK_INT("from the program on", programmed_raw_at(context, 1060),
		  1050);
	ibv_close_device(context);
}

/* --- what fails ---------------------------------------------------------- */

static void
test_fail(void)
{
	struct ibv_device_attr_ex ex;
	struct ibv_device_attr device_attr;
	struct ibv_port_attr attr;
	struct ibv_context *context;
	union ibv_gid gid;

	programmed_time(1);
	programmed(
		"device a 1\nport 1\nfail open 13 2 1\nfail rt_values 5 2 2\n"
		"fail query_port 5 2\nfail query_gid 5\n"
		"fail query_device 22\nfail query_device_ex 5\n");
	context = programmed_open();
	CHECK("open 1", context != NULL);
	errno = 0;
	CHECK("open 2", programmed_open() == NULL && errno == EACCES);
	ibv_close_device(context);
	context = programmed_open();
	CHECK("open 3", context != NULL);
	if (!context) {
		return;
	}
	CHECK_INT("read 1", programmed_raw(context), 1);
	CHECK_INT("read 2", programmed_raw(context), -EIO);
	CHECK_INT("read 3", programmed_raw(context), -EIO);
	CHECK_INT("read 4", programmed_raw(context), 1);
	CHECK_INT("port 1", ibv_query_port(context, 1, &attr), 0);
	CHECK_INT("port 2", ibv_query_port(context, 1, &attr), EIO);
	CHECK_INT("port 3", ibv_query_port(context, 1, &attr), EIO);
	CHECK_INT("gid", ibv_query_gid(context, 1, 0, &gid), -1);
	CHECK_INT("ex", ibv_query_device_ex(context, NULL, &ex), EIO);
	CHECK_INT("device", ibv_query_device(context, &device_attr), EINVAL);
	ibv_close_device(context);
}

static void
check_dead(const char *row, struct ibv_context *context)
{
	struct ibv_device_attr_ex ex;
	struct ibv_port_attr attr;
	union ibv_gid gid;

	CHECK_INT(row, programmed_raw(context), 0);
	CHECK_INT(row, ibv_query_device_ex(context, NULL, &ex), EIO);
	CHECK_INT(row, ibv_query_port(context, 1, &attr), EIO);
	CHECK_INT(row, ibv_query_gid(context, 1, 0, &gid), -1);
}

static void
test_dies(void)
{
	struct ibv_context *context, *again;

	programmed_time(1000);
	programmed("device a 1\nport 1\ndies 2000 3000\n");
	context = programmed_open();
	CHECK_INT("alive", programmed_raw_at(context, 1999), 1999);
	programmed_time(2000);
	check_dead("dead", context);
	CHECK("gone", programmed_open() == NULL);
	programmed_time(3000);
	check_dead("for ever", context);
	again = programmed_open();
	CHECK_INT("a new one", programmed_raw(again), 3000);
	programmed("");
	check_dead("no longer in the program", again);
	programmed("device a 1\nport 1\n");
	check_dead("again for ever", again);
	ibv_close_device(again);
	ibv_close_device(context);
}

/* --- real time, and the truth -------------------------------------------- */

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct reading {
	uint64_t before_ns, after_ns;
	int64_t raw;
};

static void
check_truth(const struct reading *reading, FILE *in)
{
	uint64_t ns = 0;
	int64_t truth = -1;
	char name[8] = "";

	if (fscanf(in, "%7s %" SCNu64 " %" SCNd64, name, &ns, &truth) != 3) {
		CHECK("the log has ended", false);
		return;
	}
	CHECK_TEXT("truth", name, "real");
	CHECK_INT("truth", reading->raw, truth);
	CHECK("truth", ns >= reading->before_ns && ns <= reading->after_ns);
}

static void
test_real_time(void)
{
	static struct reading readings_made[N_READS];
	uint64_t least_ns = UINT64_MAX, spikes = 0;
	struct ibv_context *context;
	char text[256];
	FILE *in;

	(void)unlink(programmed_log);
	(void)snprintf(text, sizeof(text),
		       "log %s\ndevice real 1\nlatency 1500\njitter 800\n"
		       "spike 5 30000\nlatch 40\nppm 35\n",
		       programmed_log);
	programmed_write(programmed_path, text);
	context = programmed_open();
	for (int i = 0; i < N_READS; i++) {
		struct reading *reading = &readings_made[i];
		uint64_t took_ns;

		reading->before_ns = now_ns();
		reading->raw = programmed_raw(context);
		reading->after_ns = now_ns();
		took_ns = reading->after_ns - reading->before_ns;
		least_ns = took_ns < least_ns ? took_ns : least_ns;
		spikes += took_ns > 30000;
	}
	ibv_close_device(context);
	CHECK("latency", least_ns >= 700);
	CHECK("spikes", spikes >= N_READS / 5);
	in = fopen(programmed_log, "re");
	for (int i = 0; in && i < N_READS; i++) {
		check_truth(&readings_made[i], in);
	}
	CHECK("log", in && fscanf(in, "%8s", text) == EOF);
	if (in) {
		(void)fclose(in);
	}
	programmed("device a 1\n");
	(void)usleep(20000);
}

/* --- a program that is wrong --------------------------------------------- */

static const char *const wrong[] = {
	"nonsense 1\n",
	"khz 5\n",
	"device a\n",
	"device a 1 2\n",
	"device a x\n",
	"device a 1\ndevice a 2\n",
	"device a 1\nkhz -5\n",
	"device a 1\nkhz 5x\n",
	"device a 1\nppm fast\n",
	"device a 1\nlid 5\n",
	"device a 1\nfail nothing 5\n",
	"device a 1\nmissing open\n",
	"device a 1\ntime file /dev/null\n",
	"time wall clock\n",
	"a b c d e f\n",
};

/* One line on standard error, which names the file, and SIGABRT. */
static void
check_wrong(const char *lines)
{
	char said[256] = "";
	int ends[2], status;
	ssize_t n = 0, got;
	pid_t child;

	programmed(lines);
	if (pipe(ends)) {
		abort();
	}
	child = fork();
	if (child == 0) {
		signal(SIGABRT, SIG_DFL);
		dup2(ends[1], STDERR_FILENO);
		(void)ibv_get_device_list(NULL);
		_exit(0);
	}
	(void)close(ends[1]);
	while ((got = read(ends[0], said + n, sizeof(said) - 1 - (size_t)n)) >
	       0) {
		n += got;
	}
	(void)close(ends[0]);
	waitpid(child, &status, 0);
	CHECK(lines, WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	CHECK(lines, strstr(said, programmed_path) != NULL);
	CHECK(lines, strchr(said, '\n') == said + strlen(said) - 1);
}

static void
test_wrong(void)
{
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		check_wrong(wrong[i]);
	}
	programmed("");
}

static const struct unit_test tests[] = {
	{ "devices", test_list },
	{ "device attributes", test_device },
	{ "ports", test_port },
	{ "port speed", test_port_speed },
	{ "the counter", test_counter },
	{ "the values", test_values },
	{ "calls that fail", test_fail },
	{ "a device that dies", test_dies },
	{ "real time, and the truth", test_real_time },
	{ "wrong programs", test_wrong },
};

int
main(void)
{
	int status;

	programmed_begin();
	status = unit_main("fake verbs", tests,
			   sizeof(tests) / sizeof(tests[0]));
	programmed_end();
	return status;
}
