/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A fake fabric that answers the Gets of a sweep: a map holds the truth, and
 * misdeeds say which ports misbehave.
 */
#ifndef IBSPEED_TESTS_FABRIC_H
#define IBSPEED_TESTS_FABRIC_H

#include <stdbool.h>
#include <stdint.h>

#include "ibspeed/sweep.h"

#define TIMEOUT_NS	 UINT64_C(100000000)
#define FABRIC_PORTS_MAX 64

enum misdeed {
	NONE,
	SILENT,	      /* never answers a PortInfo */
	SILENT_ONCE,  /* loses the first Get */
	REFUSES,      /* status 0x1c */
	BUSY_ONCE,    /* status 0x01, once */
	REFUSES_EXT,  /* status 0x1c with bit 31 */
	HIDES_EXT,    /* R01: no extended fields without bit 31 */
	NO_EXT_PORT,  /* no answer to the MLNX attribute */
	CHANGES_ONCE, /* 1X at first, then as it is */
	NO_ECHO,      /* its modifier comes back without bit 31 */
	DEAF	      /* its node answers nothing at all that comes by it */
};

struct fabric {
	struct ibs_map *truth;
	bool by_index;	/* path[1] is the index of the node */
	uint32_t start; /* else routes begin at this port */
	enum misdeed misdeeds[FABRIC_PORTS_MAX];
	unsigned int asked[FABRIC_PORTS_MAX];
	unsigned int in_flight_max, node_in_flight_max;
	unsigned int n_gets, n_ext, n_plain, n_epi, n_node_info;
};
extern struct fabric fabric;

/* A new fabric; edit may be NULL. */
void fabric_start(void (*edit)(struct ibs_map *map));
void fabric_end(void);
/* Index of a port in the truth. */
uint32_t fabric_port(uint64_t guid, uint8_t num);
void fabric_misbehave(uint64_t guid, uint8_t num, enum misdeed misdeed);
/* Drives the sweep to its end. */
void fabric_drive(struct ibs_sweep *sweep);

extern const struct ibs_sweep_limits fabric_usual;

#endif
