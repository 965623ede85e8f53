/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * store: the recorded history of one subnet, a SQLite file.  The only door to
 * SQLite.  A port's state is an interval of sweeps: an unchanged sweep writes
 * one row.  The tables, and the views of nodes and ports, are for everybody's
 * SQL and explain themselves: sqlite3 FILE .schema
 *
 * locks   one writer at a time (IMMEDIATE transactions), any number of
 *         readers; one thread per handle
 * errors  -errno; ibs_store_error() has the words, one line, with the file
 */
#ifndef IBSPEED_STORE_H
#define IBSPEED_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/baseline.h"
#include "ibspeed/map.h"

struct ibs_store;

#define IBS_STORE_VERSION 4 /* user_version of the file */

enum ibs_store_mode { IBS_STORE_READ, IBS_STORE_WRITE };

/* Who records, and how it is. */
struct ibs_recorder_row {
	int64_t pid;
	int64_t started_ns; /* CLOCK_REALTIME */
	int64_t seen_ns;    /* last sign of life, CLOCK_REALTIME */
	char boot_id[40];
	char host[65];
	char version[32];   /* of ibspeed */
	char error[256];    /* last thing that failed, "" when all is well */
	uint8_t sm_state;   /* SMInfo state: 2 standby, 3 master; 0 no SM */
	int64_t interval_s; /* it reads so often; 0 not known */
};

/*
 * WRITE makes the file, and the last component of its directory, and migrates
 * an older one; READ needs neither root nor a running recorder.
 * errors  -ENOENT no such file, -ENODATA an empty one, -EACCES, -EROFS, -EPROTO
 *         not a speed map or damaged, -EOVERFLOW written by a newer ibspeed,
 *         -EIO, -EBUSY; nothing is overwritten
 * out     error  what went wrong, also when there is no handle
 */
int ibs_store_open(const char *path, enum ibs_store_mode mode,
		   struct ibs_store **ret_store, char *error,
		   size_t error_size);
void ibs_store_close(struct ibs_store *store); /* NULL is fine */
const char *ibs_store_error(const struct ibs_store *store);

/*
 * Records the sweep and what changed since before, in one transaction.
 * in      before  the map that was recorded last, with the id of its sweep; it
 *                 saves loading it.  NULL, or not the store's latest: the store
 *                 loads its own.
 * out     the id of the sweep's row, for after->sweep.id
 * errors  -ESTALE the file was removed or replaced: open it again; -ENOSPC,
 *         -EIO, -EPROTO, -EBUSY: nothing is recorded, the next call may succeed
 */
int ibs_store_record(struct ibs_store *store, const struct ibs_map *before,
		     const struct ibs_map *after, int64_t *ret_sweep_id);
/*
 * The map of a sweep, frozen.  What is no state (counters, tries, routes, the
 * SM's view) is that of the latest reading of the state.
 * in      sweep_id  0: the latest
 * errors  -ENODATA no such sweep, nothing recorded yet; -EPROTO damaged
 */
int ibs_store_load(struct ibs_store *store, int64_t sweep_id,
		   struct ibs_map **ret_map);
/* True if another process committed since the last call or record. */
int ibs_store_foreign_commit(struct ibs_store *store, bool *ret_changed);

/* The recorder's row, written by it and read by `ibspeed status`. */
int ibs_store_put_recorder(struct ibs_store *store,
			   const struct ibs_recorder_row *row);
int ibs_store_get_recorder(struct ibs_store *store,
			   struct ibs_recorder_row *ret_row); /* -ENODATA */
/* A change of the SM's role, at_ns CLOCK_REALTIME. */
int ibs_store_add_role(struct ibs_store *store, int64_t at_ns,
		       uint8_t sm_state);
/* How many sweeps are recorded, and the bytes of the file. */
int ibs_store_size(struct ibs_store *store, int64_t *ret_sweeps,
		   int64_t *ret_size_bytes);

/* The sweep that had ended last at a time.  errors  -ENODATA none had */
int ibs_store_sweep_at(struct ibs_store *store, int64_t at_ns,
		       int64_t *ret_sweep_id);
/*
 * How often each port of a recorded map changed its state, width or speed, as
 * far as sweeps saw it, since a time and up to the map.
 * out     changes  [map->n_ports]
 */
int ibs_store_count_changes(struct ibs_store *store, const struct ibs_map *map,
			    int64_t since_ns, uint16_t *ret_changes);

/* What is accepted as the baseline, by whom. */
struct ibs_acceptance {
	const struct ibs_place *place; /* NULL: all of the map */
	int64_t at_ns;		       /* CLOCK_REALTIME */
	const char *who;
};
/* Links, and what became of those that the baseline had. */
struct ibs_accepted {
	uint32_t n_links;   /* of the map, in the baseline now */
	uint32_t n_changed; /* of another width or speed than before */
	uint32_t n_gone;    /* not in the baseline any more */
};
/*
 * The links of the map, or those of a node or port, take the place of what the
 * baseline had there.  What did not answer, or is down at one end only, stays
 * in it as it was.  A cable of the place that is at another port now takes the
 * link that the baseline has of that port, too, which n_gone counts.
 * errors  -ENODATA there is nothing to accept, and nothing that is gone
 */
int ibs_store_accept(struct ibs_store *store, const struct ibs_map *map,
		     const struct ibs_acceptance *acceptance,
		     struct ibs_accepted *ret_accepted);
#define IBS_STORE_NOW INT64_MAX
/*
 * What was accepted later than at_ns is left out; what it took the place of is
 * not known any more.
 * errors  -ENODATA nothing was accepted by then; owner  ibs_baseline_free
 */
int ibs_store_get_baseline(struct ibs_store *store, int64_t at_ns,
			   struct ibs_baseline *ret_baseline);

/*
 * Takes the place of the waiver of the same port; until_ns 0 ends that one.
 * errors  -ENOENT there is none that could be ended
 */
int ibs_store_waive(struct ibs_store *store, const struct ibs_waiver *waiver);
/* All, also those that have ended; owner  the caller, free() */
int ibs_store_get_waivers(struct ibs_store *store,
			  struct ibs_waiver **ret_waivers, size_t *ret_n);

#endif
