// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The floor of a discovery: the Gets that a reading of the whole fabric cannot
 * do without, a window of them in flight, and nothing else.  Nothing is judged,
 * kept or asked again, and an answer that does not come ends it.
 *
 *   floor [-o WINDOW]
 */
#include <config.h>

#include <infiniband/umad.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ibspeed/attr.h"
#include "ibspeed/map.h"
#include "ibspeed/port.h"

#define CLASS_DIRECT   0x81
#define PERMISSIVE_LID 0xffff
#define MAD_SIZE       256
#define TIMEOUT_MS     1000
#define DATA_OFFSET    64
#define PATH_OFFSET    128
#define BUCKETS	       65536u
#define PORT_WORDS     4 /* 256 ports, 64 bits each */
#define NO_NODE	       UINT32_MAX

struct node {
	uint64_t guid;
	uint64_t settled[PORT_WORDS]; /* ports whose neighbour is known */
	uint32_t next;		      /* in its bucket */
	uint8_t is_switch;
	uint8_t n_hops;
	uint8_t path[IBS_HOPS_MAX + 1];
};

struct get {
	uint32_t node; /* NO_NODE: the local one */
	uint16_t attr;
	uint8_t num;
};

static struct {
	struct node *nodes;
	uint32_t n_nodes, nodes_size;
	struct get *gets; /* its index + 1 is the TID */
	uint32_t n_gets, gets_size;
	uint32_t next; /* of gets, to send */
	uint32_t n_sent, n_in_flight;
	uint32_t buckets[BUCKETS];
	int port_id, agent_id;
	void *umad;
} bench;

static void
fail(const char *what)
{
	fprintf(stderr, "floor: %s\n", what);
	exit(4);
}

static void *
one_more(void *rows, size_t row_size, uint32_t n, uint32_t *size)
{
	if (n < *size) {
		return rows;
	}
	*size = *size ? 2 * *size : 1024;
	rows = reallocarray(rows, *size, row_size);
	if (!rows) {
		fail("out of memory");
	}
	return rows;
}

static void
want(uint32_t node, uint16_t attr, unsigned int num)
{
	bench.gets = one_more(bench.gets, sizeof(*bench.gets), bench.n_gets,
			      &bench.gets_size);
	bench.gets[bench.n_gets++] =
		(struct get){ .node = node, .attr = attr, .num = (uint8_t)num };
}

static uint32_t *
bucket_of(uint64_t guid)
{
	return &bench.buckets[(guid * UINT64_C(0x9e3779b97f4a7c15)) >> 48];
}

static uint32_t
find_node(uint64_t guid)
{
	uint32_t node = *bucket_of(guid);

	while (node != NO_NODE && bench.nodes[node].guid != guid) {
		node = bench.nodes[node].next;
	}
	return node;
}

static uint32_t
add_node(const struct get *from, const uint8_t *info)
{
	unsigned int n_ports = (unsigned int)ibs_ni_get(info, IBS_NI_NumPorts);
	uint32_t index = bench.n_nodes++;
	struct node *node;

	bench.nodes = one_more(bench.nodes, sizeof(*bench.nodes), index,
			       &bench.nodes_size);
	node = &bench.nodes[index];
	memset(node, 0, sizeof(*node));
	node->guid = ibs_ni_get(info, IBS_NI_NodeGUID);
	node->is_switch = ibs_ni_get(info, IBS_NI_NodeType) == IBS_NODE_SWITCH;
	node->next = *bucket_of(node->guid);
	*bucket_of(node->guid) = index;
	if (from->node != NO_NODE) {
		memcpy(node->path, bench.nodes[from->node].path,
		       sizeof(node->path));
		node->n_hops = bench.nodes[from->node].n_hops;
		node->path[++node->n_hops] = from->num;
	}
	want(index, IBS_ATTR_NODE_DESC, 0);
	if (!node->is_switch) {
		want(index, IBS_ATTR_PORT_INFO,
		     (unsigned int)ibs_ni_get(info, IBS_NI_LocalPortNum));
		return index;
	}
	want(index, IBS_ATTR_SWITCH_INFO, 0);
	for (unsigned int num = 0; num <= n_ports; num++) {
		want(index, IBS_ATTR_PORT_INFO, num);
	}
	return index;
}

static bool
is_settled(uint32_t node, unsigned int num)
{
	return bench.nodes[node].settled[num / 64] >> num % 64 & 1;
}

static void
settle(uint32_t node, unsigned int num)
{
	bench.nodes[node].settled[num / 64] |= UINT64_C(1) << num % 64;
}

static void
take_node_info(const struct get *get, const uint8_t *info)
{
	uint32_t node = find_node(ibs_ni_get(info, IBS_NI_NodeGUID));

	if (node == NO_NODE) {
		node = add_node(get, info);
	}
	if (get->node != NO_NODE) {
		settle(get->node, get->num);
		settle(node,
		       (unsigned int)ibs_ni_get(info, IBS_NI_LocalPortNum));
	}
}

static void
take_port_info(const struct get *get, const uint8_t *info)
{
	bool way_on = bench.nodes[get->node].is_switch ? get->num != 0
						       : get->node == 0;

	if (way_on && ibs_pi_get(info, IBS_PI_PortState) > IBS_PORT_DOWN) {
		want(get->node, IBS_ATTR_NODE_INFO, get->num);
	}
}

static void
take(uint32_t tid, const uint8_t *data)
{
	struct get get = bench.gets[tid - 1];

	if (get.attr == IBS_ATTR_NODE_INFO) {
		take_node_info(&get, data);
	} else if (get.attr == IBS_ATTR_PORT_INFO) {
		take_port_info(&get, data);
	}
}

static void
send_get(const struct get *get, uint32_t tid)
{
	uint8_t *mad = umad_get_mad(bench.umad);
	uint8_t *path = mad + PATH_OFFSET;
	uint8_t n_hops = 0;

	memset(bench.umad, 0, umad_size() + MAD_SIZE);
	if (get->node != NO_NODE) {
		n_hops = bench.nodes[get->node].n_hops;
		memcpy(path, bench.nodes[get->node].path, n_hops + 1u);
		if (get->attr == IBS_ATTR_NODE_INFO) {
			path[++n_hops] = get->num;
		}
	}
	mad[0] = 1; /* BaseVersion */
	mad[1] = CLASS_DIRECT;
	mad[2] = 1; /* ClassVersion */
	mad[3] = 1; /* Get */
	mad[7] = n_hops;
	mad[12] = (uint8_t)(tid >> 24);
	mad[13] = (uint8_t)(tid >> 16);
	mad[14] = (uint8_t)(tid >> 8);
	mad[15] = (uint8_t)tid;
	mad[16] = (uint8_t)(get->attr >> 8);
	mad[17] = (uint8_t)get->attr;
	if (get->attr == IBS_ATTR_PORT_INFO) {
		mad[23] = get->num;
	}
	memset(mad + 32, 0xff, 4); /* DrSLID, DrDLID */
	umad_set_addr(bench.umad, PERMISSIVE_LID, 0, 0, 0);
	if (umad_send(bench.port_id, bench.agent_id, bench.umad, MAD_SIZE,
		      TIMEOUT_MS, 0) < 0) {
		fail("cannot send");
	}
}

static void
send_all(uint32_t window)
{
	while (bench.n_in_flight < window && bench.next < bench.n_gets) {
		const struct get *get = &bench.gets[bench.next++];

		if (get->attr == IBS_ATTR_NODE_INFO && get->node != NO_NODE &&
		    is_settled(get->node, get->num)) {
			continue;
		}
		send_get(get, bench.next);
		bench.n_in_flight++;
		bench.n_sent++;
	}
}

static void
receive(void)
{
	const uint8_t *mad = umad_get_mad(bench.umad);
	int length = MAD_SIZE;
	uint32_t tid;

	if (umad_recv(bench.port_id, bench.umad, &length, -1) < 0 ||
	    umad_status(bench.umad)) {
		fail("no answer");
	}
	tid = (uint32_t)mad[12] << 24 | (uint32_t)mad[13] << 16 |
	      (uint32_t)mad[14] << 8 | mad[15];
	bench.n_in_flight--;
	take(tid, mad + DATA_OFFSET);
}

static void
open_port(void)
{
	if (umad_init() < 0) {
		fail("cannot use libibumad");
	}
	bench.port_id = umad_open_port(NULL, 0);
	bench.agent_id = umad_register(bench.port_id, CLASS_DIRECT, 1, 0, NULL);
	bench.umad = umad_alloc(1, umad_size() + MAD_SIZE);
	if (bench.port_id < 0 || bench.agent_id < 0 || !bench.umad) {
		fail("cannot open the port");
	}
}

int
main(int argc, char **argv)
{
	unsigned long window = 8;
	int option;

	while ((option = getopt(argc, argv, "o:")) != -1) {
		if (option != 'o') {
			return 2;
		}
		window = strtoul(optarg, NULL, 10);
	}
	memset(bench.buckets, 0xff, sizeof(bench.buckets));
	open_port();
	want(NO_NODE, IBS_ATTR_NODE_INFO, 0);
	do {
		send_all((uint32_t)window);
		if (bench.n_in_flight) {
			receive();
		}
	} while (bench.n_in_flight || bench.next < bench.n_gets);
	printf("%u nodes, %u SMPs\n", bench.n_nodes, bench.n_sent);
	(void)umad_unregister(bench.port_id, bench.agent_id);
	(void)umad_close_port(bench.port_id);
	umad_free(bench.umad);
	free(bench.nodes);
	free(bench.gets);
	return 0;
}
