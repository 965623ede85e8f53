/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The one table of InfiniBand link speeds, widths and rates.  Every fact about
 * them is typed once, in the three lists below; the enums, the names and all
 * conversions are made from the lists.  Used by everybody.
 *
 * units   eff_100mbps  100 Mb/s, as ibv_query_port_speed() returns it
 *         lane_kbps    kb/s of signal on one lane
 *         rate_enum    enum ibv_rate; rate_mult and rate_mbps what
 *                      ibv_rate_to_mult() and ibv_rate_to_mbps() make of it
 * errors  a lookup that finds nothing returns -1 or NULL, never 0
 * locks   none; pure
 * source  IBA vol.1 14.2.5.6 PortInfo; enum ibv_rate of libibverbs 44; where
 *         libibverbs has no value the kernel's ib_rate_to_mult() (6, 10, 22,
 *         40, 45, 67, 80, 120) and IB_RATE_1600_GBPS
 */
#ifndef IBSPEED_SPEED_H
#define IBSPEED_SPEED_H

#include <stdint.h>

/*
 * Speeds in merit order, worst first.  QDR and FDR10 have the same effective
 * speed, so compare the enum and never the units.
 *
 * name, unit (100 Mb/s per lane), lane_kbps, enum ib_port_speed of the kernel
 */
#define IBS_SPEEDS(X)                                                          \
	X(SDR, 25, 2500000, 1)                                                 \
	X(DDR, 50, 5000000, 2)                                                 \
	X(QDR, 100, 10000000, 4)                                               \
	X(FDR10, 100, 10312500, 8)                                             \
	X(FDR, 140, 14062500, 16)                                              \
	X(EDR, 250, 25781250, 32)                                              \
	X(HDR, 500, 53125000, 64)                                              \
	X(NDR, 1000, 106250000, 128)                                           \
	X(XDR, 2000, 212500000, 256)

/*
 * Widths in merit order, worst first: lanes and the code of LinkWidthActive
 * (one bit of LinkWidthEnabled and LinkWidthSupported).  The codes are not in
 * the order of the lanes.
 */
#define IBS_WIDTHS(X)                                                          \
	X(1, 1)                                                                \
	X(2, 16)                                                               \
	X(4, 2)                                                                \
	X(8, 4)                                                                \
	X(12, 8)

/*
 * Rates in merit order, worst first: by what is left after 8b/10b or 64b/66b,
 * so 30 Gb/s (SDR) stands below 25 Gb/s (EDR).
 *
 * unit (100 Mb/s), rate_enum, rate_mult, rate_mbps
 */
#define IBS_RATES(X)                                                           \
	X(25, 2, 1, 2500)                                                      \
	X(50, 5, 2, 5000)                                                      \
	X(100, 3, 4, 10000)                                                    \
	X(140, 11, 6, 14062)                                                   \
	X(200, 6, 8, 20000)                                                    \
	X(300, 4, 12, 30000)                                                   \
	X(250, 15, 10, 25781)                                                  \
	X(280, 19, 11, 28125)                                                  \
	X(400, 7, 16, 40000)                                                   \
	X(600, 8, 24, 60000)                                                   \
	X(500, 20, 20, 53125)                                                  \
	X(560, 12, 22, 56250)                                                  \
	X(800, 9, 32, 80000)                                                   \
	X(1200, 10, 48, 120000)                                                \
	X(1000, 16, 40, 103125)                                                \
	X(1120, 13, 45, 112500)                                                \
	X(1680, 14, 67, 168750)                                                \
	X(2000, 17, 80, 206250)                                                \
	X(3000, 18, 120, 309375)                                               \
	X(4000, 21, 160, 425000)                                               \
	X(6000, 22, 240, 637500)                                               \
	X(8000, 23, 320, 850000)                                               \
	X(12000, 24, 480, 1275000)                                             \
	X(16000, 25, 640, 1700000)

/* NONE: no speed (down, not advertised).  UNKNOWN: the code is not known. */
enum ibs_speed {
	IBS_SPEED_NONE,
	IBS_SPEED_UNKNOWN,
#define X(name, unit, lane_kbps, ib_speed) IBS_SPEED_##name,
	IBS_SPEEDS(X)
#undef X
		IBS_SPEED_COUNT
};

enum ibs_width {
	IBS_WIDTH_NONE,
	IBS_WIDTH_UNKNOWN,
#define X(lanes, code) IBS_WIDTH_##lanes##X,
	IBS_WIDTHS(X)
#undef X
		IBS_WIDTH_COUNT
};

struct ibs_speed_row {
	const char *name;
	uint32_t unit_100mbps; /* effective, one lane */
	uint32_t lane_kbps;    /* signal, one lane */
	uint16_t ib_speed;     /* active_speed of ibv_port_attr */
};

struct ibs_width_row {
	uint8_t lanes;
	uint8_t code; /* active_width of ibv_port_attr */
};

struct ibs_rate_row {
	uint32_t eff_100mbps;
	int rate_enum;
	int rate_mult;
	int rate_mbps;
};

/* NULL for NONE, UNKNOWN and anything outside the enum. */
const struct ibs_speed_row *ibs_speed_row(enum ibs_speed speed);
const struct ibs_width_row *ibs_width_row(enum ibs_width width);

/* "HDR"; "unknown" for UNKNOWN, "-" for NONE.  Never NULL. */
const char *ibs_speed_name(enum ibs_speed speed);
/* SPEED_NONE when the name is not in the table; the case does not matter. */
enum ibs_speed ibs_speed_from_name(const char *name);
/* Lanes 1, 2, 4, 8, 12; WIDTH_NONE for any other number. */
enum ibs_width ibs_width_from_lanes(unsigned int lanes);
/* Exactly one bit of the codes; WIDTH_UNKNOWN for anything else, also 0. */
enum ibs_width ibs_width_from_code(uint8_t code);

/* Effective speed of the pair in 100 Mb/s; -1 unless both are in the table. */
int32_t ibs_eff_100mbps(enum ibs_speed speed, enum ibs_width width);
/* Signal of the pair in kb/s, lane_kbps times lanes; -1 as above. */
int64_t ibs_signal_kbps(enum ibs_speed speed, enum ibs_width width);

/*
 * The rate that carries so many units, -enum, -multiplier or -Mb/s exactly.
 * NULL when there is none: XDR 12X (24000 units) has no enum anywhere.
 */
const struct ibs_rate_row *ibs_rate_by_eff(int64_t eff_100mbps);
const struct ibs_rate_row *ibs_rate_by_enum(int64_t rate_enum);
const struct ibs_rate_row *ibs_rate_by_mult(int64_t rate_mult);
const struct ibs_rate_row *ibs_rate_by_mbps(int64_t rate_mbps);
/* Merit, larger is better; -1 when the enum is not in the table. */
int ibs_rate_merit(int rate_enum);

/*
 * Sets: bit N stands for enum value N.  So the best of a set is its highest
 * bit, and "common to both ends" is an AND.
 */
typedef uint16_t ibs_set;
#define IBS_BIT(value) ((ibs_set)(1u << (unsigned int)(value)))
enum ibs_speed ibs_speed_best(ibs_set speeds); /* NONE for the empty set */
enum ibs_width ibs_width_best(ibs_set widths); /* NONE for the empty set */
/* LinkWidth* mask to set; bits that are not in the table are dropped. */
ibs_set ibs_width_set(uint8_t mask);

#endif
