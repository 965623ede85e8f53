// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* ibspeed sweep: read the fabric now and record it. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "host.h"
#include "live.h"
#include "names.h"
#include "recording.h"
#include "store_path.h"

static enum cmd_exit
record(const char *path, struct ibs_map *map)
{
	struct ibs_map *before = NULL;
	struct ibs_store *store;
	char error[512];
	int err = ibs_store_open(path, IBS_STORE_WRITE, &store, error,
				 sizeof(error));

	if (err) {
		message("not recorded: %s", error);
		return CMD_FAILED;
	}
	err = recording_write(store, &before, map);
	if (err) {
		message("not recorded: %s", ibs_store_error(store));
	}
	ibs_map_free(before);
	ibs_store_close(store);
	return err ? CMD_FAILED : CMD_OK;
}

/* The store of the subnet: named, or that of the port its SM is bound to. */
static enum cmd_exit
record_in_place(const struct ibs_settings *settings, struct ibs_map *map)
{
	char path[IBS_PATH_SIZE];

	if (*settings->db) {
		return record(settings->db, map);
	}
	if (!map->subnet.sm_port_guid) {
		message("not recorded: no SM is known here, so the store has "
			"no name; give one with --db");
		return CMD_FAILED;
	}
	store_path_of_guid(map->subnet.sm_port_guid, path, sizeof(path));
	return record(path, map);
}

enum cmd_exit
cmd_sweep(const struct ibs_settings *settings, int argc, char *const *argv)
{
	struct ibs_map *map;
	enum cmd_exit recorded, shown;

	shown = cmd_show_words("sweep", argc, argv);
	if (shown == CMD_OK) {
		shown = live_read(settings, &live_whole, &map);
	}
	if (shown != CMD_OK) {
		return shown;
	}
	recorded = record_in_place(settings, map);
	shown = cmd_show_map(map, settings, argc, argv);
	ibs_map_free(map);
	if (shown == CMD_USAGE || recorded == CMD_OK) {
		return shown;
	}
	return recorded;
}
