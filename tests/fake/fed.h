/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the double of the recorder was fed, frame by frame. */
#ifndef IBSPEED_TESTS_FED_H
#define IBSPEED_TESTS_FED_H

#include <stddef.h>
#include <stdint.h>

#include "host.h"
#include "ibspeed/feed.h"

struct fed {
	uint8_t *bytes; /* to be freed */
	size_t size;
};

/* All that the n-th recorder was fed until now. */
struct fed fed_read(const struct host *host, unsigned int n);
/* The frame at *at, which is moved behind it; NULL: no whole frame. */
const uint8_t *fed_next(const struct fed *fed, size_t *at,
			struct ibs_feed_header *ret_header);
/* Whole frames of a type that the n-th recorder was fed. */
unsigned int fed_count(const struct host *host, unsigned int n, uint16_t type);
/* Waits until there are so many, and checks that there are no more. */
void fed_wait(const char *row, const struct host *host, unsigned int n,
	      uint16_t type, unsigned int want);
/* Deletes the plugin and checks that it was quick and its recorder is gone. */
void fed_delete(const char *row, struct host *host);

#define DELETE_MS 2000

#endif
