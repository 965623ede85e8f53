// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* When a recorded map is not to be trusted any more. */
#include <config.h>

#include "health.h"

#include <stdio.h>
#include <unistd.h>

#include "host.h"
#include "ibspeed/feed.h"
#include "unit.h"

#define S   INT64_C(1000000000)
#define NOW (1800000000 * S)

/* A recorder that is this process, and a reading that took 2 s. */
static const struct {
	const char *name;
	bool recorder, other_boot;
	int64_t seen_s; /* ago */
	int64_t interval_s;
	uint8_t sm_state, source;
	int64_t age_s; /* of the map; -1: there is none */
	const char *stale;
} rows[] = {
	{ "fresh", true, false, 5, 600, IBS_SM_MASTER, IBS_SOURCE_SMP, 100,
	  "" },
	{ "just before the grace ends", true, false, 5, 600, IBS_SM_MASTER,
	  IBS_SOURCE_SMP, 1234, "" },
	{ "late", true, false, 5, 600, IBS_SM_MASTER, IBS_SOURCE_SMP, 1235,
	  "no reading for 1235 s, one is due every 600 s" },
	{ "it hangs", true, false, 5, 2, 0, IBS_SOURCE_SMP, 41,
	  "no reading for 41 s, one is due every 2 s" },
	{ "a standby SM reads nothing", true, false, 5, 600, 2, IBS_SOURCE_SMP,
	  100000, "" },
	{ "OpenSM's word has no time", true, false, 5, 600, IBS_SM_MASTER,
	  IBS_SOURCE_SM, 100000, "" },
	{ "a recorder that never said how often", true, false, 5, 0,
	  IBS_SM_MASTER, IBS_SOURCE_SMP, 100000, "" },
	{ "silent", true, false, 181, 600, IBS_SM_MASTER, IBS_SOURCE_SMP, 100,
	  "the recorder has stopped" },
	{ "of the boot before", true, true, 5, 600, IBS_SM_MASTER,
	  IBS_SOURCE_SMP, 100, "the recorder has stopped" },
	{ "no map yet", true, false, 5, 600, IBS_SM_MASTER, IBS_SOURCE_SMP, -1,
	  "" },
	{ "swept today", false, false, 0, 0, 0, IBS_SOURCE_SMP, 86400, "" },
	{ "swept days ago", false, false, 0, 0, 0, IBS_SOURCE_SMP, 3 * 86400,
	  "the map is 72 h old, and no recorder runs" },
};

static void
test_stale(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_map *map = ibs_map_new();
		struct ibs_recorder_row row = {
			.pid = getpid(),
			.seen_ns = NOW - rows[i].seen_s * S,
			.interval_s = rows[i].interval_s,
			.sm_state = rows[i].sm_state,
			.boot_id = "another",
		};
		char stale[HEALTH_SIZE];

		if (!rows[i].other_boot) {
			host_boot_id(row.boot_id, sizeof(row.boot_id));
		}
		map->sweep.source = rows[i].source;
		map->sweep.end_ns = NOW - rows[i].age_s * S;
		map->sweep.start_ns = map->sweep.end_ns - 2 * S;
		health_stale(rows[i].recorder ? &row : NULL,
			     rows[i].age_s < 0 ? NULL : map, NOW, stale);
		CHECK_TEXT(rows[i].name, stale, rows[i].stale);
		ibs_map_free(map);
	}
}

static const struct unit_test tests[] = {
	{ "stale maps", test_stale },
};
UNIT_MAIN("health", tests)
