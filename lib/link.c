// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Two ports to a verdict.  Width and speed are judged apart, each by its merit
 * order; nothing here compares codes or units.
 */
#include <config.h>

#include "ibspeed/link.h"

#include <stddef.h>
#include <string.h>

const struct ibs_finding_row *
ibs_finding_row(enum ibs_finding finding)
{
	static const struct ibs_finding_row rows[IBS_FINDING_COUNT] = {
#define X(id, name, severity, by, says)                                        \
	{ name, says, IBS_SEVERITY_##severity, IBS_BY_##by },
		IBS_FINDINGS(X)
#undef X
	};

	return finding < IBS_FINDING_COUNT ? &rows[finding] : NULL;
}

enum ibs_finding
ibs_finding_find(const char *name)
{
	int i = 0;

	while (i < IBS_FINDING_COUNT &&
	       strcmp(name, ibs_finding_row((enum ibs_finding)i)->name) != 0) {
		i++;
	}
	return (enum ibs_finding)i;
}

bool
ibs_findings_have(ibs_set findings, enum ibs_severity severity)
{
	for (int i = 0; i < IBS_FINDING_COUNT; i++) {
		if ((findings & IBS_BIT(i)) &&
		    ibs_finding_row((enum ibs_finding)i)->severity ==
			    severity) {
			return true;
		}
	}
	return false;
}

static bool
speed_known(uint8_t speed)
{
	return ibs_speed_row((enum ibs_speed)speed) != NULL;
}

static bool
width_known(uint8_t width)
{
	return ibs_width_row((enum ibs_width)width) != NULL;
}

bool
ibs_link_may_be_fdr10(const struct ibs_port *port, enum ibs_speed speed,
		      enum ibs_speed other)
{
	return !port->fdr10_known && speed == IBS_SPEED_QDR &&
	       other == IBS_SPEED_FDR10;
}

/* True if the speeds, of a and of b, are the same as far as is known. */
static bool
speeds_agree(const struct ibs_port *a, enum ibs_speed speed_a,
	     const struct ibs_port *b, enum ibs_speed speed_b)
{
	return speed_a == speed_b ||
	       ibs_link_may_be_fdr10(a, speed_a, speed_b) ||
	       ibs_link_may_be_fdr10(b, speed_b, speed_a);
}

static bool
active_speeds_agree(const struct ibs_port *a, const struct ibs_port *b)
{
	return speeds_agree(a, (enum ibs_speed)a->speed, b,
			    (enum ibs_speed)b->speed);
}

static uint8_t
worse(uint8_t a, uint8_t b)
{
	return a < b ? a : b;
}

/*
 * What the link runs at: of each, width and speed, the worse end; UNKNOWN as
 * soon as one is.
 */
static struct ibs_pair
active_of(const struct ibs_port *a, const struct ibs_port *b)
{
	struct ibs_pair pair = { .speed = worse(a->speed, b->speed),
				 .width = worse(a->width, b->width) };

	if (a->speed != b->speed && active_speeds_agree(a, b)) {
		pair.speed = IBS_SPEED_FDR10;
	}
	if (a->speed == IBS_SPEED_UNKNOWN || b->speed == IBS_SPEED_UNKNOWN) {
		pair.speed = IBS_SPEED_UNKNOWN;
	}
	if (a->width == IBS_WIDTH_UNKNOWN || b->width == IBS_WIDTH_UNKNOWN) {
		pair.width = IBS_WIDTH_UNKNOWN;
	}
	return pair;
}

/* The worse end; -1, not known, is the worst. */
static int32_t
eff_of(const struct ibs_port *a, const struct ibs_port *b)
{
	return a->eff_100mbps < b->eff_100mbps ? a->eff_100mbps
					       : b->eff_100mbps;
}

/* Only switch port 0 may have no state, and it is no end of a link. */
static bool
is_unknown(const struct ibs_port *port)
{
	return port->speed == IBS_SPEED_UNKNOWN ||
	       port->width == IBS_WIDTH_UNKNOWN ||
	       port->state == IBS_PORT_UNUSED;
}

/* Known on both ends and not the same, or one end up and the other Down. */
static bool
is_mismatch(const struct ibs_port *a, const struct ibs_port *b)
{
	if (a->up != b->up) {
		return !is_unknown(a->up ? b : a);
	}
	return (speed_known(a->speed) && speed_known(b->speed) &&
		!active_speeds_agree(a, b)) ||
	       (width_known(a->width) && width_known(b->width) &&
		a->width != b->width);
}

static ibs_set
degraded(const struct ibs_link *link)
{
	ibs_set found = 0;

	if (width_known(link->active.width) &&
	    link->active.width < link->expected.width) {
		found |= IBS_BIT(IBS_FINDING_DEGRADED_WIDTH);
	}
	if (speed_known(link->active.speed) &&
	    link->active.speed < link->expected.speed) {
		found |= IBS_BIT(IBS_FINDING_DEGRADED_SPEED);
	}
	return found;
}

/*
 * Below what both support.  The same set enabled at both ends is a choice
 * unless the SM was told to force it.
 */
static bool
limited_by_config(const struct ibs_port *a, const struct ibs_port *b,
		  const struct ibs_link *link,
		  const struct ibs_link_facts *facts)
{
	bool width = link->expected.width < link->capability.width &&
		     (a->width_enabled != b->width_enabled ||
		      facts->sm_forces_width);
	bool speed = link->expected.speed < link->capability.speed &&
		     (a->speed_enabled != b->speed_enabled ||
		      facts->sm_forces_speed);

	return width || speed;
}

static bool
limited_by_peer(const struct ibs_port *a, const struct ibs_port *b)
{
	return ibs_width_best(a->width_supported) !=
		       ibs_width_best(b->width_supported) ||
	       !speeds_agree(a, ibs_speed_best(a->speed_supported), b,
			     ibs_speed_best(b->speed_supported));
}

static bool
not_enabled(const struct ibs_port *port)
{
	return (width_known(port->width) &&
		!(port->width_enabled & IBS_BIT(port->width))) ||
	       (speed_known(port->speed) &&
		!(port->speed_enabled & IBS_BIT(port->speed)));
}

static bool
sm_disagrees(const struct ibs_port *port, const struct ibs_link_facts *facts,
	     int end)
{
	const struct ibs_pair *sm = &facts->sm[end];

	if (!facts->has_sm[end] || !port->up || is_unknown(port)) {
		return false;
	}
	return sm->width != port->width ||
	       (sm->speed != port->speed &&
		!ibs_link_may_be_fdr10(port, (enum ibs_speed)port->speed,
				       (enum ibs_speed)sm->speed));
}

/* Notes about masks need two ends that are up and answered. */
static ibs_set
notes(const struct ibs_port *a, const struct ibs_port *b,
      const struct ibs_link *link, const struct ibs_link_facts *facts)
{
	ibs_set found = 0;

	if (a->up && b->up) {
		if (limited_by_config(a, b, link, facts)) {
			found |= IBS_BIT(IBS_FINDING_LIMITED_BY_CONFIG);
		}
		if (limited_by_peer(a, b)) {
			found |= IBS_BIT(IBS_FINDING_LIMITED_BY_PEER);
		}
		if (not_enabled(a) || not_enabled(b)) {
			found |= IBS_BIT(IBS_FINDING_NOT_ENABLED);
		}
	}
	if (sm_disagrees(a, facts, 0) || sm_disagrees(b, facts, 1)) {
		found |= IBS_BIT(IBS_FINDING_SM_DISAGREES);
	}
	return found;
}

void
ibs_link_judge(const struct ibs_port *a, const struct ibs_port *b,
	       const struct ibs_link_facts *facts, struct ibs_link *ret_link)
{
	static const struct ibs_link_facts nothing;
	struct ibs_link link = { .active = active_of(a, b),
				 .eff_100mbps = eff_of(a, b) };

	link.expected.width =
		(uint8_t)ibs_width_best(a->width_enabled & b->width_enabled);
	link.expected.speed =
		(uint8_t)ibs_speed_best(a->speed_enabled & b->speed_enabled);
	link.capability.width = (uint8_t)ibs_width_best(a->width_supported &
							b->width_supported);
	link.capability.speed = (uint8_t)ibs_speed_best(a->speed_supported &
							b->speed_supported);
	link.findings = degraded(&link);
	if (is_mismatch(a, b)) {
		link.findings |= IBS_BIT(IBS_FINDING_MISMATCH);
	}
	if (is_unknown(a) || is_unknown(b)) {
		link.findings |= IBS_BIT(IBS_FINDING_UNKNOWN);
	}
	link.findings |= notes(a, b, &link, facts ? facts : &nothing);
	*ret_link = link;
}

void
ibs_link_judge_alone(const struct ibs_port *a, struct ibs_link *ret_link)
{
	*ret_link = (struct ibs_link){
		.active = { a->speed, a->width },
		.findings = IBS_BIT(IBS_FINDING_UNKNOWN),
		.eff_100mbps = a->eff_100mbps,
	};
}

int32_t
ibs_link_lost_100mbps(const struct ibs_link *link)
{
	int32_t expected =
		ibs_eff_100mbps((enum ibs_speed)link->expected.speed,
				(enum ibs_width)link->expected.width);

	if (expected < 0 || link->eff_100mbps < 0 ||
	    link->eff_100mbps >= expected) {
		return 0;
	}
	return expected - link->eff_100mbps;
}
