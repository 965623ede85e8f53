// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "find.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "host.h"
#include "ibspeed/writer.h"

static void
list_candidates(const char *cmd, const struct ibs_map *map, const char *text,
		const struct ibs_address *found)
{
	message("%s: \"%s\" may be any of %u nodes:", cmd, text,
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

/* -G takes the digits of a GUID without 0x too, as infiniband-diags do. */
int
find_address(const struct ibs_map *map, const struct ibs_settings *settings,
	     const char *text, struct ibs_address *ret_address)
{
	char guid[IBS_WORD_SIZE];
	uint64_t value;

	if (settings->guid && strncasecmp(text, "0x", 2) != 0) {
		(void)snprintf(guid, sizeof(guid), "0x%s", text);
		text = guid;
	}
	if (settings->guid && ibs_guid_from_text(text, &value)) {
		return -EINVAL;
	}
	return ibs_address_find(map, text, settings->lid, ret_address);
}

static const char *
expected_address(const struct ibs_settings *settings)
{
	if (settings->lid) {
		return "a LID from 1 to 49151";
	}
	if (settings->guid) {
		return "a GUID, up to 16 hex digits";
	}
	return "a GUID 0x..., up to 16 hex digits, or the name of a node";
}

enum cmd_exit
find_check(const char *cmd, const struct ibs_settings *settings,
	   const char *text)
{
	static const struct ibs_map nobody;
	struct ibs_address address;

	if (find_address(&nobody, settings, text, &address) == -EINVAL) {
		message("%s: \"%s\": expected %s", cmd, text,
			expected_address(settings));
		return CMD_USAGE;
	}
	return CMD_OK;
}

enum cmd_exit
find_node(const char *cmd, const struct ibs_map *map,
	  const struct ibs_settings *settings, const char *text,
	  struct ibs_address *ret_address)
{
	struct ibs_address found;
	int err = find_address(map, settings, text, &found);
	bool lid = !settings->lid && !settings->guid &&
		   text[strspn(text, "0123456789")] == '\0';

	if (err == -ENOTUNIQ) {
		list_candidates(cmd, map, text, &found);
	} else if (err) {
		message("%s: no node %s\"%s\" in the map%s", cmd,
			settings->lid ? "with the LID " : "", text,
			lid ? " (-L asks for a LID)" : "");
	} else {
		*ret_address = found;
	}
	return err ? CMD_USAGE : CMD_OK;
}

int
find_port_number(const char *text, int64_t *ret_num)
{
	int64_t num;

	if (ibs_number_from_text(text, UINT8_MAX - 1, &num) || num < 0) {
		return -EINVAL;
	}
	*ret_num = num;
	return 0;
}

enum cmd_exit
find_port(const char *cmd, const struct ibs_map *map, const char *text,
	  int64_t num, struct ibs_address *address)
{
	address->port = ibs_map_find_port(map, address->node, (uint8_t)num);
	if (address->port == IBS_NO_INDEX) {
		message("%s: \"%s\" has no port %" PRId64
			" in the map; it has %u in all",
			cmd, text, num, map->nodes[address->node].n_ports);
		return CMD_USAGE;
	}
	return CMD_OK;
}
