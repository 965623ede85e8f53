// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "fabric.h"

#include <string.h>

#include "unit.h"

struct fabric fabric;

uint32_t
fabric_port(uint64_t guid, uint8_t num)
{
	return ibs_map_find_port(fabric.truth,
				 ibs_map_find_node(fabric.truth, guid), num);
}

void
fabric_misbehave(uint64_t guid, uint8_t num, enum misdeed misdeed)
{
	fabric.misdeeds[fabric_port(guid, num)] = misdeed;
}

static void
put(uint8_t *pi, enum ibs_port_info_field field, uint64_t value)
{
	ibs_field_put(pi, &ibs_port_info_fields[field], value);
}

static bool
is_lost(uint32_t port, const struct ibs_smp *smp)
{
	unsigned int asked = fabric.asked[port]++;

	switch (fabric.misdeeds[port]) {
	case SILENT:
		return true;
	case SILENT_ONCE:
		return asked == 0;
	case NO_EXT_PORT:
		return smp->attr == IBS_ATTR_MLNX_EXT_PORT_INFO;
	case NONE:
	case REFUSES:
	case BUSY_ONCE:
	case REFUSES_EXT:
	case HIDES_EXT:
	case CHANGES_ONCE:
	case NO_ECHO:
	case DEAF:
		return false;
	}
	return false;
}

static void
spoil(uint32_t port, const struct ibs_smp *smp, struct ibs_attr *attr)
{
	bool ext = smp->modifier & IBS_MOD_EXT_SPEEDS;
	bool first = fabric.asked[port] == 1;

	switch (fabric.misdeeds[port]) {
	case REFUSES:
		attr->status = 0x1c;
		break;
	case BUSY_ONCE:
		attr->status = first ? 1 : 0;
		break;
	case REFUSES_EXT:
		attr->status = ext ? 0x1c : 0;
		break;
	case HIDES_EXT:
		if (!ext) {
			put(attr->data, IBS_PI_LinkSpeedExtActive, 0);
			put(attr->data, IBS_PI_LinkSpeedExtSupported, 0);
			put(attr->data, IBS_PI_LinkSpeedExtEnabled, 0);
		}
		break;
	case CHANGES_ONCE:
		if (first) {
			put(attr->data, IBS_PI_LinkWidthActive, 1);
		}
		break;
	case NO_ECHO:
		attr->modifier &= ~IBS_MOD_EXT_SPEEDS;
		break;
	case NONE:
	case SILENT:
	case SILENT_ONCE:
	case NO_EXT_PORT:
	case DEAF:
		break;
	}
	if (attr->status) {
		attr->read = IBS_READ_STATUS;
	}
}

/*
 * Walks the route: each hop leaves the node by a port and comes in by the peer
 * of that port.  NO_INDEX: it leads nowhere.
 */
static uint32_t
entrance(const struct ibs_smp *smp)
{
	const struct ibs_map *map = fabric.truth;
	uint32_t port = fabric.start;

	for (unsigned int hop = 1; hop <= smp->n_hops; hop++) {
		uint32_t node = map->ports[port].node;

		if (hop > 1 && map->nodes[node].type != IBS_NODE_SWITCH) {
			return IBS_NO_INDEX;
		}
		port = ibs_map_find_port(map, node, smp->path[hop]);
		if (port == IBS_NO_INDEX ||
		    map->ports[port].peer == IBS_NO_INDEX) {
			return IBS_NO_INDEX;
		}
		port = map->ports[port].peer;
		if (fabric.misdeeds[port] == DEAF) {
			return IBS_NO_INDEX;
		}
	}
	return port;
}

/* The port that a Get is about; NO_INDEX: nobody will answer. */
static uint32_t
target(const struct ibs_smp *smp)
{
	uint32_t port;

	if (fabric.by_index) {
		return ibs_map_find_port(fabric.truth, smp->path[1],
					 (uint8_t)smp->modifier);
	}
	port = entrance(smp);
	if (port == IBS_NO_INDEX || smp->attr == IBS_ATTR_NODE_INFO ||
	    smp->attr == IBS_ATTR_NODE_DESC ||
	    smp->attr == IBS_ATTR_SWITCH_INFO) {
		return port;
	}
	return ibs_map_find_port(fabric.truth, fabric.truth->ports[port].node,
				 (uint8_t)smp->modifier);
}

static void
put_node(uint8_t *data, enum ibs_node_info_field field, uint64_t value)
{
	ibs_field_put(data, &ibs_node_info_fields[field], value);
}

static void
node_info(uint32_t port, uint8_t *data)
{
	const struct ibs_map_port *p = &fabric.truth->ports[port];
	const struct ibs_node *node = &fabric.truth->nodes[p->node];

	put_node(data, IBS_NI_NodeType, node->type);
	put_node(data, IBS_NI_NumPorts, node->n_ports);
	put_node(data, IBS_NI_SystemImageGUID, node->sys_guid);
	put_node(data, IBS_NI_NodeGUID, node->guid);
	put_node(data, IBS_NI_PortGUID, p->guid);
	put_node(data, IBS_NI_PartitionCap, node->pkey_cap);
	put_node(data, IBS_NI_DeviceID, node->device_id);
	put_node(data, IBS_NI_VendorID, node->vendor_id);
	put_node(data, IBS_NI_LocalPortNum, p->num);
}

static void
fill(uint32_t port, const struct ibs_smp *smp, struct ibs_attr *attr)
{
	const struct ibs_map_port *p = &fabric.truth->ports[port];
	const struct ibs_node *node = &fabric.truth->nodes[p->node];

	switch (smp->attr) {
	case IBS_ATTR_PORT_INFO:
		memcpy(attr->data, p->pi, sizeof(attr->data));
		return;
	case IBS_ATTR_MLNX_EXT_PORT_INFO:
		attr->data[7] = attr->data[11] = attr->data[15] = 1;
		return;
	case IBS_ATTR_NODE_INFO:
		node_info(port, attr->data);
		return;
	case IBS_ATTR_NODE_DESC:
		memcpy(attr->data, node->desc, sizeof(node->desc));
		return;
	case IBS_ATTR_SWITCH_INFO:
		ibs_field_put(
			attr->data,
			&ibs_switch_info_fields[IBS_SI_PartitionEnforcementCap],
			node->sw_pkey_cap);
		return;
	}
}

static bool
is_port_info(const struct ibs_smp *smp)
{
	return smp->attr == IBS_ATTR_PORT_INFO ||
	       smp->attr == IBS_ATTR_MLNX_EXT_PORT_INFO;
}

static void
answer(struct ibs_sweep *sweep, const struct ibs_smp *smp)
{
	uint32_t port = target(smp);
	struct ibs_attr attr = { .id = smp->attr,
				 .modifier = smp->modifier,
				 .read = IBS_READ_OK };

	if (port == IBS_NO_INDEX || (is_port_info(smp) && is_lost(port, smp))) {
		return;
	}
	fill(port, smp, &attr);
	if (is_port_info(smp)) {
		spoil(port, smp, &attr);
	}
	ibs_sweep_answer(sweep, smp->tid, &attr);
}

static bool
same_node(const struct ibs_smp *a, const struct ibs_smp *b)
{
	return a->n_hops == b->n_hops &&
	       memcmp(a->path, b->path, (size_t)a->n_hops + 1) == 0;
}

static void
count(const struct ibs_smp *flight, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		unsigned int same = 0;

		for (unsigned int j = 0; j < n; j++) {
			same += same_node(&flight[i], &flight[j]);
			CHECK("tids differ",
			      i == j || flight[i].tid != flight[j].tid);
		}
		if (same > fabric.node_in_flight_max) {
			fabric.node_in_flight_max = same;
		}
		fabric.n_gets++;
		fabric.n_epi += flight[i].attr == IBS_ATTR_MLNX_EXT_PORT_INFO;
		fabric.n_node_info += flight[i].attr == IBS_ATTR_NODE_INFO;
		if (flight[i].attr == IBS_ATTR_PORT_INFO) {
			fabric.n_ext += flight[i].modifier >> 31;
			fabric.n_plain += !(flight[i].modifier >> 31);
		}
	}
	if (n > fabric.in_flight_max) {
		fabric.in_flight_max = n;
	}
}

/* Sends a window, answers it, lets time pass; again until done. */
void
fabric_drive(struct ibs_sweep *sweep)
{
	struct ibs_smp flight[IBS_SMPS_MAX];
	uint64_t now = 1;

	for (int rounds = 0; !ibs_sweep_done(sweep) && rounds < 1000;
	     rounds++) {
		unsigned int n = 0;

		while (ibs_sweep_next(sweep, now, &flight[n])) {
			CHECK("tid", flight[n].tid != 0);
			n++;
		}
		count(flight, n);
		for (unsigned int i = 0; i < n; i++) {
			answer(sweep, &flight[i]);
		}
		if (ibs_sweep_deadline(sweep) != UINT64_MAX) {
			now = ibs_sweep_deadline(sweep);
			ibs_sweep_expire(sweep, now);
		}
	}
	CHECK("done", ibs_sweep_done(sweep));
}

const struct ibs_sweep_limits fabric_usual = { 8, 2, 0, 3, TIMEOUT_NS };

void
fabric_start(void (*edit)(struct ibs_map *map))
{
	memset(&fabric, 0, sizeof(fabric));
	fabric.truth = unit_map(edit);
}

void
fabric_end(void)
{
	ibs_map_free(fabric.truth);
	fabric.truth = NULL;
}
