/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * route: the cables of the simulated fabric, as links.awk wrote them, and
 * which node a directed route ends at.
 *
 * IBSPEED_SIM_LINKS names the table: lines `node port peer peerport` with the
 * ids of the fabric file. A route starts at the node that SIM_HOST names, or
 * at the table's first.
 */
#ifndef IBSPEED_TESTS_SIM_ROUTE_H
#define IBSPEED_TESTS_SIM_ROUTE_H

#include <stdint.h>

#define ROUTE_ID_SIZE 64

struct route_end {
	const char *node;   /* id; NULL: the route leaves the table */
	unsigned int entry; /* the port it comes in by */
};

/*
 * Reads the table, which takes its time: before time counts.  Ends the program
 * when it is named but cannot be read.
 */
void route_prepare(void);
struct route_end route_walk(const uint8_t *mad);

#endif
