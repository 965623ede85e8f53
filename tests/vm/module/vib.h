/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vib: two virtual InfiniBand CAs of one port each, and a cable between them.
 *
 * All that a MAD meets is the kernel's own: ib_umad, ib_mad and its agents, the
 * rules of directed routes, time-outs.  Ours are the two ends: a subnet
 * management agent per port (sma.c) and the cable (wire.c).  To libibverbs
 * they look like mlx5 devices, with the page of a clock (face.c).
 */
#ifndef VIB_H
#define VIB_H

#include <linux/hrtimer.h>
#include <linux/spinlock.h>
#include <rdma/ib_smi.h>
#include <rdma/ib_verbs.h>

#define VIB_N_DEVICES  2
#define VIB_N_PKEYS    32
#define VIB_VENDOR     0x0002c9
#define VIB_DEVICE     4119
#define VIB_CLOCK_KHZ  156250
#define VIB_CLOCK_MASK 0x7fffffffffffffffULL

/* PortInfo as it is on the wire; what the kernel's structure lacks by byte. */
#define VIB_SPEED_EXT_ACTIVE  62 /* 4 bits, and 4 bits: supported */
#define VIB_SPEED_EXT_ENABLED 63 /* 5 bits */

union vib_port_info {
	struct ib_port_info base;
	u8 bytes[IB_SMP_DATA_SIZE];
};

struct vib_dev {
	struct ib_device ib; /* first: it is allocated as this */
	unsigned int index;
	union vib_port_info info;
	__be16 pkeys[VIB_N_PKEYS];
	struct vib_qp *qps[2]; /* QP0 and QP1, while they exist */
	__be64 *clock;	       /* a page that begins with the cycles */
	struct hrtimer clock_timer;
};

struct vib_cq {
	struct ib_cq ib;
	struct ib_wc *ring;
	unsigned int size;
	unsigned int first;
	unsigned int n;
	bool armed;
};

struct vib_recv {
	u64 wr_id;
	u64 addr;
	u32 length;
};

struct vib_qp {
	struct ib_qp ib;
	struct vib_recv *ring;
	unsigned int size;
	unsigned int first;
	unsigned int n;
};

struct vib_ah {
	struct ib_ah ib;
	u32 dlid;
	u8 sl;
};

struct vib_pd {
	struct ib_pd ib;
};

struct vib_ucontext {
	struct ib_ucontext ib;
};

/* One lock for all: rings, QPs and what PortInfo says. */
extern spinlock_t vib_lock;
extern struct vib_dev *vib_devices[VIB_N_DEVICES];
extern bool vib_cable;		 /* plugged in */
extern unsigned int vib_deaf;	 /* bit n: device n answers no SMP */
extern bool vib_clock_supported; /* has user space the page? */

static inline struct vib_dev *
to_vib(struct ib_device *device)
{
	return container_of(device, struct vib_dev, ib);
}

static inline u8
vib_port_state(const struct vib_dev *dev)
{
	return dev->info.base.linkspeed_portstate & 0xf;
}

__be64 vib_node_guid(const struct vib_dev *dev);
__be64 vib_port_guid(const struct vib_dev *dev);

/* sma.c */
void vib_sma_init(struct vib_dev *dev, u8 width, u16 speed);
void vib_sma_plug(struct vib_dev *dev, bool plugged);
u16 vib_sma_speed(const struct vib_dev *dev);
int vib_process_mad(struct ib_device *device, int flags, u32 port_num,
		    const struct ib_wc *in_wc, const struct ib_grh *in_grh,
		    const struct ib_mad *in_mad, struct ib_mad *out_mad,
		    size_t *out_mad_size, u16 *out_mad_pkey_index);

/* wire.c, face.c */
extern const struct ib_device_ops vib_wire_ops;
extern const struct ib_device_ops vib_face_ops;
int vib_face_init(struct vib_dev *dev);
void vib_face_free(struct vib_dev *dev);

#endif
