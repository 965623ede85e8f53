/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * said: what the recorder writes to its standard error, line by line into the
 * SM's log.  Lines are cut, made printable, and limited in number, so that a
 * recorder gone wild cannot fill the disk that OpenSM logs to.
 */
#ifndef IBSPEED_PLUGIN_SAID_H
#define IBSPEED_PLUGIN_SAID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAID_LINE_LENGTH 200
#define SAID_LINES_MAX	 20 /* in one period */
#define SAID_PERIOD_MS	 10000

struct osm_opensm;

struct said {
	struct osm_opensm *osm;
	char line[SAID_LINE_LENGTH + 1];
	size_t length; /* what is longer is dropped up to its end */
	int64_t period_start_ms;
	unsigned int n_lines; /* of this period */
	unsigned int n_suppressed;
};

/* Some of what is there to read.  False: nothing will ever come again. */
bool said_read(struct said *said, int fd, int64_t now_ms);
/* The recorder ended: a line without its end is a line too, and what was
 * suppressed is told now. */
void said_end(struct said *said, int64_t now_ms);
/* Tells of suppressed lines when their period is over. */
void said_tick(struct said *said, int64_t now_ms);

#endif
