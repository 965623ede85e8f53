/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Pieces of JSON, made by jansson.  A piece is NULL when there was no memory;
 * putting into or from NULL gives NULL, so only the end has to look.
 */
#ifndef IBSPEED_WRITER_JSON_H
#define IBSPEED_WRITER_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ibspeed/writer.h"
#include "writer_private.h"

/* Each takes value over, and frees *object when it fails. */
void ibs_json_put(json_t **object, const char *key, json_t *value);
void ibs_json_append(json_t **array, json_t *value);

json_t *ibs_json_number(int64_t value);	 /* null below 0 */
json_t *ibs_json_text(const char *text); /* null for NULL and "" */
json_t *ibs_json_guid(uint64_t guid);
json_t *ibs_json_time(int64_t ns); /* null for 0 */
json_t *ibs_json_pair(struct ibs_pair pair);
json_t *ibs_json_findings(ibs_set findings);
/* {"4xHDR":{"links","ends"},...} */
json_t *ibs_json_counts(const struct ibs_summary *sum);

/* The bare port; with the raw fields when asked for. */
json_t *ibs_json_port(const struct ibs_end *end, bool raw);
/* The port of a map, with what identifies it. */
json_t *ibs_json_end(const struct ibs_map *map, uint32_t port, bool raw);
/* A link without its ends, takes a and b over. */
json_t *ibs_json_link(const struct ibs_link *link, json_t *a, json_t *b);
json_t *ibs_json_map_link(const struct ibs_map *map,
			  const struct ibs_map_link *row, struct ibs_ends ends,
			  bool raw);
/* A node without its ports. */
json_t *ibs_json_node(const struct ibs_node *node);
json_t *ibs_json_subnet(const struct ibs_map *map);
json_t *ibs_json_sweep(const struct ibs_map *map);
json_t *ibs_json_clock(const struct ibs_map *map);
/* When a port was read; null when that is not known. */
json_t *ibs_json_reading(const struct ibs_map *map, uint32_t port);

/*
 * A document that is written piece by piece, so that a big map never stands in
 * memory a second time.  What is between the pieces is written here alone.
 */
struct ibs_json_stream {
	FILE *out;
	int err;     /* the first one */
	bool follow; /* something stands before: a comma is due */
};
void ibs_json_open(struct ibs_json_stream *stream, FILE *out);
void ibs_json_member(struct ibs_json_stream *stream, const char *key,
		     json_t *value);
void ibs_json_array_open(struct ibs_json_stream *stream, const char *key);
void ibs_json_row(struct ibs_json_stream *stream, json_t *value);
void ibs_json_array_close(struct ibs_json_stream *stream);
int ibs_json_close(struct ibs_json_stream *stream); /* 0, -ENOMEM, -EIO */

/* The members of a map before its links, and those behind. */
void ibs_json_map_head(struct ibs_json_stream *stream,
		       const struct ibs_report *report);
void ibs_json_map_tail(struct ibs_json_stream *stream,
		       const struct ibs_report *report);

/* One value and the end of its line. */
int ibs_json_document(FILE *out, json_t *value);

int ibs_json_query(FILE *out, const struct ibs_query *query);
int ibs_json_path(FILE *out, const struct ibs_path_report *report);
int ibs_json_status(FILE *out, const struct ibs_status *status);
int ibs_json_rates(FILE *out, const struct ibs_rate_query *rates, size_t n);

#endif
