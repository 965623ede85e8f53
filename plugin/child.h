/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * child: the process of the recorder.  It leads a process group of its own and
 * inherits nothing from OpenSM but the environment: default signal handlers, an
 * empty signal mask, and of the descriptors its standard ones: the feed, the
 * null device, and a pipe for what it says.
 *
 * locks   none; used by the worker's thread alone
 */
#ifndef IBSPEED_PLUGIN_CHILD_H
#define IBSPEED_PLUGIN_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* How child_ended() tells of an exit, and of a good one. */
#define CHILD_EXITED	 "exited with status "
#define CHILD_ENDED_WELL CHILD_EXITED "0"

struct child {
	pid_t pid;   /* -1: none */
	int feed_fd; /* the other end of its standard input; -1: closed */
	int said_fd; /* and of its standard error; both do not block */
};

void child_init(struct child *child);
/* errors  what socketpair(), pipe2() and posix_spawn() say */
int child_start(struct child *child, char *const *argv);
void child_close_feed(struct child *child);
void child_close_said(struct child *child);
/* To the process and all that it started. */
void child_signal(const struct child *child, int signal);
/*
 * True when it has ended: then what it started is ended too, and pid is -1.
 * out     how  "exited with status 4", "was killed by signal 9"
 */
bool child_ended(struct child *child, char *how, size_t how_size);
/* Gives up on a process that does not end. */
void child_forget(struct child *child);

#endif
