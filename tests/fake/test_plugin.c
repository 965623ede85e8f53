// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The plugin in a fake OpenSM: what it refuses, and what it tells. */
#include <config.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fed.h"
#include "host.h"
#include "ibspeed/feed.h"
#include "unit.h"

/* Lines on stderr while a plugin is created that must refuse. */
static unsigned int
count_refusal(struct host *host)
{
	int before = dup(STDERR_FILENO);
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/stderr", host->dir);
	fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
	dup2(fd, STDERR_FILENO);
	host_create(host, "eat", "");
	dup2(before, STDERR_FILENO);
	close(fd);
	close(before);
	return host_count(host, "stderr", "\n");
}

static void
test_layout(void)
{
	const char *const rows[] = { "no version", "version", "p_osm",
				     "p_subn",	   "p_log",   "p_lock" };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct host host;
		struct osm_opensm *osm;

		host_new(&host, 1);
		osm = host.osm;
		osm->osm_version = i == 0   ? NULL
				   : i == 1 ? "OpenSM 3.3.2"
					    : osm->osm_version;
		osm->subn.p_osm = i == 2 ? NULL : osm;
		osm->sm.p_subn = i == 3 ? NULL : &osm->subn;
		osm->sm.p_log = i == 4 ? NULL : &osm->log;
		osm->sm.p_lock = i == 5 ? NULL : &osm->lock;
		CHECK_INT(rows[i], count_refusal(&host), 1);
		CHECK(rows[i], host.data == NULL);
		CHECK_INT(rows[i], host_count(&host, "starts", "\n"), 0);
		host_free(&host);
	}
}

static void
check_map(const struct ibs_feed_subnet *subnet, const struct ibs_map *map)
{
	CHECK("subnet", subnet->m_key == HOST_M_KEY);
	CHECK_INT("subnet", subnet->sm_state, IB_SMINFO_STATE_MASTER);
	CHECK_INT("subnet", map->subnet.force_link_speed, 0);
	CHECK_INT("subnet", map->subnet.force_link_speed_ext, 30);
	CHECK_INT("subnet", map->subnet.force_link_width, 0);
	CHECK_TEXT("subnet", map->subnet.opensm, OSM_VERSION);
	CHECK_INT("nodes", map->n_nodes, 4);
	CHECK_INT("ports", map->n_ports, 2 * HOST_SWITCH_PORTS + 2);
	CHECK_INT("peer of port 1", map->ports[1].peer, 2 * HOST_SWITCH_PORTS);
	CHECK_INT("no peer of port 2", map->ports[2].peer, IBS_NO_INDEX);
	CHECK_INT("route of a switch", map->nodes[0].path[1], 0);
	CHECK_INT("route of a host", map->nodes[2].path[1], 1);
	CHECK_INT("M_Key", ibs_pi_get(map->ports[1].pi, IBS_PI_M_Key), 0);
	CHECK_INT("state", ibs_pi_get(map->ports[1].pi, IBS_PI_PortState), 4);
}

static void
test_topology(void)
{
	struct ibs_feed_header header = { 0 };
	struct ibs_feed_subnet subnet;
	struct ibs_map *map = NULL;
	const uint8_t *payload;
	struct host host;
	struct fed fed;
	size_t at = 0;
	uint8_t role = 0;

	host_new(&host, 2);
	host_create(&host, "eat", "");
	host_report(&host, OSM_EVENT_ID_SUBNET_UP);
	fed_wait("topology", &host, 0, IBS_FEED_TOPOLOGY, 1);
	fed = fed_read(&host, 0);
	payload = fed_next(&fed, &at, &header);
	CHECK("role", payload && header.type == IBS_FEED_ROLE);
	CHECK_INT("role",
		  ibs_feed_read_role(payload, header.payload_size, &role), 0);
	CHECK_INT("role", role, IB_SMINFO_STATE_MASTER);
	payload = fed_next(&fed, &at, &header);
	CHECK("topology", payload && header.type == IBS_FEED_TOPOLOGY);
	CHECK_INT("topology",
		  ibs_feed_read_topology(payload, header.payload_size,
					 IBS_SOURCE_SM, &subnet, &map),
		  0);
	if (map) {
		check_map(&subnet, map);
	}
	ibs_map_free(map);
	free(fed.bytes);
	fed_delete("topology", &host);
	host_free(&host);
}

static void
test_events(void)
{
	struct host host;

	host_new(&host, 1);
	host.osm->subn.sm_state = IB_SMINFO_STATE_STANDBY;
	host_create(&host, "eat", "");
	fed_wait("standby", &host, 0, IBS_FEED_ROLE, 1);
	host_report(&host, OSM_EVENT_ID_SUBNET_UP);
	host_report(&host, OSM_EVENT_ID_TRAP);
	host_report(&host, OSM_EVENT_ID_HEAVY_SWEEP_DONE);
	host_report(&host, OSM_EVENT_ID_LFT_CHANGE);
	host_report(&host, OSM_EVENT_ID_MAX);
	host_report(&host, OSM_EVENT_ID_STATE_CHANGE);
	fed_wait("still standby", &host, 0, IBS_FEED_ROLE, 2);
	__atomic_store_n(&host.osm->subn.sm_state, IB_SMINFO_STATE_MASTER,
			 __ATOMIC_RELAXED);
	host_report(&host, OSM_EVENT_ID_STATE_CHANGE);
	fed_wait("master", &host, 0, IBS_FEED_ROLE, 3);
	fed_wait("master", &host, 0, IBS_FEED_TOPOLOGY, 0);
	host_report(&host, OSM_EVENT_ID_SUBNET_UP);
	fed_wait("subnet up", &host, 0, IBS_FEED_TOPOLOGY, 1);
	fed_delete("events", &host);
	host_free(&host);
}

/* report() must return although somebody has the SM's lock. */
static void
test_locked(void)
{
	struct host host;
	int64_t start_ms;

	host_new(&host, 1);
	host_create(&host, "eat", "");
	cl_plock_excl_acquire(&host.osm->lock);
	start_ms = host_now_ms();
	for (int i = 0; i < 1000; i++) {
		host_report(&host, OSM_EVENT_ID_SUBNET_UP);
	}
	CHECK("locked", host_now_ms() - start_ms < 100);
	cl_plock_release(&host.osm->lock);
	host_recorder(&host, 0);
	host_report(&host, OSM_EVENT_ID_SUBNET_UP);
	while (fed_count(&host, 0, IBS_FEED_TOPOLOGY) == 0) {
		usleep(5000);
	}
	fed_delete("locked", &host);
	host_free(&host);
}

/* Behind a frame on its way waits the newest one alone. */
static void
test_dropped(void)
{
	struct ibs_feed_header header = { 0 };
	struct ibs_feed_subnet subnet = { .n_dropped = 0 };
	struct ibs_map *map = NULL;
	const uint8_t *payload;
	struct host host;
	struct fed fed;
	size_t at = 0;

	host_new(&host, 100);
	host_create(&host, "late", "");
	host_recorder(&host, 0);
	for (int i = 0; i < 5; i++) {
		host_report(&host, OSM_EVENT_ID_SUBNET_UP);
		usleep(50000);
	}
	fed_wait("dropped", &host, 0, IBS_FEED_TOPOLOGY, 2);
	fed = fed_read(&host, 0);
	for (int i = 0; i < 3; i++) {
		payload = fed_next(&fed, &at, &header);
	}
	CHECK("dropped", payload != NULL);
	CHECK_INT("dropped",
		  ibs_feed_read_topology(payload, header.payload_size,
					 IBS_SOURCE_SMP, &subnet, &map),
		  0);
	CHECK_INT("dropped", subnet.n_dropped, 3);
	ibs_map_free(map);
	free(fed.bytes);
	fed_delete("dropped", &host);
	host_free(&host);
}

static void
test_options(void)
{
	char text[HOST_TEXT_SIZE];
	struct host host;
	const char *args;

	host_new(&host, 1);
	host_create(&host, "eat",
		    "other.db=/x osmspeed.db=/tmp/a=b osmspeed.max_smps=0 "
		    "osmspeed.bogus=1 osmspeed.retries osmspeed.max_smps=16");
	host_recorder(&host, 0);
	args = strchr(host_text(&host, "starts", text), ' ');
	CHECK_TEXT("options", args,
		   " record --feed --db=/tmp/a=b --max_smps=16\n");
	CHECK_INT("options", host_count(&host, "log", "ignored"), 3);
	CHECK_INT("options", host_count(&host, "log", "loaded, recorder"), 1);
	fed_delete("options", &host);
	host_free(&host);
}

static void
test_at_once(void)
{
	struct host host;

	host_new(&host, 1);
	for (int i = 0; i < 20; i++) {
		host_create(&host, "deaf", "");
		host_report(&host, OSM_EVENT_ID_SUBNET_UP);
		CHECK("at once", host_delete(&host) < DELETE_MS);
	}
	host_free(&host);
}

static const struct unit_test tests[] = {
	{ "another layout is refused", test_layout },
	{ "topology", test_topology },
	{ "events", test_events },
	{ "reports while the lock is held", test_locked },
	{ "topologies that are dropped", test_dropped },
	{ "options", test_options },
	{ "deleted at once", test_at_once },
};
UNIT_MAIN("plugin", tests)
