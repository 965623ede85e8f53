/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * clock: when a reading was made, by the counter of the HCA and by the host,
 * and how well each is known.
 *
 * The counter (ibv_query_rt_values_ex) starts anywhere and runs at about the
 * kHz that the device states.  Nothing is assumed of it: at both ends of a
 * sweep it is read between two looks at CLOCK_MONOTONIC_RAW, an anchor, and
 * what does not fit between the anchors is not believed.  A host clock is never
 * called the HCA's.
 *
 * units   raw, ticks: counts of the HCA, modulo mask + 1; mono: ns of
 *         CLOCK_MONOTONIC_RAW; real: ns of CLOCK_REALTIME; ppm: the rate of the
 *         counter against its kHz
 * locks   none; pure
 * source  libibverbs: hca_core_clock is in kHz, and raw_clock has all of its
 *         ticks in tv_nsec
 */
#ifndef IBSPEED_CLOCK_H
#define IBSPEED_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Both clocks at one moment; the host's was read on the outer side. */
struct ibs_tick {
	uint64_t mono_ns; /* 0: not stamped */
	uint64_t raw;	  /* 0: not read, a counter that works is never 0 */
};

/* A reading: the port had what it says somewhere between the two. */
struct ibs_stamp {
	struct ibs_tick tx; /* just before the send */
	struct ibs_tick rx; /* just after the receive of the answer */
};

/* The counter, which was read somewhere between before and after. */
struct ibs_anchor {
	uint64_t raw;
	uint64_t before_ns; /* CLOCK_MONOTONIC_RAW */
	uint64_t after_ns;
};

/* The wall clock: it was real_ns at mono_ns, give or take half_ns. */
struct ibs_wall {
	int64_t real_ns;
	uint64_t mono_ns;
	uint64_t half_ns;
	int64_t max_error_ns; /* the kernel's bound of its error; -1: the
			       * kernel does not call it synchronized */
	int32_t tai_s;	      /* TAI - UTC; 0: the kernel does not know */
};

/* The rate of the counter lies between lo and hi, if it did not jump. */
struct ibs_ppm {
	double lo, mid, hi;
	uint64_t baseline_ns; /* over so long; 0: not measured */
};
/* How much the rate may change in the course of an epoch: heat, or a servo. */
#define IBS_PPM_STEADY	     50.0
#define IBS_PPM_MAX	     500.0		  /* off by more is no clock */
#define IBS_RATE_MEASURED_NS UINT64_C(1000000000) /* with such a baseline */

#define IBS_CLOCK_SOURCES(X)                                                   \
	X(NONE, "") /* nobody said */                                          \
	X(HOST, "host_monotonic_raw")                                          \
	X(HCA, "hca_raw")
enum ibs_clock_source {
#define X(id, name) IBS_CLOCK_##id,
	IBS_CLOCK_SOURCES(X)
#undef X
		IBS_CLOCK_SOURCE_COUNT
};
const char *ibs_clock_source_name(enum ibs_clock_source source);

/* What a sweep records of the clock of its readings. */
struct ibs_clock {
	uint8_t source;	  /* enum ibs_clock_source */
	bool convertible; /* HCA: its ticks are a time */
	char reason[128]; /* why not the HCA's, or not convertible */
	char device[64];  /* of libibverbs; "" none */
	uint8_t port_num; /* its port that the SMPs went through */
	uint64_t port_guid;
	uint64_t node_guid;
	uint64_t khz;	     /* hca_core_clock; 0 not told */
	uint64_t mask;	     /* completion_timestamp_mask; 0 not told */
	int64_t epoch_ns;    /* CLOCK_REALTIME when the counter was taken up: of
			    * another epoch, its ticks cannot be compared */
	char boot_id[40];    /* the same for CLOCK_MONOTONIC_RAW */
	uint32_t n_failures; /* reads of the counter that failed */
	struct ibs_anchor start, end;
	struct ibs_wall wall_start, wall_end;
	struct ibs_ppm rate; /* in this epoch */
};

/* Why the ticks of an epoch are not believed. */
enum ibs_clock_fault {
	IBS_CLOCK_GOOD,
	IBS_CLOCK_STILL, /* they stand still */
	IBS_CLOCK_BACK,	 /* they went back */
	IBS_CLOCK_RATE,	 /* they run off by more than IBS_PPM_MAX */
	IBS_CLOCK_WRAPS, /* they wrap around too fast to be counted */
	IBS_CLOCK_JUMP	 /* they do not fit between the anchors */
};

/*
 * From one anchor to a later one, by the clock's kHz and mask.
 * out     the rate; untouched when there is a fault other than RATE, or when
 *         no kHz is known
 */
enum ibs_clock_fault ibs_clock_rate(const struct ibs_clock *clock,
				    const struct ibs_anchor *from,
				    const struct ibs_anchor *to,
				    struct ibs_ppm *ret_ppm);
/* Do the ticks of a reading fit between the clock's anchors? */
enum ibs_clock_fault ibs_clock_check(const struct ibs_clock *clock,
				     const struct ibs_stamp *stamp);
/* The fault in words, with the name of the device. */
void ibs_clock_tell(enum ibs_clock_fault fault, const struct ibs_clock *clock,
		    char *ret_text, size_t size);

/* When a reading was made: at mono_ns, or real_ns, give or take. */
struct ibs_moment {
	uint64_t mono_ns;
	uint64_t half_ns;
	int64_t real_ns; /* 0: the wall clock was not read */
	uint64_t real_half_ns;
};
/*
 * The host's own times bound the reading; those of the HCA, where they can be
 * converted, bound it more closely.
 * returns false  it was not stamped
 */
bool ibs_clock_when(const struct ibs_clock *clock,
		    const struct ibs_stamp *stamp,
		    struct ibs_moment *ret_moment);

#endif
