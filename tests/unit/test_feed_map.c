// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The feed: what a topology becomes in the map. */
#include <config.h>

#include <string.h>

#include "frame.h"
#include "ibspeed/feed.h"
#include "unit.h"

struct view_row {
	const char *name;
	uint8_t num; /* of a switch's port; 0xff: of a host */
	uint8_t state;
	uint8_t width, base, ext;
	bool port0, gate; /* port 0 is there; it has extended speeds */
	uint16_t device;
	uint8_t epi; /* LinkSpeedActive; 0xff: none */
	uint8_t flags;
	uint8_t speed, want_width;
};
#define HOST   0xff
#define NO_EPI 0xff
#define GATE   IBS_PORT_SM_GATE
#define VIEW   IBS_PORT_HAS_SM

static const struct view_row view_rows[] = {
	{ "switch port HDR", 1, 4, 2, 4, 4, true, true, FRAME_EPI_DEVICE,
	  NO_EPI, GATE | VIEW, IBS_SPEED_HDR, IBS_WIDTH_4X },
	{ "gate closed", 1, 4, 2, 2, 4, true, false, FRAME_EPI_DEVICE, NO_EPI,
	  VIEW, IBS_SPEED_DDR, IBS_WIDTH_4X },
	{ "no port 0", 1, 4, 2, 4, 4, false, true, FRAME_EPI_DEVICE, NO_EPI, 0,
	  0, 0 },
	{ "down", 1, 1, 2, 4, 4, true, true, FRAME_EPI_DEVICE, NO_EPI, GATE, 0,
	  0 },
	{ "init", 1, 2, 1, 4, 2, true, true, FRAME_EPI_DEVICE, NO_EPI,
	  GATE | VIEW, IBS_SPEED_EDR, IBS_WIDTH_1X },
	{ "unknown width", 1, 4, 3, 4, 4, true, true, FRAME_EPI_DEVICE, NO_EPI,
	  GATE, 0, 0 },
	{ "unknown speed", 1, 4, 2, 4, 9, true, true, FRAME_EPI_DEVICE, NO_EPI,
	  GATE, 0, 0 },
	{ "FDR10", 1, 4, 2, 4, 0, true, true, FRAME_EPI_DEVICE, 1, GATE | VIEW,
	  IBS_SPEED_FDR10, IBS_WIDTH_4X },
	{ "QDR", 1, 4, 2, 4, 0, true, true, FRAME_EPI_DEVICE, 0, GATE | VIEW,
	  IBS_SPEED_QDR, IBS_WIDTH_4X },
	{ "QDR or FDR10", 1, 4, 2, 4, 0, true, true, FRAME_EPI_DEVICE, NO_EPI,
	  GATE, 0, 0 },
	{ "QDR, no such attribute", 1, 4, 2, 4, 0, true, true,
	  FRAME_PLAIN_DEVICE, 1, GATE | VIEW, IBS_SPEED_QDR, IBS_WIDTH_4X },
	{ "host", HOST, 4, 2, 4, 2, false, true, FRAME_EPI_DEVICE, NO_EPI,
	  GATE | VIEW, IBS_SPEED_EDR, IBS_WIDTH_4X },
	{ "host, gate closed", HOST, 4, 2, 1, 2, false, false, FRAME_EPI_DEVICE,
	  NO_EPI, VIEW, IBS_SPEED_SDR, IBS_WIDTH_4X },
};

static void
write_view_port(struct frame *f, const struct view_row *row, uint8_t num)
{
	bool own_gate = num == 0 || row->num == HOST;
	uint8_t pi[IBS_ATTR_SIZE], epi[IBS_ATTR_SIZE] = { 0 };
	struct ibs_feed_port port = { .num = num, .port_info = pi };

	unit_port_info(pi, row->width, 31, row->ext, 15);
	frame_put_pi(pi, IBS_PI_M_Key, frame_subnet.m_key);
	frame_put_pi(pi, IBS_PI_PortState, row->state);
	frame_put_pi(pi, IBS_PI_LinkSpeedActive, row->base);
	frame_put_pi(pi, IBS_PI_CapabilityMask,
		     own_gate && row->gate ? IBS_CAP_EXT_SPEEDS : 0);
	if (row->epi != NO_EPI) {
		epi[7] = epi[11] = 1;
		epi[15] = row->epi;
		port.ext_port_info = epi;
	}
	ibs_feed_topology_port(&f->out, &port);
}

static struct ibs_map *
read_view(const struct view_row *row, enum ibs_source source)
{
	bool host = row->num == HOST;
	struct frame f;

	frame_begin(&f, sizeof(f.bytes));
	frame_node_info(&f, 5, host ? IBS_NODE_CA : IBS_NODE_SWITCH);
	ibs_field_put(f.ni, &ibs_node_info_fields[IBS_NI_DeviceID],
		      row->device);
	frame_node(&f, row->port0 ? 2 : 1);
	if (row->port0) {
		write_view_port(&f, row, 0);
	}
	write_view_port(&f, row, host ? 1 : row->num);
	CHECK_INT(row->name, ibs_feed_topology_end(&f.out), 0);
	return frame_read(&f, row->name, source, 0);
}

#define N_VIEW_ROWS (sizeof(view_rows) / sizeof(view_rows[0]))

/* With our own Gets the SM's bytes are what the reading is compared with. */
static void
test_sm_view(void)
{
	for (size_t i = 0; i < N_VIEW_ROWS; i++) {
		const struct view_row *row = &view_rows[i];
		struct ibs_map *map = read_view(row, IBS_SOURCE_SMP);
		const struct ibs_map_port *port = &map->ports[map->n_ports - 1];

		CHECK_INT(row->name, port->read, IBS_READ_UNASKED);
		CHECK_INT(row->name, port->epi.read, IBS_EPI_NOT_ASKED);
		CHECK_INT(row->name, port->flags, row->flags);
		CHECK_INT(row->name, port->sm.speed, row->speed);
		CHECK_INT(row->name, port->sm.width, row->want_width);
		ibs_map_free(map);
	}
}

/* With source = sm they are the reading. */
static void
test_sm_source(void)
{
	for (size_t i = 0; i < N_VIEW_ROWS; i++) {
		const struct view_row *row = &view_rows[i];
		struct ibs_map *map = read_view(row, IBS_SOURCE_SM);
		const struct ibs_map_port *port = &map->ports[map->n_ports - 1];
		uint8_t epi = row->epi == NO_EPI ? IBS_EPI_NOT_ASKED
						 : IBS_EPI_ANSWERED;

		if (row->device == FRAME_PLAIN_DEVICE) {
			epi = IBS_EPI_ABSENT;
		}
		CHECK_INT(row->name, map->sweep.source, IBS_SOURCE_SM);
		CHECK_INT(row->name, port->read, IBS_READ_OK);
		CHECK_INT(row->name, port->tries, 0);
		CHECK_INT(row->name, port->flags,
			  (row->flags & GATE) | IBS_PORT_ASKED_EXT);
		CHECK_INT(row->name, port->epi.read, epi);
		if (epi == IBS_EPI_ANSWERED) {
			CHECK_INT(row->name, port->epi.supported, 1);
			CHECK_INT(row->name, port->epi.enabled, 1);
			CHECK_INT(row->name, port->epi.active, row->epi);
		}
		CHECK_INT(row->name, ibs_pi_get(port->pi, IBS_PI_M_Key), 0);
		CHECK_INT(row->name, ibs_pi_get(port->pi, IBS_PI_PortState),
			  row->state);
		ibs_map_free(map);
	}
}

static void
test_no_sm_bytes(void)
{
	struct ibs_map *map;
	struct frame f;

	frame_begin(&f, sizeof(f.bytes));
	frame_node_info(&f, 5, IBS_NODE_CA);
	frame_node(&f, 1);
	ibs_feed_topology_port(&f.out, &(struct ibs_feed_port){ .num = 1 });
	CHECK_INT("bare port", ibs_feed_topology_end(&f.out), 0);
	map = frame_read(&f, "bare port", IBS_SOURCE_SM, 0);
	CHECK_INT("bare port", map->ports[0].read, IBS_READ_UNASKED);
	CHECK_INT("bare port", map->ports[0].flags, 0);
	ibs_map_free(map);
}

struct peer_row {
	const char *name;
	uint64_t guid;
	uint8_t num;
	bool found;
};

static const struct peer_row peer_rows[] = {
	{ "least GUID", 1000, 1, true },
	{ "in between", 1500, 2, true },
	{ "greatest GUID", 1990, 2, true },
	{ "no such port", 1500, 3, false },
	{ "port 0", 1500, 0, false },
	{ "no such node", 1501, 1, false },
	{ "below the least", 0, 1, false },
	{ "above the greatest", UINT64_MAX, 1, false },
};

#define N_HOSTS 100u

/* A hundred hosts of two ports, not in the order of their GUIDs. */
static struct ibs_map *
read_peers(const struct peer_row *row)
{
	struct frame f;

	frame_begin(&f, sizeof(f.bytes));
	for (unsigned int i = 0; i < N_HOSTS; i++) {
		frame_node_info(&f, 1000 + 10 * (i * 11 % N_HOSTS),
				IBS_NODE_CA);
		frame_node(&f, 2);
		for (uint8_t num = 1; num <= 2; num++) {
			ibs_feed_topology_port(
				&f.out,
				&(struct ibs_feed_port){ .num = num,
							 .peer_guid = row->guid,
							 .peer_num = row->num,
							 .has_peer = true });
		}
	}
	CHECK_INT(row->name, ibs_feed_topology_end(&f.out), 0);
	return frame_read(&f, row->name, IBS_SOURCE_SMP, 0);
}

static void
test_peers(void)
{
	for (size_t i = 0; i < sizeof(peer_rows) / sizeof(peer_rows[0]); i++) {
		const struct peer_row *row = &peer_rows[i];
		struct ibs_map *map = read_peers(row);
		uint32_t peer = map->ports[77].peer;

		CHECK(row->name, (peer != IBS_NO_INDEX) == row->found);
		if (peer < map->n_ports) {
			const struct ibs_map_port *port = &map->ports[peer];

			CHECK_INT(row->name, port->num, row->num);
			CHECK_INT(row->name, map->nodes[port->node].guid,
				  row->guid);
		}
		ibs_map_free(map);
	}
}

static const struct unit_test tests[] = {
	{ "OpenSM's view of a port", test_sm_view },
	{ "OpenSM's bytes as readings", test_sm_source },
	{ "a port without bytes", test_no_sm_bytes },
	{ "peers", test_peers },
};
UNIT_MAIN("feed to map", tests)
