// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* What a report tells: which links, in which order, and the sums of a map. */
#include <config.h>

#include "ibspeed/writer.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ibspeed/address.h"
#include "writer_private.h"

static int
compare_counts(const void *left, const void *right)
{
	const struct ibs_pair *a = &((const struct ibs_count *)left)->pair;
	const struct ibs_pair *b = &((const struct ibs_count *)right)->pair;

	if (a->speed != b->speed) {
		return a->speed > b->speed ? -1 : 1;
	}
	return a->width > b->width ? -1 : a->width < b->width;
}

/* The row of a pair; NULL for one that says down. */
static struct ibs_count *
count_of(struct ibs_summary *sum, struct ibs_pair pair)
{
	struct ibs_count *count;

	if (pair.speed == IBS_SPEED_NONE || pair.width == IBS_WIDTH_NONE) {
		return NULL;
	}
	for (size_t i = 0; i < sum->n_counts; i++) {
		count = &sum->counts[i];
		if (count->pair.speed == pair.speed &&
		    count->pair.width == pair.width) {
			return count;
		}
	}
	count = &sum->counts[sum->n_counts++];
	count->pair = pair;
	return count;
}

static void
count_node(struct ibs_summary *sum, const struct ibs_node *node)
{
	switch (node->type) {
	case IBS_NODE_CA:
		sum->n_cas++;
		return;
	case IBS_NODE_SWITCH:
		sum->n_switches++;
		return;
	case IBS_NODE_ROUTER:
		sum->n_routers++;
		return;
	}
	sum->n_other++;
}

static void
count_port(struct ibs_summary *sum, const struct ibs_map *map, uint32_t index)
{
	struct ibs_count *count;
	struct ibs_port port;

	if (map->ports[index].read != IBS_READ_OK) {
		sum->n_unread++;
		return;
	}
	sum->n_read++;
	sum->n_behind += map->ports[index].behind_read != IBS_READ_UNASKED;
	if (!ibs_map_port_external(map, index)) {
		return;
	}
	ibs_map_port_decode(map, index, &port);
	if (port.state == IBS_PORT_DOWN) {
		sum->n_down++;
	}
	count = count_of(sum, (struct ibs_pair){ port.speed, port.width });
	if (count) {
		count->n_ends++;
	}
}

static void
count_link(struct ibs_summary *sum, const struct ibs_link *link)
{
	struct ibs_count *count = count_of(sum, link->active);

	if (count) {
		count->n_links++;
	}
	for (int i = 0; i < IBS_FINDING_COUNT; i++) {
		if (link->findings & IBS_BIT(i)) {
			sum->n_findings[i]++;
		}
	}
	if (ibs_findings_have(link->findings, IBS_SEVERITY_FINDING) ||
	    ibs_findings_have(link->findings, IBS_SEVERITY_INCOMPLETE)) {
		sum->n_found_links++;
	}
	if (link->eff_100mbps > 0) {
		sum->eff_100mbps += (uint64_t)link->eff_100mbps;
		sum->expected_100mbps += (uint64_t)link->eff_100mbps;
	}
	sum->expected_100mbps += (uint64_t)ibs_link_lost_100mbps(link);
}

void
ibs_summary_make(const struct ibs_map *map, struct ibs_summary *ret_sum)
{
	*ret_sum = (struct ibs_summary){ .n_links = map->n_links };
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		count_node(ret_sum, &map->nodes[i]);
	}
	for (uint32_t i = 0; i < map->n_ports; i++) {
		count_port(ret_sum, map, i);
	}
	for (uint32_t i = 0; i < map->n_links; i++) {
		count_link(ret_sum, &map->links[i].link);
	}
	qsort(ret_sum->counts, ret_sum->n_counts, sizeof(ret_sum->counts[0]),
	      compare_counts);
}

/* A word of the filter, understood. */
struct word {
	enum { WORD_GUID, WORD_PAIR, WORD_FINDING, WORD_NAME } kind;
	uint64_t guid;
	struct ibs_pair pair;
	ibs_set finding;
	const char *text;
};

/* One that an audit finds is in no map. */
static bool
parse_finding(const char *text, ibs_set *ret_finding)
{
	enum ibs_finding finding = ibs_finding_find(text);

	if (finding == IBS_FINDING_COUNT ||
	    ibs_finding_row(finding)->by != IBS_BY_LINK) {
		return false;
	}
	*ret_finding = IBS_BIT(finding);
	return true;
}

static int
parse_word(const char *text, struct word *ret_word)
{
	struct word word = { .kind = WORD_NAME, .text = text };
	int pair = ibs_pair_from_text(text, &word.pair);

	if (ibs_guid_from_text(text, &word.guid) == 0) {
		word.kind = WORD_GUID;
	} else if (pair == 0) {
		word.kind = WORD_PAIR;
	} else if (parse_finding(text, &word.finding)) {
		word.kind = WORD_FINDING;
	} else if (pair == -ENOENT || *text == '\0' ||
		   strncasecmp(text, "0x", 2) == 0) {
		return -EINVAL; /* nearly one of them, and no name */
	}
	*ret_word = word;
	return 0;
}

static bool
text_matches(const char *word, const char *name)
{
	return strncmp(name, word, strlen(word)) == 0 ||
	       fnmatch(word, name, FNM_NOESCAPE) == 0;
}

bool
ibs_name_matches(const char *word, const struct ibs_node *node)
{
	char name[IBS_DESC_TEXT_SIZE];

	ibs_node_name(node, name);
	if (text_matches(word, name)) {
		return true;
	}
	ibs_node_cell(node, name);
	return text_matches(word, name);
}

static bool
end_matches(const struct word *word, const struct ibs_map *map, uint32_t port)
{
	const struct ibs_node *node;

	if (port == IBS_NO_INDEX) {
		return false;
	}
	node = &map->nodes[map->ports[port].node];
	if (word->kind == WORD_GUID) {
		return node->guid == word->guid ||
		       map->ports[port].guid == word->guid;
	}
	return ibs_name_matches(word->text, node);
}

static bool
word_matches(const struct word *word, const struct ibs_map *map,
	     const struct ibs_map_link *row)
{
	switch (word->kind) {
	case WORD_PAIR:
		return row->link.active.speed == word->pair.speed &&
		       row->link.active.width == word->pair.width;
	case WORD_FINDING:
		return row->link.findings & word->finding;
	case WORD_GUID:
	case WORD_NAME:
		break;
	}
	return end_matches(word, map, row->a) || end_matches(word, map, row->b);
}

static bool
all_match(const struct word *words, size_t n_words, const struct ibs_map *map,
	  const struct ibs_map_link *row)
{
	for (size_t i = 0; i < n_words; i++) {
		if (!word_matches(&words[i], map, row)) {
			return false;
		}
	}
	return true;
}

/* Where a link stands in the report; smaller is earlier. */
struct place {
	uint32_t link;
	uint32_t rank; /* of the name of its first end */
	int32_t lost_100mbps;
	uint8_t num;   /* port number there */
	uint8_t class; /* 0 findings, 1 incomplete, 2 notes, 3 nothing */
};

static int
compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->class != b->class) {
		return a->class < b->class ? -1 : 1;
	}
	if (a->lost_100mbps != b->lost_100mbps) {
		return a->lost_100mbps > b->lost_100mbps ? -1 : 1;
	}
	if (a->rank != b->rank) {
		return a->rank < b->rank ? -1 : 1;
	}
	if (a->num != b->num) {
		return a->num < b->num ? -1 : 1;
	}
	return a->link < b->link ? -1 : a->link > b->link;
}

static uint8_t
class_of(ibs_set findings)
{
	if (ibs_findings_have(findings, IBS_SEVERITY_FINDING)) {
		return 0;
	}
	if (ibs_findings_have(findings, IBS_SEVERITY_INCOMPLETE)) {
		return 1;
	}
	return findings ? 2 : 3;
}

static struct place
place_of(const struct ibs_map *map, uint32_t link, const uint32_t *ranks)
{
	const struct ibs_map_link *row = &map->links[link];
	const struct ibs_map_port *a =
		&map->ports[ibs_link_ends(map, row, IBS_NO_INDEX).a];

	return (struct place){
		.link = link,
		.rank = ranks[a->node],
		.lost_100mbps = ibs_link_lost_100mbps(&row->link),
		.num = a->num,
		.class = class_of(row->link.findings),
	};
}

uint32_t *
ibs_rank_names(const struct ibs_map *map)
{
	const struct ibs_node **nodes = ibs_nodes_by_name(map);
	uint32_t *ranks = calloc((size_t)map->n_nodes + 1, sizeof(*ranks));

	if (nodes && ranks) {
		for (uint32_t i = 0; i < map->n_nodes; i++) {
			ranks[nodes[i] - map->nodes] = i;
		}
	} else {
		free(ranks);
		ranks = NULL;
	}
	free(nodes);
	return ranks;
}

/* A name or GUID that no node has is a slip, and no good news. */
static bool
names_somebody(const struct word *word, const struct ibs_map *map)
{
	if (word->kind != WORD_NAME && word->kind != WORD_GUID) {
		return true;
	}
	for (uint32_t i = 0; i < map->n_ports; i++) {
		if (end_matches(word, map, i)) {
			return true;
		}
	}
	return false;
}

static int
choose_links(struct ibs_report *report, const struct word *words,
	     size_t n_words)
{
	const struct ibs_map *map = report->map;
	size_t size = (size_t)map->n_links + 1;
	struct place *places = calloc(size, sizeof(*places));
	uint32_t *ranks = ibs_rank_names(map);
	uint32_t n = 0;

	report->links = calloc(size, sizeof(*report->links));
	if (!places || !ranks || !report->links) {
		free(places);
		free(ranks);
		free(report->links);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < map->n_links; i++) {
		if (all_match(words, n_words, map, &map->links[i])) {
			places[n++] = place_of(map, i, ranks);
		}
	}
	qsort(places, n, sizeof(*places), compare_places);
	for (uint32_t i = 0; i < n; i++) {
		report->links[i] = places[i].link;
	}
	report->n_links = n;
	free(places);
	free(ranks);
	return 0;
}

int
ibs_report_check(const char *const *words, size_t n_words, size_t *ret_word)
{
	struct word word;

	for (size_t i = 0; i < n_words; i++) {
		if (parse_word(words[i], &word)) {
			*ret_word = i;
			return -EINVAL;
		}
	}
	return 0;
}

int
ibs_report_make(const struct ibs_map *map, const char *const *words,
		size_t n_words, struct ibs_report *ret_report, size_t *ret_word)
{
	struct word *parsed = calloc(n_words + 1, sizeof(*parsed));
	struct ibs_report report = { .map = map, .filtered = n_words > 0 };
	int err = parsed ? ibs_report_check(words, n_words, ret_word) : -ENOMEM;

	for (size_t i = 0; !err && i < n_words; i++) {
		(void)parse_word(words[i], &parsed[i]);
		if (!names_somebody(&parsed[i], map)) {
			*ret_word = i;
			err = -ENOENT;
		}
	}
	if (!err) {
		err = choose_links(&report, parsed, n_words);
	}
	free(parsed);
	if (err) {
		return err;
	}
	ibs_summary_make(map, &report.summary);
	*ret_report = report;
	return 0;
}

void
ibs_report_free(struct ibs_report *report)
{
	free(report->links);
	report->links = NULL;
	report->n_links = 0;
}
