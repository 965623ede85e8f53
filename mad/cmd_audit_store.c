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
#include "host.h"
#include "policy_file.h"

enum cmd_exit
audit_failed(const struct audit_input *input, int err)
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

/* With --at nobody knows yet what is waived later. */
static void
drop_later_waivers(struct audit_input *input)
{
	size_t n = 0;

	for (size_t i = 0; i < input->n_waivers; i++) {
		if (input->waivers[i].at_ns <= input->now_ns) {
			input->waivers[n++] = input->waivers[i];
		}
	}
	input->n_waivers = n;
}

enum cmd_exit
audit_load_past(struct audit_input *input)
{
	int err;

	if (!input->store) {
		return CMD_OK;
	}
	err = ibs_store_get_baseline(input->store,
				     *input->settings->at &&
						     !input->settings->accept
					     ? input->now_ns
					     : IBS_STORE_NOW,
				     &input->baseline);
	input->has_baseline = !err;
	if (err == -ENODATA) {
		err = 0;
	}
	if (!err) {
		err = ibs_store_get_waivers(input->store, &input->waivers,
					    &input->n_waivers);
	}
	if (!err) {
		drop_later_waivers(input);
	}
	if (!err && input->map->sweep.id) {
		err = load_changes(input);
	}
	return err ? audit_failed(input, err) : CMD_OK;
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

void
audit_fill(const struct audit_input *input, struct ibs_audit_request *request)
{
	request->map = input->map;
	request->policy = input->has_policy ? &input->policy : NULL;
	request->policy_file = input->settings->policy;
	request->baseline = input->has_baseline ? &input->baseline : NULL;
	request->waivers = input->waivers;
	request->n_waivers = input->n_waivers;
	request->flaps = (const uint16_t *const *)input->changes;
	request->now_ns = input->now_ns;
}

/* Links that are accepted although something is wrong with them. */
static enum cmd_exit
count_found(const struct audit_input *input, const struct ibs_place *place,
	    uint32_t *ret_n)
{
	struct ibs_audit_request request = { .map = NULL };
	struct ibs_audit audit;
	int err;

	audit_fill(input, &request);
	err = ibs_audit_make(&request, &audit);
	if (err) {
		return audit_failed(input, err);
	}
	*ret_n = 0;
	for (uint32_t i = 0; i < audit.n_rows; i++) {
		const struct ibs_audit_row *row = &audit.rows[i];

		*ret_n += row->link != IBS_NO_INDEX && row->eff_100mbps > 0 &&
			  ibs_findings_have(row->findings,
					    IBS_SEVERITY_FINDING) &&
			  (!place || audit_row_is_at(&audit, row, place));
	}
	ibs_audit_free(&audit);
	return CMD_OK;
}

/* "11 links accepted by root, 3 of them with findings; 1 that the baseline had
 * is not there any more" */
static void
print_accepted(const struct ibs_accepted *accepted, uint32_t n_found,
	       const char *who)
{
	printf("%u %s accepted by %s", accepted->n_links,
	       accepted->n_links == 1 ? "link" : "links", who);
	if (n_found && n_found == accepted->n_links) {
		printf(", with findings");
	} else if (n_found) {
		printf(", %u of them with findings", n_found);
	}
	if (accepted->n_changed) {
		printf("; %u %s another width or speed than the baseline had",
		       accepted->n_changed,
		       accepted->n_changed == 1 ? "has" : "have");
	}
	if (accepted->n_gone) {
		printf("; %u that the baseline had %s not there any more",
		       accepted->n_gone, accepted->n_gone == 1 ? "is" : "are");
	}
	putchar('\n');
}

static enum cmd_exit
accept_place(struct audit_input *input, const struct ibs_place *place)
{
	struct ibs_acceptance acceptance = { .place = place,
					     .at_ns = host_realtime_ns() };
	struct ibs_accepted accepted;
	char who[IBS_WHO_SIZE];
	uint32_t n_found;
	enum cmd_exit status = count_found(input, place, &n_found);
	int err;

	if (status != CMD_OK) {
		return status;
	}
	host_user(who, sizeof(who));
	acceptance.who = who;
	err = ibs_store_accept(input->store, input->map, &acceptance,
			       &accepted);
	if (err == -ENODATA) {
		message("audit: no link there, neither in the map nor in the "
			"baseline: nothing to accept");
		return CMD_USAGE;
	}
	if (err) {
		return audit_failed(input, err);
	}
	print_accepted(&accepted, n_found, who);
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
	struct ibs_place place;
	enum cmd_exit status =
		policy_file_load(settings, &input.policy, &input.has_policy);

	if (status == CMD_OK) {
		status = audit_load_map(settings, IBS_STORE_WRITE, &input);
	}
	if (status == CMD_OK) {
		status = audit_load_past(&input);
	}
	if (status == CMD_OK && argc) {
		status = audit_find_place(&input, argv, &place);
	}
	if (status == CMD_OK) {
		status = accept_place(&input, argc ? &place : NULL);
	}
	audit_free_past(&input);
	return status;
}
