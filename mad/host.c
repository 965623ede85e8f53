// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "host.h"

#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S  1000000000
#define NS_PER_US 1000

static int64_t
clock_ns(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now)) {
		return 0;
	}
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t
host_realtime_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

uint64_t
host_monotonic_ns(void)
{
	return (uint64_t)clock_ns(CLOCK_MONOTONIC);
}

uint64_t
host_monotonic_raw_ns(void)
{
	return (uint64_t)clock_ns(CLOCK_MONOTONIC_RAW);
}

void
host_sleep_until(uint64_t monotonic_ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(monotonic_ns / NS_PER_S),
		.tv_nsec = (long)(monotonic_ns % NS_PER_S),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) ==
	       EINTR) {
	}
}

void
host_realtime_quality(int64_t *ret_max_error_ns, int32_t *ret_tai_s)
{
	struct timex timex = { .modes = 0 };
	int state = adjtimex(&timex);

	*ret_max_error_ns = -1;
	if (state >= 0 && !(timex.status & STA_UNSYNC)) {
		*ret_max_error_ns = (int64_t)timex.maxerror * NS_PER_US;
	}
	*ret_tai_s = state >= 0 ? timex.tai : 0;
}

void
host_boot_id(char *ret_text, size_t size)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	ret_text[0] = 0;
	if (file) {
		if (fgets(ret_text, (int)size, file)) {
			ret_text[strcspn(ret_text, "\n")] = 0;
		}
		(void)fclose(file);
	}
}

void
host_user(char *ret_text, size_t size)
{
	const char *sudo = getenv("SUDO_USER");
	const struct passwd *user = getpwuid(getuid());

	if (sudo && *sudo) {
		(void)snprintf(ret_text, size, "%s", sudo);
	} else if (user) {
		(void)snprintf(ret_text, size, "%s", user->pw_name);
	} else {
		(void)snprintf(ret_text, size, "%u", (unsigned int)getuid());
	}
	for (char *c = ret_text; *c; c++) {
		if (iscntrl((unsigned char)*c)) {
			*c = '?'; /* anybody may have set the variable */
		}
	}
}

static char line[1024]; /* the last message */

const char *
message_last(void)
{
	return line;
}

void
message(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	for (char *c = line; *c; c++) {
		if (iscntrl((unsigned char)*c)) {
			*c = '?'; /* what was typed, or is in a file */
		}
	}
	(void)fprintf(stderr, "ibspeed: %s\n", line);
}
