// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "clocked.h"

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
