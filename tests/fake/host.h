/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A fake OpenSM: as much of osm_opensm_t as the plugin looks at, with a subnet
 * made by hand, a log file, and the plugin loaded as OpenSM loads it.
 */
#ifndef IBSPEED_TESTS_HOST_H
#define IBSPEED_TESTS_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "osm.h"

#define HOST_M_KEY	  0x1122334455667788u
#define HOST_SWITCH_PORTS 41 /* with port 0 */
#define HOST_TEXT_SIZE	  65536

struct host {
	struct osm_opensm *osm;
	osm_event_plugin_t *plugin;
	void *data;   /* of the plugin, NULL: not loaded */
	char dir[64]; /* of this host's files */
};

/* A subnet of so many switches, each with a host at its port 1. */
void host_new(struct host *host, unsigned int n_switches);
/* Loads the plugin; its recorder is the double, in that mode. */
void host_create(struct host *host, const char *mode, const char *options);
void host_report(struct host *host, osm_epi_event_id_t event);
/* Unloads it; milliseconds that it took. */
int64_t host_delete(struct host *host);
void host_free(struct host *host);

int64_t host_now_ms(void);
/* What is in a file of the host's directory, as text; "" when there is none. */
const char *host_text(const struct host *host, const char *name,
		      char *ret_text);
/* How often the file has the words; waits for n_times, 5 s at the most. */
unsigned int host_count(const struct host *host, const char *name,
			const char *words);
bool host_wait(const struct host *host, const char *name, const char *words,
	       unsigned int n_times);
/* Process id of the recorder that was started as the n-th, from 0. */
pid_t host_recorder(const struct host *host, unsigned int n);
bool host_is_gone(pid_t pid);

#endif
