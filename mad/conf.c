// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "conf.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

struct reading {
	struct ibs_settings settings;
	char error[IBS_WORD_SIZE]; /* the first one */
};

/* inih's callback: 0 marks the line as wrong. */
static int
take_line(void *context, const char *section, const char *key,
	  const char *value)
{
	struct reading *reading = context;
	const struct ibs_option_row *row = ibs_option_find(key, IBS_IN_CONF);
	char error[IBS_WORD_SIZE] = "";

	if (*section) {
		(void)snprintf(error, sizeof(error),
			       "section [%s], expected none", section);
	} else if (!row) {
		(void)snprintf(error, sizeof(error), "unknown key \"%s\"", key);
	} else if (ibs_option_set(&reading->settings, row, value, error,
				  sizeof(error)) == 0) {
		return 1;
	}
	if (!*reading->error) {
		memcpy(reading->error, error, sizeof(error));
	}
	return 0;
}

int
conf_load(const char *path, struct ibs_settings *settings, char *error,
	  size_t error_size)
{
	struct reading reading = { .settings = *settings };
	FILE *file = fopen(path, "re");
	int line;

	if (!file) {
		int err = -errno;

		(void)snprintf(error, error_size, "%s: %s", path,
			       strerror(-err));
		return err;
	}
	line = ini_parse_file(file, take_line, &reading);
	(void)fclose(file);
	if (line) {
		(void)snprintf(error, error_size, "%s:%d: %s", path, line,
			       *reading.error ? reading.error
					      : "expected key = value");
		return -EINVAL;
	}
	*settings = reading.settings;
	return 0;
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
