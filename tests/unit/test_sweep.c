// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The sweep of ports that are known, against a fake fabric. */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "fabric.h"
#include "ibspeed/sweep.h"
#include "unit.h"

static void
put(uint8_t *pi, enum ibs_port_info_field field, uint64_t value)
{
	ibs_field_put(pi, &ibs_port_info_fields[field], value);
}

static void
open_readings(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		struct ibs_map_port *port = &map->ports[i];

		port->read = IBS_READ_UNASKED;
		port->tries = 0;
		port->flags = 0;
		memset(port->pi, 0, sizeof(port->pi));
	}
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		map->nodes[i].n_hops = 1;
		map->nodes[i].path[1] = (uint8_t)i;
	}
}

static void
start(void (*edit)(struct ibs_map *map))
{
	fabric_start(edit);
	fabric.by_index = true;
}

static struct ibs_map *
drive(struct ibs_map *map, const struct ibs_sweep_limits *limits)
{
	struct ibs_sweep *sweep;

	CHECK_INT("new", ibs_sweep_new(map, limits, UINT32_MAX - 3, &sweep), 0);
	fabric_drive(sweep);
	CHECK_INT("finish", ibs_sweep_finish(sweep, &map), 0);
	CHECK_INT("freeze", ibs_map_freeze(map), 0);
	return map;
}

static struct ibs_map *
sweep_with(const struct ibs_sweep_limits *limits)
{
	return drive(unit_map(open_readings), limits);
}

static void
end(struct ibs_map *map)
{
	ibs_map_free(map);
	fabric_end();
}

static void
test_all_answer(void)
{
	struct ibs_map *map;

	start(NULL);
	map = sweep_with(&fabric_usual);
	CHECK("complete", ibs_map_complete(map));
	CHECK_INT("links", map->n_links, 6);
	for (uint32_t i = 0; i < map->n_ports; i++) {
		CHECK("bytes",
		      memcmp(map->ports[i].pi, fabric.truth->ports[i].pi,
			     IBS_ATTR_SIZE) == 0);
		CHECK_INT("tries", map->ports[i].tries, 1);
	}
	CHECK_INT("one Get per port", map->sweep.n_smps, 16);
	/* bit 31: the ten external ports, gated by port 0; not the port 0s,
	 * and not the hosts, whose first plain answer says it all */
	CHECK_INT("with bit 31", fabric.n_ext, 10);
	CHECK_INT("no FDR10 to ask for", fabric.n_epi, 0);
	end(map);
}

static void
test_window(void)
{
	static const struct ibs_sweep_limits rows[] = {
		{ 1, 1, 0, 3, TIMEOUT_NS },	{ 3, 1, 0, 3, TIMEOUT_NS },
		{ 8, 2, 0, 3, TIMEOUT_NS },	{ 128, 1, 0, 3, TIMEOUT_NS },
		{ 128, 128, 0, 3, TIMEOUT_NS },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_map *map;

		start(NULL);
		map = sweep_with(&rows[i]);
		CHECK("complete", ibs_map_complete(map));
		CHECK("window", fabric.in_flight_max <= rows[i].max_smps);
		CHECK("node",
		      fabric.node_in_flight_max <= rows[i].max_smps_per_node);
		end(map);
	}
}

static void
test_bad_limits(void)
{
	static const struct ibs_sweep_limits rows[] = {
		{ 0, 2, 0, 3, TIMEOUT_NS },   { 129, 2, 0, 3, TIMEOUT_NS },
		{ 8, 0, 0, 3, TIMEOUT_NS },   { 8, 2, 0, 0, TIMEOUT_NS },
		{ 8, 2, 0, 256, TIMEOUT_NS }, { 8, 2, 0, 3, 0 },
	};
	struct ibs_map *map = unit_map(open_readings);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_sweep *sweep = NULL;

		CHECK_INT("limits", ibs_sweep_new(map, &rows[i], 1, &sweep),
			  -EINVAL);
		CHECK("untouched", sweep == NULL);
	}
	ibs_map_free(map);
}

static void
test_lost_and_refused(void)
{
	struct ibs_map *map;
	uint32_t port;

	start(NULL);
	fabric_misbehave(0x20, 1, SILENT);
	fabric_misbehave(0x30, 1, SILENT_ONCE);
	fabric_misbehave(0x40, 1, REFUSES);
	fabric_misbehave(0x50, 1, BUSY_ONCE);
	map = sweep_with(&fabric_usual);
	port = fabric_port(0x20, 1);
	CHECK_INT("silent", map->ports[port].read, IBS_READ_TIMEOUT);
	CHECK_INT("silent", map->ports[port].tries, 3);
	port = fabric_port(0x30, 1);
	CHECK_INT("lost once", map->ports[port].read, IBS_READ_OK);
	CHECK_INT("lost once", map->ports[port].tries, 2);
	port = fabric_port(0x40, 1);
	CHECK_INT("refused", map->ports[port].read, IBS_READ_STATUS);
	CHECK_INT("refused", map->ports[port].status, 0x1c);
	CHECK_INT("refused", map->ports[port].tries, 1);
	port = fabric_port(0x50, 1);
	CHECK_INT("busy", map->ports[port].read, IBS_READ_OK);
	CHECK_INT("retries", map->sweep.n_retries, 4);
	CHECK_INT("time-outs", map->sweep.n_timeouts, 4);
	CHECK("incomplete", !ibs_map_complete(map));
	end(map);
}

/* R01: a device that shows its extended speeds only to a Get with bit 31. */
static void
test_r01_bit31(void)
{
	struct ibs_map *map;
	struct ibs_port port;

	start(NULL);
	fabric_misbehave(0x20, 1, HIDES_EXT);
	fabric_misbehave(0x10, 1, HIDES_EXT);
	map = sweep_with(&fabric_usual);
	ibs_map_port_decode(map, fabric_port(0x20, 1), &port);
	CHECK_INT("host", port.speed, IBS_SPEED_HDR);
	CHECK("host", !port.needs_reread);
	ibs_map_port_decode(map, fabric_port(0x10, 1), &port);
	CHECK_INT("switch", port.speed, IBS_SPEED_HDR);
	CHECK_INT("one host asked again", map->sweep.n_smps, 17);
	end(map);
}

/* Bit 31 refused: the plain answer is used, and nobody asks for ever. */
static void
test_bit31_refused(void)
{
	struct ibs_map *map;

	start(NULL);
	fabric_misbehave(0x10, 1, REFUSES_EXT);
	map = sweep_with(&fabric_usual);
	CHECK("complete", ibs_map_complete(map));
	CHECK_INT("tries", map->ports[fabric_port(0x10, 1)].tries, 2);
	CHECK("plain",
	      !(map->ports[fabric_port(0x10, 1)].flags & IBS_PORT_ASKED_EXT));
	CHECK_INT("no finding", map->links[0].link.findings, 0);
	end(map);
}

static void
qdr_on_fdr10_devices(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		put(map->ports[i].pi, IBS_PI_LinkSpeedExtActive, 0);
		put(map->ports[i].pi, IBS_PI_LinkSpeedExtSupported, 0);
		put(map->ports[i].pi, IBS_PI_LinkSpeedExtEnabled, 0);
	}
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		map->nodes[i].device_id = 0xc738;
	}
}

static void
open_fdr10_devices(struct ibs_map *map)
{
	open_readings(map);
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		map->nodes[i].device_id = 0xc738;
	}
}

static void
test_fdr10(void)
{
	struct ibs_map *map;
	struct ibs_port port;

	start(qdr_on_fdr10_devices);
	fabric_misbehave(0x20, 1, NO_EXT_PORT);
	map = drive(unit_map(open_fdr10_devices), &fabric_usual);
	CHECK("complete", ibs_map_complete(map));
	ibs_map_port_decode(map, fabric_port(0x10, 1), &port);
	CHECK_INT("fdr10", port.speed, IBS_SPEED_FDR10);
	ibs_map_port_decode(map, fabric_port(0x20, 1), &port);
	CHECK_INT("not told", port.speed, IBS_SPEED_QDR);
	CHECK("not told", !port.fdr10_known);
	CHECK_INT("one try each, 12 ports up", fabric.n_epi, 12);
	for (uint32_t i = 0; i < map->n_links; i++) {
		CHECK_INT("links", map->links[i].link.findings, 0);
	}
	end(map);
}

/* The readings of the ends are not made at one moment. */
static void
test_mismatch_read_again(void)
{
	struct ibs_map *map;

	start(NULL);
	fabric_misbehave(0x20, 1, CHANGES_ONCE);
	map = sweep_with(&fabric_usual);
	CHECK_INT("both ends again", map->sweep.n_smps, 18);
	CHECK_INT("no retry", map->sweep.n_retries, 0);
	for (uint32_t i = 0; i < map->n_links; i++) {
		CHECK_INT("links", map->links[i].link.findings, 0);
	}
	end(map);
}

/* A switch that never answers is not asked for each of its ports. */
static void
test_silent_switch(void)
{
	struct ibs_map *map;
	unsigned int n_unreachable = 0;

	start(NULL);
	for (uint8_t num = 0; num <= 5; num++) {
		fabric_misbehave(0x11, num, SILENT);
	}
	map = sweep_with(&fabric_usual);
	for (uint8_t num = 0; num <= 5; num++) {
		const struct ibs_map_port *port =
			&map->ports[fabric_port(0x11, num)];

		CHECK("unread", port->read == IBS_READ_TIMEOUT ||
					port->read == IBS_READ_UNREACHABLE);
		n_unreachable += port->read == IBS_READ_UNREACHABLE;
	}
	CHECK("given up", n_unreachable > 0);
	CHECK_INT("others", map->ports[fabric_port(0x10, 4)].read, IBS_READ_OK);
	CHECK_INT("others", map->ports[fabric_port(0x40, 1)].read, IBS_READ_OK);
	end(map);
}

static void
test_stray_answers(void)
{
	struct ibs_map *map = unit_map(open_readings);
	struct ibs_attr attr = { .id = IBS_ATTR_PORT_INFO,
				 .read = IBS_READ_OK };
	struct ibs_sweep *sweep;
	struct ibs_smp smp;

	CHECK_INT("new", ibs_sweep_new(map, &fabric_usual, 1, &sweep), 0);
	CHECK("next", ibs_sweep_next(sweep, 1, &smp));
	attr.modifier = smp.modifier;
	ibs_sweep_answer(sweep, 0, &attr);
	ibs_sweep_answer(sweep, smp.tid + 1000, &attr);
	attr.modifier = smp.modifier + 1;
	ibs_sweep_answer(sweep, smp.tid, &attr);
	attr.modifier = smp.modifier;
	attr.id = IBS_ATTR_NODE_INFO;
	ibs_sweep_answer(sweep, smp.tid, &attr);
	attr.id = IBS_ATTR_PORT_INFO;
	ibs_sweep_answer(sweep, smp.tid, &attr);
	ibs_sweep_answer(sweep, smp.tid, &attr);
	CHECK_INT("finish", ibs_sweep_finish(sweep, &map), 0);
	CHECK_INT("stray", map->sweep.n_stray, 5);
	ibs_map_free(map);
}

/* A silent node holds up nobody: after a while its Get does not count. */
static void
test_late(void)
{
	static const struct ibs_sweep_limits one = { 1, 1, 0, 1, TIMEOUT_NS };
	const uint64_t late_ns = 1 + TIMEOUT_NS / 16;
	struct ibs_attr attr = { .id = IBS_ATTR_PORT_INFO,
				 .read = IBS_READ_OK };
	struct ibs_map *map = unit_map(open_readings);
	struct ibs_sweep *sweep;
	struct ibs_smp first, second, none;

	CHECK_INT("new", ibs_sweep_new(map, &one, 1, &sweep), 0);
	CHECK("first", ibs_sweep_next(sweep, 1, &first));
	CHECK("full", !ibs_sweep_next(sweep, 1, &none));
	CHECK("wait", ibs_sweep_deadline(sweep) == late_ns);
	ibs_sweep_expire(sweep, late_ns - 1);
	CHECK("still full", !ibs_sweep_next(sweep, late_ns - 1, &none));
	ibs_sweep_expire(sweep, late_ns);
	CHECK("second", ibs_sweep_next(sweep, late_ns, &second));
	CHECK("full again", !ibs_sweep_next(sweep, late_ns, &none));
	attr.modifier = first.modifier;
	ibs_sweep_answer(sweep, first.tid, &attr);
	CHECK("late, and yet an answer",
	      !ibs_sweep_next(sweep, late_ns, &none));
	ibs_sweep_expire(sweep, late_ns + TIMEOUT_NS);
	CHECK_INT("finish", ibs_sweep_finish(sweep, &map), 0);
	CHECK_INT("stray", map->sweep.n_stray, 0);
	CHECK_INT("time-outs", map->sweep.n_timeouts, 1);
	ibs_map_free(map);
}

/* Those that are silent at once cost one time-out, whatever the window. */
static void
test_late_all(void)
{
	static const struct ibs_sweep_limits one = { 1, 1, 0, 1, TIMEOUT_NS };
	struct ibs_map *map = unit_map(open_readings);
	struct ibs_sweep *sweep;
	struct ibs_smp smp;
	uint64_t now = 1;

	CHECK_INT("new", ibs_sweep_new(map, &one, UINT32_MAX - 2, &sweep), 0);
	while (!ibs_sweep_done(sweep) && now < 100 * TIMEOUT_NS) {
		while (ibs_sweep_next(sweep, now, &smp)) {
			CHECK("tid", smp.tid != 0);
		}
		now = ibs_sweep_deadline(sweep);
		CHECK("something is to come", now != UINT64_MAX);
		ibs_sweep_expire(sweep, now);
	}
	/* three Gets to a switch, one after the other; 4 hosts meanwhile */
	CHECK("time", now < 4 * TIMEOUT_NS);
	CHECK_INT("finish", ibs_sweep_finish(sweep, &map), 0);
	CHECK_INT("all", map->sweep.n_timeouts, map->sweep.n_smps);
	ibs_map_free(map);
}

/* A device that does not send bit 31 of the modifier back. */
static void
test_no_echo_of_bit31(void)
{
	struct ibs_map *map;

	start(NULL);
	for (uint32_t i = 0; i < fabric.truth->n_ports; i++) {
		fabric.misdeeds[i] = NO_ECHO;
	}
	map = sweep_with(&fabric_usual);
	CHECK("complete", ibs_map_complete(map));
	CHECK_INT("stray", map->sweep.n_stray, 0);
	CHECK("asked",
	      map->ports[fabric_port(0x10, 1)].flags & IBS_PORT_ASKED_EXT);
	end(map);
}

/* The M_Key that an answer carries never gets into the map. */
static void
with_m_key(struct ibs_map *map)
{
	for (uint32_t i = 0; i < map->n_ports; i++) {
		put(map->ports[i].pi, IBS_PI_M_Key, 0x1122334455667788);
	}
}

static void
test_m_key_dropped(void)
{
	struct ibs_map *map;

	start(with_m_key);
	map = sweep_with(&fabric_usual);
	for (uint32_t i = 0; i < map->n_ports; i++) {
		CHECK_INT("M_Key", ibs_pi_get(map->ports[i].pi, IBS_PI_M_Key),
			  0);
	}
	end(map);
}

static const struct unit_test tests[] = {
	{ "all answer", test_all_answer },
	{ "window", test_window },
	{ "bad limits", test_bad_limits },
	{ "lost and refused", test_lost_and_refused },
	{ "R01 bit 31", test_r01_bit31 },
	{ "bit 31 refused", test_bit31_refused },
	{ "R03 FDR10", test_fdr10 },
	{ "mismatch is read again", test_mismatch_read_again },
	{ "silent switch", test_silent_switch },
	{ "stray answers", test_stray_answers },
	{ "late", test_late },
	{ "all late", test_late_all },
	{ "no echo of bit 31", test_no_echo_of_bit31 },
	{ "the M_Key is dropped", test_m_key_dropped },
};
UNIT_MAIN("sweep", tests)
