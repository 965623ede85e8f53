// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The accepted baseline as the store has it. */
#include <config.h>

#include "store_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "ibspeed/speed.h"

static int
no_memory(struct ibs_store *store)
{
	return ibs_store_fail_words(store, -ENOMEM, "out of memory");
}

struct loading {
	struct ibs_store *store;
	int64_t at_ns; /* what was accepted later is not loaded */
	struct ibs_baseline baseline;
	uint32_t nodes_size, links_size;
};

static int
add_node(struct ibs_query *query, struct loading *loading)
{
	struct ibs_baseline_node node = { 0 };
	void *rows = loading->baseline.nodes;
	int err;

	node.guid = (uint64_t)ibs_query_get_int(query);
	node.instance = (uint32_t)ibs_query_get_uint(query, UINT32_MAX);
	node.type = (uint8_t)ibs_query_get_uint(query, UINT8_MAX);
	ibs_query_get_blob(query, node.desc, sizeof(node.desc));
	node.vendor_id = (uint32_t)ibs_query_get_uint(query, UINT32_MAX);
	node.device_id = (uint16_t)ibs_query_get_uint(query, UINT16_MAX);
	node.port_guid = (uint64_t)ibs_query_get_int(query);
	err = ibs_query_good(query);
	if (err) {
		return err;
	}
	if (ibs_grow(&rows, sizeof(node), loading->baseline.n_nodes,
		     &loading->nodes_size)) {
		return no_memory(loading->store);
	}
	loading->baseline.nodes = rows;
	loading->baseline.nodes[loading->baseline.n_nodes++] = node;
	return 0;
}

/* They stand by signed GUID and instance. */
static uint32_t
find_node(const struct ibs_baseline *baseline, int64_t guid, uint32_t instance)
{
	uint32_t low = 0, high = baseline->n_nodes;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct ibs_baseline_node *node = &baseline->nodes[middle];
		int64_t at = (int64_t)node->guid;

		if (at < guid || (at == guid && node->instance < instance)) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low < baseline->n_nodes &&
			       baseline->nodes[low].guid == (uint64_t)guid &&
			       baseline->nodes[low].instance == instance
		       ? low
		       : IBS_NO_INDEX;
}

static struct ibs_pair
get_pair(struct ibs_query *query)
{
	unsigned int lanes;
	char speed[16];
	struct ibs_pair pair;

	ibs_query_get_text(query, speed, sizeof(speed));
	lanes = (unsigned int)ibs_query_get_uint(query, UINT8_MAX);
	pair = (struct ibs_pair){
		.speed = (uint8_t)ibs_speed_from_name(speed),
		.width = (uint8_t)ibs_width_from_lanes(lanes),
	};
	if (pair.speed == IBS_SPEED_NONE || pair.width == IBS_WIDTH_NONE) {
		query->bad = true;
	}
	return pair;
}

static int
add_link(struct ibs_query *query, struct loading *loading)
{
	struct ibs_baseline_link link = { 0 };
	void *rows = loading->baseline.links;
	int err;

	for (int i = 0; i < 2; i++) {
		int64_t guid = ibs_query_get_int(query);
		uint32_t instance =
			(uint32_t)ibs_query_get_uint(query, UINT32_MAX);

		link.nodes[i] = find_node(&loading->baseline, guid, instance);
		link.nums[i] = (uint8_t)ibs_query_get_uint(query, UINT8_MAX);
		if (link.nodes[i] == IBS_NO_INDEX) {
			query->bad = true;
		}
	}
	link.pair = get_pair(query);
	link.at_ns = ibs_query_get_int(query);
	if (link.at_ns > loading->baseline.at_ns) {
		loading->baseline.n_later++;
	}
	err = ibs_query_good(query);
	if (err) {
		return err;
	}
	if (ibs_grow(&rows, sizeof(link), loading->baseline.n_links,
		     &loading->links_size)) {
		return no_memory(loading->store);
	}
	loading->baseline.links = rows;
	loading->baseline.links[loading->baseline.n_links++] = link;
	return 0;
}

static int
add_acceptance(struct ibs_query *query, struct loading *loading)
{
	struct ibs_baseline *baseline = &loading->baseline;

	baseline->at_ns = ibs_query_get_int(query);
	ibs_query_get_text(query, baseline->who, sizeof(baseline->who));
	baseline->whole = ibs_query_get_uint(query, 1) != 0;
	return ibs_query_good(query);
}

static int
add_later(struct ibs_query *query, struct loading *loading)
{
	struct ibs_baseline *baseline = &loading->baseline;

	baseline->later_ns = ibs_query_get_int(query);
	ibs_query_get_text(query, baseline->later_who,
			   sizeof(baseline->later_who));
	return ibs_query_good(query);
}

/* The one that tells of all of it; ?1 is the time. */
#define HEAD                                                                   \
	"SELECT id FROM acceptance WHERE at_ns <= ?1"                          \
	" ORDER BY node_guid IS NULL DESC, id DESC LIMIT 1"

static int
add_rows(struct loading *loading, const char *sql,
	 int (*add)(struct ibs_query *query, struct loading *loading))
{
	struct ibs_query query;
	int err = ibs_query_open(&query, loading->store, sql);

	if (err) {
		return err;
	}
	ibs_query_put_int(&query, loading->at_ns);
	while ((err = ibs_query_next(&query)) == 1) {
		err = add(&query, loading);
		if (err) {
			break;
		}
	}
	ibs_query_close(&query);
	return err;
}

static int
no_baseline(struct ibs_store *store)
{
	return ibs_store_fail_words(store, -ENODATA,
				    "has no accepted baseline");
}

static int
read_rows(struct loading *loading)
{
	int err = add_rows(loading,
			   "SELECT at_ns, who, node_guid IS NULL AND NOT"
			   " EXISTS (SELECT 1 FROM acceptance"
			   " WHERE at_ns > ?1)"
			   " FROM acceptance WHERE id = (" HEAD ")",
			   add_acceptance);

	if (!err && !loading->baseline.at_ns) {
		return no_baseline(loading->store);
	}
	if (!err) {
		err = add_rows(loading,
			       "SELECT at_ns, who FROM acceptance"
			       " WHERE at_ns <= ?1 AND id > (" HEAD ")"
			       " ORDER BY id DESC LIMIT 1",
			       add_later);
	}
	if (!err) {
		err = add_rows(loading,
			       "SELECT node_guid, node_instance, type,"
			       " description, vendor_id, device_id, port_guid"
			       " FROM baseline_node WHERE ?1 IS NOT NULL"
			       " ORDER BY node_guid, node_instance",
			       add_node);
	}
	if (!err) {
		err = add_rows(loading,
			       "SELECT a_guid, a_instance, a_num, b_guid,"
			       " b_instance, b_num, speed, lanes, at_ns"
			       " FROM baseline JOIN acceptance"
			       " ON id = acceptance_id WHERE at_ns <= ?1"
			       " ORDER BY a_guid, a_instance, a_num",
			       add_link);
	}
	if (!err && !loading->baseline.n_links && loading->at_ns < INT64_MAX) {
		err = no_baseline(loading->store); /* all of it is later */
	}
	return err;
}

int
ibs_store_read_baseline(struct ibs_store *store, int64_t at_ns,
			struct ibs_baseline *ret_baseline)
{
	struct loading loading = { .store = store, .at_ns = at_ns };
	int err = read_rows(&loading);

	if (err) {
		ibs_baseline_free(&loading.baseline);
		return err;
	}
	*ret_baseline = loading.baseline;
	return 0;
}

/* The one transaction shows one state of the file, whoever writes. */
int
ibs_store_get_baseline(struct ibs_store *store, int64_t at_ns,
		       struct ibs_baseline *ret_baseline)
{
	int err = ibs_store_exec(store, "BEGIN");

	if (!err) {
		err = ibs_store_read_baseline(store, at_ns, ret_baseline);
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	}
	return err;
}
