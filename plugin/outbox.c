// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "outbox.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

void
outbox_clear(struct outbox *outbox)
{
	free(outbox->topology);
	free(outbox->next_topology);
	*outbox = (struct outbox){ 0 };
}

void
outbox_role(struct outbox *outbox, uint8_t sm_state)
{
	outbox->next_role = sm_state;
	outbox->has_next_role = true;
}

void
outbox_give_topology(struct outbox *outbox, uint8_t *frame, size_t size)
{
	outbox_drop_topology(outbox);
	outbox->next_topology = frame;
	outbox->next_size = size;
}

bool
outbox_drop_topology(struct outbox *outbox)
{
	bool waited = outbox->next_topology != NULL;

	free(outbox->next_topology);
	outbox->next_topology = NULL;
	return waited;
}

bool
outbox_pending(const struct outbox *outbox)
{
	return outbox->left || outbox->has_next_role || outbox->next_topology;
}

static void
next_frame(struct outbox *outbox)
{
	free(outbox->topology);
	outbox->topology = NULL;
	if (outbox->has_next_role) {
		struct ibs_feed_out out = { .data = outbox->role,
					    .capacity = sizeof(outbox->role) };

		(void)ibs_feed_role(&out, outbox->next_role);
		outbox->at = outbox->role;
		outbox->left = out.size;
		outbox->has_next_role = false;
	} else if (outbox->next_topology) {
		outbox->topology = outbox->next_topology;
		outbox->at = outbox->topology;
		outbox->left = outbox->next_size;
		outbox->next_topology = NULL;
	}
}

int
outbox_send(struct outbox *outbox, int fd)
{
	while (outbox_pending(outbox)) {
		ssize_t sent;

		if (!outbox->left) {
			next_frame(outbox);
		}
		sent = send(fd, outbox->at, outbox->left,
			    MSG_DONTWAIT | MSG_NOSIGNAL);
		if (sent < 0) {
			return errno == EAGAIN || errno == EINTR ? 0 : -errno;
		}
		outbox->at += sent;
		outbox->left -= (size_t)sent;
	}
	free(outbox->topology);
	outbox->topology = NULL;
	return 0;
}
