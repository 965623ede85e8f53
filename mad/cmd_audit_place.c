// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The NODE [PORT] of ibspeed audit, which may be gone: the baseline has it. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cmd_audit.h"
#include "find.h"
#include "host.h"

static int
compare_nodes(const void *left, const void *right)
{
	const struct ibs_node *a = left, *b = right;

	if (a->guid != b->guid) {
		return a->guid < b->guid ? -1 : 1;
	}
	return a->instance < b->instance ? -1 : a->instance > b->instance;
}

/* The nodes of the baseline that are not in the map, as a map. */
static int
make_gone(const struct audit_input *input, struct ibs_map *ret_gone)
{
	const struct ibs_baseline *baseline = &input->baseline;
	struct ibs_map gone = { .n_nodes = 0 };

	gone.nodes = calloc((size_t)baseline->n_nodes + 1, sizeof(*gone.nodes));
	if (!gone.nodes) {
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < baseline->n_nodes; i++) {
		const struct ibs_baseline_node *node = &baseline->nodes[i];

		if (ibs_map_find_instance(input->map, node->guid,
					  node->instance) == IBS_NO_INDEX) {
			ibs_baseline_as_node(node, &gone.nodes[gone.n_nodes++]);
		}
	}
	qsort(gone.nodes, gone.n_nodes, sizeof(*gone.nodes), compare_nodes);
	*ret_gone = gone;
	return 0;
}

static bool
is_known_end(const struct ibs_baseline *baseline,
	     const struct ibs_baseline_link *link, int end,
	     const struct ibs_place *place)
{
	const struct ibs_baseline_node *node =
		&baseline->nodes[link->nodes[end]];

	return node->guid == place->guid && node->instance == place->instance &&
	       (place->num < 0 || link->nums[end] == place->num);
}

static enum cmd_exit
check_known_port(const struct ibs_baseline *baseline, const char *text,
		 const struct ibs_place *place)
{
	for (uint32_t i = 0; i < baseline->n_links; i++) {
		const struct ibs_baseline_link *link = &baseline->links[i];

		if (is_known_end(baseline, link, 0, place) ||
		    is_known_end(baseline, link, 1, place)) {
			return CMD_OK;
		}
	}
	message("audit: \"%s\" is gone, and its port %d has no link in the "
		"baseline",
		text, place->num);
	return CMD_USAGE;
}

/* The port too, when there is one; a NULL is behind the last argument. */
static enum cmd_exit
place_of(const struct audit_input *input, const struct ibs_map *gone,
	 char *const *argv, struct find_result *result,
	 struct ibs_place *ret_place)
{
	const struct ibs_map *map = result->gone ? gone : input->map;
	const struct ibs_node *node = &map->nodes[result->address.node];
	int64_t num = -1;

	if (argv[1]) {
		(void)find_port_number(argv[1], &num);
	}
	*ret_place =
		(struct ibs_place){ node->guid, node->instance, (int16_t)num };
	if (num < 0) {
		return CMD_OK;
	}
	return result->gone
		       ? check_known_port(&input->baseline, argv[0], ret_place)
		       : find_port("audit", input->map, argv[0], num,
				   &result->address);
}

enum cmd_exit
audit_find_place(const struct audit_input *input, char *const *argv,
		 struct ibs_place *ret_place)
{
	enum cmd_exit status = find_check("audit", input->settings, argv[0]);
	struct find_result result;
	struct ibs_map gone;

	if (status != CMD_OK) {
		return status;
	}
	if (make_gone(input, &gone)) {
		return audit_failed(input, -ENOMEM);
	}
	status = find_node_or_gone(
		"audit",
		(const struct ibs_map *const[2]){
			input->map, input->has_baseline ? &gone : NULL },
		input->settings, argv[0], &result);
	if (status == CMD_OK) {
		status = place_of(input, &gone, argv, &result, ret_place);
	}
	free(gone.nodes);
	return status;
}

static bool
is_at(const struct ibs_audit *audit, const struct ibs_audit_end *end,
      const struct ibs_place *place)
{
	const struct ibs_audit_request *request = &audit->request;

	if (place->num >= 0 && place->num != end->num) {
		return false;
	}
	if (end->node != IBS_NO_INDEX) {
		const struct ibs_node *node = &request->map->nodes[end->node];

		return node->guid == place->guid &&
		       node->instance == place->instance;
	}
	if (end->known != IBS_NO_INDEX) {
		const struct ibs_baseline_node *node =
			&request->baseline->nodes[end->known];

		return node->guid == place->guid &&
		       node->instance == place->instance;
	}
	return false;
}

bool
audit_row_is_at(const struct ibs_audit *audit, const struct ibs_audit_row *row,
		const struct ibs_place *place)
{
	return is_at(audit, &row->ends[0], place) ||
	       is_at(audit, &row->ends[1], place);
}
