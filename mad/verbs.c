// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "verbs.h"

#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In libibverbs since rdma-core 62; looked up where the program runs. */
typedef int (*query_port_speed)(struct ibv_context *context, uint32_t port_num,
				uint64_t *port_speed);

#define DEVICES_MAX 32 /* that may have the port */

/* A device that may have the port, open. */
struct candidate {
	struct ibv_context *context;
	unsigned int num; /* its port */
	unsigned int rank;
};

/* The port that is looked for, and the last device that could not be asked. */
struct search {
	const struct verbs_port *port;
	bool counter;			     /* one that answers is wanted */
	struct candidate found[DEVICES_MAX]; /* best first */
	unsigned int n_found;
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
		err = errno ? errno : EIO;
	}
	if (err) {
		not_asked(search, context->device, err);
		return false;
	}
	return be64toh(gid.global.interface_id) == search->port->guid;
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

/* The port that libibumad has, of the node that it has: its GID is another. */
static unsigned int
find_by_node(struct ibv_context *context, const struct verbs_port *port)
{
	struct ibv_port_attr attr;

	if (!port->num || !port->node_guid ||
	    be64toh(ibv_get_device_guid(context->device)) != port->node_guid ||
	    ibv_query_port(context, (uint8_t)port->num, &attr) ||
	    attr.link_layer == IBV_LINK_LAYER_ETHERNET) {
		return 0;
	}
	return port->num;
}

static bool
is_named(struct ibv_device *device, const struct verbs_port *port)
{
	return !*port->device ||
	       strcmp(ibv_get_device_name(device), port->device) == 0;
}

/*
 * By its GID first, then by the GUID of its node alone; of each, the device
 * that has the name which libibumad knows before one that has another.
 */
static bool
rank_device(struct search *search, struct candidate *candidate)
{
	struct ibv_context *context = candidate->context;

	candidate->rank = !is_named(context->device, search->port);
	candidate->num = find_port(context, search);
	if (!candidate->num) {
		candidate->rank += 2;
		candidate->num = find_by_node(context, search->port);
	}
	return candidate->num != 0;
}

static void
insert(struct search *search, const struct candidate *candidate)
{
	unsigned int at = search->n_found++;

	for (; at > 0 && search->found[at - 1].rank > candidate->rank; at--) {
		search->found[at] = search->found[at - 1];
	}
	search->found[at] = *candidate;
}

static void
try_device(struct search *search, struct ibv_device *device)
{
	struct candidate candidate;

	if (device->transport_type != IBV_TRANSPORT_IB ||
	    search->n_found == DEVICES_MAX) {
		return;
	}
	candidate.context = ibv_open_device(device);
	if (!candidate.context) {
		not_asked(search, device, errno);
	} else if (rank_device(search, &candidate)) {
		insert(search, &candidate);
	} else {
		(void)ibv_close_device(candidate.context);
	}
}

static int
read_raw(struct ibv_context *context, uint64_t *ret_raw)
{
	struct ibv_values_ex values = { .comp_mask =
						IBV_VALUES_MASK_RAW_CLOCK };
	int err = ibv_query_rt_values_ex(context, &values);

	if (err) {
		return -err;
	}
	if (!(values.comp_mask & IBV_VALUES_MASK_RAW_CLOCK)) {
		return -ENODATA;
	}
	if (values.raw_clock.tv_sec) {
		return -EPROTO;
	}
	*ret_raw = (uint64_t)values.raw_clock.tv_nsec;
	return 0;
}

/* Nothing better can be found: the others need not be opened. */
static bool
is_best(const struct search *search)
{
	uint64_t raw;

	return search->n_found && search->found[0].rank == 0 &&
	       (!search->counter ||
		read_raw(search->found[0].context, &raw) == 0);
}

/* Those with the name that libibumad knows first: opening may take seconds. */
static void
try_devices(struct search *search, struct ibv_device **devices, int n)
{
	for (int named = 1; named >= 0; named--) {
		for (int i = 0; i < n && !is_best(search); i++) {
			if (is_named(devices[i], search->port) == named) {
				try_device(search, devices[i]);
			}
		}
	}
}

static int
tell_not_found(const struct search *search, int n_devices, char *error,
	       size_t size)
{
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
	return -ENODEV;
}

/* errors  -ENOSYS, -ENODEV, with a line of words */
static int
find_devices(struct search *search, char *error, size_t size)
{
	int n = 0;
	struct ibv_device **devices = ibv_get_device_list(&n);

	if (!devices) {
		int err = errno ? errno : ENOSYS;

		(void)snprintf(error, size, "libibverbs has no device: %s",
			       strerror(err));
		return -err;
	}
	try_devices(search, devices, n);
	ibv_free_device_list(devices);
	return search->n_found ? 0 : tell_not_found(search, n, error, size);
}

/* Closes all that were found, but for one. */
static void
keep_only(const struct search *search, unsigned int kept)
{
	for (unsigned int i = 0; i < search->n_found; i++) {
		if (i != kept) {
			(void)ibv_close_device(search->found[i].context);
		}
	}
}

/* --- one port ------------------------------------------------------------ */

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

static void
ask_port(struct ibv_context *context, const struct ibs_map *map,
	 struct ibs_verbs *verbs)
{
	struct ibv_port_attr attr;
	struct ibs_port decoded;
	int err = ibv_query_port(context, (uint8_t)verbs->num, &attr);

	if (err) {
		(void)snprintf(verbs->error, sizeof(verbs->error),
			       "ibv_query_port: %s", strerror(err));
		return;
	}
	ibs_map_port_decode(map, verbs->port, &decoded);
	compare(&attr, &decoded, verbs);
	ask_speed(context, &decoded, verbs);
}

void
verbs_query(const struct ibs_map *map, uint32_t port,
	    struct ibs_verbs *ret_verbs)
{
	struct ibs_verbs verbs = { .port = port, .speed_100mbps = -1 };
	const struct verbs_port where = { .device = "",
					  .guid = map->ports[port].guid };
	struct search search = { .port = &where };

	if (find_devices(&search, verbs.error, sizeof(verbs.error)) == 0 &&
	    search.n_found) {
		const struct candidate *best = &search.found[0];

		verbs.num = best->num;
		(void)snprintf(verbs.device, sizeof(verbs.device), "%s",
			       ibv_get_device_name(best->context->device));
		ask_port(best->context, map, &verbs);
		keep_only(&search, DEVICES_MAX);
	}
	*ret_verbs = verbs;
}

/* --- the counter --------------------------------------------------------- */

struct verbs_counter {
	struct ibv_context *context;
	unsigned int num;
};

/* A counter may pass 0, but not twice. */
int
verbs_counter_read(struct verbs_counter *counter, uint64_t *ret_raw)
{
	uint64_t raw = 0;
	int err = read_raw(counter->context, &raw);

	if (!err && raw == 0) {
		err = read_raw(counter->context, &raw);
	}
	if (!err && raw == 0) {
		err = -ERANGE;
	}
	if (!err) {
		*ret_raw = raw;
	}
	return err;
}

bool
verbs_counter_gone(struct verbs_counter *counter)
{
	struct ibv_port_attr attr;

	return ibv_query_port(counter->context, (uint8_t)counter->num, &attr) ==
	       EIO;
}

/* What the device says of its counter; a legacy provider says nothing. */
static void
describe(const struct candidate *candidate, const struct verbs_port *port,
	 struct ibs_clock *clock)
{
	struct ibv_context *context = candidate->context;
	struct ibv_device_attr_ex attr;

	(void)snprintf(clock->device, sizeof(clock->device), "%s",
		       ibv_get_device_name(context->device));
	clock->port_num = (uint8_t)candidate->num;
	clock->port_guid = port->guid;
	clock->node_guid = be64toh(ibv_get_device_guid(context->device));
	clock->khz = clock->mask = 0;
	if (ibv_query_device_ex(context, NULL, &attr) == 0) {
		clock->khz = attr.hca_core_clock;
		clock->mask = attr.completion_timestamp_mask;
	}
}

/* The first whose counter answers; n_found: none, and why the best does not. */
static unsigned int
choose(const struct search *search, int *ret_err)
{
	for (unsigned int i = 0; i < search->n_found; i++) {
		struct verbs_counter counter = {
			.context = search->found[i].context
		};
		uint64_t raw;
		int err = verbs_counter_read(&counter, &raw);

		if (!err) {
			return i;
		}
		if (i == 0) {
			*ret_err = err;
		}
	}
	return search->n_found;
}

static int
open_counter(const struct search *search, struct ibs_clock *clock,
	     struct verbs_counter **ret_counter)
{
	int err = -ENODEV;
	unsigned int chosen = choose(search, &err);
	struct verbs_counter *counter;

	if (search->n_found == 0) {
		return err;
	}
	if (chosen == search->n_found) {
		describe(&search->found[0], search->port, clock);
		return err;
	}
	counter = malloc(sizeof(*counter));
	if (!counter) {
		return -ENOMEM;
	}
	*counter = (struct verbs_counter){ search->found[chosen].context,
					   search->found[chosen].num };
	describe(&search->found[chosen], search->port, clock);
	keep_only(search, chosen);
	*ret_counter = counter;
	return 0;
}

int
verbs_counter_open(const struct verbs_port *port, struct ibs_clock *ret_clock,
		   struct verbs_counter **ret_counter)
{
	struct search search = { .port = port, .counter = true };
	int err;

	*ret_clock->device = '\0';
	ret_clock->port_guid = port->guid;
	if (!port->guid) {
		(void)snprintf(ret_clock->reason, sizeof(ret_clock->reason),
			       "the port has no GUID");
		return -ENODEV;
	}
	err = find_devices(&search, ret_clock->reason,
			   sizeof(ret_clock->reason));
	if (err) {
		return err;
	}
	err = open_counter(&search, ret_clock, ret_counter);
	if (err) {
		keep_only(&search, DEVICES_MAX);
	}
	return err;
}

void
verbs_counter_close(struct verbs_counter *counter)
{
	if (counter) {
		(void)ibv_close_device(counter->context);
		free(counter);
	}
}
