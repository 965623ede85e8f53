/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The host's clocks and words: the only places where the client asks the time
 * or talks on standard error. */
#ifndef IBSPEED_HOST_H
#define IBSPEED_HOST_H

#include <stddef.h>
#include <stdint.h>

int64_t host_realtime_ns(void);
uint64_t host_monotonic_ns(void);     /* for time-outs */
uint64_t host_monotonic_raw_ns(void); /* for readings, never slewed */
void host_sleep_until(uint64_t monotonic_ns);
/*
 * How well CLOCK_REALTIME is set, by the kernel's word; a system call.
 * out     max_error_ns  a bound of its error; -1: not synchronized
 *         tai_s         TAI - UTC; 0: not known
 */
void host_realtime_quality(int64_t *ret_max_error_ns, int32_t *ret_tai_s);
/* The kernel's boot id, "" when there is none. */
void host_boot_id(char *ret_text, size_t size);

/* Who runs this: who called sudo, or the user. */
void host_user(char *ret_text, size_t size);

/* One line on standard error: "ibspeed: " and the message. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The last of them; "" there was none. */
const char *message_last(void);

#endif
