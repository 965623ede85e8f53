/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * store_private: what the store_*.c files share: the handle, transactions, and
 * statements whose columns are given and taken one after the other.
 */
#ifndef IBSPEED_LIB_STORE_PRIVATE_H
#define IBSPEED_LIB_STORE_PRIVATE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/diff.h"
#include "ibspeed/store.h"

struct ibs_store {
	sqlite3 *db;
	char *path;
	int64_t data_version; /* of the last commit of others that we saw */
	char error[512];      /* one line */
};

/* Put the words into store->error and return the code as -errno. */
int ibs_store_fail(struct ibs_store *store, int sqlite_code);
int ibs_store_fail_words(struct ibs_store *store, int err, const char *words);

int ibs_store_exec(struct ibs_store *store, const char *sql);
/* The first column of the first row; -ENODATA without a row. */
int ibs_store_get_int(struct ibs_store *store, const char *sql,
		      int64_t *ret_value);

/*
 * Begins to write, alone.
 * errors  -ESTALE the file was removed or replaced, -EBUSY
 */
int ibs_store_begin(struct ibs_store *store);
/* Commits, or rolls back if err is not 0; err, or why not. */
int ibs_store_end(struct ibs_store *store, int err);

#define IBS_STORE_APPLICATION_ID "0x69627370" /* "ibsp" */
/* SQL: [N] makes version N + 1 from version N; 0 is an empty file. */
extern const char *const ibs_store_steps[];

/* Whose file is it, and of which version?  Nothing is written. */
int ibs_store_check_version(struct ibs_store *store, enum ibs_store_mode mode);
/* Brings the tables to IBS_STORE_VERSION, in one transaction. */
int ibs_store_migrate(struct ibs_store *store);

/* The map of a sweep, inside of a transaction. */
int ibs_store_read_map(struct ibs_store *store, int64_t sweep_id,
		       struct ibs_map **ret_map);
/* 0 when there is none. */
int ibs_store_latest(struct ibs_store *store, int64_t *ret_sweep_id);

/*
 * The clock of a sweep with the times of its readings, inside of a transaction.
 * in      before  the map of the sweep before; NULL: none
 *         diff    from there to map
 */
int ibs_store_put_clock(struct ibs_store *store, int64_t sweep_id,
			const struct ibs_map *before, const struct ibs_map *map,
			const struct ibs_diff *diff);
/* Of map->sweep.id into the map, which is frozen; not there: nothing is set. */
int ibs_store_get_clock(struct ibs_store *store, struct ibs_map *map);

/* The baseline, inside of a transaction.  errors  -ENODATA there is none */
int ibs_store_read_baseline(struct ibs_store *store, int64_t at_ns,
			    struct ibs_baseline *ret_baseline);

/* A port's row is named by the row of its node and its number. */
#define IBS_ROW_OF_PORT(node_row, num) ((node_row) << 8 | (num))
#define IBS_ROW_NODE(port_row)	       ((port_row) >> 8)
#define IBS_ROW_NUM(port_row)	       ((uint8_t)((port_row)&0xff))

/* What became of a Get, in one column; the table outcome says it in words. */
#define IBS_GET_OUTCOME 0xf
#define IBS_GET_EXT	0x10 /* the modifier had bit 31 */
#define IBS_GET_STATUS	8    /* where it starts, 16 bits */
#define IBS_GET_TRIES	24   /* 8 bits */
#define IBS_GET_MAX	UINT32_MAX

/* OpenSM's own view of a port, in one column. */
#define IBS_SM_KNOWN	   1
#define IBS_SM_GATE	   2
#define IBS_SM_LANES	   8 /* where they start, 8 bits */
#define IBS_SM_LANES_OTHER 0xff
#define IBS_SM_SPEED	   16 /* where it starts, 16 bits */
#define IBS_SM_SPEED_OTHER 0xffff

/* The index of the row of a node among rows that rise; or NO_INDEX. */
uint32_t ibs_peers_find_node(const int64_t *node_rows, uint32_t n, int64_t row);
/*
 * Sets the peer of each port, before the map is frozen.  One that is not in the
 * map is left out.
 * in      node_rows  of each node; they rise
 *         peer_rows  of each port's peer, 0: not known
 * errors  -ENOMEM
 */
int ibs_peers_join(struct ibs_map *map, const int64_t *node_rows,
		   const int64_t *peer_rows);

/*
 * A prepared statement.  Values are bound with put_*, from the left; columns of
 * its row are read with get_*, from the left.  Pointers are borrowed until
 * run or next.  A failure sticks and is told by run, next or good.
 */
struct ibs_query {
	struct ibs_store *store;
	sqlite3_stmt *stmt;
	int at;	  /* column or parameter, counts from 1 when binding */
	int code; /* of SQLite */
	bool bad; /* a column that no speed map has */
};

int ibs_query_open(struct ibs_query *query, struct ibs_store *store,
		   const char *sql);
void ibs_query_close(struct ibs_query *query);

void ibs_query_put_null(struct ibs_query *query);
void ibs_query_put_int(struct ibs_query *query, int64_t value);
void ibs_query_put_double(struct ibs_query *query, double value);
void ibs_query_put_text(struct ibs_query *query, const char *text, size_t size);
void ibs_query_put_blob(struct ibs_query *query, const void *data, size_t size);
/* The same, but data is copied. */
void ibs_query_put_copy(struct ibs_query *query, const void *data, size_t size);
/* Does it, and is ready to be bound again. */
int ibs_query_run(struct ibs_query *query);

/* 1 a row, 0 no more rows. */
int ibs_query_next(struct ibs_query *query);
bool ibs_query_is_null(struct ibs_query *query); /* does not move on */
int64_t ibs_query_get_int(struct ibs_query *query);
uint64_t ibs_query_get_uint(struct ibs_query *query, uint64_t max);
double ibs_query_get_double(struct ibs_query *query);
void ibs_query_get_text(struct ibs_query *query, char *ret_text, size_t size);
/* Up to size bytes; how many there were. */
size_t ibs_query_get_blob(struct ibs_query *query, void *ret_data, size_t size);
/* All of its bytes, until the next row. */
const uint8_t *ibs_query_borrow_blob(struct ibs_query *query, size_t *ret_size);
void ibs_query_skip(struct ibs_query *query);
/* 0, or -EPROTO when a column of the row was bad. */
int ibs_query_good(struct ibs_query *query);

/* What is recorded, in one transaction. */
struct ibs_recording {
	struct ibs_store *store;
	const struct ibs_map *before; /* NULL: the store is empty */
	const struct ibs_map *after;
	int64_t sweep_id;
	int64_t *rows_before; /* rows of the nodes of each map; 0: none yet */
	int64_t *rows_after;
};

/* What is done with the rows of node and port. */
enum ibs_action {
	IBS_ACTION_KEEP,      /* the latest state, among the past ones */
	IBS_ACTION_OPEN,      /* a state, which is the latest then */
	IBS_ACTION_OPEN_MANY, /* so many, of nodes or ports that are new */
	IBS_ACTION_CLOSE,
	IBS_ACTION_UPDATE,
	IBS_ACTION_COUNT
};

/* Starting and ending a statement costs as much as half a row. */
#define IBS_MANY 16

struct ibs_action_row {
	const char *sql;
	/* index: in the map before to close, else in the map after */
	void (*put)(struct ibs_query *query, struct ibs_recording *recording,
		    uint32_t index);
};

extern const struct ibs_action_row ibs_node_actions[IBS_ACTION_COUNT];
extern const struct ibs_action_row ibs_port_actions[IBS_ACTION_COUNT];

#endif
