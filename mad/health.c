// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "health.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "host.h"
#include "ibspeed/feed.h"

#define NS_PER_S INT64_C(1000000000)

/* It gives a sign of life every minute. */
#define SILENT_NS (180 * NS_PER_S)
/* A reading may be this much later than it is due. */
#define GRACE_NS (30 * NS_PER_S)
/* Without a recorder somebody is expected to sweep once a day. */
#define OLD_NS (25 * 3600 * NS_PER_S)

/* A process of this host and this boot that still has the number, and was seen
 * not long ago: the number may be another's by now. */
bool
health_alive(const struct ibs_recorder_row *row, int64_t now_ns)
{
	char boot_id[sizeof(row->boot_id)];

	host_boot_id(boot_id, sizeof(boot_id));
	return strcmp(boot_id, row->boot_id) == 0 &&
	       now_ns - row->seen_ns < SILENT_NS &&
	       (kill((pid_t)row->pid, 0) == 0 || errno == EPERM);
}

/* Of a recorder that reads by the clock; what OpenSM tells has no time, and a
 * standby SM has nothing read. */
static int64_t
due_every_ns(const struct ibs_recorder_row *row, const struct ibs_map *map)
{
	bool waits = row->sm_state != IBS_SM_MASTER && row->sm_state != 0;

	return map->sweep.source == IBS_SOURCE_SMP && !waits
		       ? row->interval_s * NS_PER_S
		       : 0;
}

void
health_stale(const struct ibs_recorder_row *row, const struct ibs_map *map,
	     int64_t now_ns, char ret_text[HEALTH_SIZE])
{
	int64_t age_ns = map ? now_ns - map->sweep.end_ns : 0;
	int64_t due_ns = row && map ? due_every_ns(row, map) : 0;
	int64_t took_ns = map ? map->sweep.end_ns - map->sweep.start_ns : 0;

	ret_text[0] = '\0';
	if (row && !health_alive(row, now_ns)) {
		(void)snprintf(ret_text, HEALTH_SIZE,
			       "the recorder has stopped");
	} else if (due_ns && age_ns > 2 * (due_ns + took_ns) + GRACE_NS) {
		(void)snprintf(ret_text, HEALTH_SIZE,
			       "no reading for %" PRId64
			       " s, one is due every %" PRId64 " s",
			       age_ns / NS_PER_S, due_ns / NS_PER_S);
	} else if (!row && map && age_ns > OLD_NS) {
		(void)snprintf(ret_text, HEALTH_SIZE,
			       "the map is %" PRId64
			       " h old, and no recorder runs",
			       age_ns / NS_PER_S / 3600);
	}
}

void
health_of_store(struct ibs_store *store, const struct ibs_map *map,
		int64_t now_ns, char ret_text[HEALTH_SIZE])
{
	struct ibs_recorder_row row;
	bool has_row = ibs_store_get_recorder(store, &row) == 0;

	health_stale(has_row ? &row : NULL, map, now_ns, ret_text);
}
