// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The feed: what is written is read, and nothing else is. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "ibspeed/feed.h"
#include "unit.h"

/* Where things are in the bytes, as lib/feed_wire.h says. */
#define N_NODES_AT    24
#define N_PORTS_AT    28
#define NODE_AT	      89
#define NODE_HOPS_AT  (NODE_AT + 1)
#define NODE_PORTS_AT (NODE_AT + 2)
#define FIRST_PORT_AT (NODE_AT + 4 + 40 + 64 + 20)

#define SWITCH_GUID 0x10u
#define HOST_GUID   0x20u

static void
write_switch(struct frame *f)
{
	static const uint8_t path[] = { 0, 1 };
	static const char desc[IBS_DESC_SIZE] = "leaf\0 \xff";
	uint8_t pi[IBS_ATTR_SIZE], si[IBS_ATTR_SIZE] = { 0 };

	frame_node_info(f, SWITCH_GUID, IBS_NODE_SWITCH);
	ibs_field_put(si,
		      &ibs_switch_info_fields[IBS_SI_PartitionEnforcementCap],
		      32);
	ibs_feed_topology_node(
		&f->out, &(struct ibs_feed_node){ .node_info = f->ni,
						  .switch_info = si,
						  .desc = (const uint8_t *)desc,
						  .n_hops = 1,
						  .path = path,
						  .n_ports = 3 });
	for (uint8_t num = 0; num < 3; num++) {
		unit_port_info(pi, 2, 3, 4, 7);
		frame_put_pi(pi, IBS_PI_M_Key, frame_subnet.m_key);
		if (num) {
			frame_put_pi(pi, IBS_PI_CapabilityMask, 0);
		}
		ibs_feed_topology_port(&f->out, &(struct ibs_feed_port){
							.guid = SWITCH_GUID + 1,
							.peer_guid = HOST_GUID,
							.num = num,
							.peer_num = 1,
							.has_peer = num == 1,
							.port_info = pi });
	}
}

static void
write_host(struct frame *f)
{
	uint8_t pi[IBS_ATTR_SIZE], epi[IBS_ATTR_SIZE] = { 0 };

	frame_node_info(f, HOST_GUID, IBS_NODE_CA);
	frame_node(f, 1);
	unit_port_info(pi, 2, 3, 0, 0);
	ibs_feed_topology_port(
		&f->out, &(struct ibs_feed_port){ .guid = HOST_GUID + 1,
						  .peer_guid = SWITCH_GUID,
						  .num = 1,
						  .peer_num = 1,
						  .has_peer = true,
						  .port_info = pi,
						  .ext_port_info = epi });
}

/* A switch with ports 0, 1, 2 and, at its port 1, a host. */
static int
write_topology(struct frame *f, size_t capacity)
{
	frame_begin(f, capacity);
	write_switch(f);
	write_host(f);
	return ibs_feed_topology_end(&f->out);
}

static void
make_topology(struct frame *f)
{
	CHECK_INT("topology", write_topology(f, sizeof(f->bytes)), 0);
}

static void
test_subnet(void)
{
	struct ibs_feed_subnet subnet = { 0 };
	struct ibs_map *map = NULL;
	struct frame f;

	make_topology(&f);
	CHECK_INT("subnet",
		  ibs_feed_read_topology(frame_payload(&f),
					 frame_payload_size(&f), IBS_SOURCE_SMP,
					 &subnet, &map),
		  0);
	CHECK("subnet", subnet.m_key == frame_subnet.m_key);
	CHECK_INT("subnet", subnet.sm_state, 3);
	CHECK_INT("subnet", subnet.n_dropped, 7);
	CHECK("subnet", subnet.sm_init_errors);
	CHECK_INT("subnet", map->subnet.sm_port_guid, 0x21);
	CHECK("subnet", map->subnet.prefix == frame_subnet.subnet.prefix);
	CHECK_TEXT("subnet", map->subnet.opensm, "OpenSM 3.3.23");
	CHECK_INT("subnet", map->subnet.force_link_speed, 2);
	CHECK_INT("subnet", map->subnet.force_link_speed_ext, 4);
	CHECK_INT("subnet", map->subnet.force_link_width, 3);
	CHECK("subnet", map->sweep.sm_init_errors);
	CHECK_INT("subnet", map->sweep.source, IBS_SOURCE_SMP);
	ibs_map_free(map);
}

static void
test_nodes(void)
{
	const struct ibs_node *node;
	struct ibs_map *map;
	struct frame f;

	make_topology(&f);
	map = frame_read(&f, "nodes", IBS_SOURCE_SMP, 0);
	CHECK_INT("nodes", map->n_nodes, 2);
	node = &map->nodes[0];
	CHECK_INT("switch", node->guid, SWITCH_GUID);
	CHECK_INT("switch", node->sys_guid, SWITCH_GUID + 0x1000);
	CHECK_INT("switch", node->port_guid, SWITCH_GUID + 1);
	CHECK_INT("switch", node->vendor_id, 0x2c9);
	CHECK_INT("switch", node->device_id, FRAME_EPI_DEVICE);
	CHECK_INT("switch", node->pkey_cap, 128);
	CHECK_INT("switch", node->sw_pkey_cap, 32);
	CHECK_INT("switch", node->type, IBS_NODE_SWITCH);
	CHECK_INT("switch", node->n_ports, 2);
	CHECK_INT("switch", node->n_hops, 1);
	CHECK_INT("switch", node->path[0], 0);
	CHECK_INT("switch", node->path[1], 1);
	CHECK("switch", memcmp(node->desc, "leaf\0 \xff", 8) == 0);
	node = &map->nodes[1];
	CHECK_INT("host", node->guid, HOST_GUID);
	CHECK_INT("host", node->type, IBS_NODE_CA);
	CHECK_INT("host", node->n_hops, 0);
	CHECK_INT("host", node->sw_pkey_cap, 0);
	ibs_map_free(map);
}

static void
test_ports(void)
{
	struct ibs_map *map;
	struct frame f;

	make_topology(&f);
	map = frame_read(&f, "ports", IBS_SOURCE_SMP, 0);
	CHECK_INT("ports", map->n_ports, 4);
	for (uint8_t i = 0; i < 4; i++) {
		const struct ibs_map_port *p = &map->ports[i];

		CHECK_INT("ports", p->node, i / 3);
		CHECK_INT("ports", p->num, i < 3 ? i : 1);
		CHECK_INT("ports", p->guid,
			  i < 3 ? SWITCH_GUID + 1 : HOST_GUID + 1);
		CHECK_INT("ports", p->read, IBS_READ_UNASKED);
		CHECK_INT("ports", p->epi.read, IBS_EPI_NOT_ASKED);
		CHECK_INT("ports", p->tries, 0);
	}
	CHECK_INT("peer", map->ports[0].peer, IBS_NO_INDEX);
	CHECK_INT("peer", map->ports[1].peer, 3);
	CHECK_INT("peer", map->ports[2].peer, IBS_NO_INDEX);
	CHECK_INT("peer", map->ports[3].peer, 1);
	CHECK_INT("freeze", ibs_map_freeze(map), 0);
	CHECK_INT("freeze", map->n_ports, 4);
	ibs_map_free(map);
}

/* The M_Key of a PortInfo is on neither side of the wire. */
static void
test_m_key(void)
{
	static const uint8_t m_key[8] = { 0x11, 0x22, 0x33, 0x44,
					  0x55, 0x66, 0x77, 0x88 };
	unsigned int n_found = 0;
	struct ibs_map *map;
	struct frame f;

	make_topology(&f);
	for (size_t i = 0; i + sizeof(m_key) <= f.out.size; i++) {
		n_found += memcmp(f.bytes + i, m_key, sizeof(m_key)) == 0;
	}
	CHECK_INT("the subnet's alone", n_found, 1);
	memcpy(f.bytes + IBS_FEED_HEADER_SIZE + FIRST_PORT_AT + 10, m_key,
	       sizeof(m_key));
	map = frame_read(&f, "a writer that forgets", IBS_SOURCE_SM, 0);
	CHECK_INT("a writer that forgets",
		  ibs_pi_get(map->ports[0].pi, IBS_PI_M_Key), 0);
	ibs_map_free(map);
}

/* Each beginning of a payload is refused, in a block of just its size. */
static void
test_truncated(void)
{
	struct ibs_feed_subnet subnet;
	struct ibs_map *map = NULL;
	unsigned int n_accepted = 0;
	struct frame f;

	make_topology(&f);
	for (size_t size = 0; size < frame_payload_size(&f); size++) {
		uint8_t *part = malloc(size + !size);

		if (!part) {
			abort();
		}
		memcpy(part, frame_payload(&f), size);
		n_accepted += ibs_feed_read_topology(part, size, IBS_SOURCE_SMP,
						     &subnet, &map) != -EPROTO;
		free(part);
	}
	CHECK_INT("truncated", n_accepted, 0);
	CHECK("truncated", map == NULL);
	f.bytes[f.out.size++] = 0;
	frame_read(&f, "a byte too many", IBS_SOURCE_SMP, -EPROTO);
}

struct damage_row {
	const char *name;
	size_t at; /* in the payload */
	uint8_t size;
	uint32_t value;
};

static const struct damage_row damage_rows[] = {
	{ "no nodes", N_NODES_AT, 4, 0 },
	{ "one node less", N_NODES_AT, 4, 1 },
	{ "one node more", N_NODES_AT, 4, 3 },
	{ "nodes over the limit", N_NODES_AT, 4, IBS_FEED_NODES_MAX + 1 },
	{ "nodes at the limit", N_NODES_AT, 4, IBS_FEED_NODES_MAX },
	{ "all nodes", N_NODES_AT, 4, 0xffffffff },
	{ "no ports", N_PORTS_AT, 4, 0 },
	{ "one port less", N_PORTS_AT, 4, 3 },
	{ "one port more", N_PORTS_AT, 4, 5 },
	{ "ports over the limit", N_PORTS_AT, 4, IBS_FEED_PORTS_MAX + 1 },
	{ "ports at the limit", N_PORTS_AT, 4, IBS_FEED_PORTS_MAX },
	{ "all ports", N_PORTS_AT, 4, 0xffffffff },
	{ "unknown node flag", NODE_AT, 1, 3 },
	{ "no SwitchInfo", NODE_AT, 1, 0 },
	{ "64 hops", NODE_HOPS_AT, 1, 64 },
	{ "255 hops", NODE_HOPS_AT, 1, 255 },
	{ "node without ports", NODE_PORTS_AT, 2, 0 },
	{ "node with one port less", NODE_PORTS_AT, 2, 2 },
	{ "node with one port more", NODE_PORTS_AT, 2, 4 },
	{ "node with 257 ports", NODE_PORTS_AT, 2, 257 },
	{ "unknown port flag", FIRST_PORT_AT + 1, 1, 8 | 2 },
	{ "ports descend", FIRST_PORT_AT + 2, 1, 2 },
	{ "port twice", FIRST_PORT_AT + 2, 1, 1 },
};

static void
test_damaged(void)
{
	for (size_t i = 0; i < sizeof(damage_rows) / sizeof(damage_rows[0]);
	     i++) {
		const struct damage_row *row = &damage_rows[i];
		struct frame f;

		make_topology(&f);
		for (uint8_t b = 0; b < row->size; b++) {
			f.bytes[IBS_FEED_HEADER_SIZE + row->at + b] =
				(uint8_t)(row->value >>
					  8 * (row->size - 1 - b));
		}
		frame_read(&f, row->name, IBS_SOURCE_SMP, -EPROTO);
	}
}

struct header_row {
	const char *name;
	uint8_t bytes[IBS_FEED_HEADER_SIZE];
	int err;
	uint16_t type, version;
	uint32_t payload;
};

static const struct header_row header_rows[] = {
	{ "topology",
	  { 'i', 'b', 's', 'F', 0, 1, 0, 1, 0, 0, 1, 2 },
	  0,
	  1,
	  1,
	  258 },
	{ "role", { 'i', 'b', 's', 'F', 0, 1, 0, 2, 0, 0, 0, 1 }, 0, 2, 1, 1 },
	{ "a type of later", { 'i', 'b', 's', 'F', 0, 1, 1, 9 }, 0, 265, 1, 0 },
	{ "largest",
	  { 'i', 'b', 's', 'F', 0, 1, 0, 1, 0x10 },
	  0,
	  1,
	  1,
	  IBS_FEED_PAYLOAD_MAX },
	{ "too large",
	  { 'i', 'b', 's', 'F', 0, 1, 0, 1, 0x10, 0, 0, 1 },
	  -EMSGSIZE,
	  0,
	  0,
	  0 },
	{ "another version",
	  { 'i', 'b', 's', 'F', 0, 2, 0, 1 },
	  -EPROTONOSUPPORT,
	  0,
	  2,
	  0 },
	{ "magic, first byte",
	  { 'I', 'b', 's', 'F', 0, 1, 0, 1 },
	  -EPROTO,
	  0,
	  0,
	  0 },
	{ "magic, last byte",
	  { 'i', 'b', 's', 'f', 0, 1, 0, 1 },
	  -EPROTO,
	  0,
	  0,
	  0 },
	{ "zeros", { 0 }, -EPROTO, 0, 0, 0 },
};

static void
test_header(void)
{
	for (size_t i = 0; i < sizeof(header_rows) / sizeof(header_rows[0]);
	     i++) {
		const struct header_row *row = &header_rows[i];
		struct ibs_feed_header header = { 0 };
		uint16_t version = 0;

		CHECK_INT(row->name,
			  ibs_feed_read_header(row->bytes, &header, &version),
			  row->err);
		CHECK_INT(row->name, header.type, row->type);
		CHECK_INT(row->name, header.payload_size, row->payload);
		CHECK_INT(row->name, version, row->version);
	}
}

static void
test_role(void)
{
	static const uint8_t bytes[] = { 2, 3 };
	uint8_t state = 0;

	CHECK_INT("empty", ibs_feed_read_role(bytes, 0, &state), -EPROTO);
	CHECK_INT("long", ibs_feed_read_role(bytes, 2, &state), -EPROTO);
	CHECK_INT("untouched", state, 0);
	CHECK_INT("standby", ibs_feed_read_role(bytes, 1, &state), 0);
	CHECK_INT("standby", state, 2);
}

/* A frame behind another one is the same bytes. */
static void
test_frames(void)
{
	struct frame f;
	struct ibs_feed_out *out = &f.out;
	size_t first;

	make_topology(&f);
	first = out->size;
	CHECK_INT("role", ibs_feed_role(out, 3), 0);
	CHECK_INT("role", out->size, first + IBS_FEED_ROLE_SIZE);
	CHECK_INT("role", f.bytes[out->size - 1], 3);
	ibs_feed_topology_begin(out, &frame_subnet);
	write_switch(&f);
	write_host(&f);
	CHECK_INT("again", ibs_feed_topology_end(out), 0);
	CHECK_INT("again", out->size, 2 * first + IBS_FEED_ROLE_SIZE);
	CHECK("again", memcmp(f.bytes, f.bytes + first + IBS_FEED_ROLE_SIZE,
			      first) == 0);
}

/* Too small a buffer: nothing past its end, and how much is wanted. */
static void
test_overflow(void)
{
	unsigned int n_bad = 0;
	struct frame f;
	size_t size;

	make_topology(&f);
	size = f.out.size;
	for (size_t capacity = 0; capacity < size; capacity++) {
		f.bytes[capacity] = 0xa5;
		n_bad += write_topology(&f, capacity) != -ENOSPC ||
			 !f.out.overflow || f.out.size != size ||
			 f.bytes[capacity] != 0xa5;
	}
	CHECK_INT("overflow", n_bad, 0);
}

struct limit_row {
	const char *name;
	uint8_t n_hops;
	uint16_t n_ports;
	int err;
};

static const struct limit_row limit_rows[] = {
	{ "no hops", 0, 0, 0 },
	{ "63 hops", 63, 0, 0 },
	{ "64 hops", 64, 0, -EMSGSIZE },
	{ "256 ports", 0, 256, 0 },
	{ "257 ports", 0, 257, -EMSGSIZE },
};

static const uint8_t zeros[256];

static void
test_writer_limits(void)
{
	for (size_t i = 0; i < sizeof(limit_rows) / sizeof(limit_rows[0]);
	     i++) {
		const struct limit_row *row = &limit_rows[i];
		struct frame f;

		frame_begin(&f, sizeof(f.bytes));
		ibs_feed_topology_node(
			&f.out,
			&(struct ibs_feed_node){ .node_info = zeros,
						 .desc = zeros,
						 .path = zeros,
						 .n_hops = row->n_hops,
						 .n_ports = row->n_ports });
		CHECK_INT(row->name, ibs_feed_topology_end(&f.out), row->err);
	}
}

/* The sizes that the plugin reserves hold the largest of each. */
static void
test_sizes(void)
{
	struct frame f;
	size_t before;

	frame_begin(&f, sizeof(f.bytes));
	CHECK("subnet", f.out.size <= IBS_FEED_SUBNET_SIZE_MAX);
	before = f.out.size;
	ibs_feed_topology_node(&f.out,
			       &(struct ibs_feed_node){ .node_info = zeros,
							.switch_info = zeros,
							.desc = zeros,
							.n_hops = IBS_HOPS_MAX,
							.path = zeros });
	CHECK("node", f.out.size - before <= IBS_FEED_NODE_SIZE_MAX);
	before = f.out.size;
	ibs_feed_topology_port(
		&f.out, &(struct ibs_feed_port){ .has_peer = true,
						 .port_info = zeros,
						 .ext_port_info = zeros });
	CHECK("port", f.out.size - before <= IBS_FEED_PORT_SIZE_MAX);
}

static const struct unit_test tests[] = {
	{ "subnet", test_subnet },
	{ "nodes", test_nodes },
	{ "ports", test_ports },
	{ "M_Key", test_m_key },
	{ "truncated", test_truncated },
	{ "damaged", test_damaged },
	{ "header", test_header },
	{ "role", test_role },
	{ "frames in a row", test_frames },
	{ "overflow", test_overflow },
	{ "limits of the writer", test_writer_limits },
	{ "sizes", test_sizes },
};
UNIT_MAIN("feed", tests)
