// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "path_read.h"

#include <stdbool.h>
#include <string.h>

#include "host.h"
#include "live.h"
#include "reader.h"
#include "sa.h"
#include "smi.h"

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
/* An SA thinks longer than an SMA: what infiniband-diags wait for both. */
#define SA_TIMEOUT_MS 1000u

/* Gets, one at a time. */
struct asker {
	const struct ibs_settings *settings;
	struct smi *smi;
	uint32_t tid;	     /* of the last Get */
	uint64_t timeout_ns; /* of one try */
	uint64_t next_ns;    /* CLOCK_MONOTONIC: max_rate lets none go before */
};

static uint32_t
next_tid(uint32_t *tid)
{
	*tid = *tid == UINT32_MAX ? 1 : *tid + 1;
	return *tid;
}

static void
pace(struct asker *asker)
{
	if (asker->settings->max_rate) {
		host_sleep_until(asker->next_ns);
		asker->next_ns = host_monotonic_ns() +
				 NS_PER_S / asker->settings->max_rate;
	}
}

static bool
is_answer(const struct ibs_smp *smp, uint32_t tid, const struct ibs_attr *attr)
{
	return tid == smp->tid && attr->id == smp->attr &&
	       attr->modifier == smp->modifier;
}

/* Sets the answer to just this Get, if one comes in time.  0, or -errno */
static int
await(const struct asker *asker, const struct ibs_smp *smp,
      struct ibs_attr *ret_attr)
{
	uint64_t now = host_monotonic_ns();
	uint64_t end = now + asker->timeout_ns;

	for (; now < end; now = host_monotonic_ns()) {
		int wait_ms = (int)((end - now) / NS_PER_MS) + 1;
		struct ibs_attr attr;
		uint32_t tid;
		int got = smi_receive(asker->smi, wait_ms, &tid, &attr);

		if (got < 0) {
			return got;
		}
		if (got == 1 && is_answer(smp, tid, &attr)) {
			*ret_attr = attr;
			return 0;
		}
	}
	return 0;
}

/* One try; a Get that could not even be sent counts as unanswered. */
static int
try_once(struct asker *asker, const struct ibs_smp *smp,
	 struct ibs_attr *ret_attr)
{
	struct ibs_attr attr = { .id = smp->attr,
				 .modifier = smp->modifier,
				 .read = IBS_READ_TIMEOUT };
	int err;

	pace(asker);
	err = smi_send(asker->smi, smp);
	if (!err) {
		err = await(asker, smp, &attr);
	}
	if (err && !reader_is_passing(err)) {
		return err;
	}
	if (asker->settings->errors && attr.read != IBS_READ_OK) {
		reader_tell(smp, &attr);
	}
	*ret_attr = attr;
	return 0;
}

static int
get(struct asker *asker, const struct ibs_node *node, uint16_t attr,
    uint32_t modifier, struct ibs_attr *ret_attr)
{
	struct ibs_smp smp = { .attr = attr,
			       .modifier = modifier,
			       .n_hops = node->n_hops,
			       .path = node->path };
	unsigned int tries = 0;
	int err;

	do {
		smp.tid = next_tid(&asker->tid);
		err = try_once(asker, &smp, ret_attr);
	} while (!err && ret_attr->read == IBS_READ_TIMEOUT &&
		 tries++ < asker->settings->retries);
	return err;
}

static int
follow(struct asker *asker, struct ibs_path *path)
{
	while (ibs_path_wants(path)) {
		const struct ibs_node *node = &path->map->nodes[path->at];
		struct ibs_attr switch_info, block = { .read = 0 };
		int err =
			get(asker, node, IBS_ATTR_SWITCH_INFO, 0, &switch_info);

		if (!err && switch_info.read == IBS_READ_OK) {
			err = get(asker, node, IBS_ATTR_LINEAR_FDB,
				  path->route.dlid / IBS_LFT_BLOCK, &block);
		}
		if (err) {
			return err;
		}
		ibs_path_forward(path, &switch_info, &block);
	}
	return 0;
}

enum cmd_exit
path_read_follow(const struct ibs_settings *settings,
		 struct ibs_path *const *paths, size_t n_paths)
{
	struct asker asker = { .settings = settings,
			       .tid = (uint32_t)host_monotonic_ns(),
			       .timeout_ns =
				       reader_limits(settings).timeout_ns };
	const struct live_agent agent = { .sa = false };
	enum cmd_exit status = live_open(settings, &agent, &asker.smi);
	int err = 0;

	if (status != CMD_OK) {
		return status;
	}
	for (size_t i = 0; i < n_paths && !err; i++) {
		err = follow(&asker, paths[i]);
	}
	smi_close(asker.smi);
	if (err) {
		message("the umad port failed: %s", strerror(-err));
		return CMD_FAILED;
	}
	return CMD_OK;
}

static bool
find_master(const struct ibs_map *map, struct sa_question *question)
{
	uint32_t local = ibs_path_local_port(map);
	struct ibs_port port;

	if (local == IBS_NO_INDEX) {
		return false;
	}
	ibs_map_port_decode(map, local, &port);
	question->sm_lid = port.sm_lid;
	question->sm_sl = port.sm_sl;
	return port.sm_lid && port.sm_lid <= IBS_LID_MAX;
}

static bool
make_question(const struct ibs_path *path, struct sa_question *ret_question)
{
	ret_question->slid = path->route.slid;
	ret_question->dlid = path->route.dlid;
	return path->route.slid && path->route.dlid &&
	       find_master(path->map, ret_question);
}

/* CMD_OK, also without an answer; or CMD_FAILED, with a message */
static enum cmd_exit
ask(const struct ibs_settings *settings, const struct sa_question *question,
    struct ibs_attr *ret_attr)
{
	const struct live_agent agent = {
		.sa = true,
		.timeout_ms = settings->timeout_ms < SA_TIMEOUT_MS
				      ? SA_TIMEOUT_MS
				      : settings->timeout_ms,
	};
	uint32_t tid = (uint32_t)host_monotonic_ns();
	unsigned int tries = 0;
	struct smi *smi;
	int err;

	if (live_open(settings, &agent, &smi) != CMD_OK) {
		return CMD_FAILED;
	}
	do {
		err = sa_get_path(smi, question, next_tid(&tid), ret_attr);
	} while (!err && ret_attr->read == IBS_READ_TIMEOUT &&
		 tries++ < settings->retries);
	smi_close(smi);
	if (err) {
		message("cannot ask the SA: %s", strerror(-err));
		return CMD_FAILED;
	}
	return CMD_OK;
}

void
path_read_record(const struct ibs_settings *settings,
		 const struct ibs_path *path,
		 struct ibs_path_record *ret_record)
{
	struct ibs_path_record record = { .read = IBS_READ_UNASKED,
					  .rate_enum = -1 };
	struct sa_question question;
	struct ibs_attr attr;

	if (make_question(path, &question)) {
		record.failed = ask(settings, &question, &attr) != CMD_OK;
		if (!record.failed) {
			record.read = attr.read;
			record.status = attr.status;
		}
	}
	if (record.read == IBS_READ_OK) {
		record.rate_enum = (int)ibs_pr_get(attr.data, IBS_PR_Rate);
	}
	*ret_record = record;
}
