/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* find: the node or port that words of the command line name, by -L, by -G, or
 * as they look.  Messages begin with the name of the subcommand, cmd. */
#ifndef IBSPEED_FIND_H
#define IBSPEED_FIND_H

#include <stdbool.h>

#include "cmd.h"
#include "ibspeed/address.h"
#include "ibspeed/map.h"

/* As ibs_address_find; no message. */
int find_address(const struct ibs_map *map, const struct ibs_settings *settings,
		 const char *text, struct ibs_address *ret_address);
/* Before there is a map: can the text be an address?  A message if not. */
enum cmd_exit find_check(const char *cmd, const struct ibs_settings *settings,
			 const char *text);
/* The one that the text names; a message if there is none, or several. */
enum cmd_exit find_node(const char *cmd, const struct ibs_map *map,
			const struct ibs_settings *settings, const char *text,
			struct ibs_address *ret_address);

struct find_result {
	struct ibs_address address; /* in the map of what is gone, if gone */
	bool gone;
};
/* As find_node, in the map and in what is not in it any more (or NULL). */
enum cmd_exit find_node_or_gone(const char *cmd,
				const struct ibs_map *const maps[2],
				const struct ibs_settings *settings,
				const char *text,
				struct find_result *ret_result);

/* 0 to 254.  errors  -EINVAL; no message */
int find_port_number(const char *text, int64_t *ret_num);
/* The port of the node of the address, which the text named. */
enum cmd_exit find_port(const char *cmd, const struct ibs_map *map,
			const char *text, int64_t num,
			struct ibs_address *address);

#endif
