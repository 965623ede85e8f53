// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* ibspeed rate: one way of naming a rate to all the others. */
#include <config.h>

#include <stdlib.h>

#include "cmd.h"
#include "host.h"
#include "ibspeed/address.h"
#include "ibspeed/writer.h"

static enum cmd_exit
parse_all(struct ibs_rate_query *rates, int argc, char *const *argv)
{
	for (int i = 0; i < argc; i++) {
		if (ibs_rate_from_text(argv[i], &rates[i])) {
			message("rate: \"%s\": expected enum:N, mult:N, "
				"mbps:N, a width and speed such as 4xHDR, or "
				"Gb/s such as 200G",
				argv[i]);
			return CMD_USAGE;
		}
	}
	return CMD_OK;
}

enum cmd_exit
cmd_rate(const struct ibs_settings *settings, int argc, char *const *argv)
{
	const struct ibs_writer *writer = ibs_writer_find(settings->format);
	struct ibs_rate_query *rates;
	enum cmd_exit status;

	if (!writer || !writer->rates) {
		message("rate: no %s format, expected text or json",
			settings->format);
		return CMD_USAGE;
	}
	rates = calloc((size_t)argc, sizeof(*rates));
	if (!rates) {
		message("rate: no memory");
		return CMD_FAILED;
	}
	status = parse_all(rates, argc, argv);
	if (status == CMD_OK) {
		status =
			cmd_written(writer->rates(stdout, rates, (size_t)argc));
	}
	free(rates);
	return status;
}
