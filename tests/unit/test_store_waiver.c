// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The waivers in the store. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>

#include "ibspeed/store.h"
#include "store_unit.h"
#include "unit.h"

#define S_NS	 INT64_C(1000000000)
#define START_NS (1700000000 * S_NS)

/* All waivers, so many; free(). */
static struct ibs_waiver *
waivers_of(const char *row, struct ibs_store *store, size_t want)
{
	struct ibs_waiver *waivers = NULL;
	size_t n = want + 1;

	CHECK_INT(row, ibs_store_get_waivers(store, &waivers, &n), 0);
	CHECK_INT(row, n, want);
	return waivers;
}

#define SLOW_OR_MISSING                                                        \
	(IBS_BIT(IBS_FINDING_DEGRADED_WIDTH) | IBS_BIT(IBS_FINDING_MISSING))

static void
check_waiver(const char *row, const struct ibs_waiver *waiver, int16_t num,
	     int64_t until_ns)
{
	CHECK(row, waiver->guid == UINT64_MAX);
	CHECK_INT(row, waiver->num, num);
	CHECK_INT(row, waiver->until_ns, until_ns);
	CHECK_INT(row, waiver->at_ns, START_NS);
	CHECK_TEXT(row, waiver->reason, "RMA 4711");
	CHECK_TEXT(row, waiver->who, "admin");
	CHECK(row, waiver->findings == (num < 0 ? 0 : SLOW_OR_MISSING));
}

static void
test_waivers(void)
{
	struct ibs_waiver waiver = { .guid = UINT64_MAX,
				     .findings = SLOW_OR_MISSING,
				     .num = 3,
				     .at_ns = START_NS,
				     .until_ns = START_NS + 1,
				     .reason = "RMA 4711",
				     .who = "admin" };
	struct ibs_waiver *two;
	struct store_unit unit;
	struct ibs_store *store;

	store_unit_make(&unit);
	store = store_unit_open(&unit, IBS_STORE_WRITE);
	free(waivers_of("none", store, 0));
	CHECK_INT("port", ibs_store_waive(store, &waiver), 0);
	waiver.num = -1;
	waiver.findings = 0;
	CHECK_INT("node", ibs_store_waive(store, &waiver), 0);
	waiver.until_ns = START_NS + 2;
	CHECK_INT("again", ibs_store_waive(store, &waiver), 0);
	two = waivers_of("two", store, 2);
	check_waiver("port", &two[0], 3, START_NS + 1);
	check_waiver("node", &two[1], -1, START_NS + 2);
	free(two);
	waiver.until_ns = 0;
	CHECK_INT("ended", ibs_store_waive(store, &waiver), 0);
	free(waivers_of("ended", store, 1));
	CHECK_INT("none to end", ibs_store_waive(store, &waiver), -ENOENT);
	free(waivers_of("none to end", store, 1));
	ibs_store_close(store);
	store_unit_remove(&unit);
}

static const struct unit_test tests[] = {
	{ "waivers", test_waivers },
};
UNIT_MAIN("store_waiver", tests)
