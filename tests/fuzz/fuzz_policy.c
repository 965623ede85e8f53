// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Any text as the lines of a policy: each is taken or refused in words, and
 * what was taken keeps its promises for a link.
 *
 * input   lines of "section|key|value"; what is missing is empty
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "ibspeed/policy.h"

static void
add_line(struct ibs_policy *policy, char *line, int number)
{
	char *section = strsep(&line, "|");
	char *key = line ? strsep(&line, "|") : section + strlen(section);
	const struct ibs_policy_line policy_line = { section, key,
						     line ? line : "", number,
						     0 };
	char error[64] = "";
	int err = ibs_policy_add(policy, &policy_line, error, sizeof(error));

	FUZZ_CHECK(err == 0 || err == -EINVAL);
	FUZZ_CHECK((err == 0) == (error[0] == '\0'));
}

static void
check_rule(const struct ibs_rule *rule)
{
	FUZZ_CHECK(rule->line > 0);
	FUZZ_CHECK(rule->role <= IBS_ROLE_COUNT);
	FUZZ_CHECK(memchr(rule->name, '\0', sizeof(rule->name)));
	FUZZ_CHECK(memchr(rule->node, '\0', sizeof(rule->node)));
	FUZZ_CHECK(memchr(rule->peer, '\0', sizeof(rule->peer)));
	FUZZ_CHECK(!(rule->ports[0] & 1));
	FUZZ_CHECK(rule->window_ns >= 0 && rule->min_100mbps >= 0);
	FUZZ_CHECK(rule->ignore < 1u << IBS_FINDING_COUNT);
	FUZZ_CHECK(rule->expect.speed < IBS_SPEED_COUNT);
	FUZZ_CHECK(rule->expect.width < IBS_WIDTH_COUNT);
}

static void
check_policy(const struct ibs_policy *policy)
{
	static const uint8_t desc[IBS_DESC_SIZE] = "leaf01";
	const struct ibs_policy_end a = {
		.guid = 1, .desc = desc, .type = IBS_NODE_SWITCH, .num = 1
	};
	const struct ibs_policy_end b = {
		.guid = 2, .desc = desc, .type = IBS_NODE_CA, .num = 254
	};
	uint32_t rules[IBS_DEMANDS];

	for (size_t i = 0; i < policy->n; i++) {
		check_rule(&policy->rules[i]);
	}
	ibs_policy_find(policy, &a, &b, NULL, rules);
	for (int d = 0; d < IBS_DEMANDS; d++) {
		FUZZ_CHECK(rules[d] == IBS_NO_INDEX || rules[d] < policy->n);
	}
	ibs_policy_find(policy, &b, NULL, NULL, rules);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ibs_policy policy = { NULL, 0 };
	char *text = malloc(size + 1), *rest = text;
	char error[64];
	int line = 0;

	if (!text) {
		abort();
	}
	memcpy(text, data, size);
	text[size] = '\0';
	for (int number = 1; rest; number++) {
		add_line(&policy, strsep(&rest, "\n"), number);
	}
	check_policy(&policy);
	FUZZ_CHECK(ibs_policy_check(&policy, &line, error, sizeof(error)) ==
			   0 ||
		   line > 0);
	ibs_policy_free(&policy);
	free(text);
	return 0;
}
