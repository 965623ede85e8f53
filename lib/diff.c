// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The difference of two frozen maps: one pass over both, since nodes and ports
 * stand in the same order in each.  Here is decided what is a port's state and
 * what only moves while the state stands.
 */
#include <config.h>

#include "ibspeed/diff.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/attr.h"
#include "ibspeed/port.h"

#define FIRST_ROWS 64

/*
 * Fields of PortInfo that move while nothing happens to the port.  What is not
 * here is state; so is DiagCode, since it changes when the port's health does.
 */
static const enum ibs_port_info_field moving_fields[] = {
	/* never recorded */
	IBS_PI_M_Key,
	/* where the Get came in, so it follows the route */
	IBS_PI_LocalPortNum,
	/* counters */
	IBS_PI_M_KeyViolations,
	IBS_PI_P_KeyViolations,
	IBS_PI_Q_KeyViolations,
	/*
	 * Who manages the port, not what it is: without these every handover
	 * of the SM would end the state of each port of the subnet.  The
	 * protection bits also fall by themselves when the lease runs out.
	 */
	IBS_PI_MasterSMLID,
	IBS_PI_MasterSMSL,
	IBS_PI_M_KeyProtectBits,
	IBS_PI_M_KeyLeasePeriod,
	/* a request of the SM to the port, over once it was read */
	IBS_PI_ClientReregister,
	/* measured anew by the devices */
	IBS_PI_LinkRoundTripLatency,
	IBS_PI_MaxCreditHint,
};

/* What a Down port says is void but for these, IBA C14-24.2.1. */
static const enum ibs_port_info_field down_fields[] = {
	IBS_PI_PortState,
	IBS_PI_PortPhysicalState,
};

#define N_FIELDS(table) (sizeof(table) / sizeof((table)[0]))

struct change_list {
	struct ibs_change *rows;
	size_t n;
	size_t size;
	bool no_memory;
};

struct diff_run {
	const struct ibs_map *before;
	const struct ibs_map *after;
	struct change_list nodes;
	struct change_list ports;
	uint8_t state_mask[IBS_ATTR_SIZE]; /* bits of PortInfo that are state */
	uint8_t down_mask[IBS_ATTR_SIZE];  /* likewise, of a Down port */
};

static void
make_masks(struct diff_run *run)
{
	memset(run->state_mask, 0xff, sizeof(run->state_mask));
	for (size_t i = 0; i < N_FIELDS(moving_fields); i++) {
		ibs_field_put(run->state_mask,
			      &ibs_port_info_fields[moving_fields[i]], 0);
	}
	memset(run->down_mask, 0, sizeof(run->down_mask));
	for (size_t i = 0; i < N_FIELDS(down_fields); i++) {
		ibs_field_put(run->down_mask,
			      &ibs_port_info_fields[down_fields[i]],
			      UINT64_MAX);
	}
}

static void
add(struct change_list *list, enum ibs_change_kind kind, uint32_t before,
    uint32_t after)
{
	if (list->n == list->size) {
		size_t size = list->size ? 2 * list->size : FIRST_ROWS;
		struct ibs_change *rows =
			reallocarray(list->rows, size, sizeof(*rows));

		if (!rows) {
			list->no_memory = true;
			return;
		}
		list->rows = rows;
		list->size = size;
	}
	list->rows[list->n++] = (struct ibs_change){ kind, before, after };
}

static bool
same_masked(const uint8_t *a, const uint8_t *b, const uint8_t *mask)
{
	for (size_t i = 0; i < IBS_ATTR_SIZE; i++) {
		if ((a[i] ^ b[i]) & mask[i]) {
			return false;
		}
	}
	return true;
}

static bool
same_port_info(const struct diff_run *run, const uint8_t *a, const uint8_t *b)
{
	if (memcmp(a, b, IBS_ATTR_SIZE) == 0) {
		return true;
	}
	if (ibs_pi_get(a, IBS_PI_PortState) == IBS_PORT_DOWN) {
		return same_masked(a, b, run->down_mask);
	}
	return same_masked(a, b, run->state_mask);
}

static bool
same_epi(const struct ibs_epi *a, const struct ibs_epi *b)
{
	if (a->read != b->read) {
		return false;
	}
	return a->read != IBS_EPI_ANSWERED ||
	       (a->supported == b->supported && a->enabled == b->enabled &&
		a->active == b->active);
}

static bool
same_peer(const struct diff_run *run, uint32_t before, uint32_t after)
{
	const struct ibs_map_port *a, *b;
	const struct ibs_node *x, *y;

	if (before == IBS_NO_INDEX || after == IBS_NO_INDEX) {
		return before == after;
	}
	a = &run->before->ports[before];
	b = &run->after->ports[after];
	x = &run->before->nodes[a->node];
	y = &run->after->nodes[b->node];
	return a->num == b->num && x->guid == y->guid &&
	       x->instance == y->instance;
}

static bool
same_port_state(const struct diff_run *run, const struct ibs_map_port *a,
		const struct ibs_map_port *b)
{
	if (a->read != b->read || a->guid != b->guid ||
	    ((a->flags ^ b->flags) & IBS_PORT_ASKED_EXT) ||
	    !same_epi(&a->epi, &b->epi) || !same_peer(run, a->peer, b->peer)) {
		return false;
	}
	if (a->behind_read != b->behind_read ||
	    a->behind_status != b->behind_status) {
		return false;
	}
	if (a->read == IBS_READ_STATUS) {
		return a->status == b->status;
	}
	return a->read != IBS_READ_OK || same_port_info(run, a->pi, b->pi);
}

/* What is kept of the latest reading only; the state is the same. */
static bool
same_port_bytes(const struct ibs_map_port *a, const struct ibs_map_port *b)
{
	if (a->tries != b->tries || a->behind_tries != b->behind_tries ||
	    a->flags != b->flags) {
		return false;
	}
	if ((a->flags & IBS_PORT_HAS_SM) &&
	    (a->sm.speed != b->sm.speed || a->sm.width != b->sm.width)) {
		return false;
	}
	return a->read != IBS_READ_OK ||
	       memcmp(a->pi, b->pi, IBS_ATTR_SIZE) == 0;
}

static void
compare_port(struct diff_run *run, uint32_t before, uint32_t after)
{
	const struct ibs_map_port *a = &run->before->ports[before];
	const struct ibs_map_port *b = &run->after->ports[after];

	if (!same_port_state(run, a, b)) {
		add(&run->ports, IBS_CHANGE_STATE, before, after);
	} else if (!same_port_bytes(a, b)) {
		add(&run->ports, IBS_CHANGE_BYTES, before, after);
	}
}

/* Both nodes are the same one. */
static void
merge_ports(struct diff_run *run, const struct ibs_node *before,
	    const struct ibs_node *after)
{
	uint32_t i = before->first_port, i_end = i + before->n_map_ports;
	uint32_t j = after->first_port, j_end = j + after->n_map_ports;

	while (i < i_end && j < j_end) {
		uint8_t a = run->before->ports[i].num;
		uint8_t b = run->after->ports[j].num;

		if (a == b) {
			compare_port(run, i++, j++);
		} else if (a < b) {
			add(&run->ports, IBS_CHANGE_GONE, i++, IBS_NO_INDEX);
		} else {
			add(&run->ports, IBS_CHANGE_NEW, IBS_NO_INDEX, j++);
		}
	}
	while (i < i_end) {
		add(&run->ports, IBS_CHANGE_GONE, i++, IBS_NO_INDEX);
	}
	while (j < j_end) {
		add(&run->ports, IBS_CHANGE_NEW, IBS_NO_INDEX, j++);
	}
}

static bool
same_node_state(const struct ibs_node *a, const struct ibs_node *b)
{
	return a->sys_guid == b->sys_guid && a->vendor_id == b->vendor_id &&
	       a->device_id == b->device_id && a->pkey_cap == b->pkey_cap &&
	       a->sw_pkey_cap == b->sw_pkey_cap && a->type == b->type &&
	       a->n_ports == b->n_ports &&
	       memcmp(a->desc, b->desc, sizeof(a->desc)) == 0;
}

/* The PortGUID of a node is that of the port that the route led to. */
static bool
same_route(const struct ibs_node *a, const struct ibs_node *b)
{
	return a->port_guid == b->port_guid && a->n_hops == b->n_hops &&
	       memcmp(a->path, b->path, (size_t)a->n_hops + 1) == 0;
}

static void
compare_node(struct diff_run *run, uint32_t before, uint32_t after)
{
	const struct ibs_node *a = &run->before->nodes[before];
	const struct ibs_node *b = &run->after->nodes[after];

	if (!same_node_state(a, b)) {
		add(&run->nodes, IBS_CHANGE_STATE, before, after);
	} else if (!same_route(a, b)) {
		add(&run->nodes, IBS_CHANGE_BYTES, before, after);
	}
	merge_ports(run, a, b);
}

static void
node_gone(struct diff_run *run, uint32_t before)
{
	const struct ibs_node *node = &run->before->nodes[before];

	add(&run->nodes, IBS_CHANGE_GONE, before, IBS_NO_INDEX);
	for (uint32_t i = 0; i < node->n_map_ports; i++) {
		add(&run->ports, IBS_CHANGE_GONE, node->first_port + i,
		    IBS_NO_INDEX);
	}
}

static void
node_new(struct diff_run *run, uint32_t after)
{
	const struct ibs_node *node = &run->after->nodes[after];

	add(&run->nodes, IBS_CHANGE_NEW, IBS_NO_INDEX, after);
	for (uint32_t i = 0; i < node->n_map_ports; i++) {
		add(&run->ports, IBS_CHANGE_NEW, IBS_NO_INDEX,
		    node->first_port + i);
	}
}

static int
compare_keys(const struct ibs_node *a, const struct ibs_node *b)
{
	if (a->guid != b->guid) {
		return a->guid < b->guid ? -1 : 1;
	}
	return a->instance < b->instance ? -1 : a->instance > b->instance;
}

static void
merge_nodes(struct diff_run *run)
{
	uint32_t i = 0, i_end = run->before->n_nodes;
	uint32_t j = 0, j_end = run->after->n_nodes;

	while (i < i_end && j < j_end) {
		int order = compare_keys(&run->before->nodes[i],
					 &run->after->nodes[j]);

		if (order == 0) {
			compare_node(run, i++, j++);
		} else if (order < 0) {
			node_gone(run, i++);
		} else {
			node_new(run, j++);
		}
	}
	while (i < i_end) {
		node_gone(run, i++);
	}
	while (j < j_end) {
		node_new(run, j++);
	}
}

int
ibs_diff_make(const struct ibs_map *before, const struct ibs_map *after,
	      struct ibs_diff *ret_diff)
{
	static const struct ibs_map nothing;
	struct diff_run run = { .before = before ? before : &nothing,
				.after = after };

	make_masks(&run);
	merge_nodes(&run);
	if (run.nodes.no_memory || run.ports.no_memory) {
		free(run.nodes.rows);
		free(run.ports.rows);
		return -ENOMEM;
	}
	*ret_diff = (struct ibs_diff){ .nodes = run.nodes.rows,
				       .ports = run.ports.rows,
				       .n_nodes = run.nodes.n,
				       .n_ports = run.ports.n };
	return 0;
}

void
ibs_diff_free(struct ibs_diff *diff)
{
	free(diff->nodes);
	free(diff->ports);
	*diff = (struct ibs_diff){ 0 };
}

/* The port of before that a port of map was; NO_INDEX when it is new. */
static uint32_t
port_before(const struct ibs_map *before, const struct ibs_map *map,
	    uint32_t port)
{
	const struct ibs_node *node = &map->nodes[map->ports[port].node];
	uint32_t found = ibs_map_find_node(before, node->guid);

	if (found == IBS_NO_INDEX ||
	    node->instance >= before->n_nodes - found ||
	    before->nodes[found + node->instance].guid != node->guid) {
		return IBS_NO_INDEX;
	}
	return ibs_map_find_port(before, found + node->instance,
				 map->ports[port].num);
}

int
ibs_diff_since(const struct ibs_map *before, struct ibs_map *map)
{
	struct ibs_diff diff;
	int err = before ? ibs_diff_make(before, map, &diff) : 0;

	if (err) {
		return err;
	}
	for (uint32_t i = 0; i < map->n_ports; i++) {
		uint32_t was =
			before ? port_before(before, map, i) : IBS_NO_INDEX;

		map->ports[i].since_ns = was == IBS_NO_INDEX
						 ? map->sweep.start_ns
						 : before->ports[was].since_ns;
	}
	for (size_t i = 0; before && i < diff.n_ports; i++) {
		if (diff.ports[i].kind == IBS_CHANGE_STATE) {
			map->ports[diff.ports[i].after].since_ns =
				map->sweep.start_ns;
		}
	}
	if (before) {
		ibs_diff_free(&diff);
	}
	return 0;
}
