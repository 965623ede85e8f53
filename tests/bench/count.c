// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Preloaded into a client: counts what it gives to libibumad to send, and
 * writes the number to the file that IBSPEED_BENCH_COUNT names.
 */
#include <config.h>

#include <dlfcn.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long n_sent;

typedef int sender(int, int, void *, int, int, int);

__attribute__((visibility("default"))) int
umad_send(int portid, int agentid, void *umad, int length, int timeout_ms,
	  int retries)
{
	static sender *next;
	void *found;

	if (!next) {
		found = dlsym(RTLD_NEXT, "umad_send");
		memcpy(&next, &found, sizeof(next));
	}
	n_sent++;
	return next(portid, agentid, umad, length, timeout_ms, retries);
}

static void __attribute__((destructor)) write_count(void)
{
	const char *path = getenv("IBSPEED_BENCH_COUNT");
	FILE *out = path ? fopen(path, "we") : NULL;

	if (out) {
		fprintf(out, "%lu\n", n_sent);
		fclose(out);
	}
}
