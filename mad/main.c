// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The program ibspeed: the table of subcommands and nothing else. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "host.h"
#include "live.h"
#include "options.h"

static const struct cmd cmds[] = {
	{ "show", "[WORD...]", "the map, a row per link, slow ones first",
	  IBS_IN_SHOW, 0, -1, cmd_show },
	{ "audit", "[NODE [PORT]]", "what is slow, why, and what it costs",
	  IBS_IN_AUDIT, 0, -1, cmd_audit },
	{ "query", "ADDR [PORT]", "one node or port, recorded or asked now",
	  IBS_IN_QUERY, 1, -1, cmd_query },
	{ "sweep", "[WORD...]", "read the fabric now, record and print it",
	  IBS_IN_SWEEP, 0, -1, cmd_sweep },
	{ "status", "", "is the recorder alive and the map complete",
	  IBS_IN_STATUS, 0, 0, cmd_status },
	{ "decode", "HEX", "PortInfo bytes to text, or two ends to a link",
	  IBS_IN_DECODE, 1, 1, cmd_decode },
	{ "rate", "VALUE...",
	  "convert enum:17, mult:80, mbps:206250, 4xHDR, 200G", IBS_IN_RATE, 1,
	  -1, cmd_rate },
	{ "record", "", "the recorder, fed by the OpenSM plugin or by itself",
	  IBS_IN_RECORD, 0, 0, cmd_record },
};
#define N_CMDS (sizeof(cmds) / sizeof(cmds[0]))

static void
print_usage(FILE *out)
{
	(void)fprintf(out, "usage: ibspeed COMMAND [OPTION...] [ARGUMENT...]\n"
			   "The speed map of an InfiniBand fabric.\n\n");
	for (size_t i = 0; i < N_CMDS; i++) {
		(void)fprintf(out, "  %-8s%-14s %s\n", cmds[i].name,
			      cmds[i].arguments, cmds[i].doc);
	}
	(void)fprintf(out, "\n`ibspeed COMMAND --help' lists its options; "
			   "ibspeed(8) has it all.\n");
}

static void
print_help(const struct cmd *cmd)
{
	printf("usage: ibspeed %s [OPTION...]%s%s\n%s\n\n", cmd->name,
	       *cmd->arguments ? " " : "", cmd->arguments, cmd->doc);
	options_print(cmd);
}

static bool
count_fits(const struct cmd *cmd, int n)
{
	if (n >= cmd->min_arguments &&
	    (cmd->max_arguments < 0 || n <= cmd->max_arguments)) {
		return true;
	}
	message("%s: %d %s, expected %s (see ibspeed %s --help)", cmd->name, n,
		n == 1 ? "argument" : "arguments",
		*cmd->arguments ? cmd->arguments : "none", cmd->name);
	return false;
}

static enum cmd_exit
run(const struct cmd *cmd, int argc, char **argv)
{
	static struct ibs_settings settings;
	int first;

	switch (options_parse(cmd, argc, argv, &settings, &first)) {
	case OPTIONS_HELP:
		print_help(cmd);
		return cmd_written(0);
	case OPTIONS_VERSION:
		printf("ibspeed %s\n", PACKAGE_VERSION);
		return cmd_written(0);
	case OPTIONS_BAD:
		return CMD_USAGE;
	case OPTIONS_RUN:
		break;
	}
	if (!count_fits(cmd, argc - first)) {
		return CMD_USAGE;
	}
	return cmd->run(&settings, argc - first, argv + first);
}

enum cmd_exit
cmd_written(int err)
{
	if (err == -ENOMEM) {
		message("no memory");
		return CMD_FAILED;
	}
	if (err || fflush(stdout) || ferror(stdout)) {
		message("cannot write to standard output");
		return CMD_FAILED;
	}
	return CMD_OK;
}

static enum cmd_exit
dispatch(int argc, char **argv)
{
	if (argc < 2) {
		print_usage(stderr);
		return CMD_USAGE;
	}
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0) {
		print_usage(stdout);
		return cmd_written(0);
	}
	if (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0) {
		printf("ibspeed %s\n", PACKAGE_VERSION);
		return cmd_written(0);
	}
	for (size_t i = 0; i < N_CMDS; i++) {
		if (strcmp(argv[1], cmds[i].name) == 0) {
			return run(&cmds[i], argc - 1, argv + 1);
		}
	}
	message("unknown command \"%s\" (see ibspeed --help)", argv[1]);
	return CMD_USAGE;
}

int
main(int argc, char **argv)
{
	int status = (int)dispatch(argc, argv);

	live_close();
	return status;
}
