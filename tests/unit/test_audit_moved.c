// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Cables that were moved, against the baseline that has them where they were: a
 * link that nothing took the place of is missing, whatever its ports have now.
 */
#include <config.h>

#include <stdio.h>

#include "audited.h"
#include "unit.h"

static void
rename_node(struct ibs_map *map, uint64_t guid, uint64_t to)
{
	map->nodes[port_of(map, guid, 1)->node].guid = to;
}

/* hostA's cable is where hostB's was, which is unplugged. */
static void
pushed_out(struct ibs_map *map)
{
	audited_part(map, 0x10, 1);
	audited_part(map, 0x30, 1);
	audited_join(map, 0x10, 2, 0x20, 1);
}

static void
pushed_out_gone(struct ibs_map *map)
{
	pushed_out(map);
	rename_node(map, 0x30, 0x99);
}

static void
pushed_out_silent(struct ibs_map *map)
{
	pushed_out(map);
	port_of(map, 0x30, 1)->read = IBS_READ_TIMEOUT;
}

/* hostC took the port of an uplink. */
static void
uplink_to_host(struct ibs_map *map)
{
	audited_part(map, 0x11, 3);
	audited_part(map, 0x11, 1);
	audited_join(map, 0x10, 3, 0x40, 1);
}

/* Both ends of an uplink have hosts now that were elsewhere before. */
static void
uplink_to_hosts(struct ibs_map *map)
{
	audited_part(map, 0x10, 1);
	audited_part(map, 0x11, 1);
	audited_join(map, 0x10, 3, 0x20, 1);
	audited_join(map, 0x11, 3, 0x40, 1);
}

/* hostA is at a spare port of the other leaf. */
static void
host_to_spare(struct ibs_map *map)
{
	audited_part(map, 0x10, 1);
	audited_join(map, 0x11, 5, 0x20, 1);
}

/* hostA to hostB's port, hostB to a spare one: a chain of two. */
static void
chain(struct ibs_map *map)
{
	audited_part(map, 0x10, 1);
	audited_join(map, 0x10, 2, 0x20, 1);
	audited_join(map, 0x10, 5, 0x30, 1);
}

/* Each host went on to the next one's port, all round. */
static void
ring(struct ibs_map *map)
{
	audited_join(map, 0x10, 2, 0x20, 1);
	audited_join(map, 0x11, 1, 0x30, 1);
	audited_join(map, 0x11, 2, 0x40, 1);
	audited_join(map, 0x10, 1, 0x50, 1);
}

/* The cables of hostA and of an uplink have changed their ports of leaf01. */
static void
crossed(struct ibs_map *map)
{
	audited_join(map, 0x10, 3, 0x20, 1);
	audited_join(map, 0x10, 1, 0x11, 3);
}

/* Nobody answers at either end of an uplink, whose ports are up. */
static void
alone(struct ibs_map *map)
{
	port_of(map, 0x10, 3)->peer = IBS_NO_INDEX;
	port_of(map, 0x11, 3)->peer = IBS_NO_INDEX;
}

static void
alone_and_down(struct ibs_map *map)
{
	alone(map);
	audited_part(map, 0x11, 3);
}

static const struct {
	const char *row;
	void (*edit)(struct ibs_map *map);
	int n_missing, n_moved, n_unknown;
	int should_100mbps, n_links;
	const char *text; /* of the first row */
} moves[] = {
	{ "pushed out", pushed_out, 1, 1, 0, 12000, 6,
	  "hostB/1 is down, the baseline of 2025-06-01 has 4xHDR to leaf01/2: "
	  "look at the cable" },
	{ "pushed out, gone", pushed_out_gone, 1, 1, 0, 12000, 6,
	  "leaf01/2 has another cable, the baseline of 2025-06-01 has 4xHDR to "
	  "hostB/1: look for it" },
	{ "pushed out, silent", pushed_out_silent, 0, 1, 1, 10000, 6,
	  "hostB/1 did not answer: timeout after 1 try" },
	{ "uplink to host", uplink_to_host, 1, 1, 0, 12000, 6,
	  "leaf02/3 is down, the baseline of 2025-06-01 has 4xHDR to leaf01/3: "
	  "look at the cable" },
	{ "uplink to hosts", uplink_to_hosts, 1, 2, 0, 12000, 6,
	  "leaf01/3 has another cable, the baseline of 2025-06-01 has 4xHDR to "
	  "leaf02/3: look for it" },
	{ "host to spare", host_to_spare, 0, 1, 0, 12000, 6,
	  "the baseline of 2025-06-01 has hostA/1 at leaf01/1" },
	{ "chain", chain, 0, 2, 0, 12000, 6,
	  "the baseline of 2025-06-01 has leaf01/2 at hostB/1" },
	{ "ring", ring, 0, 4, 0, 12000, 6,
	  "the baseline of 2025-06-01 has leaf01/1 at hostA/1" },
	{ "crossed", crossed, 0, 2, 0, 12000, 6,
	  "the baseline of 2025-06-01 has leaf01/1 at hostA/1" },
	{ "alone", alone, 0, 0, 2, 10000, 6,
	  "nobody knows who is behind leaf01/3" },
	{ "alone and down", alone_and_down, 1, 0, 1, 12000, 6,
	  "leaf02/3 is down, the baseline of 2025-06-01 has 4xHDR to leaf01/3: "
	  "look at the cable" },
};

static int
number(json_t *json, const char *path)
{
	return (int)json_integer_value(json_at(json, path));
}

static void
test_moves(void)
{
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		const char *row = moves[i].row;
		json_t *json = audited_against(NULL, moves[i].edit);
		json_t *text = json_at(json, "links.0.reasons.0.text");

		CHECK_INT(row, number(json, "audit.findings.missing"),
			  moves[i].n_missing);
		CHECK_INT(row, number(json, "audit.findings.moved"),
			  moves[i].n_moved);
		CHECK_INT(row, number(json, "audit.findings.unknown"),
			  moves[i].n_unknown);
		CHECK_INT(row, number(json, "audit.capacity.total.n_links"),
			  moves[i].n_links);
		CHECK_INT(row,
			  number(json, "audit.capacity.total.should_100mbps"),
			  moves[i].should_100mbps);
		CHECK_TEXT(row, json_string_value(text), moves[i].text);
		json_decref(json);
	}
}

/* A port that the policy names is down, wherever the baseline has its cable. */
static void
test_named(void)
{
	static const struct audited_line lines[] = {
		{ "named", "node", "leaf01" },
		{ "named", "ports", "1" },
		{ "named", "expect", "4xHDR" },
		{ NULL, NULL, NULL }
	};
	static const struct json_row rows[] = {
		{ "audit.findings.missing", "1" },
		{ "links.0.reasons.0.text",
		  "\"leaf01/1 is down, [named] of the policy:3 expects "
		  "4xHDR\"" },
		{ "audit.capacity.total.should_100mbps", "14000" },
	};
	struct ibs_map *map = unit_map(host_to_spare);
	struct ibs_audit_request request = audited_request(map);
	struct ibs_baseline baseline;
	struct ibs_policy policy;
	json_t *json;

	audited_baseline(NULL, &baseline);
	audited_policy(&policy, lines);
	request.baseline = &baseline;
	request.policy = &policy;
	json = audited_json(&request, "named");
	CHECK_JSON(json, rows);
	json_decref(json);
	ibs_policy_free(&policy);
	ibs_baseline_free(&baseline);
	ibs_map_free(map);
}

static void
aggregation(struct ibs_map *map)
{
	map->nodes[port_of(map, 0x20, 1)->node].device_id = 0xcf09;
}

/* The aggregation node is gone, and is no host for that. */
static void
aggregation_gone(struct ibs_map *map)
{
	audited_part(map, 0x10, 1);
	audited_part(map, 0x20, 1);
	rename_node(map, 0x20, 0x99);
}

static void
test_internal_gone(void)
{
	static const struct json_row rows[] = {
		{ "audit.findings.missing", "1" },
		{ "audit.capacity.internal.n_down", "1" },
		{ "audit.capacity.switch-host.n_links", "3" },
		{ "switches", "[]" },
	};
	json_t *json = audited_against(aggregation, aggregation_gone);

	CHECK_JSON(json, rows);
	json_decref(json);
}

/* hostA and hostC have one GUID, and the route to hostA is the shorter. */
static void
twin_routes(struct ibs_map *map, uint8_t a, uint8_t c)
{
	struct ibs_node *nodes[2] = {
		&map->nodes[port_of(map, 0x20, 1)->node],
		&map->nodes[port_of(map, 0x40, 1)->node]
	};

	nodes[0]->n_hops = nodes[1]->n_hops = 1;
	nodes[0]->path[1] = a;
	nodes[1]->path[1] = c;
	nodes[1]->guid = 0x20;
}

static void
twins(struct ibs_map *map)
{
	twin_routes(map, 1, 5);
}

/* It is the longer one now: they are numbered the other way round. */
static void
twins_rerouted(struct ibs_map *map)
{
	twin_routes(map, 9, 5);
}

static void
twins_crossed(struct ibs_map *map)
{
	audited_join(map, 0x10, 2, 0x20, 1);
	audited_join(map, 0x10, 1, 0x30, 1);
	twins_rerouted(map);
}

static void
test_twins(void)
{
	static const struct json_row rows[] = {
		{ "audit.findings.moved", "2" },
		{ "links.1.reasons.1.text",
		  "\"the baseline of 2025-06-01 has hostA/1 at leaf01/1\"" },
	};
	json_t *json = audited_against(twins, twins_rerouted);

	audited_count("twins", json, 0);
	json_decref(json);
	json = audited_against(twins, twins_crossed);
	CHECK_JSON(json, rows);
	json_decref(json);
}

/* Two ports of leaf02 have one cable, where hostC and an uplink were. */
static void
loop(struct ibs_map *map)
{
	audited_part(map, 0x40, 1);
	audited_part(map, 0x10, 3);
	audited_join(map, 0x11, 1, 0x11, 3);
}

static void
test_loop(void)
{
	static const struct json_row rows[] = {
		{ "audit.findings.missing", "2" },
		{ "switches.0.name", "\"leaf02\"" },
		{ "switches.0.up.n_links", "2" },
		{ "switches.0.up.n_down", "1" },
		{ "audit.capacity.total.n_links", "7" },
	};
	json_t *json = audited_against(NULL, loop);

	CHECK_JSON(json, rows);
	json_decref(json);
}

/* All at FDR10. */
static void
fdr10(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		struct ibs_map_port *port = &map->ports[i];

		port_put(port, IBS_PI_LinkSpeedExtActive, 0);
		port_put(port, IBS_PI_LinkSpeedExtSupported, 0);
		port_put(port, IBS_PI_LinkSpeedExtEnabled, 0);
		port->epi = (struct ibs_epi){ IBS_EPI_ANSWERED, 1, 1, 1 };
	}
}

/* The answer that tells FDR10 from QDR was lost, at both ends. */
static void
fdr10_untold(struct ibs_map *map)
{
	fdr10(map);
	port_of(map, 0x10, 1)->epi =
		(struct ibs_epi){ .read = IBS_EPI_NOT_ASKED };
	port_of(map, 0x20, 1)->epi =
		(struct ibs_epi){ .read = IBS_EPI_NOT_ASKED };
}

/* One end told that it is QDR. */
static void
fdr10_lost(struct ibs_map *map)
{
	fdr10_untold(map);
	port_of(map, 0x20, 1)->epi =
		(struct ibs_epi){ IBS_EPI_ANSWERED, 1, 1, 0 };
}

static void
test_fdr10(void)
{
	json_t *json = audited_against(fdr10, fdr10_untold);

	audited_count("untold", json, 0);
	json_decref(json);
	json = audited_against(fdr10, fdr10_lost);
	CHECK_INT("lost", number(json, "audit.findings.below-policy"), 1);
	json_decref(json);
}

static const struct unit_test tests[] = {
	{ "moves", test_moves },
	{ "named", test_named },
	{ "internal gone", test_internal_gone },
	{ "twins", test_twins },
	{ "loop", test_loop },
	{ "FDR10", test_fdr10 },
};
UNIT_MAIN("audit_moved", tests)
