// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The lines of a policy file to its rules: one row per key. */
#include <config.h>

#include "ibspeed/policy.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/address.h"

#define NS_PER_S INT64_C(1000000000)

const char *
ibs_role_name(enum ibs_role role)
{
	static const char *const names[IBS_ROLE_COUNT] = {
#define X(id, name) name,
		IBS_ROLES(X)
#undef X
	};

	return role < IBS_ROLE_COUNT ? names[role] : "unknown";
}

static int
take_role(struct ibs_rule *rule, const char *value)
{
	for (int i = 0; i < IBS_ROLE_COUNT; i++) {
		if (strcmp(value, ibs_role_name((enum ibs_role)i)) == 0) {
			rule->role = (uint8_t)i;
			return 0;
		}
	}
	return -EINVAL;
}

static int
take_text(char place[IBS_RULE_TEXT_SIZE], const char *value)
{
	size_t length = strlen(value);

	if (length == 0 || length >= IBS_RULE_TEXT_SIZE) {
		return -EINVAL;
	}
	memcpy(place, value, length + 1);
	return 0;
}

static int
take_node(struct ibs_rule *rule, const char *value)
{
	return take_text(rule->node, value);
}

static int
take_peer(struct ibs_rule *rule, const char *value)
{
	return take_text(rule->peer, value);
}

static int
take_guid(struct ibs_rule *rule, const char *value)
{
	rule->has_guid = true;
	return ibs_guid_from_text(value, &rule->guid);
}

/* A number up to max, and where it ends. */
static int
number(const char **at, unsigned long max, unsigned long *ret_number)
{
	char *end;

	if (!isdigit((unsigned char)**at)) {
		return -EINVAL;
	}
	errno = 0;
	*ret_number = strtoul(*at, &end, 10);
	*at = end;
	return errno || *ret_number > max ? -EINVAL : 0;
}

/* "1-4,7" */
static int
take_ports(struct ibs_rule *rule, const char *value)
{
	const char *at = value;
	unsigned long first, last;

	rule->has_ports = true;
	for (;;) {
		if (number(&at, 254, &first) || first == 0) {
			return -EINVAL;
		}
		last = first;
		if (*at == '-') {
			at++;
			if (number(&at, 254, &last) || last < first) {
				return -EINVAL;
			}
		}
		for (unsigned long i = first; i <= last; i++) {
			rule->ports[i / 64] |= UINT64_C(1) << i % 64;
		}
		if (!*at) {
			return 0;
		}
		if (*at++ != ',') {
			return -EINVAL;
		}
		at += strspn(at, " ");
	}
}

static int
take_expect(struct ibs_rule *rule, const char *value)
{
	if (strcmp(value, "none") == 0) {
		return 0;
	}
	return ibs_pair_from_text(value, &rule->expect);
}

static int
take_min(struct ibs_rule *rule, const char *value)
{
	int64_t min;

	if (ibs_gbps_from_text(value, &min) || min > INT32_MAX) {
		return -EINVAL;
	}
	rule->min_100mbps = (int32_t)min;
	return 0;
}

static int
take_count(struct ibs_rule *rule, const char *value)
{
	unsigned long count;

	if (number(&value, 254, &count) || *value) {
		return -EINVAL;
	}
	rule->count = (uint32_t)count;
	return 0;
}

static int64_t
unit_s(char letter)
{
	static const struct {
		char letter;
		int64_t s;
	} units[] = {
		{ 's', 1 },	{ 'm', 60 },	 { 'h', 3600 },
		{ 'd', 86400 }, { 'w', 604800 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (units[i].letter == letter) {
			return units[i].s;
		}
	}
	return 0;
}

/* "3/24h" */
static int
take_flaps(struct ibs_rule *rule, const char *value)
{
	unsigned long flaps, span;

	if (strcmp(value, "none") == 0) {
		return 0;
	}
	if (number(&value, 65534, &flaps) || *value++ != '/' ||
	    number(&value, 9999, &span) || span == 0 || !unit_s(*value) ||
	    value[1]) {
		return -EINVAL;
	}
	rule->flaps = (uint32_t)flaps;
	rule->window_ns = (int64_t)span * unit_s(*value) * NS_PER_S;
	return 0;
}

/* Names of findings; or "all" or "none", alone. */
static int
take_ignore(struct ibs_rule *rule, const char *value)
{
	bool alone = false;
	int n_words = 0;

	if (!*value) {
		return -EINVAL;
	}
	for (; *value; n_words++) {
		size_t length = strcspn(value, " ,");
		enum ibs_finding finding;
		char name[32];

		if (length == 0 || length >= sizeof(name)) {
			return -EINVAL;
		}
		memcpy(name, value, length);
		name[length] = '\0';
		finding = ibs_finding_find(name);
		if (finding != IBS_FINDING_COUNT) {
			rule->ignore |= IBS_BIT(finding);
		} else if (strcmp(name, "all") == 0) {
			rule->ignore = (1u << IBS_FINDING_COUNT) - 1;
			alone = true;
		} else if (strcmp(name, "none") == 0) {
			alone = true;
		} else {
			return -EINVAL;
		}
		value += length;
		value += strspn(value, " ,");
	}
	return alone && n_words > 1 ? -EINVAL : 0;
}

#define NO_DEMAND (-1)
static const struct {
	const char *key;
	int demand; /* enum ibs_demand, or it says which links */
	int (*take)(struct ibs_rule *rule, const char *value);
	const char *expected;
} keys[IBS_POLICY_KEYS] = {
	[IBS_KEY_ROLE] = { "role", NO_DEMAND, take_role,
			   "switch-switch, switch-host, host-host or "
			   "internal" },
	[IBS_KEY_NODE] = { "node", NO_DEMAND, take_node,
			   "the name or pattern of a node" },
	[IBS_KEY_PEER] = { "peer", NO_DEMAND, take_peer,
			   "the name or pattern of a node" },
	[IBS_KEY_GUID] = { "guid", NO_DEMAND, take_guid,
			   "0x and up to 16 hex digits" },
	[IBS_KEY_PORTS] = { "ports", NO_DEMAND, take_ports,
			    "port numbers such as 1-4,7" },
	[IBS_KEY_EXPECT] = { "expect", IBS_DEMAND_SPEED, take_expect,
			     "a width and speed such as 4xHDR, or none" },
	[IBS_KEY_MIN] = { "min", IBS_DEMAND_SPEED, take_min,
			  "Gb/s such as 100 or 2.5" },
	[IBS_KEY_COUNT] = { "count", IBS_DEMAND_COUNT, take_count,
			    "a number from 0 to 254" },
	[IBS_KEY_FLAPS] = { "flaps", IBS_DEMAND_FLAPS, take_flaps,
			    "changes in a time such as 3/24h, or none" },
	[IBS_KEY_IGNORE] = { "ignore", IBS_DEMAND_IGNORE, take_ignore,
			     "names of findings; or all or none, alone" },
};

bool
ibs_rule_asks(const struct ibs_rule *rule, enum ibs_demand demand)
{
	for (int i = 0; i < IBS_POLICY_KEYS; i++) {
		if (keys[i].demand == (int)demand && rule->line_of[i]) {
			return true;
		}
	}
	return false;
}

/* The rule of the section, which may be a new one. */
static struct ibs_rule *
rule_of(struct ibs_policy *policy, const struct ibs_policy_line *line)
{
	struct ibs_rule *rule;

	if (policy->n) {
		rule = &policy->rules[policy->n - 1];
		if (rule->section == line->section_number &&
		    strncmp(rule->name, line->section,
			    sizeof(rule->name) - 1) == 0) {
			return rule;
		}
	}
	rule = reallocarray(policy->rules, policy->n + 1, sizeof(*rule));
	if (!rule) {
		return NULL;
	}
	policy->rules = rule;
	rule += policy->n++;
	*rule = (struct ibs_rule){ .line = line->number,
				   .section = line->section_number,
				   .role = IBS_ROLE_COUNT };
	snprintf(rule->name, sizeof(rule->name), "%s", line->section);
	return rule;
}

static int
add_key(struct ibs_rule *rule, size_t key, const struct ibs_policy_line *line,
	char *error, size_t error_size)
{
	if (rule->line_of[key]) {
		snprintf(error, error_size, "%s is given twice in [%s]",
			 keys[key].key, rule->name);
		return -EINVAL;
	}
	rule->line_of[key] = line->number;
	if (keys[key].take(rule, line->value)) {
		snprintf(error, error_size, "%s is \"%s\", expected %s",
			 keys[key].key, line->value, keys[key].expected);
		return -EINVAL;
	}
	return 0;
}

int
ibs_policy_add(struct ibs_policy *policy, const struct ibs_policy_line *line,
	       char *error, size_t error_size)
{
	struct ibs_rule *rule;
	size_t key = 0;

	if (!*line->section) {
		snprintf(error, error_size,
			 "expected a [section] before the first key");
		return -EINVAL;
	}
	while (key < IBS_POLICY_KEYS && strcmp(keys[key].key, line->key) != 0) {
		key++;
	}
	if (key == IBS_POLICY_KEYS) {
		snprintf(error, error_size, "unknown key \"%s\"", line->key);
		return -EINVAL;
	}
	rule = rule_of(policy, line);
	if (!rule) {
		snprintf(error, error_size, "no memory");
		return -ENOMEM;
	}
	return add_key(rule, key, line, error, error_size);
}

int
ibs_policy_check(const struct ibs_policy *policy, int *ret_line, char *error,
		 size_t error_size)
{
	for (size_t i = 0; i < policy->n; i++) {
		const struct ibs_rule *rule = &policy->rules[i];
		bool asks = false;

		for (int d = 0; d < IBS_DEMANDS; d++) {
			asks |= ibs_rule_asks(rule, (enum ibs_demand)d);
		}
		if (!asks) {
			snprintf(error, error_size,
				 "[%s] asks nothing, expected expect, min, "
				 "count, flaps or ignore",
				 rule->name);
			*ret_line = rule->line;
			return -EINVAL;
		}
	}
	return 0;
}

void
ibs_policy_free(struct ibs_policy *policy)
{
	free(policy->rules);
	*policy = (struct ibs_policy){ NULL, 0 };
}
