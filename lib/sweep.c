// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The sweep: the window of Gets in flight and what their answers end.
 */
#include <config.h>

#include "ibspeed/sweep.h"

#include <errno.h>
#include <stdlib.h>

#include "sweep_private.h"

#define NS_PER_S UINT64_C(1000000000)

/*
 * A node that lets so many time-out chains pass without one answer is not
 * asked for its other ports: its port 0's, and as much as two more.
 */
#define SILENT_CHAINS 3u

static bool
limits_valid(const struct ibs_sweep_limits *limits)
{
	return limits->max_smps >= 1 && limits->max_smps <= IBS_SMPS_MAX &&
	       limits->max_smps_per_node >= 1 && limits->max_tries >= 1 &&
	       limits->max_tries <= UINT8_MAX && limits->timeout_ns > 0;
}

static bool
gated_by_port0(const struct ibs_map *map, uint32_t port)
{
	uint32_t port0 = map->nodes[map->ports[port].node].port0;

	return port0 != IBS_NO_INDEX && port0 != port;
}

/* Port 0 of a switch first; its other ports wait until that is over. */
static void
want_all(struct ibs_sweep *s)
{
	for (uint32_t i = 0; i < s->map->n_ports; i++) {
		if (!gated_by_port0(s->map, i)) {
			sweep_want(s, i, SWEEP_PORT_INFO);
		}
	}
	for (uint32_t i = s->map->n_ports; i-- > 0;) {
		if (gated_by_port0(s->map, i)) {
			sweep_wait_for_port0(s, i);
		}
	}
}

static struct ibs_sweep *
new_sweep(const struct ibs_sweep_limits *limits, uint32_t first_tid)
{
	struct ibs_sweep *s = calloc(1, sizeof(*s));

	if (s) {
		s->limits = *limits;
		s->next_tid = first_tid;
		s->ready_first = s->ready_last = IBS_NO_INDEX;
		s->discovery.start_node = IBS_NO_INDEX;
	}
	return s;
}

int
ibs_sweep_new(struct ibs_map *map, const struct ibs_sweep_limits *limits,
	      uint32_t first_tid, struct ibs_sweep **ret_sweep)
{
	struct ibs_sweep *s;

	if (!limits_valid(limits)) {
		return -EINVAL;
	}
	s = new_sweep(limits, first_tid);
	if (!s) {
		return -ENOMEM;
	}
	s->map = map;
	if (sweep_grow(s)) {
		s->map = NULL; /* still the caller's */
		ibs_sweep_free(s);
		return -ENOMEM;
	}
	want_all(s);
	*ret_sweep = s;
	return 0;
}

int
ibs_sweep_discover(const struct ibs_scope *scope,
		   const struct ibs_sweep_limits *limits, uint32_t first_tid,
		   struct ibs_sweep **ret_sweep)
{
	struct ibs_sweep *s;

	if (!limits_valid(limits) || scope->n_hops > IBS_HOPS_MAX ||
	    (scope->whole && scope->n_hops)) {
		return -EINVAL;
	}
	s = new_sweep(limits, first_tid);
	if (!s) {
		return -ENOMEM;
	}
	s->map = ibs_map_new();
	if (!s->map) {
		ibs_sweep_free(s);
		return -ENOMEM;
	}
	s->discovery.on = s->discovery.start_open = true;
	s->discovery.scope = *scope;
	/* The cable of the node's entrance is found from its other end. */
	s->discovery.start_hops =
		(uint8_t)(scope->n_hops ? scope->n_hops - 1 : 0);
	*ret_sweep = s;
	return 0;
}

void
ibs_sweep_free(struct ibs_sweep *sweep)
{
	if (sweep) {
		ibs_map_free(sweep->map);
		free(sweep->ports);
		free(sweep->nodes);
		free(sweep->discovery.buckets);
		free(sweep);
	}
}

int
ibs_sweep_finish(struct ibs_sweep *sweep, struct ibs_map **ret_map)
{
	int err = sweep->error ? sweep->error : sweep->discovery.start_error;

	if (!err && sweep->discovery.on) {
		sweep_find_subnet(sweep);
	}
	if (!err) {
		*ret_map = sweep->map;
		sweep->map = NULL;
	}
	ibs_sweep_free(sweep);
	return err;
}

void
ibs_sweep_progress(const struct ibs_sweep *sweep,
		   struct ibs_progress *ret_progress)
{
	*ret_progress =
		(struct ibs_progress){ .n_nodes = sweep->map->n_nodes,
				       .n_ports = sweep->map->n_ports,
				       .n_smps = sweep->map->sweep.n_smps };
}

static struct sweep_slot *
free_slot(struct ibs_sweep *s)
{
	for (unsigned int i = 0; i < s->limits.max_smps; i++) {
		if (s->slots[i].tid == 0) {
			return &s->slots[i];
		}
	}
	return NULL;
}

static uint32_t
new_tid(struct ibs_sweep *s)
{
	if (s->next_tid == 0) {
		s->next_tid = 1;
	}
	return s->next_tid++;
}

static void
fill_smp(const struct ibs_sweep *s, const struct sweep_slot *slot,
	 struct ibs_smp *ret_smp)
{
	const struct ibs_node *node;

	*ret_smp = (struct ibs_smp){ .tid = slot->tid,
				     .attr = slot->attr,
				     .modifier = slot->modifier,
				     .n_hops = slot->n_hops,
				     .path = slot->path };
	if (slot->attr != IBS_ATTR_NODE_INFO) {
		node = &s->map->nodes[s->map->ports[slot->port].node];
		ret_smp->n_hops = node->n_hops;
		ret_smp->path = node->path;
	}
}

/* max_rate: not sooner than its share of a second after the one before. */
static bool
too_soon(struct ibs_sweep *s, uint64_t now_ns)
{
	if (!s->limits.max_rate) {
		return false;
	}
	if (now_ns < s->next_send_ns) {
		return true;
	}
	s->next_send_ns = now_ns + NS_PER_S / s->limits.max_rate;
	return false;
}

static bool
has_something(const struct ibs_sweep *s)
{
	return s->ready_first != IBS_NO_INDEX || s->discovery.start_open;
}

bool
ibs_sweep_next(struct ibs_sweep *sweep, uint64_t now_ns,
	       struct ibs_smp *ret_smp)
{
	struct sweep_slot *slot = free_slot(sweep);

	sweep->now_ns = now_ns;
	if (sweep->error || !slot || !has_something(sweep) ||
	    too_soon(sweep, now_ns)) {
		return false;
	}
	if (sweep->discovery.start_open) {
		sweep_start_ask(sweep, slot);
	} else {
		slot->port = sweep_take(sweep);
		if (slot->port == IBS_NO_INDEX) {
			return false;
		}
		sweep_port_ask(sweep, slot);
	}
	slot->tid = new_tid(sweep);
	slot->deadline_ns = now_ns + sweep->limits.timeout_ns;
	sweep->n_in_flight++;
	sweep->map->sweep.n_smps++;
	fill_smp(sweep, slot, ret_smp);
	return true;
}

static void
account(struct ibs_sweep *s, const struct sweep_slot *slot,
	const struct ibs_attr *attr)
{
	struct sweep_node *n = &s->nodes[s->map->ports[slot->port].node];
	bool lost = attr->read == IBS_READ_TIMEOUT;

	n->in_flight--;
	s->n_open--;
	if (slot->attr == IBS_ATTR_NODE_INFO) {
		s->discovery.n_probes--; /* says nothing of this node */
	} else if (lost) {
		n->n_lost++;
	} else {
		n->answered = true;
	}
}

static void
close_slot(struct ibs_sweep *s, struct sweep_slot *slot,
	   const struct ibs_attr *attr)
{
	struct sweep_slot was = *slot;
	uint32_t node;

	slot->tid = 0;
	s->n_in_flight--;
	if (attr->read == IBS_READ_TIMEOUT) {
		s->map->sweep.n_timeouts++;
	}
	if (was.port == IBS_NO_INDEX) {
		sweep_start_answer(s, attr);
		return;
	}
	node = s->map->ports[was.port].node;
	account(s, &was, attr);
	sweep_port_answer(s, &was, attr);
	if (!s->nodes[node].answered &&
	    s->nodes[node].n_lost >= SILENT_CHAINS * s->limits.max_tries) {
		sweep_give_up(s, node);
	}
	sweep_line_up(s, node);
}

static bool
is_answer_to(const struct sweep_slot *slot, const struct ibs_attr *attr)
{
	return attr->read == IBS_READ_TIMEOUT ||
	       (slot->attr == attr->id && slot->modifier == attr->modifier);
}

void
ibs_sweep_answer(struct ibs_sweep *sweep, uint32_t tid,
		 const struct ibs_attr *attr)
{
	for (unsigned int i = 0; tid && i < sweep->limits.max_smps; i++) {
		struct sweep_slot *slot = &sweep->slots[i];

		if (slot->tid == tid && is_answer_to(slot, attr)) {
			close_slot(sweep, slot, attr);
			return;
		}
	}
	sweep->map->sweep.n_stray++;
}

void
ibs_sweep_expire(struct ibs_sweep *sweep, uint64_t now_ns)
{
	const struct ibs_attr silence = { .read = IBS_READ_TIMEOUT };

	for (unsigned int i = 0; i < sweep->limits.max_smps; i++) {
		struct sweep_slot *slot = &sweep->slots[i];

		if (slot->tid && slot->deadline_ns <= now_ns) {
			close_slot(sweep, slot, &silence);
		}
	}
}

uint64_t
ibs_sweep_deadline(const struct ibs_sweep *sweep)
{
	uint64_t first = UINT64_MAX;

	if (sweep->limits.max_rate && has_something(sweep) &&
	    sweep->n_in_flight < sweep->limits.max_smps) {
		first = sweep->next_send_ns;
	}
	for (unsigned int i = 0; i < sweep->limits.max_smps; i++) {
		const struct sweep_slot *slot = &sweep->slots[i];

		if (slot->tid && slot->deadline_ns < first) {
			first = slot->deadline_ns;
		}
	}
	return first;
}

/*
 * The two readings of a link are not made at one moment: ends that disagree
 * are read again, once.
 */
static void
reread_mismatches(struct ibs_sweep *s)
{
	s->rereading = true;
	for (uint32_t i = 0; i < s->map->n_ports; i++) {
		uint32_t peer = s->map->ports[i].peer;

		if (peer < s->map->n_ports && peer > i &&
		    sweep_ends_disagree(s, i, peer)) {
			sweep_port_again(s, i);
			sweep_port_again(s, peer);
		}
	}
}

bool
ibs_sweep_done(struct ibs_sweep *sweep)
{
	if (sweep->error) {
		return true;
	}
	if (sweep->discovery.start_open || sweep->n_in_flight) {
		return false;
	}
	if (sweep->n_open == 0 && !sweep->rereading) {
		reread_mismatches(sweep);
	}
	return sweep->n_open == 0;
}
