/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* live: the fabric, or one node of it, read now. */
#ifndef IBSPEED_LIVE_H
#define IBSPEED_LIVE_H

#include "cmd.h"
#include "ibspeed/map.h"
#include "ibspeed/sweep.h"
#include "smi.h"

/* All that can be reached from the local port. */
extern const struct ibs_scope live_whole;

/* For what the local port is opened. */
struct live_agent {
	bool sa;		 /* for questions to the SA, not for SMPs */
	unsigned int timeout_ms; /* of a Get; 0: as the settings say */
	struct clock *clock;	 /* for the stamps, borrowed; or NULL */
};
/*
 * The local port as the settings say, with their M_Key.
 * returns CMD_OK, or what to exit with; the message has been given
 */
enum cmd_exit live_open(const struct ibs_settings *settings,
			const struct live_agent *agent, struct smi **ret_smi);

/*
 * Reads it and freezes the map; tells how far it is when that takes long and
 * standard error is a terminal.
 * returns CMD_OK, or what to exit with; the message has been given.
 *         CMD_INCOMPLETE  nobody answers at the route of the scope
 */
enum cmd_exit live_read(const struct ibs_settings *settings,
			const struct ibs_scope *scope,
			struct ibs_map **ret_map);

/* Why the last reading found no device of libibverbs that has the port; NULL:
 * it did, or went through another port. */
const char *live_no_device(uint64_t port_guid);
/* At the end of the process. */
void live_close(void);

/* "0,1,3" to a scope of one node.  errors  -EINVAL */
int live_scope_from_text(const char *text, struct ibs_scope *ret_scope);

/* "0x1234" or decimal, "" is 0.  errors  -EINVAL; the message was given */
int live_m_key_from_text(const char *text, uint64_t *ret_m_key);

#endif
