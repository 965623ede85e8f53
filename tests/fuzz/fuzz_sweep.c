// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Any bytes as what comes back to the sweep: answers to what is in flight or to
 * nothing, in any order, with any data and status; silence; time that jumps.
 * Whatever they are, no limit is passed, the counters are true, the sweep ends,
 * and its map freezes.
 *
 *   byte 0   window; byte 1 limit per node, tries and how it begins
 *   then     a byte of what happens, and what that takes
 */
#include <config.h>

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "ibspeed/map.h"
#include "ibspeed/port.h"
#include "ibspeed/sweep.h"

#define TIMEOUT_NS UINT64_C(160000)
#define LATE_NS	   (TIMEOUT_NS / 16)
#define ROUNDS_MAX 1000000 /* more than any input of libFuzzer's size needs */

struct sent {
	uint64_t time_ns;
	uint32_t tid; /* 0: over */
	uint32_t modifier;
	uint16_t attr;
	uint8_t n_hops;
	uint8_t path[IBS_HOPS_MAX + 1];
};

static struct run {
	const uint8_t *bytes;
	size_t left;
	struct ibs_sweep *sweep;
	struct ibs_sweep_limits limits;
	bool discovers;
	uint64_t now_ns;
	struct sent sent[IBS_SMPS_MAX];
	unsigned int n_in_flight;
	uint32_t n_smps, n_timeouts, n_stray;
} run;

static uint8_t
take_byte(void)
{
	if (!run.left) {
		return 0;
	}
	run.left--;
	return *run.bytes++;
}

static struct sent *
find_sent(uint32_t tid)
{
	for (unsigned int i = 0; tid && i < IBS_SMPS_MAX; i++) {
		if (run.sent[i].tid == tid) {
			return &run.sent[i];
		}
	}
	return NULL;
}

static bool
to_same_node(const struct sent *a, const struct sent *b)
{
	return a->tid && b->tid && a->attr != IBS_ATTR_NODE_INFO &&
	       b->attr != IBS_ATTR_NODE_INFO && a->n_hops == b->n_hops &&
	       memcmp(a->path, b->path, a->n_hops + 1u) == 0;
}

static void
check_limits(const struct sent *newest)
{
	unsigned int n_fresh = 0, n_same = 0;

	for (unsigned int i = 0; i < IBS_SMPS_MAX; i++) {
		n_fresh += run.sent[i].tid != 0 &&
			   run.sent[i].time_ns + LATE_NS > run.now_ns;
		n_same += to_same_node(newest, &run.sent[i]);
	}
	FUZZ_CHECK(n_fresh <= run.limits.max_smps);
	FUZZ_CHECK(!run.discovers || n_same <= run.limits.max_smps_per_node);
}

static void
note_sent(const struct ibs_smp *smp)
{
	struct sent *sent = run.sent;
	struct ibs_smp again;

	FUZZ_CHECK(smp->tid != 0 && !find_sent(smp->tid));
	FUZZ_CHECK(smp->n_hops <= IBS_HOPS_MAX && smp->path[0] == 0);
	FUZZ_CHECK(run.n_in_flight < IBS_SMPS_MAX);
	FUZZ_CHECK(ibs_sweep_in_flight(run.sweep, smp->tid, &again));
	while (sent->tid) {
		sent++;
	}
	*sent = (struct sent){ .time_ns = run.now_ns,
			       .tid = smp->tid,
			       .modifier = smp->modifier,
			       .attr = smp->attr,
			       .n_hops = smp->n_hops };
	memcpy(sent->path, smp->path, smp->n_hops + 1u);
	run.n_in_flight++;
	run.n_smps++;
	check_limits(sent);
}

static void
send_all(void)
{
	struct ibs_smp smp;

	while (ibs_sweep_next(run.sweep, run.now_ns, &smp)) {
		note_sent(&smp);
	}
	if (!ibs_sweep_done(run.sweep)) {
		FUZZ_CHECK(ibs_sweep_deadline(run.sweep) != UINT64_MAX);
	}
}

static void
over(struct sent *sent)
{
	sent->tid = 0;
	run.n_in_flight--;
}

static void
go_to(uint64_t now_ns)
{
	run.now_ns = now_ns;
	ibs_sweep_expire(run.sweep, now_ns);
	for (unsigned int i = 0; i < IBS_SMPS_MAX; i++) {
		struct sent *sent = &run.sent[i];

		if (sent->tid && sent->time_ns + TIMEOUT_NS <= now_ns) {
			over(sent);
			run.n_timeouts++;
		}
	}
}

static void
hand_in(uint32_t tid, const struct ibs_attr *attr)
{
	struct sent *sent = find_sent(tid);
	bool lost = attr->read == IBS_READ_TIMEOUT;

	if (sent && (lost || (attr->id == sent->attr &&
			      ((attr->modifier ^ sent->modifier) &
			       ~IBS_MOD_EXT_SPEEDS) == 0))) {
		over(sent);
		run.n_timeouts += lost;
	} else {
		run.n_stray++;
	}
	ibs_sweep_answer(run.sweep, tid, attr);
}

static void
put_node(uint8_t *data, enum ibs_node_info_field field, uint64_t value)
{
	ibs_field_put(data, &ibs_node_info_fields[field], value);
}

static void
put_port(uint8_t *data, enum ibs_port_info_field field, uint64_t value)
{
	ibs_field_put(data, &ibs_port_info_fields[field], value);
}

/* An answer that makes sense: few GUIDs, few ports, most of them up. */
static void
fill(struct ibs_attr *attr)
{
	uint8_t a = take_byte(), b = take_byte();

	if (attr->id == IBS_ATTR_NODE_INFO) {
		put_node(attr->data, IBS_NI_NodeType, 1u + (a & 1));
		put_node(attr->data, IBS_NI_NumPorts, a >> 1 & 7);
		put_node(attr->data, IBS_NI_NodeGUID, a >> 4);
		put_node(attr->data, IBS_NI_LocalPortNum, b & 7);
		put_node(attr->data, IBS_NI_DeviceID, b & 8 ? 0xc738 : 0);
	} else {
		put_port(attr->data, IBS_PI_M_Key, UINT64_MAX);
		put_port(attr->data, IBS_PI_PortState, a & 7);
		put_port(attr->data, IBS_PI_LinkWidthActive, 2);
		put_port(attr->data, IBS_PI_LinkSpeedActive, a >> 3 & 7);
		put_port(attr->data, IBS_PI_LinkSpeedExtActive, b & 7);
		put_port(attr->data, IBS_PI_CapabilityMask,
			 b & 8 ? IBS_CAP_EXT_SPEEDS : 0);
	}
}

static struct sent *
pick_sent(void)
{
	unsigned int i = take_byte() % IBS_SMPS_MAX;

	for (unsigned int n = 0; n < IBS_SMPS_MAX; n++) {
		struct sent *sent = &run.sent[(i + n) % IBS_SMPS_MAX];

		if (sent->tid) {
			return sent;
		}
	}
	return NULL;
}

/* Of something in flight; half of what happens is an answer in order. */
static void
answer(uint8_t what)
{
	const struct sent *sent = pick_sent();
	struct ibs_attr attr = { .read = IBS_READ_OK };

	if (!sent) {
		return;
	}
	attr.id = sent->attr;
	attr.modifier = sent->modifier;
	switch (what % 8) {
	case 0:
		attr.read = IBS_READ_TIMEOUT;
		break;
	case 1:
		attr.read = IBS_READ_STATUS;
		attr.status = take_byte();
		break;
	case 2:
		attr.modifier ^= UINT32_C(1) << take_byte() % 32;
		break;
	case 3:
		for (size_t i = 0; i < sizeof(attr.data); i++) {
			attr.data[i] = take_byte();
		}
		break;
	default:
		fill(&attr);
		break;
	}
	hand_in(sent->tid, &attr);
}

static void
stray(void)
{
	struct ibs_attr attr = { .id = IBS_ATTR_PORT_INFO,
				 .read = IBS_READ_OK };

	hand_in(take_byte(), &attr);
}

static void
happen(void)
{
	uint8_t what = take_byte();

	switch (what >> 5) {
	case 0:
		go_to(run.now_ns + ((uint64_t)take_byte() << what % 16));
		return;
	case 1:
		go_to(ibs_sweep_deadline(run.sweep) == UINT64_MAX
			      ? run.now_ns
			      : ibs_sweep_deadline(run.sweep));
		return;
	case 2:
		stray();
		return;
	default:
		answer(what);
		return;
	}
}

static void
add_seed(struct ibs_map *map, unsigned int hop)
{
	uint8_t byte = take_byte();
	struct ibs_node node = { .guid = byte >> 5,
				 .type = (uint8_t)(1 + (byte & 1)),
				 .n_hops = 1,
				 .path = { 0, (uint8_t)hop } };
	struct ibs_map_port port = { .peer = IBS_NO_INDEX };
	uint32_t index;

	FUZZ_CHECK(ibs_map_add_node(map, &node, &port.node) == 0);
	for (unsigned int num = 0; num < (byte >> 1 & 7u); num++) {
		port.num = (uint8_t)num;
		port.peer = take_byte() % 32;
		FUZZ_CHECK(ibs_map_add_port(map, &port, &index) == 0);
	}
}

static struct ibs_map *
seeded_map(void)
{
	struct ibs_map *map = ibs_map_new();
	unsigned int n_nodes = take_byte() % 8;

	for (unsigned int i = 0; map && i < n_nodes; i++) {
		add_seed(map, i);
	}
	return map;
}

static void
begin(void)
{
	uint8_t window = take_byte(), how = take_byte();
	struct ibs_scope scope = { .whole = (how & 0xc0) == 0x40 };

	run.limits = (struct ibs_sweep_limits){
		.max_smps = 1u + window % IBS_SMPS_MAX,
		.max_smps_per_node = 1u + (how & 3),
		.max_rate = how & 4 ? 1000000 : 0,
		.max_tries = 1u + (how >> 3 & 3),
		.timeout_ns = TIMEOUT_NS,
	};
	run.discovers = how & 0xc0;
	if (run.discovers && !scope.whole) {
		scope.n_hops = how >> 5 & 1;
		scope.path[1] = 1;
	}
	if (run.discovers) {
		FUZZ_CHECK(ibs_sweep_discover(&scope, &run.limits,
					      UINT32_MAX - 8, &run.sweep) == 0);
	} else {
		FUZZ_CHECK(ibs_sweep_new(seeded_map(), &run.limits,
					 UINT32_MAX - 8, &run.sweep) == 0);
	}
}

static void
check_map(struct ibs_map *map)
{
	static const uint8_t no_key[8];

	FUZZ_CHECK(map->sweep.n_smps == run.n_smps);
	FUZZ_CHECK(map->sweep.n_timeouts == run.n_timeouts);
	FUZZ_CHECK(map->sweep.n_stray == run.n_stray);
	FUZZ_CHECK(map->sweep.n_retries < map->sweep.n_smps + 1);
	for (uint32_t i = 0; i < map->n_ports; i++) {
		FUZZ_CHECK(memcmp(map->ports[i].pi, no_key, 8) == 0);
		FUZZ_CHECK(map->ports[i].read != IBS_READ_UNASKED);
	}
	FUZZ_CHECK(ibs_map_freeze(map) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ibs_map *map = NULL;
	unsigned int rounds = 0;
	int err;

	run = (struct run){ .bytes = data, .left = size, .now_ns = 1 };
	begin();
	for (; !ibs_sweep_done(run.sweep); rounds++) {
		FUZZ_CHECK(rounds < ROUNDS_MAX);
		send_all();
		if (run.left) {
			happen();
		} else if (ibs_sweep_deadline(run.sweep) != UINT64_MAX) {
			go_to(ibs_sweep_deadline(run.sweep));
		}
	}
	FUZZ_CHECK(run.n_in_flight == 0);
	err = ibs_sweep_finish(run.sweep, &map);
	if (err) {
		FUZZ_CHECK(err == -ETIMEDOUT || err == -EREMOTEIO);
	} else {
		check_map(map);
		ibs_map_free(map);
	}
	return 0;
}
