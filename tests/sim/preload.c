// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * preload: stands between a program and libibumad, below LD_PRELOAD behind
 * libumad2sim.so, for what the simulator cannot model: it rewrites, refuses or
 * drops answers by the rules of rules.h, and watches what is sent.
 *
 * IBSPEED_SIM_LOG names a file to which every program appends one line per
 * answer, `PROGRAM answered|lost|dropped ATTR NODE PORT`, and, for a program
 * that is to read and do nothing else (ibspeed), `PROGRAM wrong WHAT` for a
 * send that a real kernel or a real fabric would not forgive, and
 * `PROGRAM window N` and `PROGRAM node-window N` whenever more Gets than ever
 * before are in flight, in all and to one node.
 */
#include <config.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "route.h"
#include "rules.h"
#include "smp.h"

#define PRELOAD_READER	   "ibspeed"
#define PRELOAD_MAX_FLIGHT 512
#define PRELOAD_EXPORT	   __attribute__((visibility("default")))

typedef int preload_send_fn(int portid, int agentid, void *umad, int length,
			    int timeout_ms, int retries);
typedef int preload_recv_fn(int portid, void *umad, int *length,
			    int timeout_ms);

static pthread_mutex_t preload_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	uint32_t tid;
	const char *node; /* as route_walk() gave it */
} preload_flight[PRELOAD_MAX_FLIGHT];
static unsigned int preload_n_flight;
static unsigned int preload_max_flight;
static unsigned int preload_max_at_node;

static void *
preload_next(const char *name)
{
	void *next = dlsym(RTLD_NEXT, name);

	if (next == NULL) {
		fprintf(stderr, "simpreload: no %s below\n", name);
		_exit(2);
	}
	return next;
}

/* One write per line, so that the lines of several programs never mix. */
__attribute__((format(printf, 1, 2))) static void
preload_log(const char *format, ...)
{
	static int fd = -1;
	const char *path = getenv("IBSPEED_SIM_LOG");
	char line[256];
	va_list args;
	size_t size;

	if (path == NULL) {
		return;
	}
	if (fd < 0) {
		fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
			  0600);
	}
	snprintf(line, sizeof(line), "%.32s ", program_invocation_short_name);
	size = strlen(line);
	va_start(args, format);
	vsnprintf(line + size, sizeof(line) - size, format, args);
	va_end(args);
	if (fd < 0 || write(fd, line, strlen(line)) < 0) {
		fprintf(stderr, "simpreload: %s: %s\n", path, strerror(errno));
		_exit(2);
	}
}

static bool
preload_is_reader(void)
{
	return strcmp(program_invocation_short_name, PRELOAD_READER) == 0;
}

static bool
preload_forget(uint32_t tid)
{
	unsigned int i;

	for (i = 0; i < preload_n_flight; i++) {
		if (preload_flight[i].tid == tid) {
			preload_flight[i] = preload_flight[--preload_n_flight];
			return true;
		}
	}
	return false;
}

static unsigned int
preload_count_at(const char *node)
{
	unsigned int i, n = 0;

	for (i = 0; i < preload_n_flight; i++) {
		n += preload_flight[i].node == node;
	}
	return n;
}

static void
preload_remember(uint32_t tid, const char *node)
{
	unsigned int n_at_node;

	if (preload_forget(tid)) {
		preload_log("wrong TID 0x%x is still in flight\n", tid);
	}
	if (preload_n_flight < PRELOAD_MAX_FLIGHT) {
		preload_flight[preload_n_flight].tid = tid;
		preload_flight[preload_n_flight++].node = node;
	}
	if (preload_n_flight > preload_max_flight) {
		preload_max_flight = preload_n_flight;
		preload_log("window %u\n", preload_max_flight);
	}
	n_at_node = node != NULL ? preload_count_at(node) : 0;
	if (n_at_node > preload_max_at_node) {
		preload_max_at_node = n_at_node;
		preload_log("node-window %u\n", preload_max_at_node);
	}
}

/* A reader sends directed-route Gets that a kernel would take. */
static void
preload_watch(const uint8_t *mad, int timeout_ms, int retries)
{
	if (mad[SMP_CLASS] != SMP_CLASS_DIRECTED) {
		preload_log("wrong class 0x%02x\n", mad[SMP_CLASS]);
	}
	if (mad[SMP_METHOD] != SMP_METHOD_GET) {
		preload_log("wrong method 0x%02x\n", mad[SMP_METHOD]);
	}
	if (timeout_ms <= 0) {
		preload_log("wrong time-out %d ms\n", timeout_ms);
	}
	if (retries != 0) {
		preload_log("wrong retries %d\n", retries);
	}
	if (smp_tid_low(mad) == 0) {
		preload_log("wrong TID 0\n");
	}
	preload_remember(smp_tid_low(mad), route_walk(mad).node);
}

/* As the kernel hands back a request that nobody answered. */
static void
preload_drop(struct ib_user_mad *umad, uint8_t *mad)
{
	umad->status = ETIMEDOUT;
	mad[SMP_METHOD] = SMP_METHOD_GET;
	smp_put_be16(mad, SMP_STATUS, 0);
	memset(mad + SMP_DATA, 0, SMP_DATA_SIZE);
}

static const char *
preload_apply(struct ib_user_mad *umad, uint8_t *mad,
	      const struct rule_subject *subject)
{
	uint16_t direction = smp_be16(mad, SMP_STATUS) & SMP_DIRECTION;
	const struct rule *rule;
	unsigned int cursor = 0;

	rules_refresh();
	while ((rule = rules_next(subject, &cursor)) != NULL) {
		switch (rule->verb) {
		case RULE_SET:
			mad[SMP_DATA + rule->byte] = (uint8_t)rule->value;
			break;
		case RULE_STATUS:
			smp_put_be16(mad, SMP_STATUS, direction | rule->value);
			break;
		case RULE_DROP:
			preload_drop(umad, mad);
			return "dropped";
		}
	}
	return "answered";
}

static struct rule_subject
preload_subject(const uint8_t *mad)
{
	struct rule_subject subject = {
		.program = program_invocation_short_name,
		.node = "-",
		.port = mad[SMP_MODIFIER + 3],
		.attr_id = smp_be16(mad, SMP_ATTR),
	};
	struct route_end end = { .node = NULL };

	if (mad[SMP_CLASS] == SMP_CLASS_DIRECTED) {
		end = route_walk(mad);
	}
	if (end.node != NULL) {
		subject.node = end.node;
	}
	/* Port 0 of a host or router is the port that was asked through. */
	if (subject.port == 0 && end.entry != 0 &&
	    (subject.attr_id == SMP_PORT_INFO ||
	     subject.attr_id == SMP_EXT_PORT_INFO) &&
	    subject.node[0] != 'S') {
		subject.port = end.entry;
	}
	return subject;
}

static void
preload_answer(struct ib_user_mad *umad)
{
	uint8_t *mad = umad->data;
	struct rule_subject subject;
	const char *outcome = "lost";
	const char *attr;

	if (!smp_is_smp(mad) ||
	    (umad->status == 0 && mad[SMP_METHOD] != SMP_METHOD_GET_RESP)) {
		return;
	}
	pthread_mutex_lock(&preload_lock);
	if (preload_is_reader()) {
		preload_forget(smp_tid_low(mad));
	}
	subject = preload_subject(mad);
	attr = rules_attr_name(subject.attr_id);
	if (umad->status == 0) {
		outcome = preload_apply(umad, mad, &subject);
	}
	preload_log("%s %s %s %u\n", outcome, attr != NULL ? attr : "other",
		    subject.node, subject.port);
	pthread_mutex_unlock(&preload_lock);
}

/* These two take the place of the library's for the whole program. */

PRELOAD_EXPORT int
umad_send(int portid, int agentid, void *umad, int length, int timeout_ms,
	  int retries)
{
	static preload_send_fn *next;
	const struct ib_user_mad *sent = umad;

	if (next == NULL) {
		*(void **)&next = preload_next("umad_send");
	}
	if (preload_is_reader()) {
		pthread_mutex_lock(&preload_lock);
		preload_watch(sent->data, timeout_ms, retries);
		pthread_mutex_unlock(&preload_lock);
	}
	return next(portid, agentid, umad, length, timeout_ms, retries);
}

PRELOAD_EXPORT int
umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	static preload_recv_fn *next;
	int agent_id;

	if (next == NULL) {
		*(void **)&next = preload_next("umad_recv");
	}
	agent_id = next(portid, umad, length, timeout_ms);
	if (agent_id >= 0) {
		preload_answer(umad);
	}
	return agent_id;
}
