// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The store among processes: who may read it, and what is left when the writer
 * dies or the disk is full.
 *
 * SQLite must not be carried over a fork, so no store is open when a child is
 * started.
 */
#include <config.h>

#include "ibspeed/store.h"

#include <errno.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store_unit.h"
#include "unit.h"

#define NOBODY 65534
#define SKIP   77

/* What is printed so far is the parent's to print. */
static pid_t
start_child(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0) {
		abort();
	}
	return pid;
}

static int
wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	return status;
}

/* Gives up what would let us write there. */
static void
drop_rights(const struct store_unit *unit)
{
	if (geteuid() == 0) {
		if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
		    setresuid(NOBODY, NOBODY, NOBODY)) {
			_exit(SKIP);
		}
	} else if (chmod(unit->dir, 0555)) {
		_exit(SKIP);
	}
	if (access(unit->dir, W_OK) == 0) {
		_exit(SKIP);
	}
}

/* Whoever may not write there finds the map of so many nodes. */
static void
check_reader(const char *row, const struct store_unit *unit, uint32_t n_nodes)
{
	pid_t pid = start_child();
	int status;

	if (pid == 0) {
		struct ibs_store *store = NULL;
		struct ibs_map *map = NULL;
		char error[512] = "";
		bool good = false;

		drop_rights(unit);
		if (ibs_store_open(unit->path, IBS_STORE_READ, &store, error,
				   sizeof(error)) == 0 &&
		    ibs_store_load(store, 0, &map) == 0) {
			good = map->n_nodes == n_nodes;
		}
		printf("%s", error);
		ibs_map_free(map);
		ibs_store_close(store);
		_exit(good ? 0 : 1);
	}
	status = wait_for(pid);
	chmod(unit->dir, 0755);
	CHECK_INT(row, status, 0);
}

/* A writer that has recorded, and waits to be killed. */
static pid_t
start_writer(const struct store_unit *unit)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe(ready)) {
		abort();
	}
	pid = start_child();
	if (pid == 0) {
		struct ibs_map *map = store_unit_big_map(NULL);
		struct ibs_store *store = NULL;
		char error[512];
		int64_t id;

		if (ibs_store_open(unit->path, IBS_STORE_WRITE, &store, error,
				   sizeof(error)) == 0 &&
		    ibs_store_record(store, NULL, map, &id) == 0 &&
		    write(ready[1], "", 1) == 1) {
			pause();
		}
		_exit(1);
	}
	close(ready[1]);
	CHECK_INT("writer is ready", read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void
remove_end(const struct store_unit *unit, const char *end)
{
	char path[sizeof(unit->path) + 8];

	snprintf(path, sizeof(path), "%s%s", unit->path, end);
	CHECK_INT(path, unlink(path), 0);
}

static void
test_readers(void)
{
	struct ibs_map *map = unit_map(NULL);
	struct ibs_store *store;
	struct store_unit unit;
	char error[512];
	pid_t writer;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	store_unit_record(store, NULL, map);
	ibs_store_close(store);
	check_reader("the writer is gone", &unit, 6);
	writer = start_writer(&unit);
	check_reader("the writer runs", &unit, 5400);
	kill(writer, SIGKILL);
	wait_for(writer);
	check_reader("the writer was killed", &unit, 5400);
	CHECK_INT(
		"reader",
		store_unit_try(unit.path, IBS_STORE_READ, error, sizeof(error)),
		0);
	check_reader("a reader who may write was here", &unit, 5400);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	store_unit_record(store, NULL, map);
	ibs_store_close(store);
	check_reader("the next writer is gone", &unit, 6);
	remove_end(&unit, "-wal");
	remove_end(&unit, "-shm");
	check_reader("another program took -wal and -shm away", &unit, 6);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	ibs_store_close(store);
	check_reader("and they are made again", &unit, 6);
	ibs_map_free(map);
	store_unit_remove(&unit);
}

static void
test_write_refused(void)
{
	struct store_unit unit;
	char error[512];
	int status;
	pid_t pid;

	store_unit_make(&unit);
	CHECK_INT("made",
		  store_unit_try(unit.path, IBS_STORE_WRITE, error,
				 sizeof(error)),
		  0);
	chmod(unit.path, 0444);
	pid = start_child();
	if (pid == 0) {
		drop_rights(&unit);
		_exit(store_unit_try(unit.path, IBS_STORE_WRITE, error,
				     sizeof(error)) != -EACCES ||
		      !strstr(error, unit.path));
	}
	status = wait_for(pid);
	chmod(unit.dir, 0755);
	CHECK_INT("no rights", status, 0);
	store_unit_remove(&unit);
}

/* Where the child dies; counted in rows, 0 at the commit. */
static int die_at;

static void
die_at_row(void *context, int op, const char *db, const char *table,
	   sqlite3_int64 row)
{
	(void)context, (void)op, (void)db, (void)table, (void)row;
	if (die_at && --die_at == 0) {
		raise(SIGKILL);
	}
}

static int
die_at_commit(void *context)
{
	(void)context;
	return raise(SIGKILL);
}

static int
arm(sqlite3 *db, char **error, const struct sqlite3_api_routines *api)
{
	(void)error, (void)api;
	if (die_at) {
		sqlite3_update_hook(db, die_at_row, NULL);
	} else {
		sqlite3_commit_hook(db, die_at_commit, NULL);
	}
	return SQLITE_OK;
}

/* A child that is killed while it records. */
static void
die_recording(const char *row, const struct store_unit *unit, int at)
{
	pid_t pid = start_child();
	int status;

	if (pid == 0) {
		struct ibs_map *map = store_unit_big_map(NULL);
		struct ibs_store *store = NULL;
		char error[512];
		int64_t id;

		die_at = at;
		sqlite3_auto_extension((void (*)(void))arm);
		if (ibs_store_open(unit->path, IBS_STORE_WRITE, &store, error,
				   sizeof(error)) == 0) {
			ibs_store_record(store, NULL, map, &id);
		}
		_exit(1);
	}
	status = wait_for(pid);
	CHECK(row, WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void
test_killed(void)
{
	static const struct {
		const char *name;
		int at;
	} rows[] = { { "first row", 1 },
		     { "among the rows", 20000 },
		     { "commit", 0 } };
	struct ibs_map *map = unit_map(NULL);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_store *store;
		struct store_unit unit;

		store_unit_make(&unit);
		store = store_unit_open(&unit, IBS_STORE_WRITE);
		map->sweep.id = 0;
		store_unit_record(store, NULL, map);
		ibs_store_close(store);
		die_recording(rows[i].name, &unit, rows[i].at);
		store = store_unit_open(&unit, IBS_STORE_WRITE);
		store_unit_check(rows[i].name, store, 0, map);
		store_unit_record(store, NULL, map);
		CHECK_INT(rows[i].name, map->sweep.id, 2);
		CHECK_INT(rows[i].name, store_unit_rows(&unit),
			  2 + map->n_nodes + map->n_ports);
		ibs_store_close(store);
		store_unit_remove(&unit);
	}
	ibs_map_free(map);
}

static void
test_killed_making(void)
{
	struct store_unit unit;
	char error[512];

	store_unit_make(&unit);
	die_recording("tables", &unit, 0);
	store_unit_refused("no tables yet", unit.path, IBS_STORE_READ,
			   -ENODATA);
	CHECK_INT("made",
		  store_unit_try(unit.path, IBS_STORE_WRITE, error,
				 sizeof(error)),
		  0);
	store_unit_remove(&unit);
}

/* The kernel lets the file grow no further, then it does. */
static void
test_file_limit(void)
{
	struct ibs_map *small = unit_map(NULL);
	struct ibs_map *big = store_unit_big_map(NULL);
	struct rlimit limit, tight;
	struct ibs_store *store;
	struct store_unit unit;
	int64_t id = 0;
	int err;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	store_unit_record(store, NULL, small);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	tight = limit;
	tight.rlim_cur = 1 << 20;
	setrlimit(RLIMIT_FSIZE, &tight);
	err = ibs_store_record(store, small, big, &id);
	setrlimit(RLIMIT_FSIZE, &limit);
	signal(SIGXFSZ, SIG_DFL);
	CHECK_INT(ibs_store_error(store), err, -EIO);
	CHECK(ibs_store_error(store),
	      strstr(ibs_store_error(store), unit.path));
	CHECK_INT("limit", id, 0);
	store_unit_check("what was there", store, 0, small);
	store_unit_record(store, small, big);
	CHECK_INT("next", big->sweep.id, 2);
	store_unit_check("next", store, 0, big);
	ibs_store_close(store);
	ibs_map_free(small);
	ibs_map_free(big);
	store_unit_remove(&unit);
}

/* On a disk of 1 MiB that later has 64; our own mount, gone with the child. */
static int
fill_disk(const struct store_unit *unit)
{
	struct ibs_map *small = unit_map(NULL);
	struct ibs_map *big = store_unit_big_map(NULL);
	struct ibs_store *store = NULL;
	char error[512];
	int64_t id;

	if (unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", unit->dir, "tmpfs", 0, "size=1m")) {
		return SKIP;
	}
	if (ibs_store_open(unit->path, IBS_STORE_WRITE, &store, error,
			   sizeof(error)) ||
	    ibs_store_record(store, NULL, small, &small->sweep.id)) {
		return 1;
	}
	if (ibs_store_record(store, small, big, &id) != -ENOSPC ||
	    !strstr(ibs_store_error(store), "full")) {
		printf("%s\n", ibs_store_error(store));
		return 2;
	}
	if (ibs_store_record(store, small, small, &small->sweep.id)) {
		printf("%s\n", ibs_store_error(store));
		return 3;
	}
	if (mount("tmpfs", unit->dir, "tmpfs", MS_REMOUNT, "size=64m") ||
	    ibs_store_record(store, small, big, &id) || id != 3) {
		printf("%s\n", ibs_store_error(store));
		return 4;
	}
	ibs_store_close(store);
	ibs_map_free(small);
	ibs_map_free(big);
	return 0;
}

static void
test_disk_full(void)
{
	struct store_unit unit;
	int status;
	pid_t pid;

	store_unit_make(&unit);
	pid = start_child();
	if (pid == 0) {
		status = fill_disk(&unit);
		fflush(stdout);
		_exit(status);
	}
	status = wait_for(pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIP) {
		printf("\n    SKIP: a small tmpfs cannot be mounted here\n   "
		       " ");
	} else {
		CHECK_INT("disk", status, 0);
	}
	store_unit_remove(&unit);
}

static const struct unit_test tests[] = {
	{ "readers who may not write", test_readers },
	{ "writers who may not write", test_write_refused },
	{ "killed while it records", test_killed },
	{ "killed while the tables are made", test_killed_making },
	{ "a file that may not grow", test_file_limit },
	{ "a full disk", test_disk_full },
};
UNIT_MAIN("store_crash", tests)
