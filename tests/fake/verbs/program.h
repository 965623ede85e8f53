/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A double of libibverbs, for hosts without an HCA: a drop-in libibverbs.so.1
 * (its directory in LD_LIBRARY_PATH, or itself in LD_PRELOAD) with what our
 * programs call and no more.  It is built a second time in old/, without
 * ibv_query_port_speed(), as before rdma-core 62.
 *
 * What it does is the program: the file that IBSPEED_FAKE_VERBS names, read
 * again when it has changed (replace it with mv).  Without that variable the
 * host has no verbs: no device list, ENOSYS.  A line that is wrong is told on
 * standard error and ends the process.
 *
 *	# comment
 *	time file /tmp/now	time base: ns in a file; without this line
 *				CLOCK_MONOTONIC_RAW
 *	log /tmp/truth		per raw clock read, "DEVICE HOST_NS RAW"
 *	fail list 38		see below; this call has no device
 *	device ibsim0 0x10	name, node GUID; the lines to the next are its
 *	khz 156250		hca_core_clock; without, 1000000
 *	true_khz 78125		what it counts with instead
 *	mask 0x7fff		completion_timestamp_mask; without, 63 bits
 *	bits 48			the counter is that wide, whatever mask says
 *	start 1000		its value at time 0
 *	ppm -35.5		it runs faster than khz by that
 *	wander 2 60000000000	and by a sine of 2 ppm and that many ns
 *	latency 1500		ns that a read takes, latched half way
 *	latch 30		latched after 30 % of it
 *	jitter 800		the latency is that much more or less
 *	spike 5 30000		every 5th read takes 30 us more, and is
 *				latched anywhere
 *	still T			stands still from then on
 *	reset T 0		goes on from 0 at that time
 *	jump T -1000		that many cycles more from then on
 *	drift T 900		ppm from then on
 *	dies T [BACK]		gone: not in the list, an open context reads 0
 *				with success for ever, and else EIO; a new one
 *				can be opened from BACK on
 *	tv_sec 5		in raw_clock
 *	comp_mask 0		what a read that succeeds returns there
 *	missing rt_values	a provider without it: also query_device_ex and
 *				query_port
 *	fail CALL ERRNO [N [M]]	from the Nth call on, M times; CALL: open,
 *				query_device, query_device_ex, rt_values,
 *				query_port, query_gid, query_port_speed
 *	port 0x11 [0xfe80...]	its next port: GUID, subnet prefix
 *	state 4			or any other number in struct ibv_port_attr
 *	port_speed 2000		without: EOPNOTSUPP
 *
 * T and BACK are ns of the time base, or +ns after the program was read.
 * Calls are counted from there as well.  Unless it is reset the counter
 * depends on the time alone, so all processes read the same one.  A device
 * that is no longer in the program has died.  In real time a new program is
 * noticed within 10 ms, and the log is written after 100 ms, on close and at
 * the end.
 */
#ifndef IBSPEED_TESTS_FAKE_VERBS_PROGRAM_H
#define IBSPEED_TESTS_FAKE_VERBS_PROGRAM_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#define DEVICES_MAX 4
#define PORTS_MAX   4
#define NEVER	    UINT64_MAX

#define CALLS(X)                                                               \
	X(list)                                                                \
	X(open)                                                                \
	X(query_device)                                                        \
	X(query_device_ex)                                                     \
	X(rt_values)                                                           \
	X(query_port)                                                          \
	X(query_gid)                                                           \
	X(query_port_speed)
enum call {
#define X(name) CALL_##name,
	CALLS(X)
#undef X
		CALL_COUNT
};

struct fault {
	int err; /* 0: none */
	uint64_t from;
	uint64_t times;
	uint64_t n_calls;
};

struct port {
	uint64_t guid;
	uint64_t prefix;
	uint64_t speed_100mbps; /* 0: EOPNOTSUPP */
	struct ibv_port_attr attr;
};

struct device {
	char name[IBV_SYSFS_NAME_MAX];
	uint64_t guid; /* of the node */
	struct port ports[PORTS_MAX];
	unsigned int n_ports;
	struct fault faults[CALL_COUNT];
	bool missing[CALL_COUNT];
	/* the counter */
	uint64_t khz, mask, bits, start;
	uint64_t true_khz; /* 0: khz */
	int64_t rate_ppb, drift_ppb, wander_ppb;
	uint64_t wander_ns;
	uint64_t still_ns, reset_ns, jump_ns, drift_ns; /* or NEVER */
	uint64_t reset_value;
	int64_t jump_cycles;
	/* a read */
	uint64_t latency_ns, latch_percent, jitter_ns;
	uint64_t spike_every, spike_ns;
	uint64_t n_reads, random;
	uint64_t tv_sec, comp_mask;
	/* life */
	uint64_t dies_ns, back_ns; /* or NEVER */
};

struct program {
	struct stat file; /* as it was read */
	char time_path[256];
	char log_path[256];
	struct fault list;
	struct device devices[DEVICES_MAX];
	unsigned int n_devices;
};

/* The program as it is now; NULL: none.  The double's lock is held. */
struct program *program_now(void);
struct device *program_find(struct program *program, const char *name);
/* Obeys one line of the file; ends the process if it is wrong. */
void program_line(struct program *program, const char *path, unsigned int num,
		  char *text);
/* What the next call has to fail with; 0: nothing. */
int fault_next(struct fault *fault);

/* --- clock.c --- */

uint64_t clock_now_ns(const struct program *program);
/* A read of the counter, which takes its time and is logged. */
uint64_t clock_read(const struct program *program, struct device *device);
void clock_log(const struct program *program, const char *device,
	       uint64_t now_ns, uint64_t raw);
void clock_flush(void);

#endif
