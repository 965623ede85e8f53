// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* rules: the file of rules, its parser, and which rule fits an answer. */
#include <config.h>

#include "rules.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "route.h"

#define RULES_MAX	256
#define RULES_MAX_WORDS 10
#define RULES_ANY_PORT	256u
#define RULES_ANY_ATTR	0xffffu
#define RULES_ALWAYS	100u /* percent */

struct rules_row {
	struct rule rule;
	char node[ROUTE_ID_SIZE];
	unsigned int port;
	uint16_t attr_id; /* 0: both attributes of a port */
	char only[32];	  /* "": every program */
	unsigned int share;
};

static const struct {
	const char *name;
	uint16_t id;
} rules_attrs[] = {
	{ "portinfo", SMP_PORT_INFO },	   { "extportinfo", SMP_EXT_PORT_INFO },
	{ "nodeinfo", SMP_NODE_INFO },	   { "nodedesc", SMP_NODE_DESC },
	{ "switchinfo", SMP_SWITCH_INFO }, { "lft", SMP_LINEAR_FDB },
	{ "any", RULES_ANY_ATTR },
};
#define RULES_N_ATTRS (sizeof(rules_attrs) / sizeof(rules_attrs[0]))

/* What a verb wants behind it: a byte's place, a value in some base. */
struct rules_grammar {
	const char *name;
	enum rule_verb verb;
	bool wants_attr;
	unsigned int n_bytes; /* 0: no byte is named */
	int base;	      /* 0: no value */
	unsigned int max;
};

static const struct rules_grammar rules_verbs[] = {
	{ "set", RULE_SET, true, SMP_DATA_SIZE, 16, 0xff },
	{ "flip", RULE_FLIP, false, SMP_SIZE, 16, 0xff },
	{ "cut", RULE_CUT, false, 0, 10, SMP_SIZE },
	{ "status", RULE_STATUS, false, 0, 16, 0x7fff },
	{ "drop", RULE_DROP, false, 0, 0, 0 },
	{ "silence", RULE_SILENCE, false, 0, 0, 0 },
	{ "delay", RULE_DELAY, false, 0, 10, 60000 },
	{ "duplicate", RULE_DUPLICATE, false, 0, 0, 0 },
	{ "reorder", RULE_REORDER, false, 0, 0, 0 },
};
#define RULES_N_VERBS (sizeof(rules_verbs) / sizeof(rules_verbs[0]))

static struct rules_row rules_rows[RULES_MAX];
static unsigned int rules_n_rows;
static struct stat rules_seen;

static void
rules_fail(const char *path, unsigned int line, const char *why)
{
	fprintf(stderr, "simpreload: %s:%u: %s\n", path, line, why);
	_exit(2);
}

const char *
rules_attr_name(uint16_t attr_id)
{
	size_t i;

	for (i = 0; i < RULES_N_ATTRS; i++) {
		if (rules_attrs[i].id == attr_id) {
			return rules_attrs[i].name;
		}
	}
	return NULL;
}

static bool
rules_parse_attr(const char *word, uint16_t *ret_id)
{
	size_t i;

	for (i = 0; i < RULES_N_ATTRS; i++) {
		if (strcmp(rules_attrs[i].name, word) == 0) {
			*ret_id = rules_attrs[i].id;
			return true;
		}
	}
	return false;
}

static bool
rules_parse_number(const char *word, int base, unsigned int max,
		   unsigned int *ret_number)
{
	char *end;
	unsigned long number = strtoul(word, &end, base);

	if (*word == '\0' || *word == '-' || *end != '\0' || number > max) {
		return false;
	}
	*ret_number = (unsigned int)number;
	return true;
}

static const struct rules_grammar *
rules_find_verb(const char *word)
{
	size_t i;

	for (i = 0; i < RULES_N_VERBS; i++) {
		if (strcmp(rules_verbs[i].name, word) == 0) {
			return &rules_verbs[i];
		}
	}
	return NULL;
}

/* The verb and the words behind it; NULL stands after the last one. */
static bool
rules_parse_verb(struct rules_row *row, char **words)
{
	const struct rules_grammar *verb = rules_find_verb(*words++);
	unsigned int value = 0;

	if (verb == NULL) {
		return false;
	}
	row->rule.verb = verb->verb;
	if (verb->wants_attr &&
	    (*words == NULL || !rules_parse_attr(*words++, &row->attr_id))) {
		return false;
	}
	if (verb->n_bytes != 0 &&
	    (*words == NULL ||
	     !rules_parse_number(*words++, 10, verb->n_bytes - 1,
				 &row->rule.byte))) {
		return false;
	}
	if (verb->base != 0 &&
	    (*words == NULL ||
	     !rules_parse_number(*words++, verb->base, verb->max, &value))) {
		return false;
	}
	row->rule.value = (uint16_t)value;
	if (!verb->wants_attr && *words != NULL &&
	    !rules_parse_attr(*words++, &row->attr_id)) {
		return false;
	}
	return *words == NULL;
}

/* Which of what fits: one of the words WHAT=VALUE at the end. */
static bool
rules_parse_choice(struct rules_row *row, const char *word)
{
	if (strncmp(word, "only=", 5) == 0) {
		snprintf(row->only, sizeof(row->only), "%s", word + 5);
		return true;
	}
	return strncmp(word, "share=", 6) == 0 &&
	       rules_parse_number(word + 6, 10, RULES_ALWAYS, &row->share);
}

static bool
rules_parse_row(struct rules_row *row, char **words, unsigned int n_words)
{
	row->share = RULES_ALWAYS;
	while (n_words > 0 && strchr(words[n_words - 1], '=') != NULL) {
		if (!rules_parse_choice(row, words[--n_words])) {
			return false;
		}
		words[n_words] = NULL;
	}
	if (n_words < 3 || strlen(words[0]) >= sizeof(row->node)) {
		return false;
	}
	snprintf(row->node, sizeof(row->node), "%s", words[0]);
	row->port = RULES_ANY_PORT;
	if (strcmp(words[1], "*") != 0 &&
	    !rules_parse_number(words[1], 10, 255, &row->port)) {
		return false;
	}
	return rules_parse_verb(row, words + 2);
}

static void
rules_parse_line(const char *path, unsigned int number, char *line)
{
	char *words[RULES_MAX_WORDS + 1] = { NULL }, *rest = NULL, *word;
	unsigned int n_words = 0;

	line[strcspn(line, "#\n")] = '\0';
	word = strtok_r(line, " \t", &rest);
	while (word != NULL && n_words < RULES_MAX_WORDS) {
		words[n_words++] = word;
		word = strtok_r(NULL, " \t", &rest);
	}
	if (n_words == 0) {
		return;
	}
	if (rules_n_rows == RULES_MAX) {
		rules_fail(path, number, "too many rules");
	}
	rules_rows[rules_n_rows] = (struct rules_row){ .port = 0 };
	if (word != NULL ||
	    !rules_parse_row(&rules_rows[rules_n_rows], words, n_words)) {
		rules_fail(path, number,
			   "not NODE PORT VERB... as rules.h has it");
	}
	rules_n_rows++;
}

void
rules_refresh(void)
{
	const char *path = getenv("IBSPEED_SIM_RULES");
	unsigned int number = 0;
	struct stat now;
	char line[256];
	FILE *file;

	if (path == NULL) {
		return;
	}
	if (stat(path, &now) < 0) {
		rules_fail(path, 0, "cannot be read");
	}
	/* A file that was renamed into place has another inode. */
	if (now.st_ino == rules_seen.st_ino &&
	    now.st_size == rules_seen.st_size &&
	    now.st_mtim.tv_sec == rules_seen.st_mtim.tv_sec &&
	    now.st_mtim.tv_nsec == rules_seen.st_mtim.tv_nsec) {
		return;
	}
	rules_seen = now;
	rules_n_rows = 0;
	file = fopen(path, "r");
	if (file == NULL) {
		rules_fail(path, 0, "cannot be read");
		return;
	}
	while (fgets(line, sizeof(line), file) != NULL) {
		rules_parse_line(path, ++number, line);
	}
	fclose(file);
}

/* 0 to 99; splitmix64, so that each program throws its own series again. */
static unsigned int
rules_throw_dice(void)
{
	static uint64_t state;
	static bool seeded;
	uint64_t mixed;

	if (!seeded) {
		const char *seed = getenv("IBSPEED_SIM_SEED");

		state = seed != NULL ? strtoull(seed, NULL, 0) : 0;
		seeded = true;
	}
	state += UINT64_C(0x9e3779b97f4a7c15);
	mixed = (state ^ state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return (unsigned int)((mixed ^ mixed >> 31) % 100);
}

static bool
rules_fit_attr(const struct rules_row *row, uint16_t attr_id)
{
	return row->attr_id == attr_id || row->attr_id == RULES_ANY_ATTR ||
	       (row->attr_id == 0 &&
		(attr_id == SMP_PORT_INFO || attr_id == SMP_EXT_PORT_INFO));
}

static bool
rules_fit(const struct rules_row *row, const struct rule_subject *subject)
{
	return rules_fit_attr(row, subject->attr_id) &&
	       (row->port == RULES_ANY_PORT || row->port == subject->port) &&
	       (row->only[0] == '\0' ||
		strcmp(row->only, subject->program) == 0) &&
	       (strcmp(row->node, "*") == 0 ||
		strcmp(row->node, subject->node) == 0) &&
	       (row->share == RULES_ALWAYS || rules_throw_dice() < row->share);
}

const struct rule *
rules_next(const struct rule_subject *subject, unsigned int *cursor)
{
	while (*cursor < rules_n_rows) {
		const struct rules_row *row = &rules_rows[(*cursor)++];

		if (rules_fit(row, subject)) {
			return &row->rule;
		}
	}
	return NULL;
}
