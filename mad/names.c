// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The only include of OpenSM's component library outside of the plugin: names
 * go through its parser, so that they are those of every other tool.
 */
#include <config.h>

#include "names.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

#ifdef HAVE_OSMCOMP

#include <complib/cl_nodenamemap.h>

#define DEFAULT_MAP "/etc/opensm/ib-node-name-map"

/* libosmcomp's callback, for each line of the file; 0 goes on.  The name comes
 * with its quotes and a comment behind it. */
static int
apply_one(void *context, uint64_t guid, char *name)
{
	struct ibs_map *map = context;
	uint32_t node = ibs_map_find_node(map, guid);
	size_t length;

	name += strspn(name, "\"");
	length = strcspn(name, "\"#");
	if (length > IBS_DESC_SIZE) {
		length = IBS_DESC_SIZE;
	}
	while (node < map->n_nodes && map->nodes[node].guid == guid) {
		memset(map->nodes[node].desc, 0, IBS_DESC_SIZE);
		memcpy(map->nodes[node].desc, name, length);
		node++;
	}
	return 0;
}

int
names_check(const char *path)
{
	struct stat file;
	int err = 0;

	if (!*path) {
		return 0;
	}
	if (stat(path, &file) || access(path, R_OK)) {
		err = -errno;
	} else if (S_ISDIR(file.st_mode)) {
		err = -EISDIR;
	}
	if (err) {
		message("%s: %s, expected a node-name map", path,
			strerror(-err));
	}
	return err;
}

int
names_apply(const char *path, struct ibs_map *map)
{
	const char *file = *path ? path : DEFAULT_MAP;
	int err = names_check(path);

	if (err) {
		return err;
	}
	if (!*path && access(file, R_OK)) {
		return 0;
	}
	if (parse_node_map(file, apply_one, map)) {
		message("%s: expected lines of a GUID and a quoted name", file);
		return -EINVAL;
	}
	return 0;
}

#else

int
names_check(const char *path)
{
	if (!*path) {
		return 0;
	}
	message("%s: this ibspeed was built without libosmcomp, which reads "
		"node-name maps",
		path);
	return -ENOTSUP;
}

int
names_apply(const char *path, struct ibs_map *map)
{
	(void)map;
	return names_check(path);
}

#endif
