// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The waivers in the store. */
#include <config.h>

#include "store_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "ibspeed/link.h"

static void
put_num(struct ibs_query *query, int16_t num)
{
	if (num < 0) {
		ibs_query_put_null(query);
	} else {
		ibs_query_put_int(query, num);
	}
}

static int
end_waiver(struct ibs_store *store, const struct ibs_waiver *waiver, int *ret_n)
{
	struct ibs_query query;
	int err = ibs_query_open(&query, store,
				 "DELETE FROM waiver WHERE node_guid = ? AND"
				 " node_instance = ? AND port_num IS ?");

	if (err) {
		return err;
	}
	ibs_query_put_int(&query, (int64_t)waiver->guid);
	ibs_query_put_int(&query, waiver->instance);
	put_num(&query, waiver->num);
	err = ibs_query_run(&query);
	ibs_query_close(&query);
	*ret_n = sqlite3_changes(store->db);
	return err;
}

/* Names of findings; room for all of them. */
#define NAMES_SIZE (32 * IBS_FINDING_COUNT)

static void
names_of(ibs_set findings, char ret_names[NAMES_SIZE])
{
	int used = 0;

	ret_names[0] = '\0';
	for (int i = 0; i < IBS_FINDING_COUNT; i++) {
		if (findings & IBS_BIT(i)) {
			used += snprintf(
				ret_names + used, NAMES_SIZE - (size_t)used,
				"%s%s", used ? "," : "",
				ibs_finding_row((enum ibs_finding)i)->name);
		}
	}
}

/* One that this release does not know is covered no more. */
static ibs_set
findings_of(char *names)
{
	ibs_set findings = 0;
	char *rest = NULL;

	for (char *name = strtok_r(names, ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest)) {
		enum ibs_finding finding = ibs_finding_find(name);

		if (finding != IBS_FINDING_COUNT) {
			findings |= IBS_BIT(finding);
		}
	}
	return findings;
}

static int
add_waiver(struct ibs_store *store, const struct ibs_waiver *waiver)
{
	struct ibs_query query;
	int err = ibs_query_open(&query, store,
				 "INSERT INTO waiver (node_guid, node_instance,"
				 " port_num, at_ns, until_ns, reason, who,"
				 " findings) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
	char names[NAMES_SIZE];

	if (err) {
		return err;
	}
	ibs_query_put_int(&query, (int64_t)waiver->guid);
	ibs_query_put_int(&query, waiver->instance);
	put_num(&query, waiver->num);
	ibs_query_put_int(&query, waiver->at_ns);
	ibs_query_put_int(&query, waiver->until_ns);
	ibs_query_put_text(&query, waiver->reason, sizeof(waiver->reason));
	ibs_query_put_text(&query, waiver->who, sizeof(waiver->who));
	names_of(waiver->findings, names);
	ibs_query_put_text(&query, names, sizeof(names));
	err = ibs_query_run(&query);
	ibs_query_close(&query);
	return err;
}

int
ibs_store_waive(struct ibs_store *store, const struct ibs_waiver *waiver)
{
	int n = 0, err = ibs_store_begin(store);

	if (err) {
		return err;
	}
	err = end_waiver(store, waiver, &n);
	if (!err && waiver->until_ns) {
		err = add_waiver(store, waiver);
	} else if (!err && !n) {
		err = ibs_store_fail_words(store, -ENOENT,
					   "has no such waiver");
	}
	return ibs_store_end(store, err);
}

static int
get_waiver(struct ibs_query *query, struct ibs_waiver *waiver)
{
	char names[NAMES_SIZE];
	bool node, any;

	waiver->guid = (uint64_t)ibs_query_get_int(query);
	waiver->instance = (uint32_t)ibs_query_get_uint(query, UINT32_MAX);
	node = ibs_query_is_null(query);
	waiver->num = (int16_t)ibs_query_get_uint(query, UINT8_MAX);
	if (node) {
		waiver->num = -1;
	}
	waiver->at_ns = ibs_query_get_int(query);
	waiver->until_ns = ibs_query_get_int(query);
	ibs_query_get_text(query, waiver->reason, sizeof(waiver->reason));
	ibs_query_get_text(query, waiver->who, sizeof(waiver->who));
	ibs_query_get_text(query, names, sizeof(names));
	any = names[0] == '\0';
	waiver->findings = findings_of(names);
	if (!any && !waiver->findings) {
		query->bad = true; /* 0 would be any */
	}
	return ibs_query_good(query);
}

int
ibs_store_get_waivers(struct ibs_store *store, struct ibs_waiver **ret_waivers,
		      size_t *ret_n)
{
	struct ibs_waiver waiver = { 0 };
	uint32_t n = 0, size = 0;
	void *waivers = NULL;
	struct ibs_query query;
	int err = ibs_query_open(&query, store,
				 "SELECT node_guid, node_instance, port_num,"
				 " at_ns, until_ns, reason, who, findings"
				 " FROM waiver ORDER BY id");

	if (err) {
		return err;
	}
	while ((err = ibs_query_next(&query)) == 1) {
		err = get_waiver(&query, &waiver);
		if (!err && ibs_grow(&waivers, sizeof(waiver), n, &size)) {
			err = ibs_store_fail_words(store, -ENOMEM,
						   "out of memory");
		}
		if (err) {
			break;
		}
		((struct ibs_waiver *)waivers)[n++] = waiver;
	}
	ibs_query_close(&query);
	if (err) {
		free(waivers);
		return err;
	}
	*ret_waivers = waivers;
	*ret_n = n;
	return 0;
}
