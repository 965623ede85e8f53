/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* cmd_audit: what the files of ibspeed audit share. */
#ifndef IBSPEED_CMD_AUDIT_H
#define IBSPEED_CMD_AUDIT_H

#include <stdint.h>

#include "cmd.h"
#include "health.h"
#include "ibspeed/audit.h"
#include "ibspeed/store.h"

/* What is audited, and what it is compared with. */
struct audit_input {
	const struct ibs_settings *settings;
	struct ibs_store *store; /* NULL: none, with --live */
	struct ibs_map *map;
	struct ibs_policy policy;
	bool has_policy;
	struct ibs_baseline baseline;
	bool has_baseline;
	struct ibs_waiver *waivers;
	size_t n_waivers;
	uint16_t **changes; /* [policy.n], NULL or of its window */
	int64_t now_ns;
	char stale[HEALTH_SIZE]; /* why the map is not up to date; "" it is */
};

/*
 * Baseline, waivers and how often ports changed.
 * returns CMD_OK, or what to exit with; the message has been given
 */
enum cmd_exit audit_load_past(struct audit_input *input);
void audit_free_past(struct audit_input *input);
/* The store's words for what it could not do. */
enum cmd_exit audit_failed(const struct audit_input *input, int err);
/* The audit is made of these. */
void audit_fill(const struct audit_input *input,
		struct ibs_audit_request *request);

/* NODE [PORT] of the map, or of the baseline when it is gone; a message. */
enum cmd_exit audit_find_place(const struct audit_input *input,
			       char *const *argv, struct ibs_place *ret_place);
/* An end of the row is of the place. */
bool audit_row_is_at(const struct ibs_audit *audit,
		     const struct ibs_audit_row *row,
		     const struct ibs_place *place);

/* --accept and --waive: argv is NODE [PORT], or nothing. */
enum cmd_exit audit_accept(const struct ibs_settings *settings, int argc,
			   char *const *argv);
enum cmd_exit audit_waive(const struct ibs_settings *settings, int argc,
			  char *const *argv);
/* The words alone, before anything is opened. */
enum cmd_exit audit_check_waiver(const struct ibs_settings *settings, int argc);

/* The map that the settings name, and its store; with names of nodes. */
enum cmd_exit audit_load_map(const struct ibs_settings *settings,
			     enum ibs_store_mode mode,
			     struct audit_input *input);

#endif
