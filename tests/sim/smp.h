/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * smp: the few fields of a subnet management packet that the preload reads or
 * rewrites, by the layout of the IBA specification (13.4.2 the MAD header,
 * 14.2.1 the two formats of an SMP). The byte offsets are typed here and
 * nowhere else; the product's own decoder is not used, so that a mistake in
 * it cannot hide in the test bed.
 */
#ifndef IBSPEED_TESTS_SIM_SMP_H
#define IBSPEED_TESTS_SIM_SMP_H

#include <stdbool.h>
#include <stdint.h>

enum smp_offset {
	SMP_CLASS = 1,
	SMP_METHOD = 3,
	SMP_STATUS = 4,	   /* 2 bytes; bit 15 is D, "on its way back" */
	SMP_HOP_COUNT = 7, /* directed route only */
	SMP_TID = 8,	   /* 8 bytes */
	SMP_ATTR = 16,	   /* 2 bytes */
	SMP_MODIFIER = 20, /* 4 bytes */
	SMP_DATA = 64,	   /* the attribute's 64 bytes */
	SMP_PATH = 128	   /* initial path; its hops are at 1..count */
};

#define SMP_SIZE      256
#define SMP_DATA_SIZE 64
#define SMP_MAX_HOPS  63

#define SMP_CLASS_LID	    0x01
#define SMP_CLASS_DIRECTED  0x81
#define SMP_CLASS_SA	    0x03 /* no SMP: a question to the SA */
#define SMP_METHOD_GET	    0x01
#define SMP_METHOD_GET_RESP 0x81
#define SMP_DIRECTION	    0x8000

enum smp_attr_id {
	SMP_NODE_DESC = 0x0010,
	SMP_NODE_INFO = 0x0011,
	SMP_SWITCH_INFO = 0x0012,
	SMP_PORT_INFO = 0x0015,
	SMP_LINEAR_FDB = 0x0019,
	SMP_EXT_PORT_INFO = 0xff90 /* the vendor's, for FDR10 */
};

static inline uint16_t
smp_be16(const uint8_t *mad, enum smp_offset at)
{
	return (uint16_t)(mad[at] << 8 | mad[at + 1]);
}

static inline void
smp_put_be16(uint8_t *mad, enum smp_offset at, uint16_t value)
{
	mad[at] = (uint8_t)(value >> 8);
	mad[at + 1] = (uint8_t)value;
}

/* What tells one Get in flight from another: the kernel replaces the rest. */
static inline uint32_t
smp_tid_low(const uint8_t *mad)
{
	const uint8_t *at = mad + SMP_TID + 4;

	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
	       (uint32_t)at[2] << 8 | at[3];
}

static inline bool
smp_is_smp(const uint8_t *mad)
{
	return mad[SMP_CLASS] == SMP_CLASS_LID ||
	       mad[SMP_CLASS] == SMP_CLASS_DIRECTED;
}

#endif
