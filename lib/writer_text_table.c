// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The columns, labels and dotted names of the format text. */
#include <config.h>

#include "writer_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GAP	   2
#define HEAD_WIDTH 11
#define DOTS_WIDTH 33
/* One odd name shall not push all other rows apart. */
#define WIDTH_MAX 48

static const char *
cell_text(const struct ibs_cells *cells, unsigned int column)
{
	return cells->text[column][0] ? cells->text[column] : "-";
}

static void
widen(struct ibs_table *table, unsigned int column, size_t length)
{
	if (length > table->width[column] && length <= WIDTH_MAX) {
		table->width[column] = length;
	}
}

void
ibs_table_init(struct ibs_table *table, const char *const *titles,
	       unsigned int right)
{
	*table = (struct ibs_table){ .titles = titles, .right = right };
	for (; titles[table->n_columns]; table->n_columns++) {
		widen(table, table->n_columns,
		      strlen(titles[table->n_columns]));
	}
}

void
ibs_table_fit(struct ibs_table *table, const struct ibs_cells *cells)
{
	for (unsigned int i = 0; i < table->n_columns; i++) {
		widen(table, i, strlen(cell_text(cells, i)));
	}
}

/* A line, made here: a big map has 10^5 cells, and the stream is slower. */
struct line {
	char text[IBS_COLUMNS_MAX * (GAP + IBS_CELL_SIZE + WIDTH_MAX)];
	size_t length;
};

static void
add(struct line *line, const char *text, size_t length)
{
	memcpy(line->text + line->length, text, length);
	line->length += length;
}

static void
add_blanks(struct line *line, size_t n)
{
	memset(line->text + line->length, ' ', n);
	line->length += n;
}

static void
add_cell(struct line *line, const struct ibs_table *table, unsigned int column,
	 const char *text)
{
	size_t length = strlen(text), width = table->width[column];
	size_t missing = length < width ? width - length : 0;
	bool right = table->right & 1u << column;

	add_blanks(line, (column ? GAP : 0) + (right ? missing : 0));
	add(line, text, length);
	if (!right && column + 1 < table->n_columns) {
		add_blanks(line, missing);
	}
}

static void
write_line(FILE *out, struct line *line)
{
	add(line, "\n", 1);
	fwrite(line->text, 1, line->length, out);
}

void
ibs_table_title(FILE *out, const struct ibs_table *table)
{
	struct line line;

	line.length = 0;
	for (unsigned int i = 0; i < table->n_columns; i++) {
		add_cell(&line, table, i, table->titles[i]);
	}
	write_line(out, &line);
}

void
ibs_table_row(FILE *out, const struct ibs_table *table,
	      const struct ibs_cells *cells)
{
	struct line line;

	line.length = 0;
	for (unsigned int i = 0; i < table->n_columns; i++) {
		add_cell(&line, table, i, cell_text(cells, i));
	}
	write_line(out, &line);
}

void
ibs_table_row_begin(FILE *out, const struct ibs_table *table,
		    const struct ibs_cells *cells)
{
	struct line line;

	line.length = 0;
	for (unsigned int i = 0; i + 1 < table->n_columns; i++) {
		add_cell(&line, table, i, cell_text(cells, i));
	}
	add_blanks(&line, GAP);
	fwrite(line.text, 1, line.length, out);
}

int
ibs_labels_init(struct ibs_labels *labels, const struct ibs_map *map)
{
	const struct ibs_node **nodes = ibs_nodes_by_name(map);
	bool *shared = calloc((size_t)map->n_nodes + 1, sizeof(*shared));

	if (!nodes || !shared) {
		free(nodes);
		free(shared);
		return -ENOMEM;
	}
	for (uint32_t i = 1; i < map->n_nodes; i++) {
		if (memcmp(nodes[i]->desc, nodes[i - 1]->desc, IBS_DESC_SIZE) ==
		    0) {
			shared[nodes[i] - map->nodes] = true;
			shared[nodes[i - 1] - map->nodes] = true;
		}
	}
	free(nodes);
	*labels = (struct ibs_labels){ .map = map, .shared = shared };
	return 0;
}

void
ibs_labels_free(struct ibs_labels *labels)
{
	free(labels->shared);
	labels->shared = NULL;
}

void
ibs_label(const struct ibs_labels *labels, const struct ibs_node *node,
	  char ret_text[IBS_CELL_SIZE])
{
	size_t used;

	ibs_node_cell(node, ret_text);
	if (ret_text[0] && !labels->shared[node - labels->map->nodes]) {
		return;
	}
	used = strlen(ret_text);
	used += (size_t)snprintf(ret_text + used, IBS_CELL_SIZE - used,
				 "%s0x%016" PRIx64, used ? " " : "",
				 node->guid);
	if (node->instance) {
		snprintf(ret_text + used, IBS_CELL_SIZE - used, "#%u",
			 node->instance);
	}
}

void
ibs_end_cells(const struct ibs_labels *labels, uint32_t port,
	      char ret_name[IBS_CELL_SIZE], char ret_num[IBS_CELL_SIZE])
{
	const struct ibs_map_port *row;

	ret_name[0] = ret_num[0] = '\0';
	if (port == IBS_NO_INDEX) {
		return;
	}
	row = &labels->map->ports[port];
	ibs_label(labels, &labels->map->nodes[row->node], ret_name);
	ibs_number_text(row->num, ret_num);
}

void
ibs_link_cell(const struct ibs_link *link, char ret_text[IBS_CELL_SIZE])
{
	if (link->eff_100mbps == 0) {
		snprintf(ret_text, IBS_CELL_SIZE, "down");
	} else {
		ibs_pair_text(link->active, ret_text);
	}
}

void
ibs_expected_cell(const struct ibs_link *link, char ret_text[IBS_CELL_SIZE])
{
	ret_text[0] = '\0';
	if (link->active.speed != link->expected.speed ||
	    link->active.width != link->expected.width) {
		ibs_pair_gbps_text(link->expected, ret_text, IBS_CELL_SIZE);
	}
}

void
ibs_dots(FILE *out, const char *name)
{
	static const char dots[] = "................................";
	int length = (int)strlen(name) + 1;

	fprintf(out, "%s:%.*s", name,
		length < DOTS_WIDTH ? DOTS_WIDTH - length : 1, dots);
}

void
ibs_text_foreign(FILE *out, const char *text)
{
	for (; *text; text++) {
		char escaped[5];

		ibs_escape((const uint8_t *)text, 1, escaped, sizeof(escaped));
		fputs(escaped, out);
	}
}

void
ibs_text_head(FILE *out, const char *name)
{
	fprintf(out, "%-*s", HEAD_WIDTH, name);
}

const char *
ibs_plural(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

void
ibs_pair_gbps_text(struct ibs_pair pair, char *ret_text, size_t size)
{
	int32_t eff = ibs_eff_100mbps((enum ibs_speed)pair.speed,
				      (enum ibs_width)pair.width);
	char name[IBS_PAIR_TEXT_SIZE], gbps[IBS_NUMBER_SIZE];

	ibs_pair_text(pair, name);
	ibs_decimal_text(eff, 1, gbps);
	if (eff < 0) {
		snprintf(ret_text, size, "%s", name);
	} else {
		snprintf(ret_text, size, "%s %s", name, gbps);
	}
}

static void
count_cells(const struct ibs_count *count, struct ibs_cells *cells)
{
	int64_t eff = ibs_eff_100mbps((enum ibs_speed)count->pair.speed,
				      (enum ibs_width)count->pair.width);

	ibs_pair_text(count->pair, cells->text[0]);
	snprintf(cells->text[1], IBS_CELL_SIZE, "%u", count->n_links);
	snprintf(cells->text[2], IBS_CELL_SIZE, "%u", count->n_ends);
	ibs_decimal_text(eff, 1, cells->text[3]);
	ibs_decimal_text(eff < 0 ? -1 : eff * count->n_links, 1,
			 cells->text[4]);
}

void
ibs_text_counts(FILE *out, const struct ibs_summary *sum)
{
	static const char *const titles[] = { "SPEED", "LINKS",	     "ENDS",
					      "Gb/s",  "TOTAL Gb/s", NULL };
	struct ibs_table table;
	struct ibs_cells cells;

	ibs_table_init(&table, titles, 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4);
	for (size_t i = 0; i < sum->n_counts; i++) {
		count_cells(&sum->counts[i], &cells);
		ibs_table_fit(&table, &cells);
	}
	ibs_table_title(out, &table);
	for (size_t i = 0; i < sum->n_counts; i++) {
		count_cells(&sum->counts[i], &cells);
		ibs_table_row(out, &table, &cells);
	}
}
