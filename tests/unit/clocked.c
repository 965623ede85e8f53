// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "clocked.h"

#include "unit.h"

void
clocked_set(struct ibs_clock *clock)
{
	*clock = (struct ibs_clock){
		.source = IBS_CLOCK_HCA,
		.device = "mlx5_0",
		.khz = 1000000,
		.mask = MASK_63,
		.start = { 7 * SECOND + 100, 7 * SECOND - 500,
			   7 * SECOND + 500 },
		.end = { 8 * SECOND + 100, 8 * SECOND - 500, 8 * SECOND + 500 },
		.wall_start = { 1700000000 * (int64_t)SECOND, 7 * SECOND, 50,
				-1, 0 },
		.wall_end = { 1700000001 * (int64_t)SECOND, 8 * SECOND, 50, -1,
			      0 },
	};
}

struct ibs_stamp
clocked_stamp(uint64_t tx_ns, uint64_t tx_raw, uint64_t rx_ns, uint64_t rx_raw)
{
	return (struct ibs_stamp){
		{ 7 * SECOND + tx_ns, 7 * SECOND + 100 + tx_raw },
		{ 7 * SECOND + rx_ns, 7 * SECOND + 100 + rx_raw }
	};
}

void
clocked_fill(struct ibs_clock *clock)
{
	*clock = (struct ibs_clock){
		.source = IBS_CLOCK_HCA,
		.convertible = true,
		.reason = "as if",
		.device = "mlx5_0",
		.port_num = 255,
		.port_guid = UINT64_MAX,
		.node_guid = UINT64_MAX - 1,
		.khz = 156250,
		.mask = UINT64_MAX - 2,
		.epoch_ns = 1700000000000000001,
		.n_failures = UINT32_MAX - 1,
		.boot_id = "9b0c61c4-3c3f-4e62-9f62-6e8a26b2a0c5",
		.start = { UINT64_MAX - 3, 5000000002, 5000000004 },
		.end = { 11, INT64_MAX - 5, INT64_MAX - 4 },
		.wall_start = { 1700000000123456789, 5000000001, 12, -1, 0 },
		.wall_end = { 1700000001123456789, INT64_MAX - 1, 13, 1400000,
			      37 },
		.rate = { -1.25, 0.5, 1.75, 10000000000 },
	};
}

static void
check_anchor(const char *row, const struct ibs_anchor *a,
	     const struct ibs_anchor *b)
{
	CHECK_INT(row, a->raw, b->raw);
	CHECK_INT(row, a->before_ns, b->before_ns);
	CHECK_INT(row, a->after_ns, b->after_ns);
}

static void
check_wall(const char *row, const struct ibs_wall *a, const struct ibs_wall *b)
{
	CHECK_INT(row, a->real_ns, b->real_ns);
	CHECK_INT(row, a->mono_ns, b->mono_ns);
	CHECK_INT(row, a->half_ns, b->half_ns);
	CHECK_INT(row, a->max_error_ns, b->max_error_ns);
	CHECK_INT(row, a->tai_s, b->tai_s);
}

void
clocked_check(const char *row, const struct ibs_clock *a,
	      const struct ibs_clock *b)
{
	CHECK_INT(row, a->source, b->source);
	CHECK_INT(row, a->convertible, b->convertible);
	CHECK_TEXT(row, a->reason, b->reason);
	CHECK_TEXT(row, a->device, b->device);
	CHECK_INT(row, a->port_num, b->port_num);
	CHECK_INT(row, a->port_guid, b->port_guid);
	CHECK_INT(row, a->node_guid, b->node_guid);
	CHECK_INT(row, a->khz, b->khz);
	CHECK_INT(row, a->mask, b->mask);
	CHECK_INT(row, a->epoch_ns, b->epoch_ns);
	CHECK_TEXT(row, a->boot_id, b->boot_id);
	CHECK_INT(row, a->n_failures, b->n_failures);
	check_anchor(row, &a->start, &b->start);
	check_anchor(row, &a->end, &b->end);
	check_wall(row, &a->wall_start, &b->wall_start);
	check_wall(row, &a->wall_end, &b->wall_end);
	CHECK(row, a->rate.lo == b->rate.lo && a->rate.mid == b->rate.mid &&
			   a->rate.hi == b->rate.hi);
	CHECK_INT(row, a->rate.baseline_ns, b->rate.baseline_ns);
}
