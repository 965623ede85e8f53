// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Makes a store for the tests of the command line, always the same one:
 * makestore healthy|faulty|idle|newer FILE */
#include <config.h>

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "ibspeed/attr.h"
#include "ibspeed/store.h"
#include "unit.h"

#define NS_PER_S INT64_C(1000000000)
#define START_NS (1700000000 * NS_PER_S) /* 2023-11-14T22:13:20Z */

/* Indexes of what unit_map() adds, in its order. */
enum { LEAF01, LEAF02, HOST_A, HOST_B, HOST_C, HOST_D };
enum { LEAF01_0, LEAF02_0 = 6, HOST_A_1 = 12, HOST_B_1, HOST_C_1, HOST_D_1 };

static void
put(struct ibs_map *map, uint32_t port, enum ibs_port_info_field field,
    uint64_t value)
{
	ibs_field_put(map->ports[port].pi, &ibs_port_info_fields[field], value);
}

static void
name(struct ibs_map *map, uint32_t node, const char *text)
{
	memset(map->nodes[node].desc, 0, IBS_DESC_SIZE);
	memcpy(map->nodes[node].desc, text, strlen(text));
}

static void
route(struct ibs_map *map, uint32_t node, const char *ports)
{
	struct ibs_node *place = &map->nodes[node];

	place->n_hops = (uint8_t)strlen(ports);
	for (size_t i = 0; ports[i]; i++) {
		place->path[i + 1] = (uint8_t)(ports[i] - '0');
	}
}

static void
read_at(struct ibs_map *map, int64_t start_ns)
{
	static const char *const ports[] = {
		"1", "13", "11", "12", "131", "132"
	};
	struct ibs_sweep_info *sweep = &map->sweep;

	map->subnet.sm_port_guid = 0x20;
	map->subnet.prefix = 0xfe80000000000000;
	(void)snprintf(map->subnet.opensm, sizeof(map->subnet.opensm),
		       "OpenSM 3.3.23");
	sweep->start_ns = start_ns;
	sweep->end_ns = start_ns + NS_PER_S / 4;
	sweep->start_mono_ns = 5 * (uint64_t)NS_PER_S;
	sweep->end_mono_ns = sweep->start_mono_ns + (uint64_t)NS_PER_S / 4;
	sweep->n_smps = 40;
	sweep->clock.source = IBS_CLOCK_HOST;
	(void)snprintf(sweep->clock.reason, sizeof(sweep->clock.reason),
		       "no HCA clock");
	for (uint32_t node = LEAF01; node <= HOST_D; node++) {
		route(map, node, ports[node]);
	}
}

static void
healthy(struct ibs_map *map)
{
	read_at(map, START_NS);
}

/* An HCA of 156250 kHz; each port is read in 40 us, one after the other. */
static void
stamp(struct ibs_map *map)
{
	struct ibs_sweep_info *sweep = &map->sweep;
	const uint64_t from = sweep->start_mono_ns, to = sweep->end_mono_ns;

	sweep->clock = (struct ibs_clock){
		.source = IBS_CLOCK_HCA,
		.convertible = true,
		.device = "mlx5_0",
		.port_num = 1,
		.port_guid = 0x20,
		.node_guid = 0x20,
		.khz = 156250,
		.mask = INT64_MAX,
		.epoch_ns = START_NS,
		.boot_id = "c0ffee00-0000-4000-8000-000000000000",
		.start = { 1000000, from + 100, from + 1700 },
		.end = { 1000000 + 39062500, to + 100, to + 1700 },
		.wall_start = { sweep->start_ns, from, 30, 1500000, 37 },
		.wall_end = { sweep->end_ns, to, 30, 1500000, 37 },
		.rate = { -2.5, 0.5, 3.5, 12 * (uint64_t)NS_PER_S },
	};
	for (uint32_t i = 0; i < map->n_ports; i++) {
		const uint64_t tx_ns = 1000000 + 100000 * (uint64_t)i;

		map->ports[i].stamp = (struct ibs_stamp){
			{ from + tx_ns, 1000000 + tx_ns * 5 / 32 },
			{ from + tx_ns + 40000,
			  1000000 + (tx_ns + 38000) * 5 / 32 },
		};
	}
}

/* One day later: a finding of each kind, names that are hard, no answers. */
static void
faulty(struct ibs_map *map)
{
	struct ibs_map_port *gone = &map->ports[HOST_D_1];

	read_at(map, START_NS + 86400 * NS_PER_S);
	stamp(map);
	map->sweep.n_retries = map->sweep.n_timeouts = 3;
	map->sweep.sm_init_errors = true;
	name(map, HOST_B, "host \"B\", \xc3\xa9\\ ");
	name(map, HOST_C, "twin");
	name(map, HOST_D, "twin");
	/* 1X at both ends of leaf01 port 1 */
	put(map, LEAF01_0 + 1, IBS_PI_LinkWidthActive, 1);
	put(map, HOST_A_1, IBS_PI_LinkWidthActive, 1);
	/* EDR at leaf01's end of port 2 only */
	put(map, LEAF01_0 + 2, IBS_PI_LinkSpeedExtActive, 2);
	/* leaf01 may be EDR at most on port 3 */
	put(map, LEAF01_0 + 3, IBS_PI_LinkSpeedExtActive, 2);
	put(map, LEAF02_0 + 3, IBS_PI_LinkSpeedExtActive, 2);
	put(map, LEAF01_0 + 3, IBS_PI_LinkSpeedExtEnabled, 3);
	/* leaf02 cannot do more than EDR on port 4, and OpenSM says FDR */
	put(map, LEAF01_0 + 4, IBS_PI_LinkSpeedExtActive, 2);
	put(map, LEAF02_0 + 4, IBS_PI_LinkSpeedExtActive, 2);
	put(map, LEAF02_0 + 4, IBS_PI_LinkSpeedExtSupported, 3);
	put(map, LEAF02_0 + 4, IBS_PI_LinkSpeedExtEnabled, 3);
	map->ports[LEAF01_0 + 4].flags |= IBS_PORT_HAS_SM;
	map->ports[LEAF01_0 + 4].sm =
		(struct ibs_pair){ IBS_SPEED_FDR, IBS_WIDTH_4X };
	/* who is at leaf02 port 2 does not answer */
	memset(gone->pi, 0, sizeof(gone->pi));
	memset(&gone->stamp, 0, sizeof(gone->stamp));
	gone->read = IBS_READ_STATUS;
	gone->status = 0x1c;
	gone->tries = 3;
	/* nor is it known who is behind its port 5 */
	put(map, LEAF02_0 + 5, IBS_PI_PortState, IBS_PORT_INIT);
	put(map, LEAF02_0 + 5, IBS_PI_PortPhysicalState, 5);
	map->ports[LEAF02_0 + 5].behind_read = IBS_READ_TIMEOUT;
	map->ports[LEAF02_0 + 5].behind_tries = 3;
}

static int
record(struct ibs_store *store, void (*edit)(struct ibs_map *map))
{
	struct ibs_map *map = unit_map(edit);
	int64_t id;
	int err = ibs_store_record(store, NULL, map, &id);

	ibs_map_free(map);
	return err;
}

static int
put_recorder(struct ibs_store *store)
{
	const struct ibs_recorder_row row = {
		.pid = 4711,
		.started_ns = START_NS,
		.seen_ns = START_NS + 90000 * NS_PER_S,
		.boot_id = "00000000-0000-0000-0000-000000000000",
		.host = "smhost",
		.version = "0.1",
		.error = "the umad port failed in mid-sweep: No such device",
		.sm_state = 3,
	};

	return ibs_store_put_recorder(store, &row);
}

static int
fill(struct ibs_store *store, const char *kind)
{
	int err = put_recorder(store);

	if (!err && strcmp(kind, "idle") != 0) {
		err = record(store, healthy);
	}
	if (!err && strcmp(kind, "faulty") == 0) {
		err = record(store, faulty);
	}
	if (err) {
		fprintf(stderr, "makestore: %s\n", ibs_store_error(store));
	}
	return err;
}

static int
make_newer(const char *path)
{
	sqlite3 *db = NULL;
	int err = sqlite3_open(path, &db);

	if (!err) {
		err = sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL,
				   NULL);
	}
	(void)sqlite3_close(db);
	return err;
}

int
main(int argc, char **argv)
{
	struct ibs_store *store;
	char error[512];
	int err;

	if (argc != 3) {
		fprintf(stderr, "usage: makestore KIND FILE\n");
		return 2;
	}
	if (ibs_store_open(argv[2], IBS_STORE_WRITE, &store, error,
			   sizeof(error))) {
		fprintf(stderr, "makestore: %s\n", error);
		return 1;
	}
	err = fill(store, argv[1]);
	ibs_store_close(store);
	if (!err && strcmp(argv[1], "newer") == 0) {
		err = make_newer(argv[2]);
	}
	return err ? 1 : 0;
}
