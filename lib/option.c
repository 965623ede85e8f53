// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The rows of all settings, and a value put into its place. */
#include <config.h>

#include "ibspeed/option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/sweep.h"

#define IN_STORE_READERS                                                       \
	(IBS_IN_SHOW | IBS_IN_QUERY | IBS_IN_STATUS | IBS_IN_AUDIT)
#define IN_MAPS		 (IBS_IN_SHOW | IBS_IN_QUERY | IBS_IN_SWEEP)
#define IN_LIVE		 (IN_MAPS | IBS_IN_AUDIT)
#define IN_MAP_FORMATS	 IN_LIVE
#define IN_OTHER_FORMATS (IBS_IN_STATUS | IBS_IN_DECODE | IBS_IN_RATE)
#define IN_RECORDER	 (IBS_IN_CONF | IBS_IN_PLUGIN | IBS_IN_RECORD)
#define IN_ALL_COMMANDS	 (~(IBS_IN_CONF | IBS_IN_PLUGIN))

#define TEXT(member)                                                           \
	IBS_OPTION_TEXT, offsetof(struct ibs_settings, member),                \
		sizeof(((struct ibs_settings *)0)->member)
#define NUMBER(member)                                                         \
	IBS_OPTION_NUMBER, offsetof(struct ibs_settings, member),              \
		sizeof(unsigned int)
#define FLAG(member)                                                           \
	IBS_OPTION_FLAG, offsetof(struct ibs_settings, member), sizeof(bool)

/* name, letter, place, choices, min, max, default, unit, where, doc */
const struct ibs_option_row ibs_option_rows[] = {
	{ "db", 0, TEXT(db), NULL, 0, 0, "", "FILE",
	  IN_RECORDER | IN_STORE_READERS | IBS_IN_SWEEP,
	  "the store; default /var/lib/ibspeed/speedmap-GUID.db" },
	{ "conf", 0, TEXT(conf), NULL, 0, 0, "/etc/ibspeed/ibspeed.conf",
	  "FILE",
	  IBS_IN_PLUGIN | IBS_IN_RECORD | IN_STORE_READERS | IBS_IN_SWEEP,
	  "the conf file" },
	{ "recorder", 0, TEXT(recorder), NULL, 0, 0, "", "PATH", IBS_IN_PLUGIN,
	  "the ibspeed program that the plugin starts" },
	{ "source", 0, TEXT(source), "smp|sm", 0, 0, "smp", "smp|sm",
	  IN_RECORDER,
	  "read the ports by SMPs, or record OpenSM's bytes and send nothing" },
	{ "max_smps", 'o', NUMBER(max_smps), NULL, 1, IBS_SMPS_MAX, "8", "N",
	  IN_RECORDER | IN_LIVE, "most Gets in flight" },
	{ "max_smps_per_node", 0, NUMBER(max_smps_per_node), NULL, 1,
	  IBS_SMPS_MAX, "2", "N", IN_RECORDER | IN_LIVE,
	  "most Gets in flight to one node" },
	{ "max_rate", 0, NUMBER(max_rate), NULL, 0, 10000000, "0", "N",
	  IN_RECORDER | IN_LIVE, "most Gets per second; 0: no limit" },
	{ "timeout", 't', NUMBER(timeout_ms), NULL, 1, 60000, "200", "MS",
	  IN_RECORDER | IN_LIVE,
	  "how long to wait for an answer, milliseconds" },
	{ "retries", 0, NUMBER(retries), NULL, 0, 20, "2", "N",
	  IN_RECORDER | IN_LIVE,
	  "how many times an unanswered Get is sent again" },
	{ "interval", 0, NUMBER(interval_s), NULL, 1, 604800, "600", "S",
	  IN_RECORDER, "how often to read the fabric again, seconds" },
	{ "Ca", 'C', TEXT(ca), NULL, 0, 0, "", "NAME",
	  IBS_IN_CONF | IBS_IN_RECORD | IN_LIVE,
	  "the local channel adapter to send from" },
	{ "Port", 'P', NUMBER(port), NULL, 0, 254, "0", "N",
	  IBS_IN_CONF | IBS_IN_RECORD | IN_LIVE,
	  "its port; 0: the SM's, or the first that is up" },
	{ "feed", 0, FLAG(feed), NULL, 0, 0, "", NULL, IBS_IN_RECORD,
	  "be fed by the OpenSM plugin through standard input" },
	{ "print-conf", 0, FLAG(print_conf), NULL, 0, 0, "", NULL,
	  IBS_IN_RECORD, "print a conf file with all defaults and exit" },
	{ "format", 0, TEXT(format), "text|json|csv", 0, 0, "text",
	  "text|json|csv", IN_MAP_FORMATS, "how to print" },
	{ "format", 0, TEXT(format), "text|json", 0, 0, "text", "text|json",
	  IN_OTHER_FORMATS, "how to print" },
	{ "m_key", 'y', TEXT(m_key), NULL, 0, 0, "", "KEY",
	  IN_LIVE | IBS_IN_RECORD, "M_Key to send in the Gets" },
	{ "config", 'z', TEXT(config), NULL, 0, 0,
	  "/etc/infiniband-diags/ibdiag.conf", "FILE", IN_LIVE | IBS_IN_RECORD,
	  "the conf file of infiniband-diags; it need not exist" },
	{ "node-name-map", 0, TEXT(node_name_map), NULL, 0, 0, "", "FILE",
	  IN_LIVE, "node names by GUID, in OpenSM's format" },
	{ "live", 0, FLAG(live), NULL, 0, 0, "", NULL,
	  IBS_IN_SHOW | IBS_IN_QUERY | IBS_IN_AUDIT,
	  "query the fabric now, not the store; record nothing" },
	{ "at", 0, TEXT(at), NULL, 0, 0, "", "TIME", IBS_IN_AUDIT,
	  "the map as it was then, 2026-11-30T12:00 or @SECONDS" },
	{ "policy", 0, TEXT(policy), NULL, 0, 0, "/etc/ibspeed/policy.conf",
	  "FILE", IBS_IN_CONF | IBS_IN_AUDIT,
	  "what links should run at; ibspeed-policy(5)" },
	{ "only", 0, TEXT(only), NULL, 0, 0, "", "FINDING,...", IBS_IN_AUDIT,
	  "these findings and no others" },
	{ "node", 0, TEXT(node), NULL, 0, 0, "", "PATTERN", IBS_IN_AUDIT,
	  "links of nodes of that name, pattern or GUID" },
	{ "min-lost", 0, TEXT(min_lost), NULL, 0, 0, "", "GBPS", IBS_IN_AUDIT,
	  "links that lost at least so much" },
	{ "notes", 0, FLAG(notes), NULL, 0, 0, "", NULL, IBS_IN_AUDIT,
	  "limited-by-peer too" },
	{ "strict", 0, FLAG(strict), NULL, 0, 0, "", NULL, IBS_IN_AUDIT,
	  "a note is as bad as a finding" },
	{ "nagios", 0, FLAG(nagios), NULL, 0, 0, "", NULL, IBS_IN_AUDIT,
	  "one line with perfdata, and the exit status of a plugin" },
	{ "accept", 0, FLAG(accept), NULL, 0, 0, "", NULL, IBS_IN_AUDIT,
	  "store the map, or NODE [PORT] of it, as the baseline" },
	{ "waive", 0, FLAG(waive), NULL, 0, 0, "", NULL, IBS_IN_AUDIT,
	  "waive what is found at NODE [PORT]; with --until, --reason" },
	{ "until", 0, TEXT(until), NULL, 0, 0, "", "TIME", IBS_IN_AUDIT,
	  "how long it is waived, 2027-01-31; now: no longer" },
	{ "reason", 0, TEXT(reason), NULL, 0, 0, "", "TEXT", IBS_IN_AUDIT,
	  "why it is waived" },
	{ "path", 0, FLAG(path), NULL, 0, 0, "", NULL, IBS_IN_AUDIT,
	  "the way from SRC to DST by the forwarding tables, read now" },
	{ "Lid", 'L', FLAG(lid), NULL, 0, 0, "", NULL,
	  IBS_IN_QUERY | IBS_IN_AUDIT, "the address is a LID" },
	{ "Guid", 'G', FLAG(guid), NULL, 0, 0, "", NULL,
	  IBS_IN_QUERY | IBS_IN_AUDIT, "the address is a GUID" },
	{ "Direct", 'D', FLAG(direct), NULL, 0, 0, "", NULL, IBS_IN_QUERY,
	  "the address is a directed route, 0,1,3; queries the fabric" },
	{ "cap", 0, TEXT(cap), NULL, 0, 0, "", "HEX", IBS_IN_DECODE,
	  "PortInfo of switch port 0 that gates the port" },
	{ "ext", 0, TEXT(ext), NULL, 0, 0, "", "HEX", IBS_IN_DECODE,
	  "MLNX ExtendedPortInfo of the port" },
	{ "peer", 0, TEXT(peer), NULL, 0, 0, "", "HEX", IBS_IN_DECODE,
	  "PortInfo of the other end: judge the link" },
	{ "peer-cap", 0, TEXT(peer_cap), NULL, 0, 0, "", "HEX", IBS_IN_DECODE,
	  "PortInfo of switch port 0 that gates the other end" },
	{ "peer-ext", 0, TEXT(peer_ext), NULL, 0, 0, "", "HEX", IBS_IN_DECODE,
	  "MLNX ExtendedPortInfo of the other end" },
	{ "errors", 'e', FLAG(errors), NULL, 0, 0, "", NULL, IN_LIVE,
	  "report each failed Get" },
	{ "debug", 'd', NUMBER(debug), NULL, 0, 9, "0", NULL, IN_LIVE,
	  "have libibumad print what it does; may be repeated" },
	{ "verbose", 'v', NUMBER(verbose), NULL, 0, 9, "0", NULL,
	  IN_ALL_COMMANDS, "print more; may be repeated" },
};
const size_t ibs_n_option_rows =
	sizeof(ibs_option_rows) / sizeof(ibs_option_rows[0]);

const struct ibs_option_row *
ibs_option_find(const char *name, unsigned int where)
{
	for (size_t i = 0; i < ibs_n_option_rows; i++) {
		if ((ibs_option_rows[i].where & where) &&
		    strcmp(ibs_option_rows[i].name, name) == 0) {
			return &ibs_option_rows[i];
		}
	}
	return NULL;
}

static bool
is_choice(const char *choices, const char *value)
{
	size_t length = strlen(value);

	while (length && choices && !strchr(value, '|')) {
		if (strncmp(choices, value, length) == 0 &&
		    (choices[length] == '|' || choices[length] == 0)) {
			return true;
		}
		choices = strchr(choices, '|');
		choices = choices ? choices + 1 : NULL;
	}
	return false;
}

static int
set_text(char *place, const struct ibs_option_row *row, const char *value,
	 char *error, size_t error_size)
{
	if (row->choices && !is_choice(row->choices, value)) {
		snprintf(error, error_size, "%s is \"%s\", expected %s",
			 row->name, value, row->choices);
		return -EINVAL;
	}
	if (strlen(value) >= row->size) {
		snprintf(error, error_size,
			 "%s is %zu characters long, expected at most %zu",
			 row->name, strlen(value), row->size - 1);
		return -EINVAL;
	}
	memcpy(place, value, strlen(value) + 1);
	return 0;
}

static int
set_number(unsigned int *place, const struct ibs_option_row *row,
	   const char *value, char *error, size_t error_size)
{
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(value, &end, 10);
	if (errno || end == value || *end || *value < '0' || *value > '9' ||
	    number < row->min || number > row->max) {
		snprintf(error, error_size,
			 "%s is \"%s\", expected a number from %u to %u",
			 row->name, value, row->min, row->max);
		return -EINVAL;
	}
	*place = (unsigned int)number;
	return 0;
}

int
ibs_option_set(struct ibs_settings *settings, const struct ibs_option_row *row,
	       const char *value, char *error, size_t error_size)
{
	char *place = (char *)settings + row->offset;
	bool yes = true;

	switch (row->type) {
	case IBS_OPTION_TEXT:
		return set_text(place, row, value, error, error_size);
	case IBS_OPTION_NUMBER: {
		unsigned int number;
		int err = set_number(&number, row, value, error, error_size);

		if (!err) {
			memcpy(place, &number, sizeof(number));
		}
		return err;
	}
	case IBS_OPTION_FLAG:
		memcpy(place, &yes, sizeof(yes));
		return 0;
	}
	return -EINVAL;
}

void
ibs_settings_default(struct ibs_settings *ret_settings)
{
	char error[IBS_WORD_SIZE];

	memset(ret_settings, 0, sizeof(*ret_settings));
	for (size_t i = 0; i < ibs_n_option_rows; i++) {
		const struct ibs_option_row *row = &ibs_option_rows[i];

		if (*row->value) {
			(void)ibs_option_set(ret_settings, row, row->value,
					     error, sizeof(error));
		}
	}
}

/* One blank-separated token of the string, cut out of it. */
static size_t
token_length(const char *text)
{
	return strcspn(text, " \t\r\n");
}

static void
copy_cut(char *place, size_t place_size, const char *from, size_t length)
{
	if (length >= place_size) {
		length = place_size - 1;
	}
	memcpy(place, from, length);
	place[length] = 0;
}

int
ibs_option_next_token(const char **cursor, char *ret_key, size_t key_size,
		      char *ret_value, size_t value_size)
{
	static const char prefix[] = "osmspeed.";
	const size_t prefix_length = sizeof(prefix) - 1;

	for (;;) {
		const char *token = *cursor + strspn(*cursor, " \t\r\n");
		size_t length = token_length(token);
		const char *equals = memchr(token, '=', length);
		size_t key_length;

		*cursor = token + length;
		if (length == 0) {
			return 0;
		}
		if (strncmp(token, prefix, prefix_length) != 0) {
			continue;
		}
		token += prefix_length;
		length -= prefix_length;
		key_length = equals ? (size_t)(equals - token) : length;
		copy_cut(ret_key, key_size, token, key_length);
		if (!equals || key_length >= key_size ||
		    length - key_length > value_size) {
			return -EINVAL;
		}
		copy_cut(ret_value, value_size, equals + 1,
			 length - key_length - 1);
		return 1;
	}
}
