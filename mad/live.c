// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "names.h"
#include "reader.h"
#include "smi.h"

#define STEP_WAIT_MS 20
#define NS_PER_MS    UINT64_C(1000000)
#define QUIET_NS     (1000 * NS_PER_MS) /* no progress is shown before */
#define PROGRESS_NS  (250 * NS_PER_MS)

const struct ibs_scope live_whole = { .whole = true };

/* One for the process, which may read more than once: finding the device may
 * take seconds. */
static struct clock live_clock;

/* How far it is, on one line that is written over. */
struct progress {
	bool on;
	bool shown;
	uint64_t next_ns;
};

static void
show_progress(struct progress *progress, const struct ibs_sweep *sweep)
{
	struct ibs_progress now;

	if (!progress->on || host_monotonic_ns() < progress->next_ns) {
		return;
	}
	progress->next_ns = host_monotonic_ns() + PROGRESS_NS;
	progress->shown = true;
	ibs_sweep_progress(sweep, &now);
	(void)fprintf(stderr, "\ribspeed: %u nodes, %u ports, %u Gets sent ",
		      now.n_nodes, now.n_ports, now.n_smps);
	(void)fflush(stderr);
}

static void
end_progress(const struct progress *progress)
{
	if (progress->shown) {
		(void)fprintf(stderr, "\r%60s\r", "");
	}
}

static int
run(struct reader *reader)
{
	struct progress progress = { .on = isatty(STDERR_FILENO) };
	int got = 0;

	progress.next_ns = host_monotonic_ns() + QUIET_NS;
	while (got >= 0 && !ibs_sweep_done(reader->sweep)) {
		got = reader_step(reader, STEP_WAIT_MS);
		show_progress(&progress, reader->sweep);
	}
	end_progress(&progress);
	return got < 0 ? got : 0;
}

static enum cmd_exit
finish(struct ibs_sweep *sweep, const struct ibs_scope *scope,
       struct clock *clock, struct ibs_map **ret_map)
{
	struct ibs_map *map;
	int err = ibs_sweep_finish(sweep, &map);

	if (err == -ETIMEDOUT || err == -EREMOTEIO) {
		message("%s %s",
			scope->n_hops ? "the node at the directed route"
				      : "the local port",
			err == -ETIMEDOUT ? "does not answer SMPs"
					  : "refuses NodeInfo");
		return scope->n_hops ? CMD_INCOMPLETE : CMD_FAILED;
	}
	if (!err) {
		clock_end(clock, map);
		err = ibs_map_freeze(map);
		if (err) {
			ibs_map_free(map);
		}
	}
	if (err) {
		message("cannot finish the map: %s", strerror(-err));
		return CMD_FAILED;
	}
	*ret_map = map;
	return CMD_OK;
}

static enum cmd_exit
discover(struct reader *reader, const struct ibs_settings *settings,
	 const struct ibs_scope *scope, struct ibs_map **ret_map)
{
	const struct ibs_sweep_limits limits = reader_limits(settings);
	int err;

	clock_begin(reader->clock, smi_port(reader->smi));
	err = ibs_sweep_discover(scope, &limits,
				 (uint32_t)clock_last_ns(reader->clock),
				 &reader->sweep);
	if (err) {
		message("cannot sweep: %s", strerror(-err));
		return CMD_FAILED;
	}
	err = run(reader);
	if (err) {
		message("the umad port failed: %s", strerror(-err));
		ibs_sweep_free(reader->sweep);
		return CMD_FAILED;
	}
	return finish(reader->sweep, scope, reader->clock, ret_map);
}

int
live_m_key_from_text(const char *text, uint64_t *ret_m_key)
{
	char *end;

	errno = 0;
	*ret_m_key = strtoull(text, &end, 0);
	if (errno || *end || *text == '-') {
		message("m_key is \"%s\", expected a number of up to 64 bits",
			text);
		return -EINVAL;
	}
	return 0;
}

enum cmd_exit
live_open(const struct ibs_settings *settings, const struct live_agent *agent,
	  struct smi **ret_smi)
{
	const struct smi_options options = {
		.ca = settings->ca,
		.port = settings->port,
		.timeout_ms = agent->timeout_ms ? agent->timeout_ms
						: settings->timeout_ms,
		.debug = settings->debug,
		.sa = agent->sa,
		.clock = agent->clock,
	};
	char error[512];
	uint64_t m_key;

	if (live_m_key_from_text(settings->m_key, &m_key)) {
		return CMD_USAGE;
	}
	if (smi_open(&options, ret_smi, error, sizeof(error))) {
		message("%s%s", agent->sa ? "cannot ask the SA: " : "", error);
		return CMD_FAILED;
	}
	smi_set_m_key(*ret_smi, m_key);
	return CMD_OK;
}

enum cmd_exit
live_read(const struct ibs_settings *settings, const struct ibs_scope *scope,
	  struct ibs_map **ret_map)
{
	const struct live_agent agent = { .clock = &live_clock };
	struct reader reader = { .clock = &live_clock,
				 .tell_errors = settings->errors };
	enum cmd_exit status;

	if (names_check(settings->node_name_map)) {
		return CMD_USAGE;
	}
	status = live_open(settings, &agent, &reader.smi);
	if (status != CMD_OK) {
		return status;
	}
	status = discover(&reader, settings, scope, ret_map);
	smi_close(reader.smi);
	return status;
}

const char *
live_no_device(uint64_t port_guid)
{
	const struct ibs_clock *sweep = &live_clock.sweep;

	return live_clock.kind && !*sweep->device &&
			       sweep->port_guid == port_guid
		       ? sweep->reason
		       : NULL;
}

void
live_close(void)
{
	clock_free(&live_clock);
}

int
live_scope_from_text(const char *text, struct ibs_scope *ret_scope)
{
	struct ibs_scope scope = { .n_hops = 0 };

	for (unsigned int i = 0;; i++) {
		char *end;
		unsigned long port = strtoul(text, &end, 10);

		if (end == text || *text < '0' || *text > '9' ||
		    port > UINT8_MAX - 1 || i > IBS_HOPS_MAX ||
		    (i == 0) != (port == 0) || (*end && *end != ',')) {
			return -EINVAL;
		}
		scope.path[i] = (uint8_t)port;
		scope.n_hops = (uint8_t)i;
		if (!*end) {
			break;
		}
		text = end + 1;
	}
	*ret_scope = scope;
	return 0;
}
