// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cable, and what the kernel needs to send MADs over it: QP0 and QP1,
 * completion queues, address handles. User space gets none of them.
 */
#include <linux/slab.h>
#include <rdma/ib_mad.h>

#include "vib.h"

#define GRH_SIZE 40

/* --- completion queues ------------------------------------------------ */

static int
create_cq(struct ib_cq *cq, const struct ib_cq_init_attr *attr,
	  struct ib_udata *udata)
{
	struct vib_cq *vcq = container_of(cq, struct vib_cq, ib);

	if (udata) {
		return -EOPNOTSUPP;
	}
	vcq->size = attr->cqe;
	vcq->ring = kcalloc(vcq->size, sizeof(*vcq->ring), GFP_KERNEL);
	if (!vcq->ring) {
		return -ENOMEM;
	}
	cq->cqe = attr->cqe;
	return 0;
}

static int
destroy_cq(struct ib_cq *cq, struct ib_udata *udata)
{
	kfree(container_of(cq, struct vib_cq, ib)->ring);
	return 0;
}

static void
add_completion(struct ib_cq *cq, const struct ib_wc *wc)
{
	struct vib_cq *vcq = container_of(cq, struct vib_cq, ib);

	if (WARN_ON_ONCE(vcq->n == vcq->size)) {
		return;
	}
	vcq->ring[(vcq->first + vcq->n++) % vcq->size] = *wc;
	if (vcq->armed) {
		vcq->armed = false;
		cq->comp_handler(cq, cq->cq_context);
	}
}

static int
poll_cq(struct ib_cq *cq, int max, struct ib_wc *wc)
{
	struct vib_cq *vcq = container_of(cq, struct vib_cq, ib);
	unsigned long irq;
	int got = 0;

	spin_lock_irqsave(&vib_lock, irq);
	while (got < max && vcq->n > 0) {
		wc[got++] = vcq->ring[vcq->first];
		vcq->first = (vcq->first + 1) % vcq->size;
		vcq->n--;
	}
	spin_unlock_irqrestore(&vib_lock, irq);
	return got;
}

static int
req_notify_cq(struct ib_cq *cq, enum ib_cq_notify_flags flags)
{
	struct vib_cq *vcq = container_of(cq, struct vib_cq, ib);
	unsigned long irq;
	int missed;

	spin_lock_irqsave(&vib_lock, irq);
	vcq->armed = true;
	missed = (flags & IB_CQ_REPORT_MISSED_EVENTS) && vcq->n > 0;
	spin_unlock_irqrestore(&vib_lock, irq);
	return missed;
}

/* --- queue pairs ------------------------------------------------------ */

static int
create_qp(struct ib_qp *qp, struct ib_qp_init_attr *attr,
	  struct ib_udata *udata)
{
	struct vib_qp *vqp = container_of(qp, struct vib_qp, ib);
	struct vib_dev *dev = to_vib(qp->device);
	unsigned long irq;

	if (udata ||
	    (attr->qp_type != IB_QPT_SMI && attr->qp_type != IB_QPT_GSI)) {
		return -EOPNOTSUPP;
	}
	qp->qp_num = attr->qp_type == IB_QPT_SMI ? 0 : 1;
	vqp->size = attr->cap.max_recv_wr;
	vqp->ring = kcalloc(vqp->size, sizeof(*vqp->ring), GFP_KERNEL);
	if (!vqp->ring) {
		return -ENOMEM;
	}
	spin_lock_irqsave(&vib_lock, irq);
	dev->qps[qp->qp_num] = vqp;
	spin_unlock_irqrestore(&vib_lock, irq);
	return 0;
}

static int
destroy_qp(struct ib_qp *qp, struct ib_udata *udata)
{
	struct vib_qp *vqp = container_of(qp, struct vib_qp, ib);
	unsigned long irq;

	spin_lock_irqsave(&vib_lock, irq);
	to_vib(qp->device)->qps[qp->qp_num] = NULL;
	spin_unlock_irqrestore(&vib_lock, irq);
	kfree(vqp->ring);
	return 0;
}

static int
modify_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask,
	  struct ib_udata *udata)
{
	return 0;
}

static int
post_recv(struct ib_qp *qp, const struct ib_recv_wr *wr,
	  const struct ib_recv_wr **bad)
{
	struct vib_qp *vqp = container_of(qp, struct vib_qp, ib);
	unsigned long irq;
	int err = 0;

	spin_lock_irqsave(&vib_lock, irq);
	for (; wr && !err; wr = wr->next) {
		struct vib_recv recv = { .wr_id = wr->wr_id };

		if (vqp->n == vqp->size || wr->num_sge != 1) {
			*bad = wr;
			err = -ENOMEM;
			continue;
		}
		recv.addr = wr->sg_list[0].addr;
		recv.length = wr->sg_list[0].length;
		vqp->ring[(vqp->first + vqp->n++) % vqp->size] = recv;
	}
	spin_unlock_irqrestore(&vib_lock, irq);
	return err;
}

/* --- the cable -------------------------------------------------------- */

/* To a LID of ours, or out of the port. NULL: nobody is there. */
static struct vib_dev *
route(struct vib_dev *from, u32 dlid)
{
	struct vib_dev *peer = vib_devices[!from->index];

	if (dlid && dlid == be16_to_cpu(from->info.base.lid)) {
		return from;
	}
	if (!vib_cable || !peer) {
		return NULL;
	}
	if (dlid == be16_to_cpu(IB_LID_PERMISSIVE) ||
	    dlid == be16_to_cpu(peer->info.base.lid)) {
		return peer;
	}
	return NULL;
}

/* The addresses are the kernel's own: such devices do no DMA. */
static void *
memory(u64 addr)
{
	return (void *)(uintptr_t)addr;
}

/* A packet that nobody waits for is lost, as on a real port. */
static void
deliver(struct vib_dev *from, struct vib_dev *to, const struct ib_ud_wr *wr)
{
	const struct vib_ah *ah = container_of(wr->ah, struct vib_ah, ib);
	struct vib_qp *qp = wr->remote_qpn < 2 ? to->qps[wr->remote_qpn] : NULL;
	struct ib_wc wc = { .opcode = IB_WC_RECV,
			    .byte_len = GRH_SIZE,
			    .src_qp = wr->remote_qpn,
			    .slid = be16_to_cpu(from->info.base.lid),
			    .sl = ah->sl,
			    .port_num = 1 };
	struct vib_recv *recv;
	int i;

	if (!qp || qp->n == 0) {
		return;
	}
	recv = &qp->ring[qp->first];
	for (i = 0; i < wr->wr.num_sge; i++) {
		const struct ib_sge *sge = &wr->wr.sg_list[i];

		if (wc.byte_len + sge->length > recv->length) {
			return;
		}
		memcpy(memory(recv->addr) + wc.byte_len, memory(sge->addr),
		       sge->length);
		wc.byte_len += sge->length;
	}
	qp->first = (qp->first + 1) % qp->size;
	qp->n--;
	wc.wr_id = recv->wr_id;
	wc.qp = &qp->ib;
	add_completion(qp->ib.recv_cq, &wc);
}

static int
post_send(struct ib_qp *qp, const struct ib_send_wr *wr,
	  const struct ib_send_wr **bad)
{
	struct vib_dev *dev = to_vib(qp->device);
	unsigned long irq;

	spin_lock_irqsave(&vib_lock, irq);
	for (; wr; wr = wr->next) {
		const struct ib_ud_wr *ud = ud_wr(wr);
		struct vib_ah *ah = container_of(ud->ah, struct vib_ah, ib);
		struct vib_dev *to = route(dev, ah->dlid);
		struct ib_wc wc = { .wr_id = wr->wr_id,
				    .opcode = IB_WC_SEND,
				    .qp = qp };

		if (to) {
			deliver(dev, to, ud);
		}
		add_completion(qp->send_cq, &wc);
	}
	spin_unlock_irqrestore(&vib_lock, irq);
	return 0;
}

static int
create_ah(struct ib_ah *ah, struct rdma_ah_init_attr *attr,
	  struct ib_udata *udata)
{
	struct vib_ah *vah = container_of(ah, struct vib_ah, ib);

	vah->dlid = rdma_ah_get_dlid(attr->ah_attr);
	vah->sl = rdma_ah_get_sl(attr->ah_attr);
	return 0;
}

static int
destroy_ah(struct ib_ah *ah, u32 flags)
{
	return 0;
}

/* --- what verbs must have, though nobody can use it ------------------- */

static int
alloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return 0;
}

static int
dealloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return 0;
}

static struct ib_mr *
get_dma_mr(struct ib_pd *pd, int access)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static struct ib_mr *
reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 virt_addr, int access,
	    struct ib_udata *udata)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static int
dereg_mr(struct ib_mr *mr, struct ib_udata *udata)
{
	return 0;
}

const struct ib_device_ops vib_wire_ops = {
	.alloc_pd = alloc_pd,
	.create_ah = create_ah,
	.create_cq = create_cq,
	.create_qp = create_qp,
	.dealloc_pd = dealloc_pd,
	.dereg_mr = dereg_mr,
	.destroy_ah = destroy_ah,
	.destroy_cq = destroy_cq,
	.destroy_qp = destroy_qp,
	.get_dma_mr = get_dma_mr,
	.modify_qp = modify_qp,
	.poll_cq = poll_cq,
	.post_recv = post_recv,
	.post_send = post_send,
	.reg_user_mr = reg_user_mr,
	.req_notify_cq = req_notify_cq,
	INIT_RDMA_OBJ_SIZE(ib_ah, vib_ah, ib),
	INIT_RDMA_OBJ_SIZE(ib_cq, vib_cq, ib),
	INIT_RDMA_OBJ_SIZE(ib_pd, vib_pd, ib),
	INIT_RDMA_OBJ_SIZE(ib_qp, vib_qp, ib),
};
