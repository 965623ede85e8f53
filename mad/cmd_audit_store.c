// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* ibspeed audit and its store: the past that is compared with, --accept and
 * --waive. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_audit.h"
#include "find.h"
#include "host.h"
#include "ibspeed/address.h"
#include "ibspeed/writer.h"
#include "when.h"

static enum cmd_exit
failed(const struct audit_input *input, int err)
{
	message("%s",
		err == -ENOMEM ? "no memory" : ibs_store_error(input->store));
	return CMD_FAILED;
}

/* Of a rule before it with the same window; NULL none. */
static uint16_t *
counted_already(const struct audit_input *input, size_t rule)
{
	for (size_t i = 0; i < rule; i++) {
		if (input->changes[i] &&
		    input->policy.rules[i].window_ns ==
			    input->policy.rules[rule].window_ns) {
			return input->changes[i];
		}
	}
	return NULL;
}

static int
count_changes(struct audit_input *input, size_t rule)
{
	int64_t window_ns = input->policy.rules[rule].window_ns;
	uint16_t **place = &input->changes[rule];

	*place = counted_already(input, rule);
	if (*place) {
		return 0;
	}
	*place = calloc((size_t)input->map->n_ports + 1, sizeof(**place));
	return *place ? ibs_store_count_changes(input->store, input->map,
						input->now_ns - window_ns,
						*place)
		      : -ENOMEM;
}

static int
load_changes(struct audit_input *input)
{
	int err = 0;

	input->changes = calloc(input->policy.n + 1, sizeof(*input->changes));
	if (!input->changes) {
		return -ENOMEM;
	}
	for (size_t i = 0; !err && i < input->policy.n; i++) {
		if (input->policy.rules[i].window_ns) {
			err = count_changes(input, i);
		}
	}
	return err;
}

enum cmd_exit
audit_load_past(struct audit_input *input)
{
	int err;

	if (!input->store) {
		return CMD_OK;
	}
	err = ibs_store_get_baseline(input->store, &input->baseline);
	input->has_baseline = !err;
	if (err == -ENODATA) {
		err = 0;
	}
	if (!err) {
		err = ibs_store_get_waivers(input->store, &input->waivers,
					    &input->n_waivers);
	}
	if (!err && input->map->sweep.id) {
		err = load_changes(input);
	}
	return err ? failed(input, err) : CMD_OK;
}

void
audit_free_past(struct audit_input *input)
{
	for (size_t i = 0; input->changes && i < input->policy.n; i++) {
		if (!counted_already(input, i)) {
			continue;
		}
		input->changes[i] = NULL;
	}
	for (size_t i = 0; input->changes && i < input->policy.n; i++) {
		free(input->changes[i]);
	}
	free(input->changes);
	free(input->waivers);
	ibs_baseline_free(&input->baseline);
	ibs_policy_free(&input->policy);
	ibs_map_free(input->map);
	ibs_store_close(input->store);
}

/* NODE [PORT] of the map; nothing: all of it. */
static enum cmd_exit
find(const struct audit_input *input, int argc, char *const *argv,
     struct ibs_address *found)
{
	enum cmd_exit status;
	int64_t num = 0;

	*found = (struct ibs_address){ .node = IBS_NO_INDEX,
				       .port = IBS_NO_INDEX };
	if (argc == 0) {
		return CMD_OK;
	}
	status = find_check("audit", input->settings, argv[0]);
	if (status == CMD_OK) {
		status = find_node("audit", input->map, input->settings,
				   argv[0], found);
	}
	if (status != CMD_OK) {
		return status;
	}
	found->port = IBS_NO_INDEX;
	if (argc > 1) {
		(void)find_port_number(argv[1], &num);
		status = find_port("audit", input->map, argv[0], num, found);
	}
	return status;
}

static enum cmd_exit
accept_map(struct audit_input *input, int argc, char *const *argv)
{
	struct ibs_address found;
	enum cmd_exit status = find(input, argc, argv, &found);
	struct ibs_acceptance acceptance = { .at_ns = host_realtime_ns() };
	char who[IBS_WHO_SIZE];
	uint32_t n_links;
	int err;

	if (status != CMD_OK) {
		return status;
	}
	host_user(who, sizeof(who));
	acceptance.who = who;
	acceptance.node = found.node;
	acceptance.port = found.port;
	err = ibs_store_accept(input->store, input->map, &acceptance, &n_links);
	if (err) {
		return failed(input, err);
	}
	printf("%u %s accepted by %s\n", n_links,
	       n_links == 1 ? "link" : "links", who);
	status = cmd_written(0);
	if (status == CMD_OK && !ibs_map_complete(input->map)) {
		message("what did not answer stays in the baseline as it was");
		status = CMD_INCOMPLETE;
	}
	return status;
}

enum cmd_exit
audit_accept(const struct ibs_settings *settings, int argc, char *const *argv)
{
	struct audit_input input = { .store = NULL };
	enum cmd_exit status =
		audit_load_map(settings, IBS_STORE_WRITE, &input);

	if (status == CMD_OK) {
		status = accept_map(&input, argc, argv);
	}
	audit_free_past(&input);
	return status;
}

/* "now" ends a waiver; a day stands for all of it. */
static int
until_from_text(const char *text, int64_t *ret_ns)
{
	*ret_ns = 0;
	return strcmp(text, "now") == 0 ? 0
					: when_from_text(text, true, ret_ns);
}

enum cmd_exit
audit_check_waiver(const struct ibs_settings *settings)
{
	int64_t until_ns;

	if (!*settings->until) {
		message("audit: --waive needs --until=TIME");
		return CMD_USAGE;
	}
	if (until_from_text(settings->until, &until_ns)) {
		message("audit: --until is \"%s\", " WHEN_EXPECTED ", or now",
			settings->until);
		return CMD_USAGE;
	}
	if (until_ns && until_ns <= host_realtime_ns()) {
		message("audit: --until is \"%s\", expected a time to come",
			settings->until);
		return CMD_USAGE;
	}
	if (until_ns && !*settings->reason) {
		message("audit: --waive needs --reason=TEXT");
		return CMD_USAGE;
	}
	return CMD_OK;
}

/* By GUID or name, a node that the map has not and the baseline has. */
static const struct ibs_baseline_node *
find_gone(struct audit_input *input, const char *text)
{
	uint64_t guid = 0;
	bool is_guid = ibs_guid_from_text(text, &guid) == 0;

	if (ibs_store_get_baseline(input->store, &input->baseline)) {
		return NULL;
	}
	for (uint32_t i = 0; i < input->baseline.n_nodes; i++) {
		const struct ibs_baseline_node *node =
			&input->baseline.nodes[i];
		char name[IBS_DESC_TEXT_SIZE];

		ibs_escape(
			node->desc,
			strnlen((const char *)node->desc, sizeof(node->desc)),
			name, sizeof(name));
		if (ibs_map_find_instance(input->map, node->guid,
					  node->instance) == IBS_NO_INDEX &&
		    (is_guid ? node->guid == guid : strcmp(name, text) == 0)) {
			return node;
		}
	}
	return NULL;
}

/* Whose findings: NODE [PORT] of the map, or a node that is gone. */
static enum cmd_exit
find_waived(struct audit_input *input, int argc, char *const *argv,
	    struct ibs_waiver *waiver)
{
	const struct ibs_baseline_node *gone = find_gone(input, argv[0]);
	struct ibs_address found;
	enum cmd_exit status;
	int64_t num = -1;

	if (gone) {
		if (argc > 1) {
			(void)find_port_number(argv[1], &num);
		}
		waiver->guid = gone->guid;
		waiver->instance = gone->instance;
		waiver->num = (int16_t)num;
		return CMD_OK;
	}
	status = find(input, argc, argv, &found);
	if (status == CMD_OK) {
		waiver->guid = input->map->nodes[found.node].guid;
		waiver->instance = input->map->nodes[found.node].instance;
		if (found.port != IBS_NO_INDEX) {
			waiver->num = input->map->ports[found.port].num;
		}
	}
	return status;
}

static enum cmd_exit
waive(const struct ibs_settings *settings, struct audit_input *input, int argc,
      char *const *argv)
{
	struct ibs_waiver waiver = { .num = -1, .at_ns = host_realtime_ns() };
	enum cmd_exit status = find_waived(input, argc, argv, &waiver);
	int err;

	if (status != CMD_OK) {
		return status;
	}
	(void)until_from_text(settings->until, &waiver.until_ns);
	(void)snprintf(waiver.reason, sizeof(waiver.reason), "%s",
		       settings->reason);
	host_user(waiver.who, sizeof(waiver.who));
	err = ibs_store_waive(input->store, &waiver);
	return err ? failed(input, err) : CMD_OK;
}

enum cmd_exit
audit_waive(const struct ibs_settings *settings, int argc, char *const *argv)
{
	struct audit_input input = { .store = NULL };
	enum cmd_exit status =
		audit_load_map(settings, IBS_STORE_WRITE, &input);

	if (status == CMD_OK) {
		status = waive(settings, &input, argc, argv);
	}
	audit_free_past(&input);
	return status;
}
