/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* ini_file: an INI file, line by line, through inih. */
#ifndef IBSPEED_INI_FILE_H
#define IBSPEED_INI_FILE_H

#include <stddef.h>

struct ini_file_line {
	const char *section; /* "" before the first */
	const char *key;
	const char *value;
	int number;
	int section_number; /* of the line that begins the section */
};

/* 0, or -EINVAL with what is wrong and what was expected. */
typedef int ini_file_take(void *context, const struct ini_file_line *line,
			  char *error, size_t error_size);

/*
 * Hands each line over, also behind one that was wrong.
 * errors  -ENOENT no such file, -EINVAL (file, line and what was expected in
 *         error, of the first that was wrong), another -errno it cannot be read
 */
int ini_file_load(const char *path, ini_file_take *take, void *context,
		  char *error, size_t error_size);

#endif
