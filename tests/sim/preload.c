// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * preload: stands between a program and libibumad, below LD_PRELOAD behind
 * libumad2sim.so, for what the simulator cannot model: it rewrites, refuses,
 * drops, delays and repeats answers by the rules of rules.h, and watches what
 * is sent.
 *
 * IBSPEED_SIM_NO_SA says what a host cannot do that may not ask the SA:
 * `register` for its class, or `send` to it.
 *
 * IBSPEED_SIM_LOG names a file to which every program appends one line per
 * answer, `PROGRAM answered|lost|dropped|silenced ATTR NODE PORT`, and what
 * watch.h has.
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
#include <time.h>
#include <unistd.h>

#include "hold.h"
#include "route.h"
#include "rules.h"
#include "smp.h"
#include "watch.h"

#define PRELOAD_READER	   "ibspeed"
#define PRELOAD_EXPORT	   __attribute__((visibility("default")))
#define PRELOAD_MS_NS	   UINT64_C(1000000)
#define PRELOAD_REORDER_NS (30 * PRELOAD_MS_NS) /* when no other one comes */

typedef int preload_send_fn(int portid, int agentid, void *umad, int length,
			    int timeout_ms, int retries);
typedef int preload_recv_fn(int portid, void *umad, int *length,
			    int timeout_ms);
typedef int preload_poll_fn(int portid, int timeout_ms);
typedef int preload_register_fn(int portid, int mgmt_class, int mgmt_version,
				uint8_t rmpp_version, long *method_mask);

static pthread_mutex_t preload_lock = PTHREAD_MUTEX_INITIALIZER;

/* What the rules want to become of an answer. */
struct preload_fate {
	const char *outcome; /* as the log has it */
	uint64_t delay_ns;
	int length;
	bool is_silent;
	bool is_twice;
	bool is_after_next;
};

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
void
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

/* As the kernel hands back a request that nobody answered. */
static void
preload_drop(struct ib_user_mad *umad, uint8_t *mad)
{
	umad->status = ETIMEDOUT;
	mad[SMP_METHOD] = SMP_METHOD_GET;
	smp_put_be16(mad, SMP_STATUS, 0);
	memset(mad + SMP_DATA, 0, SMP_DATA_SIZE);
}

static void
preload_apply_rule(const struct rule *rule, struct ib_user_mad *umad,
		   uint8_t *mad, struct preload_fate *fate)
{
	uint16_t direction = smp_be16(mad, SMP_STATUS) & SMP_DIRECTION;

	switch (rule->verb) {
	case RULE_SET:
		mad[SMP_DATA + rule->byte] = (uint8_t)rule->value;
		return;
	case RULE_FLIP:
		mad[rule->byte] ^= (uint8_t)rule->value;
		return;
	case RULE_CUT:
		fate->length = rule->value;
		return;
	case RULE_STATUS:
		smp_put_be16(mad, SMP_STATUS, direction | rule->value);
		return;
	case RULE_DROP:
		preload_drop(umad, mad);
		fate->outcome = "dropped";
		return;
	case RULE_SILENCE:
		fate->is_silent = true;
		fate->outcome = "silenced";
		return;
	case RULE_DELAY:
		fate->delay_ns = rule->value * PRELOAD_MS_NS;
		return;
	case RULE_DUPLICATE:
		fate->is_twice = true;
		return;
	case RULE_REORDER:
		fate->is_after_next = true;
		return;
	}
}

static void
preload_apply(struct ib_user_mad *umad, const struct rule_subject *subject,
	      struct preload_fate *fate)
{
	const struct rule *rule;
	unsigned int cursor = 0;

	rules_refresh();
	while ((rule = rules_next(subject, &cursor)) != NULL) {
		preload_apply_rule(rule, umad, (uint8_t *)umad->data, fate);
	}
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

static uint64_t
preload_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 * PRELOAD_MS_NS +
	       (uint64_t)now.tv_nsec;
}

static uint64_t
preload_end_ns(int timeout_ms)
{
	return timeout_ms < 0 ? HOLD_FOREVER
			      : preload_now_ns() +
					(uint64_t)timeout_ms * PRELOAD_MS_NS;
}

/* The program is about to have it. */
static void
preload_deliver(const struct ib_user_mad *umad)
{
	const uint8_t *mad = (const uint8_t *)umad->data;

	if (smp_is_smp(mad) && preload_is_reader()) {
		watch_answered(smp_tid_low(mad));
	}
	hold_delivered(preload_now_ns());
}

/* False: the program does not get it, or not yet. */
static bool
preload_judge(struct hold_answer *answer)
{
	struct ib_user_mad *umad = answer->umad;
	uint8_t *mad = (uint8_t *)umad->data;
	struct preload_fate fate = { .outcome = "lost",
				     .length = answer->length };
	struct rule_subject subject = preload_subject(mad);
	const char *attr = rules_attr_name(subject.attr_id);
	uint64_t now_ns = preload_now_ns();

	if (umad->status == 0) {
		fate.outcome = "answered";
		preload_apply(umad, &subject, &fate);
	}
	preload_log("%s %s %s %u\n", fate.outcome,
		    attr != NULL ? attr : "other", subject.node, subject.port);
	answer->length = fate.length;
	if (fate.is_silent) {
		return false;
	}
	if (fate.is_twice) {
		hold_put(answer, now_ns + fate.delay_ns, false);
	}
	if (fate.delay_ns != 0 || fate.is_after_next) {
		hold_put(answer,
			 now_ns + (fate.is_after_next ? PRELOAD_REORDER_NS
						      : fate.delay_ns),
			 fate.is_after_next);
		return false;
	}
	return true;
}

/* An answer that came from below. */
static bool
preload_answer(struct hold_answer *answer)
{
	const struct ib_user_mad *umad = answer->umad;
	const uint8_t *mad = (const uint8_t *)umad->data;
	bool deliver = true;

	pthread_mutex_lock(&preload_lock);
	if (smp_is_smp(mad) &&
	    (umad->status != 0 || mad[SMP_METHOD] == SMP_METHOD_GET_RESP)) {
		deliver = preload_judge(answer);
	}
	if (deliver) {
		preload_deliver(umad);
	}
	pthread_mutex_unlock(&preload_lock);
	return deliver;
}

static bool
preload_take_held(struct hold_answer *answer)
{
	bool taken;

	pthread_mutex_lock(&preload_lock);
	taken = hold_take(answer, preload_now_ns());
	if (taken) {
		preload_deliver(answer->umad);
	}
	pthread_mutex_unlock(&preload_lock);
	return taken;
}

/* How long to wait below: until end_ns or until something held is due. */
static int
preload_wait_ms(int port_id, uint64_t end_ns)
{
	uint64_t now_ns = preload_now_ns(), due_ns;

	pthread_mutex_lock(&preload_lock);
	due_ns = hold_due(port_id);
	pthread_mutex_unlock(&preload_lock);
	if (due_ns < end_ns) {
		end_ns = due_ns;
	}
	if (end_ns == HOLD_FOREVER) {
		return -1;
	}
	return end_ns <= now_ns ? 0
				: (int)((end_ns - now_ns + PRELOAD_MS_NS - 1) /
					PRELOAD_MS_NS);
}

static bool
preload_is_over(uint64_t end_ns)
{
	return preload_now_ns() >= end_ns;
}

static bool
preload_is_held_due(int port_id)
{
	bool is_due;

	pthread_mutex_lock(&preload_lock);
	is_due = hold_due(port_id) <= preload_now_ns();
	pthread_mutex_unlock(&preload_lock);
	return is_due;
}

__attribute__((constructor)) static void
preload_start(void)
{
	route_prepare();
}

static bool
preload_refuses(const char *what, int mgmt_class)
{
	const char *refused = getenv("IBSPEED_SIM_NO_SA");

	return refused != NULL && strcmp(refused, what) == 0 &&
	       mgmt_class == SMP_CLASS_SA && preload_is_reader();
}

/* These take the place of the library's for the whole program. */

PRELOAD_EXPORT int
umad_register(int portid, int mgmt_class, int mgmt_version,
	      uint8_t rmpp_version, long method_mask[16 / sizeof(long)])
{
	static preload_register_fn *next;

	if (next == NULL) {
		*(void **)&next = preload_next("umad_register");
	}
	if (preload_refuses("register", mgmt_class)) {
		return -EPERM;
	}
	return next(portid, mgmt_class, mgmt_version, rmpp_version,
		    method_mask);
}

PRELOAD_EXPORT int
umad_send(int portid, int agentid, void *umad, int length, int timeout_ms,
	  int retries)
{
	static preload_send_fn *next;
	const struct ib_user_mad *sent = umad;

	if (next == NULL) {
		*(void **)&next = preload_next("umad_send");
	}
	if (preload_refuses("send", ((const uint8_t *)sent->data)[SMP_CLASS])) {
		errno = ENETUNREACH; /* as for an address handle */
		return -EIO;
	}
	if (preload_is_reader()) {
		pthread_mutex_lock(&preload_lock);
		watch_sent((const uint8_t *)sent->data, timeout_ms, retries,
			   preload_now_ns());
		pthread_mutex_unlock(&preload_lock);
	}
	return next(portid, agentid, umad, length, timeout_ms, retries);
}

/*
 * One try to get an answer by end_ns.  Without a wait the call below reads at
 * once and hangs when there is nothing, so that it is called like this only
 * when the program did so.
 */
static int
preload_receive(struct hold_answer *answer, uint64_t end_ns, bool has_polled)
{
	static preload_recv_fn *next;
	int wait_ms;

	if (next == NULL) {
		*(void **)&next = preload_next("umad_recv");
	}
	if (preload_take_held(answer)) {
		return answer->agent_id;
	}
	wait_ms = preload_wait_ms(answer->port_id, end_ns);
	if (wait_ms == 0 && !has_polled) {
		return -ETIMEDOUT;
	}
	answer->agent_id =
		next(answer->port_id, answer->umad, &answer->length, wait_ms);
	if (answer->agent_id >= 0 && !preload_answer(answer)) {
		return -ETIMEDOUT;
	}
	return answer->agent_id;
}

PRELOAD_EXPORT int
umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	uint64_t end_ns = preload_end_ns(timeout_ms);
	struct hold_answer answer;
	int got;

	do {
		answer = (struct hold_answer){ .port_id = portid,
					       .length = *length,
					       .umad = umad };
		got = preload_receive(&answer, end_ns, timeout_ms == 0);
	} while (got == -ETIMEDOUT && !preload_is_over(end_ns));
	if (got == -ETIMEDOUT) {
		errno = ETIMEDOUT;
	}
	*length = answer.length;
	return got;
}

PRELOAD_EXPORT int
umad_poll(int portid, int timeout_ms)
{
	static preload_poll_fn *next;
	uint64_t end_ns = preload_end_ns(timeout_ms);
	int got;

	if (next == NULL) {
		*(void **)&next = preload_next("umad_poll");
	}
	do {
		got = preload_is_held_due(portid)
			      ? 0
			      : next(portid, preload_wait_ms(portid, end_ns));
	} while (got == -ETIMEDOUT && !preload_is_over(end_ns));
	return got;
}
