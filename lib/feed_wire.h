/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * feed_wire: the bytes of a feed's frames, for its writer and its reader.
 *
 *   subnet  sm_port_guid 8, prefix 8, m_key 8, n_nodes 4, n_ports 4,
 *           n_dropped 4, sm_state 1, flags 1, force_link_speed 1,
 *           force_link_speed_ext 1, force_link_width 1, OpenSM's version 48
 *   node    flags 1, n_hops 1, n_ports 2, NodeInfo 40, NodeDescription 64,
 *           SwitchInfo 20 if flagged, path[1..n_hops]
 *   port    flags 1, number 1, PortGUID 8, if flagged: the peer's NodeGUID 8
 *           and port number 1, PortInfo 64, ExtendedPortInfo 16
 *   role    sm_state 1
 *
 * The ExtendedPortInfo is cut behind its last field, LinkSpeedActive.
 */
#ifndef IBSPEED_LIB_FEED_WIRE_H
#define IBSPEED_LIB_FEED_WIRE_H

#include "ibspeed/attr.h"
#include "ibspeed/feed.h"
#include "ibspeed/map.h"

#define FEED_MAGIC	       0x69627346u /* "ibsF" */
#define FEED_HEADER_PAYLOAD_AT 8

#define FEED_SUBNET_COUNTS_AT	24 /* n_nodes and n_ports, in the payload */
#define FEED_SUBNET_INIT_ERRORS 1u
#define FEED_OPENSM_SIZE	48
#define FEED_SUBNET_SIZE	(3 * 8 + 3 * 4 + 5 + FEED_OPENSM_SIZE)

#define FEED_NODE_HAS_SWITCH_INFO 1u
#define FEED_NODE_FLAGS		  FEED_NODE_HAS_SWITCH_INFO
#define FEED_NODE_SIZE_MIN	  (4 + IBS_FEED_NODE_INFO_SIZE + IBS_DESC_SIZE)
#define FEED_NODE_PORTS_MAX	  256 /* port numbers have 8 bits */

#define FEED_PORT_HAS_PEER 1u
#define FEED_PORT_HAS_PI   2u
#define FEED_PORT_HAS_EPI  4u
#define FEED_PORT_FLAGS                                                        \
	(FEED_PORT_HAS_PEER | FEED_PORT_HAS_PI | FEED_PORT_HAS_EPI)
#define FEED_PORT_SIZE_MIN 10
#define FEED_EPI_SIZE	   16

#define FEED_ROLE_PAYLOAD_SIZE 1
#define FEED_M_KEY_SIZE	       8 /* the first bytes of a PortInfo */

_Static_assert(IBS_FEED_HEADER_SIZE + FEED_SUBNET_SIZE <=
		       IBS_FEED_SUBNET_SIZE_MAX,
	       "subnet");
_Static_assert(FEED_NODE_SIZE_MIN + IBS_FEED_SWITCH_INFO_SIZE + IBS_HOPS_MAX <=
		       IBS_FEED_NODE_SIZE_MAX,
	       "node");
_Static_assert(FEED_PORT_SIZE_MIN + 9 + IBS_ATTR_SIZE + FEED_EPI_SIZE <=
		       IBS_FEED_PORT_SIZE_MAX,
	       "port");
_Static_assert(sizeof(((struct ibs_subnet *)0)->opensm) == FEED_OPENSM_SIZE,
	       "OpenSM's version");

#endif
