/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * policy: what links should run at, as rules that an admin writes: which links
 * (role, names, GUID, ports) and what is asked of them.  Later rules win, each
 * kind of demand by itself.
 *
 * units   min_100mbps  100 Mb/s, effective
 * owner   the caller: ibs_policy_free
 * locks   none; pure
 */
#ifndef IBSPEED_POLICY_H
#define IBSPEED_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/link.h"
#include "ibspeed/map.h"

/* What a link joins.  An aggregation node in a switch is no host. */
#define IBS_ROLES(X)                                                           \
	X(SWITCH_SWITCH, "switch-switch")                                      \
	X(SWITCH_HOST, "switch-host")                                          \
	X(HOST_HOST, "host-host")                                              \
	X(INTERNAL, "internal")
enum ibs_role {
#define X(id, name) IBS_ROLE_##id,
	IBS_ROLES(X)
#undef X
		IBS_ROLE_COUNT /* not known, or any */
};
const char *ibs_role_name(enum ibs_role role); /* never NULL */

/* An end of a link as rules see it, also of a link that is not there. */
struct ibs_policy_end {
	uint64_t guid;	     /* of the node */
	uint64_t port_guid;  /* 0: not known */
	const uint8_t *desc; /* IBS_DESC_SIZE bytes */
	uint8_t type;	     /* enum ibs_node_type */
	uint8_t num;
	bool internal; /* an aggregation node */
};
/* True for the aggregation node inside a switch. */
bool ibs_node_internal(const struct ibs_node *node);
void ibs_policy_end_of_map(const struct ibs_map *map, uint32_t port,
			   struct ibs_policy_end *ret_end);
enum ibs_role ibs_role_of(const struct ibs_policy_end *a,
			  const struct ibs_policy_end *b);

/* The keys that a rule may have. */
enum ibs_policy_key {
	IBS_KEY_ROLE,
	IBS_KEY_NODE,
	IBS_KEY_PEER,
	IBS_KEY_GUID,
	IBS_KEY_PORTS,
	IBS_KEY_EXPECT,
	IBS_KEY_MIN,
	IBS_KEY_COUNT,
	IBS_KEY_FLAPS,
	IBS_KEY_IGNORE,
	IBS_POLICY_KEYS
};

/* The demands of a rule: the last rule that has one wins that one. */
enum ibs_demand {
	IBS_DEMAND_SPEED, /* expect, min */
	IBS_DEMAND_COUNT,
	IBS_DEMAND_FLAPS,
	IBS_DEMAND_IGNORE,
	IBS_DEMANDS
};

#define IBS_RULE_TEXT_SIZE 128

struct ibs_rule {
	char name[64];		      /* of its section */
	int line;		      /* its first key */
	int section;		      /* line of its section; 0 not known */
	int line_of[IBS_POLICY_KEYS]; /* 0: it does not have the key */
	/* which links; what is not said fits all */
	uint8_t role; /* enum ibs_role */
	char node[IBS_RULE_TEXT_SIZE];
	char peer[IBS_RULE_TEXT_SIZE];
	bool has_guid;
	bool has_ports;
	uint64_t guid;	   /* of a node or port */
	uint64_t ports[4]; /* bit N of the 256: port N */
	/* what is asked */
	struct ibs_pair expect; /* NONE: not */
	int32_t min_100mbps;	/* 0: not */
	uint32_t count;		/* links of a pair of nodes; 0: not */
	uint32_t flaps;		/* changes that are allowed */
	int64_t window_ns;	/* inside so long; 0: not */
	ibs_set ignore;		/* findings */
};

struct ibs_policy {
	struct ibs_rule *rules;
	size_t n;
};

/* A line of a policy file, as an INI reader takes it apart. */
struct ibs_policy_line {
	const char *section; /* "" before the first */
	const char *key;
	const char *value;
	int number;
	int section_number; /* of the section's line; 0 not known */
};
/*
 * The next line.  A new section is a new rule.
 * errors  -EINVAL error says what was expected, -ENOMEM
 */
int ibs_policy_add(struct ibs_policy *policy,
		   const struct ibs_policy_line *line, char *error,
		   size_t error_size);
/*
 * Once all lines are there: each rule asks something.
 * errors  -EINVAL with the line of the rule that does not
 */
int ibs_policy_check(const struct ibs_policy *policy, int *ret_line,
		     char *error, size_t error_size);
void ibs_policy_free(struct ibs_policy *policy);

/*
 * Which rule wins each demand, as index; NO_INDEX none.
 * in      b     NULL: nobody is known at the other end; then a rule with a
 *               peer does not fit, and one with a role if it may
 *         used  [policy->n] set for each rule that fits; may be NULL
 */
void ibs_policy_find(const struct ibs_policy *policy,
		     const struct ibs_policy_end *a,
		     const struct ibs_policy_end *b, bool *used,
		     uint32_t ret_rules[IBS_DEMANDS]);
bool ibs_rule_asks(const struct ibs_rule *rule, enum ibs_demand demand);
/* True if the rule names each port: one that is down is missing then. */
bool ibs_rule_names_ports(const struct ibs_rule *rule);

#endif
