// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Whose file is it, of which version, and the way to ours. */
#include <config.h>

#include "store_private.h"

#include <errno.h>

#define TEXT_OF(value)	TEXT_OF_(value)
#define TEXT_OF_(value) #value
static const char set_version[] =
	"PRAGMA user_version = " TEXT_OF(IBS_STORE_VERSION);

static int
get_version(struct ibs_store *store, int64_t *ret_version)
{
	int64_t ours, n_objects;
	int err = ibs_store_get_int(
		store,
		"SELECT application_id = " IBS_STORE_APPLICATION_ID
		" FROM pragma_application_id",
		&ours);

	if (!err) {
		err = ibs_store_get_int(store,
					"SELECT count(*) FROM sqlite_schema",
					&n_objects);
	}
	if (err) {
		return err;
	}
	if (!ours && n_objects) {
		return ibs_store_fail_words(store, -EPROTO,
					    "is a database, but not a speed "
					    "map");
	}
	return ibs_store_get_int(store, "PRAGMA user_version", ret_version);
}

int
ibs_store_check_version(struct ibs_store *store, enum ibs_store_mode mode)
{
	int64_t version = 0;
	int err = get_version(store, &version);

	if (err) {
		return err;
	}
	if (version > IBS_STORE_VERSION) {
		return ibs_store_fail_words(
			store, -EOVERFLOW,
			"was written by a newer ibspeed; use that one");
	}
	if (version < 0) {
		return ibs_store_fail_words(store, -EPROTO,
					    "has no valid version");
	}
	if (mode == IBS_STORE_READ && version == 0) {
		return ibs_store_fail_words(store, -ENODATA,
					    "nothing is recorded yet");
	}
	if (mode == IBS_STORE_READ && version < IBS_STORE_VERSION) {
		return ibs_store_fail_words(store, -EPROTO,
					    "was written by an older ibspeed; "
					    "recording into it updates it");
	}
	return 0;
}

static int
run_steps(struct ibs_store *store)
{
	int64_t version = 0;
	/* Once more: two may have found it old, and the other was faster. */
	int err = get_version(store, &version);

	for (; !err && version < IBS_STORE_VERSION; version++) {
		err = ibs_store_exec(store, ibs_store_steps[version]);
	}
	return err ? err : ibs_store_exec(store, set_version);
}

int
ibs_store_migrate(struct ibs_store *store)
{
	int64_t version = 0;
	int err = get_version(store, &version);

	if (err || version == IBS_STORE_VERSION) {
		return err;
	}
	err = ibs_store_begin(store);
	return err ? err : ibs_store_end(store, run_steps(store));
}
