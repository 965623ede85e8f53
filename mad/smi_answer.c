// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "smi_answer.h"

#include <endian.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>
#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(struct umad_smp) == SMI_MAD_SIZE, "an SMP is a MAD");

/* What all have; of what was not answered it is all. */
#define HEAD_SIZE offsetof(struct umad_smp, mkey)

static bool
is_get_resp(const struct umad_smp *smp)
{
	return smp->mgmt_class == UMAD_CLASS_SUBN_DIRECTED_ROUTE &&
	       smp->method == UMAD_METHOD_GET_RESP;
}

bool
smi_parse_answer(const uint8_t *mad, int length, int status, uint32_t *ret_tid,
		 struct ibs_attr *ret_attr)
{
	struct ibs_attr attr = { .read = IBS_READ_TIMEOUT };
	struct umad_smp smp;

	if (!status && length < SMI_MAD_SIZE) {
		return false;
	}
	memcpy(&smp, mad, HEAD_SIZE);
	if (!status && !is_get_resp(&smp)) {
		return false;
	}
	attr.id = be16toh(smp.attr_id);
	attr.modifier = be32toh(smp.attr_mod);
	if (!status) {
		attr.status = be16toh(smp.status) & (UMAD_SMP_DIRECTION - 1);
		attr.read = attr.status ? IBS_READ_STATUS : IBS_READ_OK;
		memcpy(attr.data, mad + offsetof(struct umad_smp, data),
		       sizeof(attr.data));
	}
	*ret_tid = (uint32_t)be64toh(smp.tid);
	*ret_attr = attr;
	return true;
}
