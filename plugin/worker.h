/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * worker: the only thread of the plugin.  It copies the topology, feeds the
 * recorder, and starts it again when it dies.
 *
 * locks   worker_post may be called by any thread, whatever locks it holds: it
 *         sets bits and wakes the worker, and never blocks
 */
#ifndef IBSPEED_PLUGIN_WORKER_H
#define IBSPEED_PLUGIN_WORKER_H

struct osm_opensm;
struct worker;

/* What is posted to it; bits. */
#define WORKER_SUBNET_UP 1u
#define WORKER_ROLE	 2u
#define WORKER_STOP	 4u

/*
 * in      argv  of the recorder
 * errors  -ENOMEM, what eventfd() and pthread_create() say
 * owner   takes argv on success
 */
int worker_start(struct osm_opensm *osm, char **argv,
		 struct worker **ret_worker);
void worker_post(struct worker *worker, unsigned int bits);
/* Ends the recorder, within 2 s, and the worker; frees it. */
void worker_stop(struct worker *worker);

#endif
