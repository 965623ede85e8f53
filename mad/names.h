/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* names: the node-name map, through libosmcomp as all tools read it. */
#ifndef IBSPEED_NAMES_H
#define IBSPEED_NAMES_H

#include "ibspeed/map.h"

/* Can the file be read, before there is a map?  As below. */
int names_check(const char *path);
/*
 * Gives the nodes of the map the names that the file has for their GUIDs.
 * in      path  "": the file of libosmcomp, which need not exist
 * errors  -errno; a message has been given
 */
int names_apply(const char *path, struct ibs_map *map);

#endif
