// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The recorder's half of the feed: bytes to a map.  The bytes come from another
 * process, so nothing in them is believed: a count is compared with the bytes
 * that are there before anything is allocated for it.
 */
#include <config.h>

#include "ibspeed/feed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "feed_wire.h"
#include "ibspeed/port.h"

/* What is left of the payload.  Once a read fails, all that follow do. */
struct cursor {
	const uint8_t *at;
	size_t left;
	bool failed;
};

/* NULL when there are not so many bytes. */
static const uint8_t *
get_bytes(struct cursor *in, size_t size)
{
	const uint8_t *bytes = in->at;

	if (in->failed || size > in->left) {
		in->failed = true;
		return NULL;
	}
	in->at += size;
	in->left -= size;
	return bytes;
}

/* 0 when there are not so many bytes: ask failed before it is used. */
static uint64_t
get_number(struct cursor *in, size_t size)
{
	const uint8_t *bytes = get_bytes(in, size);
	uint64_t value = 0;

	for (size_t i = 0; bytes && i < size; i++) {
		value = value << 8 | bytes[i];
	}
	return value;
}

int
ibs_feed_read_header(const uint8_t *data, struct ibs_feed_header *ret_header,
		     uint16_t *ret_version)
{
	struct cursor in = { .at = data, .left = IBS_FEED_HEADER_SIZE };
	struct ibs_feed_header header;
	uint16_t version;

	if (get_number(&in, 4) != FEED_MAGIC) {
		return -EPROTO;
	}
	version = (uint16_t)get_number(&in, 2);
	if (version != IBS_FEED_VERSION) {
		*ret_version = version;
		return -EPROTONOSUPPORT;
	}
	header.type = (uint16_t)get_number(&in, 2);
	header.payload_size = (uint32_t)get_number(&in, 4);
	if (header.payload_size > IBS_FEED_PAYLOAD_MAX) {
		return -EMSGSIZE;
	}
	*ret_header = header;
	*ret_version = version;
	return 0;
}

int
ibs_feed_read_role(const uint8_t *payload, size_t size, uint8_t *ret_sm_state)
{
	if (size != FEED_ROLE_PAYLOAD_SIZE) {
		return -EPROTO;
	}
	*ret_sm_state = payload[0];
	return 0;
}

/* The other end of a port, as the payload names it. */
struct peer {
	uint64_t guid;
	uint8_t num;
	bool known;
};

/* Where the ports of a node are; in the order of the payload, later sorted. */
struct place {
	uint64_t guid;
	uint32_t first_port;
	uint16_t n_ports;
};

struct reader {
	struct cursor in;
	enum ibs_source source;
	struct ibs_map *map;
	uint32_t n_nodes; /* as announced */
	uint32_t n_ports;
	struct place *places;
	struct peer *peers;
};

/* The node whose ports are being read. */
struct owner {
	const struct ibs_node *node;
	uint32_t index;
	const uint8_t *port0_pi; /* the SM's; NULL: none, or not a switch */
};

static void
read_subnet(struct reader *r, struct ibs_feed_subnet *subnet)
{
	struct ibs_subnet *s = &subnet->subnet;
	const uint8_t *opensm;

	s->sm_port_guid = get_number(&r->in, 8);
	s->prefix = get_number(&r->in, 8);
	subnet->m_key = get_number(&r->in, 8);
	r->n_nodes = (uint32_t)get_number(&r->in, 4);
	r->n_ports = (uint32_t)get_number(&r->in, 4);
	subnet->n_dropped = (uint32_t)get_number(&r->in, 4);
	subnet->sm_state = (uint8_t)get_number(&r->in, 1);
	subnet->sm_init_errors =
		get_number(&r->in, 1) & FEED_SUBNET_INIT_ERRORS;
	s->force_link_speed = (uint8_t)get_number(&r->in, 1);
	s->force_link_speed_ext = (uint8_t)get_number(&r->in, 1);
	s->force_link_width = (uint8_t)get_number(&r->in, 1);
	opensm = get_bytes(&r->in, FEED_OPENSM_SIZE);
	if (opensm) {
		memcpy(s->opensm, opensm, FEED_OPENSM_SIZE - 1);
	}
}

static bool
counts_fit(const struct reader *r)
{
	return !r->in.failed && r->n_nodes <= IBS_FEED_NODES_MAX &&
	       r->n_ports <= IBS_FEED_PORTS_MAX &&
	       (uint64_t)r->n_nodes * FEED_NODE_SIZE_MIN +
			       (uint64_t)r->n_ports * FEED_PORT_SIZE_MIN <=
		       r->in.left;
}

static void
node_from_info(const uint8_t *node_info, const uint8_t *switch_info,
	       struct ibs_node *node)
{
	uint8_t ni[IBS_ATTR_SIZE] = { 0 };

	memcpy(ni, node_info, IBS_FEED_NODE_INFO_SIZE);
	node->guid = ibs_ni_get(ni, IBS_NI_NodeGUID);
	node->sys_guid = ibs_ni_get(ni, IBS_NI_SystemImageGUID);
	node->port_guid = ibs_ni_get(ni, IBS_NI_PortGUID);
	node->vendor_id = (uint32_t)ibs_ni_get(ni, IBS_NI_VendorID);
	node->device_id = (uint16_t)ibs_ni_get(ni, IBS_NI_DeviceID);
	node->pkey_cap = (uint16_t)ibs_ni_get(ni, IBS_NI_PartitionCap);
	node->type = (uint8_t)ibs_ni_get(ni, IBS_NI_NodeType);
	node->n_ports = (uint8_t)ibs_ni_get(ni, IBS_NI_NumPorts);
	if (switch_info) {
		uint8_t si[IBS_ATTR_SIZE] = { 0 };

		memcpy(si, switch_info, IBS_FEED_SWITCH_INFO_SIZE);
		node->sw_pkey_cap = (uint16_t)ibs_si_get(
			si, IBS_SI_PartitionEnforcementCap);
	}
}

static int
read_node(struct cursor *in, struct ibs_node *node, uint16_t *n_ports)
{
	uint64_t flags = get_number(in, 1);
	uint64_t n_hops = get_number(in, 1);
	uint64_t ports = get_number(in, 2);
	const uint8_t *node_info = get_bytes(in, IBS_FEED_NODE_INFO_SIZE);
	const uint8_t *desc = get_bytes(in, IBS_DESC_SIZE);
	const uint8_t *switch_info = NULL, *path;

	if (flags & FEED_NODE_HAS_SWITCH_INFO) {
		switch_info = get_bytes(in, IBS_FEED_SWITCH_INFO_SIZE);
	}
	path = get_bytes(in, n_hops);
	if (in->failed || (flags & ~(uint64_t)FEED_NODE_FLAGS) ||
	    n_hops > IBS_HOPS_MAX || ports > FEED_NODE_PORTS_MAX) {
		return -EPROTO;
	}
	*node = (struct ibs_node){ .n_hops = (uint8_t)n_hops };
	node_from_info(node_info, switch_info, node);
	memcpy(node->desc, desc, IBS_DESC_SIZE);
	memcpy(node->path + 1, path, n_hops);
	*n_ports = (uint16_t)ports;
	return 0;
}

static struct ibs_epi
sm_epi(const struct ibs_node *node, const uint8_t *bytes)
{
	uint8_t data[IBS_ATTR_SIZE] = { 0 };

	if (!ibs_epi_device(node->vendor_id, node->device_id)) {
		return (struct ibs_epi){ .read = IBS_EPI_ABSENT };
	}
	if (!bytes) {
		return (struct ibs_epi){ .read = IBS_EPI_NOT_ASKED };
	}
	memcpy(data, bytes, FEED_EPI_SIZE);
	return ibs_epi_from_attr(data);
}

/* OpenSM's own word on an up port, if its bytes say a width and a speed. */
static void
set_sm_view(const struct ibs_port_source *source, struct ibs_map_port *port)
{
	struct ibs_port sm;

	ibs_port_decode(source, &sm);
	if (sm.up && sm.fdr10_known &&
	    ibs_speed_row((enum ibs_speed)sm.speed) &&
	    ibs_width_row((enum ibs_width)sm.width)) {
		port->sm = (struct ibs_pair){ .speed = sm.speed,
					      .width = sm.width };
		port->flags |= IBS_PORT_HAS_SM;
	}
}

/* What the SM's bytes of a port say; pi is not NULL. */
static void
set_from_sm(enum ibs_source source, const struct owner *owner,
	    const uint8_t *pi, const uint8_t *epi, struct ibs_map_port *port)
{
	bool external = owner->node->type == IBS_NODE_SWITCH && port->num != 0;
	struct ibs_port_source view = {
		.pi = pi,
		.cap = external ? owner->port0_pi : NULL,
		.epi = sm_epi(owner->node, epi),
		.asked_ext = true,
	};
	bool gate_known = !external || owner->port0_pi;

	if (gate_known && ibs_port_gate(view.cap ? view.cap : pi)) {
		port->flags |= IBS_PORT_SM_GATE;
	}
	switch (source) {
	case IBS_SOURCE_SMP:
		if (gate_known) {
			set_sm_view(&view, port);
		}
		break;
	case IBS_SOURCE_SM:
		memcpy(port->pi + FEED_M_KEY_SIZE, pi + FEED_M_KEY_SIZE,
		       IBS_ATTR_SIZE - FEED_M_KEY_SIZE);
		port->read = IBS_READ_OK;
		port->flags |= IBS_PORT_ASKED_EXT;
		port->epi = view.epi;
		break;
	case IBS_SOURCE_COUNT:
		break;
	}
}

static int
read_port(struct reader *r, struct owner *owner, struct ibs_map_port *port)
{
	struct peer *peer = &r->peers[r->map->n_ports];
	struct cursor *in = &r->in;
	uint64_t flags = get_number(in, 1);
	const uint8_t *pi = NULL, *epi = NULL;

	*port = (struct ibs_map_port){ .node = owner->index,
				       .peer = IBS_NO_INDEX,
				       .read = IBS_READ_UNASKED };
	port->num = (uint8_t)get_number(in, 1);
	port->guid = get_number(in, 8);
	if (flags & FEED_PORT_HAS_PEER) {
		peer->guid = get_number(in, 8);
		peer->num = (uint8_t)get_number(in, 1);
		peer->known = true;
	}
	if (flags & FEED_PORT_HAS_PI) {
		pi = get_bytes(in, IBS_ATTR_SIZE);
	}
	if (flags & FEED_PORT_HAS_EPI) {
		epi = get_bytes(in, FEED_EPI_SIZE);
	}
	if (in->failed || (flags & ~(uint64_t)FEED_PORT_FLAGS)) {
		return -EPROTO;
	}
	if (port->num == 0 && owner->node->type == IBS_NODE_SWITCH) {
		owner->port0_pi = pi;
	}
	if (pi) {
		set_from_sm(r->source, owner, pi, epi, port);
	}
	return 0;
}

/* Ascending numbers also say that there are no two ports of one number. */
static int
read_ports(struct reader *r, struct owner *owner, uint16_t n_ports)
{
	int last = -1;

	for (uint16_t i = 0; i < n_ports; i++) {
		struct ibs_map_port port;
		uint32_t index;
		int err = read_port(r, owner, &port);

		if (!err && port.num <= last) {
			err = -EPROTO;
		}
		if (!err) {
			last = port.num;
			err = ibs_map_add_port(r->map, &port, &index);
		}
		if (err) {
			return err;
		}
	}
	return 0;
}

static int
read_nodes(struct reader *r)
{
	for (uint32_t i = 0; i < r->n_nodes; i++) {
		struct ibs_node node;
		struct owner owner = { .node = &node };
		uint16_t n_ports;
		int err = read_node(&r->in, &node, &n_ports);

		if (err) {
			return err;
		}
		if (n_ports > r->n_ports - r->map->n_ports) {
			return -EPROTO;
		}
		r->places[i] = (struct place){ .guid = node.guid,
					       .first_port = r->map->n_ports,
					       .n_ports = n_ports };
		err = ibs_map_add_node(r->map, &node, &owner.index);
		if (!err) {
			err = read_ports(r, &owner, n_ports);
		}
		if (err) {
			return err;
		}
	}
	if (r->in.left || r->map->n_ports != r->n_ports) {
		return -EPROTO;
	}
	return 0;
}

static int
compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return (a->guid > b->guid) - (a->guid < b->guid);
}

static uint32_t
find_port(const struct reader *r, const struct peer *peer)
{
	struct place key = { .guid = peer->guid };
	const struct place *place = bsearch(&key, r->places, r->n_nodes,
					    sizeof(key), compare_places);

	for (uint32_t i = 0; place && i < place->n_ports; i++) {
		if (r->map->ports[place->first_port + i].num == peer->num) {
			return place->first_port + i;
		}
	}
	return IBS_NO_INDEX;
}

static void
resolve_peers(struct reader *r)
{
	qsort(r->places, r->n_nodes, sizeof(r->places[0]), compare_places);
	for (uint32_t i = 0; i < r->n_ports; i++) {
		if (r->peers[i].known) {
			r->map->ports[i].peer = find_port(r, &r->peers[i]);
		}
	}
}

/* The map is read into r->map, which the caller frees on failure. */
static int
read_topology(struct reader *r, struct ibs_feed_subnet *subnet)
{
	int err;

	read_subnet(r, subnet);
	if (!counts_fit(r)) {
		return -EPROTO;
	}
	r->map = ibs_map_new();
	r->places = calloc((size_t)r->n_nodes + 1, sizeof(r->places[0]));
	r->peers = calloc((size_t)r->n_ports + 1, sizeof(r->peers[0]));
	if (!r->map || !r->places || !r->peers) {
		return -ENOMEM;
	}
	err = read_nodes(r);
	if (err) {
		return err;
	}
	resolve_peers(r);
	r->map->subnet = subnet->subnet;
	r->map->sweep.source = (uint8_t)r->source;
	r->map->sweep.sm_init_errors = subnet->sm_init_errors;
	return 0;
}

int
ibs_feed_read_topology(const uint8_t *payload, size_t size,
		       enum ibs_source source,
		       struct ibs_feed_subnet *ret_subnet,
		       struct ibs_map **ret_map)
{
	struct reader r = {
		.in = { .at = payload, .left = size },
		.source = source,
	};
	struct ibs_feed_subnet subnet = { 0 };
	int err = read_topology(&r, &subnet);

	free(r.peers);
	free(r.places);
	if (err) {
		ibs_map_free(r.map);
		return err;
	}
	*ret_subnet = subnet;
	*ret_map = r.map;
	return 0;
}
