/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* audit_private: what the audit*.c files share while an audit is made. */
#ifndef IBSPEED_LIB_AUDIT_PRIVATE_H
#define IBSPEED_LIB_AUDIT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/audit.h"

/*
 * code, name, what it says.  In the text:
 *   %e %p  the end that it speaks of and the other one, "leaf07/12"
 *   %h %w  what it has and what it wants: "4X", "HDR", "4xHDR"
 *   %f %v  a field and its raw value        %n %l  count and limit
 *   %r     the rule, "[name] of FILE:LINE"  %t     the rule's time
 *   %b     when the baseline was accepted   %o     where it has the end
 *   %c     "change" or "changes"
 *   %a     what became of the Get           %x     the waiver
 */
#define IBS_REASONS(X)                                                         \
	X(LANES_LOST, "lanes-lost",                                            \
	  "width %h, both ends enable %w: reseat or replace the cable")        \
	X(SPEED_LOST, "speed-lost",                                            \
	  "speed %h, both ends enable %w: reseat or replace the cable")        \
	X(ONE_END_DOWN, "one-end-down",                                        \
	  "%e is up, %p says it is down: read again, then look at %p")         \
	X(ENDS_DIFFER, "ends-differ",                                          \
	  "%e runs at %h, %p at %w: retrain the link or replace the cable")    \
	X(NO_ANSWER, "no-answer", "%e did not answer: %a")                     \
	X(NOBODY_BEHIND, "nobody-behind",                                      \
	  "who is behind %e did not answer: %a")                               \
	X(NO_PEER, "no-peer", "nobody knows who is behind %e")                 \
	X(UNKNOWN_CODE, "unknown-code",                                        \
	  "%e has %f %v, a code that is not known")                            \
	X(ENABLES_LESS, "enables-less",                                        \
	  "%e enables %h only (%f %v), %p %w: set it or expect %h")            \
	X(BOTH_ENABLE_LESS, "both-enable-less",                                \
	  "%e enables %h only (%f %v), both ends support %w: set it or "       \
	  "expect %h")                                                         \
	X(SM_FORCES, "sm-forces",                                              \
	  "limited to %h by %f %n in opensm.conf, both ends support %w")       \
	X(PEER_LIMITS, "peer-limits", "%e supports %h at most, %p %w")         \
	X(NOT_IN_SET, "not-in-set",                                            \
	  "%e runs at %h, its %f %v does not enable that: not retrained yet")  \
	X(SM_RECORD, "sm-record",                                              \
	  "OpenSM has %e at %w, the port says %h: a heavy sweep tells it")     \
	X(BELOW_EXPECT, "below-expect", "%h, %r expects %w")                   \
	X(BELOW_MIN, "below-min", "%g Gb/s, %r asks for %m")                   \
	X(SUPPORTS_LESS, "supports-less",                                      \
	  "together the ends support %h at most")                              \
	X(BELOW_BASELINE, "below-baseline", "%h, the baseline of %b has %w")   \
	X(LINK_DOWN, "link-down",                                              \
	  "%e is down, the baseline of %b has %w to %p: look at the cable")    \
	X(OTHER_CABLE, "other-cable",                                          \
	  "%e has another cable, the baseline of %b has %w to %p: look for "   \
	  "it")                                                                \
	X(LINK_GONE, "link-gone",                                              \
	  "neither end is there, the baseline of %b has %w")                   \
	X(PORT_DOWN, "port-down", "%e is down, %r expects %w")                 \
	X(PORT_DOWN_MIN, "port-down-min", "%e is down, %r asks for %m Gb/s")   \
	X(TOO_FEW, "too-few", "%n of %l links, by %r")                         \
	X(FEW_KNOWN, "few-known",                                              \
	  "%n of %l links, by %r; ports of both were not read")                \
	X(NOT_SEEN, "not-seen",                                                \
	  "not seen, and not all was read; the baseline of %b has %w")         \
	X(CHANGES, "changes", "%n %c in %t, %r allows %l")                     \
	X(ELSEWHERE, "elsewhere", "the baseline of %b has %e at %o")           \
	X(NOT_IN_BASELINE, "not-in-baseline", "not in the baseline of %b")     \
	X(WAIVER_ENDED, "waiver-ended", "its waiver ended: %x")

enum ibs_reason_code {
#define X(code, name, text) IBS_REASON_##code,
	IBS_REASONS(X)
#undef X
		IBS_REASON_COUNT
};

/* A cable for the sums; there is one for each link and each missing one. */
struct ibs_cable {
	/* nodes of the map, then those of the baseline that are not in it */
	uint32_t nodes[2];
	int32_t eff_100mbps; /* -1 not known */
	int32_t expected_100mbps;
	struct ibs_pair expected;
	uint32_t count_rule; /* of the policy; NO_INDEX none */
	uint8_t role;	     /* enum ibs_role */
};

struct ibs_auditing {
	const struct ibs_audit_request *request;
	struct ibs_audit *audit;
	uint32_t *link_of;  /* [map->n_ports] its link; NO_INDEX none */
	uint32_t *base_of;  /* [map->n_ports] its link in the baseline */
	uint32_t *map_node; /* [baseline->n_nodes] in the map; NO_INDEX */
	uint32_t *partner;  /* [baseline->n_links] the link of the map that took
			     * its place; NO_INDEX none */
	bool *told;	    /* [map->n_ports] a row speaks of it */
	struct ibs_cable *cables;
	uint32_t n_cables;
	uint32_t *ranks; /* [map->n_nodes] the place among the names */
	uint32_t rows_size, reasons_size, cables_size, groups_size;
};

/* A link while it is judged. */
struct ibs_case {
	const struct ibs_map_link *link; /* NULL: it is not in the map */
	struct ibs_port ports[2];	 /* of row.ends, decoded */
	uint32_t rules[IBS_DEMANDS];
	uint32_t base; /* its link in the baseline; NO_INDEX none */
	uint8_t role;  /* enum ibs_role */
	struct ibs_audit_row row;
};

/* errors  -ENOMEM for each of them */
int ibs_audit_add_row(struct ibs_auditing *auditing,
		      const struct ibs_audit_row *row);
int ibs_audit_add_cable(struct ibs_auditing *auditing,
			const struct ibs_case *work);
/* Belongs to the row that is added next. */
int ibs_audit_add_reason(struct ibs_auditing *auditing,
			 const struct ibs_reason *reason);

/* The reasons of the row's findings that the ends of a link explain. */
int ibs_audit_explain(struct ibs_auditing *auditing,
		      const struct ibs_case *work);

/* The rule that wins a demand; NULL none. */
const struct ibs_rule *ibs_audit_rule(const struct ibs_auditing *auditing,
				      const struct ibs_case *work,
				      enum ibs_demand demand);
/* Adds flapping to the row and its reason. */
int ibs_audit_flaps(struct ibs_auditing *auditing, struct ibs_case *work);
/* Drops what is ignored, puts the waiver in, adds the row if it has findings.
 */
int ibs_audit_close(struct ibs_auditing *auditing, struct ibs_case *work);

/* What became of an end that the baseline has. */
enum ibs_fate {
	IBS_FATE_ELSEWHERE, /* its port has another link, or still this one */
	IBS_FATE_ALONE,	    /* up, and nobody knows with whom: told already */
	IBS_FATE_UNREAD,    /* did not answer */
	IBS_FATE_DOWN,
	IBS_FATE_ABSENT
};
enum ibs_fate ibs_audit_fate(const struct ibs_auditing *auditing,
			     const struct ibs_audit_end *end);
void ibs_audit_ends_of_base(const struct ibs_auditing *auditing, uint32_t base,
			    struct ibs_audit_end ret_ends[2]);
/* True if the map has that link of the baseline where it was. */
bool ibs_audit_is_there(const struct ibs_auditing *auditing, uint32_t base);
/* The end as rules see it, from the map or else from the baseline. */
void ibs_audit_policy_end(const struct ibs_auditing *auditing,
			  const struct ibs_audit_end *end,
			  struct ibs_policy_end *ret_end);

/* map_node, base_of and partner. */
int ibs_audit_baseline_open(struct ibs_auditing *auditing);
int ibs_audit_find_nodes(struct ibs_auditing *auditing);
int ibs_audit_find_partners(struct ibs_auditing *auditing);
/* moved and new-link, of a link of the map. */
int ibs_audit_baseline_notes(struct ibs_auditing *auditing,
			     struct ibs_case *work);
/* Links that the baseline has and the map has not. */
int ibs_audit_missing(struct ibs_auditing *auditing);
/* Ports that are down and that a rule names, or that flap. */
int ibs_audit_down_ports(struct ibs_auditing *auditing);

/* Adds what a link carries, and should, to a sum. */
void ibs_capacity_add(struct ibs_capacity *sum, const struct ibs_cable *cable);
/* Groups, switches and sums, of the cables; too few links. */
int ibs_audit_sum(struct ibs_auditing *auditing);
/* Orders the rows and drops those that are not asked for; counts the rest. */
int ibs_audit_choose(struct ibs_auditing *auditing);

/* n indexes, none of them set; NULL no memory.  free() */
uint32_t *ibs_audit_no_indexes(uint32_t n);
void ibs_audit_end_of_port(const struct ibs_map *map, uint32_t port,
			   struct ibs_audit_end *ret_end);
extern const struct ibs_audit_end ibs_audit_nobody;
extern const struct ibs_pair ibs_pair_none;

#endif
