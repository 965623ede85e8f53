// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* An audit as JSON: a map with only the links that it lists, and why. */
#include <config.h>

#include "writer_audit.h"
#include "writer_json.h"

static json_t *
capacity_object(const struct ibs_capacity *capacity)
{
	json_t *json = json_object();

	ibs_json_put(&json, "n_links", json_integer(capacity->n_links));
	ibs_json_put(&json, "n_full", json_integer(capacity->n_full));
	ibs_json_put(&json, "n_half", json_integer(capacity->n_half));
	ibs_json_put(&json, "n_quarter", json_integer(capacity->n_quarter));
	ibs_json_put(&json, "n_slow", json_integer(capacity->n_slow));
	ibs_json_put(&json, "n_down", json_integer(capacity->n_down));
	ibs_json_put(&json, "n_unknown", json_integer(capacity->n_unknown));
	ibs_json_put(&json, "eff_100mbps",
		     json_integer((json_int_t)capacity->eff_100mbps));
	ibs_json_put(&json, "should_100mbps",
		     json_integer((json_int_t)capacity->expected_100mbps));
	return json;
}

static json_t *
counts_object(const struct ibs_audit *audit)
{
	json_t *json = json_object();

	for (int i = 0; i < IBS_FINDING_COUNT; i++) {
		ibs_json_put(&json, ibs_finding_row((enum ibs_finding)i)->name,
			     json_integer(audit->n_findings[i]));
	}
	return json;
}

static json_t *
roles_object(const struct ibs_audit *audit)
{
	json_t *json = json_object();

	for (int i = 0; i < IBS_ROLE_COUNT; i++) {
		ibs_json_put(&json, ibs_role_name((enum ibs_role)i),
			     capacity_object(&audit->by_role[i]));
	}
	ibs_json_put(&json, "total", capacity_object(&audit->total));
	return json;
}

static json_t *
policy_object(const struct ibs_audit *audit)
{
	json_t *json;

	if (!audit->request.policy) {
		return json_null();
	}
	json = json_object();
	ibs_json_put(&json, "file", ibs_json_text(audit->request.policy_file));
	ibs_json_put(&json, "n_rules",
		     json_integer((json_int_t)audit->request.policy->n));
	return json;
}

static json_t *
baseline_object(const struct ibs_audit *audit)
{
	const struct ibs_baseline *baseline = audit->request.baseline;
	json_t *json;

	if (!baseline) {
		return json_null();
	}
	json = json_object();
	ibs_json_put(&json, "at", ibs_json_time(baseline->at_ns));
	ibs_json_put(&json, "who", ibs_json_text(baseline->who));
	ibs_json_put(&json, "n_links", json_integer(baseline->n_links));
	ibs_json_put(&json, "whole", json_boolean(baseline->whole));
	ibs_json_put(&json, "n_later", json_integer(baseline->n_later));
	ibs_json_put(&json, "later", ibs_json_time(baseline->later_ns));
	ibs_json_put(&json, "later_who", ibs_json_text(baseline->later_who));
	return json;
}

static json_t *
audit_object(const struct ibs_audit *audit)
{
	json_t *json = json_object();

	ibs_json_put(&json, "n_found", json_integer(audit->n_found));
	ibs_json_put(&json, "n_noted", json_integer(audit->n_noted));
	ibs_json_put(&json, "n_unknown", json_integer(audit->n_unknown));
	ibs_json_put(&json, "n_waived", json_integer(audit->n_waived));
	ibs_json_put(&json, "strict", json_boolean(audit->request.strict));
	ibs_json_put(&json, "findings", counts_object(audit));
	ibs_json_put(&json, "capacity", roles_object(audit));
	ibs_json_put(&json, "policy", policy_object(audit));
	ibs_json_put(&json, "baseline", baseline_object(audit));
	return json;
}

/* A node, or one that the baseline alone knows: as much as is told of it. */
static void
put_node(json_t **json, const struct ibs_audit *audit,
	 const struct ibs_audit_end *end)
{
	struct ibs_node node;
	char name[IBS_DESC_TEXT_SIZE];

	if (end->node != IBS_NO_INDEX) {
		node = audit->request.map->nodes[end->node];
	} else {
		ibs_baseline_as_node(
			&audit->request.baseline->nodes[end->known], &node);
	}
	ibs_node_name(&node, name);
	ibs_json_put(json, "guid", ibs_json_guid(node.guid));
	ibs_json_put(json, "instance", json_integer(node.instance));
	ibs_json_put(json, "name", json_string(name));
	ibs_json_put(json, "type",
		     ibs_json_text(ibs_node_type_name(node.type)));
}

/* With all keys that an end has, also when it is not there. */
static json_t *
end_object(const struct ibs_audit *audit, const struct ibs_audit_end *end)
{
	struct ibs_end nothing = { .pkey_tbl_len = -1 };
	json_t *json;

	if (end->port != IBS_NO_INDEX) {
		return ibs_json_end(audit->request.map, end->port,
				    audit->request.verbose > 0);
	}
	if (end->node == IBS_NO_INDEX && end->known == IBS_NO_INDEX) {
		return json_null();
	}
	json = ibs_json_port(&nothing, false);
	put_node(&json, audit, end);
	ibs_json_put(&json, "port_guid", json_null());
	ibs_json_put(&json, "port", ibs_json_number(end->num));
	ibs_json_put(&json, "read", json_null());
	ibs_json_put(&json, "since", json_null());
	ibs_json_put(&json, "opensm", json_null());
	return json;
}

static json_t *
rule_name(const struct ibs_audit *audit, uint32_t rule)
{
	return rule == IBS_NO_INDEX
		       ? json_null()
		       : ibs_json_text(audit->request.policy->rules[rule].name);
}

static json_t *
reason_object(const struct ibs_labels *labels, const struct ibs_audit *audit,
	      const struct ibs_audit_row *row, const struct ibs_reason *reason)
{
	const struct ibs_finding_row *finding =
		ibs_finding_row((enum ibs_finding)reason->finding);
	int line = ibs_reason_line(audit, reason);
	char text[IBS_REASON_TEXT_SIZE];
	json_t *json = json_object();

	ibs_reason_text(labels, audit, row, reason, text);
	ibs_json_put(&json, "finding",
		     ibs_json_text(finding ? finding->name : NULL));
	ibs_json_put(&json, "code", json_string(ibs_reason_name(reason)));
	ibs_json_put(&json, "text", ibs_json_text(text));
	ibs_json_put(&json, "end", json_string(reason->end ? "b" : "a"));
	ibs_json_put(&json, "field", ibs_json_text(reason->field));
	ibs_json_put(&json, "value",
		     reason->field ? json_integer(reason->value) : json_null());
	ibs_json_put(&json, "rule", rule_name(audit, reason->rule));
	ibs_json_put(&json, "line", ibs_json_number(line ? line : -1));
	return json;
}

static json_t *
reasons_array(const struct ibs_labels *labels, const struct ibs_audit *audit,
	      const struct ibs_audit_row *row)
{
	json_t *json = json_array();

	for (uint32_t i = 0; i < row->n_reasons; i++) {
		const struct ibs_reason *reason =
			&audit->reasons[row->first_reason + i];

		if (ibs_reason_told(row, reason)) {
			ibs_json_append(&json, reason_object(labels, audit, row,
							     reason));
		}
	}
	return json;
}

static json_t *
waiver_object(const struct ibs_audit *audit, const struct ibs_audit_row *row)
{
	const struct ibs_waiver *waiver;
	json_t *json;

	if (row->waiver == IBS_NO_INDEX) {
		return json_null();
	}
	waiver = &audit->request.waivers[row->waiver];
	json = json_object();
	ibs_json_put(&json, "until", ibs_json_time(waiver->until_ns));
	ibs_json_put(&json, "reason", ibs_json_text(waiver->reason));
	ibs_json_put(&json, "who", ibs_json_text(waiver->who));
	ibs_json_put(&json, "at", ibs_json_time(waiver->at_ns));
	ibs_json_put(&json, "findings", ibs_json_findings(waiver->findings));
	return json;
}

static json_t *
link_object(const struct ibs_labels *labels, const struct ibs_audit *audit,
	    const struct ibs_audit_row *row)
{
	const struct ibs_map *map = audit->request.map;
	struct ibs_link link = { .active = row->active,
				 .eff_100mbps = row->eff_100mbps };
	json_t *json;

	if (row->link != IBS_NO_INDEX) {
		link = map->links[row->link].link;
	}
	link.findings = row->findings;
	json = ibs_json_link(&link, end_object(audit, &row->ends[0]),
			     end_object(audit, &row->ends[1]));
	ibs_json_put(&json, "lost_100mbps",
		     ibs_json_number(ibs_audit_lost_or_none(row)));
	ibs_json_put(&json, "since",
		     ibs_json_time(ibs_audit_since_ns(audit, row)));
	ibs_json_put(&json, "should", ibs_json_pair(row->expected));
	ibs_json_put(&json, "should_100mbps",
		     ibs_json_number(row->expected_100mbps));
	ibs_json_put(&json, "n_links", json_integer(row->n_links));
	ibs_json_put(&json, "rule", rule_name(audit, row->rule));
	ibs_json_put(&json, "reasons", reasons_array(labels, audit, row));
	ibs_json_put(&json, "waiver", waiver_object(audit, row));
	return json;
}

static json_t *
group_object(const struct ibs_audit *audit, const struct ibs_audit_group *group)
{
	json_t *json = capacity_object(&group->capacity);

	for (int i = 0; i < 2; i++) {
		json_t *node = json_object();

		put_node(&node, audit, &group->ends[i]);
		ibs_json_put(&json, i ? "b" : "a", node);
	}
	return json;
}

static json_t *
switch_object(const struct ibs_audit *audit,
	      const struct ibs_audit_switch *place)
{
	struct ibs_audit_end end = { .node = place->node };
	json_t *json = json_object();

	put_node(&json, audit, &end);
	ibs_json_put(&json, "up", capacity_object(&place->up));
	ibs_json_put(&json, "down", capacity_object(&place->down));
	return json;
}

static void
write_sums(struct ibs_json_stream *stream, const struct ibs_audit *audit)
{
	ibs_json_array_open(stream, "groups");
	for (uint32_t i = 0; !stream->err && i < audit->n_groups; i++) {
		ibs_json_row(stream, group_object(audit, &audit->groups[i]));
	}
	ibs_json_array_close(stream);
	ibs_json_array_open(stream, "switches");
	for (uint32_t i = 0; !stream->err && i < audit->n_switches; i++) {
		ibs_json_row(stream, switch_object(audit, &audit->switches[i]));
	}
	ibs_json_array_close(stream);
}

int
ibs_json_audit(FILE *out, const struct ibs_audit *audit)
{
	struct ibs_json_stream stream;
	struct ibs_labels labels;
	int err = ibs_labels_init(&labels, audit->request.map);

	if (err) {
		return err;
	}
	ibs_json_open(&stream, out);
	ibs_json_map_head(&stream, &audit->report);
	ibs_json_member(&stream, "audit", audit_object(audit));
	write_sums(&stream, audit);
	ibs_json_array_open(&stream, "links");
	for (uint32_t i = 0; !stream.err && i < audit->n_rows; i++) {
		ibs_json_row(&stream,
			     link_object(&labels, audit, &audit->rows[i]));
	}
	ibs_json_array_close(&stream);
	ibs_json_map_tail(&stream, &audit->report);
	ibs_labels_free(&labels);
	return ibs_json_close(&stream);
}
