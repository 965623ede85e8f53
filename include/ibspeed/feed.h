/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * feed: the codec of what the plugin tells the recorder through a stream
 * socket.  Frames of a fixed header and a payload; all numbers are big endian.
 *
 *   header    magic "ibsF" (4), version (2), type (2), payload bytes (4)
 *   TOPOLOGY  the SM's subnet, nodes, ports, peers and own PortInfo bytes
 *   ROLE      the SM's state (SMInfo codes: 2 standby, 3 master, ...)
 *
 * Everything that is read is bounded by the payload and by the limits below; a
 * frame of an unknown type is skipped, one of another version is refused.
 *
 * The M_Key goes through here and nowhere else.  The bytes 0..7 of a PortInfo
 * (its M_Key) are zeroed by the writer and again by the reader.
 *
 * locks   none; pure
 */
#ifndef IBSPEED_FEED_H
#define IBSPEED_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/attr.h"
#include "ibspeed/map.h"

#define IBS_FEED_VERSION	  1u
#define IBS_FEED_HEADER_SIZE	  12	       /* bytes */
#define IBS_FEED_PAYLOAD_MAX	  (256u << 20) /* bytes */
#define IBS_FEED_NODES_MAX	  200000u
#define IBS_FEED_PORTS_MAX	  2000000u
#define IBS_FEED_NODE_INFO_SIZE	  40 /* bytes that IBA defines */
#define IBS_FEED_SWITCH_INFO_SIZE 20

enum ibs_feed_type { IBS_FEED_TOPOLOGY = 1, IBS_FEED_ROLE = 2 };

struct ibs_feed_header {
	uint16_t type;
	uint32_t payload_size; /* bytes */
};

#define IBS_SM_MASTER 3 /* state of SMInfo */

/* What the SM says of its subnet. */
struct ibs_feed_subnet {
	struct ibs_subnet subnet;
	uint64_t m_key;
	uint8_t sm_state; /* SMInfo state */
	bool sm_init_errors;
	uint32_t n_dropped; /* topologies that were never sent */
};

struct ibs_feed_node {
	const uint8_t *node_info;   /* IBS_FEED_NODE_INFO_SIZE bytes */
	const uint8_t *switch_info; /* IBS_FEED_SWITCH_INFO_SIZE, or NULL */
	const uint8_t *desc;	    /* IBS_DESC_SIZE bytes */
	uint8_t n_hops;
	const uint8_t *path; /* n_hops + 1 bytes, path[0] is 0 */
	uint16_t n_ports;    /* ports that follow */
};

struct ibs_feed_port {
	uint64_t guid;
	uint64_t peer_guid; /* node GUID, with has_peer */
	uint8_t num;
	uint8_t peer_num;
	bool has_peer;
	const uint8_t *port_info;     /* the SM's, IBS_ATTR_SIZE; NULL: none */
	const uint8_t *ext_port_info; /* the SM's, IBS_ATTR_SIZE; NULL: none */
};

/*
 * A buffer of the caller, who sets data and capacity.  Writing past its end
 * writes nothing and sets overflow; size goes on counting, so it tells what
 * would have been enough.  Frames may follow each other in one buffer.
 */
struct ibs_feed_out {
	uint8_t *data;
	size_t capacity;
	size_t size;
	bool overflow;
	/* of the frame that is being written */
	size_t frame_start;
	uint32_t n_nodes;
	uint32_t n_ports;
	bool over_limit; /* a node beyond what a topology can hold */
};

/* Bytes that one more node or port needs at the most. */
#define IBS_FEED_NODE_SIZE_MAX	 256u
#define IBS_FEED_PORT_SIZE_MAX	 128u
#define IBS_FEED_SUBNET_SIZE_MAX 128u /* with the header */
#define IBS_FEED_ROLE_SIZE	 (IBS_FEED_HEADER_SIZE + 1)

/*
 * A topology frame: begin, node, its n_ports ports, node, ..., end.  The ports
 * of a node stand in ascending order of their numbers, port 0 first.
 */
void ibs_feed_topology_begin(struct ibs_feed_out *out,
			     const struct ibs_feed_subnet *subnet);
void ibs_feed_topology_node(struct ibs_feed_out *out,
			    const struct ibs_feed_node *node);
void ibs_feed_topology_port(struct ibs_feed_out *out,
			    const struct ibs_feed_port *port);
/* Fills in sizes and counts.  errors  -ENOSPC overflow, -EMSGSIZE limits */
int ibs_feed_topology_end(struct ibs_feed_out *out);
/* errors  -ENOSPC overflow */
int ibs_feed_role(struct ibs_feed_out *out, uint8_t sm_state);

/* errors  -EPROTO not our magic, -EPROTONOSUPPORT another version (then
 *         *ret_version says which), -EMSGSIZE payload over the limit */
int ibs_feed_read_header(const uint8_t *data,
			 struct ibs_feed_header *ret_header,
			 uint16_t *ret_version);
/*
 * Payload of a topology frame to a map that is not yet frozen.
 * in      source  SOURCE_SM: the SM's bytes become the readings;
 *                 SOURCE_SMP: they become the sm view, the readings are open
 * errors  -EPROTO malformed, -ENOMEM
 * owner   the caller frees *ret_map
 */
int ibs_feed_read_topology(const uint8_t *payload, size_t size,
			   enum ibs_source source,
			   struct ibs_feed_subnet *ret_subnet,
			   struct ibs_map **ret_map);
int ibs_feed_read_role(const uint8_t *payload, size_t size,
		       uint8_t *ret_sm_state);

#endif
