// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The store's file: opened, made, locked and closed; and what went wrong with
 * it, in words.  The other store_*.c files read and write its tables.
 */
#include <config.h>

#include "ibspeed/store.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store_private.h"

#define BUSY_TIMEOUT_MS 5000

/*
 * WAL: readers never wait for the writer.  FULL: a commit is on the disk when
 * the sweep is over; NORMAL could lose all sweeps since the last checkpoint.
 * The limit is what the -wal file, which stays, is cut to.  Foreign keys are
 * not enforced: they would make a first map a tenth slower.
 */
static const char writer_pragmas[] = "PRAGMA journal_mode = WAL;"
				     "PRAGMA synchronous = FULL;"
				     "PRAGMA journal_size_limit = 1048576;";

/* SQLite's primary codes that have an errno of their own; others are EIO. */
static const struct {
	int code;
	int err;
} errors[] = {
	{ SQLITE_NOMEM, -ENOMEM },
	{ SQLITE_BUSY, -EBUSY },
	{ SQLITE_LOCKED, -EBUSY },
	{ SQLITE_READONLY, -EROFS },
	{ SQLITE_PERM, -EACCES },
	{ SQLITE_AUTH, -EACCES },
	{ SQLITE_FULL, -ENOSPC },
	{ SQLITE_CORRUPT, -EPROTO },
	{ SQLITE_NOTADB, -EPROTO },
	{ SQLITE_FORMAT, -EPROTO },
	/* a table or column that is not there */
	{ SQLITE_ERROR, -EPROTO },
	{ SQLITE_SCHEMA, -EPROTO },
	{ SQLITE_MISMATCH, -EPROTO },
	{ SQLITE_CONSTRAINT, -EPROTO },
};

int
ibs_store_fail_words(struct ibs_store *store, int err, const char *words)
{
	snprintf(store->error, sizeof(store->error), "%s: %s", store->path,
		 words);
	for (char *c = store->error; *c; c++) {
		if (iscntrl((unsigned char)*c)) {
			*c = '?';
		}
	}
	return err;
}

int
ibs_store_fail(struct ibs_store *store, int sqlite_code)
{
	int primary = sqlite_code & 0xff;
	int cause = sqlite3_system_errno(store->db);
	char words[256];

	if (cause && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN)) {
		snprintf(words, sizeof(words), "%s: %s",
			 sqlite3_errmsg(store->db), strerror(cause));
	} else {
		snprintf(words, sizeof(words), "%s", sqlite3_errmsg(store->db));
	}
	if (cause && primary == SQLITE_CANTOPEN) {
		return ibs_store_fail_words(store, -cause, words);
	}
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (errors[i].code == primary) {
			return ibs_store_fail_words(store, errors[i].err,
						    words);
		}
	}
	return ibs_store_fail_words(store, -EIO, words);
}

int
ibs_store_exec(struct ibs_store *store, const char *sql)
{
	int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);

	return code ? ibs_store_fail(store, code) : 0;
}

int
ibs_store_get_int(struct ibs_store *store, const char *sql, int64_t *ret_value)
{
	struct ibs_query query;
	int err = ibs_query_open(&query, store, sql);

	if (err) {
		return err;
	}
	err = ibs_query_next(&query);
	if (err == 1) {
		*ret_value = ibs_query_get_int(&query);
		err = 0;
	} else if (err == 0) {
		err = ibs_store_fail_words(store, -ENODATA,
					   "nothing is recorded yet");
	}
	ibs_query_close(&query);
	return err;
}

static int
get_data_version(struct ibs_store *store, int64_t *ret_version)
{
	return ibs_store_get_int(store, "PRAGMA data_version", ret_version);
}

int
ibs_store_begin(struct ibs_store *store)
{
	int moved = 0;

	sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
	if (moved) {
		return ibs_store_fail_words(store, -ESTALE,
					    "was removed or replaced");
	}
	return ibs_store_exec(store, "BEGIN IMMEDIATE");
}

/* Nobody else can commit while we write, so this misses nothing. */
static int
commit(struct ibs_store *store)
{
	int64_t version = 0;
	int err = get_data_version(store, &version);

	if (!err) {
		err = ibs_store_exec(store, "COMMIT");
	}
	if (!err) {
		store->data_version = version;
	}
	return err;
}

int
ibs_store_end(struct ibs_store *store, int err)
{
	if (!err) {
		err = commit(store);
	}
	/* SQLite rolls back by itself after some failures. */
	if (err && !sqlite3_get_autocommit(store->db)) {
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	}
	return err;
}

/* The last component of the file's directory, for whom it is the first time. */
static int
make_directory(struct ibs_store *store)
{
	const char *slash = strrchr(store->path, '/');
	char *path;
	int err = 0;

	if (!slash || slash == store->path) {
		return -ENOENT;
	}
	path = strndup(store->path, (size_t)(slash - store->path));
	if (!path) {
		return -ENOMEM;
	}
	/* chmod: whatever the umask is */
	if (mkdir(path, 0755) || chmod(path, 0755)) {
		err = -errno;
	}
	free(path);
	return err;
}

/*
 * A new file is made here and not by SQLite, since everybody may read it
 * whatever the umask is; -wal and -shm then get the mode of the file.
 */
static int
make_file(struct ibs_store *store, bool with_directory)
{
	int fd = open(store->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	int err = fd < 0 ? -errno : 0;

	if (err == -ENOENT && with_directory) {
		err = make_directory(store);
		if (!err || err == -EEXIST) {
			return make_file(store, false);
		}
	}
	if (err == -EEXIST) {
		return 0;
	}
	if (!err && fchmod(fd, 0644)) {
		err = -errno;
	}
	if (fd >= 0) {
		close(fd);
	}
	return err ? ibs_store_fail_words(store, err, strerror(-err)) : 0;
}

/*
 * A URI, since SQLite takes a plain "file:x" or ":memory:" for something else
 * than a name; what URIs take for their own is escaped.  NULL: no memory.
 */
static char *
make_uri(const char *path, const char *query)
{
	char *uri = malloc(3 * strlen(path) + strlen(query) + 16);
	char *end = uri;

	if (!uri) {
		return NULL;
	}
	end += sprintf(end, path[0] == '/' ? "file://" : "file:");
	for (; *path; path++) {
		end += sprintf(end, strchr("%?#", *path) ? "%%%02x" : "%c",
			       *path);
	}
	sprintf(end, "%s", query);
	return uri;
}

static int
connect_file(struct ibs_store *store, int flags, const char *query)
{
	char *uri = make_uri(store->path, query);
	int persist = 1;
	int code = SQLITE_NOMEM;

	if (uri) {
		code = sqlite3_open_v2(uri, &store->db,
				       flags | SQLITE_OPEN_URI |
					       SQLITE_OPEN_NOMUTEX |
					       SQLITE_OPEN_EXRESCODE,
				       NULL);
	}
	free(uri);
	if (code) {
		return ibs_store_fail(store, code);
	}
	sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
	/* Who may only read cannot make the -shm file, so it has to stay. */
	sqlite3_file_control(store->db, "main", SQLITE_FCNTL_PERSIST_WAL,
			     &persist);
	return 0;
}

/*
 * Other programs do remove -wal and -shm when they are the last to close the
 * file, and a copy may have none.  Who may not make them again can still read:
 * without -wal all is in the file, and nobody is writing.
 */
static int
connect_alone(struct ibs_store *store)
{
	struct stat st;
	char *wal = NULL;
	bool whole = false;
	int err;

	if (asprintf(&wal, "%s-wal", store->path) >= 0) {
		whole = stat(wal, &st) ? errno == ENOENT : st.st_size == 0;
		free(wal);
	}
	if (!whole) {
		return ibs_store_fail_words(store, -EACCES,
					    "its -wal and -shm files cannot "
					    "be used by who may not write");
	}
	sqlite3_close(store->db);
	store->db = NULL;
	err = connect_file(store, SQLITE_OPEN_READONLY, "?immutable=1");
	return err ? err : ibs_store_check_version(store, IBS_STORE_READ);
}

static int
open_read(struct ibs_store *store)
{
	int err = connect_file(store, SQLITE_OPEN_READONLY, "");
	int code;

	if (err) {
		return err;
	}
	err = ibs_store_check_version(store, IBS_STORE_READ);
	code = sqlite3_errcode(store->db) & 0xff;
	if (err && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY)) {
		err = connect_alone(store);
	}
	return err;
}

static int
open_write(struct ibs_store *store)
{
	int err = make_file(store, true);

	if (!err) {
		err = connect_file(store, SQLITE_OPEN_READWRITE, "");
	}
	if (!err && sqlite3_db_readonly(store->db, "main")) {
		err = access(store->path, W_OK) ? -errno : -EACCES;
		err = ibs_store_fail_words(store, err, strerror(-err));
	}
	if (!err) {
		err = ibs_store_check_version(store, IBS_STORE_WRITE);
	}
	if (!err) {
		err = ibs_store_exec(store, writer_pragmas);
	}
	return err ? err : ibs_store_migrate(store);
}

static int
open_file(struct ibs_store *store, enum ibs_store_mode mode)
{
	int err =
		mode == IBS_STORE_WRITE ? open_write(store) : open_read(store);

	return err ? err : get_data_version(store, &store->data_version);
}

int
ibs_store_open(const char *path, enum ibs_store_mode mode,
	       struct ibs_store **ret_store, char *error, size_t error_size)
{
	struct ibs_store *store = calloc(1, sizeof(*store));
	int err;

	if (store) {
		store->path = strdup(path);
	}
	if (!store || !store->path) {
		free(store);
		snprintf(error, error_size, "%s: %s", path, strerror(ENOMEM));
		return -ENOMEM;
	}
	err = open_file(store, mode);
	if (err) {
		snprintf(error, error_size, "%s", store->error);
		ibs_store_close(store);
		return err;
	}
	*ret_store = store;
	return 0;
}

void
ibs_store_close(struct ibs_store *store)
{
	if (store) {
		sqlite3_close(store->db);
		free(store->path);
		free(store);
	}
}

const char *
ibs_store_error(const struct ibs_store *store)
{
	return store->error;
}

int
ibs_store_foreign_commit(struct ibs_store *store, bool *ret_changed)
{
	int64_t version = 0;
	int err = get_data_version(store, &version);

	if (!err) {
		*ret_changed = version != store->data_version;
		store->data_version = version;
	}
	return err;
}

int
ibs_store_size(struct ibs_store *store, int64_t *ret_sweeps,
	       int64_t *ret_size_bytes)
{
	int64_t sweeps = 0, n_pages = 0, page_bytes = 0;
	int err =
		ibs_store_get_int(store, "SELECT count(*) FROM sweep", &sweeps);

	if (!err) {
		err = ibs_store_get_int(store, "PRAGMA page_count", &n_pages);
	}
	if (!err) {
		err = ibs_store_get_int(store, "PRAGMA page_size", &page_bytes);
	}
	if (!err) {
		*ret_sweeps = sweeps;
		*ret_size_bytes = n_pages * page_bytes;
	}
	return err;
}
