// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "when.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_S INT64_C(1000000000)
#define MAX_S	 INT64_C(9000000000) /* in the year 2255; ns fit */

/* Behind the time: nothing, Z, or an offset from UTC such as +01:00. */
static int
zone(const char *text, bool *ret_local, int64_t *ret_offset_s)
{
	int64_t hours, minutes;

	*ret_local = *text == '\0';
	*ret_offset_s = 0;
	if (*ret_local || strcmp(text, "Z") == 0) {
		return 0;
	}
	if ((*text != '+' && *text != '-') || strlen(text) != 6 ||
	    !isdigit((unsigned char)text[1]) ||
	    !isdigit((unsigned char)text[2]) || text[3] != ':' ||
	    !isdigit((unsigned char)text[4]) ||
	    !isdigit((unsigned char)text[5])) {
		return -EINVAL;
	}
	hours = 10 * (text[1] - '0') + text[2] - '0';
	minutes = 10 * (text[4] - '0') + text[5] - '0';
	*ret_offset_s = 3600 * hours + 60 * minutes;
	if (*text == '-') {
		*ret_offset_s = -*ret_offset_s;
	}
	return 0;
}

static int
seconds(const char *text, int64_t *ret_ns)
{
	char *end;
	long long s;

	errno = 0;
	s = strtoll(text, &end, 10);
	if (errno || !isdigit((unsigned char)*text) || *end || s > MAX_S) {
		return -EINVAL;
	}
	*ret_ns = s * NS_PER_S;
	return 0;
}

/* A day, and the time of the day if there is one. */
static const char *
clock_time(const char *text, struct tm *tm, bool *ret_day)
{
	const char *rest = strptime(text, "%Y-%m-%d", tm);
	const char *behind;

	*ret_day = true;
	if (!rest || rest - text != 10) {
		return NULL;
	}
	if (*rest != 'T' && *rest != ' ') {
		return rest;
	}
	*ret_day = false;
	behind = strptime(rest + 1, "%H:%M:%S", tm);
	return behind ? behind : strptime(rest + 1, "%H:%M", tm);
}

/* ".25" of a second, as ibspeed prints it; where there is none, 0. */
static const char *
fraction(const char *text, int64_t *ret_ns)
{
	int64_t unit_ns = NS_PER_S;

	*ret_ns = 0;
	if (*text != '.' || !isdigit((unsigned char)text[1])) {
		return text;
	}
	for (text++; isdigit((unsigned char)*text); text++) {
		unit_ns /= 10;
		*ret_ns += (*text - '0') * unit_ns;
	}
	return text;
}

/* The 31st of a month that has 30 days is moved on by mktime(). */
static bool
is_day(const struct tm *wanted, const struct tm *got)
{
	return wanted->tm_mday == got->tm_mday && wanted->tm_mon == got->tm_mon;
}

int
when_from_text(const char *text, bool end, int64_t *ret_ns)
{
	struct tm tm = { .tm_isdst = -1 }, got;
	const char *rest;
	int64_t offset_s, part_ns = 0;
	time_t time;
	bool day, local;

	if (*text == '@') {
		return seconds(text + 1, ret_ns);
	}
	rest = clock_time(text, &tm, &day);
	if (rest && !day) {
		rest = fraction(rest, &part_ns);
	}
	if (!rest || zone(rest, &local, &offset_s)) {
		return -EINVAL;
	}
	got = tm;
	time = local ? mktime(&got) : timegm(&got);
	if (!is_day(&tm, &got)) {
		return -EINVAL;
	}
	if (day && end) {
		tm.tm_mday++; /* a day may have 23 hours */
		time = local ? mktime(&tm) : timegm(&tm);
	}
	if (time <= 0 || time > MAX_S) {
		return -EINVAL;
	}
	*ret_ns = ((int64_t)time - offset_s) * NS_PER_S + part_ns;
	return 0;
}
