// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "smi.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "smi_answer.h"
#include "smi_private.h"

#define PERMISSIVE_LID 0xffff
#define SMI_VERSION    1
#define SA_RMPP	       1
#define WHERE_SIZE     (UMAD_CA_NAME_LEN + 24)
#define CHOICES_MAX    8

/* Codes of PortInfo, which sysfs has too. */
#define STATE_ACTIVE  4
#define PHYS_DISABLED 3
#define PHYS_LINK_UP  5

struct local_port {
	char ca[UMAD_CA_NAME_LEN];
	int num;
};

static void
take_port(const umad_port_t *port, struct local_port *ret_port)
{
	memcpy(ret_port->ca, port->ca_name, sizeof(ret_port->ca));
	ret_port->num = port->portnum;
}

static bool
is_infiniband(const umad_port_t *port)
{
	return strcmp(port->link_layer, "InfiniBand") == 0 ||
	       strcmp(port->link_layer, "IB") == 0;
}

/* Appends the ports of the CA that have the GUID. */
static unsigned int
add_ports(const char *ca_name, uint64_t guid, struct local_port *ports,
	  unsigned int n)
{
	umad_ca_t ca;

	if (umad_get_ca(ca_name, &ca)) {
		return n;
	}
	for (int i = 0; i < UMAD_CA_MAX_PORTS && n < CHOICES_MAX; i++) {
		if (ca.ports[i] && be64toh(ca.ports[i]->port_guid) == guid) {
			take_port(ca.ports[i], &ports[n++]);
		}
	}
	(void)umad_release_ca(&ca);
	return n;
}

/* How libibumad ranks the ports of a CA; 0 for one that cannot do. */
static int
merit(const umad_port_t *port)
{
	if (!is_infiniband(port) || port->phys_state == PHYS_DISABLED) {
		return 0;
	}
	if (port->state == STATE_ACTIVE) {
		return 3;
	}
	return port->phys_state == PHYS_LINK_UP ? 2 : 1;
}

/* Takes the best port of the CA when it is better than what was found. */
static int
better_port(const char *ca_name, int best, struct local_port *ret_port)
{
	umad_ca_t ca;

	if (umad_get_ca(ca_name, &ca)) {
		return best;
	}
	for (int i = 0; i < UMAD_CA_MAX_PORTS; i++) {
		if (ca.ports[i] && merit(ca.ports[i]) > best) {
			best = merit(ca.ports[i]);
			take_port(ca.ports[i], ret_port);
		}
	}
	(void)umad_release_ca(&ca);
	return best;
}

/* The best InfiniBand port of the CA, or of all.  returns how many: 0 or 1 */
static unsigned int
best_port(const char *ca, struct local_port *ret_port)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	int n = umad_get_cas_names(names, UMAD_MAX_DEVICES);
	int best = 0;

	for (int i = 0; i < n; i++) {
		if (!*ca || strcmp(ca, names[i]) == 0) {
			best = better_port(names[i], best, ret_port);
		}
	}
	return best > 0;
}

/*
 * What libibumad picks, which is an Ethernet port at times when no InfiniBand
 * port is Active; that one is passed over.
 */
static unsigned int
pick_port(const char *ca, int num, struct local_port *ret_port)
{
	umad_port_t port;
	bool usable;

	(void)snprintf(ret_port->ca, sizeof(ret_port->ca), "%s", ca);
	ret_port->num = num;
	if (umad_get_port(*ca ? ca : NULL, num, &port)) {
		return 1; /* opening it tells why */
	}
	take_port(&port, ret_port);
	usable = is_infiniband(&port);
	(void)umad_release_port(&port);
	if (usable) {
		return 1;
	}
	message("%s, port %d is Ethernet and was skipped", ret_port->ca,
		ret_port->num);
	return num ? 0 : best_port(ca, ret_port);
}

static bool
by_guid(const struct smi_options *options)
{
	return options->port_guid && !*options->ca && !options->port;
}

/*
 * Which local ports may do: the one that was named, those with the GUID, or
 * whatever libibumad picks.  A GUID may be at two devices, of which but one
 * takes SMPs.
 */
static unsigned int
list_choices(const struct smi_options *options, struct local_port *ret_ports)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	unsigned int n = 0;
	int n_names;

	if (!by_guid(options)) {
		return pick_port(options->ca, (int)options->port, ret_ports);
	}
	n_names = umad_get_cas_names(names, UMAD_MAX_DEVICES);
	for (int i = 0; i < n_names; i++) {
		n = add_ports(names[i], options->port_guid, ret_ports, n);
	}
	return n;
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
		(void)snprintf(ret_text, WHERE_SIZE, "%.*s, port %d",
			       UMAD_CA_NAME_LEN, ca, port->num);
	} else {
		(void)snprintf(ret_text, WHERE_SIZE, "%.*s, any port",
			       UMAD_CA_NAME_LEN, ca);
	}
}

static void
close_port(struct smi *smi)
{
	if (smi->agent_id >= 0) {
		(void)umad_unregister(smi->port_id, smi->agent_id);
	}
	if (smi->port_id >= 0) {
		(void)umad_close_port(smi->port_id);
	}
	smi->port_id = smi->agent_id = -1;
}

static int
register_class(const struct smi *smi)
{
	if (smi->sa) {
		return umad_register(smi->port_id, UMAD_CLASS_SUBN_ADM,
				     SA_VERSION, SA_RMPP, NULL);
	}
	return umad_register(smi->port_id, UMAD_CLASS_SUBN_DIRECTED_ROUTE,
			     SMI_VERSION, 0, NULL);
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
	smi->agent_id = register_class(smi);
	if (smi->agent_id < 0) {
		(void)snprintf(error, error_size,
			       "cannot register for %s (%s): %s",
			       smi->sa ? "questions to the SA" : "SMPs", where,
			       strerror(-smi->agent_id));
		return -EPROTONOSUPPORT;
	}
	return 0;
}

/* What libibumad knows of the port that was opened. */
static void
find_port(struct smi *smi, const struct local_port *opened)
{
	umad_port_t port;
	umad_ca_t ca;

	smi->port.device = smi->ca;
	if (umad_get_port(*opened->ca ? opened->ca : NULL, opened->num,
			  &port)) {
		return;
	}
	memcpy(smi->ca, port.ca_name, sizeof(smi->ca));
	smi->port.num = (unsigned int)port.portnum;
	smi->port.guid = be64toh(port.port_guid);
	(void)umad_release_port(&port);
	if (umad_get_ca(smi->ca, &ca) == 0) {
		smi->port.node_guid = be64toh(ca.node_guid);
		(void)umad_release_ca(&ca);
	}
}

/* The first of the choices that takes SMPs; error is that of the last. */
static int
open_choice(struct smi *smi, const struct smi_options *options, char *error,
	    size_t error_size)
{
	struct local_port ports[CHOICES_MAX];
	unsigned int n = list_choices(options, ports);
	int err = -ENODEV;

	if (n == 0 && by_guid(options)) {
		(void)snprintf(error, error_size,
			       "no local port has the GUID 0x%016jx of the SM",
			       (uintmax_t)options->port_guid);
	} else if (n == 0) {
		(void)snprintf(error, error_size, "no InfiniBand port%s%s",
			       *options->ca ? " at " : "", options->ca);
	}
	for (unsigned int i = 0; i < n && err; i++) {
		close_port(smi);
		err = register_agent(smi, &ports[i], error, error_size);
		if (!err) {
			find_port(smi, &ports[i]);
		}
	}
	return err;
}

static int
open_buffers(struct smi *smi, char *error, size_t error_size)
{
	smi->out = umad_alloc(1, umad_size() + SMI_MAD_SIZE);
	smi->in = umad_alloc(1, umad_size() + SMI_MAD_SIZE);
	if (smi->out && smi->in) {
		return 0;
	}
	(void)snprintf(error, error_size, "no memory");
	return -ENOMEM;
}

int
smi_open(const struct smi_options *options, struct smi **ret_smi, char *error,
	 size_t error_size)
{
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
	smi = calloc(1, sizeof(*smi));
	if (!smi) {
		(void)snprintf(error, error_size, "no memory");
		return -ENOMEM;
	}
	smi->port_id = smi->agent_id = -1;
	smi->timeout_ms = options->timeout_ms;
	smi->clock = options->clock;
	smi->sa = options->sa;
	err = open_choice(smi, options, error, error_size);
	if (!err) {
		/* Not before: opening a port settles umad_size(). */
		err = open_buffers(smi, error, error_size);
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
	close_port(smi);
	umad_free(smi->out);
	umad_free(smi->in);
	free(smi);
}

const struct verbs_port *
smi_port(const struct smi *smi)
{
	return &smi->port;
}

void
smi_set_m_key(struct smi *smi, uint64_t m_key)
{
	smi->m_key = m_key;
}

int
smi_put(struct smi *smi, struct ibs_tick *ret_tick)
{
	int err;

	if (ret_tick && smi->clock) {
		clock_tx(smi->clock, ret_tick);
	}
	/* Retries are ours: the kernel's would hide when a reading was made. */
	errno = 0;
	err = umad_send(smi->port_id, smi->agent_id, smi->out, SMI_MAD_SIZE,
			(int)smi->timeout_ms, 0);
	if (err >= 0) {
		return 0;
	}
	return errno ? -errno : err; /* libibumad says EIO for all of them */
}

int
smi_send(struct smi *smi, const struct ibs_smp *smp)
{
	struct umad_smp *mad = umad_get_mad(smi->out);
	struct smi_sent *sent = &smi->sent[smp->tid % IBS_SMPS_MAX];

	memset(smi->out, 0, umad_size());
	*mad = (struct umad_smp){
		.base_version = UMAD_BASE_VERSION,
		.mgmt_class = UMAD_CLASS_SUBN_DIRECTED_ROUTE,
		.class_version = SMI_VERSION,
		.method = UMAD_METHOD_GET,
		.hop_cnt = smp->n_hops,
		.tid = htobe64(smp->tid),
		.attr_id = htobe16(smp->attr),
		.attr_mod = htobe32(smp->modifier),
		.mkey = htobe64(smi->m_key),
		.dr_slid = htobe16(PERMISSIVE_LID),
		.dr_dlid = htobe16(PERMISSIVE_LID),
	};
	memcpy(mad->initial_path, smp->path, (size_t)smp->n_hops + 1);
	(void)umad_set_addr(smi->out, PERMISSIVE_LID, 0, 0, 0);
	sent->tid = smp->tid;
	return smi_put(smi, &sent->tick);
}

int
smi_take(struct smi *smi, int wait_ms, int *ret_length,
	 struct ibs_tick *ret_tick)
{
	int length = SMI_MAD_SIZE;
	int got;

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
	if (ret_tick && smi->clock) {
		clock_rx(smi->clock, ret_tick);
	}
	*ret_length = length;
	return got == smi->agent_id;
}

/* Both sides, when it is known which Get was answered. */
static void
stamp(const struct smi *smi, uint32_t tid, const struct ibs_tick *rx,
      struct ibs_attr *attr)
{
	const struct smi_sent *sent = &smi->sent[tid % IBS_SMPS_MAX];

	if (sent->tid == tid) {
		attr->stamp = (struct ibs_stamp){ sent->tick, *rx };
	}
}

int
smi_receive(struct smi *smi, int wait_ms, uint32_t *ret_tid,
	    struct ibs_attr *ret_attr)
{
	struct ibs_tick rx = { 0 };
	int length;
	int got = smi_take(smi, wait_ms, &length, &rx);

	if (got <= 0) {
		return got;
	}
	if (!smi_parse_answer(umad_get_mad(smi->in), length,
			      umad_status(smi->in), ret_tid, ret_attr)) {
		return 0;
	}
	stamp(smi, *ret_tid, &rx, ret_attr);
	return 1;
}
