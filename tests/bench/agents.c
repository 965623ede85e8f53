// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "agents.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/port.h"

#define N_BUFFERS   4u
#define WAY_NS	    1000u
#define HOP_NS	    200u
#define PACKETS_MAX 1024u /* those in flight, and late ones */

struct agent {
	uint64_t free_ns; /* when all that it holds is served */
	uint64_t busy_ns; /* what it has served took */
	uint16_t n_held;
	uint16_t n_here; /* sent to it and not over */
	uint16_t most;	 /* of n_here */
};

enum stage { COMING, HELD, GOING };

struct packet {
	uint64_t time_ns; /* when its stage is over */
	uint32_t tid;
	uint32_t modifier;
	uint32_t slot; /* through which it comes in */
	uint32_t way_ns;
	uint16_t attr;
	uint8_t stage;
};

static struct model {
	const struct shape *shape;
	const struct run *run;
	struct agent *agents;
	struct packet packets[PACKETS_MAX];
	unsigned int n_packets;
	uint64_t now_ns;
	uint64_t work_ns; /* sum of services and ways */
	uint32_t random;
	uint8_t port_info[IBS_ATTR_SIZE];
	struct result result;
} model;

static void
put(uint8_t *pi, enum ibs_port_info_field field, uint64_t value)
{
	ibs_field_put(pi, &ibs_port_info_fields[field], value);
}

/* 4X HDR, both as port 0 that gates and as a port. */
static void
make_port_info(uint8_t *pi)
{
	memset(pi, 0, IBS_ATTR_SIZE);
	put(pi, IBS_PI_CapabilityMask, IBS_CAP_EXT_SPEEDS);
	put(pi, IBS_PI_PortState, IBS_PORT_ACTIVE);
	put(pi, IBS_PI_LinkWidthActive, 2);
	put(pi, IBS_PI_LinkWidthSupported, 3);
	put(pi, IBS_PI_LinkWidthEnabled, 3);
	put(pi, IBS_PI_LinkSpeedActive, 4);
	put(pi, IBS_PI_LinkSpeedSupported, 7);
	put(pi, IBS_PI_LinkSpeedEnabled, 7);
	put(pi, IBS_PI_LinkSpeedExtActive, 4);
	put(pi, IBS_PI_LinkSpeedExtSupported, 7);
	put(pi, IBS_PI_LinkSpeedExtEnabled, 7);
}

static void
put_node(uint8_t *data, enum ibs_node_info_field field, uint64_t value)
{
	ibs_field_put(data, &ibs_node_info_fields[field], value);
}

static void
fill_node_info(const struct packet *packet, uint8_t *data)
{
	const struct shape_node *node =
		&model.shape->nodes[model.shape->owners[packet->slot]];
	bool host = node->role == SHAPE_HOST;

	put_node(data, IBS_NI_NodeType, host ? IBS_NODE_CA : IBS_NODE_SWITCH);
	put_node(data, IBS_NI_NumPorts, node->n_ports);
	put_node(data, IBS_NI_NodeGUID, node->guid);
	put_node(data, IBS_NI_PortGUID, node->guid + host);
	put_node(data, IBS_NI_LocalPortNum, packet->slot - node->first_slot);
}

static void
fill_port_info(const struct packet *packet, uint8_t *data)
{
	const struct shape_node *node =
		&model.shape->nodes[model.shape->owners[packet->slot]];
	unsigned int num = packet->modifier & ~IBS_MOD_EXT_SPEEDS;

	memcpy(data, model.port_info, IBS_ATTR_SIZE);
	if (num &&
	    model.shape->peers[node->first_slot + num] == SHAPE_NO_SLOT) {
		put(data, IBS_PI_PortState, IBS_PORT_DOWN);
	}
}

static void
answer(struct ibs_sweep *sweep, const struct packet *packet)
{
	struct ibs_attr attr = { .id = packet->attr,
				 .modifier = packet->modifier,
				 .read = IBS_READ_OK };

	if (packet->attr == IBS_ATTR_NODE_INFO) {
		fill_node_info(packet, attr.data);
	} else if (packet->attr == IBS_ATTR_PORT_INFO) {
		fill_port_info(packet, attr.data);
	}
	ibs_sweep_answer(sweep, packet->tid, &attr);
}

/* Where a directed route from the first host ends. */
static uint32_t
walk(const struct ibs_smp *smp)
{
	uint32_t slot = model.shape->nodes[0].first_slot + 1;

	for (unsigned int hop = 1; hop <= smp->n_hops; hop++) {
		uint32_t node = model.shape->owners[slot];

		slot = model.shape->peers[model.shape->nodes[node].first_slot +
					  smp->path[hop]];
	}
	return slot;
}

static struct agent *
agent_of(const struct packet *packet)
{
	return &model.agents[model.shape->owners[packet->slot]];
}

static void
post(const struct ibs_smp *smp)
{
	struct packet *packet = &model.packets[model.n_packets++];
	struct agent *agent;

	if (model.n_packets == PACKETS_MAX) {
		fprintf(stderr, "model: too many packets\n");
		exit(2);
	}
	*packet = (struct packet){ .tid = smp->tid,
				   .modifier = smp->modifier,
				   .attr = smp->attr,
				   .slot = walk(smp),
				   .way_ns = WAY_NS + HOP_NS * smp->n_hops,
				   .stage = COMING };
	packet->time_ns = model.now_ns + packet->way_ns;
	model.work_ns += 2 * packet->way_ns;
	model.result.n_smps++;
	agent = agent_of(packet);
	if (++agent->n_here > model.run->per_node) {
		model.result.n_over++;
	}
	if (agent->n_here > agent->most) {
		agent->most = agent->n_here;
	}
}

static void
lose(struct packet *packet)
{
	agent_of(packet)->n_here--;
	*packet = model.packets[--model.n_packets];
}

/* Equal on each run. */
static uint64_t
service_ns(void)
{
	model.random = model.random * 1664525u + 1013904223u;
	return model.run->service_us *
	       (900 + UINT64_C(200) * (model.random >> 16) / 65536);
}

static bool
is_silent(uint32_t node)
{
	unsigned int each = model.run->silent_each;

	return each && model.shape->nodes[node].role == SHAPE_HOST &&
	       node % each == each - 1;
}

static void
arrive(struct packet *packet)
{
	struct agent *agent = agent_of(packet);
	uint64_t needed_ns = service_ns();

	if (is_silent(model.shape->owners[packet->slot])) {
		lose(packet);
		return;
	}

	if (agent->n_held == N_BUFFERS) {
		model.result.n_lost++;
		lose(packet);
		return;
	}
	agent->n_held++;
	if (agent->free_ns < model.now_ns) {
		agent->free_ns = model.now_ns;
	}
	agent->free_ns += needed_ns;
	agent->busy_ns += needed_ns;
	model.work_ns += needed_ns;
	packet->time_ns = agent->free_ns;
	packet->stage = HELD;
}

static void
happen(struct ibs_sweep *sweep, struct packet *packet)
{
	switch ((enum stage)packet->stage) {
	case COMING:
		arrive(packet);
		return;
	case HELD:
		agent_of(packet)->n_held--;
		packet->time_ns += packet->way_ns;
		packet->stage = GOING;
		return;
	case GOING:
		answer(sweep, packet);
		lose(packet);
		return;
	}
}

static struct packet *
next_event(void)
{
	struct packet *first = NULL;

	for (unsigned int i = 0; i < model.n_packets; i++) {
		if (!first || model.packets[i].time_ns < first->time_ns) {
			first = &model.packets[i];
		}
	}
	return first;
}

static void
drive(struct ibs_sweep *sweep)
{
	struct ibs_smp smp;

	while (!ibs_sweep_done(sweep)) {
		uint64_t deadline;
		struct packet *event;

		while (ibs_sweep_next(sweep, model.now_ns, &smp)) {
			post(&smp);
		}
		if (ibs_sweep_done(sweep)) {
			break;
		}
		deadline = ibs_sweep_deadline(sweep);
		event = next_event();
		if (event && event->time_ns <= deadline) {
			model.now_ns = event->time_ns;
			happen(sweep, event);
		} else if (deadline != UINT64_MAX) {
			model.now_ns = deadline;
			ibs_sweep_expire(sweep, model.now_ns);
		} else {
			fprintf(stderr, "model: the engine stands still\n");
			exit(2);
		}
	}
}

static void
conclude(void)
{
	struct result *result = &model.result;

	result->time_ns = model.now_ns;
	result->window_ns = model.work_ns / model.run->window;
	for (uint32_t i = 0; i < model.shape->n_nodes; i++) {
		const struct agent *agent = &model.agents[i];
		if (agent->busy_ns > result->agent_ns) {
			result->agent_ns = agent->busy_ns;
		}
		if (agent->most > result->most) {
			result->most = agent->most;
		}
	}
}

struct ibs_map *
agents_run(const struct shape *shape, const struct run *run,
	   struct ibs_sweep *sweep, struct result *ret_result)
{
	struct ibs_map *map;

	memset(&model, 0, sizeof(model));
	model.shape = shape;
	model.run = run;
	model.agents = calloc(shape->n_nodes, sizeof(*model.agents));
	if (!model.agents) {
		exit(2);
	}
	make_port_info(model.port_info);
	drive(sweep);
	conclude();
	free(model.agents);
	*ret_result = model.result;
	if (ibs_sweep_finish(sweep, &map) || ibs_map_freeze(map)) {
		fprintf(stderr, "model: the sweep failed\n");
		exit(2);
	}
	return map;
}
