// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Which rules of a policy speak of a link. */
#include <config.h>

#include <fnmatch.h>
#include <string.h>

#include "ibspeed/policy.h"
#include "writer_private.h"

/* The aggregation nodes of switches show up as CAs of their own. */
#define VENDOR_MELLANOX	      0x2c9
#define DEVICE_AGGREGATION_IB 0xcf08 /* of Switch-IB 2 */
#define DEVICE_AGGREGATION    0xcf09 /* of Quantum and Quantum-2 */

bool
ibs_node_internal(const struct ibs_node *node)
{
	return node->type == IBS_NODE_CA &&
	       node->vendor_id == VENDOR_MELLANOX &&
	       (node->device_id == DEVICE_AGGREGATION_IB ||
		node->device_id == DEVICE_AGGREGATION);
}

void
ibs_policy_end_of_map(const struct ibs_map *map, uint32_t port,
		      struct ibs_policy_end *ret_end)
{
	const struct ibs_map_port *row = &map->ports[port];
	const struct ibs_node *node = &map->nodes[row->node];

	*ret_end = (struct ibs_policy_end){
		.guid = node->guid,
		.port_guid = row->guid,
		.desc = node->desc,
		.type = node->type,
		.num = row->num,
		.internal = ibs_node_internal(node),
	};
}

enum ibs_role
ibs_role_of(const struct ibs_policy_end *a, const struct ibs_policy_end *b)
{
	bool a_switch = a->type == IBS_NODE_SWITCH;
	bool b_switch = b->type == IBS_NODE_SWITCH;

	if (a->internal || b->internal) {
		return IBS_ROLE_INTERNAL;
	}
	if (a_switch && b_switch) {
		return IBS_ROLE_SWITCH_SWITCH;
	}
	return a_switch || b_switch ? IBS_ROLE_SWITCH_HOST : IBS_ROLE_HOST_HOST;
}

/* Whether a link of this end alone may have the role. */
static bool
may_be(const struct ibs_policy_end *a, uint8_t role)
{
	switch ((enum ibs_role)role) {
	case IBS_ROLE_SWITCH_SWITCH:
		return a->type == IBS_NODE_SWITCH;
	case IBS_ROLE_HOST_HOST:
		return a->type != IBS_NODE_SWITCH && !a->internal;
	case IBS_ROLE_SWITCH_HOST:
		return !a->internal;
	case IBS_ROLE_INTERNAL:
		return a->internal || a->type == IBS_NODE_SWITCH;
	case IBS_ROLE_COUNT:
		break;
	}
	return true;
}

static bool
role_fits(const struct ibs_rule *rule, const struct ibs_policy_end *a,
	  const struct ibs_policy_end *b)
{
	if (rule->role == IBS_ROLE_COUNT) {
		return true;
	}
	return b ? ibs_role_of(a, b) == rule->role : may_be(a, rule->role);
}

static bool
name_fits(const char *pattern, const struct ibs_policy_end *end)
{
	struct ibs_node node = { 0 };
	char name[IBS_DESC_TEXT_SIZE];

	if (!*pattern) {
		return true;
	}
	memcpy(node.desc, end->desc, sizeof(node.desc));
	ibs_node_name(&node, name);
	return strcmp(pattern, name) == 0 ||
	       fnmatch(pattern, name, FNM_NOESCAPE) == 0;
}

/* a is the end that the rule's node, guid and ports speak of. */
static bool
ends_fit(const struct ibs_rule *rule, const struct ibs_policy_end *a,
	 const struct ibs_policy_end *b)
{
	if (rule->has_guid && rule->guid != a->guid &&
	    rule->guid != a->port_guid) {
		return false;
	}
	if (rule->has_ports && !(rule->ports[a->num / 64] >> a->num % 64 & 1)) {
		return false;
	}
	if (*rule->peer && (!b || !name_fits(rule->peer, b))) {
		return false;
	}
	return name_fits(rule->node, a);
}

void
ibs_policy_find(const struct ibs_policy *policy, const struct ibs_policy_end *a,
		const struct ibs_policy_end *b, bool *used,
		uint32_t ret_rules[IBS_DEMANDS])
{
	for (int d = 0; d < IBS_DEMANDS; d++) {
		ret_rules[d] = IBS_NO_INDEX;
	}
	for (uint32_t i = 0; i < policy->n; i++) {
		const struct ibs_rule *rule = &policy->rules[i];

		if (!role_fits(rule, a, b) ||
		    !(ends_fit(rule, a, b) || (b && ends_fit(rule, b, a)))) {
			continue;
		}
		if (used) {
			used[i] = true;
		}
		for (int d = 0; d < IBS_DEMANDS; d++) {
			if (ibs_rule_asks(rule, (enum ibs_demand)d)) {
				ret_rules[d] = i;
			}
		}
	}
}

bool
ibs_rule_names_ports(const struct ibs_rule *rule)
{
	return rule->has_ports && (rule->has_guid || *rule->node) &&
	       !*rule->peer && rule->role == IBS_ROLE_COUNT;
}
