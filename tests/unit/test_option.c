// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The option rows: values that fit, values that do not, the plugin's tokens. */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "ibspeed/option.h"
#include "unit.h"

#define EVERYWHERE (~0u)

static void
test_rows(void)
{
	struct ibs_settings settings;

	ibs_settings_default(&settings);
	CHECK_INT("max_smps", settings.max_smps, 8);
	CHECK_INT("max_smps_per_node", settings.max_smps_per_node, 2);
	CHECK_TEXT("source", settings.source, "smp");
	CHECK_TEXT("db", settings.db, "");
	for (size_t i = 0; i < ibs_n_option_rows; i++) {
		const struct ibs_option_row *row = &ibs_option_rows[i];
		char error[IBS_WORD_SIZE];

		CHECK(row->name, row->doc && *row->doc);
		CHECK(row->name, row->where != 0);
		CHECK(row->name, ibs_option_find(row->name, row->where) == row);
		CHECK(row->name, row->offset + row->size <= sizeof(settings));
		CHECK(row->name,
		      !*row->value ||
			      ibs_option_set(&settings, row, row->value, error,
					     sizeof(error)) == 0);
		for (size_t j = 0; j < i; j++) {
			const struct ibs_option_row *other =
				&ibs_option_rows[j];

			CHECK(row->name, strcmp(row->name, other->name) != 0 ||
						 !(row->where & other->where));
		}
	}
	CHECK("unknown", ibs_option_find("colour", EVERYWHERE) == NULL);
	CHECK("elsewhere", ibs_option_find("recorder", IBS_IN_SHOW) == NULL);
}

static void
test_values(void)
{
	static const struct {
		const char *name, *value, *says; /* NULL: it fits */
	} rows[] = {
		{ "max_smps", "1", NULL },
		{ "max_smps", "128", NULL },
		{ "max_smps", "0",
		  "max_smps is \"0\", expected a number from 1 to 128" },
		{ "max_smps", "129",
		  "max_smps is \"129\", expected a number from 1 to 128" },
		{ "max_smps", "",
		  "max_smps is \"\", expected a number from 1 to 128" },
		{ "max_smps", "8x",
		  "max_smps is \"8x\", expected a number from 1 to 128" },
		{ "max_smps", " 8",
		  "max_smps is \" 8\", expected a number from 1 to 128" },
		{ "max_smps", "-8",
		  "max_smps is \"-8\", expected a number from 1 to 128" },
		{ "max_smps", "99999999999999999999",
		  "max_smps is \"99999999999999999999\", expected a number "
		  "from 1 to 128" },
		{ "source", "smp", NULL },
		{ "source", "sm", NULL },
		{ "source", "", "source is \"\", expected smp|sm" },
		{ "source", "s", "source is \"s\", expected smp|sm" },
		{ "source", "smp|sm", "source is \"smp|sm\", expected smp|sm" },
		{ "db", "/a path/with blanks.db", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ibs_settings settings;
		char error[IBS_WORD_SIZE] = "";
		int err;

		ibs_settings_default(&settings);
		err = ibs_option_set(&settings,
				     ibs_option_find(rows[i].name, EVERYWHERE),
				     rows[i].value, error, sizeof(error));
		CHECK_INT(rows[i].value, err, rows[i].says ? -EINVAL : 0);
		CHECK_TEXT(rows[i].value, error,
			   rows[i].says ? rows[i].says : "");
	}
}

static void
test_too_long(void)
{
	struct ibs_settings settings;
	char value[IBS_PATH_SIZE + 1];
	char error[IBS_WORD_SIZE];
	const struct ibs_option_row *row = ibs_option_find("db", EVERYWHERE);

	ibs_settings_default(&settings);
	memset(value, 'a', sizeof(value));
	value[IBS_PATH_SIZE] = 0;
	CHECK_INT("one too many",
		  ibs_option_set(&settings, row, value, error, sizeof(error)),
		  -EINVAL);
	CHECK_TEXT("untouched", settings.db, "");
	value[IBS_PATH_SIZE - 1] = 0;
	CHECK_INT("fits",
		  ibs_option_set(&settings, row, value, error, sizeof(error)),
		  0);
}

static void
test_tokens(void)
{
	static const struct {
		const char *text;
		int returns;
		const char *key, *value;
	} rows[] = {
		{ "", 0, "", "" },
		{ "   ", 0, "", "" },
		{ "other.key=1 noise", 0, "", "" },
		{ "osmspeed.db=/x", 1, "db", "/x" },
		{ "a=b\tosmspeed.db=/x=y c", 1, "db", "/x=y" },
		{ "osmspeed.db=", 1, "db", "" },
		{ "osmspeed.=v", 1, "", "v" },
		{ "osmspeed.db", -EINVAL, "db", "" },
		{ "osmspeed.aaaaaaaaaaaaaaaaaaaaaaaaa=1", -EINVAL,
		  "aaaaaaaaaaaaaaa", "" },
		{ "osmspeed.k=vvvvvvvvvvvvvvvvvvvvvvvvvvv", -EINVAL, "k", "" },
		{ "osmspeed", 0, "", "" },
		{ "osmspeedx.db=1", 0, "", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *cursor = rows[i].text;
		char key[16] = "", value[16] = "";

		CHECK_INT(rows[i].text,
			  ibs_option_next_token(&cursor, key, sizeof(key),
						value, sizeof(value)),
			  rows[i].returns);
		CHECK_TEXT(rows[i].text, key, rows[i].key);
		CHECK_TEXT(rows[i].text, value, rows[i].value);
	}
}

static void
test_all_tokens(void)
{
	const char *cursor = "x osmspeed.db=/a other.db=/b osmspeed.bad "
			     "osmspeed.source=sm ";
	char key[16], value[16];

	CHECK_INT("first",
		  ibs_option_next_token(&cursor, key, sizeof(key), value,
					sizeof(value)),
		  1);
	CHECK_INT("second",
		  ibs_option_next_token(&cursor, key, sizeof(key), value,
					sizeof(value)),
		  -EINVAL);
	CHECK_INT("third",
		  ibs_option_next_token(&cursor, key, sizeof(key), value,
					sizeof(value)),
		  1);
	CHECK_TEXT("third", key, "source");
	CHECK_TEXT("third", value, "sm");
	CHECK_INT("end",
		  ibs_option_next_token(&cursor, key, sizeof(key), value,
					sizeof(value)),
		  0);
}

static const struct unit_test tests[] = {
	{ "rows", test_rows },
	{ "values", test_values },
	{ "too long", test_too_long },
	{ "tokens", test_tokens },
	{ "all tokens", test_all_tokens },
};
UNIT_MAIN("option", tests)
