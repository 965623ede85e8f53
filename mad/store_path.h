/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* store_path: where the store is when nobody named it. */
#ifndef IBSPEED_STORE_PATH_H
#define IBSPEED_STORE_PATH_H

#include <stddef.h>
#include <stdint.h>

#include "cmd.h"
#include "ibspeed/store.h"

/* The file of one SM port, in the state directory. */
void store_path_of_guid(uint64_t guid, char *ret_path, size_t size);
/*
 * Opens the store: the one that was named, else the only one in
 * the state directory.
 * returns CMD_OK, or what to exit with; the message has been given
 */
enum cmd_exit store_path_open(const struct ibs_settings *settings,
			      enum ibs_store_mode mode,
			      struct ibs_store **ret_store, char *ret_path,
			      size_t path_size);
/* The map of a sweep, 0 the latest; the message has been given likewise. */
enum cmd_exit store_path_load_from(struct ibs_store *store, const char *path,
				   int64_t sweep_id, struct ibs_map **ret_map);
/* Opens it for reading, and loads the latest map. */
enum cmd_exit store_path_load(const struct ibs_settings *settings,
			      struct ibs_map **ret_map);
/*
 * The store that goes with a map that was read now: the one that is named, or
 * that of its subnet's SM.  NULL, and OK, when there is none; one that cannot
 * be read, or is of another fabric, is not to be used: FAILED, and a message.
 */
enum cmd_exit store_path_open_beside(const struct ibs_settings *settings,
				     const struct ibs_map *map,
				     struct ibs_store **ret_store);
/* The latest map if there is just one store and it has one; NULL, without a
 * word, in all other cases. */
struct ibs_map *store_path_try(const struct ibs_settings *settings);

#endif
