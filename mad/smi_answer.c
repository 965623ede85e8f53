// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "smi_answer.h"

#include <endian.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>
#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(struct umad_smp) == SMI_MAD_SIZE, "an SMP is a MAD");
_Static_assert(offsetof(struct umad_smp, mkey) == sizeof(struct umad_hdr),
	       "all MADs begin alike");

/* Where the packets of a class have what. */
struct layout {
	uint8_t mgmt_class;
	uint16_t status_mask;
	int data;  /* where it begins */
	int least; /* bytes of a packet */
};

/* It is not cut; what says that there is no data may end before it. */
static bool
is_get_resp(const struct umad_hdr *head, int length,
	    const struct layout *layout)
{
	bool has_data = length >= layout->data + IBS_ATTR_SIZE;

	return head->mgmt_class == layout->mgmt_class &&
	       head->method == UMAD_METHOD_GET_RESP &&
	       (has_data || (be16toh(head->status) & layout->status_mask));
}

/* A length below 0: nobody answered. */
static bool
parse(const uint8_t *mad, int length, const struct layout *layout,
      uint32_t *ret_tid, struct ibs_attr *ret_attr)
{
	struct ibs_attr attr = { .read = IBS_READ_TIMEOUT };
	bool answered = length >= 0;
	struct umad_hdr head;

	if (answered && length < layout->least) {
		return false;
	}
	memcpy(&head, mad, sizeof(head));
	if (answered && !is_get_resp(&head, length, layout)) {
		return false;
	}
	attr.id = be16toh(head.attr_id);
	attr.modifier = be32toh(head.attr_mod);
	if (answered) {
		attr.status = be16toh(head.status) & layout->status_mask;
		attr.read = attr.status ? IBS_READ_STATUS : IBS_READ_OK;
	}
	if (answered && length >= layout->data + IBS_ATTR_SIZE) {
		memcpy(attr.data, mad + layout->data, sizeof(attr.data));
	}
	*ret_tid = (uint32_t)be64toh(head.tid);
	*ret_attr = attr;
	return true;
}

bool
smi_parse_answer(const uint8_t *mad, int length, int status, uint32_t *ret_tid,
		 struct ibs_attr *ret_attr)
{
	static const struct layout smp = {
		.mgmt_class = UMAD_CLASS_SUBN_DIRECTED_ROUTE,
		.status_mask = UMAD_SMP_DIRECTION - 1,
		.data = offsetof(struct umad_smp, data),
		.least = SMI_MAD_SIZE,
	};

	return parse(mad, status ? -1 : length, &smp, ret_tid, ret_attr);
}

bool
sa_parse_answer(const uint8_t *mad, int length, int status, uint32_t *ret_tid,
		struct ibs_attr *ret_attr)
{
	static const struct layout sa = {
		.mgmt_class = UMAD_CLASS_SUBN_ADM,
		.status_mask = UINT16_MAX,
		.data = offsetof(struct umad_sa_packet, data),
		.least = offsetof(struct umad_sa_packet, data),
	};

	return parse(mad, status ? -1 : length, &sa, ret_tid, ret_attr);
}
