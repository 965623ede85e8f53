/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The subcommands: one row each in main.c, one file each in cmd_*.c. */
#ifndef IBSPEED_CMD_H
#define IBSPEED_CMD_H

#include "ibspeed/option.h"

/* Exit statuses; when several hold: USAGE, FAILED, INCOMPLETE, FINDINGS. */
enum cmd_exit {
	CMD_OK = 0,
	CMD_FINDINGS = 1, /* only audit and diff */
	CMD_USAGE = 2,
	CMD_INCOMPLETE = 3, /* something did not answer */
	CMD_FAILED = 4	    /* no store, no fabric, I/O */
};

struct cmd {
	const char *name;
	const char *arguments;		  /* "ADDR [PORT]" */
	const char *doc;		  /* one line, no dot */
	unsigned int where;		  /* its bit of IBS_IN_* */
	int min_arguments, max_arguments; /* -1: any number */
	/* argv[0..argc) are the arguments behind the options */
	enum cmd_exit (*run)(const struct ibs_settings *settings, int argc,
			     char *const *argv);
};

/* audit --path */
enum cmd_exit cmd_audit_path(const struct ibs_settings *settings, int argc,
			     char *const *argv);
enum cmd_exit cmd_audit(const struct ibs_settings *settings, int argc,
			char *const *argv);
enum cmd_exit cmd_decode(const struct ibs_settings *settings, int argc,
			 char *const *argv);
enum cmd_exit cmd_query(const struct ibs_settings *settings, int argc,
			char *const *argv);
enum cmd_exit cmd_rate(const struct ibs_settings *settings, int argc,
		       char *const *argv);
enum cmd_exit cmd_record(const struct ibs_settings *settings, int argc,
			 char *const *argv);
enum cmd_exit cmd_show(const struct ibs_settings *settings, int argc,
		       char *const *argv);
enum cmd_exit cmd_sweep(const struct ibs_settings *settings, int argc,
			char *const *argv);
enum cmd_exit cmd_status(const struct ibs_settings *settings, int argc,
			 char *const *argv);

/* Are the words such as choose links; a message tells which is not. */
enum cmd_exit cmd_show_words(const char *cmd, int argc, char *const *argv);
/* Prints the map with its nodes named; the words choose the links. */
struct ibs_map;
enum cmd_exit cmd_show_map(struct ibs_map *map,
			   const struct ibs_settings *settings, int argc,
			   char *const *argv);

/* What becomes of the data once it is written: OK, or FAILED with a word. */
enum cmd_exit cmd_written(int err);

#endif
