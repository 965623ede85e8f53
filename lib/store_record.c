// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * A map into the store: one row for the sweep, and for what changed since the
 * map before a row closed, opened, or brought up to date.
 */
#include <config.h>

#include "store_private.h"

#include <errno.h>
#include <string.h>

#include "ibspeed/attr.h"
#include "ibspeed/diff.h"
#include "ibspeed/speed.h"

#define NODE_IS_OPEN                                                           \
	" WHERE node_guid = ? AND node_instance = ? AND closed_sweep IS NULL"
#define PORT_IS_OPEN                                                           \
	" WHERE node_guid = ? AND node_instance = ? AND port_num = ?"          \
	" AND closed_sweep IS NULL"

static const char insert_sweep[] =
	"INSERT INTO sweep (start_ns, end_ns, start_mono_ns, end_mono_ns,"
	" source, sm_init_errors, n_smps, n_retries, n_timeouts, n_stray,"
	" clock_source, clock_reason, n_nodes, n_ports, n_unread,"
	" sm_port_guid, prefix, opensm, force_link_speed,"
	" force_link_speed_ext, force_link_width)"
	" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
	" ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

struct recording {
	struct ibs_store *store;
	const struct ibs_map *before; /* NULL: the store is empty */
	const struct ibs_map *after;
	int64_t sweep_id;
	uint8_t portinfo[IBS_ATTR_SIZE]; /* of the port that is bound */
};

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
record_sweep(struct recording *recording)
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

static void
put_node_key(struct ibs_query *query, const struct ibs_node *node)
{
	put_guid(query, node->guid);
	ibs_query_put_int(query, node->instance);
}

/* What follows the route. */
static void
put_node_route(struct ibs_query *query, const struct ibs_node *node)
{
	put_guid(query, node->port_guid);
	ibs_query_put_blob(query, node->path + 1, node->n_hops);
}

static void
put_node_open(struct ibs_query *query, struct recording *recording,
	      uint32_t after)
{
	const struct ibs_node *node = &recording->after->nodes[after];

	put_node_key(query, node);
	ibs_query_put_int(query, recording->sweep_id);
	ibs_query_put_int(query, node->type);
	ibs_query_put_int(query, node->n_ports);
	put_guid(query, node->sys_guid);
	ibs_query_put_int(query, node->vendor_id);
	ibs_query_put_int(query, node->device_id);
	ibs_query_put_int(query, node->pkey_cap);
	ibs_query_put_int(query, node->sw_pkey_cap);
	ibs_query_put_blob(query, node->desc, ibs_node_desc_length(node));
	put_node_route(query, node);
}

static void
put_node_close(struct ibs_query *query, struct recording *recording,
	       uint32_t before)
{
	ibs_query_put_int(query, recording->sweep_id);
	put_node_key(query, &recording->before->nodes[before]);
}

static void
put_node_update(struct ibs_query *query, struct recording *recording,
		uint32_t after)
{
	const struct ibs_node *node = &recording->after->nodes[after];

	put_node_route(query, node);
	put_node_key(query, node);
}

static void
put_port_key(struct ibs_query *query, const struct ibs_map *map,
	     const struct ibs_map_port *port)
{
	put_node_key(query, &map->nodes[port->node]);
	ibs_query_put_int(query, port->num);
}

static void
put_epi(struct ibs_query *query, const struct ibs_epi *epi)
{
	switch ((enum ibs_epi_read)epi->read) {
	case IBS_EPI_NOT_ASKED:
		ibs_query_put_null(query);
		ibs_query_put_null(query);
		return;
	case IBS_EPI_ABSENT:
		ibs_query_put_text(query, "absent", SIZE_MAX);
		ibs_query_put_null(query);
		return;
	case IBS_EPI_ANSWERED:
		ibs_query_put_text(query, "answered", SIZE_MAX);
		ibs_query_put_blob(query, &epi->supported, 3);
		return;
	}
}

static void
put_peer(struct ibs_query *query, const struct ibs_map *map, uint32_t peer)
{
	if (peer == IBS_NO_INDEX) {
		ibs_query_put_null(query);
		ibs_query_put_null(query);
		ibs_query_put_null(query);
	} else {
		put_port_key(query, map, &map->ports[peer]);
	}
}

static void
put_sm_speed(struct ibs_query *query, enum ibs_speed speed)
{
	const struct ibs_speed_row *row = ibs_speed_row(speed);

	if (speed == IBS_SPEED_NONE) {
		ibs_query_put_null(query);
	} else {
		ibs_query_put_int(query, row ? row->ib_speed : -1);
	}
}

static void
put_sm_width(struct ibs_query *query, enum ibs_width width)
{
	const struct ibs_width_row *row = ibs_width_row(width);

	if (width == IBS_WIDTH_NONE) {
		ibs_query_put_null(query);
	} else {
		ibs_query_put_int(query, row ? row->lanes : -1);
	}
}

/* The M_Key, bytes 0..7, is in no file, whatever the caller did. */
static void
put_portinfo(struct ibs_query *query, struct recording *recording,
	     const struct ibs_map_port *port)
{
	if (port->read != IBS_READ_OK) {
		ibs_query_put_null(query);
		return;
	}
	memcpy(recording->portinfo, port->pi, sizeof(port->pi));
	ibs_field_put(recording->portinfo, &ibs_port_info_fields[IBS_PI_M_Key],
		      0);
	ibs_query_put_blob(query, recording->portinfo, sizeof(port->pi));
}

/* What is kept of the latest reading only. */
static void
put_port_latest(struct ibs_query *query, struct recording *recording,
		const struct ibs_map_port *port)
{
	bool sm_known = port->flags & IBS_PORT_HAS_SM;

	put_portinfo(query, recording, port);
	ibs_query_put_int(query, port->tries);
	ibs_query_put_int(query, port->behind_tries);
	ibs_query_put_int(query, sm_known);
	put_sm_speed(query, sm_known ? (enum ibs_speed)port->sm.speed
				     : IBS_SPEED_NONE);
	put_sm_width(query, sm_known ? (enum ibs_width)port->sm.width
				     : IBS_WIDTH_NONE);
	ibs_query_put_int(query, (port->flags & IBS_PORT_SM_GATE) != 0);
}

static void
put_read(struct ibs_query *query, enum ibs_read read, uint16_t status)
{
	ibs_query_put_text(query, ibs_read_name(read), SIZE_MAX);
	if (read == IBS_READ_STATUS) {
		ibs_query_put_int(query, status);
	} else {
		ibs_query_put_null(query);
	}
}

static void
put_port_open(struct ibs_query *query, struct recording *recording,
	      uint32_t after)
{
	const struct ibs_map *map = recording->after;
	const struct ibs_map_port *port = &map->ports[after];

	put_port_key(query, map, port);
	ibs_query_put_int(query, recording->sweep_id);
	put_guid(query, port->guid);
	put_read(query, (enum ibs_read)port->read, port->status);
	ibs_query_put_int(query, (port->flags & IBS_PORT_ASKED_EXT) != 0);
	put_epi(query, &port->epi);
	put_peer(query, map, port->peer);
	if (port->behind_read == IBS_READ_UNASKED) {
		ibs_query_put_null(query);
		ibs_query_put_null(query);
	} else {
		put_read(query, (enum ibs_read)port->behind_read,
			 port->behind_status);
	}
	put_port_latest(query, recording, port);
}

static void
put_port_close(struct ibs_query *query, struct recording *recording,
	       uint32_t before)
{
	const struct ibs_map *map = recording->before;

	ibs_query_put_int(query, recording->sweep_id);
	put_port_key(query, map, &map->ports[before]);
}

static void
put_port_update(struct ibs_query *query, struct recording *recording,
		uint32_t after)
{
	const struct ibs_map *map = recording->after;

	put_port_latest(query, recording, &map->ports[after]);
	put_port_key(query, map, &map->ports[after]);
}

/* What is done with the rows of node and port. */
enum action { ACTION_OPEN, ACTION_CLOSE, ACTION_UPDATE, ACTION_COUNT };

struct action_row {
	const char *sql;
	/* index: in the map before to close, else in the map after */
	void (*put)(struct ibs_query *query, struct recording *recording,
		    uint32_t index);
};

static const struct action_row node_actions[ACTION_COUNT] = {
	[ACTION_OPEN] = {
		"INSERT INTO node (node_guid, node_instance, opened_sweep,"
		" type, n_ports, sys_guid, vendor_id, device_id, pkey_cap,"
		" sw_pkey_cap, description, port_guid, path)"
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		put_node_open,
	},
	[ACTION_CLOSE] = {
		"UPDATE node SET closed_sweep = ?" NODE_IS_OPEN,
		put_node_close,
	},
	[ACTION_UPDATE] = {
		"UPDATE node SET port_guid = ?, path = ?" NODE_IS_OPEN,
		put_node_update,
	},
};

static const struct action_row port_actions[ACTION_COUNT] = {
	[ACTION_OPEN] = {
		"INSERT INTO port (node_guid, node_instance, port_num,"
		" opened_sweep, port_guid, read, status, asked_ext, epi_read,"
		" epi, peer_guid, peer_instance, peer_num, behind_read,"
		" behind_status, portinfo, tries, behind_tries, sm_known,"
		" sm_speed, sm_lanes, sm_gate)"
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
		" ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		put_port_open,
	},
	[ACTION_CLOSE] = {
		"UPDATE port SET closed_sweep = ?" PORT_IS_OPEN,
		put_port_close,
	},
	[ACTION_UPDATE] = {
		"UPDATE port SET portinfo = ?, tries = ?, behind_tries = ?,"
		" sm_known = ?, sm_speed = ?, sm_lanes = ?,"
		" sm_gate = ?" PORT_IS_OPEN,
		put_port_update,
	},
};

/* Statements are prepared at first use: most sweeps change nothing. */
struct rows {
	struct recording *recording;
	const struct action_row *actions;
	struct ibs_query queries[ACTION_COUNT];
};

static int
act(struct rows *rows, enum action action, uint32_t index)
{
	struct ibs_query *query = &rows->queries[action];
	const struct action_row *row = &rows->actions[action];
	int err = 0;

	if (!query->stmt) {
		err = ibs_query_open(query, rows->recording->store, row->sql);
	}
	if (err) {
		return err;
	}
	row->put(query, rows->recording, index);
	return ibs_query_run(query);
}

static int
record_change(struct rows *rows, const struct ibs_change *change)
{
	int err;

	switch (change->kind) {
	case IBS_CHANGE_NEW:
		return act(rows, ACTION_OPEN, change->after);
	case IBS_CHANGE_GONE:
		return act(rows, ACTION_CLOSE, change->before);
	case IBS_CHANGE_STATE:
		err = act(rows, ACTION_CLOSE, change->before);
		return err ? err : act(rows, ACTION_OPEN, change->after);
	case IBS_CHANGE_BYTES:
		return act(rows, ACTION_UPDATE, change->after);
	}
	return 0;
}

static int
record_changes(struct recording *recording, const struct action_row *actions,
	       const struct ibs_change *changes, size_t n)
{
	struct rows rows = { .recording = recording, .actions = actions };
	int err = 0;

	for (size_t i = 0; i < n && !err; i++) {
		err = record_change(&rows, &changes[i]);
	}
	for (int i = 0; i < ACTION_COUNT; i++) {
		ibs_query_close(&rows.queries[i]);
	}
	return err;
}

static int
record_diff(struct recording *recording)
{
	struct ibs_diff diff;
	int err = ibs_diff_make(recording->before, recording->after, &diff);

	if (err) {
		return ibs_store_fail_words(recording->store, err,
					    "out of memory");
	}
	err = record_sweep(recording);
	if (!err) {
		err = record_changes(recording, node_actions, diff.nodes,
				     diff.n_nodes);
	}
	if (!err) {
		err = record_changes(recording, port_actions, diff.ports,
				     diff.n_ports);
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
record_after(struct recording *recording)
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
	struct recording recording = { .store = store,
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
