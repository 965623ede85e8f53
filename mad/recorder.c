// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "recorder.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "feed_in.h"
#include "host.h"
#include "ibspeed/feed.h"
#include "ibspeed/sweep.h"
#include "live.h"
#include "options.h"
#include "reader.h"
#include "smi.h"
#include "store_path.h"

#define SWEEP_WAIT_MS  20
#define STEPS_PER_TURN 256 /* then look after the feed again */
#define IDLE_WAIT_MS   500
#define NS_PER_S       UINT64_C(1000000000)
#define NS_PER_MS      UINT64_C(1000000)

struct recorder {
	struct ibs_settings settings;
	struct feed_in feed;
	struct ibs_feed_subnet subnet; /* of the latest topology */
	/* As OpenSM told it last, to be read by SMPs at each of its times;
	 * NULL: none, or not ours to read any more. */
	struct ibs_map *topology;
	bool topology_due;	 /* to be read next */
	struct ibs_sweep *sweep; /* that is going on, or NULL */
	struct smi *smi;
	struct clock clock;
	struct recorder_store store;
	bool has_store;
	uint32_t n_dropped; /* topologies, as last told */
	uint64_t due_ns;    /* the next reading, CLOCK_MONOTONIC */
};

static volatile sig_atomic_t stopped;

/* Nothing of the M_Key may end up in a file. */
static void
forbid_core(void)
{
	const struct rlimit none = { 0, 0 };

	(void)setrlimit(RLIMIT_CORE, &none);
}

static void
on_signal(int number)
{
	(void)number;
	stopped = 1;
}

static void
handle_signals(bool fed)
{
	struct sigaction stop = { .sa_handler = on_signal };
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	(void)sigaction(SIGTERM, &stop, NULL);
	(void)sigaction(SIGINT, &stop, NULL);
	(void)sigaction(SIGPIPE, &ignore, NULL);
	if (fed) {
		/* The end of the feed tells it too, unless a call into the
		 * umad port never returns. */
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	}
}

static enum ibs_source
source_of(const struct ibs_settings *settings)
{
	return strcmp(settings->source, ibs_source_name(IBS_SOURCE_SM)) == 0
		       ? IBS_SOURCE_SM
		       : IBS_SOURCE_SMP;
}

/* The conf file is read again when it changed; a wrong one changes nothing. */
static void
reload_settings(struct recorder *r)
{
	char error[512];

	if (options_reload(&r->settings, error, sizeof(error))) {
		message("error: %s; the settings stay as they were", error);
	}
}

static int
open_store_of(struct recorder *r, uint64_t sm_port_guid)
{
	char path[IBS_PATH_SIZE];

	if (r->has_store) {
		return 0;
	}
	if (*r->settings.db) {
		(void)snprintf(path, sizeof(path), "%s", r->settings.db);
	} else if (sm_port_guid) {
		store_path_of_guid(sm_port_guid, path, sizeof(path));
	} else {
		return -ENOENT;
	}
	recorder_store_init(&r->store, path);
	r->has_store = true;
	return 0;
}

/* The plugin had newer ones before we were ready for these. */
static void
tell_dropped(struct recorder *r)
{
	if (r->subnet.n_dropped != r->n_dropped) {
		message("%u topologies of OpenSM were overtaken by newer ones "
			"so far",
			r->subnet.n_dropped);
		r->n_dropped = r->subnet.n_dropped;
	}
}

static int
take_topology(struct recorder *r, char *error, size_t error_size)
{
	struct ibs_map *map;
	int err;

	reload_settings(r);
	err = ibs_feed_read_topology(r->feed.payload,
				     r->feed.frame.payload_size,
				     source_of(&r->settings), &r->subnet, &map);
	if (err) {
		(void)snprintf(error, error_size,
			       "a topology from the plugin is malformed");
		return err;
	}
	ibs_map_free(r->topology);
	r->topology = map;
	r->topology_due = true;
	tell_dropped(r);
	if (open_store_of(r, r->subnet.subnet.sm_port_guid) == 0) {
		recorder_store_role(&r->store, r->subnet.sm_state);
	}
	return 0;
}

static void
stop_reading(struct recorder *r)
{
	ibs_map_free(r->topology);
	r->topology = NULL;
	r->topology_due = false;
	ibs_sweep_free(r->sweep);
	r->sweep = NULL;
}

static int
take_role(struct recorder *r, char *error, size_t error_size)
{
	uint8_t sm_state;

	if (ibs_feed_read_role(r->feed.payload, r->feed.frame.payload_size,
			       &sm_state)) {
		(void)snprintf(error, error_size,
			       "a role from the plugin is malformed");
		return -EPROTO;
	}
	r->subnet.sm_state = sm_state;
	if (r->has_store) {
		recorder_store_role(&r->store, sm_state);
	}
	if (sm_state != IBS_SM_MASTER) {
		stop_reading(r); /* another SM's subnet by now */
	}
	return 0;
}

/* All frames that are there; of several topologies the last one counts. */
static int
take_feed(struct recorder *r, char *error, size_t error_size)
{
	for (;;) {
		int got = feed_in_next(&r->feed, error, error_size);

		if (got != 1) {
			return got;
		}
		if (r->feed.frame.type == IBS_FEED_TOPOLOGY) {
			got = take_topology(r, error, error_size);
		} else if (r->feed.frame.type == IBS_FEED_ROLE) {
			got = take_role(r, error, error_size);
		}
		if (got < 0) {
			return got;
		}
	}
}

static int
open_smi(struct recorder *r, char *error, size_t error_size)
{
	/* The routes of a feed begin at the SM's port and at no other. */
	const struct smi_options options = {
		.ca = r->settings.feed ? "" : r->settings.ca,
		.port = r->settings.feed ? 0 : r->settings.port,
		.port_guid = r->subnet.subnet.sm_port_guid,
		.timeout_ms = r->settings.timeout_ms,
		.clock = &r->clock,
	};

	if (r->smi) {
		return 0;
	}
	return smi_open(&options, &r->smi, error, error_size);
}

static int
record(struct recorder *r, struct ibs_map *map, char *error, size_t error_size)
{
	int err;

	clock_end(&r->clock, map);
	err = ibs_map_freeze(map);
	if (err) {
		(void)snprintf(error, error_size, "cannot finish the map: %s",
			       strerror(-err));
		ibs_map_free(map);
		return err;
	}
	err = open_store_of(r, map->subnet.sm_port_guid);
	if (err) {
		(void)snprintf(error, error_size,
			       "no SM is known here, so the store has no name; "
			       "give one with --db");
		ibs_map_free(map);
		return err;
	}
	r->store.row.interval_s = r->settings.interval_s;
	recorder_store_take(&r->store, map);
	return 0;
}

/* OpenSM's bytes: no Get tells more, so there is nothing to read again. */
static int
record_as_told(struct recorder *r, char *error, size_t error_size)
{
	struct ibs_map *map = r->topology;

	r->topology = NULL;
	r->topology_due = false;
	ibs_map_mark_hidden(map);
	clock_begin(&r->clock, NULL);
	return record(r, map, error, error_size);
}

/* A device that blocks for seconds brings the next reading no nearer. */
static void
begin_clock(struct recorder *r)
{
	clock_begin(&r->clock, smi_port(r->smi));
	r->due_ns = host_monotonic_ns() + r->settings.interval_s * NS_PER_S;
}

static int
start_sweep(struct recorder *r, char *error, size_t error_size)
{
	const struct ibs_sweep_limits limits = reader_limits(&r->settings);
	struct ibs_map *map;
	int err;

	r->due_ns = host_monotonic_ns() + r->settings.interval_s * NS_PER_S;
	if (r->topology->sweep.source == IBS_SOURCE_SM) {
		return record_as_told(r, error, error_size);
	}
	err = open_smi(r, error, error_size);
	if (err) {
		return err;
	}
	smi_set_m_key(r->smi, r->subnet.m_key);
	begin_clock(r);
	map = ibs_map_copy(r->topology);
	err = map ? ibs_sweep_new(map, &limits,
				  (uint32_t)clock_last_ns(&r->clock), &r->sweep)
		  : -ENOMEM;
	if (err) {
		ibs_map_free(map);
		(void)snprintf(error, error_size, "cannot sweep: %s",
			       strerror(-err));
		return err;
	}
	r->topology_due = false;
	return 0;
}

/*
 * OpenSM tells of no PortInfo that changes without a trap, such as a link that
 * lost a lane: what it told last is read again when its time comes.
 */
static void
read_again(struct recorder *r)
{
	if (!r->settings.feed || host_monotonic_ns() < r->due_ns) {
		return;
	}
	reload_settings(r);
	r->due_ns = host_monotonic_ns() + r->settings.interval_s * NS_PER_S;
	r->topology_due =
		r->topology && source_of(&r->settings) == IBS_SOURCE_SMP;
}

/* Without a feed: find out what is there, every interval. */
static int
start_discovery(struct recorder *r, char *error, size_t error_size)
{
	struct ibs_sweep_limits limits;
	int err;

	reload_settings(r);
	limits = reader_limits(&r->settings);
	r->due_ns = host_monotonic_ns() + r->settings.interval_s * NS_PER_S;
	err = open_smi(r, error, error_size);
	if (err) {
		return err;
	}
	if (live_m_key_from_text(r->settings.m_key, &r->subnet.m_key)) {
		(void)snprintf(error, error_size, "no M_Key that can be used");
		return -EINVAL;
	}
	smi_set_m_key(r->smi, r->subnet.m_key);
	begin_clock(r);
	err = ibs_sweep_discover(&live_whole, &limits,
				 (uint32_t)clock_last_ns(&r->clock), &r->sweep);
	if (err) {
		(void)snprintf(error, error_size, "cannot sweep: %s",
			       strerror(-err));
	}
	return err;
}

static int
end_sweep(struct recorder *r, char *error, size_t error_size)
{
	struct ibs_map *map;
	int err = ibs_sweep_finish(r->sweep, &map);

	r->sweep = NULL;
	if (err) {
		(void)snprintf(error, error_size,
			       "cannot sweep from the local port: %s",
			       strerror(-err));
		return err;
	}
	return record(r, map, error, error_size);
}

static int
go_on_sweeping(struct recorder *r, char *error, size_t error_size)
{
	struct reader reader = { .sweep = r->sweep,
				 .smi = r->smi,
				 .clock = &r->clock,
				 .tell_errors = r->settings.verbose > 0 };
	int got = 1;

	for (int i = 0; got == 1 && i < STEPS_PER_TURN; i++) {
		if (ibs_sweep_done(r->sweep)) {
			return end_sweep(r, error, error_size);
		}
		got = reader_step(&reader, SWEEP_WAIT_MS);
	}
	if (got < 0) {
		(void)snprintf(error, error_size,
			       "the umad port failed in mid-sweep: %s",
			       strerror(-got));
		return got;
	}
	return 0;
}

static int
due_ms(const struct recorder *r)
{
	uint64_t now = host_monotonic_ns();

	return r->due_ns <= now ? 0 : (int)((r->due_ns - now) / NS_PER_MS) + 1;
}

/*
 * Nothing to read: wait for the feed, for the time to read again, or until the
 * store wants something.  Without a feed SIGTERM may come just before the wait,
 * so that is short.
 */
static void
wait_idle(struct recorder *r)
{
	struct pollfd feed = { .fd = r->feed.fd, .events = POLLIN };
	int wait_ms = due_ms(r);

	if (!r->settings.feed && wait_ms > IDLE_WAIT_MS) {
		wait_ms = IDLE_WAIT_MS;
	}
	if (r->has_store) {
		int store_ms = recorder_store_wait_ms(&r->store);

		wait_ms = store_ms < wait_ms ? store_ms : wait_ms;
	}
	(void)poll(&feed, r->settings.feed ? 1 : 0, wait_ms);
}

/* One step of whatever there is to do. */
static int
go_on(struct recorder *r, char *error, size_t error_size)
{
	if (r->sweep) {
		return go_on_sweeping(r, error, error_size);
	}
	if (!r->topology_due) {
		read_again(r);
	}
	if (r->topology_due) {
		return start_sweep(r, error, error_size);
	}
	if (!r->settings.feed && host_monotonic_ns() >= r->due_ns) {
		return start_discovery(r, error, error_size);
	}
	wait_idle(r);
	return 0;
}

static int
turn(struct recorder *r, char *error, size_t error_size)
{
	int err = 0;

	if (r->settings.feed) {
		err = take_feed(r, error, error_size);
	}
	if (!err) {
		err = go_on(r, error, error_size);
	}
	if (r->has_store) {
		if (err && err != -EPIPE) {
			recorder_store_trouble(&r->store, error);
		}
		recorder_store_tick(&r->store);
	}
	return err;
}

static void
recorder_free(struct recorder *r)
{
	feed_in_free(&r->feed);
	stop_reading(r);
	smi_close(r->smi);
	clock_free(&r->clock);
	if (r->has_store) {
		recorder_store_free(&r->store);
	}
}

enum cmd_exit
recorder_run(const struct ibs_settings *settings)
{
	struct recorder r = { .settings = *settings };
	char error[512] = "";
	int err = 0;

	handle_signals(settings->feed);
	forbid_core();
	(void)umask(S_IWGRP | S_IWOTH);
	if (settings->feed) {
		err = feed_in_init(&r.feed, STDIN_FILENO);
	}
	if (err) {
		(void)snprintf(error, sizeof(error), "standard input: %s",
			       strerror(-err));
	}
	while (!err && !stopped) {
		err = turn(&r, error, sizeof(error));
	}
	recorder_free(&r);
	if (err && err != -EPIPE) {
		message("error: %s", error);
		return CMD_FAILED;
	}
	return CMD_OK;
}
