// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "smi.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

#define INITIAL_PATH_OFFS 128 /* bytes, of a directed-route SMP */
#define PERMISSIVE_LID	  0xffff
#define SMI_VERSION	  1
#define MAD_SIZE	  256
#define WHERE_SIZE	  (UMAD_CA_NAME_LEN + 24)

struct smi {
	int port_id; /* of libibumad */
	int agent_id;
	unsigned int timeout_ms;
	uint64_t m_key;
	bool tell_errors;
	void *out; /* umad buffers */
	void *in;
};

struct local_port {
	char ca[UMAD_CA_NAME_LEN];
	int num;
};

static bool
ca_has_port(const char *ca_name, uint64_t guid, struct local_port *ret_port)
{
	umad_ca_t ca;
	bool found = false;

	if (umad_get_ca(ca_name, &ca)) {
		return false;
	}
	for (int i = 0; i < UMAD_CA_MAX_PORTS && !found; i++) {
		if (ca.ports[i] && be64toh(ca.ports[i]->port_guid) == guid) {
			memcpy(ret_port->ca, ca.ca_name, sizeof(ret_port->ca));
			ret_port->num = ca.ports[i]->portnum;
			found = true;
		}
	}
	(void)umad_release_ca(&ca);
	return found;
}

static bool
find_port(uint64_t guid, struct local_port *ret_port)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	int n = umad_get_cas_names(names, UMAD_MAX_DEVICES);

	for (int i = 0; i < n; i++) {
		if (ca_has_port(names[i], guid, ret_port)) {
			return true;
		}
	}
	return false;
}

/* Which local port: by name, by GUID, or as libibumad picks. */
static int
choose_port(const struct smi_options *options, struct local_port *ret_port,
	    char *error, size_t error_size)
{
	struct local_port port = { .num = (int)options->port };

	if (*options->ca || options->port || !options->port_guid) {
		(void)snprintf(port.ca, sizeof(port.ca), "%s", options->ca);
		*ret_port = port;
		return 0;
	}
	if (!find_port(options->port_guid, &port)) {
		(void)snprintf(error, error_size,
			       "no local port has the GUID 0x%016jx of the SM",
			       (uintmax_t)options->port_guid);
		return -ENODEV;
	}
	*ret_port = port;
	return 0;
}

/* libibumad would only warn, in words of its own, and go on. */
static int
check_driver(char *error, size_t error_size)
{
	static const char path[] = IB_UMAD_ABI_DIR "/" IB_UMAD_ABI_FILE;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		(void)snprintf(error, error_size,
			       "no InfiniBand device for MADs: %s: %s (is "
			       "ib_umad loaded?)",
			       path, strerror(errno));
		return -ENODEV;
	}
	(void)close(fd);
	return 0;
}

/* libibumad has one error for a device that it may not open; errno tells. */
static int
open_port(const char *ca, int num)
{
	int port_id;

	errno = 0;
	port_id = umad_open_port(ca, num);
	return port_id == -EIO && errno ? -errno : port_id;
}

/* The port that was asked for, as a message names it. */
static void
say_where(const struct local_port *port, char ret_text[WHERE_SIZE])
{
	const char *ca = *port->ca ? port->ca : "any CA";

	if (port->num) {
		(void)snprintf(ret_text, WHERE_SIZE, "%s, port %d", ca,
			       port->num);
	} else {
		(void)snprintf(ret_text, WHERE_SIZE, "%s, any port", ca);
	}
}

static int
register_agent(struct smi *smi, const struct local_port *port, char *error,
	       size_t error_size)
{
	const char *ca = *port->ca ? port->ca : NULL;
	char where[WHERE_SIZE];

	say_where(port, where);
	smi->port_id = open_port(ca, port->num);
	if (smi->port_id < 0) {
		(void)snprintf(error, error_size,
			       "cannot open an InfiniBand port (%s): %s", where,
			       strerror(-smi->port_id));
		return -ENODEV;
	}
	smi->agent_id = umad_register(smi->port_id, IB_SMI_DIRECT_CLASS,
				      SMI_VERSION, 0, NULL);
	if (smi->agent_id < 0) {
		(void)snprintf(error, error_size,
			       "cannot register for SMPs (%s): %s", where,
			       strerror(-smi->agent_id));
		return -EPROTONOSUPPORT;
	}
	return 0;
}

int
smi_open(const struct smi_options *options, struct smi **ret_smi, char *error,
	 size_t error_size)
{
	struct local_port port;
	struct smi *smi;
	int err;

	err = check_driver(error, error_size);
	if (err) {
		return err;
	}
	if (umad_init() < 0) {
		(void)snprintf(error, error_size, "cannot use libibumad");
		return -ENODEV;
	}
	if (options->debug) {
		(void)umad_debug((int)options->debug);
	}
	err = choose_port(options, &port, error, error_size);
	if (err) {
		return err;
	}
	smi = calloc(1, sizeof(*smi));
	if (!smi) {
		(void)snprintf(error, error_size, "no memory");
		return -ENOMEM;
	}
	smi->port_id = smi->agent_id = -1;
	smi->timeout_ms = options->timeout_ms;
	smi->tell_errors = options->tell_errors;
	err = register_agent(smi, &port, error, error_size);
	if (!err) {
		/* Not before: opening a port settles umad_size(). */
		smi->out = umad_alloc(1, umad_size() + MAD_SIZE);
		smi->in = umad_alloc(1, umad_size() + MAD_SIZE);
		if (!smi->out || !smi->in) {
			(void)snprintf(error, error_size, "no memory");
			err = -ENOMEM;
		}
	}
	if (err) {
		smi_close(smi);
		return err;
	}
	*ret_smi = smi;
	return 0;
}

void
smi_close(struct smi *smi)
{
	if (!smi) {
		return;
	}
	if (smi->agent_id >= 0) {
		(void)umad_unregister(smi->port_id, smi->agent_id);
	}
	if (smi->port_id >= 0) {
		(void)umad_close_port(smi->port_id);
	}
	umad_free(smi->out);
	umad_free(smi->in);
	free(smi);
}

void
smi_set_m_key(struct smi *smi, uint64_t m_key)
{
	smi->m_key = m_key;
}

int
smi_send(struct smi *smi, const struct ibs_smp *smp)
{
	ib_portid_t to = { .drpath = { .cnt = smp->n_hops,
				       .drslid = PERMISSIVE_LID,
				       .drdlid = PERMISSIVE_LID } };
	ib_rpc_t rpc = { .mgtclass = IB_SMI_DIRECT_CLASS,
			 .method = IB_MAD_METHOD_GET,
			 .attr = { .id = smp->attr, .mod = smp->modifier },
			 .timeout = (int)smi->timeout_ms,
			 .datasz = IB_SMP_DATA_SIZE,
			 .dataoffs = IB_SMP_DATA_OFFS,
			 .mkey = smi->m_key,
			 .trid = smp->tid };
	int err;

	memcpy(to.drpath.p, smp->path, (size_t)smp->n_hops + 1);
	memset(smi->out, 0, umad_size() + MAD_SIZE);
	if (mad_build_pkt(smi->out, &rpc, &to, NULL, NULL) < 0) {
		return -EINVAL;
	}
	/* Retries are ours: the kernel's would hide when a reading was made. */
	err = umad_send(smi->port_id, smi->agent_id, smi->out, MAD_SIZE,
			(int)smi->timeout_ms, 0);
	return err < 0 ? err : 0;
}

/* An answer of a Get of ours, as far as one packet alone can tell. */
static bool
is_get_resp(const struct smi *smi, int length)
{
	uint8_t *mad = umad_get_mad(smi->in);

	return length >= MAD_SIZE &&
	       mad_get_field(mad, 0, IB_MAD_MGMTCLASS_F) ==
		       IB_SMI_DIRECT_CLASS &&
	       mad_get_field(mad, 0, IB_MAD_RESPONSE_F) == 1;
}

/* The route stands in the packet, with and without an answer. */
static void
tell_error(uint8_t *mad, const struct ibs_attr *attr)
{
	unsigned int n_hops = mad_get_field(mad, 0, IB_DRSMP_HOPCNT_F);
	char path[4 * (IBS_HOPS_MAX + 1) + 1] = "0";
	int used = 1;

	for (unsigned int i = 1; i <= n_hops && i <= IBS_HOPS_MAX; i++) {
		used += snprintf(path + used, sizeof(path) - (size_t)used,
				 ",%u", mad[INITIAL_PATH_OFFS + i]);
	}
	if (attr->read == IBS_READ_STATUS) {
		message("route %s: attribute 0x%04x modifier 0x%x: status "
			"0x%04x",
			path, attr->id, attr->modifier, attr->status);
	} else {
		message("route %s: attribute 0x%04x modifier 0x%x: no answer",
			path, attr->id, attr->modifier);
	}
}

static void
parse(const struct smi *smi, int status, uint32_t *ret_tid,
      struct ibs_attr *ret_attr)
{
	uint8_t *mad = umad_get_mad(smi->in);
	struct ibs_attr attr = { .read = IBS_READ_OK };

	attr.rx_ns = host_monotonic_raw_ns();
	attr.id = (uint16_t)mad_get_field(mad, 0, IB_MAD_ATTRID_F);
	attr.modifier = mad_get_field(mad, 0, IB_MAD_ATTRMOD_F);
	if (status) {
		attr.read = IBS_READ_TIMEOUT;
	} else {
		attr.status =
			(uint16_t)mad_get_field(mad, 0, IB_DRSMP_STATUS_F);
		attr.read = attr.status ? IBS_READ_STATUS : IBS_READ_OK;
		memcpy(attr.data, mad + IB_SMP_DATA_OFFS, sizeof(attr.data));
	}
	*ret_tid = (uint32_t)mad_get_field64(mad, 0, IB_MAD_TRID_F);
	if (smi->tell_errors && attr.read != IBS_READ_OK) {
		tell_error(mad, &attr);
	}
	*ret_attr = attr;
}

int
smi_receive(struct smi *smi, int wait_ms, uint32_t *ret_tid,
	    struct ibs_attr *ret_attr)
{
	int length = MAD_SIZE;
	int status, got;

	got = umad_poll(smi->port_id, wait_ms);
	if (got == -ETIMEDOUT || got == -EINTR) {
		return 0;
	}
	got = umad_recv(smi->port_id, smi->in, &length, 0);
	if (got == -EWOULDBLOCK || got == -EINTR || got == -ETIMEDOUT) {
		return 0;
	}
	if (got < 0) {
		return got;
	}
	status = umad_status(smi->in);
	if (got != smi->agent_id || (!status && !is_get_resp(smi, length))) {
		return 0;
	}
	parse(smi, status, ret_tid, ret_attr);
	return 1;
}
