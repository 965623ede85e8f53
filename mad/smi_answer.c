// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "smi_answer.h"

#include <infiniband/mad.h>
#include <string.h>

static bool
is_get_resp(uint8_t *mad, int length)
{
	return length >= SMI_MAD_SIZE &&
	       mad_get_field(mad, 0, IB_MAD_MGMTCLASS_F) ==
		       IB_SMI_DIRECT_CLASS &&
	       mad_get_field(mad, 0, IB_MAD_METHOD_F) == IB_MAD_METHOD_GET &&
	       mad_get_field(mad, 0, IB_MAD_RESPONSE_F) == 1;
}

bool
smi_parse_answer(uint8_t *mad, int length, int status, uint32_t *ret_tid,
		 struct ibs_attr *ret_attr)
{
	struct ibs_attr attr = { .read = IBS_READ_TIMEOUT };

	if (!status && !is_get_resp(mad, length)) {
		return false;
	}
	attr.id = (uint16_t)mad_get_field(mad, 0, IB_MAD_ATTRID_F);
	attr.modifier = mad_get_field(mad, 0, IB_MAD_ATTRMOD_F);
	if (!status) {
		attr.status =
			(uint16_t)mad_get_field(mad, 0, IB_DRSMP_STATUS_F);
		attr.read = attr.status ? IBS_READ_STATUS : IBS_READ_OK;
		memcpy(attr.data, mad + IB_SMP_DATA_OFFS, sizeof(attr.data));
	}
	*ret_tid = (uint32_t)mad_get_field64(mad, 0, IB_MAD_TRID_F);
	*ret_attr = attr;
	return true;
}
