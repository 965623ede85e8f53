// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Any bytes as a frame of the feed, as the recorder takes it: header, payload
 * to a map of either source, and the map frozen.
 */
#include <config.h>

#include <stddef.h>
#include <stdint.h>

#include "fuzz.h"
#include "ibspeed/feed.h"

static void
read_topology(const uint8_t *payload, size_t size, enum ibs_source source)
{
	struct ibs_feed_subnet subnet;
	struct ibs_map *map;

	if (ibs_feed_read_topology(payload, size, source, &subnet, &map)) {
		return;
	}
	FUZZ_CHECK(ibs_map_freeze(map) == 0);
	ibs_map_free(map);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *payload = data + IBS_FEED_HEADER_SIZE;
	struct ibs_feed_header header;
	uint16_t version;
	uint8_t state;

	if (size < IBS_FEED_HEADER_SIZE ||
	    ibs_feed_read_header(data, &header, &version)) {
		return 0;
	}
	size -= IBS_FEED_HEADER_SIZE;
	ibs_feed_read_role(payload, size, &state);
	read_topology(payload, size, IBS_SOURCE_SMP);
	read_topology(payload, size, IBS_SOURCE_SM);
	return 0;
}
