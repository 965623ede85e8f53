// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The counter of the double, and the log of what it truly was. */
#include <config.h>

#include "program.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S	1000000000u
#define NS_KHZ_PER_TICK 1000000
#define PPB		1000000000
#define FLUSH_EVERY_NS	100000000u

typedef __int128 wide;

static uint64_t
file_ns(const char *path)
{
	FILE *in = fopen(path, "re");
	uint64_t ns;

	if (!in || fscanf(in, "%" SCNu64, &ns) != 1) {
		(void)fprintf(stderr, "fake libibverbs: %s: no time\n", path);
		abort();
	}
	(void)fclose(in);
	return ns;
}

uint64_t
clock_now_ns(const struct program *program)
{
	struct timespec now;

	if (*program->time_path) {
		return file_ns(program->time_path);
	}
	(void)clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* --- the counter --------------------------------------------------------- */

static uint64_t
true_khz(const struct device *device)
{
	return device->true_khz ? device->true_khz : device->khz;
}

static wide
ticks(const struct device *device, wide ns, int64_t rate_ppb)
{
	return ns * (wide)true_khz(device) * (PPB + rate_ppb) /
	       NS_KHZ_PER_TICK / PPB;
}

/* What a sine of the rate has added up to. */
static wide
wander(const struct device *device, uint64_t ns)
{
	double period = (double)device->wander_ns;
	double turn, most;

	if (device->wander_ns == 0) {
		return 0;
	}
	turn = 2 * M_PI * (double)(ns % device->wander_ns) / period;
	most = period * (double)true_khz(device) / NS_KHZ_PER_TICK *
	       (double)device->wander_ppb / PPB / (2 * M_PI);
	return (wide)(most * (1 - cos(turn)));
}

/* All that it has counted since time 0. */
static wide
counted(const struct device *device, uint64_t ns)
{
	wide sum = ticks(device, ns, device->rate_ppb) + wander(device, ns);

	if (ns > device->drift_ns) {
		wide after = ns - device->drift_ns;

		sum += ticks(device, after, device->drift_ppb) -
		       ticks(device, after, device->rate_ppb);
	}
	return sum;
}

static uint64_t
counter(const struct device *device, uint64_t ns)
{
	wide value;

	if (ns > device->still_ns) {
		ns = device->still_ns;
	}
	value = counted(device, ns);
	if (ns >= device->reset_ns) {
		value -= counted(device, device->reset_ns);
		value += device->reset_value;
	} else {
		value += device->start;
	}
	if (ns >= device->jump_ns) {
		value += device->jump_cycles;
	}
	if (device->bits < 64) {
		value &= ((wide)1 << device->bits) - 1;
	}
	return (uint64_t)value;
}

/* --- a read of it -------------------------------------------------------- */

static uint64_t
random_below(struct device *device, uint64_t limit)
{
	uint64_t x = device->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	device->random = x;
	return x % limit;
}

/* As a read of a register does: the processor waits.  Returns the time. */
static uint64_t
wait_until(const struct program *program, uint64_t ns)
{
	uint64_t now_ns;

	do {
		now_ns = clock_now_ns(program);
	} while (now_ns < ns && !*program->time_path);
	return now_ns;
}

uint64_t
clock_read(const struct program *program, struct device *device)
{
	uint64_t begin_ns = clock_now_ns(program);
	uint64_t total_ns = device->latency_ns, latch_ns, now_ns, raw;

	if (device->jitter_ns) {
		total_ns += random_below(device, 2 * device->jitter_ns + 1);
		total_ns -= total_ns < device->jitter_ns ? total_ns
							 : device->jitter_ns;
	}
	latch_ns = total_ns * device->latch_percent / 100;
	device->n_reads++;
	if (device->spike_every && device->n_reads % device->spike_every == 0) {
		total_ns += device->spike_ns;
		latch_ns = random_below(device, total_ns + 1);
	}
	now_ns = wait_until(program, begin_ns + latch_ns);
	raw = counter(device, now_ns);
	clock_log(program, device->name, now_ns, raw);
	(void)wait_until(program, begin_ns + total_ns);
	return raw;
}

/* --- the truth ----------------------------------------------------------- */

/* Kept back, since writing takes longer than a read. */
static struct {
	char path[256];
	char text[65536];
	size_t used;
	uint64_t flushed_ns;
} log_buffer;

void
clock_flush(void)
{
	int fd;

	if (!log_buffer.used) {
		return;
	}
	fd = open(log_buffer.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
		  0666);
	if (fd < 0 || write(fd, log_buffer.text, log_buffer.used) !=
			      (ssize_t)log_buffer.used) {
		perror(log_buffer.path);
		abort();
	}
	(void)close(fd);
	log_buffer.used = 0;
}

void
clock_log(const struct program *program, const char *device, uint64_t now_ns,
	  uint64_t raw)
{
	size_t room = sizeof(log_buffer.text) - log_buffer.used;
	int n;

	if (!*program->log_path) {
		return;
	}
	if (room < 2 * IBV_SYSFS_NAME_MAX ||
	    now_ns - log_buffer.flushed_ns > FLUSH_EVERY_NS) {
		clock_flush();
		log_buffer.flushed_ns = now_ns;
		room = sizeof(log_buffer.text);
	}
	(void)snprintf(log_buffer.path, sizeof(log_buffer.path), "%s",
		       program->log_path);
	n = snprintf(log_buffer.text + log_buffer.used, room,
		     "%s %" PRIu64 " %" PRIu64 "\n", device, now_ns, raw);
	log_buffer.used += (size_t)n;
	if (*program->time_path) {
		clock_flush();
	}
}

__attribute__((destructor)) static void
end(void)
{
	clock_flush();
}
