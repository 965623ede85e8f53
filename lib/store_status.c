// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* What the store knows of the recorder and the SM, apart from the map. */
#include <config.h>

#include "store_private.h"

#include <errno.h>

#define RECORDER_COLUMNS                                                       \
	"pid, started_ns, seen_ns, boot_id, host, version, error, sm_state,"   \
	" interval_s"

int
ibs_store_put_recorder(struct ibs_store *store,
		       const struct ibs_recorder_row *row)
{
	struct ibs_query query;
	int err = ibs_query_open(
		&query, store,
		"INSERT OR REPLACE INTO recorder (id, " RECORDER_COLUMNS
		") VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

	if (err) {
		return err;
	}
	ibs_query_put_int(&query, row->pid);
	ibs_query_put_int(&query, row->started_ns);
	ibs_query_put_int(&query, row->seen_ns);
	ibs_query_put_text(&query, row->boot_id, sizeof(row->boot_id));
	ibs_query_put_text(&query, row->host, sizeof(row->host));
	ibs_query_put_text(&query, row->version, sizeof(row->version));
	ibs_query_put_text(&query, row->error, sizeof(row->error));
	ibs_query_put_int(&query, row->sm_state);
	ibs_query_put_int(&query, row->interval_s);
	err = ibs_query_run(&query);
	ibs_query_close(&query);
	return err;
}

static int
get_recorder(struct ibs_query *query, struct ibs_recorder_row *row)
{
	int err = ibs_query_next(query);

	if (err != 1) {
		return err ? err
			   : ibs_store_fail_words(query->store, -ENODATA,
						  "no recorder was here yet");
	}
	row->pid = ibs_query_get_int(query);
	row->started_ns = ibs_query_get_int(query);
	row->seen_ns = ibs_query_get_int(query);
	ibs_query_get_text(query, row->boot_id, sizeof(row->boot_id));
	ibs_query_get_text(query, row->host, sizeof(row->host));
	ibs_query_get_text(query, row->version, sizeof(row->version));
	ibs_query_get_text(query, row->error, sizeof(row->error));
	row->sm_state = (uint8_t)ibs_query_get_uint(query, UINT8_MAX);
	row->interval_s = (int64_t)ibs_query_get_uint(query, UINT32_MAX);
	return ibs_query_good(query);
}

int
ibs_store_get_recorder(struct ibs_store *store,
		       struct ibs_recorder_row *ret_row)
{
	struct ibs_recorder_row row = { 0 };
	struct ibs_query query;
	int err = ibs_query_open(&query, store,
				 "SELECT " RECORDER_COLUMNS " FROM recorder");

	if (err) {
		return err;
	}
	err = get_recorder(&query, &row);
	if (!err) {
		*ret_row = row;
	}
	ibs_query_close(&query);
	return err;
}

int
ibs_store_add_role(struct ibs_store *store, int64_t at_ns, uint8_t sm_state)
{
	struct ibs_query query;
	int err = ibs_query_open(
		&query, store,
		"INSERT INTO role (at_ns, sm_state) VALUES (?, ?)");

	if (err) {
		return err;
	}
	ibs_query_put_int(&query, at_ns);
	ibs_query_put_int(&query, sm_state);
	err = ibs_query_run(&query);
	ibs_query_close(&query);
	return err;
}
