// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "topology.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/feed.h"
#include "osm.h"

#define COPIES_MAX 3

/* Values of the SM's options that limit nothing. */
#define FORCE_SPEED_ALL	    15
#define FORCE_SPEED_EXT_ALL 31
#define FORCE_WIDTH_ALL	    255

/* OpenSM keeps attributes as they came from the wire. */
_Static_assert(sizeof(ib_port_info_t) == IBS_ATTR_SIZE, "PortInfo");
_Static_assert(sizeof(ib_mlnx_ext_port_info_t) == IBS_ATTR_SIZE,
	       "ExtendedPortInfo");
_Static_assert(sizeof(ib_node_info_t) == IBS_FEED_NODE_INFO_SIZE, "NodeInfo");
_Static_assert(sizeof(ib_switch_info_t) == IBS_FEED_SWITCH_INFO_SIZE,
	       "SwitchInfo");
_Static_assert(sizeof(ib_node_desc_t) == IBS_DESC_SIZE, "NodeDescription");
_Static_assert(IB_SUBNET_PATH_HOPS_MAX == IBS_HOPS_MAX + 1, "DR path");

uint8_t
topology_sm_state(const struct osm_opensm *osm)
{
	return __atomic_load_n(&osm->subn.sm_state, __ATOMIC_RELAXED);
}

bool
topology_is_master(const struct osm_opensm *osm)
{
	return topology_sm_state(osm) == IB_SMINFO_STATE_MASTER;
}

static osm_node_t *
node_of(struct osm_opensm *osm, cl_map_item_t *item)
{
	return item == cl_qmap_end(&osm->subn.node_guid_tbl)
		       ? NULL
		       : (osm_node_t *)item;
}

static osm_node_t *
first_node(struct osm_opensm *osm)
{
	return node_of(osm, cl_qmap_head(&osm->subn.node_guid_tbl));
}

static osm_node_t *
next_node(struct osm_opensm *osm, osm_node_t *node)
{
	return node_of(osm, cl_qmap_next(&node->map_item));
}

/* Bytes that the frame takes at the most. */
static size_t
frame_size(struct osm_opensm *osm)
{
	size_t size = IBS_FEED_SUBNET_SIZE_MAX;

	for (osm_node_t *node = first_node(osm); node;
	     node = next_node(osm, node)) {
		size += IBS_FEED_NODE_SIZE_MAX +
			(size_t)node->physp_tbl_size * IBS_FEED_PORT_SIZE_MAX;
	}
	return size;
}

static uint8_t
unless(uint8_t value, uint8_t no_limit)
{
	return value == no_limit ? 0 : value;
}

static void
put_subnet(struct ibs_feed_out *out, const struct osm_opensm *osm,
	   uint32_t n_dropped)
{
	const osm_subn_opt_t *opt = &osm->subn.opt;
	struct ibs_feed_subnet subnet = {
		.subnet = {
			.sm_port_guid = cl_ntoh64(osm->subn.sm_port_guid),
			.prefix = cl_ntoh64(opt->subnet_prefix),
			.force_link_speed = unless(opt->force_link_speed,
						   FORCE_SPEED_ALL),
			.force_link_speed_ext =
				unless(opt->force_link_speed_ext,
				       FORCE_SPEED_EXT_ALL),
			.force_link_width = unless(opt->force_link_width,
						   FORCE_WIDTH_ALL),
		},
		.m_key = cl_ntoh64(opt->m_key),
		.sm_state = topology_sm_state(osm),
		.sm_init_errors = osm->subn.subnet_initialization_error,
		.n_dropped = n_dropped,
	};

	strncpy(subnet.subnet.opensm, osm->osm_version,
		sizeof(subnet.subnet.opensm) - 1);
	ibs_feed_topology_begin(out, &subnet);
}

/* A PortInfo that the SM never got is all zeros. */
static const uint8_t *
received(const ib_port_info_t *port_info)
{
	static const uint8_t zeros[IBS_ATTR_SIZE];

	return memcmp(port_info, zeros, sizeof(zeros)) ? (const void *)port_info
						       : NULL;
}

/*
 * With its option fdr10 OpenSM asks every device that has the ExtendedPortInfo
 * for it.  No answer and an answer of zeros look alike, and mean the same to
 * it: not FDR10.
 */
static void
put_port(struct ibs_feed_out *out, const osm_physp_t *physp, uint8_t num,
	 bool asks_epi)
{
	const osm_physp_t *peer = physp->p_remote_physp;
	const void *epi = asks_epi ? &physp->ext_port_info : NULL;
	struct ibs_feed_port port = {
		.guid = cl_ntoh64(physp->port_guid),
		.num = num,
		.port_info = received(&physp->port_info),
		.ext_port_info = epi,
	};

	if (peer && peer->p_node) {
		port.has_peer = true;
		port.peer_guid = cl_ntoh64(peer->p_node->node_info.node_guid);
		port.peer_num = peer->port_num;
	}
	ibs_feed_topology_port(out, &port);
}

/*
 * A route that works: of a switch that of port 0, of others that of a port with
 * a link, or with no hops at all: the SM's own.  NULL: no port is known.
 */
static const osm_dr_path_t *
node_route(const osm_node_t *node)
{
	const osm_dr_path_t *any = NULL;

	for (uint32_t i = 0; i < node->physp_tbl_size; i++) {
		const osm_physp_t *physp = &node->physp_table[i];

		if (!osm_physp_is_valid(physp)) {
			continue;
		}
		if (i == 0 || physp->p_remote_physp ||
		    physp->dr_path.hop_count == 0) {
			return &physp->dr_path;
		}
		if (!any) {
			any = &physp->dr_path;
		}
	}
	return any;
}

static uint16_t
count_ports(const osm_node_t *node)
{
	uint16_t n_ports = 0;

	for (uint32_t i = 0; i < node->physp_tbl_size; i++) {
		if (osm_physp_is_valid(&node->physp_table[i])) {
			n_ports++;
		}
	}
	return n_ports;
}

static void
put_node(struct ibs_feed_out *out, const osm_node_t *node, bool asks_epi)
{
	const osm_dr_path_t *route = node_route(node);
	const void *switch_info = node->sw ? &node->sw->switch_info : NULL;

	if (!route) {
		return;
	}
	ibs_feed_topology_node(
		out, &(struct ibs_feed_node){
			     .node_info = (const void *)&node->node_info,
			     .switch_info = switch_info,
			     .desc = node->node_desc.description,
			     .n_hops = route->hop_count,
			     .path = route->path,
			     .n_ports = count_ports(node) });
	for (uint32_t i = 0; i < node->physp_tbl_size; i++) {
		if (osm_physp_is_valid(&node->physp_table[i])) {
			put_port(out, &node->physp_table[i], (uint8_t)i,
				 asks_epi);
		}
	}
}

static int
put_topology(struct ibs_feed_out *out, struct osm_opensm *osm,
	     uint32_t n_dropped)
{
	put_subnet(out, osm, n_dropped);
	for (osm_node_t *node = first_node(osm); node;
	     node = next_node(osm, node)) {
		put_node(out, node, osm->subn.opt.fdr10 != 0);
	}
	return ibs_feed_topology_end(out);
}

/* One copy into a buffer of so many bytes.  errors  and -ENOSPC */
static int
copy_once(struct osm_opensm *osm, uint32_t n_dropped, size_t size,
	  struct ibs_feed_out *ret_out)
{
	struct ibs_feed_out out = { .data = malloc(size), .capacity = size };
	int err;

	if (!out.data) {
		return -ENOMEM;
	}
	/* The pages come now, not one by one under the lock. */
	memset(out.data, 0, size);
	cl_plock_acquire(&osm->lock);
	err = put_topology(&out, osm, n_dropped);
	cl_plock_release(&osm->lock);
	if (err) {
		free(out.data);
		return err;
	}
	*ret_out = out;
	return 0;
}

int
topology_copy(struct osm_opensm *osm, uint32_t n_dropped, uint8_t **ret_frame,
	      size_t *ret_size)
{
	struct ibs_feed_out out;

	for (int i = 0; i < COPIES_MAX; i++) {
		size_t size;
		int err;

		cl_plock_acquire(&osm->lock);
		size = frame_size(osm);
		cl_plock_release(&osm->lock);
		err = copy_once(osm, n_dropped, size, &out);
		if (!err) {
			*ret_frame = out.data;
			*ret_size = out.size;
			return 0;
		}
		if (err != -ENOSPC) {
			return err;
		}
	}
	return -EAGAIN;
}
