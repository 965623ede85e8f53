/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * verbs: the only door to libibverbs.  Opening a device may block for seconds.
 *
 * locks   none; one thread per handle
 */
#ifndef IBSPEED_VERBS_H
#define IBSPEED_VERBS_H

#include <stdbool.h>
#include <stdint.h>

#include "ibspeed/clock.h"
#include "ibspeed/map.h"
#include "ibspeed/writer.h"

/* A port of this host, as libibumad knows it. */
struct verbs_port {
	const char *device; /* "" not known */
	unsigned int num;   /* 0 not known */
	uint64_t guid;
	uint64_t node_guid; /* 0 not known */
};

/*
 * Asks libibverbs about a port of this host, index port of the map, and holds
 * the answer against its PortInfo.  That there is no device is an answer.
 */
void verbs_query(const struct ibs_map *map, uint32_t port,
		 struct ibs_verbs *ret_verbs);

/* The counter of a device, open. */
struct verbs_counter;

/*
 * Finds the device of the port by its GID, or else by the GUID of its node:
 * the first whose counter answers.
 * out     device, port_num, the GUIDs, khz, mask; "" and the reason when there
 *         is no device
 * errors  -ENOSYS no verbs, -ENODEV no device; with a device what its counter
 *         says: -EOPNOTSUPP its provider has none, or as below
 */
int verbs_counter_open(const struct verbs_port *port,
		       struct ibs_clock *ret_clock,
		       struct verbs_counter **ret_counter);
void verbs_counter_close(struct verbs_counter *counter); /* NULL is fine */
/*
 * No system call.
 * errors  -EPROTO the value is in another form, -ENODATA or there is none,
 *         -ERANGE it is 0, which is what a device that has gone reads as; or
 *         what the provider said
 */
int verbs_counter_read(struct verbs_counter *counter, uint64_t *ret_raw);
/* Has the device been unplugged or reset? */
bool verbs_counter_gone(struct verbs_counter *counter);

#endif
