// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The four descriptors of the two connections. */
struct pipes {
	int feed[2]; /* ours, the child's */
	int said[2];
};

static void
close_fd(int *fd)
{
	if (*fd >= 0) {
		close(*fd);
		*fd = -1;
	}
}

static void
pipes_close(struct pipes *pipes)
{
	for (int i = 0; i < 2; i++) {
		close_fd(&pipes->feed[i]);
		close_fd(&pipes->said[i]);
	}
}

/*
 * Above the standard ones, which may be free in OpenSM: dup2() of a descriptor
 * to itself would leave it close-on-exec.
 */
static int
move_up(int *fd)
{
	int moved;

	if (*fd > STDERR_FILENO) {
		return 0;
	}
	moved = fcntl(*fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (moved < 0) {
		return -errno;
	}
	close(*fd);
	*fd = moved;
	return 0;
}

static int
pipes_open(struct pipes *pipes)
{
	int err = 0;

	*pipes = (struct pipes){ { -1, -1 }, { -1, -1 } };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pipes->feed) ||
	    pipe2(pipes->said, O_CLOEXEC)) {
		err = -errno;
	}
	for (int i = 0; i < 2 && !err; i++) {
		err = move_up(&pipes->feed[i]);
		if (!err) {
			err = move_up(&pipes->said[i]);
		}
	}
	if (!err && (fcntl(pipes->feed[0], F_SETFL, O_NONBLOCK) ||
		     fcntl(pipes->said[0], F_SETFL, O_NONBLOCK))) {
		err = -errno;
	}
	if (err) {
		pipes_close(pipes);
	}
	return err;
}

/* The functions below return a positive errno, as posix_spawn() does. */
static int
set_files(posix_spawn_file_actions_t *files, const struct pipes *pipes)
{
	int err = posix_spawn_file_actions_adddup2(files, pipes->feed[1],
						   STDIN_FILENO);

	if (!err) {
		err = posix_spawn_file_actions_addopen(
			files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	}
	if (!err) {
		err = posix_spawn_file_actions_adddup2(files, pipes->said[1],
						       STDERR_FILENO);
	}
	if (!err) {
		err = posix_spawn_file_actions_addclosefrom_np(
			files, STDERR_FILENO + 1);
	}
	return err;
}

static int
set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t all, none;
	int err;

	sigfillset(&all);
	sigemptyset(&none);
	err = posix_spawnattr_setflags(
		attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
				    POSIX_SPAWN_SETPGROUP);
	if (!err) {
		err = posix_spawnattr_setsigdefault(attributes, &all);
	}
	if (!err) {
		err = posix_spawnattr_setsigmask(attributes, &none);
	}
	if (!err) {
		err = posix_spawnattr_setpgroup(attributes, 0);
	}
	return err;
}

static int
spawn(const struct pipes *pipes, char *const *argv, pid_t *ret_pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int err;

	err = posix_spawn_file_actions_init(&files);
	if (err) {
		return err;
	}
	err = posix_spawnattr_init(&attributes);
	if (err) {
		goto out_files;
	}
	err = set_files(&files, pipes);
	if (!err) {
		err = set_attributes(&attributes);
	}
	if (!err) {
		err = posix_spawn(ret_pid, argv[0], &files, &attributes, argv,
				  environ);
	}
	posix_spawnattr_destroy(&attributes);
out_files:
	posix_spawn_file_actions_destroy(&files);
	return err;
}

void
child_init(struct child *child)
{
	*child = (struct child){ .pid = -1, .feed_fd = -1, .said_fd = -1 };
}

int
child_start(struct child *child, char *const *argv)
{
	struct pipes pipes;
	pid_t pid;
	int err = pipes_open(&pipes);

	if (err) {
		return err;
	}
	err = spawn(&pipes, argv, &pid);
	if (err) {
		pipes_close(&pipes);
		return -err;
	}
	close_fd(&pipes.feed[1]);
	close_fd(&pipes.said[1]);
	*child = (struct child){ .pid = pid,
				 .feed_fd = pipes.feed[0],
				 .said_fd = pipes.said[0] };
	return 0;
}

void
child_close_feed(struct child *child)
{
	close_fd(&child->feed_fd);
}

void
child_close_said(struct child *child)
{
	close_fd(&child->said_fd);
}

void
child_signal(const struct child *child, int signal)
{
	if (child->pid > 0) {
		kill(-child->pid, signal);
	}
}

static void
describe(const siginfo_t *info, char *how, size_t how_size)
{
	if (info->si_code == CLD_EXITED) {
		snprintf(how, how_size, CHILD_EXITED "%d", info->si_status);
	} else {
		snprintf(how, how_size, "was killed by signal %d",
			 info->si_status);
	}
}

bool
child_ended(struct child *child, char *how, size_t how_size)
{
	siginfo_t info = { .si_pid = 0 };

	/* As long as it is not waited for, its group cannot be another's. */
	if (waitid(P_PID, (id_t)child->pid, &info,
		   WEXITED | WNOHANG | WNOWAIT)) {
		if (errno == EINTR) {
			return false;
		}
		snprintf(how, how_size, "ended, nobody knows how");
	} else if (info.si_pid == 0) {
		return false;
	} else {
		describe(&info, how, how_size);
		child_signal(child, SIGKILL);
		waitpid(child->pid, NULL, WNOHANG);
	}
	child_forget(child);
	return true;
}

void
child_forget(struct child *child)
{
	child->pid = -1;
}
