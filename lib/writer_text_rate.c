// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Rates in all their units, as text. */
#include <config.h>

#include "writer_text.h"

#include <string.h>

#define KBPS_DIGITS 6 /* from kb/s to Gb/s */

enum column { QUERY, SPEED, GBPS, ENUM, MULT, MBPS, LANE, SIGNAL, PAIRS };
static const char *const titles[] = { "QUERY",	   "SPEED",	  "Gb/s",
				      "ENUM",	   "MULT",	  "Mb/s",
				      "LANE Gb/s", "SIGNAL Gb/s", "PAIRS",
				      NULL };
#define NUMBERS                                                                \
	(1u << GBPS | 1u << ENUM | 1u << MULT | 1u << MBPS | 1u << LANE |      \
	 1u << SIGNAL)

static void
pairs_cell(int64_t eff_100mbps, char text[IBS_CELL_SIZE])
{
	struct ibs_pair pair = { .speed = IBS_SPEED_COUNT };
	size_t used = 0;

	text[0] = '\0';
	while (ibs_pair_next(eff_100mbps, &pair)) {
		if (used) {
			text[used++] = ',';
		}
		ibs_pair_text(pair, text + used);
		used = strlen(text);
	}
}

static void
rate_cells(const struct ibs_rate_query *query, struct ibs_cells *cells)
{
	const struct ibs_rate_row *rate = query->rate;
	const struct ibs_speed_row *speed =
		ibs_speed_row((enum ibs_speed)query->pair.speed);
	int64_t signal_kbps =
		ibs_signal_kbps((enum ibs_speed)query->pair.speed,
				(enum ibs_width)query->pair.width);

	ibs_escape((const uint8_t *)query->text, strlen(query->text),
		   cells->text[QUERY], IBS_CELL_SIZE);
	ibs_pair_text(query->pair, cells->text[SPEED]);
	ibs_decimal_text(query->eff_100mbps, 1, cells->text[GBPS]);
	ibs_decimal_text(rate ? rate->rate_enum : -1, 0, cells->text[ENUM]);
	ibs_decimal_text(rate ? rate->rate_mult : -1, 0, cells->text[MULT]);
	ibs_decimal_text(rate ? rate->rate_mbps : -1, 0, cells->text[MBPS]);
	ibs_decimal_text(speed ? (int64_t)speed->lane_kbps : -1, KBPS_DIGITS,
			 cells->text[LANE]);
	ibs_decimal_text(signal_kbps, KBPS_DIGITS, cells->text[SIGNAL]);
	pairs_cell(query->eff_100mbps, cells->text[PAIRS]);
}

int
ibs_text_rates(FILE *out, const struct ibs_rate_query *rates, size_t n)
{
	struct ibs_table table;
	struct ibs_cells cells = { 0 };

	ibs_table_init(&table, titles, NUMBERS);
	for (size_t i = 0; i < n; i++) {
		rate_cells(&rates[i], &cells);
		ibs_table_fit(&table, &cells);
	}
	ibs_table_title(out, &table);
	for (size_t i = 0; i < n; i++) {
		rate_cells(&rates[i], &cells);
		ibs_table_row(out, &table, &cells);
	}
	return ibs_stream_end(out);
}
