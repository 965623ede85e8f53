// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The links of a map accepted: they take the place of those in the baseline. */
#include <config.h>

#include "store_private.h"

#include <errno.h>

#include "ibspeed/speed.h"

/* An end of a link, as the baseline's rows name it. */
struct end {
	uint64_t guid;
	uint32_t instance;
	uint8_t num;
};

struct accepting {
	struct ibs_store *store;
	const struct ibs_map *map;
	const struct ibs_acceptance *acceptance;
	struct ibs_query forget, insert, name;
	int64_t id; /* of the acceptance */
	struct ibs_accepted done;
};

static struct end
end_of_port(const struct ibs_map *map, uint32_t port)
{
	const struct ibs_map_port *row = &map->ports[port];
	const struct ibs_node *node = &map->nodes[row->node];

	return (struct end){ node->guid, node->instance, row->num };
}

static void
put_end(struct ibs_query *query, const struct end *end)
{
	ibs_query_put_int(query, (int64_t)end->guid);
	ibs_query_put_int(query, end->instance);
	ibs_query_put_int(query, end->num);
}

static bool
in_scope(const struct accepting *accepting, const struct end *end)
{
	const struct ibs_place *place = accepting->acceptance->place;

	return !place ||
	       (end->guid == place->guid && end->instance == place->instance &&
		(place->num < 0 || end->num == place->num));
}

/* Whatever has the port as an end: it has one cable only. */
static int
forget(struct accepting *accepting, const struct end *end)
{
	put_end(&accepting->forget, end);
	return ibs_query_run(&accepting->forget);
}

static int
name_node(struct accepting *accepting, uint32_t port)
{
	const struct ibs_node *node =
		&accepting->map->nodes[accepting->map->ports[port].node];

	ibs_query_put_int(&accepting->name, (int64_t)node->guid);
	ibs_query_put_int(&accepting->name, node->instance);
	ibs_query_put_int(&accepting->name, node->type);
	ibs_query_put_blob(&accepting->name, node->desc,
			   ibs_node_desc_length(node));
	ibs_query_put_int(&accepting->name, node->vendor_id);
	ibs_query_put_int(&accepting->name, node->device_id);
	ibs_query_put_int(&accepting->name, (int64_t)node->port_guid);
	return ibs_query_run(&accepting->name);
}

static int
insert(struct accepting *accepting, const struct ibs_map_link *link)
{
	struct end a = end_of_port(accepting->map, link->a);
	struct end b = end_of_port(accepting->map, link->b);
	const struct ibs_pair *pair = &link->link.active;
	int err = forget(accepting, &a);

	if (!err) {
		err = forget(accepting, &b);
	}
	if (err) {
		return err;
	}
	put_end(&accepting->insert, &a);
	put_end(&accepting->insert, &b);
	ibs_query_put_text(&accepting->insert,
			   ibs_speed_name((enum ibs_speed)pair->speed),
			   SIZE_MAX);
	ibs_query_put_int(&accepting->insert,
			  ibs_width_row((enum ibs_width)pair->width)->lanes);
	ibs_query_put_int(&accepting->insert, accepting->id);
	err = ibs_query_run(&accepting->insert);
	if (!err) {
		err = name_node(accepting, link->a);
	}
	return err ? err : name_node(accepting, link->b);
}

static int
accept_links(struct accepting *accepting)
{
	const struct ibs_map *map = accepting->map;
	int err = 0;

	for (uint32_t i = 0; !err && i < map->n_links; i++) {
		const struct ibs_map_link *link = &map->links[i];
		struct end a, b;

		if (link->b == IBS_NO_INDEX || link->link.eff_100mbps <= 0) {
			continue;
		}
		a = end_of_port(map, link->a);
		b = end_of_port(map, link->b);
		if (in_scope(accepting, &a) || in_scope(accepting, &b)) {
			err = insert(accepting, link);
			accepting->done.n_links++;
		}
	}
	return err;
}

static uint32_t
find_port(const struct ibs_map *map, const struct end *end)
{
	uint32_t node = ibs_map_find_instance(map, end->guid, end->instance);

	return node == IBS_NO_INDEX ? IBS_NO_INDEX
				    : ibs_map_find_port(map, node, end->num);
}

/*
 * Whether a link of the baseline is known to be no more: an end has answered
 * and has no cable, or another one; or nothing is left that could answer.
 */
static bool
is_over(const struct ibs_map *map, const struct end ends[2])
{
	const uint32_t ports[2] = { find_port(map, &ends[0]),
				    find_port(map, &ends[1]) };

	for (int i = 0; i < 2; i++) {
		const struct ibs_map_port *row;

		if (ports[i] == IBS_NO_INDEX) {
			continue;
		}
		row = &map->ports[ports[i]];
		if (row->peer != IBS_NO_INDEX && row->peer == ports[1 - i]) {
			return false;
		}
		if (row->read == IBS_READ_OK &&
		    row->behind_read == IBS_READ_UNASKED) {
			return true;
		}
	}
	return ibs_map_complete(map);
}

static struct end
end_of_base(const struct ibs_baseline *baseline, uint32_t link, int end)
{
	const struct ibs_baseline_link *row = &baseline->links[link];
	const struct ibs_baseline_node *node =
		&baseline->nodes[row->nodes[end]];

	return (struct end){ node->guid, node->instance, row->nums[end] };
}

static int
forget_old(struct accepting *accepting, const struct ibs_baseline *old)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < old->n_links; i++) {
		struct end ends[2];

		for (int k = 0; k < 2; k++) {
			ends[k] = end_of_base(old, i, k);
		}
		if ((in_scope(accepting, &ends[0]) ||
		     in_scope(accepting, &ends[1])) &&
		    is_over(accepting->map, ends)) {
			err = forget(accepting, &ends[0]);
		}
	}
	return err;
}

static int
add_acceptance_row(struct accepting *accepting)
{
	const struct ibs_acceptance *what = accepting->acceptance;
	const struct ibs_place *place = what->place;
	struct ibs_query query;
	int err = ibs_query_open(&query, accepting->store,
				 "INSERT INTO acceptance (at_ns, who, sweep_id,"
				 " node_guid, node_instance, port_num)"
				 " VALUES (?, ?, nullif(?, 0), ?, ?, ?)");

	if (err) {
		return err;
	}
	ibs_query_put_int(&query, what->at_ns);
	ibs_query_put_text(&query, what->who, IBS_WHO_SIZE - 1);
	ibs_query_put_int(&query, accepting->map->sweep.id);
	if (place) {
		ibs_query_put_int(&query, (int64_t)place->guid);
		ibs_query_put_int(&query, place->instance);
	} else {
		ibs_query_put_null(&query);
		ibs_query_put_null(&query);
	}
	if (place && place->num >= 0) {
		ibs_query_put_int(&query, place->num);
	}
	err = ibs_query_run(&query);
	ibs_query_close(&query);
	accepting->id = sqlite3_last_insert_rowid(accepting->store->db);
	return err;
}

static int
open_queries(struct accepting *accepting)
{
	int err = ibs_query_open(&accepting->forget, accepting->store,
				 "DELETE FROM baseline WHERE"
				 " (a_guid = ?1 AND a_instance = ?2"
				 " AND a_num = ?3) OR (b_guid = ?1"
				 " AND b_instance = ?2 AND b_num = ?3)");

	if (!err) {
		err = ibs_query_open(&accepting->insert, accepting->store,
				     "INSERT INTO baseline (a_guid, a_instance,"
				     " a_num, b_guid, b_instance, b_num, speed,"
				     " lanes, acceptance_id)"
				     " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
	}
	if (!err) {
		err = ibs_query_open(&accepting->name, accepting->store,
				     "INSERT OR REPLACE INTO baseline_node"
				     " (node_guid, node_instance, type,"
				     " description, vendor_id, device_id,"
				     " port_guid)"
				     " VALUES (?, ?, ?, ?, ?, ?, ?)");
	}
	return err;
}

/* Nodes that no link of the baseline has any more. */
static const char forget_nodes[] =
	"DELETE FROM baseline_node WHERE NOT EXISTS (SELECT 1 FROM baseline"
	" WHERE a_guid = node_guid AND a_instance = node_instance)"
	" AND NOT EXISTS (SELECT 1 FROM baseline"
	" WHERE b_guid = node_guid AND b_instance = node_instance)";

/* As the rows of a baseline stand, by their first ends. */
static int
compare_ends(const struct end *a, const struct end *b)
{
	if (a->guid != b->guid) {
		return (int64_t)a->guid < (int64_t)b->guid ? -1 : 1;
	}
	if (a->instance != b->instance) {
		return a->instance < b->instance ? -1 : 1;
	}
	return a->num < b->num ? -1 : a->num > b->num;
}

static int
compare_links(const struct ibs_baseline *a, uint32_t i,
	      const struct ibs_baseline *b, uint32_t k)
{
	struct end a_ends[2] = { end_of_base(a, i, 0), end_of_base(a, i, 1) };
	struct end b_ends[2] = { end_of_base(b, k, 0), end_of_base(b, k, 1) };
	int order = compare_ends(&a_ends[0], &b_ends[0]);

	return order ? order : compare_ends(&a_ends[1], &b_ends[1]);
}

static void
count_changes(const struct ibs_baseline *old, const struct ibs_baseline *now,
	      struct ibs_accepted *done)
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < old->n_links; i++) {
		const struct ibs_pair *had = &old->links[i].pair;
		const struct ibs_pair *has;

		while (k < now->n_links && compare_links(now, k, old, i) < 0) {
			k++;
		}
		if (k == now->n_links || compare_links(now, k, old, i) != 0) {
			done->n_gone++;
			continue;
		}
		has = &now->links[k].pair;
		if (has->speed != had->speed || has->width != had->width) {
			done->n_changed++;
		}
	}
}

/* What came of it; that nothing did is no acceptance. */
static int
look_back(struct accepting *accepting, const struct ibs_baseline *old)
{
	struct ibs_baseline now = { .n_nodes = 0 };
	int err =
		ibs_store_read_baseline(accepting->store, IBS_STORE_NOW, &now);

	if (err) {
		return err;
	}
	count_changes(old, &now, &accepting->done);
	ibs_baseline_free(&now);
	if (!accepting->done.n_links && !accepting->done.n_gone) {
		return ibs_store_fail_words(accepting->store, -ENODATA,
					    "there is no link to accept");
	}
	return 0;
}

static int
rewrite(struct accepting *accepting, const struct ibs_baseline *old)
{
	int err = add_acceptance_row(accepting);

	if (!err) {
		err = open_queries(accepting);
	}
	if (!err) {
		err = forget_old(accepting, old);
	}
	if (!err) {
		err = accept_links(accepting);
	}
	if (!err) {
		err = ibs_store_exec(accepting->store, forget_nodes);
	}
	ibs_query_close(&accepting->forget);
	ibs_query_close(&accepting->insert);
	ibs_query_close(&accepting->name);
	return err;
}

static int
replace(struct accepting *accepting)
{
	struct ibs_baseline old = { .n_nodes = 0 };
	int err =
		ibs_store_read_baseline(accepting->store, IBS_STORE_NOW, &old);

	if (err == -ENODATA) {
		err = 0;
	}
	if (!err) {
		err = rewrite(accepting, &old);
	}
	if (!err) {
		err = look_back(accepting, &old);
	}
	ibs_baseline_free(&old);
	return err;
}

int
ibs_store_accept(struct ibs_store *store, const struct ibs_map *map,
		 const struct ibs_acceptance *acceptance,
		 struct ibs_accepted *ret_accepted)
{
	struct accepting accepting = { .store = store,
				       .map = map,
				       .acceptance = acceptance };
	int err = ibs_store_begin(store);

	if (err) {
		return err;
	}
	err = ibs_store_end(store, replace(&accepting));
	if (!err) {
		*ret_accepted = accepting.done;
	}
	return err;
}
