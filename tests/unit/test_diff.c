// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Each thing that can change, and whether it is another state. */
#include <config.h>

#include "ibspeed/diff.h"

#include <string.h>

#include "ibspeed/attr.h"
#include "unit.h"

/* Ports of unit_map() before it is frozen. */
#define LEAF1_PORT1 1
#define LEAF1_PORT5 5 /* down */
#define HOST_A	    12
#define HOST_B	    13
#define HOST_D	    15
#define N_NODES	    6
#define N_PORTS	    16

static void
put(struct ibs_map *map, uint32_t port, enum ibs_port_info_field field,
    uint64_t value)
{
	ibs_field_put(map->ports[port].pi, &ibs_port_info_fields[field], value);
}

/* Bumps one field of an up port. */
static enum ibs_port_info_field bumped;

static void
edit_bumped(struct ibs_map *map)
{
	put(map, HOST_A, bumped, ibs_pi_get(map->ports[HOST_A].pi, bumped) + 1);
}

static bool
moves_by_itself(enum ibs_port_info_field field)
{
	return field == IBS_PI_M_Key || field == IBS_PI_LocalPortNum ||
	       field == IBS_PI_M_KeyViolations ||
	       field == IBS_PI_P_KeyViolations ||
	       field == IBS_PI_Q_KeyViolations || field == IBS_PI_MasterSMLID ||
	       field == IBS_PI_MasterSMSL || field == IBS_PI_M_KeyProtectBits ||
	       field == IBS_PI_M_KeyLeasePeriod ||
	       field == IBS_PI_ClientReregister ||
	       field == IBS_PI_LinkRoundTripLatency ||
	       field == IBS_PI_MaxCreditHint;
}

static void
test_fields(void)
{
	struct ibs_map *before = unit_map(NULL);

	for (int i = 0; i < IBS_PI_COUNT; i++) {
		const char *row = ibs_port_info_fields[i].name;
		struct ibs_diff diff;
		struct ibs_map *after;

		bumped = (enum ibs_port_info_field)i;
		after = unit_map(edit_bumped);
		CHECK_INT(row, ibs_diff_make(before, after, &diff), 0);
		CHECK_INT(row, diff.n_nodes, 0);
		CHECK_INT(row, diff.n_ports, 1);
		if (diff.n_ports == 1) {
			CHECK_INT(row, diff.ports[0].kind,
				  moves_by_itself(bumped) ? IBS_CHANGE_BYTES
							  : IBS_CHANGE_STATE);
			CHECK_INT(row, diff.ports[0].before, HOST_A);
			CHECK_INT(row, diff.ports[0].after, HOST_A);
		}
		ibs_diff_free(&diff);
		ibs_map_free(after);
	}
	ibs_map_free(before);
}

static void
edit_timeout(struct ibs_map *map)
{
	map->ports[HOST_A].read = IBS_READ_TIMEOUT;
}

static void
edit_status(struct ibs_map *map)
{
	map->ports[HOST_A].read = IBS_READ_STATUS;
	map->ports[HOST_A].status = 0x1c;
}

static void
edit_other_status(struct ibs_map *map)
{
	edit_status(map);
	map->ports[HOST_A].status = 4;
}

/* What was not read has no bytes. */
static void
edit_status_bytes(struct ibs_map *map)
{
	edit_status(map);
	put(map, HOST_A, IBS_PI_LinkWidthActive, 8);
}

static void
edit_asked(struct ibs_map *map)
{
	map->ports[HOST_A].flags ^= IBS_PORT_ASKED_EXT;
}

static void
edit_port_guid(struct ibs_map *map)
{
	map->ports[HOST_A].guid++;
}

static void
edit_epi(struct ibs_map *map)
{
	map->ports[HOST_A].epi = (struct ibs_epi){ IBS_EPI_ANSWERED, 1, 1, 0 };
}

static void
edit_epi_active(struct ibs_map *map)
{
	edit_epi(map);
	map->ports[HOST_A].epi.active = 1;
}

static void
edit_tries(struct ibs_map *map)
{
	map->ports[HOST_A].tries++;
}

static void
edit_sm(struct ibs_map *map)
{
	map->ports[HOST_A].flags |= IBS_PORT_HAS_SM;
	map->ports[HOST_A].sm =
		(struct ibs_pair){ IBS_SPEED_HDR, IBS_WIDTH_4X };
}

static void
edit_sm_speed(struct ibs_map *map)
{
	edit_sm(map);
	map->ports[HOST_A].sm.speed = IBS_SPEED_EDR;
}

static void
edit_sm_void(struct ibs_map *map)
{
	map->ports[HOST_A].sm.speed = IBS_SPEED_EDR;
}

static void
edit_gate(struct ibs_map *map)
{
	map->ports[HOST_A].flags |= IBS_PORT_SM_GATE;
}

static void
edit_since(struct ibs_map *map)
{
	map->ports[HOST_A].since_ns = 5;
}

/* A Down port may say anything of its speed. */
static void
edit_down_bytes(struct ibs_map *map)
{
	put(map, LEAF1_PORT5, IBS_PI_LinkSpeedExtActive, 8);
	put(map, LEAF1_PORT5, IBS_PI_LinkWidthEnabled, 1);
}

static void
edit_down_phys(struct ibs_map *map)
{
	put(map, LEAF1_PORT5, IBS_PI_PortPhysicalState, 3);
}

static void
edit_down_up(struct ibs_map *map)
{
	put(map, LEAF1_PORT5, IBS_PI_PortState, IBS_PORT_INIT);
}

static void
edit_unplug(struct ibs_map *map)
{
	map->ports[LEAF1_PORT1].peer = IBS_NO_INDEX;
	map->ports[HOST_A].peer = IBS_NO_INDEX;
}

/* The cables of two hosts change places. */
static void
edit_swap(struct ibs_map *map)
{
	uint32_t a = map->ports[HOST_A].peer, b = map->ports[HOST_B].peer;

	map->ports[HOST_A].peer = b;
	map->ports[b].peer = HOST_A;
	map->ports[HOST_B].peer = a;
	map->ports[a].peer = HOST_B;
}

static void
edit_name(struct ibs_map *map)
{
	map->nodes[2].desc[63] = 'x';
}

static void
edit_type(struct ibs_map *map)
{
	map->nodes[2].type = IBS_NODE_ROUTER;
}

static void
edit_path(struct ibs_map *map)
{
	map->nodes[2].n_hops = 2;
}

static void
edit_route(struct ibs_map *map)
{
	edit_path(map);
	map->nodes[2].path[2] = 3;
	map->nodes[2].port_guid++;
}

static void
edit_last_gone(struct ibs_map *map)
{
	map->ports[map->ports[HOST_D].peer].peer = IBS_NO_INDEX;
	map->n_ports--;
	map->n_nodes--;
}

/* The first node, so that all indexes move. */
static void
edit_first_guid(struct ibs_map *map)
{
	map->nodes[0].guid = 0xffff;
}

static void
edit_port_gone(struct ibs_map *map)
{
	map->ports[HOST_D].num = 2;
}

static const struct row {
	const char *name;
	void (*before)(struct ibs_map *map);
	void (*after)(struct ibs_map *map);
	/* how many changes of each enum ibs_change_kind */
	size_t nodes[4];
	size_t ports[4];
} rows[] = {
	/* NEW, GONE, STATE, BYTES */
	{ "nothing", NULL, NULL, { 0 }, { 0 } },
	{ "nothing but since", NULL, edit_since, { 0 }, { 0 } },
	{ "read", NULL, edit_timeout, { 0 }, { 0, 0, 1, 0 } },
	{ "status", edit_status, edit_other_status, { 0 }, { 0, 0, 1, 0 } },
	{ "no bytes", edit_status, edit_status_bytes, { 0 }, { 0 } },
	{ "bit 31", NULL, edit_asked, { 0 }, { 0, 0, 1, 0 } },
	{ "port GUID", NULL, edit_port_guid, { 0 }, { 0, 0, 1, 0 } },
	{ "epi", NULL, edit_epi, { 0 }, { 0, 0, 1, 0 } },
	{ "FDR10", edit_epi, edit_epi_active, { 0 }, { 0, 0, 1, 0 } },
	{ "tries", NULL, edit_tries, { 0 }, { 0, 0, 0, 1 } },
	{ "the SM knows", NULL, edit_sm, { 0 }, { 0, 0, 0, 1 } },
	{ "the SM's speed", edit_sm, edit_sm_speed, { 0 }, { 0, 0, 0, 1 } },
	{ "no SM, no speed", NULL, edit_sm_void, { 0 }, { 0 } },
	{ "the SM's gate", NULL, edit_gate, { 0 }, { 0, 0, 0, 1 } },
	{ "down bytes", NULL, edit_down_bytes, { 0 }, { 0, 0, 0, 1 } },
	{ "down, disabled", NULL, edit_down_phys, { 0 }, { 0, 0, 1, 0 } },
	{ "down, then up", NULL, edit_down_up, { 0 }, { 0, 0, 1, 0 } },
	{ "unplugged", NULL, edit_unplug, { 0 }, { 0, 0, 2, 0 } },
	{ "swapped", NULL, edit_swap, { 0 }, { 0, 0, 4, 0 } },
	{ "name", NULL, edit_name, { 0, 0, 1, 0 }, { 0 } },
	{ "type", NULL, edit_type, { 0, 0, 1, 0 }, { 0 } },
	{ "hops", NULL, edit_path, { 0, 0, 0, 1 }, { 0 } },
	{ "route", edit_path, edit_route, { 0, 0, 0, 1 }, { 0 } },
	{ "gone", NULL, edit_last_gone, { 0, 1 }, { 0, 1, 1, 0 } },
	{ "new", edit_last_gone, NULL, { 1 }, { 1, 0, 1, 0 } },
	/* its six ports, and its four peers see another node */
	{ "another GUID", NULL, edit_first_guid, { 1, 1 }, { 6, 6, 4, 0 } },
	{ "port number", NULL, edit_port_gone, { 0 }, { 1, 1, 1, 0 } },
};

static void
count(const struct ibs_change *changes, size_t n, size_t *ret_counts)
{
	for (size_t i = 0; i < n; i++) {
		ret_counts[changes[i].kind]++;
	}
}

static void
test_changes(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_map *before = unit_map(rows[i].before);
		struct ibs_map *after = unit_map(rows[i].after);
		size_t nodes[4] = { 0 }, ports[4] = { 0 };
		struct ibs_diff diff;

		CHECK_INT(rows[i].name, ibs_diff_make(before, after, &diff), 0);
		count(diff.nodes, diff.n_nodes, nodes);
		count(diff.ports, diff.n_ports, ports);
		for (int kind = 0; kind < 4; kind++) {
			CHECK_INT(rows[i].name, nodes[kind],
				  rows[i].nodes[kind]);
			CHECK_INT(rows[i].name, ports[kind],
				  rows[i].ports[kind]);
		}
		ibs_diff_free(&diff);
		ibs_map_free(before);
		ibs_map_free(after);
	}
}

static void
test_indexes(void)
{
	struct ibs_map *before = unit_map(NULL);
	struct ibs_map *after = unit_map(edit_first_guid);
	struct ibs_diff diff;

	CHECK_INT("make", ibs_diff_make(before, after, &diff), 0);
	for (size_t i = 0; i < diff.n_ports; i++) {
		const struct ibs_change *change = &diff.ports[i];

		CHECK("new", (change->kind == IBS_CHANGE_NEW) ==
				     (change->before == IBS_NO_INDEX));
		CHECK("gone", (change->kind == IBS_CHANGE_GONE) ==
				      (change->after == IBS_NO_INDEX));
		if (change->kind == IBS_CHANGE_STATE) {
			CHECK_INT("same port",
				  before->ports[change->before].guid,
				  after->ports[change->after].guid);
		}
	}
	ibs_diff_free(&diff);
	ibs_map_free(before);
	ibs_map_free(after);
}

static void
test_ends(void)
{
	struct ibs_map *map = unit_map(NULL);
	struct ibs_map *empty = ibs_map_new();
	struct ibs_diff diff;

	CHECK_INT("first", ibs_diff_make(NULL, map, &diff), 0);
	CHECK_INT("first", diff.n_nodes, N_NODES);
	CHECK_INT("first", diff.n_ports, N_PORTS);
	CHECK_INT("first", diff.ports[0].kind, IBS_CHANGE_NEW);
	ibs_diff_free(&diff);
	CHECK("freed", !diff.nodes && !diff.ports && !diff.n_ports);
	CHECK_INT("all gone", ibs_map_freeze(empty), 0);
	CHECK_INT("all gone", ibs_diff_make(map, empty, &diff), 0);
	CHECK_INT("all gone", diff.n_nodes, N_NODES);
	CHECK_INT("all gone", diff.ports[0].kind, IBS_CHANGE_GONE);
	ibs_diff_free(&diff);
	CHECK_INT("empty", ibs_diff_make(NULL, empty, &diff), 0);
	CHECK_INT("empty", diff.n_nodes + diff.n_ports, 0);
	ibs_diff_free(&diff);
	CHECK_INT("same", ibs_diff_make(map, map, &diff), 0);
	CHECK("same: no memory", !diff.nodes && !diff.ports);
	ibs_diff_free(&diff);
	ibs_map_free(empty);
	ibs_map_free(map);
}

#define YESTERDAY 1000
#define TODAY	  2000

static void
narrow_one(struct ibs_map *map)
{
	map->sweep.start_ns = TODAY;
	ibs_field_put(map->ports[1].pi,
		      &ibs_port_info_fields[IBS_PI_LinkWidthActive], 1);
	ibs_field_put(map->ports[2].pi,
		      &ibs_port_info_fields[IBS_PI_P_KeyViolations], 7);
}

/* A state that stays keeps its time; counters are no state. */
static void
test_since(void)
{
	struct ibs_map *before = unit_map(NULL), *map = unit_map(narrow_one);

	before->sweep.start_ns = YESTERDAY;
	CHECK_INT("first", ibs_diff_since(NULL, before), 0);
	CHECK_INT("all new", before->ports[1].since_ns, YESTERDAY);
	CHECK_INT("second", ibs_diff_since(before, map), 0);
	CHECK_INT("narrowed", map->ports[1].since_ns, TODAY);
	CHECK_INT("counted", map->ports[2].since_ns, YESTERDAY);
	CHECK_INT("the same", map->ports[3].since_ns, YESTERDAY);
	ibs_map_free(before);
	ibs_map_free(map);
}

static const struct unit_test tests[] = {
	{ "since when", test_since },
	{ "each field of PortInfo", test_fields },
	{ "each kind of change", test_changes },
	{ "indexes", test_indexes },
	{ "first, last and none", test_ends },
};
UNIT_MAIN("diff", tests)
