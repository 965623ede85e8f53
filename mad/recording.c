// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "recording.h"

#include <errno.h>

#include "ibspeed/diff.h"

static int
load_before(struct ibs_store *store, struct ibs_map **before)
{
	int err = 0;

	if (!*before) {
		err = ibs_store_load(store, 0, before);
	}
	return err == -ENODATA ? 0 : err;
}

int
recording_write(struct ibs_store *store, struct ibs_map **before,
		struct ibs_map *map)
{
	int64_t id = 0;
	int err = load_before(store, before);

	if (!err && *before) {
		err = ibs_map_carry(map, *before);
	}
	if (!err) {
		err = ibs_diff_since(*before, map);
	}
	if (!err) {
		err = ibs_store_record(store, *before, map, &id);
	}
	if (!err) {
		map->sweep.id = id;
	}
	return err;
}
