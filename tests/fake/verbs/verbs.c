// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The calls of libibverbs that the double has, as programmed. */
#include <config.h>

#include "program.h"

#include <endian.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* What a list points to; a context keeps it when the list is freed. */
struct listed {
	struct ibv_device device; /* first, so that one is the other */
	uint64_t guid;
	unsigned int n_users;
};

struct opened {
	struct verbs_context verbs; /* first as well */
	struct listed *listed;
	uint64_t opened_ns;
	bool dead;
};

/* All calls of a process go one by one. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct listed *
listed_of(struct ibv_device *device)
{
	return (struct listed *)(void *)device;
}

static struct opened *
opened_of(struct ibv_context *context)
{
	return (struct opened *)(void *)((char *)context -
					 offsetof(struct verbs_context,
						  context));
}

static void *
need(void *memory)
{
	if (!memory) {
		abort();
	}
	return memory;
}

static void
release(struct listed *listed)
{
	if (--listed->n_users == 0) {
		free(listed);
	}
}

/* --- devices that are there now ------------------------------------------ */

static bool
is_there(const struct program *program, const struct device *device)
{
	uint64_t now_ns = clock_now_ns(program);

	return now_ns < device->dies_ns || now_ns >= device->back_ns;
}

static struct ibv_device *
list_device(const struct device *device)
{
	struct listed *listed = need(calloc(1, sizeof(*listed)));
	struct ibv_device *ret = &listed->device;

	listed->guid = device->guid;
	listed->n_users = 1;
	ret->node_type = IBV_NODE_CA;
	ret->transport_type = IBV_TRANSPORT_IB;
	(void)snprintf(ret->name, sizeof(ret->name), "%s", device->name);
	return ret;
}

static struct ibv_device **
list_devices(struct program *program, int *ret_n)
{
	int err = program ? fault_next(&program->list) : ENOSYS, n = 0;
	struct ibv_device **list;

	if (err) {
		errno = err;
		return NULL;
	}
	list = need(calloc(DEVICES_MAX + 1, sizeof(struct ibv_device *)));
	for (unsigned int i = 0; i < program->n_devices; i++) {
		if (is_there(program, &program->devices[i])) {
			list[n++] = list_device(&program->devices[i]);
		}
	}
	*ret_n = n;
	return list;
}

EXPORT struct ibv_device **
ibv_get_device_list(int *num_devices)
{
	struct ibv_device **list;
	int n = 0;

	pthread_mutex_lock(&lock);
	list = list_devices(program_now(), &n);
	pthread_mutex_unlock(&lock);
	if (num_devices) {
		*num_devices = n;
	}
	return list;
}

EXPORT void
ibv_free_device_list(struct ibv_device **list)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; list[i]; i++) {
		release(listed_of(list[i]));
	}
	pthread_mutex_unlock(&lock);
	free(list);
}

EXPORT const char *
ibv_get_device_name(struct ibv_device *device)
{
	return device->name;
}

EXPORT __be64
ibv_get_device_guid(struct ibv_device *device)
{
	return htobe64(listed_of(device)->guid);
}

/* --- a context ----------------------------------------------------------- */

/*
 * Begins a call on a context.  The device of the program; NULL: it has died
 * since it was opened, which is for ever.
 */
static struct device *
device_of(struct opened *opened)
{
	struct program *program = program_now();
	struct device *device =
		program_find(program, opened->listed->device.name);

	if (!device || (opened->opened_ns < device->dies_ns &&
			clock_now_ns(program) >= device->dies_ns)) {
		opened->dead = true;
	}
	return opened->dead ? NULL : device;
}

/* The same for a call that can fail; its port, if it has one. */
static int
begin(struct ibv_context *context, enum call which, uint32_t num,
      struct device **ret_device)
{
	struct device *device = device_of(opened_of(context));
	int err;

	if (!device) {
		return EIO;
	}
	err = fault_next(&device->faults[which]);
	if (!err && num > device->n_ports) {
		err = EINVAL;
	}
	*ret_device = device;
	return err;
}

static void
fill_device(const struct device *device, struct ibv_device_attr *attr)
{
	*attr = (struct ibv_device_attr){
		.node_guid = htobe64(device->guid),
		.sys_image_guid = htobe64(device->guid),
		.phys_port_cnt = (uint8_t)device->n_ports,
	};
}

EXPORT int
ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	struct device *device;
	int err;

	pthread_mutex_lock(&lock);
	err = begin(context, CALL_query_device, 0, &device);
	if (!err) {
		fill_device(device, attr);
	}
	pthread_mutex_unlock(&lock);
	return err;
}

static int
op_query_device_ex(struct ibv_context *context,
		   const struct ibv_query_device_ex_input *input,
		   struct ibv_device_attr_ex *attr, size_t size)
{
	struct ibv_device_attr_ex all = { 0 };
	struct device *device;
	int err;

	(void)input;
	pthread_mutex_lock(&lock);
	err = begin(context, CALL_query_device_ex, 0, &device);
	if (!err) {
		fill_device(device, &all.orig_attr);
		all.completion_timestamp_mask = device->mask;
		all.hca_core_clock = device->khz;
		all.phys_port_cnt_ex = device->n_ports;
		memset(attr, 0, size);
		memcpy(attr, &all, size < sizeof(all) ? size : sizeof(all));
	}
	pthread_mutex_unlock(&lock);
	return err;
}

static int
query_port(struct ibv_context *context, uint8_t num, struct ibv_port_attr *attr,
	   size_t size)
{
	struct device *device;
	int err;

	pthread_mutex_lock(&lock);
	err = num ? begin(context, CALL_query_port, num, &device) : EINVAL;
	if (!err) {
		memcpy(attr, &device->ports[num - 1].attr,
		       size < sizeof(*attr) ? size : sizeof(*attr));
	}
	pthread_mutex_unlock(&lock);
	return err;
}

static int
op_query_port(struct ibv_context *context, uint8_t num,
	      struct ibv_port_attr *attr, size_t size)
{
	memset(attr, 0, size);
	return query_port(context, num, attr, size);
}

/* The symbol, which knows nothing of the last member. */
EXPORT int(ibv_query_port)(struct ibv_context *context, uint8_t num,
			   struct _compat_ibv_port_attr *attr)
{
	return query_port(context, num, (struct ibv_port_attr *)(void *)attr,
			  offsetof(struct ibv_port_attr, port_cap_flags2));
}

EXPORT int
ibv_query_gid(struct ibv_context *context, uint8_t num, int index,
	      union ibv_gid *gid)
{
	struct device *device;
	int err;

	pthread_mutex_lock(&lock);
	err = num && index == 0 ? begin(context, CALL_query_gid, num, &device)
				: EINVAL;
	if (!err) {
		const struct port *port = &device->ports[num - 1];

		gid->global.subnet_prefix = htobe64(port->prefix);
		gid->global.interface_id = htobe64(port->guid);
	}
	pthread_mutex_unlock(&lock);
	if (err) {
		errno = err;
	}
	return err ? -1 : 0;
}

#ifndef FAKE_NO_PORT_SPEED
/* In no header before rdma-core 62. */
int ibv_query_port_speed(struct ibv_context *context, uint32_t port_num,
			 uint64_t *port_speed);

EXPORT int
ibv_query_port_speed(struct ibv_context *context, uint32_t port_num,
		     uint64_t *port_speed)
{
	struct device *device;
	int err;

	pthread_mutex_lock(&lock);
	err = port_num
		      ? begin(context, CALL_query_port_speed, port_num, &device)
		      : EINVAL;
	if (!err && !device->ports[port_num - 1].speed_100mbps) {
		err = EOPNOTSUPP;
	}
	if (!err) {
		*port_speed = device->ports[port_num - 1].speed_100mbps;
	}
	pthread_mutex_unlock(&lock);
	return err;
}
#endif

/* --- the raw clock ------------------------------------------------------- */

/* The page of a device that has died reads as zeros. */
static int
read_values(struct opened *opened, struct ibv_values_ex *values)
{
	struct device *device = device_of(opened);
	struct program *program = program_now();
	uint32_t comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
	struct timespec raw = { 0 };
	int err;

	if (device) {
		err = fault_next(&device->faults[CALL_rt_values]);
		if (err) {
			values->comp_mask = 0;
			return err;
		}
		raw.tv_nsec = (long)clock_read(program, device);
		raw.tv_sec = (time_t)device->tv_sec;
		comp_mask = (uint32_t)device->comp_mask;
	} else if (program) {
		clock_log(program, opened->listed->device.name,
			  clock_now_ns(program), 0);
	}
	values->raw_clock = raw;
	values->comp_mask = comp_mask;
	return 0;
}

static int
op_query_rt_values(struct ibv_context *context, struct ibv_values_ex *values)
{
	int err;

	if (values->comp_mask & ~(uint32_t)IBV_VALUES_MASK_RAW_CLOCK) {
		values->comp_mask = 0;
		return EINVAL;
	}
	pthread_mutex_lock(&lock);
	err = read_values(opened_of(context), values);
	pthread_mutex_unlock(&lock);
	return err;
}

/* --- open and close ------------------------------------------------------ */

static struct ibv_context *
open_device(struct listed *listed, const struct program *program,
	    const struct device *device)
{
	struct opened *opened = need(calloc(1, sizeof(*opened)));
	struct verbs_context *verbs = &opened->verbs;

	listed->n_users++;
	opened->listed = listed;
	opened->opened_ns = clock_now_ns(program);
	if (!device->missing[CALL_query_port]) {
		verbs->query_port = op_query_port;
	}
	if (!device->missing[CALL_rt_values]) {
		verbs->query_rt_values = op_query_rt_values;
	}
	if (!device->missing[CALL_query_device_ex]) {
		verbs->query_device_ex = op_query_device_ex;
	}
	verbs->sz = sizeof(*verbs);
	verbs->context.device = &listed->device;
	verbs->context.cmd_fd = -1;
	verbs->context.async_fd = -1;
	verbs->context.num_comp_vectors = 1;
	verbs->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
	return &verbs->context;
}

EXPORT struct ibv_context *
ibv_open_device(struct ibv_device *device)
{
	struct ibv_context *context = NULL;
	struct program *program;
	struct device *there;
	int err = ENODEV;

	pthread_mutex_lock(&lock);
	program = program_now();
	there = program_find(program, device->name);
	if (there && is_there(program, there)) {
		err = fault_next(&there->faults[CALL_open]);
	}
	if (err) {
		errno = err;
	} else {
		context = open_device(listed_of(device), program, there);
	}
	pthread_mutex_unlock(&lock);
	return context;
}

EXPORT int
ibv_close_device(struct ibv_context *context)
{
	struct opened *opened = opened_of(context);

	pthread_mutex_lock(&lock);
	clock_flush();
	release(opened->listed);
	pthread_mutex_unlock(&lock);
	free(opened);
	return 0;
}
