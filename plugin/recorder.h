/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* recorder: OpenSM's event_plugin_options as the recorder's command line. */
#ifndef IBSPEED_PLUGIN_RECORDER_H
#define IBSPEED_PLUGIN_RECORDER_H

struct osm_opensm;

/*
 * What is wrong is logged and passed over.  NULL: no memory.
 * owner   the caller, who gives it to recorder_argv_free
 */
char **recorder_argv(struct osm_opensm *osm, const char *options);
void recorder_argv_free(char **argv);

#endif
