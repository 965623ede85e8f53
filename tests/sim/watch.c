// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* watch: the table of what is in flight. */
#include <config.h>

#include "watch.h"

#include <stdbool.h>
#include <stddef.h>

#include "route.h"
#include "smp.h"

#define WATCH_MAX   512
#define WATCH_MS_NS UINT64_C(1000000)

static struct {
	uint32_t tid;
	uint64_t end_ns;  /* then the kernel gives up and forgets it */
	const char *node; /* as route_walk() gave it */
} watch_flight[WATCH_MAX];
static unsigned int watch_n_flight;
static unsigned int watch_max_flight;
static unsigned int watch_max_at_node;

static bool
watch_forget(uint32_t tid)
{
	unsigned int i;

	for (i = 0; i < watch_n_flight; i++) {
		if (watch_flight[i].tid == tid) {
			watch_flight[i] = watch_flight[--watch_n_flight];
			return true;
		}
	}
	return false;
}

static void
watch_expire(uint64_t now_ns)
{
	unsigned int i = 0;

	while (i < watch_n_flight) {
		if (watch_flight[i].end_ns <= now_ns) {
			watch_flight[i] = watch_flight[--watch_n_flight];
		} else {
			i++;
		}
	}
}

static unsigned int
watch_count_at(const char *node)
{
	unsigned int i, n = 0;

	for (i = 0; i < watch_n_flight; i++) {
		n += watch_flight[i].node == node;
	}
	return n;
}

static void
watch_remember(uint32_t tid, const char *node, uint64_t end_ns)
{
	unsigned int n_at_node;

	if (watch_forget(tid)) {
		preload_log("wrong TID 0x%x is still in flight\n", tid);
	}
	if (watch_n_flight < WATCH_MAX) {
		watch_flight[watch_n_flight].tid = tid;
		watch_flight[watch_n_flight].end_ns = end_ns;
		watch_flight[watch_n_flight++].node = node;
	}
	if (watch_n_flight > watch_max_flight) {
		watch_max_flight = watch_n_flight;
		preload_log("window %u\n", watch_max_flight);
	}
	n_at_node = node != NULL ? watch_count_at(node) : 0;
	if (n_at_node > watch_max_at_node) {
		watch_max_at_node = n_at_node;
		preload_log("node-window %u\n", watch_max_at_node);
	}
}

void
watch_sent(const uint8_t *mad, int timeout_ms, int retries, uint64_t now_ns)
{
	if (mad[SMP_CLASS] != SMP_CLASS_DIRECTED &&
	    mad[SMP_CLASS] != SMP_CLASS_SA) {
		preload_log("wrong class 0x%02x\n", mad[SMP_CLASS]);
	}
	if (mad[SMP_METHOD] != SMP_METHOD_GET) {
		preload_log("wrong method 0x%02x\n", mad[SMP_METHOD]);
	}
	if (timeout_ms <= 0) {
		preload_log("wrong time-out %d ms\n", timeout_ms);
		timeout_ms = 0;
	}
	if (retries != 0) {
		preload_log("wrong retries %d\n", retries);
	}
	if (smp_tid_low(mad) == 0) {
		preload_log("wrong TID 0\n");
	}
	watch_expire(now_ns);
	watch_remember(smp_tid_low(mad),
		       mad[SMP_CLASS] == SMP_CLASS_DIRECTED
			       ? route_walk(mad).node
			       : NULL,
		       now_ns + (uint64_t)timeout_ms * WATCH_MS_NS);
}

void
watch_answered(uint32_t tid)
{
	(void)watch_forget(tid);
}
