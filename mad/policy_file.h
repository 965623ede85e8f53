/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* policy_file: the policy, from the file that the settings name. */
#ifndef IBSPEED_POLICY_FILE_H
#define IBSPEED_POLICY_FILE_H

#include "cmd.h"
#include "ibspeed/policy.h"

/*
 * The usual file need not exist: ret_policy has no rules then.
 * returns CMD_OK, or CMD_USAGE and the message has been given
 */
enum cmd_exit policy_file_load(const struct ibs_settings *settings,
			       struct ibs_policy *ret_policy, bool *ret_there);

#endif
