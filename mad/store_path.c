// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "store_path.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

#define HEX4 "[0-9a-f][0-9a-f][0-9a-f][0-9a-f]"

void
store_path_of_guid(uint64_t guid, char *ret_path, size_t size)
{
	(void)snprintf(ret_path, size, "%s/speedmap-%016jx.db", IBS_STATEDIR,
		       (uintmax_t)guid);
}

static enum cmd_exit
choose(const glob_t *found, char *ret_path, size_t size)
{
	if (found->gl_pathc == 0) {
		message("no store in %s: is the recorder running? "
			"(--db FILE names another)",
			IBS_STATEDIR);
		return CMD_FAILED;
	}
	if (found->gl_pathc > 1) {
		message("several stores, choose one with --db:");
		for (size_t i = 0; i < found->gl_pathc; i++) {
			message("  %s", found->gl_pathv[i]);
		}
		return CMD_USAGE;
	}
	(void)snprintf(ret_path, size, "%s", found->gl_pathv[0]);
	return CMD_OK;
}

static void
list_stores(glob_t *ret_found)
{
	memset(ret_found, 0, sizeof(*ret_found));
	(void)glob(IBS_STATEDIR "/speedmap-" HEX4 HEX4 HEX4 HEX4 ".db", 0, NULL,
		   ret_found);
}

static enum cmd_exit
find_path(const struct ibs_settings *settings, char *ret_path, size_t size)
{
	enum cmd_exit status;
	glob_t found;

	if (*settings->db) {
		(void)snprintf(ret_path, size, "%s", settings->db);
		return CMD_OK;
	}
	list_stores(&found);
	status = choose(&found, ret_path, size);
	globfree(&found);
	return status;
}

/* What SQLite would tell in words of its own. */
static int
check_file(const char *path)
{
	struct stat file;

	if (stat(path, &file)) {
		int err = -errno;

		message("%s: %s", path, strerror(-err));
		return err;
	}
	if (S_ISDIR(file.st_mode)) {
		message("%s: is a directory, expected the file of a store",
			path);
		return -EISDIR;
	}
	return 0;
}

enum cmd_exit
store_path_open(const struct ibs_settings *settings, enum ibs_store_mode mode,
		struct ibs_store **ret_store, char *ret_path, size_t path_size)
{
	char error[512];
	enum cmd_exit status = find_path(settings, ret_path, path_size);

	if (status != CMD_OK) {
		return status;
	}
	if (check_file(ret_path)) {
		return CMD_FAILED;
	}
	if (ibs_store_open(ret_path, mode, ret_store, error, sizeof(error))) {
		message("%s", error);
		return CMD_FAILED;
	}
	return CMD_OK;
}

enum cmd_exit
store_path_load_from(struct ibs_store *store, const char *path,
		     int64_t sweep_id, struct ibs_map **ret_map)
{
	int err = ibs_store_load(store, sweep_id, ret_map);

	if (err == -ENODATA && sweep_id == 0) {
		message("%s: no sweep is recorded yet", path);
	} else if (err) {
		message("%s", ibs_store_error(store));
	}
	return err ? CMD_FAILED : CMD_OK;
}

enum cmd_exit
store_path_load(const struct ibs_settings *settings, struct ibs_map **ret_map)
{
	char path[IBS_PATH_SIZE];
	struct ibs_store *store;
	enum cmd_exit status = store_path_open(settings, IBS_STORE_READ, &store,
					       path, sizeof(path));

	if (status == CMD_OK) {
		status = store_path_load_from(store, path, 0, ret_map);
		ibs_store_close(store);
	}
	return status;
}

static bool
has_port(const struct ibs_map *map, uint64_t guid)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		if (map->ports[i].guid == guid) {
			return true;
		}
	}
	return false;
}

/* Another SM may record by now, but the port of the one before is there. */
static bool
is_of_fabric(struct ibs_store *store, const struct ibs_map *map)
{
	struct ibs_map *recorded;
	uint64_t guid;

	if (ibs_store_load(store, 0, &recorded)) {
		return true; /* nothing is recorded yet */
	}
	guid = recorded->subnet.sm_port_guid;
	ibs_map_free(recorded);
	return guid == 0 || guid == map->subnet.sm_port_guid ||
	       has_port(map, guid);
}

enum cmd_exit
store_path_open_beside(const struct ibs_settings *settings,
		       const struct ibs_map *map, struct ibs_store **ret_store)
{
	uint64_t guid = map->subnet.sm_port_guid;
	struct ibs_store *store = NULL;
	char path[IBS_PATH_SIZE], error[512];
	int err;

	*ret_store = NULL;
	(void)snprintf(path, sizeof(path), "%s", settings->db);
	if (!*path && guid) {
		store_path_of_guid(guid, path, sizeof(path));
	}
	if (!*path || (!*settings->db && access(path, F_OK))) {
		return CMD_OK;
	}
	err = ibs_store_open(path, IBS_STORE_READ, &store, error,
			     sizeof(error));
	if (err) {
		message("%s", error);
		return CMD_FAILED;
	}
	if (!is_of_fabric(store, map)) {
		message("%s: is of another fabric: the port of its SM is not "
			"here",
			path);
		ibs_store_close(store);
		return CMD_FAILED;
	}
	*ret_store = store;
	return CMD_OK;
}

/* The store if there is just one; NULL, without a word, in all other cases. */
static struct ibs_store *
try_open(const struct ibs_settings *settings)
{
	struct ibs_store *store = NULL;
	char error[512];
	const char *path = settings->db;
	glob_t found;

	list_stores(&found);
	if (!*path && found.gl_pathc == 1) {
		path = found.gl_pathv[0];
	}
	if (*path && ibs_store_open(path, IBS_STORE_READ, &store, error,
				    sizeof(error))) {
		store = NULL;
	}
	globfree(&found);
	return store;
}

struct ibs_map *
store_path_try(const struct ibs_settings *settings)
{
	struct ibs_store *store = try_open(settings);
	struct ibs_map *map = NULL;

	if (store && ibs_store_load(store, 0, &map)) {
		map = NULL;
	}
	ibs_store_close(store);
	return map;
}
