// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* ibspeed record: the recorder. */
#include <config.h>

#include "cmd.h"
#include "conf.h"
#include "recorder.h"

enum cmd_exit
cmd_record(const struct ibs_settings *settings, int argc, char *const *argv)
{
	(void)argc;
	(void)argv;
	if (settings->print_conf) {
		conf_print();
		return cmd_written(0);
	}
	return recorder_run(settings);
}
