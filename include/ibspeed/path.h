/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * path: the way that packets take from one port to another, link by link, by
 * the forwarding tables of the switches, and what the slowest link leaves of
 * it.  Does no I/O: whoever drives it reads the tables.
 *
 *   ibs_path_begin(map, &route, &path)
 *   while (ibs_path_wants(&path))
 *           read SwitchInfo and block dlid / 64 of the node path.at
 *           ibs_path_forward(&path, &switch_info, &block)
 *
 * units   eff_100mbps  as in speed.h
 * owner   the map is borrowed and frozen; ibs_path_free
 * locks   none; pure
 * source  IBA vol.1 14.2.5.4 (SwitchInfo), 14.2.5.10 (LinearForwardingTable):
 *         packets for a LID with entry 255, or above LinearFDBTop, are
 *         discarded; entry 0 is the switch itself
 */
#ifndef IBSPEED_PATH_H
#define IBSPEED_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "ibspeed/attr.h"
#include "ibspeed/map.h"
#include "ibspeed/speed.h"

/* Entries of one block of the LinearForwardingTable. */
#define IBS_LFT_BLOCK 64u

enum ibs_path_result {
	IBS_PATH_FOUND,
	IBS_PATH_NONE,	    /* there is none */
	IBS_PATH_INCOMPLETE /* nobody knows: something was not read */
};

/*
 * How a path ends.
 *
 * id, name, result, what it says of the place where it ends
 */
#define IBS_PATH_ENDS(X)                                                       \
	X(ARRIVED, "arrived", FOUND, "the destination")                        \
	X(NO_LID, "no-lid", NONE, "the destination has no unicast LID")        \
	X(NOT_ACTIVE, "not-active", NONE, "the port is not Active")            \
	X(ABOVE_TOP, "above-top", NONE, "the LID is above LinearFDBTop")       \
	X(NO_ENTRY, "no-entry", NONE,                                          \
	  "the forwarding table has no port for the LID")                      \
	X(NO_PORT, "no-port", NONE,                                            \
	  "the forwarding table names a port that is not there")               \
	X(KEPT, "kept", NONE,                                                  \
	  "the forwarding table names port 0, the switch itself")              \
	X(LOOP, "loop", NONE, "the packets have been here before")             \
	X(STRAY, "stray", NONE, "this is not the destination")                 \
	X(UNREAD_TABLE, "unread-table", INCOMPLETE,                            \
	  "the forwarding table was not read")                                 \
	X(UNREAD_PORT, "unread-port", INCOMPLETE, "the port did not answer")   \
	X(UNKNOWN_PEER, "unknown-peer", INCOMPLETE,                            \
	  "nobody is known at the other end")

enum ibs_path_end {
#define X(id, name, result, says) IBS_PATH_##id,
	IBS_PATH_ENDS(X)
#undef X
		IBS_PATH_END_COUNT
};

struct ibs_path_end_row {
	const char *name;
	const char *says;
	enum ibs_path_result result;
};
const struct ibs_path_end_row *ibs_path_end_row(enum ibs_path_end end);

/* One link on the way. */
struct ibs_hop {
	uint32_t out;  /* index of the port that packets leave by */
	uint32_t in;   /* and of the one that they arrive at */
	uint32_t link; /* index of their link */
};

/* From where to where. */
struct ibs_route {
	uint32_t src;  /* index of a port of a CA or router, or port 0 of a
		       * switch */
	uint32_t dst;  /* likewise */
	uint16_t slid; /* one of those of src; 0: its first */
	uint16_t dlid; /* one of those of dst; 0: its first */
};

struct ibs_path {
	const struct ibs_map *map;
	struct ibs_route route; /* a LID of it is 0 only where none is known */
	struct ibs_hop *hops;
	uint32_t n_hops;
	uint32_t at;	 /* index of the node where it stands or ends */
	uint8_t at_port; /* the port there that it ends by, ... */
	bool has_port;	 /* where it is one that matters */
	bool ended;
	uint8_t end;	     /* enum ibs_path_end, once it has ended */
	uint8_t read;	     /* enum ibs_read of an UNREAD_TABLE */
	uint16_t status;     /* its MAD status */
	uint32_t slowest;    /* of the hops whose speed is known; or NO_INDEX */
	int32_t eff_100mbps; /* of the whole; -1 not known */
};

/*
 * in      route  of two ports of the map, as above
 * errors  -ENOMEM, -EINVAL a LID is none of its port's
 */
int ibs_path_begin(const struct ibs_map *map, const struct ibs_route *route,
		   struct ibs_path *ret_path);
void ibs_path_free(struct ibs_path *path);

/* True: it stands at a switch, whose table says how it goes on. */
bool ibs_path_wants(const struct ibs_path *path);
/*
 * Goes on to the next node.
 * in      switch_info  its SwitchInfo, answered or not
 *         block        block dlid / IBS_LFT_BLOCK of its table, answered or not
 */
void ibs_path_forward(struct ibs_path *path, const struct ibs_attr *switch_info,
		      const struct ibs_attr *block);

/* The port that a node is reached at: the first that is Active, else the first
 * at all; port 0 of a switch.  NO_INDEX: it has none in the map. */
uint32_t ibs_path_port_of(const struct ibs_map *map, uint32_t node);
/* The port that the map was read from, whose PortInfo names the SM; of a switch
 * port 0.  NO_INDEX: it did not answer, or nothing was read. */
uint32_t ibs_path_local_port(const struct ibs_map *map);
/* FOUND only when the speed of all its links is known too. */
enum ibs_path_result ibs_path_result(const struct ibs_path *path);
/* NULL when there is none. */
const struct ibs_rate_row *ibs_path_rate(const struct ibs_path *path);

#endif
