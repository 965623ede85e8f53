/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* conf: the conf file, key = value, by the option rows. */
#ifndef IBSPEED_CONF_H
#define IBSPEED_CONF_H

#include <stddef.h>

#include "ibspeed/option.h"

/*
 * errors  -ENOENT no such file, -EINVAL (file, line and what was expected in
 *         error), another -errno it cannot be read; settings then are as
 *         they were
 */
int conf_load(const char *path, struct ibs_settings *settings, char *error,
	      size_t error_size);
/*
 * The conf file of infiniband-diags: what it says of the local port, the
 * time-out and the M_Key; its other keys are passed over.
 * errors  as above
 */
int conf_load_diags(const char *path, struct ibs_settings *settings,
		    char *error, size_t error_size);
/* All keys with their defaults and what they mean, as a conf file. */
void conf_print(void);

#endif
