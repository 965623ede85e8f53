// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The plugin's recorder: what it inherits, and recorders that misbehave. */
#include <config.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fed.h"
#include "host.h"
#include "ibspeed/feed.h"
#include "unit.h"

static unsigned int
count_fds(pid_t pid)
{
	unsigned int n_fds = 0;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	dir = opendir(path);
	while (dir && readdir(dir)) {
		n_fds++;
	}
	if (dir) {
		closedir(dir);
	}
	return n_fds - 2;
}

/* The value of a line of /proc/PID/status; "" when there is none. */
static void
read_status(pid_t pid, const char *name, char *value, size_t size)
{
	char path[64], line[256];
	size_t length = strlen(name);
	FILE *file;

	value[0] = 0;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, name, length) == 0) {
			snprintf(value, size, "%s", line + length);
		}
	}
	if (file) {
		fclose(file);
	}
}

static uint64_t
status_mask(pid_t pid, const char *name)
{
	char value[64];

	read_status(pid, name, value, sizeof(value));
	return value[0] ? strtoull(value, NULL, 16) : UINT64_MAX;
}

/* Gone, or what init has not yet reaped. */
static bool
is_dead(pid_t pid)
{
	char value[64];

	read_status(pid, "State:\t", value, sizeof(value));
	return value[0] == 0 || value[0] == 'Z';
}

/* As in OpenSM: descriptors that are not close-on-exec, blocked signals. */
static void
test_nothing_inherited(void)
{
	int leak = open("/dev/null", O_RDONLY), input = dup(STDIN_FILENO);
	sigset_t blocked, before;
	struct host host;
	pid_t pid;

	sigfillset(&blocked);
	sigprocmask(SIG_SETMASK, &blocked, &before);
	signal(SIGHUP, SIG_IGN);
	close(STDIN_FILENO);
	host_new(&host, 1);
	host_create(&host, "eat", "");
	host_report(&host, OSM_EVENT_ID_SUBNET_UP);
	fed_wait("inherited", &host, 0, IBS_FEED_TOPOLOGY, 1);
	pid = host_recorder(&host, 0);
	CHECK_INT("0, 1, 2 and the file that it writes", count_fds(pid), 4);
	CHECK_INT("blocked", status_mask(pid, "SigBlk:"), 0);
	/* The C library keeps 32 and 33 to itself. */
	CHECK_INT("ignored", status_mask(pid, "SigIgn:") & 0x7fffffff, 0);
	CHECK_INT("its own group", getpgid(pid), pid);
	fed_delete("inherited", &host);
	host_free(&host);
	dup2(input, STDIN_FILENO);
	close(input);
	close(leak);
	signal(SIGHUP, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void
test_dies(void)
{
	struct host host;

	host_new(&host, 1);
	host_create(&host, "die", "");
	CHECK("dies", host_wait(&host, "log", "exited with status 3", 2));
	CHECK_INT("dies", host_count(&host, "log", "again in 1 s"), 1);
	CHECK_INT("dies", host_count(&host, "log", "again in 2 s"), 1);
	CHECK_INT("dies",
		  host_count(&host, "log",
			     "0x01 -> osmspeed: ibspeed: error: I die ?\n"),
		  2);
	CHECK("dies", host_delete(&host) < DELETE_MS);
	host_free(&host);
}

static void
test_killed(void)
{
	struct host host;

	host_new(&host, 1);
	host_create(&host, "eat", "");
	host_report(&host, OSM_EVENT_ID_SUBNET_UP);
	fed_wait("before", &host, 0, IBS_FEED_TOPOLOGY, 1);
	kill(host_recorder(&host, 0), SIGKILL);
	CHECK("killed", host_wait(&host, "log", "killed by signal 9", 1));
	fed_wait("after", &host, 1, IBS_FEED_ROLE, 1);
	fed_wait("after", &host, 1, IBS_FEED_TOPOLOGY, 1);
	CHECK("killed", host_delete(&host) < DELETE_MS);
	CHECK("killed", host_is_gone(host_recorder(&host, 1)));
	host_free(&host);
}

static void
test_orphan(void)
{
	char text[HOST_TEXT_SIZE];
	struct host host;
	pid_t orphan;

	host_new(&host, 1);
	host_create(&host, "orphan", "");
	CHECK("orphan", host_wait(&host, "log", "exited with status 4", 1));
	orphan = (pid_t)strtol(host_text(&host, "orphan", text), NULL, 10);
	for (int i = 0; i < 100 && !is_dead(orphan); i++) {
		usleep(10000);
	}
	CHECK("orphan", orphan > 0 && is_dead(orphan));
	host_delete(&host);
	host_free(&host);
}

struct mode_row {
	const char *mode;
	const char *log; /* what is in the log in the end */
};

static const struct mode_row mode_rows[] = {
	{ "deaf", "killed by signal 15" },
	{ "stubborn", "killed by signal 9" },
	{ "talk", "lines of the recorder suppressed" },
	{ "hang up", "killed by signal 15" },
};

/* A frame that no socket buffer holds, and a recorder that is no help. */
static void
test_modes(void)
{
	for (size_t i = 0; i < sizeof(mode_rows) / sizeof(mode_rows[0]); i++) {
		const struct mode_row *row = &mode_rows[i];
		struct host host;

		host_new(&host, 300);
		host_create(&host, row->mode, "");
		host_recorder(&host, 0);
		for (int n = 0; n < 20; n++) {
			int64_t start_ms = host_now_ms();

			host_report(&host, OSM_EVENT_ID_SUBNET_UP);
			CHECK(row->mode, host_now_ms() - start_ms < 50);
			usleep(20000);
		}
		fed_delete(row->mode, &host);
		CHECK(row->mode, host_count(&host, "log", row->log) > 0);
		CHECK(row->mode, host_count(&host, "log", row->log) <= 20);
		host_free(&host);
	}
}

static void
test_no_recorder(void)
{
	struct host host;

	host_new(&host, 1);
	host_create(&host, "eat", "osmspeed.recorder=/nonexistent");
	CHECK("none", host_wait(&host, "log", "cannot be started: No such", 1));
	host_report(&host, OSM_EVENT_ID_SUBNET_UP);
	CHECK("none", host_delete(&host) < DELETE_MS);
	host_free(&host);
}

static const struct unit_test tests[] = {
	{ "nothing is inherited", test_nothing_inherited },
	{ "a recorder that dies", test_dies },
	{ "a recorder that is killed", test_killed },
	{ "a recorder that leaves an orphan", test_orphan },
	{ "recorders that are no help", test_modes },
	{ "no recorder", test_no_recorder },
};
UNIT_MAIN("plugin's recorder", tests)
