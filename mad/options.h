/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* options: the command line by the option rows, over the conf file. */
#ifndef IBSPEED_OPTIONS_H
#define IBSPEED_OPTIONS_H

#include <stddef.h>

#include "cmd.h"

enum options_result { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_VERSION, OPTIONS_BAD };

/*
 * Defaults, then the conf file, then argv[1..); a message tells what is bad.
 * out     *ret_first index of the first argument behind the options
 */
enum options_result options_parse(const struct cmd *cmd, int argc, char **argv,
				  struct ibs_settings *ret_settings,
				  int *ret_first);
/*
 * The same again if the conf file changed since; settings stay on failure.
 * errors  -EINVAL and the like, with words in error
 */
int options_reload(struct ibs_settings *settings, char *error,
		   size_t error_size);
/* The options of a subcommand, a line or two each, to standard output. */
void options_print(const struct cmd *cmd);

#endif
