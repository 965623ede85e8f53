/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * writer: how a report leaves.  A report says what to tell and in which order;
 * a writer is one format and knows nothing of where the data came from.
 *
 * errors  -EIO the stream has failed, -ENOMEM
 * locks   none
 */
#ifndef IBSPEED_WRITER_H
#define IBSPEED_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ibspeed/map.h"
#include "ibspeed/path.h"
#include "ibspeed/store.h"

/* Counts of links and port ends at one width and speed. */
struct ibs_count {
	struct ibs_pair pair;
	uint32_t n_links;
	uint32_t n_ends;
};

struct ibs_summary {
	struct ibs_count
		counts[IBS_SPEED_COUNT * IBS_WIDTH_COUNT]; /* best first */
	size_t n_counts;
	uint32_t n_switches, n_cas, n_routers, n_other;
	uint32_t n_links, n_down, n_unread, n_read;
	uint32_t n_behind; /* ports behind which nobody answered */
	uint32_t n_findings[IBS_FINDING_COUNT];
	uint32_t n_found_links;	   /* with a finding that is no note */
	uint64_t eff_100mbps;	   /* of all links */
	uint64_t expected_100mbps; /* at their expected speeds */
};
void ibs_summary_make(const struct ibs_map *map, struct ibs_summary *ret_sum);

/* A map as somebody wants to see it: rows chosen and ordered. */
struct ibs_report {
	const struct ibs_map *map;  /* borrowed */
	struct ibs_summary summary; /* of the whole map */
	uint32_t *links;	    /* indexes, slow ones first */
	uint32_t n_links;
	bool filtered;
	unsigned int verbose; /* 1: raw fields too */
};

/*
 * in      words   each must match a link: a node GUID, a name or pattern of an
 *                 end, "4xHDR", "down" is none; or the name of a finding
 * errors  -EINVAL a word that can be none of these (*ret_word its index),
 *         -ENOENT a name or GUID that no node of the map has, -ENOMEM
 * owner   ibs_report_free; borrows map
 */
int ibs_report_make(const struct ibs_map *map, const char *const *words,
		    size_t n_words, struct ibs_report *ret_report,
		    size_t *ret_word);
void ibs_report_free(struct ibs_report *report);
/* The words alone, before there is a map.  errors  -EINVAL as above */
int ibs_report_check(const char *const *words, size_t n_words,
		     size_t *ret_word);

/* What libibverbs says of a port of this host, held against its PortInfo. */
#define IBS_VERBS_ATTR_MEMBERS(X)                                              \
	X(state)                                                               \
	X(phys_state)                                                          \
	X(active_mtu)                                                          \
	X(lid)                                                                 \
	X(sm_lid)                                                              \
	X(active_width)                                                        \
	X(active_speed)
#define IBS_VERBS_MEMBERS(X)                                                   \
	IBS_VERBS_ATTR_MEMBERS(X)                                              \
	X(port_speed) /* of ibv_query_port_speed() */
enum ibs_verbs_member {
#define X(name) IBS_VERBS_##name,
	IBS_VERBS_MEMBERS(X)
#undef X
		IBS_VERBS_COUNT
};
const char *ibs_verbs_member_name(enum ibs_verbs_member member);
struct ibs_verbs {
	uint32_t port;	  /* index in the map */
	char device[64];  /* "" none was found, error says why */
	unsigned int num; /* port of the device */
	char error[128];
	ibs_set differs;       /* IBS_BIT(enum ibs_verbs_member) */
	int64_t speed_100mbps; /* of ibv_query_port_speed(); -1 none */
	char speed_error[64];  /* why not */
};

/* One node, all of its ports or one. */
struct ibs_query {
	const struct ibs_map *map;
	uint32_t node;
	uint32_t port; /* index, or NO_INDEX: all */
	unsigned int verbose;
	const struct ibs_verbs *verbs; /* NULL: not asked */
};

/* What the SA says of a path. */
struct ibs_path_record {
	uint8_t read;	 /* enum ibs_read; UNASKED: no SM or LID is known */
	bool failed;	 /* UNASKED because this host could not ask */
	uint16_t status; /* MAD status, with READ_STATUS */
	int rate_enum;	 /* -1 none */
};

/* The way from a port to another. */
struct ibs_path_report {
	const struct ibs_path *path;
	const struct ibs_path *back; /* the way back; NULL: not followed */
	struct ibs_path_record record;
	unsigned int verbose;
};

/*
 * What the text says of a path, in one line without a line feed, for a format
 * that cannot.
 * errors  -ENOMEM, -EIO
 */
int ibs_path_verdict(FILE *out, const struct ibs_path *path);

/* Is the recorder alive and the map complete. */
struct ibs_status {
	const char *db;
	int64_t now_ns; /* CLOCK_REALTIME */
	bool has_recorder;
	bool recorder_alive;
	struct ibs_recorder_row recorder;
	const char *stale; /* why the map is not to be trusted; "" it is */
	const struct ibs_map *map; /* latest, or NULL: nothing yet */
	int64_t n_sweeps;
	int64_t size_bytes;
};

/* Bytes that were decoded from the command line. */
struct ibs_decoded {
	const uint8_t *pi; /* IBS_ATTR_SIZE bytes, for "raw" */
	struct ibs_port port;
};

/* One argument of `ibspeed rate`. */
struct ibs_rate_query {
	const char *text;		 /* the argument */
	struct ibs_pair pair;		 /* NONE, NONE for a bare enum */
	int64_t eff_100mbps;		 /* -1 none */
	const struct ibs_rate_row *rate; /* NULL none */
};

struct ibs_audit; /* audit.h */

/* A function that is NULL: the format does not offer it. */
struct ibs_writer {
	const char *name; /* of --format */
	int (*map)(FILE *out, const struct ibs_report *report);
	int (*audit)(FILE *out, const struct ibs_audit *audit);
	int (*query)(FILE *out, const struct ibs_query *query);
	int (*path)(FILE *out, const struct ibs_path_report *report);
	int (*status)(FILE *out, const struct ibs_status *status);
	int (*port)(FILE *out, const struct ibs_decoded *port);
	int (*link)(FILE *out, const struct ibs_decoded *a,
		    const struct ibs_decoded *b, const struct ibs_link *link);
	int (*rates)(FILE *out, const struct ibs_rate_query *rates, size_t n);
};
extern const struct ibs_writer ibs_writer_text;
extern const struct ibs_writer ibs_writer_json;
extern const struct ibs_writer ibs_writer_csv;
const struct ibs_writer *ibs_writer_find(const char *name); /* NULL: none */

/*
 * Bytes to printable text, reversibly: a byte that is not printable ASCII, and
 * the backslash, becomes \xNN.  Cut to what fits, never inside an escape.
 */
void ibs_escape(const uint8_t *bytes, size_t size, char *ret_text,
		size_t text_size);
/* Room that ibs_escape needs for a NodeDescription. */
#define IBS_DESC_TEXT_SIZE (4 * IBS_DESC_SIZE + 1)

#endif
