// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* What people type: GUIDs, LIDs, names, pairs and rates. */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "ibspeed/address.h"
#include "unit.h"

static void
test_guid(void)
{
	static const struct {
		const char *text;
		int returns;
		uint64_t guid;
	} rows[] = {
		{ "0x10", 0, 0x10 },
		{ "0X0002c90300a1b2c3", 0, 0x0002c90300a1b2c3 },
		{ "0xffffffffffffffff", 0, UINT64_MAX },
		{ "0x", -EINVAL, 7 },
		{ "10", -EINVAL, 7 },
		{ "0x10g", -EINVAL, 7 },
		{ "0x10 ", -EINVAL, 7 },
		{ "0x00000000000000010", -EINVAL, 7 },
		{ "", -EINVAL, 7 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t guid = 7;

		CHECK_INT(rows[i].text, ibs_guid_from_text(rows[i].text, &guid),
			  rows[i].returns);
		CHECK(rows[i].text, guid == rows[i].guid);
	}
}

static void
test_rate(void)
{
	static const struct {
		const char *text;
		int returns;
		int speed, width;
		int64_t eff;
		int rate_enum; /* -1: none */
	} rows[] = {
		{ "4xHDR", 0, IBS_SPEED_HDR, IBS_WIDTH_4X, 2000, 17 },
		{ "4Xhdr", 0, IBS_SPEED_HDR, IBS_WIDTH_4X, 2000, 17 },
		{ "1xSDR", 0, IBS_SPEED_SDR, IBS_WIDTH_1X, 25, 2 },
		{ "4xFDR10", 0, IBS_SPEED_FDR10, IBS_WIDTH_4X, 400, 7 },
		{ "8xXDR", 0, IBS_SPEED_XDR, IBS_WIDTH_8X, 16000, 25 },
		{ "12xXDR", 0, IBS_SPEED_XDR, IBS_WIDTH_12X, 24000, -1 },
		{ "enum:17", 0, 0, 0, 2000, 17 },
		{ "enum:0", 0, 0, 0, -1, -1 },
		{ "enum:-1", 0, 0, 0, -1, -1 },
		{ "enum:99", 0, 0, 0, -1, -1 },
		{ "mult:80", 0, 0, 0, 2000, 17 },
		{ "mult:7", 0, 0, 0, -1, -1 },
		{ "mbps:206250", 0, 0, 0, 2000, 17 },
		{ "mbps:200000", 0, 0, 0, -1, -1 },
		{ "200G", 0, 0, 0, 2000, 17 },
		{ "2.5G", 0, 0, 0, 25, 2 },
		{ "2.5g", 0, 0, 0, 25, 2 },
		{ "13G", 0, 0, 0, 130, -1 },
		{ "5xHDR", -EINVAL, 0, 0, 0, 0 },
		{ "4xFOO", -EINVAL, 0, 0, 0, 0 },
		{ "4x", -EINVAL, 0, 0, 0, 0 },
		{ "HDR", -EINVAL, 0, 0, 0, 0 },
		{ "enum:", -EINVAL, 0, 0, 0, 0 },
		{ "enum:1x", -EINVAL, 0, 0, 0, 0 },
		{ "enum: 1", -EINVAL, 0, 0, 0, 0 },
		{ "enum:99999999999999999999", -EINVAL, 0, 0, 0, 0 },
		{ "mults:80", -EINVAL, 0, 0, 0, 0 },
		{ "200", -EINVAL, 0, 0, 0, 0 },
		{ "2.55G", -EINVAL, 0, 0, 0, 0 },
		{ "G", -EINVAL, 0, 0, 0, 0 },
		{ "-200G", -EINVAL, 0, 0, 0, 0 },
		{ "9999999999G", -EINVAL, 0, 0, 0, 0 },
		{ "", -EINVAL, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_rate_query rate = { .eff_100mbps = 0 };
		int err = ibs_rate_from_text(rows[i].text, &rate);
		int got = rate.rate ? rate.rate->rate_enum : -1;

		CHECK_INT(rows[i].text, err, rows[i].returns);
		if (!err) {
			CHECK_INT(rows[i].text, rate.pair.speed, rows[i].speed);
			CHECK_INT(rows[i].text, rate.pair.width, rows[i].width);
			CHECK_INT(rows[i].text, rate.eff_100mbps, rows[i].eff);
			CHECK_INT(rows[i].text, got, rows[i].rate_enum);
		}
	}
}

static void
rename_hosts(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		struct ibs_node *node = &map->nodes[i];

		if (node->guid == 0x30) { /* a prefix of another name */
			memcpy(node->desc, "host", 5);
		} else if (node->guid == 0x20) { /* alone to begin so */
			memcpy(node->desc, "hostA7", 7);
		} else if (node->guid == 0x50) { /* the name of another */
			memcpy(node->desc, "hostC", 5);
		}
		node->port_guid = node->guid + 0x1000;
	}
	for (uint32_t i = 0; i < map->n_ports; i++) {
		map->ports[i].guid = map->nodes[map->ports[i].node].port_guid;
	}
}

static void
test_find(void)
{
	static const struct {
		const char *text;
		bool is_lid;
		int returns;
		uint64_t guid; /* of the node */
		bool has_port;
		uint32_t n_candidates;
		bool by_prefix;
	} rows[] = {
		{ "0x20", false, 0, 0x20, false, 0, false },
		{ "0x1020", false, 0, 0x20, true, 0, false },
		{ "0x1010", false, 0, 0x10, false, 0, false },
		{ "0x99", false, -ENOENT, 0, false, 0, false },
		{ "0xzz", false, -ENOENT, 0, false, 0, false },
		{ "hostA7", false, 0, 0x20, false, 1, false },
		{ "hostA", false, 0, 0x20, false, 1, true },
		{ "host", false, 0, 0x30, false, 1, false },
		{ "leaf01", false, 0, 0x10, false, 1, false },
		{ "leaf", false, -ENOTUNIQ, 0, false, 2, true },
		{ "hostC", false, -ENOTUNIQ, 0, false, 2, false },
		{ "h", false, -ENOTUNIQ, 0, false, 4, true },
		{ "nobody", false, -ENOENT, 0, false, 0, false },
		{ "", false, -EINVAL, 0, false, 0, false },
		{ "3", true, 0, 0x20, true, 0, false },
		{ "1", true, 0, 0x10, false, 0, false },
		{ "9", true, -ENOENT, 0, false, 0, false },
		{ "0", true, -EINVAL, 0, false, 0, false },
		{ "49152", true, -EINVAL, 0, false, 0, false },
		{ "x", true, -EINVAL, 0, false, 0, false },
	};
	struct ibs_map *map = unit_map(rename_hosts);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_address found = { 0 };
		int err = ibs_address_find(map, rows[i].text, rows[i].is_lid,
					   &found);

		CHECK_INT(rows[i].text, err, rows[i].returns);
		CHECK_INT(rows[i].text, found.n_candidates,
			  rows[i].n_candidates);
		CHECK_INT(rows[i].text, found.by_prefix, rows[i].by_prefix);
		if (!err) {
			CHECK_INT(rows[i].text, map->nodes[found.node].guid,
				  rows[i].guid);
			CHECK_INT(rows[i].text, found.port != IBS_NO_INDEX,
				  rows[i].has_port);
		}
	}
	ibs_map_free(map);
}

static struct ibs_map_port *
host_port(struct ibs_map *map, uint64_t guid)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		if (map->nodes[map->ports[i].node].guid == guid) {
			return &map->ports[i];
		}
	}
	return NULL;
}

/* 0x20, 0x30 and 0x40 had LID 7 one after the other; 0x11 has 2, as 0x50. */
static void
stale_lids(struct ibs_map *map)
{
	static const struct {
		uint64_t guid;
		enum ibs_port_state state;
		uint16_t lid;
	} rows[] = {
		{ 0x20, IBS_PORT_DOWN, 7 },
		{ 0x30, IBS_PORT_INIT, 7 },
		{ 0x40, IBS_PORT_ACTIVE, 7 },
		{ 0x50, IBS_PORT_DOWN, 2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t *pi = host_port(map, rows[i].guid)->pi;

		ibs_field_put(pi, &ibs_port_info_fields[IBS_PI_LID],
			      rows[i].lid);
		ibs_field_put(pi, &ibs_port_info_fields[IBS_PI_PortState],
			      rows[i].state);
	}
}

static void
less_stale(struct ibs_map *map)
{
	stale_lids(map);
	ibs_field_put(host_port(map, 0x40)->pi,
		      &ibs_port_info_fields[IBS_PI_PortState], IBS_PORT_DOWN);
}

static void
all_stale(struct ibs_map *map)
{
	less_stale(map);
	ibs_field_put(host_port(map, 0x30)->pi,
		      &ibs_port_info_fields[IBS_PI_PortState], 9);
}

static void
test_stale_lid(void)
{
	static const struct {
		const char *name;
		void (*edit)(struct ibs_map *map);
		const char *lid;
		uint64_t guid;
	} rows[] = {
		{ "Active before all", stale_lids, "7", 0x40 },
		{ "up before down", less_stale, "7", 0x30 },
		{ "the first where none is up", all_stale, "7", 0x20 },
		{ "a switch", stale_lids, "2", 0x11 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_map *map = unit_map(rows[i].edit);
		struct ibs_address found = { 0 };

		CHECK_INT(rows[i].name,
			  ibs_address_find(map, rows[i].lid, true, &found), 0);
		CHECK_INT(rows[i].name, map->nodes[found.node].guid,
			  rows[i].guid);
		ibs_map_free(map);
	}
}

static const struct unit_test tests[] = {
	{ "guid", test_guid },
	{ "rate", test_rate },
	{ "find", test_find },
	{ "LIDs that are no longer so", test_stale_lid },
};
UNIT_MAIN("address", tests)
