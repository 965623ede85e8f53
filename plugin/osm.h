/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The only include of OpenSM's headers.  osm_config.h comes first: without it
 * the members of osm_opensm_t are elsewhere than in the running OpenSM.
 * IBS_TEST_NO_OSM_CONFIG builds just such a plugin, for the test that it is
 * refused.
 */
#ifndef IBSPEED_PLUGIN_OSM_H
#define IBSPEED_PLUGIN_OSM_H

#ifndef IBS_TEST_NO_OSM_CONFIG
#include <opensm/osm_config.h>
#endif

#include <opensm/osm_opensm.h>
#include <opensm/osm_event_plugin.h>
#include <opensm/osm_log.h>
#include <opensm/osm_node.h>
#include <opensm/osm_subnet.h>
#include <opensm/osm_version.h>

#endif
