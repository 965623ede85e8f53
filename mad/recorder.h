/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * recorder: feed, sweep, judge and store in one poll loop.  What goes wrong
 * with the store is said once and tried again; what goes wrong with the feed
 * or the umad port ends the recorder, and the plugin starts another.
 */
#ifndef IBSPEED_RECORDER_H
#define IBSPEED_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd.h"
#include "ibspeed/map.h"
#include "ibspeed/store.h"

/*
 * Fed through standard input until its end or SIGTERM; or without a feed, by
 * its own discovery every interval, until SIGTERM.
 */
enum cmd_exit recorder_run(const struct ibs_settings *settings);

/* The recorder's side of the store (recorder_store.c). */
struct recorder_store {
	char path[IBS_PATH_SIZE];
	struct ibs_store *store;  /* NULL: not open now */
	struct ibs_map *recorded; /* what the store holds as its latest */
	struct ibs_map *waiting;  /* not recorded yet, or NULL */
	struct ibs_recorder_row row;
	bool row_changed;
	int64_t role_since_ns; /* 0: no role waits to be recorded */
	uint64_t next_try_ns;  /* CLOCK_MONOTONIC */
	char error[256];       /* last one that was told */
};

void recorder_store_init(struct recorder_store *rs, const char *path);
void recorder_store_free(struct recorder_store *rs);
/* Takes the frozen map; an older one that still waits is dropped. */
void recorder_store_take(struct recorder_store *rs, struct ibs_map *map);
void recorder_store_role(struct recorder_store *rs, uint8_t sm_state);
/* Something else went wrong ("" all is well): kept for `ibspeed status`. */
void recorder_store_trouble(struct recorder_store *rs, const char *error);
/* Writes what waits to be written, if it is time to. */
void recorder_store_tick(struct recorder_store *rs);
/* Milliseconds until the next tick has something to do. */
int recorder_store_wait_ms(const struct recorder_store *rs);

#endif
