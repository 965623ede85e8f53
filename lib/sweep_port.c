// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The steps of reading one port: PortInfo, with bit 31 when whoever gates the
 * port has extended speeds; once more the other way round when the answer
 * leaves no choice; the MLNX ExtendedPortInfo to tell FDR10 from QDR.
 */
#include <config.h>

#include <string.h>

#include "ibspeed/attr.h"
#include "ibspeed/link.h"
#include "ibspeed/port.h"
#include "sweep_private.h"

#define MAD_STATUS_BUSY 1u
#define M_KEY_SIZE	8u

/* The bytes that say whether the port has extended speeds, NULL: not read. */
static const uint8_t *
gate_bytes(const struct ibs_map *map, uint32_t port)
{
	uint32_t port0 = map->nodes[map->ports[port].node].port0;

	if (port0 != IBS_NO_INDEX && port0 != port &&
	    map->ports[port0].read == IBS_READ_OK) {
		return map->ports[port0].pi;
	}
	return map->ports[port].read == IBS_READ_OK ? map->ports[port].pi
						    : NULL;
}

/*
 * A CA is asked without bit 31 first, whoever knows better: so that a reading
 * seeded by the SM and a discovery get the same answer.
 */
static bool
gate_open(const struct ibs_map *map, uint32_t port)
{
	const struct ibs_map_port *p = &map->ports[port];
	const uint8_t *pi = gate_bytes(map, port);

	if (!ibs_map_port_external(map, port)) {
		return false;
	}
	if (pi) {
		return ibs_port_gate(pi);
	}
	return map->nodes[p->node].type == IBS_NODE_SWITCH &&
	       (p->flags & IBS_PORT_SM_GATE);
}

static bool
asks_ext(const struct ibs_sweep *s, uint32_t port)
{
	switch ((enum sweep_step)s->ports[port].step) {
	case SWEEP_ASK_EXT:
		return true;
	case SWEEP_PORT_INFO:
		return gate_open(s->map, port);
	case SWEEP_ASK_PLAIN:
	case SWEEP_EXT_PORT_INFO:
	case SWEEP_NODE_DESC:
	case SWEEP_SWITCH_INFO:
	case SWEEP_PROBE:
	case SWEEP_WAITS:
	case SWEEP_DONE:
		return false;
	}
	return false;
}

static void
ask_port_info(struct ibs_sweep *s, struct sweep_slot *slot)
{
	struct ibs_map_port *port = &s->map->ports[slot->port];

	slot->attr = IBS_ATTR_PORT_INFO;
	if (asks_ext(s, slot->port)) {
		slot->modifier |= IBS_MOD_EXT_SPEEDS;
	}
	if (port->tries < UINT8_MAX) {
		port->tries++;
	}
}

/* NodeInfo through the port, of whoever is at the other end of its cable. */
static void
ask_probe(const struct ibs_sweep *s, struct sweep_slot *slot)
{
	slot->attr = IBS_ATTR_NODE_INFO;
	slot->path[++slot->n_hops] = s->map->ports[slot->port].num;
}

/*
 * What a discovery found behind a cable is asked through that cable: another
 * node may have the GUID of this one, and the cable tells whose port it is.
 */
static void
find_route(const struct ibs_sweep *s, struct sweep_slot *slot)
{
	const struct ibs_map *map = s->map;
	const struct ibs_map_port *port = &map->ports[slot->port];
	const struct ibs_node *node = &map->nodes[port->node];

	slot->n_hops = node->n_hops;
	memcpy(slot->path, node->path, sizeof(slot->path));
	if (s->discovery.on && slot->port != s->discovery.start_port &&
	    node->type != IBS_NODE_SWITCH && port->peer < map->n_ports) {
		const struct ibs_map_port *peer = &map->ports[port->peer];
		const struct ibs_node *from = &map->nodes[peer->node];

		if (from->type == IBS_NODE_SWITCH &&
		    from->n_hops < IBS_HOPS_MAX) {
			slot->n_hops = (uint8_t)(from->n_hops + 1);
			memcpy(slot->path, from->path, sizeof(slot->path));
			slot->path[slot->n_hops] = peer->num;
		}
	}
}

void
sweep_port_ask(struct ibs_sweep *s, struct sweep_slot *slot)
{
	struct sweep_port *p = &s->ports[slot->port];

	find_route(s, slot);
	slot->modifier = 0;
	if (p->step_tries++) {
		s->map->sweep.n_retries++;
	}
	switch ((enum sweep_step)p->step) {
	case SWEEP_PORT_INFO:
	case SWEEP_ASK_EXT:
	case SWEEP_ASK_PLAIN:
		slot->modifier = s->map->ports[slot->port].num;
		ask_port_info(s, slot);
		return;
	case SWEEP_EXT_PORT_INFO:
		slot->modifier = s->map->ports[slot->port].num;
		slot->attr = IBS_ATTR_MLNX_EXT_PORT_INFO;
		return;
	case SWEEP_NODE_DESC:
		slot->attr = IBS_ATTR_NODE_DESC;
		return;
	case SWEEP_SWITCH_INFO:
		slot->attr = IBS_ATTR_SWITCH_INFO;
		return;
	case SWEEP_PROBE:
		ask_probe(s, slot);
		return;
	case SWEEP_WAITS:
	case SWEEP_DONE:
		return; /* such a port is in no list */
	}
}

static bool
has_ext_port_info(const struct ibs_map *map, uint32_t port)
{
	const struct ibs_node *node = &map->nodes[map->ports[port].node];

	return ibs_epi_device(node->vendor_id, node->device_id);
}

/*
 * The plain answer of a port that has extended speeds shows none: that may be
 * the truth, or all that a Get without bit 31 is told.
 */
static bool
must_ask_ext(const struct ibs_sweep *s, uint32_t port,
	     const struct ibs_port *decoded)
{
	return !s->ports[port].turned && decoded->up &&
	       !(s->map->ports[port].flags & IBS_PORT_ASKED_EXT) &&
	       gate_open(s->map, port) && decoded->speed < IBS_SPEED_FDR;
}

/* The PortInfo of the port is as good as it gets, or it has none. */
static void
port_info_over(struct ibs_sweep *s, uint32_t port)
{
	uint32_t node = s->map->ports[port].node;

	s->ports[port].step = SWEEP_DONE;
	if (port == s->map->nodes[node].port0) {
		sweep_release_waiting(s, node);
	}
	if (s->discovery.on) {
		sweep_discover_after(s, port, SWEEP_PORT_INFO);
	}
}

/* An extended speed is shown and active, as nearly everywhere. */
static bool
has_ext_speed(const struct ibs_map *map, uint32_t port)
{
	return gate_open(map, port) &&
	       ibs_pi_get(map->ports[port].pi, IBS_PI_LinkSpeedExtActive) != 0;
}

/* There is an answer: does it leave something to be asked? */
static void
after_port_info(struct ibs_sweep *s, uint32_t port)
{
	bool has_epi = has_ext_port_info(s->map, port);
	struct ibs_port decoded;

	if (ibs_map_port_external(s->map, port) && !has_epi) {
		s->map->ports[port].epi.read = IBS_EPI_ABSENT;
	}
	if (!ibs_map_port_external(s->map, port) ||
	    has_ext_speed(s->map, port)) {
		port_info_over(s, port);
		return;
	}
	ibs_map_port_decode(s->map, port, &decoded);
	if (must_ask_ext(s, port, &decoded)) {
		s->ports[port].turned = true;
		sweep_want_next(s, port, SWEEP_ASK_EXT);
	} else if (has_epi && ibs_epi_wanted(&decoded)) {
		sweep_want_next(s, port, SWEEP_EXT_PORT_INFO);
	} else {
		port_info_over(s, port);
	}
}

static void
keep_port_info(struct ibs_map_port *port, const struct sweep_slot *slot,
	       const struct ibs_attr *attr)
{
	port->read = IBS_READ_OK;
	port->status = 0;
	port->flags &= (uint8_t)~IBS_PORT_ASKED_EXT;
	if (slot->modifier & IBS_MOD_EXT_SPEEDS) {
		port->flags |= IBS_PORT_ASKED_EXT;
	}
	port->epi = (struct ibs_epi){ .read = IBS_EPI_NOT_ASKED };
	port->stamp = attr->stamp;
	memcpy(port->pi, attr->data, sizeof(port->pi));
	memset(port->pi, 0, M_KEY_SIZE);
}

/* No answer, or one without data, in the end. */
static void
port_info_failed(struct ibs_sweep *s, uint32_t port,
		 const struct ibs_attr *attr)
{
	struct ibs_map_port *p = &s->map->ports[port];
	struct sweep_port *step = &s->ports[port];

	if (step->step == SWEEP_ASK_EXT) {
		after_port_info(s, port); /* the plain answer stands */
		return;
	}
	if (attr->read == IBS_READ_STATUS && asks_ext(s, port) &&
	    !step->turned) {
		step->turned = true;
		sweep_want_next(s, port, SWEEP_ASK_PLAIN);
		return;
	}
	if (p->read != IBS_READ_OK) {
		p->read = attr->read;
		p->status = attr->read == IBS_READ_STATUS ? attr->status : 0;
	}
	port_info_over(s, port);
}

/* One try: without an answer it is QDR, and FDR10 is not ruled out. */
static void
ext_port_info_answer(struct ibs_sweep *s, uint32_t port,
		     const struct ibs_attr *attr)
{
	struct ibs_map_port *p = &s->map->ports[port];

	if (attr->read == IBS_READ_OK) {
		p->epi = ibs_epi_from_attr(attr->data);
	} else if (attr->read == IBS_READ_STATUS) {
		p->epi.read = IBS_EPI_ABSENT;
	}
	port_info_over(s, port);
}

bool
sweep_worth_another_try(const struct ibs_sweep *s, unsigned int tries,
			const struct ibs_attr *attr)
{
	bool again = attr->read == IBS_READ_TIMEOUT ||
		     (attr->read == IBS_READ_STATUS &&
		      (attr->status & MAD_STATUS_BUSY));

	return again && tries < s->limits.max_tries;
}

static void
port_info_answer(struct ibs_sweep *s, const struct sweep_slot *slot,
		 const struct ibs_attr *attr)
{
	uint32_t port = slot->port;

	if (attr->read == IBS_READ_OK) {
		keep_port_info(&s->map->ports[port], slot, attr);
		after_port_info(s, port);
	} else if (sweep_worth_another_try(s, s->ports[port].step_tries,
					   attr)) {
		sweep_retry(s, port);
	} else {
		port_info_failed(s, port, attr);
	}
}

void
sweep_port_answer(struct ibs_sweep *s, const struct sweep_slot *slot,
		  const struct ibs_attr *attr)
{
	switch ((enum sweep_step)s->ports[slot->port].step) {
	case SWEEP_PORT_INFO:
	case SWEEP_ASK_EXT:
	case SWEEP_ASK_PLAIN:
		port_info_answer(s, slot, attr);
		return;
	case SWEEP_EXT_PORT_INFO:
		ext_port_info_answer(s, slot->port, attr);
		return;
	case SWEEP_NODE_DESC:
	case SWEEP_SWITCH_INFO:
	case SWEEP_PROBE:
		sweep_discover_answer(s, slot, attr);
		return;
	case SWEEP_WAITS:
	case SWEEP_DONE:
		return; /* such a port has nothing in flight */
	}
}

void
sweep_port_again(struct ibs_sweep *s, uint32_t port)
{
	s->ports[port].turned = false;
	sweep_want_next(s, port, SWEEP_PORT_INFO);
}

/* Most cables: both ends say the same, and need not be judged to know it. */
static bool
says_the_same(const struct ibs_map_port *a, const struct ibs_map_port *b)
{
	static const enum ibs_port_info_field fields[] = {
		IBS_PI_PortState, IBS_PI_LinkWidthActive,
		IBS_PI_LinkSpeedActive, IBS_PI_LinkSpeedExtActive,
		IBS_PI_LinkSpeedExtActive2
	};
	bool same = a->read == b->read && a->epi.active == b->epi.active &&
		    a->epi.read == b->epi.read;

	for (size_t i = 0; same && i < sizeof(fields) / sizeof(*fields); i++) {
		same = ibs_pi_get(a->pi, fields[i]) ==
		       ibs_pi_get(b->pi, fields[i]);
	}
	return same;
}

bool
sweep_ends_disagree(const struct ibs_sweep *s, uint32_t a, uint32_t b)
{
	struct ibs_port ends[2];
	struct ibs_link link;

	if (says_the_same(&s->map->ports[a], &s->map->ports[b])) {
		return false;
	}
	ibs_map_port_decode(s->map, a, &ends[0]);
	ibs_map_port_decode(s->map, b, &ends[1]);
	ibs_link_judge(&ends[0], &ends[1], NULL, &link);
	return link.findings & IBS_BIT(IBS_FINDING_MISMATCH);
}
