/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Text for people: aligned columns, two blanks between them, "-" where nothing
 * stands; and lines of "name:.....value".
 */
#ifndef IBSPEED_WRITER_TEXT_H
#define IBSPEED_WRITER_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ibspeed/writer.h"
#include "writer_private.h"

/* A name, a GUID and an instance. */
#define IBS_CELL_SIZE	(IBS_DESC_TEXT_SIZE + 32)
#define IBS_COLUMNS_MAX 10
struct ibs_cells {
	char text[IBS_COLUMNS_MAX][IBS_CELL_SIZE];
};
/* Rows are made twice: to fit the columns, then to be written. */
struct ibs_table {
	const char *const *titles; /* ends with NULL */
	unsigned int right;	   /* bit N: column N is a number */
	unsigned int n_columns;
	size_t width[IBS_COLUMNS_MAX];
};
void ibs_table_init(struct ibs_table *table, const char *const *titles,
		    unsigned int right);
void ibs_table_fit(struct ibs_table *table, const struct ibs_cells *cells);
void ibs_table_title(FILE *out, const struct ibs_table *table);
void ibs_table_row(FILE *out, const struct ibs_table *table,
		   const struct ibs_cells *cells);
/* A row up to where its last column begins, which may be of any length. */
void ibs_table_row_begin(FILE *out, const struct ibs_table *table,
			 const struct ibs_cells *cells);

/* How nodes are called: a name that several share gets its GUID. */
struct ibs_labels {
	const struct ibs_map *map;
	bool *shared; /* per node */
};
int ibs_labels_init(struct ibs_labels *labels, const struct ibs_map *map);
void ibs_labels_free(struct ibs_labels *labels);
void ibs_label(const struct ibs_labels *labels, const struct ibs_node *node,
	       char ret_text[IBS_CELL_SIZE]);

/* "name:......" up to the column where values begin. */
void ibs_dots(FILE *out, const char *name);
/* One line of dots for every value of the port; b may be NULL. */
void ibs_text_ends(FILE *out, const struct ibs_end *a, const struct ibs_end *b,
		   bool raw);
void ibs_text_verdict(FILE *out, const struct ibs_link *link);

/* Text that others gave: nothing in it can move the cursor. */
void ibs_text_foreign(FILE *out, const char *text);
/* The words of a summary: "Name", padded. */
void ibs_text_head(FILE *out, const char *name);
/* "word" or "words" */
const char *ibs_plural(uint64_t n, const char *one, const char *many);
/* What a link runs at; "down" when one end says so. */
void ibs_link_cell(const struct ibs_link *link, char ret_text[IBS_CELL_SIZE]);
/* What it should be, "4xHDR 200"; "" as long as it is so. */
void ibs_expected_cell(const struct ibs_link *link,
		       char ret_text[IBS_CELL_SIZE]);
/* Name and number of a port; "" for nobody. */
void ibs_end_cells(const struct ibs_labels *labels, uint32_t port,
		   char ret_name[IBS_CELL_SIZE], char ret_num[IBS_CELL_SIZE]);
/* "4xHDR 200", what it is worth in Gb/s. */
void ibs_pair_gbps_text(struct ibs_pair pair, char *ret_text, size_t size);
/* Links and port ends at each width and speed. */
void ibs_text_counts(FILE *out, const struct ibs_summary *sum);

/* A line for each finding that there is. */
void ibs_text_findings(FILE *out, const uint32_t n_findings[IBS_FINDING_COUNT]);
/* "complete, N ports" or how many did not answer, and the end of the line. */
void ibs_text_reading(FILE *out, const struct ibs_summary *sum);
/* ", 5 min old", in the largest unit that leaves at least two of it. */
void ibs_text_age(FILE *out, int64_t age_s);
/* The clock of a sweep; now_ns CLOCK_REALTIME, 0: its age is not told. */
void ibs_text_clock(FILE *out, const struct ibs_clock *clock, int64_t now_ns);
/* The subnet, its SM and what runs there. */
void ibs_text_subnet(FILE *out, const struct ibs_subnet *subnet);

/* The subnet and its reading, and an empty line. */
void ibs_text_map_head(FILE *out, const struct ibs_report *report);
/* An empty line, and who did not answer. */
void ibs_text_unread(FILE *out, const struct ibs_labels *labels);

int ibs_text_map(FILE *out, const struct ibs_report *report);
int ibs_text_path(FILE *out, const struct ibs_path_report *report);
int ibs_text_rates(FILE *out, const struct ibs_rate_query *rates, size_t n);

#endif
