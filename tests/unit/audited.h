/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the tests of audits share: a map of unit_map(), what it is compared
 * with, and the audit of it as JSON. */
#ifndef IBSPEED_TESTS_AUDITED_H
#define IBSPEED_TESTS_AUDITED_H

#include <jansson.h>

#include "ibspeed/audit.h"
#include "written.h"

/* Lines of a policy: "section", "key", "value"; ends with NULL. */
struct audited_line {
	const char *section, *key, *value;
};
void audited_policy(struct ibs_policy *policy,
		    const struct audited_line *lines);
/* All links of a map of unit_map() as the baseline. */
void audited_baseline(void (*edit)(struct ibs_map *map),
		      struct ibs_baseline *baseline);
/* What is audited by nothing but its own ends. */
struct ibs_audit_request audited_request(const struct ibs_map *map);
/* The audit as JSON; json_decref(). */
json_t *audited_json(const struct ibs_audit_request *request, const char *row);
/* The same with the map that edit makes. */
json_t *audited_edit(void (*edit)(struct ibs_map *map));
/* The same against the links of the map that base makes, as the baseline. */
json_t *audited_against(void (*base)(struct ibs_map *map),
			void (*edit)(struct ibs_map *map));

/* Puts a cable in two ports, or takes it out of one. */
void audited_join(struct ibs_map *map, uint64_t a, uint8_t a_num, uint64_t b,
		  uint8_t b_num);
void audited_part(struct ibs_map *map, uint64_t guid, uint8_t num);

/* So many links are listed. */
void audited_count(const char *row, json_t *json, size_t want);

#endif
