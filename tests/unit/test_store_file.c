// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The store's file: where it is made, what is refused, and what is damaged. */
#include <config.h>

#include "ibspeed/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store_unit.h"
#include "unit.h"

static void
write_file(const struct store_unit *unit, const void *data, size_t size)
{
	FILE *file = fopen(unit->path, "w");

	if (!file || fwrite(data, 1, size, file) != size || fclose(file)) {
		abort();
	}
}

static bool
same_file(const struct store_unit *unit, const void *data, size_t size)
{
	char got[8192];
	FILE *file = fopen(unit->path, "r");
	size_t n = file ? fread(got, 1, sizeof(got), file) : 0;

	if (file) {
		fclose(file);
	}
	return n == size && memcmp(got, data, size) == 0;
}

static void
test_not_ours(void)
{
	static char noise[8192], header[8192] = "SQLite format 3";
	static const struct {
		const char *name;
		const char *data;
		size_t size;
	} rows[] = {
		{ "text", "hello\n", 6 },
		{ "noise", noise, sizeof(noise) },
		{ "a header and no more", header, sizeof(header) },
	};

	memset(noise, 0xa5, sizeof(noise));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct store_unit unit;

		store_unit_make(&unit);
		write_file(&unit, rows[i].data, rows[i].size);
		store_unit_refused(rows[i].name, unit.path, IBS_STORE_READ,
				   -EPROTO);
		store_unit_refused(rows[i].name, unit.path, IBS_STORE_WRITE,
				   -EPROTO);
		CHECK(rows[i].name,
		      same_file(&unit, rows[i].data, rows[i].size));
		store_unit_remove(&unit);
	}
}

static void
test_other_database(void)
{
	struct store_unit unit;

	store_unit_make(&unit);
	store_unit_exec(&unit, "CREATE TABLE port (x)");
	store_unit_refused("other", unit.path, IBS_STORE_READ, -EPROTO);
	store_unit_refused("other", unit.path, IBS_STORE_WRITE, -EPROTO);
	CHECK_INT("untouched",
		  store_unit_int(&unit, "SELECT count(*) FROM sqlite_schema"),
		  1);
	store_unit_remove(&unit);
}

static void
test_versions(void)
{
	struct store_unit unit;
	char error[512];

	store_unit_make(&unit);
	write_file(&unit, "", 0);
	store_unit_refused("empty", unit.path, IBS_STORE_READ, -ENODATA);
	CHECK_INT("made",
		  store_unit_try(unit.path, IBS_STORE_WRITE, error,
				 sizeof(error)),
		  0);
	CHECK_INT("version", store_unit_int(&unit, "PRAGMA user_version"),
		  IBS_STORE_VERSION);
	store_unit_exec(&unit, "PRAGMA user_version = 1000");
	store_unit_refused("newer", unit.path, IBS_STORE_READ, -EOVERFLOW);
	store_unit_refused("newer", unit.path, IBS_STORE_WRITE, -EOVERFLOW);
	CHECK_INT("untouched", store_unit_int(&unit, "PRAGMA user_version"),
		  1000);
	store_unit_remove(&unit);
}

static void
test_paths(void)
{
	struct store_unit unit, below;
	struct stat st;
	mode_t mask;
	char error[512];

	store_unit_make(&unit);
	store_unit_refused("missing", unit.path, IBS_STORE_READ, -ENOENT);
	store_unit_refused("a directory", unit.dir, IBS_STORE_WRITE, -EISDIR);
	below = unit;
	snprintf(below.path, sizeof(below.path), "%.100s/a/b/map.db", unit.dir);
	store_unit_refused("two missing", below.path, IBS_STORE_WRITE, -ENOENT);
	/* everybody may read, whatever the umask is */
	snprintf(below.dir, sizeof(below.dir), "%.100s/a", unit.dir);
	snprintf(below.path, sizeof(below.path), "%.110s/map.db", below.dir);
	mask = umask(077);
	CHECK_INT("made",
		  store_unit_try(below.path, IBS_STORE_WRITE, error,
				 sizeof(error)),
		  0);
	umask(mask);
	CHECK_INT("directory", stat(below.dir, &st), 0);
	CHECK_INT("directory", st.st_mode & 0777, 0755);
	CHECK_INT("file", stat(below.path, &st), 0);
	CHECK_INT("file", st.st_mode & 0777, 0644);
	CHECK_INT("again",
		  store_unit_try(below.path, IBS_STORE_WRITE, error,
				 sizeof(error)),
		  0);
	store_unit_remove(&below);
	store_unit_remove(&unit);
}

/* Names that SQLite would take for something else. */
static void
test_names(void)
{
	struct store_unit unit, below;
	struct stat st;
	char error[512];

	store_unit_make(&unit);
	CHECK_INT("here", chdir(unit.dir), 0);
	for (int i = 0; i < 2; i++) {
		snprintf(below.path, sizeof(below.path), "%s",
			 i ? ":memory:" : "file:x");
		CHECK_INT(below.path,
			  store_unit_try(below.path, IBS_STORE_WRITE, error,
					 sizeof(error)),
			  0);
		CHECK_INT(below.path, stat(below.path, &st), 0);
		store_unit_remove_files(&below);
	}
	CHECK_INT("back", chdir("/"), 0);
	store_unit_remove(&unit);
}

/* What SQL can put into the file, and no map can hold. */
static void
test_damaged_rows(void)
{
	static const char *const rows[] = {
		"UPDATE sweep SET source = 'x'",
		"UPDATE sweep SET n_ports = n_ports - 1",
		"UPDATE sweep SET n_nodes = -1",
		"UPDATE sweep SET opensm = hex(zeroblob(60))",
		"UPDATE sweep SET sm_init_errors = 2",
		"DELETE FROM port_last WHERE id = 257",
		"DELETE FROM node_last WHERE id = 1",
		"DELETE FROM node_last",
		"UPDATE node_last SET id = id + 100",
		"UPDATE node_last SET node_instance = 256",
		"UPDATE node_last SET description = zeroblob(65)",
		"UPDATE node_last SET path = zeroblob(64)",
		"UPDATE node_last SET device_id = 65536",
		"UPDATE port_last SET id = id + 25600",
		"UPDATE port_last SET id = id - 256",
		"UPDATE port_last SET read = -1",
		"UPDATE port_last SET read = 5", /* an outcome that is none */
		"UPDATE port_last SET read = 1 << 32",
		"UPDATE port_last SET read = 2", /* timeout, with bytes */
		"UPDATE port_last SET behind = 15",
		"UPDATE port_last SET portinfo = zeroblob(63)",
		"UPDATE port_last SET portinfo = NULL",
		"UPDATE port_last SET epi = zeroblob(2)",
		"UPDATE port_last SET epi = zeroblob(4)",
		"UPDATE port_last SET sm = 1 << 32",
		"DROP VIEW node; DROP TABLE port_last",
		"ALTER TABLE node_last RENAME path TO way",
	};
	struct ibs_map *map = unit_map(NULL);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_map *got = NULL;
		struct ibs_store *store;
		struct store_unit unit;

		store_unit_make(&unit);
		store = store_unit_open(&unit, IBS_STORE_WRITE);
		store_unit_record(store, NULL, map);
		store_unit_exec(&unit, rows[i]);
		CHECK_INT(rows[i], ibs_store_load(store, 0, &got), -EPROTO);
		CHECK(rows[i], got == NULL);
		CHECK(ibs_store_error(store),
		      strstr(ibs_store_error(store), unit.path));
		ibs_store_close(store);
		store_unit_remove(&unit);
	}
	ibs_map_free(map);
}

/* True when the file, or its map, is refused as damaged. */
static bool
is_damaged(const struct store_unit *unit)
{
	struct ibs_store *store = NULL;
	struct ibs_map *map = NULL;
	char error[512];
	int err = ibs_store_open(unit->path, IBS_STORE_READ, &store, error,
				 sizeof(error));

	if (!err) {
		err = ibs_store_load(store, 0, &map);
	}
	ibs_map_free(map);
	ibs_store_close(store);
	return err == -EPROTO;
}

/* Each page in turn is noise: an error or a map, never a crash. */
static void
test_damaged_pages(void)
{
	struct ibs_map *map = unit_map(NULL);
	struct ibs_store *store;
	struct store_unit unit;
	char noise[4096], kept[4096];
	int n_refused = 0;
	int n_pages, fd;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	store_unit_record(store, NULL, map);
	ibs_store_close(store);
	ibs_map_free(map);
	n_pages = (int)store_unit_int(&unit, "PRAGMA page_count");
	memset(noise, 0xa5, sizeof(noise));
	fd = open(unit.path, O_RDWR);
	for (int i = n_pages - 1; i >= 0; i--) {
		CHECK_INT("kept", pread(fd, kept, sizeof(kept), 4096L * i),
			  sizeof(kept));
		CHECK_INT("noise", pwrite(fd, noise, sizeof(noise), 4096L * i),
			  sizeof(noise));
		n_refused += is_damaged(&unit);
		if (i > 0) {
			CHECK_INT("restored",
				  pwrite(fd, kept, sizeof(kept), 4096L * i),
				  sizeof(kept));
		}
	}
	close(fd);
	/* free ones do not; the first, nodes, ports and the schema do */
	CHECK("some pages matter", n_refused >= 4);
	CHECK("not all pages matter", n_refused < n_pages);
	store_unit_refused("the first page", unit.path, IBS_STORE_READ,
			   -EPROTO);
	store_unit_remove(&unit);
}

static void
test_foreign_commit(void)
{
	struct ibs_map *map = unit_map(NULL);
	struct ibs_store *ours, *theirs;
	struct store_unit unit;
	bool changed = true;
	int64_t id;

	store_unit_make(&unit);
	ours = store_unit_open(&unit, IBS_STORE_WRITE);
	theirs = store_unit_open(&unit, IBS_STORE_WRITE);
	CHECK_INT("none", ibs_store_foreign_commit(ours, &changed), 0);
	CHECK("none", !changed);
	store_unit_record(ours, NULL, map);
	CHECK_INT("our own", ibs_store_foreign_commit(ours, &changed), 0);
	CHECK("our own", !changed);
	CHECK_INT("theirs", ibs_store_add_role(theirs, 1, 3), 0);
	CHECK_INT("theirs", ibs_store_foreign_commit(ours, &changed), 0);
	CHECK("theirs", changed);
	CHECK_INT("seen", ibs_store_foreign_commit(ours, &changed), 0);
	CHECK("seen", !changed);
	/* they record, and what we hold is not the latest any more */
	CHECK_INT("theirs", ibs_store_record(theirs, NULL, map, &id), 0);
	CHECK_INT("ours", ibs_store_record(ours, map, map, &id), 0);
	CHECK_INT("ours", id, 3);
	CHECK_INT("rows", store_unit_rows(&unit),
		  3 + 1 + map->n_nodes + map->n_ports);
	ibs_store_close(ours);
	ibs_store_close(theirs);
	ibs_map_free(map);
	store_unit_remove(&unit);
}

static void
test_removed(void)
{
	struct ibs_map *map = unit_map(NULL);
	struct ibs_store *store;
	struct store_unit unit;
	int64_t id = 0;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	store_unit_record(store, NULL, map);
	unlink(unit.path);
	CHECK_INT("removed", ibs_store_record(store, map, map, &id), -ESTALE);
	CHECK_INT("removed", id, 0);
	ibs_store_close(store);
	ibs_map_free(map);
	store_unit_remove(&unit);
}

static const struct unit_test tests[] = {
	{ "files that are not ours", test_not_ours },
	{ "another database", test_other_database },
	{ "empty and newer files", test_versions },
	{ "paths, directories, modes", test_paths },
	{ "names", test_names },
	{ "rows that no map can hold", test_damaged_rows },
	{ "pages of noise", test_damaged_pages },
	{ "commits of others", test_foreign_commit },
	{ "the file is removed", test_removed },
};
UNIT_MAIN("store_file", tests)
