/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * map: the snapshot of one subnet at one sweep.  It is built (nodes, ports,
 * readings), then frozen: sorted, its links judged, and const from there on.
 *
 * The bytes are kept and decoded when asked for (ibs_map_port_decode), so that
 * a map of 27,000 nodes stays small and a better decoder sees old maps too.
 *
 * owner   one heap object; ibs_map_free(NULL) is fine
 * locks   none; a frozen map may be read by many
 */
#ifndef IBSPEED_MAP_H
#define IBSPEED_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/attr.h"
#include "ibspeed/clock.h"
#include "ibspeed/link.h"
#include "ibspeed/port.h"

#define IBS_NO_INDEX  UINT32_MAX
#define IBS_HOPS_MAX  63 /* directed route: 64 bytes, the first is 0 */
#define IBS_DESC_SIZE 64 /* NodeDescription, bytes, not always text */

enum ibs_node_type { /* NodeType of NodeInfo */
		     IBS_NODE_CA = 1,
		     IBS_NODE_SWITCH = 2,
		     IBS_NODE_ROUTER = 3
};
const char *ibs_node_type_name(uint8_t type); /* NULL when not known */

struct ibs_node {
	uint64_t guid;	    /* not assumed unique, may be 0 */
	uint64_t sys_guid;  /* SystemImageGUID */
	uint64_t port_guid; /* of the port that answered; of a switch's 0 */
	uint32_t vendor_id; /* 24 bits */
	uint16_t device_id;
	uint16_t pkey_cap;    /* PartitionCap: of a CA's port, switch port 0 */
	uint16_t sw_pkey_cap; /* PartitionEnforcementCap: external ports */
	uint32_t instance;    /* counts the nodes that share a GUID: 0 of a
			       * new one, as recorded of one that was */
	uint8_t type;	      /* enum ibs_node_type, or another code */
	uint8_t n_ports;      /* NumPorts */
	uint8_t n_hops;	      /* hops of the directed route to it */
	uint8_t path[IBS_HOPS_MAX +
		     1]; /* path[0] is 0; ports path[1..n_hops] */
	uint8_t desc[IBS_DESC_SIZE];
	/* kept by the map: what is handed in is overwritten */
	uint32_t port0;	     /* index of a switch's port 0, or NO_INDEX */
	uint32_t first_port; /* after freeze: its first port in the map */
	uint16_t n_map_ports;
};

/* Bits of ibs_map_port.flags */
#define IBS_PORT_ASKED_EXT 1u /* the Get had bit 31 */
#define IBS_PORT_HAS_SM	   2u /* sm is OpenSM's own view of an up port */
#define IBS_PORT_SM_GATE   4u /* OpenSM knows it has extended speeds */

struct ibs_map_port {
	uint64_t guid;	  /* PortGUID; of a switch's ports that of port 0 */
	int64_t since_ns; /* CLOCK_REALTIME when its recorded state began;
			      * 0 not known (a live map) */
	uint32_t node;	  /* index of its node */
	uint32_t peer;	  /* index of the port at the other end, or NO_INDEX */
	uint16_t status;  /* MAD status, with READ_STATUS */
	uint8_t num;	  /* port number */
	uint8_t read;	  /* enum ibs_read */
	uint8_t tries;	  /* Gets sent for the PortInfo */
	uint8_t flags;
	/* who is behind an up port without a peer: what became of the Get that
	 * asked; READ_UNASKED when nobody asked */
	uint8_t behind_read;
	uint8_t behind_tries;
	uint16_t behind_status;
	struct ibs_epi epi;
	struct ibs_pair sm;	   /* OpenSM's own view, with PORT_HAS_SM */
	struct ibs_stamp stamp;	   /* of the Get that pi answers */
	uint8_t pi[IBS_ATTR_SIZE]; /* with READ_OK; bytes 0..7 (M_Key) are 0 */
};

struct ibs_map_link {
	uint32_t a; /* index of a port */
	uint32_t b; /* index of a port, or NO_INDEX: nobody known */
	struct ibs_link link;
};

/* How a map was read.  Times that are not known are 0. */
#define IBS_SOURCES(X)                                                         \
	X(SMP, "smp") /* our own Gets */                                       \
	X(SM, "sm")   /* OpenSM's cached bytes, nothing sent */
enum ibs_source {
#define X(id, name) IBS_SOURCE_##id,
	IBS_SOURCES(X)
#undef X
		IBS_SOURCE_COUNT
};
const char *ibs_source_name(enum ibs_source source);

struct ibs_sweep_info {
	int64_t id;	  /* of the store; 0: not recorded */
	int64_t start_ns; /* CLOCK_REALTIME */
	int64_t end_ns;
	uint64_t start_mono_ns; /* CLOCK_MONOTONIC_RAW */
	uint64_t end_mono_ns;
	uint8_t source;	     /* enum ibs_source */
	bool sm_init_errors; /* the SM met errors while it brought it up */
	uint32_t n_smps;     /* Gets sent, with retries */
	uint32_t n_retries;
	uint32_t n_timeouts; /* tries without an answer */
	uint32_t n_stray;    /* answers that matched nothing, dropped */
	struct ibs_clock clock;
};

struct ibs_subnet {
	uint64_t sm_port_guid;
	uint64_t prefix;
	char opensm[48];	  /* version string of the SM, or "" */
	uint8_t force_link_speed; /* options of the SM; 0: not limited */
	uint8_t force_link_speed_ext;
	uint8_t force_link_width;
};

struct ibs_map {
	struct ibs_subnet subnet;
	struct ibs_sweep_info sweep;
	uint32_t n_nodes;
	uint32_t n_ports;
	uint32_t n_links;
	struct ibs_node *nodes;		 /* by (guid, instance) */
	struct ibs_map_port *ports;	 /* by (node, num) */
	struct ibs_map_link *links;	 /* by a */
	uint32_t nodes_size, ports_size; /* allocated rows */
};

struct ibs_map *ibs_map_new(void); /* NULL: no memory */
void ibs_map_free(struct ibs_map *map);

/*
 * Both copy the row; the index stays valid until the map is frozen.
 * errors  -ENOMEM, -EINVAL (port: its node is not in the map)
 */
int ibs_map_add_node(struct ibs_map *map, const struct ibs_node *node,
		     uint32_t *ret_node);
int ibs_map_add_port(struct ibs_map *map, const struct ibs_map_port *port,
		     uint32_t *ret_port);

/*
 * Sorts, numbers instances of equal GUIDs, makes peers symmetric (a peer that
 * does not point back is dropped), pairs and judges the links.  A map that was
 * frozen and read into again may be frozen again.
 * errors  -ENOMEM, -EEXIST two ports of a node have one number (the map is
 *         then good for nothing but to be freed)
 */
int ibs_map_freeze(struct ibs_map *map);
/*
 * A port of a switch that is up and has no peer hides somebody: OpenSM dropped
 * him because he did not answer, or a discovery ends there.  Says so, for a map
 * of a whole subnet that is not frozen yet, where nobody has asked.
 */
void ibs_map_mark_hidden(struct ibs_map *map);
/*
 * A copy of a map that is not frozen, such as a topology that is to be read
 * more than once.  NULL: no memory.
 */
struct ibs_map *ibs_map_copy(const struct ibs_map *map);
/*
 * Somebody did not answer, so nobody knows what is behind him: the nodes that
 * an earlier map had there, and all that was reached through them alone, are
 * taken over as unread.  Both maps are frozen, and map is so again.
 * errors  -ENOMEM (the map is then good for nothing but to be freed)
 */
int ibs_map_carry(struct ibs_map *map, const struct ibs_map *before);

/*
 * Holds the readings of a sweep against the anchors of its clock, at its end,
 * and sets the clock's rate and whether its ticks can be converted.
 * in      first  the anchor that the epoch began with
 * returns what is wrong: the reason is set then, and unless the ticks are good
 *         for something still (RATE, WRAPS) they are dropped, and the source is
 *         the host's clock
 */
enum ibs_clock_fault ibs_map_settle_clock(struct ibs_map *map,
					  const struct ibs_anchor *first);

/* The port as its own bytes and its switch's port 0 say; also before freeze. */
void ibs_map_port_decode(const struct ibs_map *map, uint32_t port,
			 struct ibs_port *ret_port);
/* True for a port of a switch that a cable can be put in. */
bool ibs_map_port_external(const struct ibs_map *map, uint32_t port);

/* All below want a frozen map. */
/* Index of a port or node, NO_INDEX when there is none; the first instance. */
uint32_t ibs_map_find_node(const struct ibs_map *map, uint64_t guid);
/* Of the nodes that share a GUID, the one that was numbered so. */
uint32_t ibs_map_find_instance(const struct ibs_map *map, uint64_t guid,
			       uint32_t instance);
uint32_t ibs_map_find_port(const struct ibs_map *map, uint32_t node,
			   uint8_t num);
/* Index of the link that the port is an end of, or NO_INDEX. */
uint32_t ibs_map_find_link(const struct ibs_map *map, uint32_t port);
/* False when a port that should have answered did not. */
bool ibs_map_complete(const struct ibs_map *map);
/* Bytes of the NodeDescription without the NULs at its end. */
size_t ibs_node_desc_length(const struct ibs_node *node);
/* pkey_tbl_len of a port of the node: another one for external ports. */
uint16_t ibs_node_pkey_tbl_len(const struct ibs_node *node, uint8_t num);

#endif
