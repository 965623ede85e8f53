// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Why a link has the findings that its two ends explain: which end, which
 * field, and what it would need.
 */
#include <config.h>

#include "audit_private.h"

/* What all of a link's reasons are made with. */
struct explaining {
	struct ibs_auditing *auditing;
	const struct ibs_case *work;
	const struct ibs_map *map;
};

static const struct ibs_map_port *
map_port(const struct explaining *e, int end)
{
	return &e->map->ports[e->work->row.ends[end].port];
}

/* Either a width or a speed, the other is not spoken of. */
static struct ibs_pair
width_only(uint8_t width)
{
	return (struct ibs_pair){ IBS_SPEED_NONE, width };
}

static struct ibs_pair
speed_only(uint8_t speed)
{
	return (struct ibs_pair){ speed, IBS_WIDTH_NONE };
}

static struct ibs_reason
reason_of(enum ibs_reason_code code, enum ibs_finding finding, int end)
{
	return (struct ibs_reason){ .code = (uint8_t)code,
				    .finding = (uint8_t)finding,
				    .end = (uint8_t)end,
				    .rule = IBS_NO_INDEX,
				    .other = IBS_NO_INDEX };
}

static int
add_pairs(const struct explaining *e, struct ibs_reason reason,
	  struct ibs_pair has, struct ibs_pair wants)
{
	reason.has = has;
	reason.wants = wants;
	return ibs_audit_add_reason(e->auditing, &reason);
}

static int
explain_width(const struct explaining *e)
{
	const struct ibs_link *link = &e->work->link->link;

	return add_pairs(
		e,
		reason_of(IBS_REASON_LANES_LOST, IBS_FINDING_DEGRADED_WIDTH, 0),
		width_only(link->active.width),
		width_only(link->expected.width));
}

static int
explain_speed(const struct explaining *e)
{
	const struct ibs_link *link = &e->work->link->link;

	return add_pairs(
		e,
		reason_of(IBS_REASON_SPEED_LOST, IBS_FINDING_DEGRADED_SPEED, 0),
		speed_only(link->active.speed),
		speed_only(link->expected.speed));
}

static int
explain_mismatch(const struct explaining *e)
{
	const struct ibs_port *a = &e->work->ports[0], *b = &e->work->ports[1];
	struct ibs_reason reason =
		reason_of(IBS_REASON_ENDS_DIFFER, IBS_FINDING_MISMATCH, 0);
	int err = 0;

	if (a->up != b->up) {
		reason.code = IBS_REASON_ONE_END_DOWN;
		reason.end = a->up ? 0 : 1;
		return ibs_audit_add_reason(e->auditing, &reason);
	}
	if (a->width != b->width) {
		err = add_pairs(e, reason, width_only(a->width),
				width_only(b->width));
	}
	if (!err && a->speed != b->speed) {
		err = add_pairs(e, reason, speed_only(a->speed),
				speed_only(b->speed));
	}
	return err;
}

/* A port that was read, and has a code that the tables do not know. */
static int
explain_codes(const struct explaining *e, int end)
{
	const struct ibs_port *port = &e->work->ports[end];
	const uint8_t *pi = map_port(e, end)->pi;
	enum ibs_port_info_field field = IBS_PI_LinkSpeedExtActive;
	struct ibs_reason reason =
		reason_of(IBS_REASON_UNKNOWN_CODE, IBS_FINDING_UNKNOWN, end);

	if (port->state > IBS_PORT_ACTIVE || port->state == IBS_PORT_UNUSED) {
		field = IBS_PI_PortState;
	} else if (port->width == IBS_WIDTH_UNKNOWN) {
		field = IBS_PI_LinkWidthActive;
	} else if (port->speed != IBS_SPEED_UNKNOWN) {
		return 0;
	} else if (ibs_pi_get(pi, IBS_PI_LinkSpeedExtActive2)) {
		field = IBS_PI_LinkSpeedExtActive2;
	} else if (!ibs_pi_get(pi, field)) {
		field = IBS_PI_LinkSpeedActive;
	}
	reason.field = ibs_port_info_fields[field].name;
	reason.value = (uint32_t)ibs_pi_get(pi, field);
	return ibs_audit_add_reason(e->auditing, &reason);
}

static int
explain_unknown(const struct explaining *e)
{
	bool alone = e->work->row.ends[1].port == IBS_NO_INDEX;
	int err = 0;

	for (int i = 0; !err && i < (alone ? 1 : 2); i++) {
		if (map_port(e, i)->read == IBS_READ_OK) {
			err = explain_codes(e, i);
		} else {
			struct ibs_reason reason = reason_of(
				IBS_REASON_NO_ANSWER, IBS_FINDING_UNKNOWN, i);

			err = ibs_audit_add_reason(e->auditing, &reason);
		}
	}
	if (!err && alone) {
		bool asked = map_port(e, 0)->behind_read != IBS_READ_UNASKED;
		struct ibs_reason reason = reason_of(
			asked ? IBS_REASON_NOBODY_BEHIND : IBS_REASON_NO_PEER,
			IBS_FINDING_UNKNOWN, 0);

		err = ibs_audit_add_reason(e->auditing, &reason);
	}
	return err;
}

/* One component, width or speed, of what an end enables. */
struct component {
	bool is_width;
	uint8_t capability; /* of both ends; enum ibs_width or ibs_speed */
	ibs_set enabled[2];
	ibs_set common;	    /* what both support */
	const char *field;  /* that enables it */
	const char *option; /* of OpenSM that forces it; NULL none */
	uint8_t forced;
};

static const char *
speed_field(uint8_t speed)
{
	enum ibs_port_info_field field =
		ibs_port_enables_in((enum ibs_speed)speed);

	return field == IBS_PI_COUNT ? "ExtendedPortInfo LinkSpeedEnabled"
				     : ibs_port_info_fields[field].name;
}

static struct component
width_component(const struct explaining *e)
{
	const struct ibs_port *ports = e->work->ports;
	uint8_t forced = e->map->subnet.force_link_width;

	return (struct component){
		.is_width = true,
		.capability = e->work->link->link.capability.width,
		.enabled = { ports[0].width_enabled, ports[1].width_enabled },
		.common = ports[0].width_supported & ports[1].width_supported,
		.field = ibs_port_info_fields[IBS_PI_LinkWidthEnabled].name,
		.option = forced ? "force_link_width" : NULL,
		.forced = forced,
	};
}

static struct component
speed_component(const struct explaining *e)
{
	const struct ibs_subnet *subnet = &e->map->subnet;
	const struct ibs_port *ports = e->work->ports;
	uint8_t speed = e->work->link->link.capability.speed;
	enum ibs_port_info_field field =
		ibs_port_enables_in((enum ibs_speed)speed);
	struct component component = {
		.capability = speed,
		.enabled = { ports[0].speed_enabled, ports[1].speed_enabled },
		.common = ports[0].speed_supported & ports[1].speed_supported,
		.field = speed_field(speed),
	};

	if (subnet->force_link_speed_ext &&
	    (field == IBS_PI_LinkSpeedExtEnabled ||
	     !subnet->force_link_speed)) {
		component.option = "force_link_speed_ext";
		component.forced = subnet->force_link_speed_ext;
	} else if (subnet->force_link_speed) {
		component.option = "force_link_speed";
		component.forced = subnet->force_link_speed;
	}
	return component;
}

static struct ibs_pair
part(const struct component *component, uint8_t value)
{
	return component->is_width ? width_only(value) : speed_only(value);
}

static uint8_t
best(const struct component *component, ibs_set set)
{
	return component->is_width ? (uint8_t)ibs_width_best(set)
				   : (uint8_t)ibs_speed_best(set);
}

static uint32_t
enabled_value(const struct explaining *e, const struct component *component,
	      int end)
{
	const struct ibs_map_port *port = map_port(e, end);
	enum ibs_port_info_field field;

	if (component->is_width) {
		return (uint32_t)ibs_pi_get(port->pi, IBS_PI_LinkWidthEnabled);
	}
	field = ibs_port_enables_in((enum ibs_speed)component->capability);
	return field == IBS_PI_COUNT ? port->epi.enabled
				     : (uint32_t)ibs_pi_get(port->pi, field);
}

/* An end that enables no more than has, where wants would be possible. */
static int
explain_end(const struct explaining *e, const struct component *component,
	    int end, struct ibs_reason reason)
{
	reason.end = (uint8_t)end;
	reason.field = component->field;
	reason.value = enabled_value(e, component, end);
	if (component->option &&
	    (reason.value == component->forced ||
	     component->enabled[0] == component->enabled[1])) {
		reason.code = IBS_REASON_SM_FORCES;
		reason.field = component->option;
		reason.value = component->forced;
	}
	return ibs_audit_add_reason(e->auditing, &reason);
}

/* The end that enables less than the other; or both, the same. */
static int
explain_component(const struct explaining *e, const struct component *component)
{
	struct ibs_reason reason = reason_of(IBS_REASON_ENABLES_LESS,
					     IBS_FINDING_LIMITED_BY_CONFIG, 0);
	uint8_t a = best(component, component->enabled[0] & component->common);
	uint8_t b = best(component, component->enabled[1] & component->common);
	int err;

	if (!component->option &&
	    component->enabled[0] == component->enabled[1]) {
		return 0;
	}
	reason.has = part(component, a < b ? a : b);
	reason.wants = part(component, a < b ? b : a);
	if (a != b) {
		return explain_end(e, component, a < b ? 0 : 1, reason);
	}
	reason.code = IBS_REASON_BOTH_ENABLE_LESS;
	reason.wants = part(component, component->capability);
	err = explain_end(e, component, 0, reason);
	if (err || (component->option &&
		    component->enabled[0] == component->enabled[1])) {
		return err; /* OpenSM forces them both: told once */
	}
	return explain_end(e, component, 1, reason);
}

static int
explain_config(const struct explaining *e)
{
	const struct ibs_link *link = &e->work->link->link;
	struct component width = width_component(e), speed = speed_component(e);
	int err = 0;

	if (link->expected.width < link->capability.width) {
		err = explain_component(e, &width);
	}
	if (!err && link->expected.speed < link->capability.speed) {
		err = explain_component(e, &speed);
	}
	return err;
}

/* The end that supports less, of one component. */
static int
explain_less(const struct explaining *e, const struct component *component,
	     ibs_set a, ibs_set b)
{
	uint8_t best_a = best(component, a), best_b = best(component, b);
	int end = best_a < best_b ? 0 : 1;

	if (best_a == best_b) {
		return 0;
	}
	return add_pairs(e,
			 reason_of(IBS_REASON_PEER_LIMITS,
				   IBS_FINDING_LIMITED_BY_PEER, end),
			 part(component, end ? best_b : best_a),
			 part(component, end ? best_a : best_b));
}

static int
explain_peer(const struct explaining *e)
{
	const struct ibs_port *a = &e->work->ports[0], *b = &e->work->ports[1];
	struct component width = width_component(e), speed = speed_component(e);
	int err =
		explain_less(e, &width, a->width_supported, b->width_supported);

	return err ? err
		   : explain_less(e, &speed, a->speed_supported,
				  b->speed_supported);
}

static int
explain_not_enabled(const struct explaining *e)
{
	int err = 0;

	for (int i = 0; !err && i < 2; i++) {
		const struct ibs_port *port = &e->work->ports[i];
		struct component width = width_component(e);
		struct component speed = speed_component(e);
		struct ibs_reason reason = reason_of(
			IBS_REASON_NOT_IN_SET, IBS_FINDING_NOT_ENABLED, i);

		if (ibs_width_row((enum ibs_width)port->width) &&
		    !(width.enabled[i] & IBS_BIT(port->width))) {
			reason.field = width.field;
			reason.value = enabled_value(e, &width, i);
			err = add_pairs(e, reason, width_only(port->width),
					ibs_pair_none);
		}
		speed.capability = port->speed;
		if (!err && ibs_speed_row((enum ibs_speed)port->speed) &&
		    !(speed.enabled[i] & IBS_BIT(port->speed))) {
			reason.field = speed_field(port->speed);
			reason.value = enabled_value(e, &speed, i);
			err = add_pairs(e, reason, speed_only(port->speed),
					ibs_pair_none);
		}
	}
	return err;
}

static int
explain_sm(const struct explaining *e)
{
	int err = 0;

	for (int i = 0; !err && i < 2; i++) {
		const struct ibs_port *port = &e->work->ports[i];
		const struct ibs_map_port *row = map_port(e, i);

		if ((row->flags & IBS_PORT_HAS_SM) && port->up &&
		    (row->sm.width != port->width ||
		     row->sm.speed != port->speed)) {
			err = add_pairs(
				e,
				reason_of(IBS_REASON_SM_RECORD,
					  IBS_FINDING_SM_DISAGREES, i),
				(struct ibs_pair){ port->speed, port->width },
				row->sm);
		}
	}
	return err;
}

int
ibs_audit_explain(struct ibs_auditing *auditing, const struct ibs_case *work)
{
	static const struct {
		enum ibs_finding finding;
		int (*explain)(const struct explaining *e);
	} rows[] = {
		{ IBS_FINDING_DEGRADED_WIDTH, explain_width },
		{ IBS_FINDING_DEGRADED_SPEED, explain_speed },
		{ IBS_FINDING_MISMATCH, explain_mismatch },
		{ IBS_FINDING_UNKNOWN, explain_unknown },
		{ IBS_FINDING_LIMITED_BY_CONFIG, explain_config },
		{ IBS_FINDING_LIMITED_BY_PEER, explain_peer },
		{ IBS_FINDING_NOT_ENABLED, explain_not_enabled },
		{ IBS_FINDING_SM_DISAGREES, explain_sm },
	};
	const struct explaining e = { .auditing = auditing,
				      .work = work,
				      .map = auditing->request->map };
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (work->row.findings & IBS_BIT(rows[i].finding)) {
			err = rows[i].explain(&e);
		}
	}
	return err;
}
