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
#define RULES_MAX_WORDS 8
#define RULES_ANY_PORT	256u

struct rules_row {
	struct rule rule;
	char node[ROUTE_ID_SIZE];
	unsigned int port;
	uint16_t attr_id; /* 0: both attributes of a port */
	char only[32];	  /* "": every program */
};

static const struct {
	const char *name;
	uint16_t id;
} rules_attrs[] = {
	{ "portinfo", SMP_PORT_INFO },	   { "extportinfo", SMP_EXT_PORT_INFO },
	{ "nodeinfo", SMP_NODE_INFO },	   { "nodedesc", SMP_NODE_DESC },
	{ "switchinfo", SMP_SWITCH_INFO },
};
#define RULES_N_ATTRS (sizeof(rules_attrs) / sizeof(rules_attrs[0]))

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

/* The words behind the verb, `only=` and an ATTR at the end cut off. */
static bool
rules_parse_verb(struct rules_row *row, char **words, unsigned int n_words)
{
	unsigned int value = 0;
	bool ok;

	if (strcmp(words[2], "set") == 0) {
		row->rule.verb = RULE_SET;
		ok = n_words == 6 &&
		     rules_parse_attr(words[3], &row->attr_id) &&
		     rules_parse_number(words[4], 10, SMP_DATA_SIZE - 1,
					&row->rule.byte) &&
		     rules_parse_number(words[5], 16, 0xff, &value);
	} else if (strcmp(words[2], "status") == 0) {
		row->rule.verb = RULE_STATUS;
		ok = n_words >= 4 &&
		     rules_parse_number(words[3], 16, 0x7fff, &value) &&
		     (n_words == 4 ||
		      (n_words == 5 &&
		       rules_parse_attr(words[4], &row->attr_id)));
	} else {
		row->rule.verb = RULE_DROP;
		ok = strcmp(words[2], "drop") == 0 &&
		     (n_words == 3 ||
		      (n_words == 4 &&
		       rules_parse_attr(words[3], &row->attr_id)));
	}
	row->rule.value = (uint16_t)value;
	return ok;
}

static bool
rules_parse_row(struct rules_row *row, char **words, unsigned int n_words)
{
	if (n_words > 0 && strncmp(words[n_words - 1], "only=", 5) == 0) {
		n_words--;
		snprintf(row->only, sizeof(row->only), "%s",
			 words[n_words] + 5);
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
	return rules_parse_verb(row, words, n_words);
}

static void
rules_parse_line(const char *path, unsigned int number, char *line)
{
	char *words[RULES_MAX_WORDS], *rest = NULL, *word;
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
			   "not `NODE PORT set ATTR BYTE VALUE`, `drop` or "
			   "`status HEX`");
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

static bool
rules_fit(const struct rules_row *row, const struct rule_subject *subject)
{
	bool attr =
		row->attr_id == subject->attr_id ||
		(row->attr_id == 0 && (subject->attr_id == SMP_PORT_INFO ||
				       subject->attr_id == SMP_EXT_PORT_INFO));

	return attr &&
	       (row->port == RULES_ANY_PORT || row->port == subject->port) &&
	       (row->only[0] == '\0' ||
		strcmp(row->only, subject->program) == 0) &&
	       (strcmp(row->node, "*") == 0 ||
		(subject->node != NULL &&
		 strcmp(row->node, subject->node) == 0));
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
