// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "verbs.h"

#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <string.h>

/* In libibverbs since rdma-core 62; looked up where the program runs. */
typedef int (*query_port_speed)(struct ibv_context *context, uint32_t port_num,
				uint64_t *port_speed);

static void
tell_error(struct ibs_verbs *verbs, const char *what, int err)
{
	(void)snprintf(verbs->error, sizeof(verbs->error), "%s: %s", what,
		       strerror(err));
}

/*
 * The port with the GUID has it in its GID 0, whatever the subnet prefix.  On
 * Ethernet a GID is an address of another kind.
 */
static bool
has_guid(struct ibv_context *context, uint8_t num, uint64_t guid)
{
	struct ibv_port_attr attr;
	union ibv_gid gid;

	return ibv_query_port(context, num, &attr) == 0 &&
	       attr.link_layer != IBV_LINK_LAYER_ETHERNET &&
	       ibv_query_gid(context, num, 0, &gid) == 0 &&
	       be64toh(gid.global.interface_id) == guid;
}

static unsigned int
find_port(struct ibv_context *context, uint64_t guid)
{
	struct ibv_device_attr attr;

	if (ibv_query_device(context, &attr)) {
		return 0;
	}
	for (unsigned int num = 1; num <= attr.phys_port_cnt; num++) {
		if (has_guid(context, (uint8_t)num, guid)) {
			return num;
		}
	}
	return 0;
}

static struct ibv_context *
open_port(uint64_t guid, struct ibs_verbs *verbs)
{
	struct ibv_context *context = NULL;
	int n = 0;
	struct ibv_device **devices = ibv_get_device_list(&n);

	if (!devices) {
		tell_error(verbs, "libibverbs has no device", errno);
		return NULL;
	}
	for (int i = 0; i < n && !verbs->num; i++) {
		context = ibv_open_device(devices[i]);
		verbs->num = context ? find_port(context, guid) : 0;
		if (context && !verbs->num) {
			(void)ibv_close_device(context);
		}
		if (verbs->num) {
			(void)snprintf(verbs->device, sizeof(verbs->device),
				       "%s", ibv_get_device_name(devices[i]));
		}
	}
	ibv_free_device_list(devices);
	if (!verbs->num) {
		(void)snprintf(verbs->error, sizeof(verbs->error),
			       "no device of libibverbs has this port");
		return NULL;
	}
	return context;
}

static void
compare(const struct ibv_port_attr *attr, const struct ibs_port *port,
	struct ibs_verbs *verbs)
{
	bool xdr_capped = port->speed == IBS_SPEED_XDR; /* 8 bits are too few */

#define X(name)                                                                \
	if (attr->name != port->name) {                                        \
		verbs->differs |= IBS_BIT(IBS_VERBS_##name);                   \
	}
	IBS_VERBS_MEMBERS(X)
#undef X
	if (xdr_capped) {
		verbs->differs &= (ibs_set)~IBS_BIT(IBS_VERBS_active_speed);
	}
}

static void
ask_speed(struct ibv_context *context, struct ibs_verbs *verbs)
{
	query_port_speed query;
	void *symbol =
		dlvsym(RTLD_DEFAULT, "ibv_query_port_speed", "IBVERBS_1.16");
	uint64_t speed = 0;
	int err;

	if (!symbol) {
		(void)snprintf(verbs->speed_error, sizeof(verbs->speed_error),
			       "not in this libibverbs");
		return;
	}
	memcpy(&query, &symbol, sizeof(query));
	err = query(context, verbs->num, &speed);
	if (err) {
		(void)snprintf(verbs->speed_error, sizeof(verbs->speed_error),
			       "%.60s", strerror(err));
	} else {
		verbs->speed_100mbps = (int64_t)speed;
	}
}

void
verbs_query(const struct ibs_map *map, uint32_t port,
	    struct ibs_verbs *ret_verbs)
{
	struct ibs_verbs verbs = { .port = port, .speed_100mbps = -1 };
	struct ibv_context *context = open_port(map->ports[port].guid, &verbs);
	struct ibv_port_attr attr;
	struct ibs_port decoded;
	int err;

	if (!context) {
		*ret_verbs = verbs;
		return;
	}
	ibs_map_port_decode(map, port, &decoded);
	err = ibv_query_port(context, (uint8_t)verbs.num, &attr);
	if (err) {
		tell_error(&verbs, "ibv_query_port", err);
	} else {
		compare(&attr, &decoded, &verbs);
		ask_speed(context, &verbs);
	}
	(void)ibv_close_device(context);
	*ret_verbs = verbs;
}
