// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* ibspeed audit --path: what packets meet on their way from SRC to DST. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "find.h"
#include "host.h"
#include "ibspeed/path.h"
#include "ibspeed/writer.h"
#include "live.h"
#include "names.h"
#include "path_read.h"

#define CMD "audit"

/* NODE/PORT, or NODE alone. */
struct end_words {
	char node[IBS_PATH_SIZE];
	int64_t port; /* -1 none */
};

/* The text before the last slash, and what is behind it. */
static bool
cut(const char *text, char ret_node[IBS_PATH_SIZE], const char **ret_port)
{
	const char *slash = strrchr(text, '/');

	if (!slash || slash == text || slash - text >= IBS_PATH_SIZE) {
		return false;
	}
	(void)snprintf(ret_node, IBS_PATH_SIZE, "%.*s", (int)(slash - text),
		       text);
	*ret_port = slash + 1;
	return true;
}

static bool
split(const char *text, struct end_words *words)
{
	const char *port;

	return cut(text, words->node, &port) &&
	       !find_port_number(port, &words->port);
}

/* How a text names nodes of the map, be they one or several. */
enum match { NO_NODE, BEGINS_NAME, IS_NAME };

static enum match
match_of(const struct ibs_map *map, const struct ibs_settings *settings,
	 const char *text)
{
	struct ibs_address address;
	int err = find_address(map, settings, text, &address);

	if (err && err != -ENOTUNIQ) {
		return NO_NODE;
	}
	return address.by_prefix ? BEGINS_NAME : IS_NAME;
}

/* A name may have a slash and digits of its own: the whole text comes first,
 * but a whole name before the beginning of one.  A LID is of a port already. */
static struct end_words
words_of(const struct ibs_map *map, const struct ibs_settings *settings,
	 const char *text)
{
	struct end_words whole = { .port = -1 }, parts = { .port = -1 };
	enum match match = match_of(map, settings, text);

	(void)snprintf(whole.node, sizeof(whole.node), "%s", text);
	if (settings->lid || match == IS_NAME || !split(text, &parts)) {
		return whole;
	}
	return match == NO_NODE ||
			       match_of(map, settings, parts.node) == IS_NAME
		       ? parts
		       : whole;
}

/* No port has the number that the text has behind a node.  An incomplete map
 * may lack one that has the whole as its name. */
static bool
is_wrong_port(const struct ibs_map *map, const struct ibs_settings *settings,
	      const char *text)
{
	char node[IBS_PATH_SIZE];
	struct ibs_address address;
	const char *port;
	int64_t num;
	int err;

	if (settings->lid || !cut(text, node, &port) ||
	    !find_port_number(port, &num)) {
		return false;
	}
	err = find_address(map, settings, node, &address);
	if (err ? !settings->guid || err == -EINVAL
		: address.by_prefix && !ibs_map_complete(map)) {
		return false;
	}
	message(CMD ": \"%s\": port \"%s\": expected a number from 0 to 254",
		text, port);
	return true;
}

static enum cmd_exit
check_words(const struct ibs_settings *settings, int argc, char *const *argv)
{
	static const struct ibs_map nobody;

	if (!settings->path) {
		message(CMD ": expected --path SRC DST");
		return CMD_USAGE;
	}
	if (argc != 2) {
		message(CMD ": --path has %d %s, expected SRC DST; a name with "
			    "blanks needs quotes",
			argc, argc == 1 ? "argument" : "arguments");
		return CMD_USAGE;
	}
	if (settings->lid && settings->guid) {
		message(CMD ": -L and -G exclude each other");
		return CMD_USAGE;
	}
	for (int i = 0; i < argc; i++) {
		struct end_words words = words_of(&nobody, settings, argv[i]);
		enum cmd_exit status;

		if (is_wrong_port(&nobody, settings, argv[i])) {
			return CMD_USAGE;
		}
		status = find_check(CMD, settings, words.node);
		if (status != CMD_OK) {
			return status;
		}
	}
	return CMD_OK;
}

/* Whoever is not in the map may be behind somebody who did not answer. */
static enum cmd_exit
if_complete(const struct ibs_map *map, const struct ibs_settings *settings,
	    const char *text, enum cmd_exit status)
{
	if (ibs_map_complete(map) || match_of(map, settings, text) == IS_NAME) {
		return status;
	}
	if (status == CMD_OK) {
		message(CMD ": no node in the map has the whole name \"%s\"",
			text);
	}
	message(CMD ": the map is incomplete: somebody did not answer, and "
		    "what is behind is not known");
	return CMD_INCOMPLETE;
}

/* The port that a packet begins or ends at, in address->port. */
static enum cmd_exit
find_end(const struct ibs_map *map, const struct ibs_settings *settings,
	 const char *text, struct ibs_address *address)
{
	struct end_words words = words_of(map, settings, text);
	enum cmd_exit status;

	if (match_of(map, settings, words.node) == NO_NODE &&
	    is_wrong_port(map, settings, text)) {
		return CMD_USAGE;
	}
	status = find_node(CMD, map, settings, words.node, address);
	status = if_complete(map, settings, words.node, status);
	if (status != CMD_OK) {
		return status;
	}
	if (words.port > 0 &&
	    map->nodes[address->node].type == IBS_NODE_SWITCH) {
		message(CMD ": \"%s\" is a switch, which packets reach at its "
			    "port 0 alone",
			words.node);
		return CMD_USAGE;
	}
	if (words.port >= 0) {
		return find_port(CMD, map, words.node, words.port, address);
	}
	if (address->port == IBS_NO_INDEX) {
		address->port = ibs_path_port_of(map, address->node);
	}
	if (address->port == IBS_NO_INDEX) {
		message(CMD ": \"%s\" has no port in the map that packets "
			    "reach",
			words.node);
		return CMD_INCOMPLETE;
	}
	return CMD_OK;
}

static enum cmd_exit
status_of(const struct ibs_path *path)
{
	switch (ibs_path_result(path)) {
	case IBS_PATH_FOUND:
		return CMD_OK;
	case IBS_PATH_NONE:
		return CMD_FAILED;
	case IBS_PATH_INCOMPLETE:
		return CMD_INCOMPLETE;
	}
	return CMD_FAILED;
}

/* Nodes that hear each other in one direction cannot talk. */
static enum cmd_exit
status_of_both(const struct ibs_path *path, const struct ibs_path *back)
{
	enum cmd_exit there = status_of(path);

	if (there == CMD_FAILED || status_of(back) == CMD_OK) {
		return there;
	}
	return status_of(back);
}

/* The verdict on a path where it is not found, which goes behind the words. */
static void
tell_end(const char *words, const struct ibs_path *path)
{
	char *verdict = NULL;
	size_t size;
	FILE *out;
	int err;

	if (ibs_path_result(path) == IBS_PATH_FOUND) {
		return;
	}
	out = open_memstream(&verdict, &size);
	err = out ? ibs_path_verdict(out, path) : -ENOMEM;
	if (out) {
		(void)fclose(out);
	}
	message(CMD ": %s%s", words, err ? strerror(-err) : verdict);
	free(verdict);
}

static enum cmd_exit
print(const struct ibs_settings *settings, const struct ibs_path *path,
      const struct ibs_path *back)
{
	const struct ibs_writer *writer = ibs_writer_find(settings->format);
	struct ibs_path_report report = { .path = path,
					  .back = back,
					  .verbose = settings->verbose };
	enum cmd_exit status;

	path_read_record(settings, path, &report.record);
	status = cmd_written(writer->path(stdout, &report));
	if (writer == &ibs_writer_csv) {
		/* its rows would pass for a path */
		tell_end("", path);
		tell_end("the way back: ", back);
	}
	return status == CMD_OK ? status_of_both(path, back) : status;
}

static enum cmd_exit
begin(const struct ibs_map *map, const struct ibs_route *route,
      struct ibs_path *ret_path)
{
	int err = ibs_path_begin(map, route, ret_path);

	if (err) {
		message(CMD ": cannot follow the path: %s", strerror(-err));
		return CMD_FAILED;
	}
	return CMD_OK;
}

/* There and back, between the same two LIDs. */
static enum cmd_exit
follow(const struct ibs_settings *settings, const struct ibs_map *map,
       const struct ibs_route *route)
{
	struct ibs_path path, back;
	struct ibs_path *const paths[] = { &path, &back };
	enum cmd_exit status = begin(map, route, &path);

	if (status != CMD_OK) {
		return status;
	}
	status = begin(map,
		       &(struct ibs_route){ .src = route->dst,
					    .dst = route->src,
					    .slid = path.route.dlid,
					    .dlid = path.route.slid },
		       &back);
	if (status != CMD_OK) {
		ibs_path_free(&path);
		return status;
	}
	status = path_read_follow(settings, paths, 2);
	if (status == CMD_OK) {
		status = print(settings, &path, &back);
	}
	ibs_path_free(&path);
	ibs_path_free(&back);
	return status;
}

static enum cmd_exit
follow_words(const struct ibs_settings *settings, const struct ibs_map *map,
	     char *const *argv)
{
	struct ibs_address src, dst;
	enum cmd_exit status = find_end(map, settings, argv[0], &src);

	if (status == CMD_OK) {
		status = find_end(map, settings, argv[1], &dst);
	}
	if (status != CMD_OK) {
		return status;
	}
	return follow(settings, map,
		      &(struct ibs_route){ .src = src.port,
					   .dst = dst.port,
					   .slid = src.lid,
					   .dlid = dst.lid });
}

enum cmd_exit
cmd_audit_path(const struct ibs_settings *settings, int argc, char *const *argv)
{
	struct ibs_map *map;
	enum cmd_exit status = check_words(settings, argc, argv);

	if (status == CMD_OK) {
		status = live_read(settings, &live_whole, &map);
	}
	if (status != CMD_OK) {
		return status;
	}
	status = names_apply(settings->node_name_map, map)
			 ? CMD_USAGE
			 : follow_words(settings, map, argv);
	ibs_map_free(map);
	return status;
}
