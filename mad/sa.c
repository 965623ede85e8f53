// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "sa.h"

#include <endian.h>
#include <infiniband/umad.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_types.h>
#include <stdbool.h>
#include <string.h>

#include "host.h"
#include "smi_answer.h"
#include "smi_private.h"

#define NS_PER_MS UINT64_C(1000000)
/* The kernel tells of a time-out first; ours is for an answer it forgot. */
#define MARGIN_MS 100u

/* Bits of the ComponentMask of a PathRecord. */
#define HAS_DLID     (UINT64_C(1) << 4)
#define HAS_SLID     (UINT64_C(1) << 5)
#define HAS_NUMBPATH (UINT64_C(1) << 12)

static void
put(uint8_t *record, enum ibs_path_record_field field, uint64_t value)
{
	ibs_field_put(record, &ibs_path_record_fields[field], value);
}

static int
ask(struct smi *smi, const struct sa_question *question, uint32_t tid)
{
	struct umad_sa_packet *mad = umad_get_mad(smi->out);

	memset(smi->out, 0, umad_size());
	*mad = (struct umad_sa_packet){
		.mad_hdr = { .base_version = UMAD_BASE_VERSION,
			     .mgmt_class = UMAD_CLASS_SUBN_ADM,
			     .class_version = SA_VERSION,
			     .method = UMAD_METHOD_GET,
			     .tid = htobe64(tid),
			     .attr_id = htobe16(SA_ATTR_PATH_RECORD) },
		.comp_mask = htobe64(HAS_DLID | HAS_SLID | HAS_NUMBPATH),
	};
	put(mad->data, IBS_PR_DLID, question->dlid);
	put(mad->data, IBS_PR_SLID, question->slid);
	put(mad->data, IBS_PR_NumbPath, 1);
	(void)umad_set_addr(smi->out, question->sm_lid, 1, question->sm_sl,
			    (int)UMAD_QKEY);
	return smi_put(smi, NULL);
}

/* returns 1 the answer, 0 none yet, -errno the port is gone */
static int
take(struct smi *smi, int wait_ms, uint32_t tid, struct ibs_attr *ret_attr)
{
	struct ibs_attr attr;
	uint32_t got_tid;
	int length;
	int got = smi_take(smi, wait_ms, &length, NULL);

	if (got <= 0) {
		return got;
	}
	if (!sa_parse_answer(umad_get_mad(smi->in), length,
			     umad_status(smi->in), &got_tid, &attr) ||
	    got_tid != tid || attr.id != SA_ATTR_PATH_RECORD) {
		return 0;
	}
	*ret_attr = attr;
	return 1;
}

int
sa_get_path(struct smi *smi, const struct sa_question *question, uint32_t tid,
	    struct ibs_attr *ret_attr)
{
	uint64_t now = host_monotonic_ns();
	uint64_t end = now + (smi->timeout_ms + MARGIN_MS) * NS_PER_MS;
	struct ibs_attr attr = { .id = SA_ATTR_PATH_RECORD,
				 .read = IBS_READ_TIMEOUT };
	int got = ask(smi, question, tid);

	while (!got && now < end) {
		got = take(smi, (int)((end - now) / NS_PER_MS) + 1, tid, &attr);
		now = host_monotonic_ns();
	}
	if (got < 0) {
		return got;
	}
	*ret_attr = attr;
	return 0;
}
