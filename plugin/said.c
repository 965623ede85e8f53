// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "said.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "log.h"

/* Reads of one call: the feed and the SM's events must have their turn. */
#define READS_MAX 16

static const char error_prefix[] = "ibspeed: error";

static void
tell_suppressed(struct said *said)
{
	if (said->n_suppressed) {
		log_line(said->osm, OSM_LOG_INFO,
			 "%u lines of the recorder suppressed",
			 said->n_suppressed);
	}
	said->n_suppressed = 0;
}

void
said_tick(struct said *said, int64_t now_ms)
{
	if (now_ms - said->period_start_ms >= SAID_PERIOD_MS) {
		tell_suppressed(said);
		said->period_start_ms = now_ms;
		said->n_lines = 0;
	}
}

static void
end_line(struct said *said, int64_t now_ms)
{
	bool is_error = strncmp(said->line, error_prefix,
				sizeof(error_prefix) - 1) == 0;

	if (said->length == 0) {
		return;
	}
	said_tick(said, now_ms);
	said->line[said->length] = 0;
	said->length = 0;
	if (said->n_lines >= SAID_LINES_MAX) {
		said->n_suppressed++;
		return;
	}
	said->n_lines++;
	log_line(said->osm, is_error ? OSM_LOG_ERROR : OSM_LOG_INFO, "%s",
		 said->line);
}

static void
add_byte(struct said *said, char byte, int64_t now_ms)
{
	if (byte == '\n') {
		end_line(said, now_ms);
	} else if (said->length < SAID_LINE_LENGTH) {
		said->line[said->length++] =
			(char)(byte >= ' ' && byte <= '~' ? byte : '?');
	}
}

bool
said_read(struct said *said, int fd, int64_t now_ms)
{
	char bytes[1024];

	for (int i = 0; i < READS_MAX; i++) {
		ssize_t n_bytes = read(fd, bytes, sizeof(bytes));

		if (n_bytes < 0) {
			return errno == EAGAIN || errno == EINTR;
		}
		if (n_bytes == 0) {
			return false;
		}
		for (ssize_t b = 0; b < n_bytes; b++) {
			add_byte(said, bytes[b], now_ms);
		}
	}
	return true;
}

void
said_end(struct said *said, int64_t now_ms)
{
	end_line(said, now_ms);
	tell_suppressed(said);
}
