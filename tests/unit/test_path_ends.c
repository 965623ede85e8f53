// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The ports that packets begin and end at, and the LIDs that they go by. */
#include <config.h>

#include "ibspeed/path.h"

#include <errno.h>

#include "unit.h"
#include "written.h"

static uint32_t
port_at(const struct ibs_map *map, uint64_t guid, uint8_t num)
{
	return ibs_map_find_port(map, ibs_map_find_node(map, guid), num);
}

static void
no_lid(struct ibs_map *map)
{
	port_put(port_of(map, 0x40, 1), IBS_PI_LID, 0);
}

static void
permissive_lid(struct ibs_map *map)
{
	port_put(port_of(map, 0x40, 1), IBS_PI_LID, 0xffff);
}

static void
silent_host(struct ibs_map *map)
{
	port_of(map, 0x40, 1)->read = IBS_READ_TIMEOUT;
}

static void
lmc(struct ibs_map *map)
{
	port_put(port_of(map, 0x40, 1), IBS_PI_LID, 8);
	port_put(port_of(map, 0x40, 1), IBS_PI_LMC, 1);
}

static void
down_host(struct ibs_map *map)
{
	port_put(port_of(map, 0x20, 1), IBS_PI_PortState, IBS_PORT_DOWN);
}

/* returns -errno of the route there, which has the LIDs */
static int
begin_with(struct ibs_map *map, uint16_t slid, uint16_t dlid,
	   struct ibs_route *ret_route)
{
	struct ibs_route route = { .src = port_at(map, 0x40, 1),
				   .dst = port_at(map, 0x20, 1),
				   .slid = slid,
				   .dlid = dlid };
	struct ibs_path path;
	int err = ibs_path_begin(map, &route, &path);

	if (!err) {
		*ret_route = path.route;
		ibs_path_free(&path);
	}
	return err;
}

/* 0x40 has the LIDs 8 and 9, 0x20 has 3. */
static void
test_lids(void)
{
	static const struct {
		const char *name;
		void (*edit)(struct ibs_map *map);
		uint16_t slid, dlid; /* as asked for */
		int returns;
		uint16_t from, to; /* as taken */
	} lids[] = {
		{ "the first of each", lmc, 0, 0, 0, 8, 3 },
		{ "the first by its number", lmc, 8, 3, 0, 8, 3 },
		{ "the second", lmc, 9, 0, 0, 9, 3 },
		{ "none of the source's", lmc, 10, 0, -EINVAL, 0, 0 },
		{ "nor this", lmc, 7, 0, -EINVAL, 0, 0 },
		{ "none of the destination's", lmc, 0, 4, -EINVAL, 0, 0 },
		{ "nor this one", lmc, 0, 2, -EINVAL, 0, 0 },
		{ "the source has none", no_lid, 0, 0, 0, 0, 3 },
		{ "nor a unicast one", permissive_lid, 0, 0, 0, 0, 3 },
		{ "the source did not answer", silent_host, 0, 0, 0, 0, 3 },
		{ "but its LID is known", silent_host, 5, 0, 0, 5, 3 },
	};

	for (size_t i = 0; i < sizeof(lids) / sizeof(lids[0]); i++) {
		struct ibs_map *map = unit_map(lids[i].edit);
		struct ibs_route route = { .slid = 0 };

		CHECK_INT(lids[i].name,
			  begin_with(map, lids[i].slid, lids[i].dlid, &route),
			  lids[i].returns);
		CHECK_INT(lids[i].name, route.slid, lids[i].from);
		CHECK_INT(lids[i].name, route.dlid, lids[i].to);
		ibs_map_free(map);
	}
}

static void
second_port(struct ibs_map *map)
{
	struct ibs_map_port port = *port_of(map, 0x20, 1);
	uint32_t index;

	port.num = 2;
	port.peer = IBS_NO_INDEX;
	CHECK_INT("port", ibs_map_add_port(map, &port, &index), 0);
	down_host(map);
}

static void
test_port_of(void)
{
	struct ibs_map *map = unit_map(second_port);

	CHECK_INT("the first that is Active",
		  ibs_path_port_of(map, ibs_map_find_node(map, 0x20)),
		  port_at(map, 0x20, 2));
	CHECK_INT("port 0 of a switch",
		  ibs_path_port_of(map, ibs_map_find_node(map, 0x10)),
		  port_at(map, 0x10, 0));
	ibs_map_free(map);
	map = unit_map(down_host);
	CHECK_INT("or the first",
		  ibs_path_port_of(map, ibs_map_find_node(map, 0x20)),
		  port_at(map, 0x20, 1));
	ibs_map_free(map);
}

/* The map is read from that node; unit_map has all at no distance. */
static void
local(struct ibs_map *map, uint64_t guid)
{
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		map->nodes[i].n_hops = map->nodes[i].guid != guid;
	}
}

static void
local_host(struct ibs_map *map)
{
	second_port(map);
	port_of(map, 0x20, 1)->guid = 0x2001;
	port_of(map, 0x20, 2)->guid = 0x2002;
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		if (map->nodes[i].guid == 0x20) {
			map->nodes[i].port_guid = 0x2002;
		}
	}
	local(map, 0x20);
}

static void
silent_local_host(struct ibs_map *map)
{
	local_host(map);
	port_of(map, 0x20, 2)->read = IBS_READ_TIMEOUT;
}

static void
local_switch(struct ibs_map *map)
{
	local(map, 0x11);
}

static void
silent_port0(struct ibs_map *map)
{
	local_switch(map);
	port_of(map, 0x11, 0)->read = IBS_READ_TIMEOUT;
}

static void
test_local_port(void)
{
	static const struct {
		const char *name;
		void (*edit)(struct ibs_map *map);
		uint64_t guid; /* 0: none */
		uint8_t num;
	} rows[] = {
		{ "of a host that which it was read through", local_host, 0x20,
		  2 },
		{ "it did not answer", silent_local_host, 0, 0 },
		{ "port 0 of a switch", local_switch, 0x11, 0 },
		{ "no other port of a switch will do", silent_port0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_map *map = unit_map(rows[i].edit);

		CHECK_INT(rows[i].name, ibs_path_local_port(map),
			  rows[i].guid ? port_at(map, rows[i].guid, rows[i].num)
				       : IBS_NO_INDEX);
		ibs_map_free(map);
	}
}

static const struct unit_test tests[] = {
	{ "the LIDs of both ends", test_lids },
	{ "which port a node is reached at", test_port_of },
	{ "which port the map was read from", test_local_port },
};

UNIT_MAIN("path_ends", tests)
