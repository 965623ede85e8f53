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
/* The kernel's boot id, "" when there is none. */
void host_boot_id(char *ret_text, size_t size);

/* One line on standard error: "ibspeed: " and the message. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
