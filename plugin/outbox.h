/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * outbox: the frames on their way to the recorder.  The one that is being sent
 * is sent to its end; behind it wait the newest role and the newest topology.
 */
#ifndef IBSPEED_PLUGIN_OUTBOX_H
#define IBSPEED_PLUGIN_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/feed.h"

struct outbox {
	const uint8_t *at; /* what is left of the frame that is being sent */
	size_t left;
	uint8_t role[IBS_FEED_ROLE_SIZE];
	uint8_t *topology; /* the one that is being sent, or NULL */
	uint8_t *next_topology;
	size_t next_size;
	uint8_t next_role; /* SMInfo state, with has_next_role */
	bool has_next_role;
};

/* Nothing waits any more, and nothing is being sent: another reader. */
void outbox_clear(struct outbox *outbox);
void outbox_role(struct outbox *outbox, uint8_t sm_state);
/* Takes the frame. */
void outbox_give_topology(struct outbox *outbox, uint8_t *frame, size_t size);
/* Drops the topology that waits; true when there was one. */
bool outbox_drop_topology(struct outbox *outbox);
bool outbox_pending(const struct outbox *outbox);
/*
 * As much as fd takes now.
 * errors  what send() says, not -EAGAIN
 */
int outbox_send(struct outbox *outbox, int fd);

#endif
