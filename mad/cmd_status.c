// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* ibspeed status: is the recorder alive, and is its map complete. */
#include <config.h>

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "host.h"
#include "ibspeed/writer.h"
#include "store_path.h"

/* It gives a sign of life every minute. */
#define SILENT_NS (180 * INT64_C(1000000000))

/*
 * A process of this host and this boot that still has the number, and was seen
 * not long ago: the number may be another's by now.
 */
static bool
is_alive(const struct ibs_recorder_row *row, int64_t now_ns)
{
	char boot_id[sizeof(row->boot_id)];

	host_boot_id(boot_id, sizeof(boot_id));
	return strcmp(boot_id, row->boot_id) == 0 &&
	       now_ns - row->seen_ns < SILENT_NS &&
	       (kill((pid_t)row->pid, 0) == 0 || errno == EPERM);
}

/* What the store knows; a part that is not there yet is left out. */
static int
gather(struct ibs_store *store, struct ibs_status *status,
       struct ibs_map **ret_map)
{
	int err = ibs_store_size(store, &status->n_sweeps, &status->size_bytes);

	if (err) {
		return err;
	}
	err = ibs_store_get_recorder(store, &status->recorder);
	status->has_recorder = err == 0;
	status->recorder_alive =
		err == 0 && is_alive(&status->recorder, status->now_ns);
	if (err && err != -ENODATA) {
		return err;
	}
	err = ibs_store_load(store, 0, ret_map);
	status->map = err ? NULL : *ret_map;
	return err == -ENODATA ? 0 : err;
}

enum cmd_exit
cmd_status(const struct ibs_settings *settings, int argc, char *const *argv)
{
	const struct ibs_writer *writer = ibs_writer_find(settings->format);
	char path[IBS_PATH_SIZE];
	struct ibs_status status = { .db = path };
	struct ibs_map *map = NULL;
	struct ibs_store *store;
	enum cmd_exit result;

	(void)argc;
	(void)argv;
	if (!writer->status) {
		message("status: no %s format, expected text or json",
			settings->format);
		return CMD_USAGE;
	}
	result = store_path_open(settings, IBS_STORE_READ, &store, path,
				 sizeof(path));
	if (result != CMD_OK) {
		return result;
	}
	status.now_ns = host_realtime_ns();
	if (gather(store, &status, &map)) {
		message("%s", ibs_store_error(store));
		result = CMD_FAILED;
	} else {
		result = cmd_written(writer->status(stdout, &status));
	}
	if (result == CMD_OK &&
	    (!map || !ibs_map_complete(map) ||
	     (status.has_recorder && !status.recorder_alive))) {
		result = CMD_INCOMPLETE;
	}
	ibs_map_free(map);
	ibs_store_close(store);
	return result;
}
