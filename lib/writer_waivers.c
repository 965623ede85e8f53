// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Waivers as text: a row each, or one in a line. */
#include <config.h>

#include "writer_audit.h"

#include <inttypes.h>
#include <string.h>

enum column { NODE, PORT, UNTIL, STATE, COVERS, MADE, WHO, REASON };
static const char *const titles[] = { "NODE",  "PORT",	 "UNTIL",
				      "STATE", "COVERS", "MADE",
				      "WHO",   "REASON", NULL };

/* As the map calls it, or the baseline; a GUID that neither has. */
static void
node_cell(const struct ibs_labels *labels, const struct ibs_waiver_list *list,
	  const struct ibs_waiver *waiver, char text[IBS_CELL_SIZE])
{
	uint32_t node = ibs_map_find_instance(list->map, waiver->guid,
					      waiver->instance);
	const struct ibs_baseline *baseline = list->baseline;

	text[0] = '\0';
	if (node != IBS_NO_INDEX) {
		ibs_label(labels, &list->map->nodes[node], text);
		return;
	}
	for (uint32_t i = 0; baseline && i < baseline->n_nodes; i++) {
		struct ibs_node known;

		ibs_baseline_as_node(&baseline->nodes[i], &known);
		if (known.guid == waiver->guid &&
		    known.instance == waiver->instance) {
			ibs_node_cell(&known, text);
		}
	}
	if (!text[0]) {
		snprintf(text, IBS_CELL_SIZE, "0x%016" PRIx64, waiver->guid);
	}
}

static void
num_cell(const struct ibs_waiver *waiver, char text[IBS_CELL_SIZE])
{
	text[0] = '\0';
	if (waiver->num >= 0) {
		snprintf(text, IBS_CELL_SIZE, "%d", waiver->num);
	}
}

static void
covers_cell(const struct ibs_waiver *waiver, char text[IBS_CELL_SIZE])
{
	if (waiver->findings) {
		ibs_findings_text(waiver->findings, ',', text);
	} else {
		snprintf(text, IBS_CELL_SIZE, "any");
	}
}

static void
row_cells(const struct ibs_labels *labels, const struct ibs_waiver_list *list,
	  const struct ibs_waiver *waiver, struct ibs_cells *cells)
{
	bool in_force = waiver->until_ns > list->now_ns;

	node_cell(labels, list, waiver, cells->text[NODE]);
	num_cell(waiver, cells->text[PORT]);
	ibs_time_text(waiver->until_ns, 0, cells->text[UNTIL]);
	snprintf(cells->text[STATE], IBS_CELL_SIZE, "%s",
		 in_force ? "in force" : "ended");
	covers_cell(waiver, cells->text[COVERS]);
	ibs_time_text(waiver->at_ns, 0, cells->text[MADE]);
	ibs_escape((const uint8_t *)waiver->who, strlen(waiver->who),
		   cells->text[WHO], IBS_CELL_SIZE);
	cells->text[REASON][0] = '\0';
}

static void
write_rows(FILE *out, const struct ibs_labels *labels,
	   const struct ibs_waiver_list *list)
{
	struct ibs_table table;
	struct ibs_cells cells;

	ibs_table_init(&table, titles, 1u << PORT);
	for (size_t i = 0; i < list->n; i++) {
		row_cells(labels, list, &list->waivers[i], &cells);
		ibs_table_fit(&table, &cells);
	}
	ibs_table_title(out, &table);
	for (size_t i = 0; i < list->n; i++) {
		row_cells(labels, list, &list->waivers[i], &cells);
		ibs_table_row_begin(out, &table, &cells);
		ibs_text_foreign(out, list->waivers[i].reason);
		fputc('\n', out);
	}
}

int
ibs_waivers_text(FILE *out, const struct ibs_waiver_list *list)
{
	struct ibs_labels labels;
	int err;

	if (!list->n) {
		fputs("no waivers\n", out);
		return ibs_stream_end(out);
	}
	err = ibs_labels_init(&labels, list->map);
	if (err) {
		return err;
	}
	write_rows(out, &labels, list);
	ibs_labels_free(&labels);
	return ibs_stream_end(out);
}

int
ibs_waiver_line(FILE *out, const struct ibs_waiver_list *list,
		const struct ibs_waiver *waiver)
{
	char node[IBS_CELL_SIZE], num[IBS_CELL_SIZE], covers[IBS_CELL_SIZE];
	char until[IBS_TIME_TEXT_SIZE];
	struct ibs_labels labels;
	int err = ibs_labels_init(&labels, list->map);

	if (err) {
		return err;
	}
	node_cell(&labels, list, waiver, node);
	ibs_labels_free(&labels);
	num_cell(waiver, num);
	if (waiver->until_ns) {
		covers_cell(waiver, covers);
		ibs_time_text(waiver->until_ns, 0, until);
		fprintf(out, "waived until %s: %s%s%s, %s\n", until, node,
			num[0] ? " " : "", num,
			waiver->findings ? covers : "whatever is found");
	} else {
		fprintf(out, "waived no longer: %s%s%s\n", node,
			num[0] ? " " : "", num);
	}
	return ibs_stream_end(out);
}
