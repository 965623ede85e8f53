/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * For tests that link the double of libibverbs: programs it, in a time base
 * that stands still unless the test moves it.
 */
#ifndef IBSPEED_TESTS_FAKE_VERBS_PROGRAMMED_H
#define IBSPEED_TESTS_FAKE_VERBS_PROGRAMMED_H

#include <infiniband/verbs.h>
#include <stdint.h>

extern char programmed_path[64]; /* the program */
extern char programmed_log[64];	 /* the truth */

/* A directory with the files, and the environment; its end. */
void programmed_begin(void);
void programmed_end(void);

/* A program, program.h; in the time that programmed_time sets. */
void programmed(const char *lines);
void programmed_time(uint64_t ns);
/* Replaces a file at once: a program in real time. */
void programmed_write(const char *path, const char *text);

/* The first device that is listed; NULL: none, or errno. */
struct ibv_context *programmed_open(void);
/* What the next read says; -errno when it fails. */
int64_t programmed_raw(struct ibv_context *context);
int64_t programmed_raw_at(struct ibv_context *context, uint64_t ns);

#endif
