// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* How often ports changed, of the intervals that the store has of them. */
#include <config.h>

#include "store_private.h"

#include <errno.h>
#include <string.h>

/*
 * The states that ended in the window, those of a port together.  The one that
 * follows the last of them is in the map: a port whose latest state has ended
 * is in no map of that sweep.
 */
static const char select_ended[] =
	"SELECT node_guid, node_instance, past.id & 255, past.opened_sweep,"
	" past.closed_sweep, closing.start_ns, read, epi, portinfo"
	" FROM port_past AS past INDEXED BY port_past_closed"
	" JOIN sweep AS closing ON closing.id = past.closed_sweep"
	" JOIN node_last AS node ON node.id = past.id >> 8"
	" WHERE past.closed_sweep > (SELECT ifnull(max(id), 0) FROM sweep"
	" WHERE start_ns < ?1) AND past.closed_sweep <= ?2"
	" ORDER BY past.id, past.opened_sweep";

/* What counts as a change: up or not, and what an up port runs at. */
struct state {
	bool known; /* it was read */
	bool up;
	uint64_t fields[4];
	bool epi_known; /* the device told of FDR10, or has none */
	uint8_t epi;
};

/* The states of one port, one after the other. */
struct counting {
	const struct ibs_map *map;
	uint16_t *changes;
	uint32_t port; /* in the map; NO_INDEX: not there any more */
	struct state last;
	int64_t closed_sweep; /* when it ended */
	int64_t closed_ns;
};

static void
state_of(const uint8_t *pi, const struct ibs_epi *epi, struct state *ret_state)
{
	static const enum ibs_port_info_field fields[] = {
		IBS_PI_LinkWidthActive, IBS_PI_LinkSpeedActive,
		IBS_PI_LinkSpeedExtActive, IBS_PI_LinkSpeedExtActive2
	};
	uint64_t port_state = ibs_pi_get(pi, IBS_PI_PortState);

	*ret_state = (struct state){ .known = true,
				     .up = port_state >= IBS_PORT_INIT &&
					   port_state <= IBS_PORT_ACTIVE };
	for (size_t i = 0; ret_state->up && i < 4; i++) {
		ret_state->fields[i] = ibs_pi_get(pi, fields[i]);
	}
	if (ret_state->up) {
		ret_state->epi_known = epi->read != IBS_EPI_NOT_ASKED;
		ret_state->epi = epi->active;
	}
}

static void
count(struct counting *counting)
{
	if (counting->port != IBS_NO_INDEX &&
	    counting->changes[counting->port] < UINT16_MAX) {
		counting->changes[counting->port]++;
	}
}

/* Speeds beyond those of PortInfo, if both times were told. */
static bool
epi_changed(const struct state *last, const struct state *state)
{
	return last->epi_known && state->epi_known && last->epi != state->epi;
}

/* What was not read is as it was, for all that is known. */
static void
follow(struct counting *counting, const struct state *state)
{
	struct state last = counting->last;

	if (!state->known) {
		return;
	}
	counting->last = *state;
	if (!last.known) {
		return;
	}
	if (state->up != last.up || epi_changed(&last, state) ||
	    memcmp(state->fields, last.fields, sizeof(last.fields)) != 0) {
		count(counting);
	} else if (!state->epi_known) {
		counting->last.epi_known = last.epi_known;
		counting->last.epi = last.epi;
	}
}

/* It was not in the map for a while: as good as down. */
static void
follow_gap(struct counting *counting, bool gap)
{
	static const struct state down = { .known = true };

	if (gap && counting->last.known) {
		follow(counting, &down);
	}
}

/* The state that the map has follows the last that ended. */
static void
end_port(struct counting *counting)
{
	const struct ibs_map_port *row;
	struct state state = { .known = false };

	if (counting->port == IBS_NO_INDEX) {
		return;
	}
	row = &counting->map->ports[counting->port];
	if (row->read == IBS_READ_OK) {
		state_of(row->pi, &row->epi, &state);
	}
	follow_gap(counting, row->since_ns > counting->closed_ns);
	follow(counting, &state);
}

static uint32_t
find_port(const struct ibs_map *map, uint64_t guid, uint32_t instance,
	  uint8_t num)
{
	uint32_t node = ibs_map_find_instance(map, guid, instance);

	return node == IBS_NO_INDEX ? IBS_NO_INDEX
				    : ibs_map_find_port(map, node, num);
}

/* read, epi, portinfo */
static void
get_state(struct ibs_query *query, struct state *ret_state)
{
	uint8_t bytes[3] = { 0 }, pi[IBS_ATTR_SIZE] = { 0 };
	uint64_t get = ibs_query_get_uint(query, IBS_GET_MAX);
	bool asked = !ibs_query_is_null(query);
	struct ibs_epi epi = { .read = IBS_EPI_NOT_ASKED };

	if (ibs_query_get_blob(query, bytes, sizeof(bytes)) == sizeof(bytes)) {
		epi.read = IBS_EPI_ANSWERED;
		epi.active = bytes[2];
	} else if (asked) {
		epi.read = IBS_EPI_ABSENT;
	}
	*ret_state = (struct state){ .known = false };
	if (ibs_query_get_blob(query, pi, sizeof(pi)) == sizeof(pi) &&
	    (get & IBS_GET_OUTCOME) == IBS_READ_OK) {
		state_of(pi, &epi, ret_state);
	}
}

static int
take_row(struct ibs_query *query, struct counting *counting)
{
	uint64_t guid = (uint64_t)ibs_query_get_int(query);
	uint32_t instance = (uint32_t)ibs_query_get_uint(query, UINT32_MAX);
	uint8_t num = (uint8_t)ibs_query_get_uint(query, UINT8_MAX);
	uint32_t port = find_port(counting->map, guid, instance, num);
	int64_t opened_sweep = ibs_query_get_int(query);
	struct state state;

	if (port != counting->port) {
		end_port(counting);
		counting->port = port;
		counting->last.known = false;
	} else {
		follow_gap(counting, opened_sweep != counting->closed_sweep);
	}
	counting->closed_sweep = ibs_query_get_int(query);
	counting->closed_ns = ibs_query_get_int(query);
	get_state(query, &state);
	follow(counting, &state);
	return ibs_query_good(query);
}

int
ibs_store_count_changes(struct ibs_store *store, const struct ibs_map *map,
			int64_t since_ns, uint16_t *ret_changes)
{
	struct counting counting = { .map = map,
				     .changes = ret_changes,
				     .port = IBS_NO_INDEX };
	struct ibs_query query;
	int err = ibs_query_open(&query, store, select_ended);

	if (err) {
		return err;
	}
	memset(ret_changes, 0, map->n_ports * sizeof(*ret_changes));
	ibs_query_put_int(&query, since_ns);
	ibs_query_put_int(&query, map->sweep.id);
	while ((err = ibs_query_next(&query)) == 1) {
		err = take_row(&query, &counting);
		if (err) {
			break;
		}
	}
	end_port(&counting);
	ibs_query_close(&query);
	return err;
}

int
ibs_store_sweep_at(struct ibs_store *store, int64_t at_ns,
		   int64_t *ret_sweep_id)
{
	struct ibs_query query;
	int err = ibs_query_open(&query, store,
				 "SELECT id FROM sweep WHERE end_ns <= ?"
				 " ORDER BY id DESC LIMIT 1");

	if (err) {
		return err;
	}
	ibs_query_put_int(&query, at_ns);
	err = ibs_query_next(&query);
	if (err == 1) {
		*ret_sweep_id = ibs_query_get_int(&query);
		err = 0;
	} else if (err == 0) {
		err = ibs_store_fail_words(store, -ENODATA,
					   "no sweep had ended by then");
	}
	ibs_query_close(&query);
	return err;
}
