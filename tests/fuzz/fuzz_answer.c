// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Any bytes as packets from the wire, through the parser of the transport and
 * into a discovery: nothing is read past the end of a packet, what is no answer
 * is not taken for one, and the map that comes of it freezes.
 *
 * A packet is a byte of what it is, a byte of its length, and its bytes:
 *   bit 0    the driver says that nobody answered
 *   bit 1    the head of an answer to what is in flight is put in
 *   bit 2    and then a bit of it flipped, bits 4-7 bytes behind the TID
 */
#include <config.h>

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "smi_answer.h"
#include "fuzz.h"
#include "ibspeed/map.h"
#include "ibspeed/sweep.h"

#define CLASS_AT     1
#define METHOD_AT    3
#define STATUS_AT    4
#define TID_AT	     12 /* its low half */
#define ATTR_AT	     16
#define MODIFIER_AT  20
#define DATA_AT	     64
#define RECORD_AT    56 /* in an answer of the SA */
#define SMP_CLASS    0x81
#define SMP_GET_RESP 0x81
#define SA_CLASS     0x03
#define SA_GET_RESP  0x81
#define TIMEOUT_NS   UINT64_C(1000)
#define FIRST_TID    7u

static void
put_be(uint8_t *at, unsigned int n_bytes, uint32_t value)
{
	for (unsigned int i = n_bytes; i-- > 0; value >>= 8) {
		at[i] = (uint8_t)value;
	}
}

/* The head of an answer to the Get. */
static void
put_head(uint8_t *mad, const struct ibs_smp *smp)
{
	mad[CLASS_AT] = SMP_CLASS;
	mad[METHOD_AT] = SMP_GET_RESP;
	put_be(mad + STATUS_AT, 2, mad[STATUS_AT] & 1 ? 0x8000 : 0x801c);
	put_be(mad + TID_AT, 4, smp->tid);
	put_be(mad + ATTR_AT, 2, smp->attr);
	put_be(mad + MODIFIER_AT, 4, smp->modifier);
}

static void
check_answer(const uint8_t *mad, size_t length, bool lost,
	     const struct ibs_attr *attr)
{
	FUZZ_CHECK(lost == (attr->read == IBS_READ_TIMEOUT));
	if (!lost) {
		FUZZ_CHECK(length == SMI_MAD_SIZE);
		FUZZ_CHECK(mad[CLASS_AT] == SMP_CLASS);
		FUZZ_CHECK(mad[METHOD_AT] == SMP_GET_RESP);
		FUZZ_CHECK((attr->read == IBS_READ_OK) == !attr->status);
		FUZZ_CHECK(memcmp(attr->data, mad + DATA_AT, IBS_ATTR_SIZE) ==
			   0);
	}
	FUZZ_CHECK(attr->id == (mad[ATTR_AT] << 8 | mad[ATTR_AT + 1]));
}

/* An answer of the SA may be as short as its one record. */
static void
check_record(const uint8_t *mad, size_t length, bool lost,
	     const struct ibs_attr *attr)
{
	FUZZ_CHECK(lost == (attr->read == IBS_READ_TIMEOUT));
	if (!lost) {
		FUZZ_CHECK(mad[CLASS_AT] == SA_CLASS);
		FUZZ_CHECK(mad[METHOD_AT] == SA_GET_RESP);
		FUZZ_CHECK((attr->read == IBS_READ_OK) == !attr->status);
	}
	if (attr->read == IBS_READ_OK) {
		FUZZ_CHECK(length >= RECORD_AT + IBS_ATTR_SIZE);
		FUZZ_CHECK(memcmp(attr->data, mad + RECORD_AT, IBS_ATTR_SIZE) ==
			   0);
	}
}

/* One packet; returns how many bytes of the input it took. */
static size_t
deliver(struct ibs_sweep *sweep, const struct ibs_smp *smp, const uint8_t *data,
	size_t size)
{
	uint8_t what = data[0];
	size_t length = size > 1 && data[1] ? data[1] : SMI_MAD_SIZE;
	size_t taken = size < 2 ? size : 2, n_bytes;
	struct ibs_attr attr;
	uint8_t *mad;
	uint32_t tid;

	if (what & 1 || what & 2) {
		length = SMI_MAD_SIZE;
	}
	mad = calloc(1, length); /* of that size: a read past it is seen */
	FUZZ_CHECK(mad);
	n_bytes = size - taken < length ? size - taken : length;
	memcpy(mad, data + taken, n_bytes);
	if (what & 2) {
		put_head(mad, smp);
		mad[TID_AT + (what >> 4)] ^= (uint8_t)(what & 4);
	}
	if (smi_parse_answer(mad, (int)length, what & 1 ? ETIMEDOUT : 0, &tid,
			     &attr)) {
		check_answer(mad, length, what & 1, &attr);
		ibs_sweep_answer(sweep, tid, &attr);
	}
	if (sa_parse_answer(mad, (int)length, what & 1 ? ETIMEDOUT : 0, &tid,
			    &attr)) {
		check_record(mad, length, what & 1, &attr);
	}
	free(mad);
	return taken + n_bytes;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct ibs_scope scope = { .whole = true };
	const struct ibs_sweep_limits limits = { .max_smps = 4,
						 .max_smps_per_node = 2,
						 .max_tries = 2,
						 .timeout_ns = TIMEOUT_NS };
	struct ibs_sweep *sweep;
	struct ibs_map *map = NULL;
	struct ibs_smp smp = { .tid = 0 };
	uint64_t now_ns = 1;

	FUZZ_CHECK(ibs_sweep_discover(&scope, &limits, FIRST_TID, &sweep) == 0);
	while (!ibs_sweep_done(sweep)) {
		struct ibs_smp next;

		while (ibs_sweep_next(sweep, now_ns, &next)) {
			smp = next;
		}
		if (size) {
			size_t taken = deliver(sweep, &smp, data, size);

			data += taken;
			size -= taken;
		} else {
			now_ns += TIMEOUT_NS;
			ibs_sweep_expire(sweep, now_ns);
		}
	}
	if (ibs_sweep_finish(sweep, &map) == 0) {
		FUZZ_CHECK(ibs_map_freeze(map) == 0);
		ibs_map_free(map);
	}
	return 0;
}
