// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * What OpenSM sees: the structure that it looks up, and its three functions.
 * OpenSM calls them from its own threads, with or without locks held.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>
#include <syslog.h>

#include "log.h"
#include "osm.h"
#include "recorder.h"
#include "worker.h"

/* A test builds a plugin for an OpenSM that does not exist. */
#ifdef IBS_TEST_OSM_VERSION
#define BUILT_FOR IBS_TEST_OSM_VERSION
#else
#define BUILT_FOR OSM_VERSION
#endif

/* The events that mean something to us; the others post nothing. */
static const unsigned int event_posts[OSM_EVENT_ID_MAX] = {
	[OSM_EVENT_ID_SUBNET_UP] = WORKER_SUBNET_UP,
	[OSM_EVENT_ID_STATE_CHANGE] = WORKER_ROLE,
};

/*
 * What shows that the members of osm are not where this file takes them to be;
 * NULL when nothing does.
 */
static const char *
layout_error(const struct osm_opensm *osm)
{
	if (!osm->osm_version || strcmp(osm->osm_version, BUILT_FOR) != 0) {
		return "it is another version";
	}
	if (osm->subn.p_osm != osm || osm->sm.p_subn != &osm->subn ||
	    osm->sm.p_log != &osm->log || osm->sm.p_lock != &osm->lock) {
		return "its structures differ from the headers";
	}
	return NULL;
}

/* The log of an OpenSM of another layout cannot be written to. */
static void
refuse(const char *reason)
{
	static const char format[] =
		"osmspeed %s: built for %s, but this OpenSM cannot be used: "
		"%s; not loaded";

	fprintf(stderr, format, PACKAGE_VERSION, BUILT_FOR, reason);
	fputc('\n', stderr);
	syslog(LOG_DAEMON | LOG_ERR, format, PACKAGE_VERSION, BUILT_FOR,
	       reason);
}

static void *
plugin_create(struct osm_opensm *osm)
{
	const char *reason = layout_error(osm);
	struct worker *worker;
	char **argv;
	int err;

	if (reason) {
		refuse(reason);
		return NULL;
	}
	argv = recorder_argv(osm, osm->subn.opt.event_plugin_options);
	if (!argv) {
		log_line(osm, OSM_LOG_ERROR, "not loaded: no memory");
		return NULL;
	}
	log_line(osm, OSM_LOG_INFO, "version %s loaded, recorder %s",
		 PACKAGE_VERSION, argv[0]);
	err = worker_start(osm, argv, &worker);
	if (err) {
		log_line(osm, OSM_LOG_ERROR, "not loaded: %s", strerror(-err));
		recorder_argv_free(argv);
		return NULL;
	}
	return worker;
}

static void
plugin_delete(void *plugin_data)
{
	worker_stop(plugin_data);
}

static void
plugin_report(void *plugin_data, osm_epi_event_id_t event_id, void *event_data)
{
	(void)event_data;
	if (event_id < OSM_EVENT_ID_MAX && event_posts[event_id]) {
		worker_post(plugin_data, event_posts[event_id]);
	}
}

/* osm_event_plugin.h does not declare it. */
extern osm_event_plugin_t osm_event_plugin;
__attribute__((visibility("default"))) osm_event_plugin_t osm_event_plugin = {
	.osm_version = BUILT_FOR,
	.create = plugin_create,
	.delete = plugin_delete,
	.report = plugin_report,
};
