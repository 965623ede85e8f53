// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "feed_in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
feed_in_init(struct feed_in *in, int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) {
		return -errno;
	}
	*in = (struct feed_in){ .fd = fd };
	return 0;
}

void
feed_in_free(struct feed_in *in)
{
	free(in->payload);
	in->payload = NULL;
}

/* 1 all of it is there, 0 not yet, -errno */
static int
read_up_to(struct feed_in *in, uint8_t *place, size_t done, size_t wanted)
{
	while (done < wanted) {
		ssize_t n = read(in->fd, place + done, wanted - done);

		if (n == 0) {
			return -EPIPE;
		}
		if (n < 0 && errno != EINTR) {
			return errno == EAGAIN || errno == EWOULDBLOCK ? 0
								       : -errno;
		}
		if (n > 0) {
			done += (size_t)n;
			in->size += (size_t)n;
		}
	}
	return 1;
}

static int
begin_payload(struct feed_in *in, char *error, size_t error_size)
{
	uint16_t version = 0;
	int err = ibs_feed_read_header(in->header, &in->frame, &version);

	if (err == -EPROTONOSUPPORT) {
		(void)snprintf(error, error_size,
			       "the feed has version %u, expected %u: plugin "
			       "and recorder are of different releases",
			       version, IBS_FEED_VERSION);
	} else if (err) {
		(void)snprintf(error, error_size,
			       "standard input is not a feed of the plugin");
	}
	if (err) {
		return err;
	}
	free(in->payload);
	in->payload = malloc((size_t)in->frame.payload_size + 1);
	if (!in->payload) {
		(void)snprintf(error, error_size, "no memory for the feed");
		return -ENOMEM;
	}
	return 0;
}

int
feed_in_next(struct feed_in *in, char *error, size_t error_size)
{
	int got = 1;

	if (in->size < sizeof(in->header)) {
		got = read_up_to(in, in->header, in->size, sizeof(in->header));
		if (got == 1) {
			int err = begin_payload(in, error, error_size);

			if (err) {
				return err;
			}
		}
	}
	if (got == 1) {
		got = read_up_to(in, in->payload, in->size - sizeof(in->header),
				 in->frame.payload_size);
	}
	if (got == 1) {
		in->size = 0;
	} else if (got < 0 && got != -EPIPE) {
		(void)snprintf(error, error_size, "cannot read the feed: %s",
			       strerror(-got));
	}
	return got;
}
