// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Whose turn it is.  A switch's agent answers one Get at a time and drops what
 * overflows its few buffers, so Gets are spread: nodes stand in one line and
 * are served in turn, each with a list of its ports that want a Get.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>

#include "sweep_private.h"

static int
grow_rows(void **rows, size_t row_size, uint32_t wanted, uint32_t *size)
{
	uint32_t more = *size ? *size : 16;
	void *moved;

	if (wanted <= *size) {
		return 0;
	}
	while (more < wanted) {
		more *= 2;
	}
	moved = reallocarray(*rows, more, row_size);
	if (!moved) {
		return -ENOMEM;
	}
	*rows = moved;
	*size = more;
	return 0;
}

static void
init_node(struct sweep_node *node)
{
	*node = (struct sweep_node){ .first = IBS_NO_INDEX,
				     .last = IBS_NO_INDEX,
				     .probes = IBS_NO_INDEX,
				     .waiting = IBS_NO_INDEX,
				     .next_ready = IBS_NO_INDEX,
				     .next_prober = IBS_NO_INDEX,
				     .next_twin = IBS_NO_INDEX,
				     .lead = IBS_NO_INDEX,
				     .newest = IBS_NO_INDEX };
}

int
sweep_grow(struct ibs_sweep *s)
{
	uint32_t had_nodes = s->nodes_size, had_ports = s->ports_size;
	void *nodes = s->nodes, *ports = s->ports;

	if (grow_rows(&nodes, sizeof(*s->nodes), s->map->n_nodes,
		      &s->nodes_size)) {
		return -ENOMEM;
	}
	s->nodes = nodes;
	for (uint32_t i = had_nodes; i < s->nodes_size; i++) {
		init_node(&s->nodes[i]);
	}
	if (grow_rows(&ports, sizeof(*s->ports), s->map->n_ports,
		      &s->ports_size)) {
		return -ENOMEM;
	}
	s->ports = ports;
	for (uint32_t i = had_ports; i < s->ports_size; i++) {
		s->ports[i] = (struct sweep_port){ .next = IBS_NO_INDEX };
	}
	return 0;
}

/* Gets that may be in flight to the node, one less where a probe may come. */
static unsigned int
room_of(const struct ibs_sweep *s, uint32_t node)
{
	unsigned int room = s->limits.max_smps_per_node;

	return room > 1 && sweep_is_exposed(s, node) ? room - 1 : room;
}

void
sweep_line_up(struct ibs_sweep *s, uint32_t node)
{
	struct sweep_node *n = &s->nodes[node];

	if (n->queued || n->first == IBS_NO_INDEX ||
	    n->in_flight >= room_of(s, node)) {
		return;
	}
	n->queued = true;
	n->next_ready = IBS_NO_INDEX;
	if (s->ready_first == IBS_NO_INDEX) {
		s->ready_first = node;
	} else {
		s->nodes[s->ready_last].next_ready = node;
	}
	s->ready_last = node;
}

void
sweep_want(struct ibs_sweep *s, uint32_t port, enum sweep_step step)
{
	uint32_t node = s->map->ports[port].node;
	struct sweep_node *n = &s->nodes[node];

	s->ports[port].step = (uint8_t)step;
	s->ports[port].next = IBS_NO_INDEX;
	if (n->first == IBS_NO_INDEX) {
		n->first = port;
	} else {
		s->ports[n->last].next = port;
	}
	n->last = port;
	s->n_open++;
	sweep_line_up(s, node);
}

void
sweep_want_next(struct ibs_sweep *s, uint32_t port, enum sweep_step step)
{
	s->ports[port].step_tries = 0;
	sweep_want(s, port, step);
}

void
sweep_retry(struct ibs_sweep *s, uint32_t port)
{
	uint32_t node = s->map->ports[port].node;
	struct sweep_node *n = &s->nodes[node];

	s->ports[port].next = n->first;
	if (n->first == IBS_NO_INDEX) {
		n->last = port;
	}
	n->first = port;
	s->n_open++;
	sweep_line_up(s, node);
}

void
sweep_wait_for_port0(struct ibs_sweep *s, uint32_t port)
{
	struct sweep_node *n = &s->nodes[s->map->ports[port].node];

	s->ports[port].step = SWEEP_WAITS;
	s->ports[port].next = n->waiting;
	n->waiting = port;
}

void
sweep_release_waiting(struct ibs_sweep *s, uint32_t node)
{
	struct sweep_node *n = &s->nodes[node];

	while (n->waiting != IBS_NO_INDEX) {
		uint32_t port = n->waiting;

		n->waiting = s->ports[port].next;
		sweep_want(s, port, SWEEP_PORT_INFO);
	}
}

void
sweep_give_up(struct ibs_sweep *s, uint32_t node)
{
	struct sweep_node *n = &s->nodes[node];

	while (n->first != IBS_NO_INDEX) {
		struct ibs_map_port *port = &s->map->ports[n->first];

		port->read =
			port->tries ? IBS_READ_TIMEOUT : IBS_READ_UNREACHABLE;
		s->ports[n->first].step = SWEEP_DONE;
		n->first = s->ports[n->first].next;
		s->n_open--;
	}
}

static uint32_t
leave_line(struct ibs_sweep *s)
{
	uint32_t node = s->ready_first;

	s->ready_first = s->nodes[node].next_ready;
	s->nodes[node].queued = false;
	return node;
}

static uint32_t
leave_list(struct ibs_sweep *s, uint32_t node)
{
	uint32_t port = s->nodes[node].first;

	s->nodes[node].first = s->ports[port].next;
	return port;
}

bool
sweep_may_take(const struct ibs_sweep *s)
{
	return s->ready_first != IBS_NO_INDEX || sweep_may_probe(s);
}

bool
sweep_has_next(struct ibs_sweep *s)
{
	sweep_skip_idle_probers(s);
	while (s->ready_first != IBS_NO_INDEX &&
	       s->nodes[s->ready_first].first == IBS_NO_INDEX) {
		(void)leave_line(s); /* it was given up */
	}
	return sweep_may_take(s);
}

uint32_t
sweep_take(struct ibs_sweep *s)
{
	uint32_t node, port;

	if (sweep_may_probe(s)) {
		return sweep_take_probe(s);
	}
	node = leave_line(s);
	port = leave_list(s, node);
	s->nodes[node].in_flight++;
	sweep_line_up(s, node);
	return port;
}
