/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * link: two ports judged together: what they run at, what both ends enable,
 * what both ends could, and the findings.
 *
 * locks   none; pure
 */
#ifndef IBSPEED_LINK_H
#define IBSPEED_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "ibspeed/port.h"
#include "ibspeed/speed.h"

enum ibs_severity {
	IBS_SEVERITY_NOTE,	 /* told apart from findings, never an exit 1 */
	IBS_SEVERITY_INCOMPLETE, /* something was not read */
	IBS_SEVERITY_FINDING
};

/* Who judges: the two ends of a link, or an audit, which knows more. */
enum ibs_judge { IBS_BY_LINK, IBS_BY_AUDIT };

/*
 * The findings, most serious first.  A link carries a set of them.
 *
 * id, name, severity, judged by, what it says
 */
#define IBS_FINDINGS(X)                                                        \
	X(DEGRADED_WIDTH, "degraded-width", FINDING, LINK,                     \
	  "fewer lanes than both ends enable")                                 \
	X(DEGRADED_SPEED, "degraded-speed", FINDING, LINK,                     \
	  "slower lanes than both ends enable")                                \
	X(MISMATCH, "mismatch", FINDING, LINK,                                 \
	  "the two ends disagree on the active width or speed")                \
	X(BELOW_POLICY, "below-policy", FINDING, AUDIT,                        \
	  "below what the policy or the baseline asks")                        \
	X(MISSING, "missing", FINDING, AUDIT,                                  \
	  "the baseline or the policy expects a link that is down or gone")    \
	X(FLAPPING, "flapping", FINDING, AUDIT,                                \
	  "changed more often than the policy allows")                         \
	X(UNKNOWN, "unknown", INCOMPLETE, LINK,                                \
	  "an end did not answer, or its codes are not known")                 \
	X(LIMITED_BY_CONFIG, "limited-by-config", NOTE, LINK,                  \
	  "one end enables less than both ends support")                       \
	X(LIMITED_BY_PEER, "limited-by-peer", NOTE, LINK,                      \
	  "one end supports more than the other")                              \
	X(NOT_ENABLED, "not-enabled", NOTE, LINK,                              \
	  "the active width or speed is not in the enabled set")               \
	X(SM_DISAGREES, "sm-disagrees", NOTE, LINK,                            \
	  "OpenSM's own record says another width or speed")                   \
	X(MOVED, "moved", NOTE, AUDIT,                                         \
	  "the baseline has the cable of one end elsewhere")                   \
	X(NEW_LINK, "new-link", NOTE, AUDIT, "the baseline does not have it")

enum ibs_finding {
#define X(id, name, severity, by, says) IBS_FINDING_##id,
	IBS_FINDINGS(X)
#undef X
		IBS_FINDING_COUNT
};

struct ibs_finding_row {
	const char *name;
	const char *says;
	enum ibs_severity severity;
	enum ibs_judge by;
};
const struct ibs_finding_row *ibs_finding_row(enum ibs_finding finding);
/* By its name; IBS_FINDING_COUNT when there is none. */
enum ibs_finding ibs_finding_find(const char *name);

/* A width and a speed, each NONE or UNKNOWN when there is none. */
struct ibs_pair {
	uint8_t speed; /* enum ibs_speed */
	uint8_t width; /* enum ibs_width */
};

struct ibs_link {
	struct ibs_pair active;	    /* of width and speed each the worse end */
	struct ibs_pair expected;   /* best of enabled & supported of both */
	struct ibs_pair capability; /* best of supported of both */
	ibs_set findings;	    /* IBS_BIT(enum ibs_finding) */
	int32_t eff_100mbps;	    /* of the worse end; -1 not known */
};

/* What else the judge may know of a link. */
struct ibs_link_facts {
	bool has_sm[2]; /* sm[i] is OpenSM's own view of end i */
	struct ibs_pair sm[2];
	bool sm_forces_width; /* its force_link_* options limit links */
	bool sm_forces_speed;
};

/*
 * Judges the link of the ends a and b.
 * in      facts  may be NULL: two ports alone
 */
void ibs_link_judge(const struct ibs_port *a, const struct ibs_port *b,
		    const struct ibs_link_facts *facts,
		    struct ibs_link *ret_link);
/* A link with one end only: nobody is known at the other. */
void ibs_link_judge_alone(const struct ibs_port *a, struct ibs_link *ret_link);

/* True if the port's QDR may be the FDR10 of the other: nobody told. */
bool ibs_link_may_be_fdr10(const struct ibs_port *port, enum ibs_speed speed,
			   enum ibs_speed other);

/* True if the set holds a finding of that severity. */
bool ibs_findings_have(ibs_set findings, enum ibs_severity severity);
/*
 * What expected minus active is worth, 100 Mb/s; 0 when nothing is lost or
 * when it is not known.
 */
int32_t ibs_link_lost_100mbps(const struct ibs_link *link);

#endif
