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
list_candidates(const struct ibs_map *map, const struct ibs_address *found,
		const char *more)
{
	for (uint32_t i = 0;
	     map && i < found->n_candidates && i < IBS_CANDIDATES_MAX; i++) {
		const struct ibs_node *node = &map->nodes[found->candidates[i]];
		char name[IBS_DESC_TEXT_SIZE];

		ibs_escape(node->desc, ibs_node_desc_length(node), name,
			   sizeof(name));
		message("  0x%016" PRIx64 "  %s%s", node->guid, name, more);
	}
	if (found->n_candidates > IBS_CANDIDATES_MAX) {
		message("  and %u more%s",
			found->n_candidates - IBS_CANDIDATES_MAX, more);
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

/* Where a text is looked for: the map, and what is not in it any more. */
struct place {
	const struct ibs_map *map;
	struct ibs_address found; /* n_candidates is 0: nothing */
};

/* A whole name stands above the beginning of one. */
static void
search(const struct ibs_settings *settings, const char *text,
       struct place places[2])
{
	for (int i = 0; i < 2; i++) {
		struct ibs_address *found = &places[i].found;
		int err = places[i].map ? find_address(places[i].map, settings,
						       text, found)
					: -ENOENT;

		if (err && err != -ENOTUNIQ) {
			*found = (struct ibs_address){ .n_candidates = 0 };
		} else if (!err) {
			found->n_candidates = 1;
			found->candidates[0] = found->node;
		}
	}
	for (int i = 0; i < 2; i++) {
		if (places[i].found.n_candidates &&
		    !places[i].found.by_prefix &&
		    places[1 - i].found.by_prefix) {
			places[1 - i].found.n_candidates = 0;
		}
	}
}

static void
tell_nobody(const char *cmd, const struct ibs_settings *settings,
	    const char *text, bool two)
{
	bool digits = text[strspn(text, "0123456789")] == '\0';

	message("%s: no node %s\"%s\" in the map%s%s", cmd,
		settings->lid ? "with the LID " : "", text,
		two ? ", nor in the baseline" : "",
		!settings->lid && !settings->guid && digits
			? " (-L asks for a LID)"
			: "");
}

enum cmd_exit
find_node_or_gone(const char *cmd, const struct ibs_map *const maps[2],
		  const struct ibs_settings *settings, const char *text,
		  struct find_result *ret_result)
{
	struct place places[2] = { { .map = maps[0] }, { .map = maps[1] } };
	uint32_t n;

	search(settings, text, places);
	n = places[0].found.n_candidates + places[1].found.n_candidates;
	if (n == 0) {
		tell_nobody(cmd, settings, text, maps[1] != NULL);
		return CMD_USAGE;
	}
	if (n > 1) {
		message("%s: \"%s\" may be any of %u nodes:", cmd, text, n);
		list_candidates(maps[0], &places[0].found, "");
		list_candidates(maps[1], &places[1].found,
				"  (gone, the baseline has it)");
		return CMD_USAGE;
	}
	ret_result->gone = places[1].found.n_candidates == 1;
	ret_result->address = places[ret_result->gone].found;
	return CMD_OK;
}

enum cmd_exit
find_node(const char *cmd, const struct ibs_map *map,
	  const struct ibs_settings *settings, const char *text,
	  struct ibs_address *ret_address)
{
	const struct ibs_map *const maps[2] = { map, NULL };
	struct find_result result;
	enum cmd_exit status =
		find_node_or_gone(cmd, maps, settings, text, &result);

	if (status == CMD_OK) {
		*ret_address = result.address;
	}
	return status;
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
