// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "policy_file.h"

#include <errno.h>
#include <string.h>

#include "host.h"
#include "ini_file.h"

static int
take(void *context, const struct ini_file_line *line, char *error,
     size_t error_size)
{
	const struct ibs_policy_line policy_line = { line->section, line->key,
						     line->value, line->number,
						     line->section_number };

	return ibs_policy_add(context, &policy_line, error, error_size);
}

enum cmd_exit
policy_file_load(const struct ibs_settings *settings,
		 struct ibs_policy *ret_policy, bool *ret_there)
{
	struct ibs_policy policy = { NULL, 0 };
	struct ibs_settings defaults;
	char error[IBS_PATH_SIZE + 256];
	int line, err = ini_file_load(settings->policy, take, &policy, error,
				      sizeof(error));

	ibs_settings_default(&defaults);
	*ret_there = err != -ENOENT;
	*ret_policy = policy;
	if (err == -ENOENT && strcmp(settings->policy, defaults.policy) == 0) {
		return CMD_OK;
	}
	if (!err && ibs_policy_check(&policy, &line, error, sizeof(error))) {
		message("%s:%d: %s", settings->policy, line, error);
	} else if (err) {
		message("%s", error);
	} else {
		return CMD_OK;
	}
	ibs_policy_free(ret_policy);
	return CMD_USAGE;
}
