// SPDX-License-Identifier: GPL-2.0-only
/*
 * The face of an mlx5 device, for libmlx5: it can be opened and asked, and has
 * a page with the clock's cycles; there is nothing else that it can do.
 *
 * The page is written by a timer, so that a reading is as old as that: good
 * for what the clock means, not for how exact it is.
 */
#include <linux/mm.h>
#include <linux/timekeeping.h>
#include <rdma/mlx5-abi.h>
#include <rdma/uverbs_ioctl.h>

#include "vib.h"

#define CLOCK_PERIOD_NS 100000
#define CORE_CLOCK	5 /* the command in the page number of libmlx5's mmap */
#define COMMAND_SHIFT	8

static enum hrtimer_restart
tick(struct hrtimer *timer)
{
	struct vib_dev *dev = container_of(timer, struct vib_dev, clock_timer);
	u64 cycles = mul_u64_u32_div(ktime_get_ns(), VIB_CLOCK_KHZ, 1000000);

	/* At once: a reader takes the high half, the low one, the high one. */
	WRITE_ONCE(*dev->clock, cpu_to_be64(cycles));
	hrtimer_forward_now(timer, ns_to_ktime(CLOCK_PERIOD_NS));
	return HRTIMER_RESTART;
}

int
vib_face_init(struct vib_dev *dev)
{
	dev->clock = (__be64 *)get_zeroed_page(GFP_KERNEL);
	if (!dev->clock) {
		return -ENOMEM;
	}
	hrtimer_init(&dev->clock_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	dev->clock_timer.function = tick;
	return 0;
}

void
vib_face_free(struct vib_dev *dev)
{
	if (dev->clock) {
		hrtimer_cancel(&dev->clock_timer);
		free_page((unsigned long)dev->clock);
	}
	dev->clock = NULL;
}

static int
alloc_ucontext(struct ib_ucontext *context, struct ib_udata *udata)
{
	struct mlx5_ib_alloc_ucontext_resp resp = {
		.cache_line_size = 64,
		.num_ports = 1,
		.response_length = sizeof(resp),
		.log_uar_size = PAGE_SHIFT,
		.num_uars_per_page = 1,
	};

	if (vib_clock_supported) {
		resp.comp_mask =
			MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_CORE_CLOCK_OFFSET;
	}
	return ib_copy_to_udata(udata, &resp, min(udata->outlen, sizeof(resp)));
}

static void
dealloc_ucontext(struct ib_ucontext *context)
{
}

/* Being there lets the device go while somebody has it open. */
static void
disassociate_ucontext(struct ib_ucontext *context)
{
}

static int
map(struct ib_ucontext *context, struct vm_area_struct *vma)
{
	struct vib_dev *dev = to_vib(context->device);

	if (vma->vm_pgoff != CORE_CLOCK << COMMAND_SHIFT ||
	    vma->vm_end - vma->vm_start != PAGE_SIZE) {
		return -EINVAL;
	}
	if (!vib_clock_supported) {
		return -EOPNOTSUPP;
	}
	if (vma->vm_flags & VM_WRITE) {
		return -EPERM;
	}
	if (!hrtimer_active(&dev->clock_timer)) {
		hrtimer_start(&dev->clock_timer, 0, HRTIMER_MODE_REL);
	}
	return rdma_user_mmap_io(context, vma,
				 virt_to_phys(dev->clock) >> PAGE_SHIFT,
				 PAGE_SIZE, vma->vm_page_prot, NULL);
}

const struct ib_device_ops vib_face_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_MLX5,
	.uverbs_abi_ver = MLX5_IB_UVERBS_ABI_VERSION,
	.alloc_ucontext = alloc_ucontext,
	.dealloc_ucontext = dealloc_ucontext,
	.disassociate_ucontext = disassociate_ucontext,
	.mmap = map,
	INIT_RDMA_OBJ_SIZE(ib_ucontext, vib_ucontext, ib),
};
