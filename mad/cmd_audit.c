// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* ibspeed audit: what is slow, why, what it costs, and what it should be. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_audit.h"
#include "find.h"
#include "health.h"
#include "host.h"
#include "ibspeed/address.h"
#include "ibspeed/writer.h"
#include "live.h"
#include "names.h"
#include "policy_file.h"
#include "store_path.h"
#include "when.h"

/* What a plugin of Nagios exits with. */
enum { NAGIOS_OK, NAGIOS_WARNING, NAGIOS_CRITICAL, NAGIOS_UNKNOWN };

/* Options that do not go together, or with so many arguments. */
struct conflict {
	bool wrong;
	const char *words;
};

static enum cmd_exit
check_conflicts(const struct conflict *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (rows[i].wrong) {
			message("audit: %s", rows[i].words);
			return CMD_USAGE;
		}
	}
	return CMD_OK;
}
#define CHECK_CONFLICTS(rows)                                                  \
	check_conflicts(rows, sizeof(rows) / sizeof((rows)[0]))

static enum cmd_exit
check_arguments(const struct ibs_settings *settings, int argc)
{
	bool accept = settings->accept, waive = settings->waive;
	bool path = settings->path, about = path || accept || waive;
	const struct conflict rows[] = {
		{ !path && argc > 2,
		  "expected NODE [PORT]; a name with blanks needs quotes" },
		{ !about && (settings->lid || settings->guid),
		  "-L and -G go with --path, --accept or --waive" },
		{ !about && argc > 0,
		  "NODE [PORT] goes with --accept or --waive; --node=PATTERN "
		  "chooses links" },
		{ waive && argc == 0 && (*settings->until || *settings->reason),
		  "--waive needs NODE [PORT]; alone it lists all waivers" },
	};

	return CHECK_CONFLICTS(rows);
}

/* Options that say what is listed, and how. */
static bool
shapes_a_list(const struct ibs_settings *settings)
{
	return *settings->node || *settings->only || *settings->min_lost ||
	       settings->notes || settings->strict || settings->nagios;
}

static enum cmd_exit
check_options(const struct ibs_settings *settings)
{
	bool at = *settings->at, live = settings->live;
	bool accept = settings->accept, waive = settings->waive;
	bool waiver = *settings->until || *settings->reason;
	bool stores = accept || waive;
	const struct conflict rows[] = {
		{ stores && shapes_a_list(settings),
		  "--accept and --waive go with none of --node, --only, "
		  "--min-lost, --notes, --strict, --nagios; NODE [PORT] says "
		  "of what" },
		{ stores && strcmp(settings->format, "text") != 0,
		  "--accept and --waive print text only" },
		{ accept && waive, "--accept and --waive exclude each other" },
		{ live && at, "--live and --at exclude each other" },
		{ waive && (live || at),
		  "--waive is about the store's latest map" },
		{ accept && live,
		  "--accept takes what is recorded; sweep first" },
		{ !waive && waiver, "--until and --reason go with --waive" },
		{ settings->path && (stores || at || settings->nagios),
		  "--path goes with none of --accept, --waive, --at, "
		  "--nagios" },
	};

	return CHECK_CONFLICTS(rows);
}

/* "degraded-width,missing" */
static enum cmd_exit
only_from_text(const char *text, ibs_set *ret_only)
{
	ibs_set only = 0;

	while (*text) {
		size_t length = strcspn(text, ",");
		enum ibs_finding finding;
		char name[IBS_WORD_SIZE];

		(void)snprintf(name, sizeof(name), "%.*s", (int)length, text);
		finding = ibs_finding_find(name);
		if (finding == IBS_FINDING_COUNT) {
			message("audit: --only has \"%s\", expected a finding "
				"such as degraded-width",
				name);
			return CMD_USAGE;
		}
		only |= IBS_BIT(finding);
		text += length + (text[length] == ',');
	}
	*ret_only = only;
	return CMD_OK;
}

/* What the words mean; nothing is opened before. */
static enum cmd_exit
parse(const struct ibs_settings *settings, int argc, char *const *argv,
      struct ibs_audit_request *request)
{
	enum cmd_exit status;
	int64_t number;

	status = settings->waive ? audit_check_waiver(settings, argc) : CMD_OK;
	if (status != CMD_OK) {
		return status;
	}
	if (argc > 1 && find_port_number(argv[1], &number)) {
		message("audit: port \"%s\": expected a number from 0 to 254",
			argv[1]);
		return CMD_USAGE;
	}
	if (*settings->at && when_from_text(settings->at, false, &number)) {
		message("audit: --at is \"%s\", " WHEN_EXPECTED, settings->at);
		return CMD_USAGE;
	}
	if (*settings->min_lost &&
	    ibs_gbps_from_text(settings->min_lost,
			       &request->min_lost_100mbps)) {
		message("audit: --min-lost is \"%s\", expected Gb/s such as "
			"100",
			settings->min_lost);
		return CMD_USAGE;
	}
	request->node = *settings->node ? settings->node : NULL;
	request->notes = settings->notes;
	request->strict = settings->strict;
	request->verbose = settings->verbose;
	return only_from_text(settings->only, &request->only);
}

/* The sweep that had ended last by --at; 0 the latest. */
static enum cmd_exit
find_sweep(const struct ibs_settings *settings, struct audit_input *input,
	   int64_t *ret_sweep_id)
{
	*ret_sweep_id = 0;
	if (!*settings->at) {
		return CMD_OK;
	}
	(void)when_from_text(settings->at, false, &input->now_ns);
	if (ibs_store_sweep_at(input->store, input->now_ns, ret_sweep_id)) {
		message("%s", ibs_store_error(input->store));
		return CMD_FAILED;
	}
	return CMD_OK;
}

static enum cmd_exit
load_recorded(const struct ibs_settings *settings, enum ibs_store_mode mode,
	      struct audit_input *input)
{
	char path[IBS_PATH_SIZE];
	int64_t sweep_id;
	enum cmd_exit status = store_path_open(settings, mode, &input->store,
					       path, sizeof(path));

	if (status == CMD_OK) {
		status = find_sweep(settings, input, &sweep_id);
	}
	return status == CMD_OK ? store_path_load_from(input->store, path,
						       sweep_id, &input->map)
				: status;
}

enum cmd_exit
audit_load_map(const struct ibs_settings *settings, enum ibs_store_mode mode,
	       struct audit_input *input)
{
	enum cmd_exit status;

	input->settings = settings;
	input->now_ns = host_realtime_ns();
	if (settings->live) {
		status = live_read(settings, &live_whole, &input->map);
		if (status == CMD_OK) {
			status = store_path_open_beside(settings, input->map,
							&input->store);
		}
	} else {
		status = load_recorded(settings, mode, input);
	}
	if (status == CMD_OK &&
	    names_apply(settings->node_name_map, input->map)) {
		status = CMD_USAGE;
	}
	return status;
}

static void
warn_of_unused(const struct ibs_settings *settings,
	       const struct ibs_audit *audit, const struct ibs_policy *policy)
{
	for (size_t i = 0; i < policy->n; i++) {
		if (!audit->used[i]) {
			message("%s:%d: [%s] fits no link of the map",
				settings->policy, policy->rules[i].line,
				policy->rules[i].name);
		}
	}
}

/* A past map is what it was; of the latest somebody has to take care. */
static void
check_age(const struct ibs_settings *settings, struct audit_input *input)
{
	if (input->store && !settings->live && !*settings->at) {
		health_of_store(input->store, input->map, input->now_ns,
				input->stale);
	}
}

/* Whatever it was, a page for monitoring needs it on its own line. */
static int
nagios_unknown(void)
{
	printf("IBSPEED UNKNOWN - %s\n", message_last());
	return NAGIOS_UNKNOWN;
}

static enum cmd_exit
verdict(const struct ibs_audit *audit)
{
	if (!ibs_audit_sure(audit)) {
		return CMD_INCOMPLETE;
	}
	return ibs_audit_found(audit) ? CMD_FINDINGS : CMD_OK;
}

static int
nagios_verdict(const struct ibs_audit *audit)
{
	if (ibs_audit_found(audit)) {
		return NAGIOS_CRITICAL;
	}
	return ibs_audit_sure(audit) ? NAGIOS_OK : NAGIOS_WARNING;
}

static enum cmd_exit
write(const struct ibs_settings *settings, const struct ibs_audit *audit,
      int *ret_verdict)
{
	const struct ibs_writer *writer = ibs_writer_find(settings->format);
	enum cmd_exit status =
		cmd_written(settings->nagios ? ibs_audit_nagios(stdout, audit)
					     : writer->audit(stdout, audit));

	*ret_verdict =
		settings->nagios ? nagios_verdict(audit) : (int)verdict(audit);
	return status;
}

static enum cmd_exit
audit_input(const struct ibs_settings *settings, struct audit_input *input,
	    const struct ibs_audit_request *asked, int *ret_verdict)
{
	struct ibs_audit_request request = *asked;
	struct ibs_audit audit;
	enum cmd_exit status;
	int err;

	audit_fill(input, &request);
	if (*input->stale) {
		request.stale = input->stale;
		message("audit: the map is not up to date: %s", input->stale);
	}
	err = ibs_audit_make(&request, &audit);
	if (err == -ENOENT) {
		message("audit: \"%s\" is no node of the map, nor of the "
			"baseline",
			request.node);
		return CMD_USAGE;
	}
	if (err) {
		message("no memory");
		return CMD_FAILED;
	}
	warn_of_unused(settings, &audit, &input->policy);
	status = write(settings, &audit, ret_verdict);
	ibs_audit_free(&audit);
	return status;
}

/* The exit status, which a plugin of Nagios has others for. */
static int
run_audit(const struct ibs_settings *settings,
	  const struct ibs_audit_request *request)
{
	struct audit_input input = { .store = NULL };
	enum cmd_exit status =
		policy_file_load(settings, &input.policy, &input.has_policy);
	int found = 0;

	if (status == CMD_OK) {
		status = audit_load_map(settings, IBS_STORE_READ, &input);
	}
	if (status == CMD_OK) {
		status = audit_load_past(&input);
	}
	if (status == CMD_OK) {
		check_age(settings, &input);
		status = audit_input(settings, &input, request, &found);
	}
	audit_free_past(&input);
	if (status == CMD_OK) {
		return found;
	}
	return settings->nagios ? nagios_unknown() : (int)status;
}

enum cmd_exit
cmd_audit(const struct ibs_settings *settings, int argc, char *const *argv)
{
	struct ibs_audit_request request = { .map = NULL };
	enum cmd_exit status = check_options(settings);

	if (status == CMD_OK) {
		status = check_arguments(settings, argc);
	}
	if (status == CMD_OK && settings->path) {
		return cmd_audit_path(settings, argc, argv);
	}
	if (status == CMD_OK) {
		status = parse(settings, argc, argv, &request);
	}
	if (status != CMD_OK) {
		return settings->nagios ? (enum cmd_exit)nagios_unknown()
					: status;
	}
	if (settings->accept) {
		return audit_accept(settings, argc, argv);
	}
	if (settings->waive) {
		return audit_waive(settings, argc, argv);
	}
	return (enum cmd_exit)run_audit(settings, &request);
}
