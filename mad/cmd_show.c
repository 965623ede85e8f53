// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* ibspeed show: the map, recorded or read now. */
#include <config.h>

#include <errno.h>

#include "cmd.h"
#include "host.h"
#include "ibspeed/writer.h"
#include "live.h"
#include "names.h"
#include "store_path.h"

static enum cmd_exit
write(const struct ibs_map *map, const struct ibs_settings *settings, int argc,
      char *const *argv)
{
	const struct ibs_writer *writer = ibs_writer_find(settings->format);
	struct ibs_report report;
	enum cmd_exit status;
	size_t word;
	int err = ibs_report_make(map, (const char *const *)argv, (size_t)argc,
				  &report, &word);

	if (err == -ENOENT) {
		message("\"%s\" is no node of the map, no finding and no "
			"width and speed such as 4xHDR",
			argv[word]);
		return CMD_USAGE;
	}
	if (err) {
		message("no memory");
		return CMD_FAILED;
	}
	if (argc > 0 && report.n_links == 0) {
		message("no link matches");
	}
	report.verbose = settings->verbose;
	status = cmd_written(writer->map(stdout, &report));
	ibs_report_free(&report);
	return status;
}

enum cmd_exit
cmd_show_words(const char *cmd, int argc, char *const *argv)
{
	size_t word;

	if (ibs_report_check((const char *const *)argv, (size_t)argc, &word)) {
		message("%s: \"%s\": expected a node's name or GUID, a width "
			"and speed such as 4xHDR, or a finding",
			cmd, argv[word]);
		return CMD_USAGE;
	}
	return CMD_OK;
}

enum cmd_exit
cmd_show_map(struct ibs_map *map, const struct ibs_settings *settings, int argc,
	     char *const *argv)
{
	enum cmd_exit status;

	if (names_apply(settings->node_name_map, map)) {
		return CMD_USAGE;
	}
	status = write(map, settings, argc, argv);
	if (status == CMD_OK && !ibs_map_complete(map)) {
		status = CMD_INCOMPLETE;
	}
	return status;
}

enum cmd_exit
cmd_show(const struct ibs_settings *settings, int argc, char *const *argv)
{
	struct ibs_map *map;
	enum cmd_exit status = cmd_show_words("show", argc, argv);

	if (status != CMD_OK) {
		return status;
	}
	if (settings->live) {
		status = live_read(settings, &live_whole, &map);
	} else {
		status = store_path_load(settings, &map);
	}
	if (status != CMD_OK) {
		return status;
	}
	status = cmd_show_map(map, settings, argc, argv);
	ibs_map_free(map);
	return status;
}
