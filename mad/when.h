/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* when: a time that somebody typed. */
#ifndef IBSPEED_WHEN_H
#define IBSPEED_WHEN_H

#include <stdbool.h>
#include <stdint.h>

#define WHEN_EXPECTED "expected 2026-11-30T12:00, with Z for UTC, or @SECONDS"

/*
 * ISO 8601, in local time unless it ends with Z or +HH:MM, the time of day may
 * be left out; or @ and seconds since 1970; either with a fraction.
 * in      until  a day stands for its end, a second for its beginning; else the
 *                other way round, so that the time of a sweep, which is printed
 *                to the second, finds that sweep
 * out     CLOCK_REALTIME
 * errors  -EINVAL
 */
int when_from_text(const char *text, bool until, int64_t *ret_ns);

#endif
