/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * sweep: what to Get next and who has not answered.  A state machine that does
 * no I/O and takes the time as an argument; the recorder and the command line
 * drive the same one, seeded by the SM's topology or by a directed route.
 *
 * The driver asks for the next Get, sends it, hands in what comes back, and
 * says when time has passed, until done; then takes the map.
 *
 *   while (!ibs_sweep_done(s))
 *           while (ibs_sweep_next(s, now, &smp)) send(smp)
 *           wait until an answer or ibs_sweep_deadline(s)
 *           ibs_sweep_answer(s, tid, &attr) for each; ibs_sweep_expire(s, now)
 *
 * units   now_ns  any clock that only goes forward
 * owner   takes the map it reads into, gives it back at the end
 * locks   none; one driver
 */
#ifndef IBSPEED_SWEEP_H
#define IBSPEED_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "ibspeed/attr.h"
#include "ibspeed/map.h"

struct ibs_sweep;

#define IBS_SMPS_MAX 128 /* in flight: the kernel's own limit of an agent */

/*
 * A Get without an answer for a sixteenth of its time-out is late: it counts no
 * more for max_smps, only for IBS_SMPS_MAX, so that silent nodes do not hold
 * up the others.  A discovery's question who is behind a port goes to an agent
 * that is not known yet: by chance it is one more there than max_smps_per_node.
 */
struct ibs_sweep_limits {
	unsigned int max_smps;		/* in flight, 1..IBS_SMPS_MAX */
	unsigned int max_smps_per_node; /* in flight to one SMA, 1.. */
	unsigned int max_rate;		/* Gets per second; 0: no limit */
	unsigned int max_tries;		/* Gets of one attribute, 1..255 */
	uint64_t timeout_ns;		/* of one try */
};

/* A Get to send.  path is borrowed until the answer. */
struct ibs_smp {
	uint32_t tid; /* never 0, never in flight twice */
	uint16_t attr;
	uint32_t modifier;
	uint8_t n_hops;
	const uint8_t *path; /* n_hops + 1 bytes, path[0] is 0 */
};

/* Where a discovery begins and how far it goes. */
struct ibs_scope {
	uint8_t n_hops; /* directed route to the node */
	uint8_t path[IBS_HOPS_MAX + 1];
	bool whole; /* true: all that can be reached from there (no hops then)
		     * false: that node with all its ports, and of its
		     * neighbours the other ends of its links */
};

/*
 * Reads the PortInfo of every port of the map: port 0 of a switch first, since
 * it gates the others.
 * owner   takes the map on success
 * errors  -ENOMEM, -EINVAL (limits)
 */
int ibs_sweep_new(struct ibs_map *map, const struct ibs_sweep_limits *limits,
		  uint32_t first_tid, struct ibs_sweep **ret_sweep);
/*
 * Finds out what is there, from the local port on, and reads it.
 * errors  -ENOMEM, -EINVAL (limits, scope)
 */
int ibs_sweep_discover(const struct ibs_scope *scope,
		       const struct ibs_sweep_limits *limits,
		       uint32_t first_tid, struct ibs_sweep **ret_sweep);
void ibs_sweep_free(struct ibs_sweep *sweep); /* with its map */

/* True and *ret_smp: send it now.  False: nothing may be sent just now. */
bool ibs_sweep_next(struct ibs_sweep *sweep, uint64_t now_ns,
		    struct ibs_smp *ret_smp);
/*
 * An answer, or the transport's word that none came (attr->read is then
 * READ_TIMEOUT).  One that does not match the TID, attribute and modifier of a
 * Get in flight is counted as stray and dropped.
 */
void ibs_sweep_answer(struct ibs_sweep *sweep, uint32_t tid,
		      const struct ibs_attr *attr);
/* What was sent with the TID, if it is still in flight. */
bool ibs_sweep_in_flight(const struct ibs_sweep *sweep, uint32_t tid,
			 struct ibs_smp *ret_smp);
/* Ends the tries whose time is over. */
void ibs_sweep_expire(struct ibs_sweep *sweep, uint64_t now_ns);
/*
 * When something is to do again that no answer tells of: a try is over, or
 * max_rate lets the next Get go.  UINT64_MAX: never.
 */
uint64_t ibs_sweep_deadline(const struct ibs_sweep *sweep);
/* How far it is. */
struct ibs_progress {
	uint32_t n_nodes, n_ports; /* known by now */
	uint32_t n_smps;	   /* Gets sent */
};
void ibs_sweep_progress(const struct ibs_sweep *sweep,
			struct ibs_progress *ret_progress);
/* Ends that disagree are read once more before it is. */
bool ibs_sweep_done(struct ibs_sweep *sweep);
/*
 * Gives the map with its counters, not yet frozen, and frees the sweep.
 * errors  -ENOMEM in mid-discovery; -ETIMEDOUT, -EREMOTEIO the first node of a
 *         discovery did not answer, or with a status.  The map is freed then.
 */
int ibs_sweep_finish(struct ibs_sweep *sweep, struct ibs_map **ret_map);

#endif
