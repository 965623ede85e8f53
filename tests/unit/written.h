/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the tests of reports and writers share. */
#ifndef IBSPEED_TESTS_WRITTEN_H
#define IBSPEED_TESTS_WRITTEN_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ibspeed/attr.h"
#include "ibspeed/map.h"

/* Changes to a map of unit_map(); the port must be there. */
struct ibs_map_port *port_of(struct ibs_map *map, uint64_t guid, uint8_t num);
void port_put(struct ibs_map_port *port, enum ibs_port_info_field field,
	      uint64_t value);
void node_rename(struct ibs_map *map, uint64_t guid, const void *name,
		 size_t size);

/* A stream into memory. */
struct written {
	FILE *out;
	char *bytes; /* after written_close; free() */
	size_t size;
};
void written_open(struct written *written);
void written_close(struct written *written);
/* What was written, loaded; NULL and a failed check when it is no JSON. */
json_t *written_json(struct written *written, const char *row);

/* A member by its path, "a.b.0.c"; NULL when it is not there. */
json_t *json_at(json_t *json, const char *path);
struct json_row {
	const char *path;
	const char *want; /* compact JSON; NULL: must not be there */
};
void check_json(json_t *json, const struct json_row *rows, size_t n);
#define CHECK_JSON(json, rows)                                                 \
	check_json(json, rows, sizeof(rows) / sizeof((rows)[0]))

#endif
