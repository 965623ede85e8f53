// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "conf.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct reading {
	FILE *file;
	int err; /* of reading it */
	struct ibs_settings settings;
	char error[IBS_WORD_SIZE]; /* the first one */
	int n_lines;
	int long_line; /* number of the first that inih has no room for, or 0 */
	int size;      /* bytes of that room */
};

/* inih's reader: as fgets(), but what is too long is noticed and passed over,
 * where inih would take its rest for a line. */
static char *
read_line(char *text, int size, void *context)
{
	struct reading *reading = context;

	if (!fgets(text, size, reading->file)) {
		reading->err = ferror(reading->file) ? -errno : 0;
		return NULL;
	}
	reading->n_lines++;
	if (strchr(text, '\n') || feof(reading->file)) {
		return text;
	}
	if (!reading->long_line) {
		reading->long_line = reading->n_lines;
		reading->size = size;
	}
	for (int c = 0; c != '\n' && c != EOF;) {
		c = fgetc(reading->file);
	}
	return text;
}

/* As inih's callback: 0 marks the line as wrong. */
static int
take(struct reading *reading, const char *section,
     const struct ibs_option_row *row, const char *key, const char *value)
{
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

static int
take_line(void *context, const char *section, const char *key,
	  const char *value)
{
	return take(context, section, ibs_option_find(key, IBS_IN_CONF), key,
		    value);
}

/* The same for infiniband-diags' file. */
static int
take_diags_line(void *context, const char *section, const char *key,
		const char *value)
{
	static const char *const keys[] = { "Ca", "Port", "timeout", "m_key" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcasecmp(key, keys[i]) == 0) {
			return take(context, section,
				    ibs_option_find(keys[i], IBS_IN_SWEEP), key,
				    value);
		}
	}
	return 1;
}

static int
load(const char *path, ini_handler handler, struct ibs_settings *settings,
     char *error, size_t error_size)
{
	struct reading reading = { .settings = *settings,
				   .file = fopen(path, "re") };
	int line;

	if (!reading.file) {
		int err = -errno;

		(void)snprintf(error, error_size, "%s: %s", path,
			       strerror(-err));
		return err;
	}
	line = ini_parse_stream(read_line, &reading, handler, &reading);
	(void)fclose(reading.file);
	if (reading.err) {
		(void)snprintf(error, error_size, "%s: %s", path,
			       strerror(-reading.err));
		return reading.err;
	}
	if (reading.long_line && (!line || reading.long_line <= line)) {
		(void)snprintf(
			error, error_size,
			"%s:%d: expected at most %d characters in a line", path,
			reading.long_line, reading.size - 2);
		return -EINVAL;
	}
	if (line) {
		(void)snprintf(error, error_size, "%s:%d: %s", path, line,
			       *reading.error ? reading.error
					      : "expected key = value");
		return -EINVAL;
	}
	*settings = reading.settings;
	return 0;
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
