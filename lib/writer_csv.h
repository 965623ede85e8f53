/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* writer_csv: a line of CSV, value by value; what has no value is empty. */
#ifndef IBSPEED_LIB_WRITER_CSV_H
#define IBSPEED_LIB_WRITER_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ibspeed/map.h"
#include "writer_private.h"

/* A line is begun with false and ended by ibs_csv_end_line. */
struct ibs_csv_line {
	FILE *out;
	bool follow;
};

void ibs_csv_text(struct ibs_csv_line *line, const char *text);
void ibs_csv_number(struct ibs_csv_line *line, int64_t value); /* -1 none */
void ibs_csv_guid(struct ibs_csv_line *line, uint64_t guid);
void ibs_csv_name(struct ibs_csv_line *line, const char *name); /* or NULL */
void ibs_csv_pair(struct ibs_csv_line *line, struct ibs_pair pair);
void ibs_csv_time(struct ibs_csv_line *line, int64_t ns);
void ibs_csv_end_line(struct ibs_csv_line *line);
void ibs_csv_names(struct ibs_csv_line *line, const char *const *names);

/* The columns of an end of a link, IBS_CSV_N_END of them. */
#define IBS_CSV_END(x)                                                         \
	x "_guid", x "_port_guid", x "_port", x "_name", x "_type", x "_lid",  \
		x "_state"
#define IBS_CSV_N_END 7
void ibs_csv_end(struct ibs_csv_line *line, const struct ibs_map *map,
		 uint32_t port);

#endif
