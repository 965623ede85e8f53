/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * option: every setting is one row; the command line, the conf file, the
 * plugin's options, --help and conf/ibspeed.conf are made from the rows.
 *
 * locks   none; pure
 */
#ifndef IBSPEED_OPTION_H
#define IBSPEED_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IBS_PATH_SIZE 1024 /* bytes of a path option, with its NUL */
#define IBS_WORD_SIZE 256  /* bytes of any other text option */

struct ibs_settings {
	char db[IBS_PATH_SIZE];
	char conf[IBS_PATH_SIZE];
	char recorder[IBS_PATH_SIZE];
	char source[IBS_WORD_SIZE];
	unsigned int max_smps;
	unsigned int max_smps_per_node;
	unsigned int timeout_ms;
	unsigned int retries;
	unsigned int max_rate;
	unsigned int interval_s;
	char m_key[IBS_WORD_SIZE];
	char config[IBS_PATH_SIZE];
	char node_name_map[IBS_PATH_SIZE];
	unsigned int debug;
	bool errors;
	bool live;
	char ca[IBS_WORD_SIZE];
	unsigned int port;
	char format[IBS_WORD_SIZE];
	unsigned int verbose;
	bool path;
	bool lid;
	bool guid;
	bool direct;
	bool feed;
	bool print_conf;
	char cap[IBS_WORD_SIZE];
	char ext[IBS_WORD_SIZE];
	char peer[IBS_WORD_SIZE];
	char peer_cap[IBS_WORD_SIZE];
	char peer_ext[IBS_WORD_SIZE];
	char policy[IBS_PATH_SIZE];
	char at[IBS_WORD_SIZE];
	char node[IBS_WORD_SIZE];
	char only[IBS_WORD_SIZE];
	char min_lost[IBS_WORD_SIZE];
	bool notes;
	bool strict;
	bool nagios;
	bool accept;
	bool waive;
	char until[IBS_WORD_SIZE];
	char reason[IBS_WORD_SIZE];
};

enum ibs_option_type { IBS_OPTION_TEXT, IBS_OPTION_NUMBER, IBS_OPTION_FLAG };

/* Where an option may stand: the conf file, the plugin's options, and the
 * subcommands (one bit each, from IBS_IN_COMMANDS on). */
#define IBS_IN_CONF   1u
#define IBS_IN_PLUGIN 2u
#define IBS_IN_SHOW   4u
#define IBS_IN_QUERY  8u
#define IBS_IN_STATUS 16u
#define IBS_IN_DECODE 32u
#define IBS_IN_RATE   64u
#define IBS_IN_RECORD 128u
#define IBS_IN_SWEEP  256u
#define IBS_IN_AUDIT  512u

struct ibs_option_row {
	const char *name; /* long option, conf key, osmspeed.KEY */
	char letter;	  /* short option, or 0 */
	enum ibs_option_type type;
	size_t offset;	       /* in struct ibs_settings */
	size_t size;	       /* of a text, with its NUL */
	const char *choices;   /* of a text: "smp|sm"; NULL: any */
	unsigned int min, max; /* of a number */
	const char *value;     /* default, as text; "" none */
	const char *unit;      /* what the value is: "FILE", "MS" */
	unsigned int where;
	const char *doc; /* one line, no dot */
};
extern const struct ibs_option_row ibs_option_rows[];
extern const size_t ibs_n_option_rows;

/* NULL when there is none of that name that may stand there. */
const struct ibs_option_row *ibs_option_find(const char *name,
					     unsigned int where);
void ibs_settings_default(struct ibs_settings *ret_settings);
/*
 * errors  -EINVAL; error says what was wrong and what was expected
 */
int ibs_option_set(struct ibs_settings *settings,
		   const struct ibs_option_row *row, const char *value,
		   char *error, size_t error_size);

/*
 * The next `osmspeed.KEY=VALUE` of OpenSM's event_plugin_options, a string
 * that all plugins share: others' tokens are passed over.
 * in      *cursor  where to look, moved behind the token
 * out     key and value, cut out into the caller's buffer
 * returns 1 a token, 0 the end, -EINVAL a token of ours without "=" or too
 *         long (key then holds its beginning)
 */
int ibs_option_next_token(const char **cursor, char *ret_key, size_t key_size,
			  char *ret_value, size_t value_size);

#endif
