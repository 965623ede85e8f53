// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Feeds each file of the directories in argv, or of the target's own corpus, to
 * a fuzz target.  No directory, or one without files, is a failure.
 */
#include <config.h>

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

/* The bytes of a file in a block that ends where they end; NULL: not read. */
static uint8_t *
read_file(const char *path, size_t *ret_size)
{
	FILE *in = fopen(path, "re");
	uint8_t *data = NULL;
	struct stat st;

	if (!in) {
		return NULL;
	}
	if (fstat(fileno(in), &st) == 0) {
		data = malloc(st.st_size ? (size_t)st.st_size : 1);
	}
	if (data &&
	    fread(data, 1, (size_t)st.st_size, in) != (size_t)st.st_size) {
		free(data);
		data = NULL;
	}
	fclose(in);
	*ret_size = (size_t)st.st_size;
	return data;
}

static bool
replay_file(const char *directory, const char *name)
{
	char path[PATH_MAX];
	uint8_t *data;
	size_t size;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	data = read_file(path, &size);
	if (!data) {
		perror(path);
		return false;
	}
	fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return true;
}

static bool
replay_directory(const char *directory)
{
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	size_t n_files = 0;
	bool good = true;

	if (!dir) {
		perror(directory);
		return false;
	}
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] != '.') {
			good = replay_file(directory, entry->d_name) && good;
			n_files++;
		}
	}
	closedir(dir);
	printf("%s: %zu files\n", directory, n_files);
	return good && n_files;
}

int
main(int argc, char **argv)
{
	const char *srcdir = getenv("srcdir");
	char own[PATH_MAX];
	bool good = true;

	for (int i = 1; i < argc; i++) {
		good = replay_directory(argv[i]) && good;
	}
	if (argc < 2) {
		snprintf(own, sizeof(own), "%s/%s", srcdir ? srcdir : ".",
			 FUZZ_CORPUS);
		good = replay_directory(own);
	}
	return good ? 0 : 1;
}
