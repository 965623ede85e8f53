// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * counter PORT-GUID: reads the counter of its device through the stock
 * libibverbs and its provider, once and again until it is gone; prints what the
 * door of ibspeed makes of it, a line for each new kind of answer.
 */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verbs.h"

#define EVERY_US 20000
#define TIMES	 1000

static int
open_counter(uint64_t guid, struct verbs_counter **ret_counter)
{
	const struct verbs_port port = { .device = "", .guid = guid };
	struct ibs_clock clock = { 0 };
	int err = verbs_counter_open(&port, &clock, ret_counter);

	if (err) {
		printf("%s: %s\n", clock.device, strerror(-err));
	} else {
		printf("%s: %" PRIu64 " kHz, mask 0x%" PRIx64 "\n",
		       clock.device, clock.khz, clock.mask);
	}
	return err;
}

int
main(int argc, char **argv)
{
	struct verbs_counter *counter;
	uint64_t raw = 0, before = 0;
	int err = 0;

	setlinebuf(stdout);
	if (argc != 2 || open_counter(strtoull(argv[1], NULL, 0), &counter)) {
		return EXIT_FAILURE;
	}
	for (int i = 0; i < TIMES && !err; i++) {
		err = verbs_counter_read(counter, &raw);
		if (i == 1) {
			puts(raw > before ? "moves" : "stands still");
		}
		before = raw;
		(void)usleep(EVERY_US);
	}
	printf("%s, %s\n", strerror(-err),
	       verbs_counter_gone(counter) ? "gone" : "there");
	verbs_counter_close(counter);
	return EXIT_SUCCESS;
}
