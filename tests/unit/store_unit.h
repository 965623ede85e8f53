/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What tests of the store share: a file of their own, and maps to record. */
#ifndef IBSPEED_TESTS_STORE_UNIT_H
#define IBSPEED_TESTS_STORE_UNIT_H

#include <stddef.h>
#include <stdint.h>

#include "ibspeed/attr.h"
#include "ibspeed/map.h"
#include "ibspeed/store.h"

/* Ports of unit_map(), as edit and the frozen map know them. */
enum store_unit_port {
	LEAF1_PORT0,
	LEAF1_PORT1, /* to HOST_A */
	LEAF1_PORT2, /* to HOST_B */
	LEAF1_PORT3,
	LEAF1_PORT4,
	LEAF1_PORT5, /* down */
	LEAF2_PORT0,
	LEAF2_PORT4 = 10,
	LEAF2_PORT5,
	HOST_A,
	HOST_B,
	HOST_C,
	HOST_D
};

/* A store in a directory that everybody may look into, and nobody else uses. */
struct store_unit {
	char dir[128];
	char path[160];
};
void store_unit_make(struct store_unit *unit);
void store_unit_remove_files(const struct store_unit *unit);
void store_unit_remove(const struct store_unit *unit); /* and the directory */

/* NULL, and a failed check, when it cannot be opened. */
struct ibs_store *store_unit_open(const struct store_unit *unit,
				  enum ibs_store_mode mode);
/* What opening says; the store is closed again. */
int store_unit_try(const char *path, enum ibs_store_mode mode, char *error,
		   size_t size);
/* Refused in so many words, with the name of the file, in one line. */
void store_unit_refused(const char *row, const char *path,
			enum ibs_store_mode mode, int want);
/* Records; the map then has the id of its sweep. */
void store_unit_record(struct ibs_store *store, const struct ibs_map *before,
		       struct ibs_map *after);
/* The store's map of a sweep is the map that was recorded. */
void store_unit_check(const char *row, struct ibs_store *store,
		      int64_t sweep_id, const struct ibs_map *want);

/* What a handle that is not ours gets: the first column of the first row. */
int64_t store_unit_int(const struct store_unit *unit, const char *sql);
void store_unit_exec(const struct store_unit *unit, const char *sql);
/* Rows of all tables. */
int64_t store_unit_rows(const struct store_unit *unit);

void store_unit_put(struct ibs_map *map, uint32_t port,
		    enum ibs_port_info_field field, uint64_t value);
/* For unit_map(): a value in every member, none equal to its neighbour's. */
void store_unit_edit_sweep(struct ibs_map *map);
void store_unit_edit_nodes(struct ibs_map *map);
void store_unit_edit_ports(struct ibs_map *map);
void store_unit_edit_all(struct ibs_map *map);
/* One thing changes. */
void store_unit_edit_speed(struct ibs_map *map);
void store_unit_edit_name(struct ibs_map *map);
void store_unit_edit_unplug(struct ibs_map *map);
/* Edits of the map of each sweep; nodes and ports go and come back. */
#define STORE_UNIT_SWEEPS 7
extern void (*const store_unit_history[STORE_UNIT_SWEEPS])(struct ibs_map *map);

/* A frozen map of two levels: 5,400 nodes, 29,400 ports. */
struct ibs_map *store_unit_big_map(void (*edit)(struct ibs_map *map));

#endif
