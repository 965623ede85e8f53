// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* ibspeed status: is the recorder alive, and is its map complete. */
#include <config.h>

#include <errno.h>

#include "cmd.h"
#include "health.h"
#include "host.h"
#include "ibspeed/writer.h"
#include "store_path.h"

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
		err == 0 && health_alive(&status->recorder, status->now_ns);
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
	char stale[HEALTH_SIZE] = "";
	struct ibs_status status = { .db = path, .stale = stale };
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
		health_stale(status.has_recorder ? &status.recorder : NULL, map,
			     status.now_ns, stale);
		result = cmd_written(writer->status(stdout, &status));
	}
	if (result == CMD_OK && (!map || !ibs_map_complete(map) || *stale)) {
		result = CMD_INCOMPLETE;
	}
	ibs_map_free(map);
	ibs_store_close(store);
	return result;
}
