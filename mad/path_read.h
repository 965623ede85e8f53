/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* path_read: follows paths by forwarding tables that are read now, and asks
 * the SA what it says of them. */
#ifndef IBSPEED_PATH_READ_H
#define IBSPEED_PATH_READ_H

#include <stddef.h>

#include "cmd.h"
#include "ibspeed/path.h"
#include "ibspeed/writer.h"

/*
 * Follows the paths, which have begun, one after the other; reads but the
 * blocks that they want.
 * returns CMD_OK, also when a switch did not answer; or what to exit with: the
 *         message has been given
 */
enum cmd_exit path_read_follow(const struct ibs_settings *settings,
			       struct ibs_path *const *paths, size_t n_paths);
/*
 * The SA's PathRecord of the path.  Whatever goes wrong is in the answer,
 * since the path is known without it; when this host cannot ask, a message
 * tells why.
 */
void path_read_record(const struct ibs_settings *settings,
		      const struct ibs_path *path,
		      struct ibs_path_record *ret_record);

#endif
