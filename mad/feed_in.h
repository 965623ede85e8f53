/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* feed_in: the plugin's stream, collected into frames without ever blocking. */
#ifndef IBSPEED_FEED_IN_H
#define IBSPEED_FEED_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/feed.h"

struct feed_in {
	int fd;
	uint8_t header[IBS_FEED_HEADER_SIZE];
	struct ibs_feed_header frame;
	uint8_t *payload;
	size_t size; /* bytes of the frame that are there, with header */
};

/* owner  borrows the descriptor, makes it non-blocking */
int feed_in_init(struct feed_in *in, int fd);
void feed_in_free(struct feed_in *in);

/*
 * Reads on until a frame is complete.
 * returns 1 a frame: in->frame and in->payload, until the next call
 *         0 nothing more to read now
 *         -EPIPE the plugin closed its end; other -errno: the stream is
 *         broken, error says how
 */
int feed_in_next(struct feed_in *in, char *error, size_t error_size);

#endif
