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

/* The port that is looked for, and the last device that could not be asked. */
struct search {
	uint64_t guid;
	char device[IBV_SYSFS_NAME_MAX];
	int err; /* 0: all could be */
};

static void
not_asked(struct search *search, struct ibv_device *device, int err)
{
	(void)snprintf(search->device, sizeof(search->device), "%s",
		       ibv_get_device_name(device));
	search->err = err;
}

/*
 * The port with the GUID has it in its GID 0, whatever the subnet prefix.  On
 * Ethernet a GID is an address of another kind.
 */
static bool
has_guid(struct ibv_context *context, uint8_t num, struct search *search)
{
	struct ibv_port_attr attr;
	union ibv_gid gid;
	int err = ibv_query_port(context, num, &attr);

	if (!err && attr.link_layer == IBV_LINK_LAYER_ETHERNET) {
		return false;
	}
	if (!err && ibv_query_gid(context, num, 0, &gid)) {
		err = errno;
	}
	if (err) {
		not_asked(search, context->device, err);
		return false;
	}
	return be64toh(gid.global.interface_id) == search->guid;
}

static unsigned int
find_port(struct ibv_context *context, struct search *search)
{
	struct ibv_device_attr attr;
	int err = ibv_query_device(context, &attr);

	if (err) {
		not_asked(search, context->device, err);
		return 0;
	}
	for (unsigned int num = 1; num <= attr.phys_port_cnt; num++) {
		if (has_guid(context, (uint8_t)num, search)) {
			return num;
		}
	}
	return 0;
}

/* The device, opened, if it has the port; its number is in verbs then. */
static struct ibv_context *
try_device(struct ibv_device *device, struct search *search,
	   struct ibs_verbs *verbs)
{
	struct ibv_context *context;

	if (device->transport_type != IBV_TRANSPORT_IB) {
		return NULL;
	}
	context = ibv_open_device(device);
	if (!context) {
		not_asked(search, device, errno);
		return NULL;
	}
	verbs->num = find_port(context, search);
	if (!verbs->num) {
		(void)ibv_close_device(context);
		return NULL;
	}
	(void)snprintf(verbs->device, sizeof(verbs->device), "%s",
		       ibv_get_device_name(device));
	return context;
}

static void
tell_not_found(const struct search *search, int n_devices,
	       struct ibs_verbs *verbs)
{
	char *error = verbs->error;
	size_t size = sizeof(verbs->error);

	if (n_devices == 0) {
		(void)snprintf(error, size, "libibverbs has no device");
	} else if (search->err) {
		(void)snprintf(error, size,
			       "no device of libibverbs has this port; "
			       "%.32s: %.50s",
			       search->device, strerror(search->err));
	} else {
		(void)snprintf(error, size,
			       "no device of libibverbs has this port");
	}
}

static struct ibv_context *
open_port(uint64_t guid, struct ibs_verbs *verbs)
{
	struct search search = { .guid = guid };
	struct ibv_context *context = NULL;
	int n = 0;
	struct ibv_device **devices = ibv_get_device_list(&n);

	if (!devices) {
		(void)snprintf(verbs->error, sizeof(verbs->error),
			       "libibverbs has no device: %s", strerror(errno));
		return NULL;
	}
	for (int i = 0; i < n && !context; i++) {
		context = try_device(devices[i], &search, verbs);
	}
	ibv_free_device_list(devices);
	if (!context) {
		tell_not_found(&search, n, verbs);
	}
	return context;
}

/*
 * What active_speed has to be.  A kernel caps it to NDR, since it has 8 bits;
 * where PortInfo cannot tell, it may say what it likes.
 */
static uint16_t
expected_speed(const struct ibv_port_attr *attr, const struct ibs_port *port)
{
	uint16_t fdr10 = ibs_speed_row(IBS_SPEED_FDR10)->ib_speed;
	uint16_t most = ibs_speed_row(IBS_SPEED_NDR)->ib_speed;

	if (port->active_speed == 0 ||
	    (!port->fdr10_known && attr->active_speed == fdr10)) {
		return attr->active_speed;
	}
	return port->active_speed < most ? port->active_speed : most;
}

static void
compare(const struct ibv_port_attr *attr, const struct ibs_port *port,
	struct ibs_verbs *verbs)
{
	struct ibs_port expected = *port;

	expected.active_speed = expected_speed(attr, port);
#define X(name)                                                                \
	if (attr->name != expected.name) {                                     \
		verbs->differs |= IBS_BIT(IBS_VERBS_##name);                   \
	}
	IBS_VERBS_ATTR_MEMBERS(X)
#undef X
	if (!port->up) { /* nothing else means anything then */
		verbs->differs &= IBS_BIT(IBS_VERBS_state) |
				  IBS_BIT(IBS_VERBS_phys_state);
	}
}

static void
ask_speed(struct ibv_context *context, const struct ibs_port *port,
	  struct ibs_verbs *verbs)
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
		return;
	}
	verbs->speed_100mbps = (int64_t)speed;
	if (port->up && port->eff_100mbps >= 0 &&
	    verbs->speed_100mbps != port->eff_100mbps) {
		verbs->differs |= IBS_BIT(IBS_VERBS_port_speed);
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
		(void)snprintf(verbs.error, sizeof(verbs.error),
			       "ibv_query_port: %s", strerror(err));
	} else {
		compare(&attr, &decoded, &verbs);
		ask_speed(context, &decoded, &verbs);
	}
	(void)ibv_close_device(context);
	*ret_verbs = verbs;
}
