// SPDX-License-Identifier: GPL-2.0-only
/*
 * The subnet management agent of a port: what a Get is answered with and what
 * a Set changes, as far as an SM needs it to bring a port up.
 */
#include <rdma/ib_mad.h>

#include "vib.h"

#define PHYS_POLLING 2
#define PHYS_LINK_UP 5
#define MTU_4096     5
#define VL0	     1
#define REREGISTER   0x80
#define SUBNET_TO    0x1f

/* What the kernel and its users are told when a Set is done. */
struct changes {
	bool lid, sm, gid, active, error, pkey, reregister;
};

/* Speeds as verbs have them, and the fields of PortInfo. */
static const struct {
	u16 speed;
	u8 legacy;
	u8 extended;
} speeds[] = {
	{ IB_SPEED_SDR, 1, 0 }, { IB_SPEED_DDR, 2, 0 }, { IB_SPEED_QDR, 4, 0 },
	{ IB_SPEED_FDR, 4, 1 }, { IB_SPEED_EDR, 4, 2 }, { IB_SPEED_HDR, 4, 4 },
};

u16
vib_sma_speed(const struct vib_dev *dev)
{
	u8 legacy = dev->info.base.linkspeedactive_enabled >> 4;
	u8 extended = dev->info.bytes[VIB_SPEED_EXT_ACTIVE] >> 4;
	int i;

	for (i = 0; i < ARRAY_SIZE(speeds); i++) {
		if (speeds[i].legacy == legacy &&
		    speeds[i].extended == extended) {
			return speeds[i].speed;
		}
	}
	return 0;
}

static void
set_state(struct vib_dev *dev, u8 state)
{
	u8 *byte = &dev->info.base.linkspeed_portstate;

	*byte = (*byte & 0xf0) | state;
}

void
vib_sma_plug(struct vib_dev *dev, bool plugged)
{
	u8 phys = plugged ? PHYS_LINK_UP : PHYS_POLLING;

	set_state(dev, plugged ? IB_PORT_INIT : IB_PORT_DOWN);
	dev->info.base.portphysstate_linkdown = phys << 4 | PHYS_POLLING;
}

void
vib_sma_init(struct vib_dev *dev, u8 width, u16 speed)
{
	union vib_port_info *info = &dev->info;
	u8 legacy = 4, extended = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(speeds); i++) {
		if (speeds[i].speed == speed) {
			legacy = speeds[i].legacy;
			extended = speeds[i].extended;
		}
	}
	info->base.gid_prefix = cpu_to_be64(0xfe80000000000000ULL);
	info->base.cap_mask = cpu_to_be32(IB_PORT_EXTENDED_SPEEDS_SUP |
					  IB_PORT_CLIENT_REG_SUP |
					  IB_PORT_SYS_IMAGE_GUID_SUP);
	info->base.local_port_num = 1;
	info->base.link_width_enabled = width;
	info->base.link_width_supported = width;
	info->base.link_width_active = width;
	/* Supported and enabled are all speeds up to the one that is active. */
	info->base.linkspeed_portstate = (legacy * 2 - 1) << 4;
	info->base.linkspeedactive_enabled = legacy << 4 | (legacy * 2 - 1);
	info->base.neighbormtu_mastersmsl = MTU_4096 << 4;
	info->base.vlcap_inittype = VL0 << 4;
	info->base.inittypereply_mtucap = MTU_4096;
	info->base.operationalvl_pei_peo_fpi_fpo = VL0 << 4;
	info->base.guid_cap = 1;
	info->base.resv_resptimevalue = 16;
	if (extended) {
		u8 all = extended * 2 - 1;

		info->bytes[VIB_SPEED_EXT_ACTIVE] = extended << 4 | all;
		info->bytes[VIB_SPEED_EXT_ENABLED] = all;
	}
	dev->pkeys[0] = cpu_to_be16(0xffff);
	vib_sma_plug(dev, vib_cable);
}

static void
get_node_info(struct vib_dev *dev, void *data)
{
	struct ib_node_info *info = data;

	info->base_version = 1;
	info->class_version = 1;
	info->node_type = RDMA_NODE_IB_CA;
	info->num_ports = 1;
	info->sys_guid = vib_node_guid(dev);
	info->node_guid = vib_node_guid(dev);
	info->port_guid = vib_port_guid(dev);
	info->partition_cap = cpu_to_be16(VIB_N_PKEYS);
	info->device_id = cpu_to_be16(VIB_DEVICE);
	info->local_port_num = 1;
	info->vendor_id[0] = VIB_VENDOR >> 16;
	info->vendor_id[1] = VIB_VENDOR >> 8 & 0xff;
	info->vendor_id[2] = VIB_VENDOR & 0xff;
}

static void
set_port_state(struct vib_dev *dev, u8 wanted, struct changes *changes)
{
	u8 state = vib_port_state(dev);

	if (wanted == IB_PORT_DOWN && state != IB_PORT_DOWN) {
		set_state(dev, IB_PORT_INIT);
		changes->error = true;
	} else if (wanted == IB_PORT_ARMED && state == IB_PORT_INIT) {
		set_state(dev, IB_PORT_ARMED);
	} else if (wanted == IB_PORT_ACTIVE && state == IB_PORT_ARMED) {
		set_state(dev, IB_PORT_ACTIVE);
		changes->active = true;
	}
}

static void
set_port_info(struct vib_dev *dev, const void *data, struct changes *changes)
{
	const union vib_port_info *set = data;
	struct ib_port_info *info = &dev->info.base;
	u8 rereg = set->base.clientrereg_resv_subnetto;

	changes->lid = info->lid != set->base.lid;
	changes->sm = info->sm_lid != set->base.sm_lid;
	changes->gid = info->gid_prefix != set->base.gid_prefix;
	changes->reregister = rereg & REREGISTER;
	info->gid_prefix = set->base.gid_prefix;
	info->lid = set->base.lid;
	info->sm_lid = set->base.sm_lid;
	info->mkeyprot_resv_lmc = set->base.mkeyprot_resv_lmc & 7;
	info->neighbormtu_mastersmsl = set->base.neighbormtu_mastersmsl;
	info->clientrereg_resv_subnetto = rereg & SUBNET_TO;
	set_port_state(dev, set->base.linkspeed_portstate & 0xf, changes);
}

/* Answers a Get, or what a Set left. returns 0, or the status for the SMP */
static u16
get(struct vib_dev *dev, struct ib_smp *smp)
{
	switch (smp->attr_id) {
	case IB_SMP_ATTR_NODE_DESC:
		memcpy(smp->data, dev->ib.node_desc, IB_SMP_DATA_SIZE);
		return 0;
	case IB_SMP_ATTR_NODE_INFO:
		get_node_info(dev, smp->data);
		return 0;
	case IB_SMP_ATTR_PORT_INFO:
		memcpy(smp->data, dev->info.bytes, sizeof(smp->data));
		return 0;
	case IB_SMP_ATTR_GUID_INFO:
		*(__be64 *)smp->data = vib_port_guid(dev);
		return 0;
	case IB_SMP_ATTR_PKEY_TABLE:
		memcpy(smp->data, dev->pkeys, sizeof(dev->pkeys));
		return 0;
	case IB_SMP_ATTR_SL_TO_VL_TABLE:
	case IB_SMP_ATTR_VL_ARB_TABLE:
		return 0;
	}
	return IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD_ATTRIB;
}

static u16
set(struct vib_dev *dev, struct ib_smp *smp, struct changes *changes)
{
	switch (smp->attr_id) {
	case IB_SMP_ATTR_PORT_INFO:
		set_port_info(dev, smp->data, changes);
		break;
	case IB_SMP_ATTR_PKEY_TABLE:
		changes->pkey =
			memcmp(dev->pkeys, smp->data, sizeof(dev->pkeys));
		memcpy(dev->pkeys, smp->data, sizeof(dev->pkeys));
		break;
	}
	memset(smp->data, 0, sizeof(smp->data));
	return get(dev, smp);
}

static void
tell(struct vib_dev *dev, const struct changes *changes)
{
	const struct {
		bool changed;
		enum ib_event_type event;
	} rows[] = {
		{ changes->lid, IB_EVENT_LID_CHANGE },
		{ changes->sm, IB_EVENT_SM_CHANGE },
		{ changes->gid, IB_EVENT_GID_CHANGE },
		{ changes->pkey, IB_EVENT_PKEY_CHANGE },
		{ changes->active, IB_EVENT_PORT_ACTIVE },
		{ changes->error, IB_EVENT_PORT_ERR },
		{ changes->reregister, IB_EVENT_CLIENT_REREGISTER },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct ib_event event = { .device = &dev->ib,
					  .element.port_num = 1,
					  .event = rows[i].event };

		if (rows[i].changed) {
			ib_dispatch_event(&event);
		}
	}
}

/* The SM's own attribute is answered by the SM, through its umad agent. */
static bool
is_ours(const struct ib_smp *smp)
{
	return (smp->mgmt_class == IB_MGMT_CLASS_SUBN_LID_ROUTED ||
		smp->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE) &&
	       (smp->method == IB_MGMT_METHOD_GET ||
		smp->method == IB_MGMT_METHOD_SET) &&
	       smp->attr_id != IB_SMP_ATTR_SM_INFO;
}

int
vib_process_mad(struct ib_device *device, int flags, u32 port_num,
		const struct ib_wc *in_wc, const struct ib_grh *in_grh,
		const struct ib_mad *in_mad, struct ib_mad *out_mad,
		size_t *out_mad_size, u16 *out_mad_pkey_index)
{
	struct vib_dev *dev = to_vib(device);
	struct ib_smp *smp = (struct ib_smp *)out_mad;
	struct changes changes = {};
	unsigned long irq;
	u16 status;

	memcpy(smp, in_mad, sizeof(*smp));
	if (!is_ours(smp)) {
		return IB_MAD_RESULT_SUCCESS;
	}
	if (vib_deaf & BIT(dev->index)) {
		return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_CONSUMED;
	}
	spin_lock_irqsave(&vib_lock, irq);
	if (smp->method == IB_MGMT_METHOD_SET) {
		status = set(dev, smp, &changes);
	} else {
		memset(smp->data, 0, sizeof(smp->data));
		status = get(dev, smp);
	}
	spin_unlock_irqrestore(&vib_lock, irq);
	smp->method = IB_MGMT_METHOD_GET_RESP;
	smp->status = cpu_to_be16(status);
	if (smp->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE) {
		smp->status |= IB_SMP_DIRECTION;
	}
	tell(dev, &changes);
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}
