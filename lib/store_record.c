// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * A map into the store: one row for the sweep, and for what changed since the
 * map before a row closed, opened, or brought up to date.
 */
#include <config.h>

#include "store_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/attr.h"
#include "ibspeed/diff.h"
#include "ibspeed/speed.h"

static const char insert_sweep[] =
	"INSERT INTO sweep (start_ns, end_ns, start_mono_ns, end_mono_ns,"
	" source, sm_init_errors, n_smps, n_retries, n_timeouts, n_stray,"
	" clock_source, clock_reason, n_nodes, n_ports, n_unread,"
	" sm_port_guid, prefix, opensm, force_link_speed,"
	" force_link_speed_ext, force_link_width)"
	" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
	" ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

static void
put_guid(struct ibs_query *query, uint64_t guid)
{
	ibs_query_put_int(query, (int64_t)guid);
}

static uint32_t
count_unread(const struct ibs_map *map)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < map->n_ports; i++) {
		n += map->ports[i].read != IBS_READ_OK;
	}
	return n;
}

static void
put_sweep(struct ibs_query *query, const struct ibs_map *map)
{
	const struct ibs_sweep_info *sweep = &map->sweep;
	const struct ibs_clock *clock = &sweep->clock;
	const struct ibs_subnet *subnet = &map->subnet;
	const char *source = ibs_source_name((enum ibs_source)sweep->source);

	ibs_query_put_int(query, sweep->start_ns);
	ibs_query_put_int(query, sweep->end_ns);
	ibs_query_put_int(query, (int64_t)sweep->start_mono_ns);
	ibs_query_put_int(query, (int64_t)sweep->end_mono_ns);
	ibs_query_put_text(query, source, SIZE_MAX);
	ibs_query_put_int(query, sweep->sm_init_errors);
	ibs_query_put_int(query, sweep->n_smps);
	ibs_query_put_int(query, sweep->n_retries);
	ibs_query_put_int(query, sweep->n_timeouts);
	ibs_query_put_int(query, sweep->n_stray);
	ibs_query_put_text(
		query,
		ibs_clock_source_name((enum ibs_clock_source)clock->source),
		SIZE_MAX);
	ibs_query_put_text(query, clock->reason, sizeof(clock->reason));
	ibs_query_put_int(query, map->n_nodes);
	ibs_query_put_int(query, map->n_ports);
	ibs_query_put_int(query, count_unread(map));
	put_guid(query, subnet->sm_port_guid);
	put_guid(query, subnet->prefix);
	ibs_query_put_text(query, subnet->opensm, sizeof(subnet->opensm));
	ibs_query_put_int(query, subnet->force_link_speed);
	ibs_query_put_int(query, subnet->force_link_speed_ext);
	ibs_query_put_int(query, subnet->force_link_width);
}

static int
record_sweep(struct ibs_recording *recording)
{
	struct ibs_query query;
	int err = ibs_query_open(&query, recording->store, insert_sweep);

	if (err) {
		return err;
	}
	put_sweep(&query, recording->after);
	err = ibs_query_run(&query);
	ibs_query_close(&query);
	recording->sweep_id = sqlite3_last_insert_rowid(recording->store->db);
	return err;
}

/* Statements are prepared at first use: most sweeps change nothing. */
struct rows {
	struct ibs_recording *recording;
	const struct ibs_action_row *actions;
	struct ibs_query queries[IBS_ACTION_COUNT];
};

static int
prepare(struct rows *rows, enum ibs_action action)
{
	struct ibs_query *query = &rows->queries[action];

	return query->stmt ? 0
			   : ibs_query_open(query, rows->recording->store,
					    rows->actions[action].sql);
}

static int
act(struct rows *rows, enum ibs_action action, uint32_t index)
{
	struct ibs_query *query = &rows->queries[action];
	int err = prepare(rows, action);

	if (err) {
		return err;
	}
	rows->actions[action].put(query, rows->recording, index);
	return ibs_query_run(query);
}

static int
open_many(struct rows *rows, const struct ibs_change changes[IBS_MANY])
{
	const enum ibs_action action = IBS_ACTION_OPEN_MANY;
	int err = prepare(rows, action);

	if (err) {
		return err;
	}
	for (int i = 0; i < IBS_MANY; i++) {
		rows->actions[action].put(&rows->queries[action],
					  rows->recording, changes[i].after);
	}
	return ibs_query_run(&rows->queries[action]);
}

/* What comes back has a past, too; in an empty store nobody has. */
static int
open_state(struct rows *rows, uint32_t after)
{
	int err = 0;

	if (rows->recording->before) {
		err = act(rows, IBS_ACTION_KEEP, after);
	}
	return err ? err : act(rows, IBS_ACTION_OPEN, after);
}

static int
record_change(struct rows *rows, const struct ibs_change *change)
{
	switch (change->kind) {
	case IBS_CHANGE_NEW:
	case IBS_CHANGE_STATE:
		return open_state(rows, change->after);
	case IBS_CHANGE_GONE:
		return act(rows, IBS_ACTION_CLOSE, change->before);
	case IBS_CHANGE_BYTES:
		return act(rows, IBS_ACTION_UPDATE, change->after);
	}
	return 0;
}

static int
record_changes(struct ibs_recording *recording,
	       const struct ibs_action_row *actions,
	       const struct ibs_change *changes, size_t n)
{
	struct rows rows = { .recording = recording, .actions = actions };
	size_t i = 0;
	int err = 0;

	/* into an empty store all is new */
	for (; !recording->before && n - i >= IBS_MANY && !err; i += IBS_MANY) {
		err = open_many(&rows, &changes[i]);
	}
	for (; i < n && !err; i++) {
		err = record_change(&rows, &changes[i]);
	}
	for (int action = 0; action < IBS_ACTION_COUNT; action++) {
		ibs_query_close(&rows.queries[action]);
	}
	return err;
}

/* The node of a map that a row is of, or NO_INDEX. */
static uint32_t
find_node(const struct ibs_map *map, uint64_t guid, uint64_t instance)
{
	uint32_t node = map ? ibs_map_find_node(map, guid) : IBS_NO_INDEX;

	if (node == IBS_NO_INDEX || instance >= map->n_nodes - node ||
	    map->nodes[node + instance].guid != guid) {
		return IBS_NO_INDEX;
	}
	return node + (uint32_t)instance;
}

/* The rows that nodes have already, of both maps. */
static int
find_rows(struct ibs_recording *recording)
{
	struct ibs_query query;
	int err = ibs_query_open(
		&query, recording->store,
		"SELECT id, node_guid, node_instance FROM node_last");

	if (err) {
		return err;
	}
	while ((err = ibs_query_next(&query)) == 1) {
		int64_t row = ibs_query_get_int(&query);
		uint64_t guid = (uint64_t)ibs_query_get_int(&query);
		uint64_t instance = (uint64_t)ibs_query_get_int(&query);
		uint32_t before, after;

		before = find_node(recording->before, guid, instance);
		after = find_node(recording->after, guid, instance);
		if (before != IBS_NO_INDEX) {
			recording->rows_before[before] = row;
		}
		if (after != IBS_NO_INDEX) {
			recording->rows_after[after] = row;
		}
	}
	ibs_query_close(&query);
	return err;
}

/* Nodes that nobody has seen before get the next rows, in their order. */
static int
number_rows(struct ibs_recording *recording)
{
	int64_t last;
	int err = ibs_store_get_int(recording->store,
				    "SELECT ifnull(max(id), 0) FROM node_last",
				    &last);

	for (uint32_t i = 0; i < recording->after->n_nodes && !err; i++) {
		if (!recording->rows_after[i]) {
			recording->rows_after[i] = ++last;
		}
	}
	return err;
}

static int
record_rows(struct ibs_recording *recording, const struct ibs_diff *diff)
{
	int err = recording->before ? find_rows(recording) : 0;

	if (!err) {
		err = number_rows(recording);
	}
	if (!err) {
		err = record_changes(recording, ibs_node_actions, diff->nodes,
				     diff->n_nodes);
	}
	if (!err) {
		err = record_changes(recording, ibs_port_actions, diff->ports,
				     diff->n_ports);
	}
	return err;
}

static int
no_memory(const struct ibs_recording *recording)
{
	return ibs_store_fail_words(recording->store, -ENOMEM, "out of memory");
}

static int
record_both(struct ibs_recording *recording, const struct ibs_diff *diff)
{
	size_t n_before = recording->before ? recording->before->n_nodes : 0;
	int err;

	if (diff->n_nodes + diff->n_ports == 0) {
		return 0;
	}
	recording->rows_before = calloc(n_before + 1, sizeof(int64_t));
	recording->rows_after =
		calloc((size_t)recording->after->n_nodes + 1, sizeof(int64_t));
	err = recording->rows_before && recording->rows_after
		      ? record_rows(recording, diff)
		      : no_memory(recording);
	free(recording->rows_before);
	free(recording->rows_after);
	return err;
}

static int
record_diff(struct ibs_recording *recording)
{
	struct ibs_diff diff;
	int err;

	if (ibs_diff_make(recording->before, recording->after, &diff)) {
		return no_memory(recording);
	}
	err = record_sweep(recording);
	if (!err) {
		err = record_both(recording, &diff);
	}
	if (!err) {
		err = ibs_store_put_clock(recording->store, recording->sweep_id,
					  recording->before, recording->after,
					  &diff);
	}
	ibs_diff_free(&diff);
	return err;
}

/*
 * The caller's map before is good only if the store holds it as its latest;
 * nobody can change that while we are in the transaction.
 */
static int
record_after(struct ibs_recording *recording)
{
	struct ibs_map *latest = NULL;
	int64_t latest_id;
	int err = ibs_store_latest(recording->store, &latest_id);

	if (err) {
		return err;
	}
	if (latest_id == 0) {
		recording->before = NULL;
	} else if (!recording->before ||
		   recording->before->sweep.id != latest_id) {
		err = ibs_store_read_map(recording->store, latest_id, &latest);
		recording->before = latest;
	}
	if (!err) {
		err = record_diff(recording);
	}
	ibs_map_free(latest);
	return err;
}

int
ibs_store_record(struct ibs_store *store, const struct ibs_map *before,
		 const struct ibs_map *after, int64_t *ret_sweep_id)
{
	struct ibs_recording recording = { .store = store,
					   .before = before,
					   .after = after };
	int err = ibs_store_begin(store);

	if (err) {
		return err;
	}
	err = ibs_store_end(store, record_after(&recording));
	if (!err) {
		*ret_sweep_id = recording.sweep_id;
	}
	return err;
}
