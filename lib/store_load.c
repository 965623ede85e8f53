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

/*
 * The rows that stood at a sweep, the parameter.  Two searches of one index:
 * those that stand today, and those that ended later.
 */
#define AT_SWEEP(columns, from)                                                \
	"SELECT " columns " FROM " from                                        \
	" WHERE closed_sweep IS NULL AND opened_sweep <= ?1 UNION ALL "        \
	"SELECT " columns " FROM " from                                        \
	" WHERE closed_sweep > ?1 AND opened_sweep <= ?1"

#define NODE_COLUMNS                                                           \
	"node_guid, node_instance, type, n_ports, sys_guid, vendor_id,"        \
	" device_id, pkey_cap, sw_pkey_cap, description, port_guid, path"
static const char select_nodes[] = AT_SWEEP(
	NODE_COLUMNS,
	"node INDEXED BY node_now") " ORDER BY node_guid, node_instance";

#define PORT_COLUMNS                                                           \
	"node_guid, node_instance, port_num, start_ns, port_guid, read,"       \
	" status, asked_ext, epi_read, epi, peer_guid, peer_instance,"         \
	" peer_num, behind_read, behind_status, portinfo, tries,"              \
	" behind_tries, sm_known, sm_speed, sm_lanes, sm_gate"
static const char select_ports[] =
	AT_SWEEP(PORT_COLUMNS, "port INDEXED BY port_now"
			       " JOIN sweep ON sweep.id = opened_sweep");

struct loading {
	struct ibs_store *store;
	struct ibs_map *map;
	int64_t sweep_id;
	uint32_t n_nodes; /* that the sweep's row promises */
	uint32_t n_ports;
	struct ibs_peer *peers; /* of each port */
	uint32_t last_node;	/* ports of a node mostly come together */
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

static const char *
read_name(int i)
{
	return ibs_read_name((enum ibs_read)i);
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

static uint8_t
get_read(struct ibs_query *query)
{
	return get_named(query, read_name, IBS_READ_COUNT);
}

static uint8_t
get_behind(struct ibs_query *query)
{
	if (ibs_query_is_null(query)) {
		(void)ibs_query_get_int(query);
		return IBS_READ_UNASKED;
	}
	return get_read(query);
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
	uint32_t index;
	int err;

	node.guid = get_guid(query);
	node.instance = get_u32(query);
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
get_node(struct ibs_query *query, struct loading *loading)
{
	const struct ibs_node *last = &loading->map->nodes[loading->last_node];
	int64_t guid = ibs_query_get_int(query);
	uint32_t instance = get_u32(query);
	uint32_t node;

	if (last->guid == (uint64_t)guid && last->instance == instance) {
		return loading->last_node;
	}
	node = ibs_peers_find_node(loading->map, guid, instance);
	if (node == IBS_NO_INDEX) {
		query->bad = true;
		return 0;
	}
	loading->last_node = node;
	return node;
}

static struct ibs_epi
get_epi(struct ibs_query *query)
{
	struct ibs_epi epi = { .read = IBS_EPI_NOT_ASKED };
	uint8_t bytes[3] = { 0 };
	char name[16];

	ibs_query_get_text(query, name, sizeof(name));
	if (strcmp(name, "answered") == 0) {
		epi.read = IBS_EPI_ANSWERED;
	} else if (strcmp(name, "absent") == 0) {
		epi.read = IBS_EPI_ABSENT;
	} else if (name[0]) {
		query->bad = true;
	}
	if (ibs_query_get_blob(query, bytes, sizeof(bytes)) !=
	    (epi.read == IBS_EPI_ANSWERED ? sizeof(bytes) : 0)) {
		query->bad = true;
	}
	epi.supported = bytes[0];
	epi.enabled = bytes[1];
	epi.active = bytes[2];
	return epi;
}

static struct ibs_peer
get_peer(struct ibs_query *query)
{
	struct ibs_peer peer = { .known = !ibs_query_is_null(query) };

	peer.guid = ibs_query_get_int(query);
	peer.instance = get_u32(query);
	peer.num = get_u8(query);
	return peer;
}

static uint8_t
get_sm_speed(struct ibs_query *query)
{
	bool none = ibs_query_is_null(query);
	int64_t code = ibs_query_get_int(query);

	if (none) {
		return IBS_SPEED_NONE;
	}
	for (int i = 0; i < IBS_SPEED_COUNT; i++) {
		const struct ibs_speed_row *row =
			ibs_speed_row((enum ibs_speed)i);

		if (row && row->ib_speed == code) {
			return (uint8_t)i;
		}
	}
	return IBS_SPEED_UNKNOWN;
}

static uint8_t
get_sm_width(struct ibs_query *query)
{
	bool none = ibs_query_is_null(query);
	int64_t lanes = ibs_query_get_int(query);
	enum ibs_width width = IBS_WIDTH_NONE;

	if (none) {
		return IBS_WIDTH_NONE;
	}
	if (lanes > 0 && lanes <= UINT8_MAX) {
		width = ibs_width_from_lanes((unsigned int)lanes);
	}
	return width == IBS_WIDTH_NONE ? IBS_WIDTH_UNKNOWN : (uint8_t)width;
}

static void
get_port(struct ibs_query *query, struct loading *loading,
	 struct ibs_map_port *port, struct ibs_peer *peer)
{
	size_t pi_size;

	port->peer = IBS_NO_INDEX;
	port->node = get_node(query, loading);
	port->num = get_u8(query);
	port->since_ns = ibs_query_get_int(query);
	port->guid = get_guid(query);
	port->read = get_read(query);
	port->status = get_u16(query);
	port->flags = get_bool(query) ? IBS_PORT_ASKED_EXT : 0;
	port->epi = get_epi(query);
	*peer = get_peer(query);
	port->behind_read = get_behind(query);
	port->behind_status = get_u16(query);
	pi_size = ibs_query_get_blob(query, port->pi, sizeof(port->pi));
	if (pi_size != (port->read == IBS_READ_OK ? sizeof(port->pi) : 0)) {
		query->bad = true;
	}
	port->tries = get_u8(query);
	port->behind_tries = get_u8(query);
	port->flags |= get_bool(query) ? IBS_PORT_HAS_SM : 0;
	port->sm.speed = get_sm_speed(query);
	port->sm.width = get_sm_width(query);
	port->flags |= get_bool(query) ? IBS_PORT_SM_GATE : 0;
}

static int
add_port(struct ibs_query *query, struct loading *loading)
{
	struct ibs_map_port port = { 0 };
	uint32_t at = loading->map->n_ports;
	uint32_t index;
	int err;

	if (at == loading->n_ports || loading->n_nodes == 0) {
		return damaged(loading);
	}
	get_port(query, loading, &port, &loading->peers[at]);
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
	loading->peers =
		calloc((size_t)loading->n_ports + 1, sizeof(*loading->peers));
	if (!loading->peers) {
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
	int err = ibs_peers_join(loading->map, loading->peers);

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
	free(loading.peers);
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
