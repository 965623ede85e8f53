// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "programmed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char programmed_path[64], programmed_log[64];
static char directory[32], time_path[64];

void
programmed_begin(void)
{
	(void)snprintf(directory, sizeof(directory),
		       "/tmp/ibspeed-verbs.XXXXXX");
	if (!mkdtemp(directory)) {
		abort();
	}
	(void)snprintf(programmed_path, sizeof(programmed_path), "%s/program",
		       directory);
	(void)snprintf(programmed_log, sizeof(programmed_log), "%s/log",
		       directory);
	(void)snprintf(time_path, sizeof(time_path), "%s/time", directory);
	setenv("IBSPEED_FAKE_VERBS", programmed_path, 1);
	programmed_time(0);
	programmed("");
}

void
programmed_end(void)
{
	(void)unlink(programmed_path);
	(void)unlink(programmed_log);
	(void)unlink(time_path);
	(void)rmdir(directory);
}

void
programmed_write(const char *path, const char *text)
{
	char new_path[80];
	FILE *out;

	(void)snprintf(new_path, sizeof(new_path), "%s.new", path);
	out = fopen(new_path, "we");
	if (!out || fputs(text, out) < 0 || fclose(out) ||
	    rename(new_path, path)) {
		abort();
	}
}

void
programmed_time(uint64_t ns)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%" PRIu64 "\n", ns);
	programmed_write(time_path, text);
}

void
programmed(const char *lines)
{
	char text[1024];

	(void)snprintf(text, sizeof(text), "time file %s\nlog %s\n%s",
		       time_path, programmed_log, lines);
	programmed_write(programmed_path, text);
}

struct ibv_context *
programmed_open(void)
{
	struct ibv_device **devices = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;

	if (devices && devices[0]) {
		context = ibv_open_device(devices[0]);
	}
	if (devices) {
		ibv_free_device_list(devices);
	}
	return context;
}

int64_t
programmed_raw(struct ibv_context *context)
{
	struct ibv_values_ex values = {
		.comp_mask = IBV_VALUES_MASK_RAW_CLOCK,
	};
	int err = ibv_query_rt_values_ex(context, &values);

	return err ? -err : (int64_t)values.raw_clock.tv_nsec;
}

int64_t
programmed_raw_at(struct ibv_context *context, uint64_t ns)
{
	programmed_time(ns);
	return programmed_raw(context);
}
