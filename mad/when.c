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
	if (hours > 14 || minutes > 59) {
		return -EINVAL; /* no zone is that far off */
	}
	*ret_offset_s = 3600 * hours + 60 * minutes;
	if (*text == '-') {
		*ret_offset_s = -*ret_offset_s;
	}
	return 0;
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

/* What is typed to the second stands for all of it: so it is printed. */
static int64_t
part_of_second(const char *text, bool until, const char **ret_rest)
{
	int64_t part_ns;

	*ret_rest = fraction(text, &part_ns);
	return !until && *ret_rest == text ? NS_PER_S - 1 : part_ns;
}

static int
seconds(const char *text, bool until, int64_t *ret_ns)
{
	const char *rest;
	char *behind;
	int64_t part_ns;
	long long s;

	errno = 0;
	s = strtoll(text, &behind, 10);
	part_ns = part_of_second(behind, until, &rest);
	if (errno || !isdigit((unsigned char)*text) || *rest || s > MAX_S) {
		return -EINVAL;
	}
	*ret_ns = s * NS_PER_S + part_ns;
	return 0;
}

/* Has it the digits and the signs of the shape?  strptime() asks for less. */
static bool
has_shape(const char *text, const char *shape)
{
	for (; *shape; shape++, text++) {
		if (*shape == '0' ? !isdigit((unsigned char)*text)
				  : *text != *shape) {
			return false;
		}
	}
	return true;
}

/* A day, and the time of the day if there is one. */
static const char *
clock_time(const char *text, struct tm *tm, bool *ret_day)
{
	const char *rest;

	*ret_day = true;
	if (!has_shape(text, "0000-00-00")) {
		return NULL;
	}
	rest = strptime(text, "%Y-%m-%d", tm);
	if (!rest) {
		return NULL;
	}
	if (*rest != 'T' && *rest != ' ') {
		return rest;
	}
	*ret_day = false;
	if (has_shape(rest + 1, "00:00:00")) {
		return strptime(rest + 1, "%H:%M:%S", tm);
	}
	return has_shape(rest + 1, "00:00") ? strptime(rest + 1, "%H:%M", tm)
					    : NULL;
}

/* The 31st of a month that has 30 days is moved on by mktime(). */
static bool
is_day(const struct tm *wanted, const struct tm *got)
{
	return wanted->tm_mday == got->tm_mday && wanted->tm_mon == got->tm_mon;
}

int
when_from_text(const char *text, bool until, int64_t *ret_ns)
{
	struct tm tm = { .tm_isdst = -1 }, got;
	const char *rest;
	int64_t offset_s, part_ns = 0;
	time_t time;
	bool day, local;

	if (*text == '@') {
		return seconds(text + 1, until, ret_ns);
	}
	rest = clock_time(text, &tm, &day);
	if (rest && !day) {
		part_ns = part_of_second(rest, until, &rest);
	}
	if (!rest || zone(rest, &local, &offset_s)) {
		return -EINVAL;
	}
	got = tm;
	time = local ? mktime(&got) : timegm(&got);
	if (!is_day(&tm, &got)) {
		return -EINVAL;
	}
	if (day && until) {
		tm.tm_mday++; /* a day may have 23 hours */
		time = local ? mktime(&tm) : timegm(&tm);
	}
	if (time <= 0 || time > MAX_S) {
		return -EINVAL;
	}
	*ret_ns = ((int64_t)time - offset_s) * NS_PER_S + part_ns;
	return 0;
}
