/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* One line to the SM's log.  level is one of OSM_LOG_*. */
#ifndef IBSPEED_PLUGIN_LOG_H
#define IBSPEED_PLUGIN_LOG_H

#include "osm.h"

void log_line(struct osm_opensm *osm, osm_log_level_t level, const char *format,
	      ...) __attribute__((format(printf, 3, 4)));

#endif
