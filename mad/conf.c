// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "conf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "ini_file.h"

static int
take(struct ibs_settings *settings, const struct ini_file_line *line,
     const struct ibs_option_row *row, char *error, size_t error_size)
{
	if (*line->section) {
		(void)snprintf(error, error_size, "section [%s], expected none",
			       line->section);
		return -EINVAL;
	}
	if (!row) {
		(void)snprintf(error, error_size, "unknown key \"%s\"",
			       line->key);
		return -EINVAL;
	}
	return ibs_option_set(settings, row, line->value, error, error_size);
}

static int
take_line(void *context, const struct ini_file_line *line, char *error,
	  size_t error_size)
{
	return take(context, line, ibs_option_find(line->key, IBS_IN_CONF),
		    error, error_size);
}

/* The same for infiniband-diags' file. */
static int
take_diags_line(void *context, const struct ini_file_line *line, char *error,
		size_t error_size)
{
	static const char *const keys[] = { "Ca", "Port", "timeout", "m_key" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcasecmp(line->key, keys[i]) == 0) {
			return take(context, line,
				    ibs_option_find(keys[i], IBS_IN_SWEEP),
				    error, error_size);
		}
	}
	return 0;
}

static int
load(const char *path, ini_file_take *take_one, struct ibs_settings *settings,
     char *error, size_t error_size)
{
	struct ibs_settings read = *settings;
	int err = ini_file_load(path, take_one, &read, error, error_size);

	if (!err) {
		*settings = read;
	}
	return err;
}

int
conf_load(const char *path, struct ibs_settings *settings, char *error,
	  size_t error_size)
{
	return load(path, take_line, settings, error, error_size);
}

int
conf_load_diags(const char *path, struct ibs_settings *settings, char *error,
		size_t error_size)
{
	return load(path, take_diags_line, settings, error, error_size);
}

void
conf_print(void)
{
	printf("# ibspeed.conf: read by ibspeed and by the recorder that the "
	       "OpenSM plugin\n# starts; see ibspeed.conf(5).  The values "
	       "below are the defaults.\n");
	for (size_t i = 0; i < ibs_n_option_rows; i++) {
		const struct ibs_option_row *row = &ibs_option_rows[i];

		if (row->where & IBS_IN_CONF) {
			printf("\n# %s\n#%s = %s\n", row->doc, row->name,
			       *row->value ? row->value : row->unit);
		}
	}
}
