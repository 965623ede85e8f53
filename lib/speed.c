// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The tables of speed.h and their look-ups. */
#include <config.h>

#include "ibspeed/speed.h"

#include <stddef.h>
#include <strings.h>

#define N_ROWS(table) (sizeof(table) / sizeof((table)[0]))

static const struct ibs_speed_row speed_rows[IBS_SPEED_COUNT] = {
#define X(name, unit, lane_kbps, ib_speed)                                     \
	[IBS_SPEED_##name] = { #name, unit, lane_kbps, ib_speed },
	IBS_SPEEDS(X)
#undef X
};

static const struct ibs_width_row width_rows[IBS_WIDTH_COUNT] = {
#define X(lanes, code) [IBS_WIDTH_##lanes##X] = { lanes, code },
	IBS_WIDTHS(X)
#undef X
};

static const struct ibs_rate_row rate_rows[] = {
#define X(eff, rate_enum, mult, mbps) { eff, rate_enum, mult, mbps },
	IBS_RATES(X)
#undef X
};

const struct ibs_speed_row *
ibs_speed_row(enum ibs_speed speed)
{
	if (speed <= IBS_SPEED_UNKNOWN || speed >= IBS_SPEED_COUNT) {
		return NULL;
	}
	return &speed_rows[speed];
}

const struct ibs_width_row *
ibs_width_row(enum ibs_width width)
{
	if (width <= IBS_WIDTH_UNKNOWN || width >= IBS_WIDTH_COUNT) {
		return NULL;
	}
	return &width_rows[width];
}

const char *
ibs_speed_name(enum ibs_speed speed)
{
	const struct ibs_speed_row *row = ibs_speed_row(speed);

	if (row) {
		return row->name;
	}
	return speed == IBS_SPEED_NONE ? "-" : "unknown";
}

enum ibs_speed
ibs_speed_from_name(const char *name)
{
	for (int i = IBS_SPEED_UNKNOWN + 1; i < IBS_SPEED_COUNT; i++) {
		if (strcasecmp(name, speed_rows[i].name) == 0) {
			return (enum ibs_speed)i;
		}
	}
	return IBS_SPEED_NONE;
}

enum ibs_width
ibs_width_from_lanes(unsigned int lanes)
{
	for (int i = IBS_WIDTH_UNKNOWN + 1; i < IBS_WIDTH_COUNT; i++) {
		if (width_rows[i].lanes == lanes) {
			return (enum ibs_width)i;
		}
	}
	return IBS_WIDTH_NONE;
}

enum ibs_width
ibs_width_from_code(uint8_t code)
{
	for (int i = IBS_WIDTH_UNKNOWN + 1; i < IBS_WIDTH_COUNT; i++) {
		if (width_rows[i].code == code) {
			return (enum ibs_width)i;
		}
	}
	return IBS_WIDTH_UNKNOWN;
}

int32_t
ibs_eff_100mbps(enum ibs_speed speed, enum ibs_width width)
{
	const struct ibs_speed_row *s = ibs_speed_row(speed);
	const struct ibs_width_row *w = ibs_width_row(width);

	return s && w ? (int32_t)(s->unit_100mbps * w->lanes) : -1;
}

int64_t
ibs_signal_kbps(enum ibs_speed speed, enum ibs_width width)
{
	const struct ibs_speed_row *s = ibs_speed_row(speed);
	const struct ibs_width_row *w = ibs_width_row(width);

	return s && w ? (int64_t)s->lane_kbps * w->lanes : -1;
}

const struct ibs_rate_row *
ibs_rate_by_eff(int64_t eff_100mbps)
{
	for (size_t i = 0; i < N_ROWS(rate_rows); i++) {
		if (rate_rows[i].eff_100mbps == eff_100mbps) {
			return &rate_rows[i];
		}
	}
	return NULL;
}

const struct ibs_rate_row *
ibs_rate_by_enum(int64_t rate_enum)
{
	for (size_t i = 0; i < N_ROWS(rate_rows); i++) {
		if (rate_rows[i].rate_enum == rate_enum) {
			return &rate_rows[i];
		}
	}
	return NULL;
}

const struct ibs_rate_row *
ibs_rate_by_mult(int64_t rate_mult)
{
	for (size_t i = 0; i < N_ROWS(rate_rows); i++) {
		if (rate_rows[i].rate_mult == rate_mult) {
			return &rate_rows[i];
		}
	}
	return NULL;
}

const struct ibs_rate_row *
ibs_rate_by_mbps(int64_t rate_mbps)
{
	for (size_t i = 0; i < N_ROWS(rate_rows); i++) {
		if (rate_rows[i].rate_mbps == rate_mbps) {
			return &rate_rows[i];
		}
	}
	return NULL;
}

int
ibs_rate_merit(int rate_enum)
{
	const struct ibs_rate_row *row = ibs_rate_by_enum(rate_enum);

	return row ? (int)(row - rate_rows) : -1;
}

static int
highest_bit(ibs_set set)
{
	int bit = 0;

	for (unsigned int rest = set; rest > 1; rest >>= 1) {
		bit++;
	}
	return bit;
}

enum ibs_speed
ibs_speed_best(ibs_set speeds)
{
	return speeds ? (enum ibs_speed)highest_bit(speeds) : IBS_SPEED_NONE;
}

enum ibs_width
ibs_width_best(ibs_set widths)
{
	return widths ? (enum ibs_width)highest_bit(widths) : IBS_WIDTH_NONE;
}

ibs_set
ibs_width_set(uint8_t mask)
{
	ibs_set set = 0;

	for (int i = IBS_WIDTH_UNKNOWN + 1; i < IBS_WIDTH_COUNT; i++) {
		if (mask & width_rows[i].code) {
			set |= IBS_BIT(i);
		}
	}
	return set;
}
