/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * smi: SMPs out and in.  With sa.h, the only door to libibumad and libibmad.
 * Sends Gets by directed route and nothing else.
 *
 * errors  -errno, with one line of words in error
 * locks   none; one thread per handle
 */
#ifndef IBSPEED_SMI_H
#define IBSPEED_SMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock.h"
#include "ibspeed/attr.h"
#include "ibspeed/sweep.h"

struct smi;

struct smi_options {
	const char *ca;	    /* "" any */
	unsigned int port;  /* 0 any */
	uint64_t port_guid; /* the port with this GUID; 0: as libibumad picks */
	unsigned int timeout_ms; /* for the kernel; never 0 */
	unsigned int debug;	 /* level of libibumad's own debug output */
	struct clock *clock;	 /* for the stamps, borrowed; or NULL */
	bool sa;		 /* for sa.h and not for SMPs */
};

int smi_open(const struct smi_options *options, struct smi **ret_smi,
	     char *error, size_t error_size);
void smi_close(struct smi *smi); /* NULL is fine */

/* The port that it goes through, borrowed. */
const struct verbs_port *smi_port(const struct smi *smi);

/* M_Key of the Gets that follow; 0 none. */
void smi_set_m_key(struct smi *smi, uint64_t m_key);
/*
 * errors  -EINVAL, -ENOMEM, -EAGAIN, ...: this Get cannot be sent (the kernel
 *         refuses a route that does not begin at the local port), others may;
 *         any other: the port is gone
 */
int smi_send(struct smi *smi, const struct ibs_smp *smp);
/*
 * Waits for an answer, or for the kernel's word that none came.
 * returns 1 with the answer, 0 none within wait_ms, -errno the port is gone.
 */
int smi_receive(struct smi *smi, int wait_ms, uint32_t *ret_tid,
		struct ibs_attr *ret_attr);

#endif
