// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* ibspeed query: one node or port of the recorded map. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>

#include "cmd.h"
#include "host.h"
#include "ibspeed/address.h"
#include "ibspeed/writer.h"
#include "store_path.h"

static void
list_candidates(const struct ibs_map *map, const char *text,
		const struct ibs_address *found)
{
	message("query: \"%s\" may be any of %u nodes:", text,
		found->n_candidates);
	for (uint32_t i = 0; i < found->n_candidates && i < IBS_CANDIDATES_MAX;
	     i++) {
		const struct ibs_node *node = &map->nodes[found->candidates[i]];
		char name[IBS_DESC_TEXT_SIZE];

		ibs_escape(node->desc, ibs_node_desc_length(node), name,
			   sizeof(name));
		message("  0x%016" PRIx64 "  %s", node->guid, name);
	}
	if (found->n_candidates > IBS_CANDIDATES_MAX) {
		message("  and %u more",
			found->n_candidates - IBS_CANDIDATES_MAX);
	}
}

static enum cmd_exit
find(const struct ibs_map *map, const struct ibs_settings *settings,
     const char *text, struct ibs_address *ret_address)
{
	switch (ibs_address_find(map, text, settings->lid, ret_address)) {
	case 0:
		return CMD_OK;
	case -EINVAL:
		message("query: \"%s\": expected %s", text,
			settings->lid ? "a LID from 1 to 49151"
				      : "a GUID 0x... or the name of a node");
		return CMD_USAGE;
	case -ENOTUNIQ:
		list_candidates(map, text, ret_address);
		return CMD_USAGE;
	}
	message("query: no node %s\"%s\" in the map",
		settings->lid ? "with the LID " : "", text);
	return CMD_USAGE;
}

static enum cmd_exit
find_port(const struct ibs_map *map, const char *text,
	  struct ibs_address *address)
{
	int64_t num;

	if (ibs_number_from_text(text, UINT8_MAX - 1, &num) || num < 0) {
		message("query: port \"%s\": expected a number from 0 to 254",
			text);
		return CMD_USAGE;
	}
	address->port = ibs_map_find_port(map, address->node, (uint8_t)num);
	if (address->port == IBS_NO_INDEX) {
		message("query: the node has no port %" PRId64
			" in the map; it has %u ports",
			num, map->nodes[address->node].n_ports);
		return CMD_USAGE;
	}
	return CMD_OK;
}

static bool
was_read(const struct ibs_map *map, const struct ibs_address *address)
{
	const struct ibs_node *node = &map->nodes[address->node];

	if (address->port != IBS_NO_INDEX) {
		return map->ports[address->port].read == IBS_READ_OK;
	}
	for (uint32_t i = 0; i < node->n_map_ports; i++) {
		if (map->ports[node->first_port + i].read != IBS_READ_OK) {
			return false;
		}
	}
	return true;
}

static enum cmd_exit
query(const struct ibs_map *map, const struct ibs_settings *settings, int argc,
      char *const *argv)
{
	const struct ibs_writer *writer = ibs_writer_find(settings->format);
	struct ibs_address address;
	struct ibs_query query;
	enum cmd_exit status = find(map, settings, argv[0], &address);

	if (status == CMD_OK && argc > 1) {
		status = find_port(map, argv[1], &address);
	}
	if (status != CMD_OK) {
		return status;
	}
	query = (struct ibs_query){ .map = map,
				    .node = address.node,
				    .port = address.port,
				    .verbose = settings->verbose };
	status = cmd_written(writer->query(stdout, &query));
	if (status == CMD_OK && !was_read(map, &address)) {
		status = CMD_INCOMPLETE;
	}
	return status;
}

enum cmd_exit
cmd_query(const struct ibs_settings *settings, int argc, char *const *argv)
{
	struct ibs_map *map;
	enum cmd_exit status = store_path_load(settings, &map);

	if (status == CMD_OK) {
		status = query(map, settings, argc, argv);
		ibs_map_free(map);
	}
	return status;
}
