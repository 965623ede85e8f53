// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Statements of the store: values go in and come out in the order of the SQL
 * text, so that each column is named once, there.
 */
#include <config.h>

#include "store_private.h"

#include <errno.h>
#include <string.h>

int
ibs_query_open(struct ibs_query *query, struct ibs_store *store,
	       const char *sql)
{
	int code;

	*query = (struct ibs_query){ .store = store };
	code = sqlite3_prepare_v2(store->db, sql, -1, &query->stmt, NULL);
	return code ? ibs_store_fail(store, code) : 0;
}

void
ibs_query_close(struct ibs_query *query)
{
	sqlite3_finalize(query->stmt);
	query->stmt = NULL;
}

static void
note(struct ibs_query *query, int code)
{
	if (code) {
		query->code = code;
	}
}

void
ibs_query_put_null(struct ibs_query *query)
{
	note(query, sqlite3_bind_null(query->stmt, ++query->at));
}

void
ibs_query_put_int(struct ibs_query *query, int64_t value)
{
	note(query, sqlite3_bind_int64(query->stmt, ++query->at, value));
}

void
ibs_query_put_double(struct ibs_query *query, double value)
{
	note(query, sqlite3_bind_double(query->stmt, ++query->at, value));
}

void
ibs_query_put_text(struct ibs_query *query, const char *text, size_t size)
{
	note(query, sqlite3_bind_text(query->stmt, ++query->at, text,
				      (int)strnlen(text, size), SQLITE_STATIC));
}

void
ibs_query_put_blob(struct ibs_query *query, const void *data, size_t size)
{
	note(query, sqlite3_bind_blob(query->stmt, ++query->at, data, (int)size,
				      SQLITE_STATIC));
}

void
ibs_query_put_copy(struct ibs_query *query, const void *data, size_t size)
{
	note(query, sqlite3_bind_blob(query->stmt, ++query->at, data, (int)size,
				      SQLITE_TRANSIENT));
}

int
ibs_query_run(struct ibs_query *query)
{
	int code = query->code;
	int err = 0;

	if (!code) {
		code = sqlite3_step(query->stmt);
	}
	if (code != SQLITE_DONE) {
		err = ibs_store_fail(query->store, code);
	}
	sqlite3_reset(query->stmt);
	query->at = 0;
	query->code = SQLITE_OK;
	return err;
}

int
ibs_query_next(struct ibs_query *query)
{
	int code = query->code;

	if (!code) {
		code = sqlite3_step(query->stmt);
	}
	query->at = 0;
	if (code == SQLITE_ROW) {
		return 1;
	}
	return code == SQLITE_DONE ? 0 : ibs_store_fail(query->store, code);
}

bool
ibs_query_is_null(struct ibs_query *query)
{
	return sqlite3_column_type(query->stmt, query->at) == SQLITE_NULL;
}

int64_t
ibs_query_get_int(struct ibs_query *query)
{
	return sqlite3_column_int64(query->stmt, query->at++);
}

double
ibs_query_get_double(struct ibs_query *query)
{
	return sqlite3_column_double(query->stmt, query->at++);
}

uint64_t
ibs_query_get_uint(struct ibs_query *query, uint64_t max)
{
	uint64_t value = (uint64_t)ibs_query_get_int(query);

	if (value > max) {
		query->bad = true;
		return 0;
	}
	return value;
}

void
ibs_query_get_text(struct ibs_query *query, char *ret_text, size_t size)
{
	const unsigned char *text = sqlite3_column_text(query->stmt, query->at);
	size_t length = (size_t)sqlite3_column_bytes(query->stmt, query->at);

	query->at++;
	if (length >= size) {
		query->bad = true;
		length = 0;
	}
	memset(ret_text, 0, size);
	if (text) {
		memcpy(ret_text, text, length);
	}
}

const uint8_t *
ibs_query_borrow_blob(struct ibs_query *query, size_t *ret_size)
{
	const void *data = sqlite3_column_blob(query->stmt, query->at);

	*ret_size = (size_t)sqlite3_column_bytes(query->stmt, query->at);
	query->at++;
	return data;
}

size_t
ibs_query_get_blob(struct ibs_query *query, void *ret_data, size_t size)
{
	size_t length;
	const void *data = ibs_query_borrow_blob(query, &length);

	if (length > size) {
		query->bad = true;
		return 0;
	}
	if (length) {
		memcpy(ret_data, data, length);
	}
	return length;
}

void
ibs_query_skip(struct ibs_query *query)
{
	query->at++;
}

int
ibs_query_good(struct ibs_query *query)
{
	if (!query->bad) {
		return 0;
	}
	return ibs_store_fail_words(query->store, -EPROTO,
				    "holds values that no speed map has");
}
