// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "ini_file.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

#define ERROR_SIZE 256

struct reading {
	FILE *file;
	int err; /* of reading it */
	ini_file_take *take;
	void *context;
	char error[ERROR_SIZE]; /* the first one */
	int n_lines;
	int section;   /* number of the line that began the section */
	int bare;      /* the same while it has no key, or 0 */
	int long_line; /* number of the first that inih has no room for, or 0 */
	int size;      /* bytes of that room */
	int empty;     /* number of the first that had none, or 0 */
};

/* Another begins, or the file ends.  inih does not tell of a bare one. */
static void
end_section(struct reading *reading)
{
	if (reading->bare && !reading->empty) {
		reading->empty = reading->bare;
	}
	reading->bare = 0;
}

/*
 * A blank in front would make inih take a key for more of the value above, and
 * the name alone does not tell two sections apart.
 */
static char *
begin_line(struct reading *reading, char *text)
{
	size_t blank = strspn(text, " \t");

	memmove(text, text + blank, strlen(text + blank) + 1);
	if (*text == '[') {
		end_section(reading);
		reading->section = reading->bare = reading->n_lines;
	}
	return text;
}

/* inih's reader: as fgets(), but what is too long is noticed and passed over,
 * where inih would take its rest for a line. */
static char *
read_line(char *text, int size, void *context)
{
	struct reading *reading = context;

	if (!fgets(text, size, reading->file)) {
		reading->err = ferror(reading->file) ? -errno : 0;
		end_section(reading);
		return NULL;
	}
	reading->n_lines++;
	if (strchr(text, '\n') || feof(reading->file)) {
		return begin_line(reading, text);
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
take_line(void *context, const char *section, const char *key,
	  const char *value)
{
	struct reading *reading = context;
	const struct ini_file_line line = { section, key, value,
					    reading->n_lines,
					    reading->section };
	char error[ERROR_SIZE] = "";

	reading->bare = 0;
	if (reading->take(reading->context, &line, error, sizeof(error)) == 0) {
		return 1;
	}
	if (!*reading->error) {
		memcpy(reading->error, error, sizeof(error));
	}
	return 0;
}

/* What inih returned, in words. */
static int
verdict(const struct reading *reading, const char *path, int line, char *error,
	size_t error_size)
{
	if (reading->err) {
		(void)snprintf(error, error_size, "%s: %s", path,
			       strerror(-reading->err));
		return reading->err;
	}
	if (reading->long_line && (!line || reading->long_line <= line)) {
		(void)snprintf(
			error, error_size,
			"%s:%d: expected at most %d characters in a line", path,
			reading->long_line, reading->size - 2);
		return -EINVAL;
	}
	if (reading->empty && (!line || reading->empty < line)) {
		(void)snprintf(error, error_size,
			       "%s:%d: the section is empty, expected "
			       "key = value below it",
			       path, reading->empty);
		return -EINVAL;
	}
	if (line) {
		(void)snprintf(error, error_size, "%s:%d: %s", path, line,
			       *reading->error ? reading->error
					       : "expected key = value");
		return -EINVAL;
	}
	return 0;
}

int
ini_file_load(const char *path, ini_file_take *take, void *context, char *error,
	      size_t error_size)
{
	struct reading reading = { .file = fopen(path, "re"),
				   .take = take,
				   .context = context };
	int line;

	if (!reading.file) {
		int err = -errno;

		(void)snprintf(error, error_size, "%s: %s", path,
			       strerror(-err));
		return err;
	}
	line = ini_parse_stream(read_line, &reading, take_line, &reading);
	(void)fclose(reading.file);
	return verdict(&reading, path, line, error, error_size);
}
