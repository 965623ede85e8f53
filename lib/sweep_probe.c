// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Whose turn it is to ask who is behind a port.  Nobody knows to whose agent
 * such a probe goes, so the limit of one agent cannot be kept by counting.  It
 * is kept, but for chance, in three ways: an agent that a probe may come to has
 * one Get less of its own; probes are half of the window at most; and each
 * node's turn is one probe, of ports that are far from each other, since nodes
 * in a row and ports side by side often lead to the same neighbour.
 */
#include <config.h>

#include "sweep_private.h"

bool
sweep_is_exposed(const struct ibs_sweep *s, uint32_t node)
{
	return s->discovery.on &&
	       s->nodes[node].n_settled < s->map->nodes[node].n_ports;
}

static void
line_up(struct ibs_sweep *s, uint32_t node)
{
	struct sweep_discovery *d = &s->discovery;
	struct sweep_node *n = &s->nodes[node];

	if (n->prober_queued || n->probes == IBS_NO_INDEX) {
		return;
	}
	n->prober_queued = true;
	n->next_prober = IBS_NO_INDEX;
	if (d->prober_first == IBS_NO_INDEX) {
		d->prober_first = node;
	} else {
		s->nodes[d->prober_last].next_prober = node;
	}
	d->prober_last = node;
}

void
sweep_want_probe(struct ibs_sweep *s, uint32_t port)
{
	uint32_t node = s->map->ports[port].node;

	s->ports[port].step = SWEEP_PROBE;
	s->ports[port].next = s->nodes[node].probes;
	s->nodes[node].probes = port;
	s->n_open++;
	line_up(s, node);
}

void
sweep_drop_probe(struct ibs_sweep *s, uint32_t port)
{
	uint32_t *at = &s->nodes[s->map->ports[port].node].probes;

	while (*at != port && *at != IBS_NO_INDEX) {
		at = &s->ports[*at].next;
	}
	if (*at == port) {
		*at = s->ports[port].next;
		s->ports[port].step = SWEEP_DONE;
		s->n_open--;
	}
}

bool
sweep_may_probe(const struct ibs_sweep *s)
{
	const struct sweep_discovery *d = &s->discovery;

	return d->prober_first != IBS_NO_INDEX &&
	       d->n_probes < (s->limits.max_smps + 1) / 2;
}

static uint32_t
leave_line(struct ibs_sweep *s)
{
	uint32_t node = s->discovery.prober_first;

	s->discovery.prober_first = s->nodes[node].next_prober;
	s->nodes[node].prober_queued = false;
	return node;
}

void
sweep_skip_idle_probers(struct ibs_sweep *s)
{
	while (s->discovery.prober_first != IBS_NO_INDEX &&
	       s->nodes[s->discovery.prober_first].probes == IBS_NO_INDEX) {
		(void)leave_line(s);
	}
}

uint32_t
sweep_take_probe(struct ibs_sweep *s)
{
	uint32_t node = leave_line(s);
	uint32_t port = s->nodes[node].probes;

	s->nodes[node].probes = s->ports[port].next;
	s->discovery.n_probes++;
	line_up(s, node);
	return port;
}
