// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Discovery: who is behind a port, and what a new node brings with it.
 *
 * A cable is asked about from one of its ends only.  A node whose GUID is known
 * but that cannot be the known node (another kind, or its port has another
 * peer) is kept as a twin, and the walk does not go through it: so it ends.
 */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "ibspeed/port.h"
#include "sweep_private.h"

/* A NodeInfo that came by a route, through a port (NO_INDEX: the start). */
struct arrival {
	const uint8_t *node_info;
	const uint8_t *path;
	uint32_t from;
	uint8_t n_hops;
	uint8_t num; /* LocalPortNum: the port that it came in by */
};

static uint32_t
port_of(const struct ibs_sweep *s, uint32_t node, uint8_t num)
{
	uint32_t port = s->nodes[node].newest;

	while (port != IBS_NO_INDEX && s->map->ports[port].num != num) {
		port = s->ports[port].sibling;
	}
	return port;
}

/* PortState, UNUSED when nobody knows it. */
static uint64_t
state_of(const struct ibs_sweep *s, uint32_t port)
{
	const struct ibs_map_port *p = &s->map->ports[port];

	return p->read == IBS_READ_OK ? ibs_pi_get(p->pi, IBS_PI_PortState)
				      : IBS_PORT_UNUSED;
}

/* Can the node that is known be the one that was met? */
static bool
is_same(const struct ibs_sweep *s, uint32_t known, const struct arrival *met)
{
	const struct ibs_node *node = &s->map->nodes[known];
	uint32_t port = port_of(s, known, met->num);

	if (node->guid != ibs_ni_get(met->node_info, IBS_NI_NodeGUID) ||
	    node->type != ibs_ni_get(met->node_info, IBS_NI_NodeType) ||
	    node->n_ports != ibs_ni_get(met->node_info, IBS_NI_NumPorts)) {
		return false;
	}
	if (port == IBS_NO_INDEX || met->from == IBS_NO_INDEX) {
		return true;
	}
	if (s->map->ports[port].peer != IBS_NO_INDEX &&
	    s->map->ports[port].peer != met->from) {
		return false;
	}
	return state_of(s, port) != IBS_PORT_DOWN;
}

static uint32_t
find_known(const struct ibs_sweep *s, const struct arrival *met, bool *ret_twin)
{
	uint64_t guid = ibs_ni_get(met->node_info, IBS_NI_NodeGUID);
	uint32_t node = sweep_table_first(s, guid);

	*ret_twin = false;
	while (node != IBS_NO_INDEX && !is_same(s, node, met)) {
		if (s->map->nodes[node].guid == guid) {
			*ret_twin = true;
		}
		node = s->nodes[node].next_twin;
	}
	return node;
}

static bool
is_focus(const struct ibs_sweep *s, const struct arrival *met)
{
	const struct ibs_scope *scope = &s->discovery.scope;

	return scope->whole ||
	       (met->n_hops == scope->n_hops &&
		memcmp(met->path, scope->path, (size_t)met->n_hops + 1) == 0);
}

static uint32_t
add_port(struct ibs_sweep *s, uint32_t node, uint8_t num)
{
	const struct ibs_node *n = &s->map->nodes[node];
	bool is_switch = n->type == IBS_NODE_SWITCH;
	struct ibs_map_port row = { .node = node,
				    .num = num,
				    .guid = is_switch ? n->port_guid : 0,
				    .peer = IBS_NO_INDEX };
	uint32_t port;

	if (ibs_map_add_port(s->map, &row, &port) || sweep_grow(s)) {
		s->error = -ENOMEM;
		return IBS_NO_INDEX;
	}
	s->ports[port].sibling = s->nodes[node].newest;
	s->nodes[node].newest = port;
	return port;
}

/* The port of that number, made and put in line if it is new. */
static uint32_t
want_port(struct ibs_sweep *s, uint32_t node, uint8_t num)
{
	uint32_t port = port_of(s, node, num);
	uint32_t port0 = s->map->nodes[node].port0;

	if (port != IBS_NO_INDEX) {
		return port;
	}
	port = add_port(s, node, num);
	if (port == IBS_NO_INDEX) {
		return port;
	}
	if (port0 != IBS_NO_INDEX &&
	    s->ports[port0].step <= SWEEP_EXT_PORT_INFO) {
		sweep_wait_for_port0(s, port);
	} else {
		sweep_want(s, port, SWEEP_PORT_INFO);
	}
	return port;
}

static unsigned int
greatest_common_divisor(unsigned int a, unsigned int b)
{
	return b ? greatest_common_divisor(b, a % b) : a;
}

/*
 * All ports of a switch.  Cables to one neighbour are at ports side by side, or
 * at regular distances: steps of about the golden section keep them apart.
 */
static void
want_switch_ports(struct ibs_sweep *s, uint32_t node)
{
	unsigned int n = s->map->nodes[node].n_ports, step = 1 + n * 5 / 13;

	while (greatest_common_divisor(n, step) > 1) {
		step++;
	}
	for (unsigned int i = 0; i < n && !s->error; i++) {
		(void)want_port(s, node, (uint8_t)(1 + i * step % n));
	}
}

static void
want_node_ports(struct ibs_sweep *s, uint32_t node, uint8_t entrance)
{
	const struct ibs_node *row = &s->map->nodes[node];
	struct sweep_node *n = &s->nodes[node];
	uint8_t type = row->type, n_ports = row->n_ports;

	if (type == IBS_NODE_SWITCH) {
		n->lead = want_port(s, node, 0);
		if (n->focus) {
			want_switch_ports(s, node);
		}
	} else {
		n->lead = want_port(s, node, entrance);
		for (unsigned int i = 1;
		     n->focus && !s->discovery.scope.whole && i <= n_ports;
		     i++) {
			(void)want_port(s, node, (uint8_t)i);
		}
	}
}

static void
fill_node(const struct arrival *met, struct ibs_node *node)
{
	const uint8_t *ni = met->node_info;

	*node = (struct ibs_node){
		.guid = ibs_ni_get(ni, IBS_NI_NodeGUID),
		.sys_guid = ibs_ni_get(ni, IBS_NI_SystemImageGUID),
		.port_guid = ibs_ni_get(ni, IBS_NI_PortGUID),
		.vendor_id = (uint32_t)ibs_ni_get(ni, IBS_NI_VendorID),
		.device_id = (uint16_t)ibs_ni_get(ni, IBS_NI_DeviceID),
		.pkey_cap = (uint16_t)ibs_ni_get(ni, IBS_NI_PartitionCap),
		.type = (uint8_t)ibs_ni_get(ni, IBS_NI_NodeType),
		.n_ports = (uint8_t)ibs_ni_get(ni, IBS_NI_NumPorts),
		.n_hops = met->n_hops,
	};
	memcpy(node->path, met->path, (size_t)met->n_hops + 1);
}

static uint32_t
add_node(struct ibs_sweep *s, const struct arrival *met, bool twin)
{
	struct ibs_node node;
	uint32_t index;

	fill_node(met, &node);
	if (ibs_map_add_node(s->map, &node, &index) || sweep_grow(s) ||
	    sweep_table_add(s, index)) {
		s->error = -ENOMEM;
		return IBS_NO_INDEX;
	}
	s->nodes[index].focus = is_focus(s, met);
	s->nodes[index].twin = twin;
	want_node_ports(s, index, met->num);
	return index;
}

/* The first node: its way on is the port we are on, or the scope's. */
static void
start_from(struct ibs_sweep *s, uint32_t node, uint8_t num)
{
	const struct ibs_scope *scope = &s->discovery.scope;

	if (scope->n_hops) {
		num = scope->path[scope->n_hops];
	}
	s->discovery.start_node = node;
	s->discovery.start_port = want_port(s, node, num);
}

static void
set_peer(struct ibs_sweep *s, uint32_t port, uint32_t peer)
{
	if (s->map->ports[port].peer == IBS_NO_INDEX) {
		s->nodes[s->map->ports[port].node].n_settled++;
		sweep_drop_probe(s, port);
	}
	s->map->ports[port].peer = peer;
	s->map->ports[port].behind_read = IBS_READ_UNASKED;
	s->map->ports[port].behind_status = 0;
	s->map->ports[port].behind_tries = 0;
}

/* NodeInfo has the GUID of the port that it came in by: each has its own. */
static void
take_port_guid(struct ibs_sweep *s, uint32_t port, const struct arrival *met)
{
	if (port != IBS_NO_INDEX) {
		s->map->ports[port].guid =
			ibs_ni_get(met->node_info, IBS_NI_PortGUID);
	}
}

/* The node behind a cable, new or known. */
static void
arrive(struct ibs_sweep *s, const struct arrival *met)
{
	bool twin;
	uint32_t node = find_known(s, met, &twin);
	uint32_t entrance;

	if (node == IBS_NO_INDEX) {
		node = add_node(s, met, twin);
	}
	if (node == IBS_NO_INDEX) {
		return;
	}
	if (met->from == IBS_NO_INDEX) {
		start_from(s, node, met->num);
		take_port_guid(s, port_of(s, node, met->num), met);
		return;
	}
	entrance = want_port(s, node, met->num);
	take_port_guid(s, entrance, met);
	if (entrance != IBS_NO_INDEX) { /* itself, with a loopback plug */
		set_peer(s, met->from, entrance);
		set_peer(s, entrance, met->from);
	}
}

void
sweep_start_ask(struct ibs_sweep *s, struct sweep_slot *slot)
{
	struct sweep_discovery *d = &s->discovery;

	d->start_open = false;
	if (d->start_tries++) {
		s->map->sweep.n_retries++;
	}
	slot->port = IBS_NO_INDEX;
	slot->attr = IBS_ATTR_NODE_INFO;
	slot->modifier = 0;
	slot->n_hops = d->start_hops;
	memcpy(slot->path, d->scope.path, sizeof(slot->path));
}

void
sweep_start_answer(struct ibs_sweep *s, const struct ibs_attr *attr)
{
	struct sweep_discovery *d = &s->discovery;

	if (sweep_worth_another_try(s, d->start_tries, attr)) {
		d->start_open = true;
	} else if (attr->read != IBS_READ_OK) {
		d->start_error =
			attr->read == IBS_READ_STATUS ? -EREMOTEIO : -ETIMEDOUT;
	} else {
		const struct arrival met = {
			.node_info = attr->data,
			.path = d->scope.path,
			.from = IBS_NO_INDEX,
			.n_hops = d->start_hops,
			.num = (uint8_t)ibs_ni_get(attr->data,
						   IBS_NI_LocalPortNum),
		};

		arrive(s, &met);
	}
}

/* A CA forwards nothing; the local one lets us out by the port we are on. */
static bool
is_way_on(const struct ibs_sweep *s, uint32_t port)
{
	const struct ibs_map_port *p = &s->map->ports[port];
	const struct sweep_node *n = &s->nodes[p->node];
	const struct ibs_scope *scope = &s->discovery.scope;

	if (s->map->nodes[p->node].n_hops >= IBS_HOPS_MAX || n->twin) {
		return false;
	}
	if (s->map->nodes[p->node].type != IBS_NODE_SWITCH &&
	    port != s->discovery.start_port) {
		return false;
	}
	return n->focus ||
	       (p->node == s->discovery.start_node && scope->n_hops &&
		p->num == scope->path[scope->n_hops]);
}

/* Somebody is behind the port, and nobody knows who. */
static bool
hides_somebody(const struct ibs_sweep *s, uint32_t port)
{
	uint64_t state = state_of(s, port);

	return state >= IBS_PORT_INIT && state <= IBS_PORT_ACTIVE &&
	       s->map->ports[port].peer == IBS_NO_INDEX &&
	       ibs_map_port_external(s->map, port);
}

void
sweep_discover_after(struct ibs_sweep *s, uint32_t port, enum sweep_step step)
{
	uint32_t node = s->map->ports[port].node;
	bool lead = s->nodes[node].lead == port;
	bool is_switch = s->map->nodes[node].type == IBS_NODE_SWITCH;

	if (s->rereading) {
		return;
	}
	if (lead && step < SWEEP_NODE_DESC) {
		sweep_want_next(s, port, SWEEP_NODE_DESC);
	} else if (lead && is_switch && step < SWEEP_SWITCH_INFO) {
		sweep_want_next(s, port, SWEEP_SWITCH_INFO);
	} else if (is_way_on(s, port) && hides_somebody(s, port)) {
		s->ports[port].step_tries = 0;
		sweep_want_probe(s, port);
	} else if (state_of(s, port) == IBS_PORT_DOWN) {
		s->nodes[node].n_settled++;
	}
}

static void
probe_answer(struct ibs_sweep *s, const struct sweep_slot *slot,
	     const struct ibs_attr *attr)
{
	struct ibs_map_port *port = &s->map->ports[slot->port];
	const struct arrival met = {
		.node_info = attr->data,
		.path = slot->path,
		.from = slot->port,
		.n_hops = slot->n_hops,
		.num = (uint8_t)ibs_ni_get(attr->data, IBS_NI_LocalPortNum),
	};

	if (port->peer != IBS_NO_INDEX) {
		return; /* found from the other end meanwhile */
	}
	if (attr->read == IBS_READ_OK) {
		arrive(s, &met);
		return;
	}
	port->behind_read = attr->read;
	port->behind_status = attr->read == IBS_READ_STATUS ? attr->status : 0;
	port->behind_tries = s->ports[slot->port].step_tries;
}

/* One more try; of a probe only if nobody came from the other end meanwhile. */
static void
again(struct ibs_sweep *s, uint32_t port)
{
	if (s->ports[port].step != SWEEP_PROBE) {
		sweep_retry(s, port);
	} else if (s->map->ports[port].peer == IBS_NO_INDEX) {
		sweep_want_probe(s, port);
	} else {
		s->ports[port].step = SWEEP_DONE;
	}
}

void
sweep_discover_answer(struct ibs_sweep *s, const struct sweep_slot *slot,
		      const struct ibs_attr *attr)
{
	struct ibs_node *node = &s->map->nodes[s->map->ports[slot->port].node];
	enum sweep_step step = (enum sweep_step)s->ports[slot->port].step;

	if (sweep_worth_another_try(s, s->ports[slot->port].step_tries, attr)) {
		again(s, slot->port);
		return;
	}
	s->ports[slot->port].step = SWEEP_DONE;
	if (slot->attr == IBS_ATTR_NODE_INFO) {
		probe_answer(s, slot, attr);
		return;
	}
	if (attr->read == IBS_READ_OK && slot->attr == IBS_ATTR_NODE_DESC) {
		memcpy(node->desc, attr->data, sizeof(node->desc));
	} else if (attr->read == IBS_READ_OK) {
		node->sw_pkey_cap = (uint16_t)ibs_si_get(
			attr->data, IBS_SI_PartitionEnforcementCap);
	}
	sweep_discover_after(s, slot->port, step);
}

static bool
has_lid(const struct ibs_map *map, uint32_t port, uint64_t lid)
{
	const struct ibs_map_port *p = &map->ports[port];
	bool external = ibs_map_port_external(map, port);
	bool is_switch = map->nodes[p->node].type == IBS_NODE_SWITCH;

	return p->read == IBS_READ_OK && external != is_switch &&
	       ibs_pi_get(p->pi, IBS_PI_LID) == lid;
}

void
sweep_find_subnet(struct ibs_sweep *s)
{
	uint32_t here = s->discovery.start_port;
	uint64_t sm_lid;

	if (s->discovery.start_node == IBS_NO_INDEX || here == IBS_NO_INDEX ||
	    s->discovery.start_hops) {
		return;
	}
	s->map->subnet.prefix =
		ibs_pi_get(s->map->ports[here].pi, IBS_PI_GidPrefix);
	sm_lid = ibs_pi_get(s->map->ports[here].pi, IBS_PI_MasterSMLID);
	for (uint32_t i = 0; sm_lid && i < s->map->n_ports; i++) {
		if (has_lid(s->map, i, sm_lid)) {
			s->map->subnet.sm_port_guid = s->map->ports[i].guid;
			return;
		}
	}
}
