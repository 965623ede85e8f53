// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "log.h"

#include <stdarg.h>
#include <stdio.h>

/* OpenSM's own buffer is fixed: what is longer is cut here. */
#define LINE_SIZE 400

void
log_line(struct osm_opensm *osm, osm_log_level_t level, const char *format, ...)
{
	char line[LINE_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	osm_log(&osm->log, level, "osmspeed: %s\n", line);
}
