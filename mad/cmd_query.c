// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* ibspeed query: one node or port, of the recorded map or asked now. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "find.h"
#include "host.h"
#include "ibspeed/address.h"
#include "ibspeed/writer.h"
#include "live.h"
#include "names.h"
#include "store_path.h"
#include "verbs.h"

/* What is wrong with the words themselves; nothing is opened before. */
static enum cmd_exit
check_words(const struct ibs_settings *settings, int argc, char *const *argv)
{
	int64_t num;

	if (settings->lid + settings->guid + settings->direct > 1) {
		message("query: -L, -G and -D exclude each other");
		return CMD_USAGE;
	}
	if (argc > 2) {
		message("query: %d arguments, expected ADDR [PORT]; a name "
			"with blanks needs quotes",
			argc);
		return CMD_USAGE;
	}
	if (argc == 2 && find_port_number(argv[1], &num)) {
		message("query: port \"%s\": expected a number from 0 to 254",
			argv[1]);
		return CMD_USAGE;
	}
	return settings->direct ? CMD_OK
				: find_check("query", settings, argv[0]);
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

/* The port of this host that the node was read through, or NO_INDEX. */
static uint32_t
local_port(const struct ibs_map *map, const struct ibs_address *address)
{
	const struct ibs_node *node = &map->nodes[address->node];

	if (node->n_hops || node->type == IBS_NODE_SWITCH) {
		return IBS_NO_INDEX;
	}
	return address->port != IBS_NO_INDEX ? address->port : node->first_port;
}

/* A device that was just looked for in vain is not looked for again. */
static void
ask_verbs(const struct ibs_map *map, uint32_t port, struct ibs_verbs *ret_verbs)
{
	const char *none = live_no_device(map->ports[port].guid);

	if (none) {
		*ret_verbs =
			(struct ibs_verbs){ .port = port, .speed_100mbps = -1 };
		(void)snprintf(ret_verbs->error, sizeof(ret_verbs->error), "%s",
			       none);
	} else {
		verbs_query(map, port, ret_verbs);
	}
}

static enum cmd_exit
print(struct ibs_map *map, const struct ibs_settings *settings,
      const struct ibs_address *address, bool live)
{
	const struct ibs_writer *writer = ibs_writer_find(settings->format);
	struct ibs_query query = { .map = map,
				   .node = address->node,
				   .port = address->port,
				   .verbose = settings->verbose };
	struct ibs_verbs verbs;
	enum cmd_exit status;

	if (live && local_port(map, address) != IBS_NO_INDEX) {
		ask_verbs(map, local_port(map, address), &verbs);
		query.verbs = &verbs;
	}
	status = cmd_written(writer->query(stdout, &query));
	if (status == CMD_OK && !was_read(map, address)) {
		status = CMD_INCOMPLETE;
	}
	return status;
}

/* argv: the address, which is found already, and perhaps a port. */
static enum cmd_exit
print_port(struct ibs_map *map, const struct ibs_settings *settings, int argc,
	   char *const *argv, struct ibs_address *address)
{
	enum cmd_exit status = CMD_OK;

	if (argc > 1) {
		int64_t num = 0;

		(void)find_port_number(argv[1], &num);
		status = find_port("query", map, argv[0], num, address);
	}
	if (status != CMD_OK) {
		return status;
	}
	return print(map, settings, address,
		     settings->live || settings->direct);
}

static enum cmd_exit
query_map(struct ibs_map *map, const struct ibs_settings *settings, int argc,
	  char *const *argv)
{
	struct ibs_address address;
	enum cmd_exit status;

	if (names_apply(settings->node_name_map, map)) {
		return CMD_USAGE;
	}
	status = find_node("query", map, settings, argv[0], &address);
	if (status != CMD_OK) {
		return status;
	}
	return print_port(map, settings, argc, argv, &address);
}

static uint32_t
node_at(const struct ibs_map *map, const struct ibs_scope *scope)
{
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		const struct ibs_node *node = &map->nodes[i];

		if (node->n_hops == scope->n_hops &&
		    memcmp(node->path, scope->path,
			   (size_t)scope->n_hops + 1) == 0) {
			return i;
		}
	}
	return IBS_NO_INDEX;
}

static enum cmd_exit
query_route(const struct ibs_settings *settings, int argc, char *const *argv)
{
	struct ibs_address address = { .port = IBS_NO_INDEX };
	struct ibs_scope scope;
	struct ibs_map *map;
	enum cmd_exit status;

	if (live_scope_from_text(argv[0], &scope)) {
		message("query: \"%s\": expected a directed route such as "
			"0,1,3",
			argv[0]);
		return CMD_USAGE;
	}
	status = live_read(settings, &scope, &map);
	if (status != CMD_OK) {
		return status;
	}
	address.node = node_at(map, &scope);
	if (address.node == IBS_NO_INDEX) {
		message("query: no node is at the route %s", argv[0]);
		status = CMD_INCOMPLETE;
	} else if (names_apply(settings->node_name_map, map)) {
		status = CMD_USAGE;
	} else {
		status = print_port(map, settings, argc, argv, &address);
	}
	ibs_map_free(map);
	return status;
}

/* Reads the node at the route; another one is there by now: INCOMPLETE. */
static enum cmd_exit
read_again(const struct ibs_settings *settings, const struct ibs_node *node,
	   struct ibs_map **ret_map)
{
	struct ibs_scope scope = { .n_hops = node->n_hops };
	enum cmd_exit status;
	struct ibs_map *map;
	uint32_t met;

	memcpy(scope.path, node->path, sizeof(scope.path));
	status = live_read(settings, &scope, &map);
	if (status != CMD_OK) {
		return status;
	}
	met = node_at(map, &scope);
	if (met == IBS_NO_INDEX || map->nodes[met].guid != node->guid) {
		message("query: another node is at the route of the store");
		ibs_map_free(map);
		return CMD_INCOMPLETE;
	}
	*ret_map = map;
	return CMD_OK;
}

/* By the route that the store has to the node; INCOMPLETE: that is no help. */
static enum cmd_exit
read_by_store(const struct ibs_settings *settings, const char *text,
	      struct ibs_map **ret_map)
{
	struct ibs_map *recorded = store_path_try(settings);
	enum cmd_exit status = CMD_INCOMPLETE;
	struct ibs_address address;

	if (recorded && names_apply(settings->node_name_map, recorded)) {
		status = CMD_USAGE;
	} else if (recorded &&
		   find_address(recorded, settings, text, &address) == 0) {
		status = read_again(settings, &recorded->nodes[address.node],
				    ret_map);
	}
	ibs_map_free(recorded);
	return status;
}

static enum cmd_exit
query_live(const struct ibs_settings *settings, int argc, char *const *argv)
{
	struct ibs_map *map;
	enum cmd_exit status = read_by_store(settings, argv[0], &map);
	const char *how = "found by the route of the store";

	if (status == CMD_INCOMPLETE) {
		how = "looked for by discovery";
		status = live_read(settings, &live_whole, &map);
	}
	if (status != CMD_OK) {
		return status;
	}
	message("query: %s", how);
	status = query_map(map, settings, argc, argv);
	ibs_map_free(map);
	return status;
}

enum cmd_exit
cmd_query(const struct ibs_settings *settings, int argc, char *const *argv)
{
	struct ibs_map *map;
	enum cmd_exit status;

	status = check_words(settings, argc, argv);
	if (status != CMD_OK) {
		return status;
	}
	if (settings->direct) {
		return query_route(settings, argc, argv);
	}
	if (settings->live) {
		return query_live(settings, argc, argv);
	}
	status = store_path_load(settings, &map);
	if (status == CMD_OK) {
		status = query_map(map, settings, argc, argv);
		ibs_map_free(map);
	}
	return status;
}
