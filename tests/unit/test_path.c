// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Ways through a fabric by its forwarding tables, the wrong ones above all. */
#include <config.h>

#include "ibspeed/path.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"

#define N_ROWS(table) (sizeof(table) / sizeof((table)[0]))

/*
 * The LIDs of unit_map: switches 0x10, 0x11: 1, 2; hosts 0x20 to 0x50: 3 to 6.
 * What a table of a switch says of each, as a fat tree is routed.
 */
#define LEAF1                                                                  \
	{                                                                      \
		[0] = 255, [1] = 0, [2] = 3, [3] = 1, [4] = 2, [5] = 3,        \
		[6] = 4, [7 ... 63] = 255                                      \
	}
#define LEAF2                                                                  \
	{                                                                      \
		[0] = 255, [1] = 4, [2] = 0, [3] = 3, [4] = 4, [5] = 1,        \
		[6] = 2, [7 ... 63] = 255                                      \
	}

/* The two switches as they would answer. */
struct tables {
	uint8_t leaf[2][IBS_LFT_BLOCK];
	uint16_t top;
	struct ibs_attr info[2]; /* read is what becomes of the Get */
	struct ibs_attr block[2];
};

static void
tables_fill(struct tables *tables)
{
	*tables = (struct tables){ .leaf = { LEAF1, LEAF2 }, .top = 63 };
	for (unsigned int i = 0; i < 2; i++) {
		tables->info[i].read = IBS_READ_OK;
		tables->block[i].read = IBS_READ_OK;
	}
}

static uint32_t
port_at(const struct ibs_map *map, uint64_t guid, uint8_t num)
{
	return ibs_map_find_port(map, ibs_map_find_node(map, guid), num);
}

static struct ibs_map_port *
edit_port(struct ibs_map *map, uint64_t guid, uint8_t num)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		if (map->nodes[map->ports[i].node].guid == guid &&
		    map->ports[i].num == num) {
			return &map->ports[i];
		}
	}
	return NULL;
}

static void
put(struct ibs_map *map, uint64_t guid, uint8_t num,
    enum ibs_port_info_field field, uint64_t value)
{
	ibs_field_put(edit_port(map, guid, num)->pi,
		      &ibs_port_info_fields[field], value);
}

/* Answers until it wants no more; so many times at the most. */
static void
drive(struct ibs_path *path, struct tables *tables)
{
	unsigned int n = 0;

	while (ibs_path_wants(path) && n++ < 10) {
		unsigned int s = path->map->nodes[path->at].guid & 1;

		ibs_field_put(tables->info[s].data,
			      &ibs_switch_info_fields[IBS_SI_LinearFDBTop],
			      tables->top);
		memcpy(tables->block[s].data, tables->leaf[s], IBS_LFT_BLOCK);
		ibs_path_forward(path, &tables->info[s], &tables->block[s]);
	}
	CHECK("it ends", !ibs_path_wants(path));
}

static size_t
hops_text(const struct ibs_path *path, char *ret_text, size_t size)
{
	const struct ibs_map *map = path->map;
	size_t n = 0;

	for (uint32_t i = 0; i < path->n_hops; i++) {
		const struct ibs_map_port *out = &map->ports[path->hops[i].out];
		const struct ibs_map_port *in = &map->ports[path->hops[i].in];

		n += (size_t)snprintf(
			ret_text + n, size - n, "%x/%u-%x/%u ",
			(unsigned int)map->nodes[out->node].guid, out->num,
			(unsigned int)map->nodes[in->node].guid, in->num);
	}
	return n;
}

/* As the rows want it. */
static void
path_text(const struct ibs_path *path, char *ret_text, size_t size)
{
	static const char *const results[] = { "found", "none", "incomplete" };
	size_t n = hops_text(path, ret_text, size);

	n += (size_t)snprintf(
		ret_text + n, size - n, "%s %x",
		ibs_path_end_row((enum ibs_path_end)path->end)->name,
		(unsigned int)path->map->nodes[path->at].guid);
	if (path->has_port) {
		n += (size_t)snprintf(ret_text + n, size - n, "/%u",
				      path->at_port);
	}
	n += (size_t)snprintf(ret_text + n, size - n, ": %s",
			      results[ibs_path_result(path)]);
	if (path->eff_100mbps >= 0) {
		n += (size_t)snprintf(ret_text + n, size - n, " %d",
				      path->eff_100mbps);
	}
	if (path->slowest != IBS_NO_INDEX) {
		snprintf(ret_text + n, size - n, " by %u", path->slowest);
	}
}

static void
silent_port(struct ibs_map *map)
{
	edit_port(map, 0x10, 3)->read = IBS_READ_TIMEOUT;
}

static void
silent_alone(struct ibs_map *map)
{
	edit_port(map, 0x10, 3)->read = IBS_READ_TIMEOUT;
	edit_port(map, 0x10, 3)->peer = IBS_NO_INDEX;
}

static void
hidden_peer(struct ibs_map *map)
{
	edit_port(map, 0x10, 3)->peer = IBS_NO_INDEX;
}

static void
down_port(struct ibs_map *map)
{
	put(map, 0x10, 3, IBS_PI_PortState, IBS_PORT_DOWN);
}

static void
init_in(struct ibs_map *map)
{
	put(map, 0x11, 3, IBS_PI_PortState, IBS_PORT_INIT);
}

static void
down_host(struct ibs_map *map)
{
	put(map, 0x20, 1, IBS_PI_PortState, IBS_PORT_DOWN);
}

static void
no_lid(struct ibs_map *map)
{
	put(map, 0x40, 1, IBS_PI_LID, 0);
}

static void
permissive_lid(struct ibs_map *map)
{
	put(map, 0x40, 1, IBS_PI_LID, 0xffff);
}

static void
silent_host(struct ibs_map *map)
{
	edit_port(map, 0x40, 1)->read = IBS_READ_TIMEOUT;
}

/* 0x20 and 0x30 at one cable, and no switch between them. */
static void
direct(struct ibs_map *map)
{
	struct ibs_map_port *a = edit_port(map, 0x20, 1);
	struct ibs_map_port *b = edit_port(map, 0x30, 1);

	map->ports[a->peer].peer = IBS_NO_INDEX;
	map->ports[b->peer].peer = IBS_NO_INDEX;
	a->peer = (uint32_t)(b - map->ports);
	b->peer = (uint32_t)(a - map->ports);
}

static void
edr_between(struct ibs_map *map)
{
	put(map, 0x10, 3, IBS_PI_LinkSpeedExtActive, 2);
	put(map, 0x11, 3, IBS_PI_LinkSpeedExtActive, 2);
}

/* The host at the end is slower still, in width. */
static void
slow_host(struct ibs_map *map)
{
	edr_between(map);
	put(map, 0x40, 1, IBS_PI_LinkWidthActive, 1);
	put(map, 0x11, 1, IBS_PI_LinkWidthActive, 1);
}

static void
ends_disagree(struct ibs_map *map)
{
	put(map, 0x11, 3, IBS_PI_LinkWidthActive, 1);
}

static void
lmc(struct ibs_map *map)
{
	put(map, 0x40, 1, IBS_PI_LID, 8);
	put(map, 0x40, 1, IBS_PI_LMC, 1);
}

/*
 * route   "SRC DST [LID]", GUIDs of nodes in hex
 * tables  what differs in them: "LEAF LID ENTRY, ...", or "top LID", or what
 *         becomes of the Gets at leaf 10: "info status", "block timeout"
 * want    hops, end, its place, the result, the speed and the slowest hop
 */
struct row {
	const char *name;
	void (*edit)(struct ibs_map *map);
	const char *route;
	const char *tables;
	const char *want;
};

static const struct row rows[] = {
	{ "host to host", NULL, "20 40", "",
	  "20/1-10/1 10/3-11/3 11/1-40/1 arrived 40: found 2000 by 0" },
	{ "at one switch", NULL, "20 30", "",
	  "20/1-10/1 10/2-30/1 arrived 30: found 2000 by 0" },
	{ "from a switch: by its own table", NULL, "10 50", "",
	  "10/4-11/4 11/2-50/1 arrived 50: found 2000 by 0" },
	{ "to a switch: its port 0", NULL, "20 11", "",
	  "20/1-10/1 10/3-11/3 arrived 11: found 2000 by 0" },
	{ "switch to switch", NULL, "11 10", "",
	  "11/4-10/4 arrived 10: found 2000 by 0" },
	{ "to itself", NULL, "20 20", "", "arrived 20: found" },
	{ "a switch to itself", NULL, "10 10", "", "arrived 10: found" },
	{ "no switch between", direct, "20 30", "",
	  "20/1-30/1 arrived 30: found 2000 by 0" },
	{ "no switch between, to another", direct, "20 40", "",
	  "20/1-30/1 stray 30/1: none" },
	{ "one slow link", edr_between, "20 40", "",
	  "20/1-10/1 10/3-11/3 11/1-40/1 arrived 40: found 1000 by 1" },
	{ "that is not on the way", edr_between, "20 50", "",
	  "20/1-10/1 10/4-11/4 11/2-50/1 arrived 50: found 2000 by 0" },
	{ "the slower of two", slow_host, "20 40", "",
	  "20/1-10/1 10/3-11/3 11/1-40/1 arrived 40: found 500 by 2" },
	{ "of ends that disagree the worse", ends_disagree, "20 40", "",
	  "20/1-10/1 10/3-11/3 11/1-40/1 arrived 40: found 500 by 1" },
	{ "a port that did not answer", silent_port, "20 40", "",
	  "20/1-10/1 10/3-11/3 11/1-40/1 arrived 40: incomplete by 0" },
	{ "nor is its peer known", silent_alone, "20 40", "",
	  "20/1-10/1 unread-port 10/3: incomplete" },
	{ "nobody is known behind", hidden_peer, "20 40", "",
	  "20/1-10/1 unknown-peer 10/3: incomplete" },
	{ "the destination did not answer", silent_host, "20 40", "",
	  "unread-port 40/1: incomplete" },
	{ "but its LID is known", silent_host, "20 40 5", "",
	  "20/1-10/1 10/3-11/3 11/1-40/1 arrived 40: incomplete by 0" },
	{ "down", down_port, "20 40", "", "20/1-10/1 not-active 10/3: none" },
	{ "the far end is Init", init_in, "20 40", "",
	  "20/1-10/1 not-active 11/3: none" },
	{ "the source is down", down_host, "20 40", "",
	  "not-active 20/1: none" },
	{ "LID 0", no_lid, "20 40", "", "no-lid 40/1: none" },
	{ "LID 0xffff", permissive_lid, "20 40", "", "no-lid 40/1: none" },
	{ "no entry", NULL, "20 40", "11 5 255",
	  "20/1-10/1 10/3-11/3 no-entry 11: none" },
	{ "above the top", NULL, "20 40", "top 4",
	  "20/1-10/1 above-top 10: none" },
	{ "the top itself", NULL, "20 40", "top 5",
	  "20/1-10/1 10/3-11/3 11/1-40/1 arrived 40: found 2000 by 0" },
	{ "a port that is not there", NULL, "20 40", "10 5 77",
	  "20/1-10/1 no-port 10/77: none" },
	{ "port 0 of another switch", NULL, "20 40", "10 5 0",
	  "20/1-10/1 kept 10/0: none" },
	{ "a port that is down by the table", NULL, "20 40", "10 5 5",
	  "20/1-10/1 not-active 10/5: none" },
	{ "to another host", NULL, "20 40", "11 5 2",
	  "20/1-10/1 10/3-11/3 11/2-50/1 stray 50/1: none" },
	{ "back to the source", NULL, "20 40", "10 5 1",
	  "20/1-10/1 10/1-20/1 stray 20/1: none" },
	{ "a loop over the other cable", NULL, "20 40", "11 5 4",
	  "20/1-10/1 10/3-11/3 11/4-10/4 loop 10: none" },
	{ "back over the same cable", NULL, "10 40", "11 5 3",
	  "10/3-11/3 11/3-10/3 loop 10: none" },
	{ "a table that does not answer", NULL, "20 40", "block timeout",
	  "20/1-10/1 unread-table 10: incomplete" },
	{ "a SwitchInfo that is refused", NULL, "20 40", "info status",
	  "20/1-10/1 unread-table 10: incomplete" },
	{ "the first LID of two", lmc, "20 40", "10 8 3, 11 8 1",
	  "20/1-10/1 10/3-11/3 11/1-40/1 arrived 40: found 2000 by 0" },
	{ "the second, which takes another way", lmc, "20 40 9",
	  "10 9 4, 11 9 1",
	  "20/1-10/1 10/4-11/4 11/1-40/1 arrived 40: found 2000 by 0" },
};

static void
change_tables(const char *text, struct tables *tables)
{
	unsigned int leaf, lid, entry;
	int length = 0;

	tables_fill(tables);
	if (strcmp(text, "info status") == 0) {
		tables->info[0].read = IBS_READ_STATUS;
		tables->info[0].status = 0x1c;
	} else if (strcmp(text, "block timeout") == 0) {
		tables->block[0].read = IBS_READ_TIMEOUT;
	} else if (sscanf(text, "top %u", &lid) == 1) {
		tables->top = (uint16_t)lid;
	}
	while (sscanf(text, "%x %u %u%n", &leaf, &lid, &entry, &length) == 3) {
		tables->leaf[leaf & 1][lid] = (uint8_t)entry;
		text += length;
		text += strspn(text, ", ");
	}
}

static void
check_row(const struct row *row)
{
	struct ibs_map *map = unit_map(row->edit);
	unsigned int src = 0, dst = 0, lid = 0;
	struct ibs_route route;
	struct tables tables;
	struct ibs_path path;
	char text[200];

	CHECK(row->name, sscanf(row->route, "%x %x %u", &src, &dst, &lid) >= 2);
	route = (struct ibs_route){
		.src = ibs_path_port_of(map, ibs_map_find_node(map, src)),
		.dst = ibs_path_port_of(map, ibs_map_find_node(map, dst)),
		.dlid = (uint16_t)lid,
	};
	change_tables(row->tables, &tables);
	CHECK_INT(row->name, ibs_path_begin(map, &route, &path), 0);
	drive(&path, &tables);
	path_text(&path, text, sizeof(text));
	CHECK_TEXT(row->name, text, row->want);
	CHECK_INT(row->name, path.status,
		  path.read == IBS_READ_STATUS ? 0x1c : 0);
	ibs_path_free(&path);
	ibs_map_free(map);
}

static void
test_rows(void)
{
	for (size_t i = 0; i < N_ROWS(rows); i++) {
		check_row(&rows[i]);
	}
}

/* What is worth less stands for the path: 30 Gb/s of SDR carry 24. */
static void
sdr_12x(struct ibs_map *map)
{
	static const struct {
		uint64_t guid;
		uint8_t num;
	} ends[2] = { { 0x10, 3 }, { 0x11, 3 } };

	for (unsigned int i = 0; i < 2; i++) {
		put(map, ends[i].guid, ends[i].num, IBS_PI_LinkWidthActive, 8);
		put(map, ends[i].guid, ends[i].num, IBS_PI_LinkSpeedExtActive,
		    0);
		put(map, ends[i].guid, ends[i].num, IBS_PI_LinkSpeedActive, 1);
	}
	put(map, 0x40, 1, IBS_PI_LinkWidthActive, 1);
	put(map, 0x40, 1, IBS_PI_LinkSpeedExtActive, 2);
	put(map, 0x11, 1, IBS_PI_LinkWidthActive, 1);
	put(map, 0x11, 1, IBS_PI_LinkSpeedExtActive, 2);
}

static void
test_rate(void)
{
	struct ibs_map *map = unit_map(sdr_12x);
	struct ibs_route route = { .src = port_at(map, 0x20, 1),
				   .dst = port_at(map, 0x40, 1) };
	struct tables tables;
	struct ibs_path path;

	tables_fill(&tables);
	CHECK_INT("rate", ibs_path_begin(map, &route, &path), 0);
	CHECK("no rate before it is there", !ibs_path_rate(&path));
	CHECK_INT("nor a result", ibs_path_result(&path), IBS_PATH_INCOMPLETE);
	drive(&path, &tables);
	CHECK_INT("12xSDR before 1xEDR", path.slowest, 1);
	CHECK_INT("its units", path.eff_100mbps, 300);
	CHECK_INT("its rate", ibs_path_rate(&path)->rate_enum, 4);
	ibs_path_free(&path);
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "each way ends as it should", test_rows },
	{ "the rate of a path", test_rate },
};

UNIT_MAIN("path", tests)
