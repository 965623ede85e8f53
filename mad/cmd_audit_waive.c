// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* ibspeed audit --waive: what nobody wants to hear of for a time. */
#include <config.h>

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd_audit.h"
#include "host.h"
#include "policy_file.h"
#include "when.h"

/* "now" ends a waiver; a day stands for all of it. */
static int
until_from_text(const char *text, int64_t *ret_ns)
{
	if (strcmp(text, "now") == 0) {
		*ret_ns = 0;
		return 0;
	}
	return when_from_text(text, true, ret_ns);
}

static enum cmd_exit
check_reason(const char *reason)
{
	for (const char *c = reason; *c; c++) {
		if (iscntrl((unsigned char)*c)) {
			message("audit: --reason has a control character, "
				"expected one line of text");
			return CMD_USAGE;
		}
	}
	if (!*reason) {
		message("audit: --waive needs --reason=TEXT");
		return CMD_USAGE;
	}
	return CMD_OK;
}

enum cmd_exit
audit_check_waiver(const struct ibs_settings *settings, int argc)
{
	bool now = strcmp(settings->until, "now") == 0;
	int64_t until_ns;

	if (argc == 0) {
		return CMD_OK; /* a list is wanted */
	}
	if (!*settings->until) {
		message("audit: --waive needs --until=TIME");
		return CMD_USAGE;
	}
	if (until_from_text(settings->until, &until_ns)) {
		message("audit: --until is \"%s\", " WHEN_EXPECTED ", or now",
			settings->until);
		return CMD_USAGE;
	}
	if (!now && until_ns <= host_realtime_ns()) {
		message("audit: --until is \"%s\", expected a time to come",
			settings->until);
		return CMD_USAGE;
	}
	return now ? CMD_OK : check_reason(settings->reason);
}

/* Of the policy, the baseline and the map, without any waiver. */
static enum cmd_exit
find_findings(const struct audit_input *input, const struct ibs_place *place,
	      ibs_set *ret_findings)
{
	struct ibs_audit_request request = { .map = NULL };
	struct ibs_audit audit;
	int err;

	audit_fill(input, &request);
	request.n_waivers = 0;
	err = ibs_audit_make(&request, &audit);
	if (err) {
		return audit_failed(input, err);
	}
	*ret_findings = 0;
	for (uint32_t i = 0; i < audit.n_rows; i++) {
		if (audit_row_is_at(&audit, &audit.rows[i], place)) {
			*ret_findings |= audit.rows[i].findings;
		}
	}
	ibs_audit_free(&audit);
	return CMD_OK;
}

/* Nothing is waived there: is the node that it is of? */
static enum cmd_exit
nothing_ended(const struct audit_input *input, const struct ibs_waiver *ended,
	      char *const *argv)
{
	for (size_t i = 0; ended->num >= 0 && i < input->n_waivers; i++) {
		const struct ibs_waiver *waiver = &input->waivers[i];

		if (waiver->guid == ended->guid && waiver->num < 0 &&
		    waiver->instance == ended->instance) {
			message("audit: port %s of \"%s\" has no waiver; the "
				"whole node has one: --waive %s --until now",
				argv[1], argv[0], argv[0]);
			return CMD_USAGE;
		}
	}
	message("audit: \"%s\"%s%s has no waiver; --waive alone lists them",
		argv[0], ended->num < 0 ? "" : " port ",
		ended->num < 0 ? "" : argv[1]);
	return CMD_USAGE;
}

static struct ibs_waiver_list
list_of(const struct audit_input *input)
{
	return (struct ibs_waiver_list){
		.map = input->map,
		.baseline = input->has_baseline ? &input->baseline : NULL,
		.waivers = input->waivers,
		.n = input->n_waivers,
		.now_ns = input->now_ns,
	};
}

static enum cmd_exit
waive(struct audit_input *input, char *const *argv)
{
	const struct ibs_settings *settings = input->settings;
	struct ibs_waiver waiver = { .at_ns = host_realtime_ns() };
	struct ibs_waiver_list list = list_of(input);
	struct ibs_place place;
	enum cmd_exit status = audit_find_place(input, argv, &place);
	int err;

	if (status == CMD_OK) {
		status = find_findings(input, &place, &waiver.findings);
	}
	if (status != CMD_OK) {
		return status;
	}
	waiver.guid = place.guid;
	waiver.instance = place.instance;
	waiver.num = place.num;
	(void)until_from_text(settings->until, &waiver.until_ns);
	(void)snprintf(waiver.reason, sizeof(waiver.reason), "%s",
		       settings->reason);
	host_user(waiver.who, sizeof(waiver.who));
	err = ibs_store_waive(input->store, &waiver);
	if (err == -ENOENT) {
		return nothing_ended(input, &waiver, argv);
	}
	return err ? audit_failed(input, err)
		   : cmd_written(ibs_waiver_line(stdout, &list, &waiver));
}

enum cmd_exit
audit_waive(const struct ibs_settings *settings, int argc, char *const *argv)
{
	struct audit_input input = { .store = NULL };
	enum cmd_exit status =
		policy_file_load(settings, &input.policy, &input.has_policy);

	if (status == CMD_OK) {
		status = audit_load_map(settings,
					argc ? IBS_STORE_WRITE : IBS_STORE_READ,
					&input);
	}
	if (status == CMD_OK) {
		status = audit_load_past(&input);
	}
	if (status == CMD_OK && argc) {
		status = waive(&input, argv);
	} else if (status == CMD_OK) {
		struct ibs_waiver_list list = list_of(&input);

		status = cmd_written(ibs_waivers_text(stdout, &list));
	}
	audit_free_past(&input);
	return status;
}
