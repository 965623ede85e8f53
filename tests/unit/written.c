// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "written.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

struct ibs_map_port *
port_of(struct ibs_map *map, uint64_t guid, uint8_t num)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		struct ibs_map_port *port = &map->ports[i];

		if (map->nodes[port->node].guid == guid && port->num == num) {
			return port;
		}
	}
	abort();
}

void
port_put(struct ibs_map_port *port, enum ibs_port_info_field field,
	 uint64_t value)
{
	ibs_field_put(port->pi, &ibs_port_info_fields[field], value);
}

void
node_rename(struct ibs_map *map, uint64_t guid, const void *name, size_t size)
{
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		if (map->nodes[i].guid == guid) {
			memset(map->nodes[i].desc, 0, IBS_DESC_SIZE);
			memcpy(map->nodes[i].desc, name, size);
		}
	}
}

void
written_open(struct written *written)
{
	*written = (struct written){ .out = NULL };
	written->out = open_memstream(&written->bytes, &written->size);
	if (!written->out) {
		abort();
	}
}

void
written_close(struct written *written)
{
	fclose(written->out);
	written->out = NULL;
}

json_t *
written_json(struct written *written, const char *row)
{
	json_error_t error;
	json_t *json;

	written_close(written);
	json = json_loadb(written->bytes, written->size, JSON_REJECT_DUPLICATES,
			  &error);
	CHECK(row, json != NULL);
	if (!json) {
		printf("\n    row %s: line %d: %s\n", row, error.line,
		       error.text);
	}
	free(written->bytes);
	return json;
}

json_t *
json_at(json_t *json, const char *path)
{
	char copy[128];
	char *rest = copy;

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *key = strsep(&rest, "."); json && key;
	     key = strsep(&rest, ".")) {
		json = json_is_array(json)
			       ? json_array_get(json, strtoul(key, NULL, 10))
			       : json_object_get(json, key);
	}
	return json;
}

void
check_json(json_t *json, const struct json_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		json_t *value = json_at(json, rows[i].path);
		char *got = NULL;

		if (value) {
			got = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
		}
		CHECK_TEXT(rows[i].path, got, rows[i].want);
		free(got);
	}
}
