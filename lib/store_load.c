// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The map of a sweep out of the store.  Nothing in the file is trusted: what no
 * map can hold is refused, so a damaged file ends in an error.
 */
#include <config.h>

#include "store_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/speed.h"

static const char select_sweep[] =
	"SELECT id, start_ns, end_ns, start_mono_ns, end_mono_ns, source,"
	" sm_init_errors, n_smps, n_retries, n_timeouts, n_stray,"
	" clock_source, clock_reason, n_nodes, n_ports, sm_port_guid, prefix,"
	" opensm, force_link_speed, force_link_speed_ext, force_link_width"
	" FROM sweep WHERE id = ?";

static const char select_nodes[] =
	"SELECT id, node_guid, node_instance, type, n_ports, sys_guid,"
	" vendor_id, device_id, pkey_cap, sw_pkey_cap, description, port_guid,"
	" path FROM node WHERE opened_sweep <= ?1"
	" AND (closed_sweep IS NULL OR closed_sweep > ?1) ORDER BY id";

/*
 * The latest states that stood already, and of the earlier ones those that
 * ended later: the past is long, so an index leads past most of it.
 */
#define PORT_COLUMNS                                                           \
	"SELECT p.id, start_ns, port_guid, peer, read, behind, epi, sm,"       \
	" portinfo FROM "
#define PORT_OPENED                                                            \
	" AS p JOIN sweep ON sweep.id = opened_sweep"                          \
	" WHERE opened_sweep <= ?1 AND "
static const char select_ports[] = PORT_COLUMNS
	"port_last" PORT_OPENED
	"(closed_sweep IS NULL OR closed_sweep > ?1) UNION ALL " PORT_COLUMNS
	"port_past" PORT_OPENED "closed_sweep > ?1";

struct loading {
	struct ibs_store *store;
	struct ibs_map *map;
	int64_t sweep_id;
	uint32_t n_nodes; /* that the sweep's row promises */
	uint32_t n_ports;
	int64_t *node_rows; /* of each node; they rise */
	int64_t *peer_rows; /* of each port; 0: no peer is known */
	uint32_t last_node; /* ports of a node mostly come together */
};

static int
damaged(const struct loading *loading)
{
	return ibs_store_fail_words(loading->store, -EPROTO,
				    "holds rows that do not fit together");
}

static int
no_memory(const struct loading *loading)
{
	return ibs_store_fail_words(loading->store, -ENOMEM, "out of memory");
}

static uint8_t
get_u8(struct ibs_query *query)
{
	return (uint8_t)ibs_query_get_uint(query, UINT8_MAX);
}

static uint16_t
get_u16(struct ibs_query *query)
{
	return (uint16_t)ibs_query_get_uint(query, UINT16_MAX);
}

static uint32_t
get_u32(struct ibs_query *query)
{
	return (uint32_t)ibs_query_get_uint(query, UINT32_MAX);
}

static uint64_t
get_guid(struct ibs_query *query)
{
	return (uint64_t)ibs_query_get_int(query);
}

static bool
get_bool(struct ibs_query *query)
{
	return ibs_query_get_uint(query, 1) != 0;
}

static const char *
source_name(int i)
{
	return ibs_source_name((enum ibs_source)i);
}

static const char *
clock_source_name(int i)
{
	return ibs_clock_source_name((enum ibs_clock_source)i);
}

static uint8_t
get_named(struct ibs_query *query, const char *(*name_of)(int i), int n)
{
	char name[32];

	ibs_query_get_text(query, name, sizeof(name));
	for (int i = 0; i < n; i++) {
		if (strcmp(name, name_of(i)) == 0) {
			return (uint8_t)i;
		}
	}
	query->bad = true;
	return 0;
}

/* What became of a Get; NULL: it was never sent. */
static struct ibs_attr
get_outcome(struct ibs_query *query)
{
	uint64_t get = ibs_query_get_uint(query, IBS_GET_MAX);
	struct ibs_attr attr = {
		.read = get & IBS_GET_OUTCOME,
		.status = (uint16_t)(get >> IBS_GET_STATUS),
		.tries = (uint8_t)(get >> IBS_GET_TRIES),
		.modifier = get & IBS_GET_EXT ? IBS_MOD_EXT_SPEEDS : 0,
	};

	if (attr.read >= IBS_READ_COUNT) {
		query->bad = true;
	}
	return attr;
}

static int
add_sweep(struct ibs_query *query, struct loading *loading)
{
	struct ibs_sweep_info *sweep = &loading->map->sweep;
	struct ibs_subnet *subnet = &loading->map->subnet;

	sweep->id = ibs_query_get_int(query);
	sweep->start_ns = ibs_query_get_int(query);
	sweep->end_ns = ibs_query_get_int(query);
	sweep->start_mono_ns = (uint64_t)ibs_query_get_int(query);
	sweep->end_mono_ns = (uint64_t)ibs_query_get_int(query);
	sweep->source = get_named(query, source_name, IBS_SOURCE_COUNT);
	sweep->sm_init_errors = get_bool(query);
	sweep->n_smps = get_u32(query);
	sweep->n_retries = get_u32(query);
	sweep->n_timeouts = get_u32(query);
	sweep->n_stray = get_u32(query);
	sweep->clock.source =
		get_named(query, clock_source_name, IBS_CLOCK_SOURCE_COUNT);
	ibs_query_get_text(query, sweep->clock.reason,
			   sizeof(sweep->clock.reason));
	loading->n_nodes = get_u32(query);
	loading->n_ports = get_u32(query);
	subnet->sm_port_guid = get_guid(query);
	subnet->prefix = get_guid(query);
	ibs_query_get_text(query, subnet->opensm, sizeof(subnet->opensm));
	subnet->force_link_speed = get_u8(query);
	subnet->force_link_speed_ext = get_u8(query);
	subnet->force_link_width = get_u8(query);
	return ibs_query_good(query);
}

static int
add_node(struct ibs_query *query, struct loading *loading)
{
	struct ibs_node node = { 0 };
	uint32_t at = loading->map->n_nodes;
	uint32_t index;
	int err;

	if (at == loading->n_nodes) {
		return damaged(loading);
	}
	loading->node_rows[at] = ibs_query_get_int(query);
	node.guid = get_guid(query);
	node.instance =
		(uint32_t)ibs_query_get_uint(query, loading->n_nodes - 1);
	node.type = get_u8(query);
	node.n_ports = get_u8(query);
	node.sys_guid = get_guid(query);
	node.vendor_id = get_u32(query);
	node.device_id = get_u16(query);
	node.pkey_cap = get_u16(query);
	node.sw_pkey_cap = get_u16(query);
	ibs_query_get_blob(query, node.desc, sizeof(node.desc));
	node.port_guid = get_guid(query);
	node.n_hops =
		(uint8_t)ibs_query_get_blob(query, node.path + 1, IBS_HOPS_MAX);
	err = ibs_query_good(query);
	if (err) {
		return err;
	}
	return ibs_map_add_node(loading->map, &node, &index)
		       ? no_memory(loading)
		       : 0;
}

static uint32_t
find_node(struct ibs_query *query, struct loading *loading, int64_t row)
{
	uint32_t node;

	if (loading->node_rows[loading->last_node] == row) {
		return loading->last_node;
	}
	node = ibs_peers_find_node(loading->node_rows, loading->map->n_nodes,
				   row);
	if (node == IBS_NO_INDEX) {
		query->bad = true;
		return 0;
	}
	loading->last_node = node;
	return node;
}

/* NULL: not asked; empty: the device has none. */
static struct ibs_epi
get_epi(struct ibs_query *query)
{
	struct ibs_epi epi = { .read = IBS_EPI_NOT_ASKED };
	bool none = ibs_query_is_null(query);
	uint8_t bytes[3] = { 0 };
	size_t size = ibs_query_get_blob(query, bytes, sizeof(bytes));

	if (none) {
		return epi;
	}
	epi.read = size ? IBS_EPI_ANSWERED : IBS_EPI_ABSENT;
	if (size && size != sizeof(bytes)) {
		query->bad = true;
	}
	epi.supported = bytes[0];
	epi.enabled = bytes[1];
	epi.active = bytes[2];
	return epi;
}

static uint8_t
speed_of_code(unsigned int code)
{
	for (int i = 0; code && i < IBS_SPEED_COUNT; i++) {
		const struct ibs_speed_row *row =
			ibs_speed_row((enum ibs_speed)i);

		if (row && row->ib_speed == code) {
			return (uint8_t)i;
		}
	}
	return code ? IBS_SPEED_UNKNOWN : IBS_SPEED_NONE;
}

static uint8_t
width_of_lanes(unsigned int lanes)
{
	enum ibs_width width = ibs_width_from_lanes(lanes);

	if (lanes && width == IBS_WIDTH_NONE) {
		width = IBS_WIDTH_UNKNOWN;
	}
	return (uint8_t)width;
}

static void
get_sm(struct ibs_query *query, struct ibs_map_port *port)
{
	unsigned int sm = (unsigned int)ibs_query_get_uint(query, UINT32_MAX);

	port->flags |= sm & IBS_SM_KNOWN ? IBS_PORT_HAS_SM : 0;
	port->flags |= sm & IBS_SM_GATE ? IBS_PORT_SM_GATE : 0;
	port->sm.speed = speed_of_code(sm >> IBS_SM_SPEED);
	port->sm.width = width_of_lanes(sm >> IBS_SM_LANES & 0xff);
}

static void
get_port(struct ibs_query *query, struct loading *loading,
	 struct ibs_map_port *port, int64_t *peer_row)
{
	int64_t row = ibs_query_get_int(query);
	struct ibs_attr get;
	size_t pi_size;

	port->peer = IBS_NO_INDEX;
	port->node = find_node(query, loading, IBS_ROW_NODE(row));
	port->num = IBS_ROW_NUM(row);
	port->since_ns = ibs_query_get_int(query);
	port->guid = get_guid(query);
	*peer_row = ibs_query_get_int(query);
	get = get_outcome(query);
	port->read = get.read;
	port->status = get.status;
	port->tries = get.tries;
	port->flags = get.modifier ? IBS_PORT_ASKED_EXT : 0;
	get = get_outcome(query);
	port->behind_read = get.read;
	port->behind_status = get.status;
	port->behind_tries = get.tries;
	port->epi = get_epi(query);
	get_sm(query, port);
	pi_size = ibs_query_get_blob(query, port->pi, sizeof(port->pi));
	if (pi_size != (port->read == IBS_READ_OK ? sizeof(port->pi) : 0)) {
		query->bad = true;
	}
}

static int
add_port(struct ibs_query *query, struct loading *loading)
{
	struct ibs_map_port port = { 0 };
	uint32_t at = loading->map->n_ports;
	uint32_t index;
	int err;

	if (at == loading->n_ports || loading->map->n_nodes == 0) {
		return damaged(loading);
	}
	get_port(query, loading, &port, &loading->peer_rows[at]);
	err = ibs_query_good(query);
	if (err) {
		return err;
	}
	return ibs_map_add_port(loading->map, &port, &index)
		       ? no_memory(loading)
		       : 0;
}

/* Each row of the sweep, in the order of the query. */
static int
add_rows(struct loading *loading, const char *sql,
	 int (*add)(struct ibs_query *query, struct loading *loading))
{
	struct ibs_query query;
	int err = ibs_query_open(&query, loading->store, sql);

	if (err) {
		return err;
	}
	ibs_query_put_int(&query, loading->sweep_id);
	err = ibs_query_next(&query);
	while (err == 1) {
		err = add(&query, loading);
		if (!err) {
			err = ibs_query_next(&query);
		}
	}
	ibs_query_close(&query);
	return err;
}

static int
read_rows(struct loading *loading)
{
	struct ibs_map *map = loading->map;
	int err = add_rows(loading, select_sweep, add_sweep);

	if (!err && map->sweep.id == 0) {
		err = ibs_store_fail_words(loading->store, -ENODATA,
					   "has no such sweep");
	}
	if (err) {
		return err;
	}
	loading->node_rows = calloc((size_t)loading->n_nodes + 1,
				    sizeof(*loading->node_rows));
	loading->peer_rows = calloc((size_t)loading->n_ports + 1,
				    sizeof(*loading->peer_rows));
	if (!loading->node_rows || !loading->peer_rows) {
		return no_memory(loading);
	}
	err = add_rows(loading, select_nodes, add_node);
	if (!err) {
		err = add_rows(loading, select_ports, add_port);
	}
	if (!err && (map->n_nodes != loading->n_nodes ||
		     map->n_ports != loading->n_ports)) {
		err = damaged(loading);
	}
	return err;
}

static int
make_map(struct loading *loading)
{
	int err = ibs_peers_join(loading->map, loading->node_rows,
				 loading->peer_rows);

	if (!err) {
		err = ibs_map_freeze(loading->map);
	}
	if (!err) {
		return ibs_store_get_clock(loading->store, loading->map);
	}
	return err == -ENOMEM ? no_memory(loading) : damaged(loading);
}

int
ibs_store_read_map(struct ibs_store *store, int64_t sweep_id,
		   struct ibs_map **ret_map)
{
	struct loading loading = { .store = store,
				   .map = ibs_map_new(),
				   .sweep_id = sweep_id };
	int err;

	if (!loading.map) {
		return no_memory(&loading);
	}
	err = read_rows(&loading);
	if (!err) {
		err = make_map(&loading);
	}
	free(loading.node_rows);
	free(loading.peer_rows);
	if (err) {
		ibs_map_free(loading.map);
		return err;
	}
	*ret_map = loading.map;
	return 0;
}

int
ibs_store_latest(struct ibs_store *store, int64_t *ret_sweep_id)
{
	return ibs_store_get_int(store, "SELECT ifnull(max(id), 0) FROM sweep",
				 ret_sweep_id);
}

/* The one transaction shows one state of the file, whoever writes. */
int
ibs_store_load(struct ibs_store *store, int64_t sweep_id,
	       struct ibs_map **ret_map)
{
	struct ibs_map *map = NULL;
	int err = ibs_store_exec(store, "BEGIN");

	if (err) {
		return err;
	}
	if (sweep_id == 0) {
		err = ibs_store_latest(store, &sweep_id);
	}
	if (!err && sweep_id == 0) {
		err = ibs_store_fail_words(store, -ENODATA,
					   "nothing is recorded yet");
	}
	if (!err) {
		err = ibs_store_read_map(store, sweep_id, &map);
	}
	sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	if (!err) {
		*ret_map = map;
	}
	return err;
}
