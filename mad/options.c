// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "conf.h"
#include "host.h"

#define OPTIONS_MAX 48
#define FIRST_LONG  256 /* values of long options: FIRST_LONG + row */

/* What options_reload has to read again. */
static struct {
	const struct cmd *cmd;
	int argc;
	char **argv;
	struct timespec conf_changed;
	bool loaded; /* once at least */
} line;

struct parser {
	const struct cmd *cmd;
	struct option longs[OPTIONS_MAX];
	char letters[2 * OPTIONS_MAX];
};

static bool
takes_value(const struct ibs_option_row *row)
{
	return row->type != IBS_OPTION_FLAG && row->unit;
}

static void
prepare(struct parser *parser, const struct cmd *cmd)
{
	size_t n = 0, length = 0;

	memset(parser, 0, sizeof(*parser));
	parser->cmd = cmd;
	parser->letters[length++] = ':';
	parser->letters[length++] = 'h';
	parser->letters[length++] = 'V';
	parser->longs[n++] = (struct option){ "help", no_argument, NULL, 'h' };
	parser->longs[n++] =
		(struct option){ "version", no_argument, NULL, 'V' };
	for (size_t i = 0; i < ibs_n_option_rows && n < OPTIONS_MAX - 1; i++) {
		const struct ibs_option_row *row = &ibs_option_rows[i];

		if (!(row->where & cmd->where)) {
			continue;
		}
		parser->longs[n++] =
			(struct option){ row->name,
					 takes_value(row) ? required_argument
							  : no_argument,
					 NULL, FIRST_LONG + (int)i };
		if (row->letter) {
			parser->letters[length++] = row->letter;
		}
		if (row->letter && takes_value(row)) {
			parser->letters[length++] = ':';
		}
	}
}

/* The row of what getopt_long returned, NULL: none. */
static const struct ibs_option_row *
row_of(const struct cmd *cmd, int got)
{
	if (got >= FIRST_LONG) {
		return &ibs_option_rows[got - FIRST_LONG];
	}
	for (size_t i = 0; i < ibs_n_option_rows; i++) {
		if ((ibs_option_rows[i].where & cmd->where) &&
		    ibs_option_rows[i].letter == got) {
			return &ibs_option_rows[i];
		}
	}
	return NULL;
}

/* -v counts; every other option is set to its text. */
static int
apply(const struct ibs_option_row *row, const char *value,
      struct ibs_settings *settings, char *error, size_t error_size)
{
	char count[16], words[IBS_WORD_SIZE];
	int err;

	if (row->type == IBS_OPTION_NUMBER && !takes_value(row)) {
		unsigned int number;

		memcpy(&number, (const char *)settings + row->offset,
		       sizeof(number));
		if (number < row->max) {
			number++;
		}
		(void)snprintf(count, sizeof(count), "%u", number);
		value = count;
	}
	err = ibs_option_set(settings, row, value ? value : "", words,
			     sizeof(words));
	if (err) {
		(void)snprintf(error, error_size, "--%s", words);
	}
	return err;
}

static void
tell_unknown(int got, char *error, size_t error_size)
{
	const char *name = line.argv[optind - 1];
	int length = (int)strcspn(name, "=");
	char what[IBS_WORD_SIZE];

	if (got == ':') {
		(void)snprintf(what, sizeof(what), "%s needs a value", name);
	} else if (optopt && optopt < FIRST_LONG) {
		(void)snprintf(what, sizeof(what), "unknown option -%c",
			       optopt);
	} else if (optopt) {
		(void)snprintf(what, sizeof(what), "%.*s takes no value",
			       length, name);
	} else {
		(void)snprintf(what, sizeof(what),
			       "unknown or ambiguous option %.*s", length,
			       name);
	}
	(void)snprintf(error, error_size, "%s (see ibspeed %s --help)", what,
		       line.cmd->name);
}

static enum options_result
parse_line(const struct parser *parser, struct ibs_settings *settings,
	   char *error, size_t error_size)
{
	int got;

	optind = 0;
	opterr = 0;
	while ((got = getopt_long(line.argc, line.argv, parser->letters,
				  parser->longs, NULL)) != -1) {
		const struct ibs_option_row *row;

		if (got == 'h') {
			return OPTIONS_HELP;
		}
		if (got == 'V') {
			return OPTIONS_VERSION;
		}
		row = got == '?' || got == ':' ? NULL
					       : row_of(parser->cmd, got);
		if (!row) {
			tell_unknown(got, error, error_size);
			return OPTIONS_BAD;
		}
		if (apply(row, optarg, settings, error, error_size)) {
			return OPTIONS_BAD;
		}
	}
	return OPTIONS_RUN;
}

/* A file that was not asked for by name need not be there. */
static int
unless_absent(int err, const char *path, const char *usual)
{
	return err == -ENOENT && strcmp(path, usual) == 0 ? 0 : err;
}

static int
load_confs(const struct cmd *cmd, const struct ibs_settings *wanted,
	   struct ibs_settings *settings, char *error, size_t error_size)
{
	struct ibs_settings defaults;
	struct stat file;
	int err = 0;

	ibs_settings_default(&defaults);
	/* OpenSM's recorder has its settings from OpenSM's side alone. */
	if (ibs_option_find("config", cmd->where) && !wanted->feed) {
		err = conf_load_diags(wanted->config, settings, error,
				      error_size);
		err = unless_absent(err, wanted->config, defaults.config);
	}
	if (!err && ibs_option_find("conf", cmd->where)) {
		err = conf_load(wanted->conf, settings, error, error_size);
		err = unless_absent(err, wanted->conf, defaults.conf);
	}
	if (!err && stat(wanted->conf, &file) == 0) {
		line.conf_changed = file.st_mtim;
	}
	return err;
}

static enum options_result
load_all(struct ibs_settings *ret_settings, char *error, size_t error_size)
{
	struct ibs_settings settings, wanted;
	struct parser parser;
	enum options_result result;

	prepare(&parser, line.cmd);
	ibs_settings_default(&wanted);
	result = parse_line(&parser, &wanted, error, error_size);
	if (result != OPTIONS_RUN) {
		return result;
	}
	ibs_settings_default(&settings);
	if (load_confs(line.cmd, &wanted, &settings, error, error_size)) {
		if (line.loaded || !wanted.feed) {
			return OPTIONS_BAD;
		}
		/* Better recorded with the defaults than not at all. */
		message("error: %s; going on without this file", error);
	}
	result = parse_line(&parser, &settings, error, error_size);
	if (result == OPTIONS_RUN) {
		*ret_settings = settings;
	}
	return result;
}

enum options_result
options_parse(const struct cmd *cmd, int argc, char **argv,
	      struct ibs_settings *ret_settings, int *ret_first)
{
	char error[512];
	enum options_result result;

	line.cmd = cmd;
	line.argc = argc;
	line.argv = argv;
	result = load_all(ret_settings, error, sizeof(error));
	if (result == OPTIONS_BAD) {
		message("%s: %s", cmd->name, error);
	}
	line.loaded = true;
	*ret_first = optind;
	return result;
}

int
options_reload(struct ibs_settings *settings, char *error, size_t error_size)
{
	struct timespec before = line.conf_changed;
	struct stat file;

	if (stat(settings->conf, &file) ||
	    (file.st_mtim.tv_sec == before.tv_sec &&
	     file.st_mtim.tv_nsec == before.tv_nsec)) {
		return 0;
	}
	line.conf_changed = file.st_mtim; /* a wrong file is told once */
	if (load_all(settings, error, error_size) != OPTIONS_RUN) {
		return -EINVAL;
	}
	return 0;
}

void
options_print(const struct cmd *cmd)
{
	for (size_t i = 0; i < ibs_n_option_rows; i++) {
		const struct ibs_option_row *row = &ibs_option_rows[i];
		char letter[8] = "    ";
		char name[64];

		if (!(row->where & cmd->where)) {
			continue;
		}
		if (row->letter) {
			(void)snprintf(letter, sizeof(letter), "-%c, ",
				       row->letter);
		}
		(void)snprintf(name, sizeof(name), "--%s%s%s", row->name,
			       takes_value(row) ? "=" : "",
			       takes_value(row) ? row->unit : "");
		printf("  %s%-26s %s", letter, name, row->doc);
		if (*row->value && takes_value(row)) {
			printf(" [%s]", row->value);
		}
		printf("\n");
	}
	printf("  -h, %-26s %s\n", "--help", "print this and exit");
	printf("  -V, %-26s %s\n", "--version", "print the version and exit");
}
