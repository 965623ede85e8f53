// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/option.h"
#include "log.h"

#define KEY_SIZE   64
#define ERROR_SIZE 256

struct args {
	char **argv; /* ends with a NULL */
	size_t n_args;
};

/* One more argument.  False: no memory. */
static bool
add(struct args *args, const char *text)
{
	char **moved = reallocarray(args->argv, args->n_args + 2,
				    sizeof(args->argv[0]));

	if (!moved) {
		return false;
	}
	args->argv = moved;
	moved[args->n_args + 1] = NULL;
	moved[args->n_args] = strdup(text);
	return moved[args->n_args++] != NULL;
}

/* The row of an option with a value that it may have, or NULL. */
static const struct ibs_option_row *
check_option(struct osm_opensm *osm, struct ibs_settings *settings,
	     const char *key, const char *value)
{
	const struct ibs_option_row *row = ibs_option_find(key, IBS_IN_PLUGIN);
	char error[ERROR_SIZE];

	if (!row) {
		log_line(osm, OSM_LOG_ERROR,
			 "osmspeed.%s is not an option; ignored", key);
		return NULL;
	}
	if (ibs_option_set(settings, row, value, error, sizeof(error))) {
		log_line(osm, OSM_LOG_ERROR, "osmspeed.%s ignored: %s", key,
			 error);
		return NULL;
	}
	return row;
}

static bool
add_options(struct args *args, struct osm_opensm *osm,
	    struct ibs_settings *settings, const char *options)
{
	char key[KEY_SIZE], value[IBS_PATH_SIZE];
	char arg[sizeof(key) + sizeof(value) + sizeof("--=")];
	int found;

	while ((found = ibs_option_next_token(&options, key, sizeof(key), value,
					      sizeof(value)))) {
		const struct ibs_option_row *row;

		if (found < 0) {
			log_line(osm, OSM_LOG_ERROR,
				 "osmspeed.%s ignored: expected KEY=VALUE",
				 key);
			continue;
		}
		row = check_option(osm, settings, key, value);
		if (!row || strcmp(row->name, "recorder") == 0) {
			continue;
		}
		snprintf(arg, sizeof(arg), "--%s=%s", key, value);
		if (!add(args, arg)) {
			return false;
		}
	}
	return true;
}

char **
recorder_argv(struct osm_opensm *osm, const char *options)
{
	struct args args = { 0 };
	struct ibs_settings settings;
	char *path;

	ibs_settings_default(&settings);
	if (!add(&args, IBS_RECORDER) || !add(&args, "record") ||
	    !add(&args, "--feed") ||
	    !add_options(&args, osm, &settings, options ? options : "")) {
		goto out_free;
	}
	if (settings.recorder[0]) {
		path = strdup(settings.recorder);
		if (!path) {
			goto out_free;
		}
		free(args.argv[0]);
		args.argv[0] = path;
	}
	return args.argv;
out_free:
	recorder_argv_free(args.argv);
	return NULL;
}

void
recorder_argv_free(char **argv)
{
	for (char **arg = argv; arg && *arg; arg++) {
		free(*arg);
	}
	free(argv);
}
