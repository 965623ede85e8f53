// SPDX-License-Identifier: GPL-2.0-only
/*
 * The devices: what they are asked about themselves, how they come and go.
 * Removing the module unplugs them, whoever has them open.
 */
#include <linux/module.h>
#include <rdma/ib_mad.h>

#include "vib.h"

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Two virtual InfiniBand CAs and a cable between them");

DEFINE_SPINLOCK(vib_lock);
struct vib_dev *vib_devices[VIB_N_DEVICES];
bool vib_cable = true;
unsigned int vib_deaf;
bool vib_clock_supported = true;
static unsigned int width = IB_WIDTH_4X;
static unsigned int speed = IB_SPEED_EDR;

static int set_cable(const char *value, const struct kernel_param *param);
static const struct kernel_param_ops cable_ops = {
	.set = set_cable,
	.get = param_get_bool,
};

module_param_cb(cable, &cable_ops, &vib_cable, 0644);
MODULE_PARM_DESC(cable, "the cable between the devices is plugged in");
module_param_named(deaf, vib_deaf, uint, 0644);
MODULE_PARM_DESC(deaf, "bit n: device n answers no SMP");
module_param_named(clock_supported, vib_clock_supported, bool, 0444);
MODULE_PARM_DESC(clock_supported, "user space may map the clock's page");
module_param(width, uint, 0444);
MODULE_PARM_DESC(width, "of the link, code of PortInfo");
module_param(speed, uint, 0444);
MODULE_PARM_DESC(speed, "of the link, code of verbs");

static int
set_cable(const char *value, const struct kernel_param *param)
{
	bool before = vib_cable;
	int err = param_set_bool(value, param);
	unsigned long irq;
	int i;

	for (i = 0; i < VIB_N_DEVICES && !err && vib_cable != before; i++) {
		struct ib_event event = { .element.port_num = 1,
					  .event = IB_EVENT_PORT_ERR };

		if (!vib_devices[i]) {
			continue;
		}
		event.device = &vib_devices[i]->ib;
		spin_lock_irqsave(&vib_lock, irq);
		vib_sma_plug(vib_devices[i], vib_cable);
		spin_unlock_irqrestore(&vib_lock, irq);
		ib_dispatch_event(&event);
	}
	return err;
}

__be64
vib_node_guid(const struct vib_dev *dev)
{
	return cpu_to_be64(0x0200000000000100ULL + 0x100 * dev->index);
}

__be64
vib_port_guid(const struct vib_dev *dev)
{
	return cpu_to_be64(be64_to_cpu(vib_node_guid(dev)) + 1);
}

static int
query_device(struct ib_device *device, struct ib_device_attr *attr,
	     struct ib_udata *udata)
{
	attr->sys_image_guid = vib_node_guid(to_vib(device));
	attr->max_mr_size = ~0ULL;
	attr->page_size_cap = PAGE_SIZE;
	attr->vendor_id = VIB_VENDOR;
	attr->vendor_part_id = VIB_DEVICE;
	attr->max_qp = 2;
	attr->max_qp_wr = 4096;
	attr->max_send_sge = 2;
	attr->max_recv_sge = 1;
	attr->max_cq = 8;
	attr->max_cqe = 4096;
	attr->max_pd = 8;
	attr->max_ah = 4096;
	attr->max_pkeys = VIB_N_PKEYS;
	attr->kernel_cap_flags = IBK_LOCAL_DMA_LKEY;
	attr->hca_core_clock = VIB_CLOCK_KHZ;
	attr->timestamp_mask = VIB_CLOCK_MASK;
	return 0;
}

static int
query_port(struct ib_device *device, u32 port_num, struct ib_port_attr *attr)
{
	struct vib_dev *dev = to_vib(device);
	const struct ib_port_info *info = &dev->info.base;
	unsigned long irq;

	spin_lock_irqsave(&vib_lock, irq);
	attr->state = vib_port_state(dev);
	attr->max_mtu = info->inittypereply_mtucap & 0xf;
	attr->active_mtu = info->neighbormtu_mastersmsl >> 4;
	attr->gid_tbl_len = 1;
	attr->port_cap_flags = be32_to_cpu(info->cap_mask);
	attr->max_msg_sz = 1U << 31;
	attr->pkey_tbl_len = VIB_N_PKEYS;
	attr->lid = be16_to_cpu(info->lid);
	attr->sm_lid = be16_to_cpu(info->sm_lid);
	attr->lmc = info->mkeyprot_resv_lmc & 7;
	attr->max_vl_num = info->vlcap_inittype >> 4;
	attr->sm_sl = info->neighbormtu_mastersmsl & 0xf;
	attr->subnet_timeout = info->clientrereg_resv_subnetto & 0x1f;
	attr->active_width = info->link_width_active;
	attr->active_speed = vib_sma_speed(dev);
	attr->phys_state = info->portphysstate_linkdown >> 4;
	spin_unlock_irqrestore(&vib_lock, irq);
	return 0;
}

/* An SM says that it is one, and so does whoever opens its issm device. */
static int
modify_port(struct ib_device *device, u32 port_num, int mask,
	    struct ib_port_modify *modify)
{
	__be32 *cap = &to_vib(device)->info.base.cap_mask;
	unsigned long irq;

	spin_lock_irqsave(&vib_lock, irq);
	*cap |= cpu_to_be32(modify->set_port_cap_mask);
	*cap &= ~cpu_to_be32(modify->clr_port_cap_mask);
	spin_unlock_irqrestore(&vib_lock, irq);
	return 0;
}

static int
get_port_immutable(struct ib_device *device, u32 port_num,
		   struct ib_port_immutable *immutable)
{
	immutable->pkey_tbl_len = VIB_N_PKEYS;
	immutable->gid_tbl_len = 1;
	immutable->core_cap_flags = RDMA_CORE_PORT_IBA_IB;
	immutable->max_mad_size = IB_MGMT_MAD_SIZE;
	return 0;
}

static enum rdma_link_layer
get_link_layer(struct ib_device *device, u32 port_num)
{
	return IB_LINK_LAYER_INFINIBAND;
}

static int
query_gid(struct ib_device *device, u32 port_num, int index, union ib_gid *gid)
{
	const struct vib_dev *dev = to_vib(device);

	gid->global.subnet_prefix = dev->info.base.gid_prefix;
	gid->global.interface_id = vib_port_guid(dev);
	return 0;
}

static int
query_pkey(struct ib_device *device, u32 port_num, u16 index, u16 *pkey)
{
	if (index >= VIB_N_PKEYS) {
		return -EINVAL;
	}
	*pkey = be16_to_cpu(to_vib(device)->pkeys[index]);
	return 0;
}

static const struct ib_device_ops ops = {
	.get_link_layer = get_link_layer,
	.get_port_immutable = get_port_immutable,
	.modify_port = modify_port,
	.process_mad = vib_process_mad,
	.query_device = query_device,
	.query_gid = query_gid,
	.query_pkey = query_pkey,
	.query_port = query_port,
};

static int
add(unsigned int index)
{
	struct vib_dev *dev = ib_alloc_device(vib_dev, ib);
	int err;

	if (!dev) {
		return -ENOMEM;
	}
	dev->index = index;
	dev->ib.phys_port_cnt = 1;
	dev->ib.num_comp_vectors = 1;
	dev->ib.node_type = RDMA_NODE_IB_CA;
	dev->ib.node_guid = vib_node_guid(dev);
	snprintf(dev->ib.node_desc, sizeof(dev->ib.node_desc), "virtual-%u",
		 index);
	ib_set_device_ops(&dev->ib, &ops);
	ib_set_device_ops(&dev->ib, &vib_wire_ops);
	ib_set_device_ops(&dev->ib, &vib_face_ops);
	vib_sma_init(dev, width, speed);
	err = vib_face_init(dev);
	if (!err) {
		err = ib_register_device(&dev->ib, "vib%d", NULL);
	}
	if (err) {
		vib_face_free(dev);
		ib_dealloc_device(&dev->ib);
		return err;
	}
	vib_devices[index] = dev;
	return 0;
}

static void
remove(unsigned int index)
{
	struct vib_dev *dev = vib_devices[index];
	unsigned long irq;

	if (!dev) {
		return;
	}
	spin_lock_irqsave(&vib_lock, irq);
	vib_devices[index] = NULL;
	spin_unlock_irqrestore(&vib_lock, irq);
	ib_unregister_device(&dev->ib);
	vib_face_free(dev);
	ib_dealloc_device(&dev->ib);
}

static int __init
vib_init(void)
{
	int err = add(0);

	if (!err) {
		err = add(1);
	}
	if (err) {
		remove(0);
	}
	return err;
}

static void __exit
vib_exit(void)
{
	remove(1);
	remove(0);
}

module_init(vib_init);
module_exit(vib_exit);
