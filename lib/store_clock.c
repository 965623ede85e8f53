// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The clock of a sweep and the times of its readings, in the store. */
#include <config.h>

#include "store_private.h"

#include <errno.h>
#include <stdlib.h>

#include "stamps.h"

#define CLOCK_COLUMNS                                                          \
	"convertible, device, port_num, port_guid, node_guid, khz, mask,"      \
	" epoch_ns, boot_id, n_failures,"                                      \
	" start_ticks, start_before_ns, start_after_ns,"                       \
	" end_ticks, end_before_ns, end_after_ns,"                             \
	" start_real_ns, start_mono_ns, start_half_ns, start_max_error_ns,"    \
	" start_tai_s,"                                                        \
	" end_real_ns, end_mono_ns, end_half_ns, end_max_error_ns, end_tai_s," \
	" ppm_lo, ppm_mid, ppm_hi, baseline_ns"

static const char insert_clock[] =
	"INSERT INTO clock (sweep, " CLOCK_COLUMNS ", changed, unchanged)"
	" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
	" ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char select_clock[] =
	"SELECT " CLOCK_COLUMNS ", changed, unchanged"
	" FROM clock WHERE sweep = ?";

/* --- to the store -------------------------------------------------------- */

static void
put_u64(struct ibs_query *query, uint64_t value)
{
	ibs_query_put_int(query, (int64_t)value);
}

static void
put_anchor(struct ibs_query *query, const struct ibs_anchor *anchor)
{
	put_u64(query, anchor->raw);
	put_u64(query, anchor->before_ns);
	put_u64(query, anchor->after_ns);
}

static void
put_wall(struct ibs_query *query, const struct ibs_wall *wall)
{
	ibs_query_put_int(query, wall->real_ns);
	put_u64(query, wall->mono_ns);
	put_u64(query, wall->half_ns);
	ibs_query_put_int(query, wall->max_error_ns);
	ibs_query_put_int(query, wall->tai_s);
}

static void
put_clock(struct ibs_query *query, const struct ibs_clock *clock)
{
	ibs_query_put_int(query, clock->convertible);
	ibs_query_put_text(query, clock->device, sizeof(clock->device));
	ibs_query_put_int(query, clock->port_num);
	put_u64(query, clock->port_guid);
	put_u64(query, clock->node_guid);
	put_u64(query, clock->khz);
	put_u64(query, clock->mask);
	ibs_query_put_int(query, clock->epoch_ns);
	ibs_query_put_text(query, clock->boot_id, sizeof(clock->boot_id));
	ibs_query_put_int(query, clock->n_failures);
	put_anchor(query, &clock->start);
	put_anchor(query, &clock->end);
	put_wall(query, &clock->wall_start);
	put_wall(query, &clock->wall_end);
	ibs_query_put_double(query, clock->rate.lo);
	ibs_query_put_double(query, clock->rate.mid);
	ibs_query_put_double(query, clock->rate.hi);
	put_u64(query, clock->rate.baseline_ns);
}

/* The readings of ports that did not change are kept of the latest sweep. */
static int
forget_unchanged(struct ibs_store *store, int64_t sweep_id)
{
	struct ibs_query query;
	int err = ibs_query_open(&query, store,
				 "UPDATE clock SET unchanged = NULL"
				 " WHERE sweep = ?");

	if (err) {
		return err;
	}
	ibs_query_put_int(&query, sweep_id);
	err = ibs_query_run(&query);
	ibs_query_close(&query);
	return err;
}

static int
insert(struct ibs_store *store, int64_t sweep_id, const struct ibs_map *map,
       const bool *changed, uint8_t *packed)
{
	size_t n_changed = ibs_stamps_pack(map, changed, true, packed);
	size_t n_rest =
		ibs_stamps_pack(map, changed, false, packed + n_changed);
	struct ibs_query query;
	int err = ibs_query_open(&query, store, insert_clock);

	if (err) {
		return err;
	}
	ibs_query_put_int(&query, sweep_id);
	put_clock(&query, &map->sweep.clock);
	ibs_query_put_blob(&query, packed, n_changed);
	ibs_query_put_blob(&query, packed + n_changed, n_rest);
	err = ibs_query_run(&query);
	ibs_query_close(&query);
	return err;
}

/* Per port, whether its row was opened by this sweep.  NULL: no memory */
static bool *
find_changed(const struct ibs_map *map, const struct ibs_diff *diff)
{
	bool *changed = calloc((size_t)map->n_ports + 1, sizeof(*changed));

	for (size_t i = 0; changed && i < diff->n_ports; i++) {
		const struct ibs_change *change = &diff->ports[i];

		if (change->kind == IBS_CHANGE_NEW ||
		    change->kind == IBS_CHANGE_STATE) {
			changed[change->after] = true;
		}
	}
	return changed;
}

int
ibs_store_put_clock(struct ibs_store *store, int64_t sweep_id,
		    const struct ibs_map *before, const struct ibs_map *map,
		    const struct ibs_diff *diff)
{
	uint8_t *packed;
	bool *changed;
	int err = 0;

	if (before) {
		err = forget_unchanged(store, before->sweep.id);
	}
	if (err || map->sweep.clock.source == IBS_CLOCK_NONE) {
		return err;
	}
	changed = find_changed(map, diff);
	packed = malloc((size_t)map->n_ports * IBS_STAMP_SIZE_MAX + 1);
	err = changed && packed
		      ? insert(store, sweep_id, map, changed, packed)
		      : ibs_store_fail_words(store, -ENOMEM, "out of memory");
	free(packed);
	free(changed);
	return err;
}

/* --- from the store ------------------------------------------------------ */

static uint64_t
get_u64(struct ibs_query *query)
{
	return (uint64_t)ibs_query_get_int(query);
}

static void
get_anchor(struct ibs_query *query, struct ibs_anchor *anchor)
{
	anchor->raw = get_u64(query);
	anchor->before_ns = get_u64(query);
	anchor->after_ns = get_u64(query);
}

static void
get_wall(struct ibs_query *query, struct ibs_wall *wall)
{
	wall->real_ns = ibs_query_get_int(query);
	wall->mono_ns = get_u64(query);
	wall->half_ns = get_u64(query);
	wall->max_error_ns = ibs_query_get_int(query);
	wall->tai_s = (int32_t)ibs_query_get_int(query);
}

static void
get_clock(struct ibs_query *query, struct ibs_clock *clock)
{
	clock->convertible = ibs_query_get_uint(query, 1) != 0;
	ibs_query_get_text(query, clock->device, sizeof(clock->device));
	clock->port_num = (uint8_t)ibs_query_get_uint(query, UINT8_MAX);
	clock->port_guid = get_u64(query);
	clock->node_guid = get_u64(query);
	clock->khz = get_u64(query);
	clock->mask = get_u64(query);
	clock->epoch_ns = ibs_query_get_int(query);
	ibs_query_get_text(query, clock->boot_id, sizeof(clock->boot_id));
	clock->n_failures = (uint32_t)ibs_query_get_uint(query, UINT32_MAX);
	get_anchor(query, &clock->start);
	get_anchor(query, &clock->end);
	get_wall(query, &clock->wall_start);
	get_wall(query, &clock->wall_end);
	clock->rate.lo = ibs_query_get_double(query);
	clock->rate.mid = ibs_query_get_double(query);
	clock->rate.hi = ibs_query_get_double(query);
	clock->rate.baseline_ns = get_u64(query);
}

static bool
rate_can_be(const struct ibs_ppm *rate)
{
	const double most = 1e12; /* kHz that are wrong make it large */

	return rate->lo >= -most && rate->lo <= rate->mid &&
	       rate->mid <= rate->hi && rate->hi <= most &&
	       rate->baseline_ns <= INT64_MAX;
}

static bool
anchors_can_be(const struct ibs_anchor *start, const struct ibs_anchor *end)
{
	return start->before_ns <= start->after_ns &&
	       start->after_ns <= end->before_ns &&
	       end->before_ns <= end->after_ns && end->after_ns <= INT64_MAX;
}

static bool
walls_can_be(const struct ibs_wall *start, const struct ibs_wall *end)
{
	const uint64_t most = INT64_MAX / 4; /* so that sums can be, too */

	return start->real_ns >= 0 && end->real_ns >= 0 &&
	       start->half_ns <= most && end->half_ns <= most &&
	       start->mono_ns <= end->mono_ns && end->mono_ns <= INT64_MAX;
}

/* What is computed with, later. */
static bool
can_be(const struct ibs_clock *clock)
{
	bool hca = clock->source == IBS_CLOCK_HCA;

	return (hca || !clock->convertible) && clock->khz <= INT64_MAX &&
	       (!clock->convertible || (clock->khz && clock->mask)) &&
	       rate_can_be(&clock->rate) &&
	       (!hca || anchors_can_be(&clock->start, &clock->end)) &&
	       walls_can_be(&clock->wall_start, &clock->wall_end);
}

static void
get_stamps(struct ibs_query *query, struct ibs_map *map)
{
	size_t size;
	const uint8_t *data = ibs_query_borrow_blob(query, &size);

	if (ibs_stamps_unpack(map, data, size)) {
		query->bad = true;
	}
}

int
ibs_store_get_clock(struct ibs_store *store, struct ibs_map *map)
{
	struct ibs_query query;
	int err = ibs_query_open(&query, store, select_clock);

	if (err) {
		return err;
	}
	ibs_query_put_int(&query, map->sweep.id);
	err = ibs_query_next(&query);
	if (err == 0 && map->sweep.clock.source == IBS_CLOCK_HCA) {
		query.bad = true;
		err = ibs_query_good(&query);
	} else if (err == 1) {
		get_clock(&query, &map->sweep.clock);
		query.bad = query.bad || !can_be(&map->sweep.clock);
		get_stamps(&query, map);
		get_stamps(&query, map);
		err = ibs_query_good(&query);
	}
	ibs_query_close(&query);
	return err;
}
