/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What smi.c, which opens and closes agents, shares with sa.c. */
#ifndef IBSPEED_SMI_PRIVATE_H
#define IBSPEED_SMI_PRIVATE_H

#include <infiniband/umad.h>
#include <stdbool.h>
#include <stdint.h>

#include "smi.h"

#define SA_VERSION 2

/* When a Get was sent. */
struct smi_sent {
	uint32_t tid;
	struct ibs_tick tick;
};

struct smi {
	int port_id; /* of libibumad */
	int agent_id;
	bool sa; /* of the SA's class */
	unsigned int timeout_ms;
	uint64_t m_key;
	void *out; /* umad buffers */
	void *in;
	struct clock *clock; /* NULL: nothing is stamped */
	char ca[UMAD_CA_NAME_LEN];
	struct verbs_port port;
	struct smi_sent sent[IBS_SMPS_MAX]; /* by the TID */
};

/* Sends the packet in smi->out; stamped at the last moment, NULL: not.
 * errors  as smi_send */
int smi_put(struct smi *smi, struct ibs_tick *ret_tick);
/*
 * out     ret_tick  when it was received; NULL: not stamped
 * returns 1 a packet is in smi->in, 0 none, -errno the port is gone
 */
int smi_take(struct smi *smi, int wait_ms, int *ret_length,
	     struct ibs_tick *ret_tick);

#endif
