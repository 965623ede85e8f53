/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the files of the sweep share; nobody else includes it.
 *   sweep.c           the window, the slots, time
 *   sweep_queue.c     whose turn it is
 *   sweep_probe.c     whose turn it is to ask for a neighbour
 *   sweep_port.c      the steps of one port
 *   sweep_discover.c  new nodes and the cables between them
 *   sweep_table.c     nodes by their GUID
 */
#ifndef IBSPEED_SWEEP_PRIVATE_H
#define IBSPEED_SWEEP_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "ibspeed/sweep.h"

/* In the order in which a port goes through them. */
enum sweep_step {
	SWEEP_WAITS,	 /* for port 0 of its switch */
	SWEEP_PORT_INFO, /* as the gate says, with or without bit 31 */
	SWEEP_ASK_EXT,	 /* once more with bit 31; a plain answer is there */
	SWEEP_ASK_PLAIN, /* once more without: bit 31 was refused */
	SWEEP_EXT_PORT_INFO, /* FDR10 or QDR */
	SWEEP_NODE_DESC,     /* of its node, by the first of its ports */
	SWEEP_SWITCH_INFO,
	SWEEP_PROBE, /* NodeInfo of whoever is behind it */
	SWEEP_DONE
};

struct sweep_port {
	uint32_t next;	    /* in one of the lists of its node, or NO_INDEX */
	uint8_t step;	    /* enum sweep_step */
	uint8_t step_tries; /* Gets sent in this step */
	bool turned;	    /* bit 31 was changed once; never again */
	uint32_t sibling;   /* next port of its node, with discovery */
};

struct sweep_node {
	uint32_t first, last; /* list of ports that want a Get */
	uint32_t probes;      /* list of ports that want a probe */
	uint32_t waiting;     /* list of ports that wait for port 0 */
	uint32_t next_ready;  /* in the line of nodes, or NO_INDEX */
	uint32_t next_prober; /* in the line of probers, or NO_INDEX */
	uint32_t next_twin;   /* in its bucket of the GUID table */
	uint32_t lead;	      /* the port that asks for its node */
	uint32_t newest;      /* its ports, linked by sibling */
	uint32_t n_lost;      /* Gets that were not answered */
	uint16_t in_flight;   /* to its agent, without probes */
	uint16_t n_settled;   /* ports with a known peer, or down */
	bool queued;
	bool prober_queued;
	bool answered; /* anything */
	bool focus;    /* its neighbours are wanted too */
	bool twin;     /* its GUID was known: not walked through */
};

struct sweep_slot { /* a Get in flight */
	uint64_t sent_ns;
	uint32_t tid;  /* 0: the slot is free */
	uint32_t port; /* NO_INDEX: the first node of a discovery */
	uint32_t modifier;
	uint16_t attr;
	bool late;	/* it has not been answered for so long that it counts
			 * no more: the window is for those that are served */
	uint8_t n_hops; /* of path */
	uint8_t path[IBS_HOPS_MAX + 1];
};

/* What only a discovery needs. */
struct sweep_discovery {
	bool on;
	struct ibs_scope scope;
	uint8_t start_hops; /* of the first node: one before the scope's */
	uint8_t start_tries;
	bool start_open;       /* the first node still has to be asked */
	uint32_t start_node;   /* NO_INDEX: not known yet */
	uint32_t start_port;   /* through which it was entered */
	int start_error;       /* 0, or why it is not known */
	uint32_t *buckets;     /* GUID table: first node, or NO_INDEX */
	uint32_t n_buckets;    /* a power of 2 */
	unsigned int n_probes; /* in flight and not late */
	uint32_t prober_first, prober_last; /* line of nodes with probes */
};

struct ibs_sweep {
	struct ibs_map *map;
	struct ibs_sweep_limits limits;
	struct sweep_port *ports;
	struct sweep_node *nodes;
	uint32_t ports_size, nodes_size;  /* allocated */
	uint32_t ready_first, ready_last; /* queue of nodes */
	uint32_t n_open; /* ports that want a Get or have one in flight */
	uint32_t next_tid;
	/* All in flight have TIDs from oldest to next_tid, in that order; what
	 * is before punctual is late. */
	uint32_t oldest, punctual;
	uint64_t next_send_ns; /* with max_rate */
	uint64_t now_ns;       /* the latest that it was told */
	unsigned int n_in_flight, n_late;
	int error; /* 0, or -ENOMEM */
	bool rereading;
	struct sweep_discovery discovery;
	struct sweep_slot slots[IBS_SMPS_MAX]; /* by the TID */
};

/* Room for the nodes and ports that the map has by now.  errors  -ENOMEM */
int sweep_grow(struct ibs_sweep *s);

/* Puts the port at the end of its node's list. */
void sweep_want(struct ibs_sweep *s, uint32_t port, enum sweep_step step);
/* The same, for a new step: its tries begin anew. */
void sweep_want_next(struct ibs_sweep *s, uint32_t port, enum sweep_step step);
/* Puts it in front, with the step that it has: so that a node that is silent
 * is known before all of its ports were tried. */
void sweep_retry(struct ibs_sweep *s, uint32_t port);
/* The same for a probe, which has lists and a line of its own. */
void sweep_want_probe(struct ibs_sweep *s, uint32_t port);
/* Nobody needs to ask any more who is behind the port. */
void sweep_drop_probe(struct ibs_sweep *s, uint32_t port);
/* Lets it wait for port 0 of its switch. */
void sweep_wait_for_port0(struct ibs_sweep *s, uint32_t port);
/* Port 0 is over, with or without an answer: now those that waited. */
void sweep_release_waiting(struct ibs_sweep *s, uint32_t node);
/* What still waits at a silent node will not be asked for. */
void sweep_give_up(struct ibs_sweep *s, uint32_t node);
/* Lets the node stand in line if it has something to send and may. */
void sweep_line_up(struct ibs_sweep *s, uint32_t node);
/* True when some port may have its Get now, if the window lets it. */
bool sweep_has_next(struct ibs_sweep *s);
/* The same, when nobody has asked for the next one since. */
bool sweep_may_take(const struct ibs_sweep *s);
/* The next port in turn, taken out of its list; there is one. */
uint32_t sweep_take(struct ibs_sweep *s);

/* May a probe through a port of another node come to this one? */
bool sweep_is_exposed(const struct ibs_sweep *s, uint32_t node);
bool sweep_may_probe(const struct ibs_sweep *s);
uint32_t sweep_take_probe(struct ibs_sweep *s);
/* Nodes in line without a probe to send leave it. */
void sweep_skip_idle_probers(struct ibs_sweep *s);

/* Attribute, modifier and route of the port's next Get, into the slot. */
void sweep_port_ask(struct ibs_sweep *s, struct sweep_slot *slot);
/* Takes the answer in and decides: another Get (sweep_want) or DONE. */
void sweep_port_answer(struct ibs_sweep *s, const struct sweep_slot *slot,
		       const struct ibs_attr *attr);
/* Reads the port anew; what it has stays if nobody answers. */
void sweep_port_again(struct ibs_sweep *s, uint32_t port);
bool sweep_ends_disagree(const struct ibs_sweep *s, uint32_t a, uint32_t b);
/* True when a Get that failed like this is to be sent once more. */
bool sweep_worth_another_try(const struct ibs_sweep *s, unsigned int tries,
			     const struct ibs_attr *attr);

/* The next node, by its index, into the GUID table.  errors  -ENOMEM */
int sweep_table_add(struct ibs_sweep *s, uint32_t node);
/* First of the nodes that may have the GUID; the others follow by next_twin. */
uint32_t sweep_table_first(const struct ibs_sweep *s, uint64_t guid);

/* What follows the PortInfo of a port in a discovery: another step or DONE. */
void sweep_discover_after(struct ibs_sweep *s, uint32_t port,
			  enum sweep_step step);
/* Answers to NODE_DESC, SWITCH_INFO and PROBE. */
void sweep_discover_answer(struct ibs_sweep *s, const struct sweep_slot *slot,
			   const struct ibs_attr *attr);
/* What the local port says of the subnet, and whose port its SM is. */
void sweep_find_subnet(struct ibs_sweep *s);
/* The Get of the first node, into the slot; and its answer. */
void sweep_start_ask(struct ibs_sweep *s, struct sweep_slot *slot);
void sweep_start_answer(struct ibs_sweep *s, const struct ibs_attr *attr);

#endif
