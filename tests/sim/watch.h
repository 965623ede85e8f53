/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * watch: what a program that is to read and do nothing else (ibspeed) sends,
 * and how much of it is in flight, as a real kernel sees it.
 *
 * It logs `wrong WHAT` for a send that a real kernel or a real fabric would
 * not forgive, and `window N` and `node-window N` whenever more Gets than ever
 * before are in flight, in all and to one node.
 *
 * locks   the caller's
 */
#ifndef IBSPEED_TESTS_SIM_WATCH_H
#define IBSPEED_TESTS_SIM_WATCH_H

#include <stdint.h>

/* One line of the preload's log, with the program's name in front. */
__attribute__((format(printf, 1, 2))) void preload_log(const char *format, ...);

void watch_sent(const uint8_t *mad, int timeout_ms, int retries,
		uint64_t now_ns);
/* What came of it is with the program now. */
void watch_answered(uint32_t tid);

#endif
