// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "reader.h"

#include <errno.h>
#include <stdio.h>

#include "host.h"

#define NS_PER_MS 1000000u

/* The kernel tells of a time-out first; ours is for an answer it forgot. */
#define TIMEOUT_MARGIN_MS 100u

struct ibs_sweep_limits
reader_limits(const struct ibs_settings *settings)
{
	return (struct ibs_sweep_limits){
		.max_smps = settings->max_smps,
		.max_smps_per_node = settings->max_smps_per_node,
		.max_rate = settings->max_rate,
		.max_tries = settings->retries + 1,
		.timeout_ns =
			((uint64_t)settings->timeout_ms + TIMEOUT_MARGIN_MS) *
			NS_PER_MS,
	};
}

struct reader_start
reader_now(void)
{
	return (struct reader_start){ .real_ns = host_realtime_ns(),
				      .mono_ns = host_monotonic_raw_ns() };
}

void
reader_stamp(struct ibs_map *map, const struct reader_start *start)
{
	struct ibs_sweep_info *sweep = &map->sweep;

	sweep->start_ns = start->real_ns;
	sweep->start_mono_ns = start->mono_ns;
	sweep->end_ns = host_realtime_ns();
	sweep->end_mono_ns = host_monotonic_raw_ns();
	(void)snprintf(sweep->clock_source, sizeof(sweep->clock_source),
		       "host_monotonic_raw");
	(void)snprintf(sweep->clock_reason, sizeof(sweep->clock_reason),
		       "this release does not read the HCA clock");
}

/* A Get that could not even be sent counts as one without an answer. */
static int
send_all(struct ibs_sweep *sweep, struct smi *smi)
{
	const struct ibs_attr unsent = { .read = IBS_READ_TIMEOUT };
	struct ibs_smp smp;

	while (ibs_sweep_next(sweep, host_monotonic_ns(), &smp)) {
		int err = smi_send(smi, &smp);

		if (err == -EIO || err == -ENODEV || err == -EBADF) {
			return err;
		}
		if (err) {
			ibs_sweep_answer(sweep, smp.tid, &unsent);
		}
	}
	return 0;
}

int
reader_step(struct ibs_sweep *sweep, struct smi *smi, int wait_ms)
{
	struct ibs_attr attr;
	uint32_t tid;
	int got = send_all(sweep, smi);

	if (got) {
		return got;
	}
	got = smi_receive(smi, wait_ms, &tid, &attr);
	if (got == 1) {
		ibs_sweep_answer(sweep, tid, &attr);
	}
	ibs_sweep_expire(sweep, host_monotonic_ns());
	return got;
}
