// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "worker.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "log.h"
#include "outbox.h"
#include "recorder.h"
#include "said.h"
#include "topology.h"

/* How long an ending recorder has before the next means, and all together. */
#define CLOSE_MS 200
#define TERM_MS	 1000
#define KILL_MS	 500
#define LOOK_MS	 10 /* how often it is looked whether it has ended */

#define BACKOFF_MIN_MS 1000
#define BACKOFF_MAX_MS 60000
#define SETTLED_MS     60000 /* after which a recorder is no longer new */
#define TICK_MS	       1000

#define HOW_SIZE 64

struct worker {
	struct osm_opensm *osm;
	char **argv;
	pthread_t thread;
	int wake_fd;
	atomic_uint posts;
	/* The rest is the thread's own. */
	struct child child;
	struct outbox outbox;
	struct said said;
	bool subnet_up; /* there is a topology worth copying */
	int told_state; /* SM state that the recorder knows; -1 none */
	uint32_t n_dropped;
	int64_t started_ms; /* of the child, CLOCK_MONOTONIC */
	int64_t restart_ms; /* when to start it, if there is none */
	int64_t backoff_ms;
};

static int64_t
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static void
read_said(struct worker *w)
{
	if (w->child.said_fd >= 0 &&
	    !said_read(&w->said, w->child.said_fd, now_ms())) {
		child_close_said(&w->child);
	}
}

/* Reads on while it waits, so that the recorder is not stuck in a write. */
static bool
wait_for_end(struct worker *w, int64_t timeout_ms, char *how)
{
	int64_t deadline_ms = now_ms() + timeout_ms;

	for (;;) {
		read_said(w);
		if (child_ended(&w->child, how, HOW_SIZE)) {
			return true;
		}
		if (now_ms() >= deadline_ms) {
			return false;
		}
		poll(NULL, 0, LOOK_MS);
	}
}

/* The recorder is gone: its pipes, its frames, and when to have another one. */
static void
bury_child(struct worker *w, const char *how)
{
	int64_t now = now_ms();
	/* systemd asks all processes of a service to end, it too. */
	osm_log_level_t level = strcmp(how, CHILD_ENDED_WELL) == 0
					? OSM_LOG_INFO
					: OSM_LOG_ERROR;

	read_said(w);
	said_end(&w->said, now);
	child_close_said(&w->child);
	child_close_feed(&w->child);
	outbox_clear(&w->outbox);
	if (now - w->started_ms >= SETTLED_MS) {
		w->backoff_ms = BACKOFF_MIN_MS;
	}
	if (atomic_load(&w->posts) & WORKER_STOP) {
		log_line(w->osm, OSM_LOG_INFO, "the recorder %s", how);
		return;
	}
	log_line(w->osm, level, "the recorder %s; starting it again in %d s",
		 how, (int)(w->backoff_ms / 1000));
	w->restart_ms = now + w->backoff_ms;
	w->backoff_ms = 2 * w->backoff_ms < BACKOFF_MAX_MS ? 2 * w->backoff_ms
							   : BACKOFF_MAX_MS;
}

/* From asking to killing. */
static void
end_child(struct worker *w, int64_t grace_ms)
{
	char how[HOW_SIZE] = "cannot be killed";
	bool ended;

	child_close_feed(&w->child);
	ended = grace_ms > 0 && wait_for_end(w, grace_ms, how);
	if (!ended) {
		child_signal(&w->child, SIGTERM);
		ended = wait_for_end(w, TERM_MS, how);
	}
	if (!ended) {
		child_signal(&w->child, SIGKILL);
		ended = wait_for_end(w, KILL_MS, how);
	}
	if (!ended) {
		child_forget(&w->child);
	}
	bury_child(w, how);
}

static void
copy_topology(struct worker *w)
{
	uint8_t *frame;
	size_t size;
	int err;

	if (w->child.pid < 0 || !topology_is_master(w->osm)) {
		return;
	}
	w->n_dropped += outbox_drop_topology(&w->outbox);
	err = topology_copy(w->osm, w->n_dropped, &frame, &size);
	if (err) {
		w->n_dropped++;
		log_line(w->osm, OSM_LOG_ERROR,
			 "the topology cannot be copied: %s", strerror(-err));
		return;
	}
	outbox_give_topology(&w->outbox, frame, size);
}

static void
tell_role(struct worker *w)
{
	if (w->child.pid < 0) {
		return;
	}
	w->told_state = topology_sm_state(w->osm);
	outbox_role(&w->outbox, (uint8_t)w->told_state);
	if (!topology_is_master(w->osm)) {
		outbox_drop_topology(&w->outbox);
	}
}

static void
start_child(struct worker *w)
{
	int err = child_start(&w->child, w->argv);

	w->started_ms = now_ms();
	if (err) {
		char how[HOW_SIZE];

		snprintf(how, sizeof(how), "cannot be started: %s",
			 strerror(-err));
		bury_child(w, how);
		return;
	}
	log_line(w->osm, OSM_LOG_INFO, "the recorder is process %d",
		 (int)w->child.pid);
	tell_role(w);
	if (w->subnet_up) {
		copy_topology(w);
	}
}

/*
 * OpenSM tells of some changes of its role and not of others, a handover to
 * another SM among them: so it is looked at each time too.
 */
static void
handle_posts(struct worker *w, unsigned int posts)
{
	if ((posts & WORKER_ROLE) ||
	    w->told_state != topology_sm_state(w->osm)) {
		tell_role(w);
	}
	if (posts & WORKER_SUBNET_UP) {
		w->subnet_up = true;
		copy_topology(w);
	}
}

static void
look_after_child(struct worker *w)
{
	char how[HOW_SIZE];

	read_said(w);
	if (child_ended(&w->child, how, sizeof(how))) {
		bury_child(w, how);
	} else if (outbox_send(&w->outbox, w->child.feed_fd)) {
		end_child(w, CLOSE_MS);
	}
}

static int
wait_ms(const struct worker *w)
{
	int64_t left_ms;

	if (w->child.pid >= 0) {
		return TICK_MS;
	}
	left_ms = w->restart_ms - now_ms();
	return left_ms > 0 ? (int)left_ms : 0;
}

/* Until something is posted, said, may be sent, or it is time. */
static void
wait_for_work(struct worker *w)
{
	short feed_events = outbox_pending(&w->outbox) ? POLLOUT : 0;
	struct pollfd fds[] = {
		{ .fd = w->wake_fd, .events = POLLIN },
		{ .fd = w->child.said_fd, .events = POLLIN },
		{ .fd = w->child.feed_fd, .events = feed_events },
	};
	eventfd_t woken;

	if (poll(fds, sizeof(fds) / sizeof(fds[0]), wait_ms(w)) <= 0) {
		return;
	}
	if (fds[0].revents) {
		eventfd_read(w->wake_fd, &woken);
	}
	if (fds[2].revents & (POLLHUP | POLLERR)) {
		end_child(w, CLOSE_MS);
	}
}

static void *
worker_run(void *arg)
{
	struct worker *w = arg;

	for (;;) {
		unsigned int posts = atomic_fetch_and(&w->posts, WORKER_STOP);

		if (posts & WORKER_STOP) {
			break;
		}
		handle_posts(w, posts);
		if (w->child.pid < 0 && now_ms() >= w->restart_ms) {
			start_child(w);
		}
		if (w->child.pid >= 0) {
			look_after_child(w);
		}
		said_tick(&w->said, now_ms());
		wait_for_work(w);
	}
	if (w->child.pid >= 0) {
		end_child(w, 0);
	}
	return NULL;
}

static void
worker_free(struct worker *w)
{
	outbox_clear(&w->outbox);
	close(w->wake_fd);
	free(w);
}

/* Signals are OpenSM's affair: none is ever delivered to the worker. */
static int
start_thread(struct worker *w)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&w->thread, NULL, worker_run, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

int
worker_start(struct osm_opensm *osm, char **argv, struct worker **ret_worker)
{
	struct worker *w = calloc(1, sizeof(*w));
	int err;

	if (!w) {
		return -ENOMEM;
	}
	w->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->wake_fd < 0) {
		err = -errno;
		free(w);
		return err;
	}
	w->osm = osm;
	w->argv = argv;
	w->said.osm = osm;
	w->backoff_ms = BACKOFF_MIN_MS;
	w->told_state = -1;
	child_init(&w->child);
	err = start_thread(w);
	if (err) {
		worker_free(w);
		return err;
	}
	*ret_worker = w;
	return 0;
}

void
worker_post(struct worker *worker, unsigned int bits)
{
	atomic_fetch_or(&worker->posts, bits);
	eventfd_write(worker->wake_fd, 1);
}

void
worker_stop(struct worker *worker)
{
	worker_post(worker, WORKER_STOP);
	pthread_join(worker->thread, NULL);
	recorder_argv_free(worker->argv);
	worker_free(worker);
}
