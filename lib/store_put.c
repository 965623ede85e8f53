// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The columns of a node's and a port's row, in the order of the statements. */
#include <config.h>

#include "store_private.h"

#include <string.h>

#include "ibspeed/attr.h"
#include "ibspeed/speed.h"

static void
put_guid(struct ibs_query *query, uint64_t guid)
{
	ibs_query_put_int(query, (int64_t)guid);
}

/* The columns from type on, in the order of the tables. */
static void
put_node_state(struct ibs_query *query, const struct ibs_node *node)
{
	ibs_query_put_int(query, node->type);
	ibs_query_put_int(query, node->n_ports);
	put_guid(query, node->sys_guid);
	ibs_query_put_int(query, node->vendor_id);
	ibs_query_put_int(query, node->device_id);
	ibs_query_put_int(query, node->pkey_cap);
	ibs_query_put_int(query, node->sw_pkey_cap);
	ibs_query_put_blob(query, node->desc, ibs_node_desc_length(node));
}

/* What follows the route. */
static void
put_node_route(struct ibs_query *query, const struct ibs_node *node)
{
	put_guid(query, node->port_guid);
	ibs_query_put_blob(query, node->path + 1, node->n_hops);
}

static void
put_node_keep(struct ibs_query *query, struct ibs_recording *recording,
	      uint32_t after)
{
	ibs_query_put_int(query, recording->sweep_id);
	ibs_query_put_int(query, recording->rows_after[after]);
}

static void
put_node_open(struct ibs_query *query, struct ibs_recording *recording,
	      uint32_t after)
{
	const struct ibs_node *node = &recording->after->nodes[after];

	ibs_query_put_int(query, recording->rows_after[after]);
	put_guid(query, node->guid);
	ibs_query_put_int(query, node->instance);
	ibs_query_put_int(query, recording->sweep_id);
	put_node_state(query, node);
	put_node_route(query, node);
}

static void
put_node_close(struct ibs_query *query, struct ibs_recording *recording,
	       uint32_t before)
{
	ibs_query_put_int(query, recording->sweep_id);
	ibs_query_put_int(query, recording->rows_before[before]);
}

static void
put_node_update(struct ibs_query *query, struct ibs_recording *recording,
		uint32_t after)
{
	put_node_route(query, &recording->after->nodes[after]);
	ibs_query_put_int(query, recording->rows_after[after]);
}

/* Its row, in the map after. */
static int64_t
row_of_port(const struct ibs_recording *recording, uint32_t port)
{
	const struct ibs_map_port *row = &recording->after->ports[port];

	return IBS_ROW_OF_PORT(recording->rows_after[row->node], row->num);
}

static void
put_peer(struct ibs_query *query, const struct ibs_recording *recording,
	 uint32_t peer)
{
	if (peer == IBS_NO_INDEX) {
		ibs_query_put_null(query);
	} else {
		ibs_query_put_int(query, row_of_port(recording, peer));
	}
}

static void
put_epi(struct ibs_query *query, const struct ibs_epi *epi)
{
	switch ((enum ibs_epi_read)epi->read) {
	case IBS_EPI_NOT_ASKED:
		ibs_query_put_null(query);
		return;
	case IBS_EPI_ABSENT:
		ibs_query_put_blob(query, "", 0);
		return;
	case IBS_EPI_ANSWERED:
		ibs_query_put_blob(query, &epi->supported, 3);
		return;
	}
}

static unsigned int
sm_of(const struct ibs_map_port *port)
{
	const struct ibs_speed_row *speed =
		ibs_speed_row((enum ibs_speed)port->sm.speed);
	const struct ibs_width_row *width =
		ibs_width_row((enum ibs_width)port->sm.width);
	unsigned int sm = port->flags & IBS_PORT_SM_GATE ? IBS_SM_GATE : 0;

	if (!(port->flags & IBS_PORT_HAS_SM)) {
		return sm;
	}
	sm |= IBS_SM_KNOWN;
	if (port->sm.speed != IBS_SPEED_NONE) {
		sm |= (unsigned int)(speed ? speed->ib_speed
					   : IBS_SM_SPEED_OTHER)
		      << IBS_SM_SPEED;
	}
	if (port->sm.width != IBS_WIDTH_NONE) {
		sm |= (unsigned int)(width ? width->lanes : IBS_SM_LANES_OTHER)
		      << IBS_SM_LANES;
	}
	return sm;
}

static void
put_unless_0(struct ibs_query *query, int64_t value)
{
	if (value) {
		ibs_query_put_int(query, value);
	} else {
		ibs_query_put_null(query);
	}
}

/* The M_Key, bytes 0..7, is in no file, whatever the caller did. */
static void
put_portinfo(struct ibs_query *query, const struct ibs_map_port *port)
{
	uint8_t copy[IBS_ATTR_SIZE];

	if (port->read != IBS_READ_OK) {
		ibs_query_put_null(query);
	} else if (ibs_pi_get(port->pi, IBS_PI_M_Key) == 0) {
		ibs_query_put_blob(query, port->pi, sizeof(port->pi));
	} else {
		memcpy(copy, port->pi, sizeof(copy));
		ibs_field_put(copy, &ibs_port_info_fields[IBS_PI_M_Key], 0);
		ibs_query_put_copy(query, copy, sizeof(copy));
	}
}

/* In one column what became of a Get. */
static int64_t
outcome_of(uint8_t read, uint16_t status, uint8_t tries)
{
	return read | (int64_t)tries << IBS_GET_TRIES |
	       (read == IBS_READ_STATUS ? (int64_t)status << IBS_GET_STATUS
					: 0);
}

/* The columns that also move while the state stands. */
static void
put_port_latest(struct ibs_query *query, const struct ibs_map_port *port)
{
	ibs_query_put_int(
		query,
		outcome_of(port->read, port->status, port->tries) |
			(port->flags & IBS_PORT_ASKED_EXT ? IBS_GET_EXT : 0));
	put_unless_0(query, outcome_of(port->behind_read, port->behind_status,
				       port->behind_tries));
	put_unless_0(query, sm_of(port));
	put_portinfo(query, port);
}

static void
put_port_keep(struct ibs_query *query, struct ibs_recording *recording,
	      uint32_t after)
{
	ibs_query_put_int(query, recording->sweep_id);
	ibs_query_put_int(query, row_of_port(recording, after));
}

static void
put_port_open(struct ibs_query *query, struct ibs_recording *recording,
	      uint32_t after)
{
	const struct ibs_map_port *port = &recording->after->ports[after];

	ibs_query_put_int(query, row_of_port(recording, after));
	ibs_query_put_int(query, recording->sweep_id);
	put_guid(query, port->guid);
	put_peer(query, recording, port->peer);
	put_epi(query, &port->epi);
	put_port_latest(query, port);
}

static void
put_port_close(struct ibs_query *query, struct ibs_recording *recording,
	       uint32_t before)
{
	const struct ibs_map_port *port = &recording->before->ports[before];

	ibs_query_put_int(query, recording->sweep_id);
	ibs_query_put_int(
		query,
		IBS_ROW_OF_PORT(recording->rows_before[port->node], port->num));
}

static void
put_port_update(struct ibs_query *query, struct ibs_recording *recording,
		uint32_t after)
{
	put_port_latest(query, &recording->after->ports[after]);
	ibs_query_put_int(query, row_of_port(recording, after));
}

/* IBS_MANY of them */
#define FOUR(row) row ", " row ", " row ", " row
#define MANY(row) FOUR(FOUR(row))
_Static_assert(IBS_MANY == 16, "MANY makes so many");

#define NODE_STATE                                                             \
	"type, n_ports, sys_guid, vendor_id, device_id, pkey_cap,"             \
	" sw_pkey_cap, description, port_guid, path"
#define INTO_NODE                                                              \
	" INTO node_last (id, node_guid, node_instance,"                       \
	" opened_sweep, " NODE_STATE ") VALUES "
#define ONE_NODE "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
const struct ibs_action_row ibs_node_actions[IBS_ACTION_COUNT] = {
	[IBS_ACTION_KEEP] = {
		"INSERT INTO node_past (id, opened_sweep, closed_sweep,"
		" " NODE_STATE ") SELECT id, opened_sweep,"
		" ifnull(closed_sweep, ?), " NODE_STATE
		" FROM node_last WHERE id = ?",
		put_node_keep,
	},
	[IBS_ACTION_OPEN] = {
		"INSERT OR REPLACE" INTO_NODE ONE_NODE,
		put_node_open,
	},
	[IBS_ACTION_OPEN_MANY] = {
		"INSERT" INTO_NODE MANY(ONE_NODE),
		put_node_open,
	},
	[IBS_ACTION_CLOSE] = {
		"UPDATE node_last SET closed_sweep = ? WHERE id = ?",
		put_node_close,
	},
	[IBS_ACTION_UPDATE] = {
		"UPDATE node_last SET port_guid = ?, path = ? WHERE id = ?",
		put_node_update,
	},
};

#define PORT_STATE "port_guid, peer, epi, read, behind, sm, portinfo"
#define INTO_PORT  " INTO port_last (id, opened_sweep, " PORT_STATE ") VALUES "
#define ONE_PORT   "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
const struct ibs_action_row ibs_port_actions[IBS_ACTION_COUNT] = {
	[IBS_ACTION_KEEP] = {
		"INSERT INTO port_past (id, opened_sweep, closed_sweep,"
		" " PORT_STATE ") SELECT id, opened_sweep,"
		" ifnull(closed_sweep, ?), " PORT_STATE
		" FROM port_last WHERE id = ?",
		put_port_keep,
	},
	[IBS_ACTION_OPEN] = {
		"INSERT OR REPLACE" INTO_PORT ONE_PORT,
		put_port_open,
	},
	[IBS_ACTION_OPEN_MANY] = {
		"INSERT" INTO_PORT MANY(ONE_PORT),
		put_port_open,
	},
	[IBS_ACTION_CLOSE] = {
		"UPDATE port_last SET closed_sweep = ? WHERE id = ?",
		put_port_close,
	},
	[IBS_ACTION_UPDATE] = {
		"UPDATE port_last SET read = ?, behind = ?, sm = ?,"
		" portinfo = ? WHERE id = ?",
		put_port_update,
	},
};
