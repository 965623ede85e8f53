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

void
reader_tell(const struct ibs_smp *smp, const struct ibs_attr *attr)
{
	char path[4 * (IBS_HOPS_MAX + 1) + 1] = "0";
	int used = 1;

	for (unsigned int i = 1; i <= smp->n_hops; i++) {
		used += snprintf(path + used, sizeof(path) - (size_t)used,
				 ",%u", smp->path[i]);
	}
	if (attr->read == IBS_READ_STATUS) {
		message("route %s: attribute 0x%04x modifier 0x%x: status "
			"0x%04x",
			path, smp->attr, smp->modifier, attr->status);
	} else {
		message("route %s: attribute 0x%04x modifier 0x%x: no answer",
			path, smp->attr, smp->modifier);
	}
}

static void
hand_in(struct reader *reader, uint32_t tid, const struct ibs_attr *attr)
{
	struct ibs_smp smp;

	if (reader->tell_errors && attr->read != IBS_READ_OK &&
	    ibs_sweep_in_flight(reader->sweep, tid, &smp)) {
		reader_tell(&smp, attr);
	}
	ibs_sweep_answer(reader->sweep, tid, attr);
}

bool
reader_is_passing(int err)
{
	return err == -EINVAL || err == -ENOMEM || err == -EAGAIN ||
	       err == -EINTR || err == -ENOBUFS || err == -EBUSY;
}

/* A Get that could not even be sent counts as one without an answer. */
static int
send_all(struct reader *reader)
{
	const struct ibs_attr unsent = { .read = IBS_READ_TIMEOUT };
	struct ibs_smp smp;

	while (ibs_sweep_next(reader->sweep, clock_last_ns(reader->clock),
			      &smp)) {
		int err = smi_send(reader->smi, &smp);

		if (err && !reader_is_passing(err)) {
			return err;
		}
		if (err) {
			hand_in(reader, smp.tid, &unsent);
		}
	}
	return 0;
}

/* Not longer than until the sweep has something to do by itself. */
static int
wait_ms_of(const struct reader *reader, int max_ms)
{
	uint64_t deadline = ibs_sweep_deadline(reader->sweep);
	uint64_t now = clock_last_ns(reader->clock);

	if (deadline <= now) {
		return 0;
	}
	if ((deadline - now) / NS_PER_MS >= (unsigned int)max_ms) {
		return max_ms;
	}
	return (int)((deadline - now) / NS_PER_MS) + 1;
}

int
reader_step(struct reader *reader, int max_ms)
{
	struct ibs_attr attr;
	uint32_t tid;
	int got;

	(void)clock_now_ns(reader->clock);
	got = send_all(reader);
	if (got) {
		return got;
	}
	got = smi_receive(reader->smi, wait_ms_of(reader, max_ms), &tid, &attr);
	if (got == 1) {
		hand_in(reader, tid, &attr);
	} else {
		(void)clock_now_ns(reader->clock);
	}
	ibs_sweep_expire(reader->sweep, clock_last_ns(reader->clock));
	return got;
}
