// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The recorder's side of the store: a map waits here until it is written, and
 * a store that cannot be written is tried again for as long as it takes.
 */
#include <config.h>

#include "recorder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "recording.h"

#define NS_PER_MS	1000000u
#define RETRY_NS	(5000u * (uint64_t)NS_PER_MS)
#define SIGN_OF_LIFE_NS (60000u * (uint64_t)NS_PER_MS)

void
recorder_store_init(struct recorder_store *rs, const char *path)
{
	*rs = (struct recorder_store){ .row_changed = true };
	(void)snprintf(rs->path, sizeof(rs->path), "%s", path);
	rs->row.pid = getpid();
	rs->row.started_ns = host_realtime_ns();
	(void)snprintf(rs->row.version, sizeof(rs->row.version), "%s",
		       PACKAGE_VERSION);
	host_boot_id(rs->row.boot_id, sizeof(rs->row.boot_id));
	(void)gethostname(rs->row.host, sizeof(rs->row.host) - 1);
}

void
recorder_store_free(struct recorder_store *rs)
{
	ibs_store_close(rs->store);
	ibs_map_free(rs->recorded);
	ibs_map_free(rs->waiting);
}

static void
copy_error(char *place, size_t size, const char *error)
{
	(void)snprintf(place, size, "%.*s", (int)size - 1, error);
}

/* Said once, not with every try. */
static void
store_failed(struct recorder_store *rs, const char *error)
{
	if (strncmp(rs->error, error, sizeof(rs->error) - 1) != 0) {
		message("error: %s; trying again every %u s", error,
			(unsigned int)(RETRY_NS / NS_PER_MS / 1000));
		copy_error(rs->error, sizeof(rs->error), error);
	}
	copy_error(rs->row.error, sizeof(rs->row.error), error);
	rs->row_changed = true;
	ibs_store_close(rs->store);
	rs->store = NULL;
	rs->next_try_ns = host_monotonic_ns() + RETRY_NS;
}

static int
open_store(struct recorder_store *rs)
{
	char error[sizeof(rs->error)];
	int err;

	if (rs->store) {
		return 0;
	}
	err = ibs_store_open(rs->path, IBS_STORE_WRITE, &rs->store, error,
			     sizeof(error));
	if (err) {
		store_failed(rs, error);
		return err;
	}
	/* What the file holds by now is not ours to know. */
	ibs_map_free(rs->recorded);
	rs->recorded = NULL;
	return 0;
}

static int
forget_if_foreign(struct recorder_store *rs)
{
	bool changed = false;
	int err = ibs_store_foreign_commit(rs->store, &changed);

	if (!err && changed) {
		ibs_map_free(rs->recorded);
		rs->recorded = NULL;
	}
	return err;
}

static int
write_map(struct recorder_store *rs)
{
	int err = forget_if_foreign(rs);

	if (!err) {
		err = recording_write(rs->store, &rs->recorded, rs->waiting);
	}
	if (err) {
		return err;
	}
	ibs_map_free(rs->recorded);
	rs->recorded = rs->waiting;
	rs->waiting = NULL;
	rs->row_changed = true;
	return 0;
}

static int
write_role(struct recorder_store *rs)
{
	int err = ibs_store_add_role(rs->store, rs->role_since_ns,
				     rs->row.sm_state);

	if (!err) {
		rs->role_since_ns = 0;
	}
	return err;
}

static int
write_row(struct recorder_store *rs)
{
	int err;

	rs->row.seen_ns = host_realtime_ns();
	err = ibs_store_put_recorder(rs->store, &rs->row);
	if (!err) {
		rs->row_changed = false;
		rs->next_try_ns = host_monotonic_ns() + SIGN_OF_LIFE_NS;
	}
	return err;
}

static bool
has_something(const struct recorder_store *rs)
{
	return rs->waiting || rs->role_since_ns || rs->row_changed;
}

void
recorder_store_tick(struct recorder_store *rs)
{
	bool due = host_monotonic_ns() >= rs->next_try_ns;
	int err = 0;

	if (!due && (!has_something(rs) || !rs->store)) {
		return;
	}
	if (open_store(rs)) {
		return;
	}
	if (rs->waiting) {
		err = write_map(rs);
	}
	if (!err && rs->role_since_ns) {
		err = write_role(rs);
	}
	if (!err) {
		if (*rs->error) {
			message("%s can be written again", rs->path);
			*rs->error = *rs->row.error = 0;
		}
		err = write_row(rs);
	}
	if (err) {
		store_failed(rs, ibs_store_error(rs->store));
	}
}

void
recorder_store_take(struct recorder_store *rs, struct ibs_map *map)
{
	ibs_map_free(rs->waiting);
	rs->waiting = map;
}

void
recorder_store_role(struct recorder_store *rs, uint8_t sm_state)
{
	if (rs->row.sm_state != sm_state) {
		rs->row.sm_state = sm_state;
		rs->role_since_ns = host_realtime_ns();
	}
}

void
recorder_store_trouble(struct recorder_store *rs, const char *error)
{
	copy_error(rs->row.error, sizeof(rs->row.error), error);
	rs->row_changed = true;
}

int
recorder_store_wait_ms(const struct recorder_store *rs)
{
	uint64_t now = host_monotonic_ns();

	if (rs->next_try_ns <= now || (rs->store && has_something(rs))) {
		return 0;
	}
	return (int)((rs->next_try_ns - now) / NS_PER_MS) + 1;
}
