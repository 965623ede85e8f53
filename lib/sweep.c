// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The sweep: the window of Gets in flight and what their answers end.
 */
#include <config.h>

#include "ibspeed/sweep.h"

#include <errno.h>
#include <stdlib.h>

#include "sweep_private.h"

#define CATCH_UP_NS UINT64_C(5000000)
#define NS_PER_S    UINT64_C(1000000000)

/*
 * A Get that was not answered for this part of its time-out is late: an agent
 * that is alive is faster.
 */
#define LATE_PART 16u

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
		s->next_tid = s->oldest = s->punctual = first_tid;
		s->ready_first = s->ready_last = IBS_NO_INDEX;
		s->discovery.start_node = IBS_NO_INDEX;
		s->discovery.prober_first = IBS_NO_INDEX;
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
	if (!err && (!sweep->discovery.on || sweep->discovery.scope.whole)) {
		ibs_map_mark_hidden(sweep->map);
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
slot_of(struct ibs_sweep *s, uint32_t tid)
{
	return &s->slots[tid % IBS_SMPS_MAX];
}

static uint64_t
sent_ns(const struct ibs_sweep *s, uint32_t tid)
{
	return s->slots[tid % IBS_SMPS_MAX].sent_ns;
}

/* The next TID whose slot is free; there is one. */
static struct sweep_slot *
new_slot(struct ibs_sweep *s)
{
	while (s->next_tid == 0 || slot_of(s, s->next_tid)->tid) {
		s->next_tid++;
	}
	return slot_of(s, s->next_tid);
}

static bool
is_open(const struct ibs_sweep *s, uint32_t tid)
{
	return tid && s->slots[tid % IBS_SMPS_MAX].tid == tid;
}

/* The first TID from there on that is in flight, or next_tid. */
static uint32_t
first_open(const struct ibs_sweep *s, uint32_t tid)
{
	while (tid != s->next_tid && !is_open(s, tid)) {
		tid++;
	}
	return tid;
}

static void
catch_up(struct ibs_sweep *s)
{
	s->oldest = first_open(s, s->oldest);
	s->punctual = first_open(s, s->punctual);
}

static void
fill_smp(const struct sweep_slot *slot, struct ibs_smp *ret_smp)
{
	*ret_smp = (struct ibs_smp){ .tid = slot->tid,
				     .attr = slot->attr,
				     .modifier = slot->modifier,
				     .n_hops = slot->n_hops,
				     .path = slot->path };
}

static bool
window_full(const struct ibs_sweep *s)
{
	return s->n_in_flight - s->n_late >= s->limits.max_smps ||
	       s->n_in_flight >= IBS_SMPS_MAX;
}

/* max_rate: not sooner than its share of a second after the one before. */
static bool
too_soon(const struct ibs_sweep *s)
{
	return s->limits.max_rate && s->now_ns < s->next_send_ns;
}

/*
 * A driver that was away for a moment may catch up, but not more than so much:
 * else the rate would be that of its timer.
 */
static void
pace(struct ibs_sweep *s)
{
	uint64_t earliest_ns =
		s->now_ns > CATCH_UP_NS ? s->now_ns - CATCH_UP_NS : 0;

	if (!s->limits.max_rate) {
		return;
	}
	if (s->next_send_ns < earliest_ns) {
		s->next_send_ns = earliest_ns;
	}
	s->next_send_ns += NS_PER_S / s->limits.max_rate;
}

static bool
has_next(struct ibs_sweep *s)
{
	return s->discovery.start_open || sweep_has_next(s);
}

bool
ibs_sweep_next(struct ibs_sweep *sweep, uint64_t now_ns,
	       struct ibs_smp *ret_smp)
{
	struct sweep_slot *slot;

	sweep->now_ns = now_ns;
	if (sweep->error || window_full(sweep) || too_soon(sweep) ||
	    !has_next(sweep)) {
		return false;
	}
	slot = new_slot(sweep);
	if (sweep->discovery.start_open) {
		sweep_start_ask(sweep, slot);
	} else {
		slot->port = sweep_take(sweep);
		sweep_port_ask(sweep, slot);
	}
	slot->tid = sweep->next_tid++;
	slot->late = false;
	slot->sent_ns = now_ns;
	catch_up(sweep);
	pace(sweep);
	sweep->n_in_flight++;
	sweep->map->sweep.n_smps++;
	fill_smp(slot, ret_smp);
	return true;
}

static bool
is_probe(const struct sweep_slot *slot)
{
	return slot->port != IBS_NO_INDEX && slot->attr == IBS_ATTR_NODE_INFO;
}

static void
account(struct ibs_sweep *s, const struct sweep_slot *slot,
	const struct ibs_attr *attr)
{
	struct sweep_node *n = &s->nodes[s->map->ports[slot->port].node];
	bool lost = attr->read == IBS_READ_TIMEOUT;

	s->n_open--;
	if (is_probe(slot)) {
		return; /* says nothing of this node */
	}
	n->in_flight--;
	if (lost) {
		n->n_lost++;
	} else {
		n->answered = true;
	}
}

/* It is one of the window no more. */
static void
leave_window(struct ibs_sweep *s, const struct sweep_slot *slot)
{
	if (slot->late) {
		s->n_late--;
	} else if (is_probe(slot)) {
		s->discovery.n_probes--;
	}
	s->n_in_flight--;
}

static void
close_slot(struct ibs_sweep *s, struct sweep_slot *slot,
	   const struct ibs_attr *attr)
{
	struct sweep_slot was = *slot;
	uint32_t node;

	slot->tid = 0;
	catch_up(s);
	leave_window(s, &was);
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

/* Not every device sends bit 31 of the modifier back: what was asked counts. */
static bool
is_answer_to(const struct sweep_slot *slot, const struct ibs_attr *attr)
{
	uint32_t differs = slot->modifier ^ attr->modifier;

	return attr->read == IBS_READ_TIMEOUT ||
	       (slot->attr == attr->id && !(differs & ~IBS_MOD_EXT_SPEEDS));
}

bool
ibs_sweep_in_flight(const struct ibs_sweep *sweep, uint32_t tid,
		    struct ibs_smp *ret_smp)
{
	if (!is_open(sweep, tid)) {
		return false;
	}
	fill_smp(&sweep->slots[tid % IBS_SMPS_MAX], ret_smp);
	return true;
}

void
ibs_sweep_answer(struct ibs_sweep *sweep, uint32_t tid,
		 const struct ibs_attr *attr)
{
	struct sweep_slot *slot = slot_of(sweep, tid);

	if (is_open(sweep, tid) && is_answer_to(slot, attr)) {
		close_slot(sweep, slot, attr);
	} else {
		sweep->map->sweep.n_stray++;
	}
}

static void
set_late(struct ibs_sweep *s, struct sweep_slot *slot)
{
	slot->late = true;
	s->n_late++;
	if (is_probe(slot)) {
		s->discovery.n_probes--;
	}
}

static void
notice_late(struct ibs_sweep *s)
{
	uint64_t patience_ns = s->limits.timeout_ns / LATE_PART;

	while (s->punctual != s->next_tid &&
	       s->now_ns >= slot_of(s, s->punctual)->sent_ns + patience_ns) {
		set_late(s, slot_of(s, s->punctual));
		s->punctual = first_open(s, s->punctual + 1);
	}
}

void
ibs_sweep_expire(struct ibs_sweep *sweep, uint64_t now_ns)
{
	const struct ibs_attr silence = { .read = IBS_READ_TIMEOUT };
	uint64_t timeout_ns = sweep->limits.timeout_ns;

	sweep->now_ns = now_ns;
	notice_late(sweep);
	while (sweep->oldest != sweep->next_tid &&
	       now_ns >= slot_of(sweep, sweep->oldest)->sent_ns + timeout_ns) {
		close_slot(sweep, slot_of(sweep, sweep->oldest), &silence);
	}
}

static uint64_t
earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t
ibs_sweep_deadline(const struct ibs_sweep *sweep)
{
	uint64_t timeout_ns = sweep->limits.timeout_ns;
	uint64_t first = UINT64_MAX;

	if (!window_full(sweep) &&
	    (sweep->discovery.start_open || sweep_may_take(sweep))) {
		first = sweep->next_send_ns;
	}
	if (sweep->oldest != sweep->next_tid) {
		first = earlier(first,
				sent_ns(sweep, sweep->oldest) + timeout_ns);
	}
	if (sweep->punctual != sweep->next_tid &&
	    sweep->n_open > sweep->n_in_flight) {
		first = earlier(first, sent_ns(sweep, sweep->punctual) +
					       timeout_ns / LATE_PART);
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
		    s->map->ports[peer].peer == i &&
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
