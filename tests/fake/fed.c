// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "fed.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit.h"

#define FED_MAX (4u << 20)
#define WAIT_MS 5000

struct fed
fed_read(const struct host *host, unsigned int n)
{
	struct fed fed = { 0 };
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/feed.%d", host->dir,
		 (int)host_recorder(host, n));
	file = fopen(path, "re");
	if (file) {
		fed.bytes = calloc(1, FED_MAX);
		fed.size = fread(fed.bytes, 1, FED_MAX, file);
		fclose(file);
	}
	return fed;
}

const uint8_t *
fed_next(const struct fed *fed, size_t *at, struct ibs_feed_header *ret_header)
{
	uint16_t version;
	const uint8_t *payload = fed->bytes + *at + IBS_FEED_HEADER_SIZE;

	if (fed->size - *at < IBS_FEED_HEADER_SIZE ||
	    ibs_feed_read_header(fed->bytes + *at, ret_header, &version) ||
	    fed->size - *at - IBS_FEED_HEADER_SIZE < ret_header->payload_size) {
		return NULL;
	}
	*at += IBS_FEED_HEADER_SIZE + ret_header->payload_size;
	return payload;
}

unsigned int
fed_count(const struct host *host, unsigned int n, uint16_t type)
{
	struct fed fed = fed_read(host, n);
	struct ibs_feed_header header;
	unsigned int n_frames = 0;
	size_t at = 0;

	while (fed_next(&fed, &at, &header)) {
		n_frames += header.type == type;
	}
	free(fed.bytes);
	return n_frames;
}

void
fed_wait(const char *row, const struct host *host, unsigned int n,
	 uint16_t type, unsigned int want)
{
	int64_t deadline_ms = host_now_ms() + WAIT_MS;

	while (fed_count(host, n, type) < want && host_now_ms() < deadline_ms) {
		usleep(5000);
	}
	CHECK_INT(row, fed_count(host, n, type), want);
}

void
fed_delete(const char *row, struct host *host)
{
	pid_t pid = host_recorder(host, 0);

	CHECK(row, host_delete(host) < DELETE_MS);
	CHECK(row, host_is_gone(pid));
}
