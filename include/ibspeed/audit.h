/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * audit: what is slow in a map, why, what it costs, and what it should be: a
 * row per link with a finding, with reasons, the capacity that it lost, and
 * what that means for switches, for parallel links and for the whole.
 *
 * units   *_100mbps  100 Mb/s, effective
 * owner   borrows all that it is made from; ibs_audit_free
 * locks   none; pure
 */
#ifndef IBSPEED_AUDIT_H
#define IBSPEED_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ibspeed/baseline.h"
#include "ibspeed/map.h"
#include "ibspeed/policy.h"
#include "ibspeed/writer.h"

/* What is audited, by what, and what is to be told. */
struct ibs_audit_request {
	const struct ibs_map *map;
	const struct ibs_policy *policy;     /* NULL: none */
	const char *policy_file;	     /* its name, for the reasons */
	const struct ibs_baseline *baseline; /* NULL: none */
	const struct ibs_waiver *waivers;
	size_t n_waivers;
	/* for each rule NULL, or how often each port of the map changed inside
	 * of the rule's window; NULL: the past is not known */
	const uint16_t *const *flaps;
	int64_t now_ns;	   /* for the waivers, CLOCK_REALTIME */
	const char *stale; /* why the map is not to be trusted; NULL it is */
	bool notes;	   /* limited-by-peer too */
	bool strict;	   /* a note is as bad as a finding */
	ibs_set only;	   /* these findings; 0: all */
	const char *node;  /* links of nodes of that name; NULL: all */
	int64_t min_lost_100mbps; /* links that lost so much */
	unsigned int verbose;	  /* 1: switches and groups without loss too */
};

/* Why it is so: a row of the table in audit_reason.c, and its numbers. */
struct ibs_reason {
	uint8_t code;	     /* enum ibs_reason_code */
	uint8_t finding;     /* enum ibs_finding that it explains */
	uint8_t end;	     /* index in ends[] that it speaks of */
	struct ibs_pair has; /* NONE: that part is not spoken of */
	struct ibs_pair wants;
	const char *field; /* IBA component or option; NULL none */
	uint32_t value;	   /* its raw value, or a count */
	uint32_t limit;
	uint32_t rule;	/* of the policy, or NO_INDEX */
	uint32_t other; /* link of the baseline, or waiver; or NO_INDEX */
};

struct ibs_audit_end {
	uint32_t node;	/* in the map, or NO_INDEX */
	uint32_t port;	/* in the map, or NO_INDEX */
	uint32_t known; /* in the baseline's nodes, when not in the map */
	int16_t num;	/* -1: the node as a whole, or nobody */
};

/* A link with a finding, or one that should be there. */
struct ibs_audit_row {
	ibs_set findings;
	uint32_t link; /* in the map; NO_INDEX: it is not there */
	struct ibs_audit_end ends[2];
	struct ibs_pair active;
	struct ibs_pair expected; /* by policy, baseline or both ends */
	int32_t eff_100mbps;	  /* 0 down or gone; -1 not known */
	int32_t expected_100mbps; /* -1 not known */
	int64_t lost_100mbps;
	uint32_t n_links; /* 1, or how many of a pair of nodes are missing */
	uint32_t rule;	  /* of the policy that it offends; NO_INDEX none */
	uint32_t waiver;  /* that is in force; NO_INDEX none */
	uint32_t first_reason, n_reasons;
};

/* What links carry against what they should. */
struct ibs_capacity {
	uint32_t n_links; /* all of the following */
	uint32_t n_full;
	uint32_t n_half, n_quarter; /* exactly so much */
	uint32_t n_slow;	    /* another part */
	uint32_t n_down;	    /* down or gone */
	uint32_t n_unknown;	    /* in none of the sums */
	uint64_t eff_100mbps;
	uint64_t expected_100mbps;
};

/* Parallel links of two nodes, in the order of their names. */
struct ibs_audit_group {
	struct ibs_audit_end ends[2];
	struct ibs_capacity capacity;
};

struct ibs_audit_switch {
	uint32_t node;		  /* in the map */
	struct ibs_capacity up;	  /* towards switches */
	struct ibs_capacity down; /* towards hosts */
};

struct ibs_audit {
	struct ibs_audit_request request;
	/* the map with the links of rows, in their order */
	struct ibs_report report;
	struct ibs_audit_row *rows; /* most capacity lost first, waived last */
	struct ibs_reason *reasons;
	struct ibs_audit_group *groups;	   /* most lost first */
	struct ibs_audit_switch *switches; /* most lost first */
	uint32_t n_rows, n_reasons, n_groups, n_switches;
	uint32_t n_all; /* rows, told or not */
	/* of the rows that are told */
	uint32_t n_findings[IBS_FINDING_COUNT];
	uint32_t n_found, n_noted, n_unknown, n_waived; /* rows */
	/* of all links, whatever is told */
	struct ibs_capacity by_role[IBS_ROLE_COUNT];
	struct ibs_capacity total;
	bool complete; /* nothing was left unread */
	bool *used;    /* [policy->n] the rule fits a link */
};

/*
 * errors  -ENOMEM, -ENOENT no node has the name that is asked for
 */
int ibs_audit_make(const struct ibs_audit_request *request,
		   struct ibs_audit *ret_audit);
void ibs_audit_free(struct ibs_audit *audit);

/* Something is wrong: findings, or with strict notes, that are not waived. */
bool ibs_audit_found(const struct ibs_audit *audit);
/* Nothing is unread or unknown, and the map is up to date. */
bool ibs_audit_sure(const struct ibs_audit *audit);

/* "lanes-lost"; never NULL */
const char *ibs_reason_name(const struct ibs_reason *reason);

/* Waivers, and the names of their nodes. */
struct ibs_waiver_list {
	const struct ibs_map *map;
	const struct ibs_baseline *baseline; /* NULL: none */
	const struct ibs_waiver *waivers;
	size_t n;
	int64_t now_ns; /* CLOCK_REALTIME; who ends later is in force */
};
/* As a table.  errors  -EIO, -ENOMEM */
int ibs_waivers_text(FILE *out, const struct ibs_waiver_list *list);
/* What became of one of them, in a line; until_ns 0: it was ended. */
int ibs_waiver_line(FILE *out, const struct ibs_waiver_list *list,
		    const struct ibs_waiver *waiver);

/* One line for Nagios and its kin, with perfdata. */
int ibs_audit_nagios(FILE *out, const struct ibs_audit *audit);

#endif
