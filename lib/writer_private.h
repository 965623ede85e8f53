/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the writers share: an end as all formats see it, the table of its
 * numbers, and small texts.  A number that has no value is -1 here.
 */
#ifndef IBSPEED_WRITER_PRIVATE_H
#define IBSPEED_WRITER_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ibspeed/attr.h"
#include "ibspeed/writer.h"

/* One port to be written. */
struct ibs_end {
	const struct ibs_map *map;	/* NULL: bytes from the command line */
	const struct ibs_map_port *row; /* NULL likewise */
	const struct ibs_node *node;	/* NULL likewise */
	const uint8_t *pi;		/* NULL: not read */
	struct ibs_port port;
	int32_t pkey_tbl_len; /* -1 none */
};
void ibs_end_of_map(const struct ibs_map *map, uint32_t port,
		    struct ibs_end *ret_end);
void ibs_end_of_bytes(const struct ibs_decoded *decoded,
		      struct ibs_end *ret_end);

/* Somebody who did not answer. */
struct ibs_unread {
	const struct ibs_node *node; /* whose port it is, or behind whose */
	bool behind; /* true: the node behind that port, nobody knows it */
	uint8_t num;
	uint8_t read; /* enum ibs_read, not READ_OK */
	uint8_t tries;
	uint16_t status; /* MAD status, with READ_STATUS */
};
/* False when the port has answered, and whoever is behind it. */
bool ibs_unread_of_map(const struct ibs_map *map, uint32_t port,
		       struct ibs_unread *ret_unread);
/* The directed route to it, "0,1,3". */
void ibs_unread_path(const struct ibs_unread *unread, char *ret_text);

/* Width and speed; NONE where the port was not read or is down. */
struct ibs_pair ibs_end_pair(const struct ibs_end *end);

/*
 * The numbers of a port, under the names of ibv_port_attr where it has them.
 *
 * name, how people see it, value
 */
#define IBS_MEMBERS(X)                                                         \
	X(eff_100mbps, GBPS, p->eff_100mbps)                                   \
	X(rate_enum, DECIMAL, rate ? rate->rate_enum : -1)                     \
	X(rate_mult, DECIMAL, rate ? rate->rate_mult : -1)                     \
	X(rate_mbps, DECIMAL, rate ? rate->rate_mbps : -1)                     \
	X(lane_kbps, DECIMAL, speed ? (int64_t)speed->lane_kbps : -1)          \
	X(signal_kbps, DECIMAL, signal_kbps)                                   \
	X(max_mtu, MTU, p->max_mtu)                                            \
	X(active_mtu, MTU, p->active_mtu)                                      \
	X(gid_tbl_len, DECIMAL, p->gid_tbl_len)                                \
	X(port_cap_flags, HEX, p->port_cap_flags)                              \
	X(max_msg_sz, DECIMAL, -1)                                             \
	X(bad_pkey_cntr, DECIMAL, p->bad_pkey_cntr)                            \
	X(qkey_viol_cntr, DECIMAL, p->qkey_viol_cntr)                          \
	X(pkey_tbl_len, DECIMAL, end->pkey_tbl_len)                            \
	X(lid, DECIMAL, p->lid)                                                \
	X(sm_lid, DECIMAL, p->sm_lid)                                          \
	X(lmc, DECIMAL, p->lmc)                                                \
	X(max_vl_num, DECIMAL, p->max_vl_num)                                  \
	X(sm_sl, DECIMAL, p->sm_sl)                                            \
	X(subnet_timeout, DECIMAL, p->subnet_timeout)                          \
	X(init_type_reply, DECIMAL, p->init_type_reply)                        \
	X(active_width, WIDTH, p->up ? p->active_width : -1)                   \
	X(active_speed, DECIMAL, p->active_speed ? p->active_speed : -1)       \
	X(flags, DECIMAL, -1)                                                  \
	X(port_cap_flags2, HEX, p->port_cap_flags2)

enum ibs_member {
#define X(name, kind, value) IBS_MEMBER_##name,
	IBS_MEMBERS(X)
#undef X
		IBS_MEMBER_COUNT
};
enum ibs_member_kind {
	IBS_MEMBER_DECIMAL,
	IBS_MEMBER_HEX,
	IBS_MEMBER_MTU,
	IBS_MEMBER_WIDTH,
	IBS_MEMBER_GBPS
};
struct ibs_member_row {
	const char *name;
	enum ibs_member_kind kind;
};
extern const struct ibs_member_row ibs_member_rows[IBS_MEMBER_COUNT];
void ibs_end_members(const struct ibs_end *end,
		     int64_t ret_values[IBS_MEMBER_COUNT]);

/* IBA fields that are masks or keys: shown in hexadecimal. */
bool ibs_raw_is_hex(enum ibs_port_info_field field);

/*
 * The ends of a link in the order they are told: the switch first where only
 * one is; else as in the map.  With node, that node's end first.
 */
struct ibs_ends {
	uint32_t a;
	uint32_t b; /* IBS_NO_INDEX: nobody known */
};
struct ibs_ends ibs_link_ends(const struct ibs_map *map,
			      const struct ibs_map_link *link, uint32_t node);
/* CLOCK_REALTIME of the later of both ends' states; 0 not known. */
int64_t ibs_link_since_ns(const struct ibs_map *map,
			  const struct ibs_map_link *link);

/* -1: the SA's rate and that of the path cannot be compared. */
int ibs_record_agrees(const struct ibs_path_report *report);

/* What the link lost; -1 when that is not known. */
int32_t ibs_link_lost_or_none(const struct ibs_link *link);

/* One flag per port: it is an end of a link.  NULL: no memory; free(). */
bool *ibs_ports_linked(const struct ibs_map *map);
/* The nodes by name, numbers inside names by value.  NULL: no memory. */
const struct ibs_node **ibs_nodes_by_name(const struct ibs_map *map);

/* The place of each node among the names.  NULL: no memory; free(). */
uint32_t *ibs_rank_names(const struct ibs_map *map);
/*
 * True if the word is the beginning of the node's name or a pattern that fits,
 * as JSON has the name or as the columns of the text do.
 */
bool ibs_name_matches(const char *word, const struct ibs_node *node);

/* True if the port belongs to what is asked. */
bool ibs_query_has(const struct ibs_query *query, uint32_t port);

/* Both are for tables of 10^5 cells, where a format for each is slow. */
#define IBS_NUMBER_SIZE 24
/* The digits and a NUL, IBS_NUMBER_SIZE at most; how many digits. */
size_t ibs_number_text(uint64_t value, char *ret_text);
/* value / 10^digits without zeros at the end: 2125, 1 is "212.5"; -1 "-". */
void ibs_decimal_text(int64_t value, unsigned int digits,
		      char ret_text[IBS_NUMBER_SIZE]);
/* "4xHDR", "?xHDR", "4x?", "unknown"; "-" for none. */
#define IBS_PAIR_TEXT_SIZE 16
void ibs_pair_text(struct ibs_pair pair, char ret_text[IBS_PAIR_TEXT_SIZE]);
/*
 * The next lower speed that has a width with so many units; begin with
 * { IBS_SPEED_COUNT }.  False: no more.
 */
bool ibs_pair_next(int64_t eff_100mbps, struct ibs_pair *pair);
/* RFC 3339, UTC, with so many digits of a second; "" when it is 0. */
#define IBS_TIME_TEXT_SIZE 48
void ibs_time_text(int64_t ns, unsigned int digits,
		   char ret_text[IBS_TIME_TEXT_SIZE]);
/* The directed route, "0,1,3". */
#define IBS_PATH_TEXT_SIZE (4 * (IBS_HOPS_MAX + 1))
void ibs_path_text(const struct ibs_node *node,
		   char ret_text[IBS_PATH_TEXT_SIZE]);
/* Names of the findings, most serious first; "" for none. */
#define IBS_FINDINGS_TEXT_SIZE 192
void ibs_findings_text(ibs_set findings, char separator,
		       char ret_text[IBS_FINDINGS_TEXT_SIZE]);
void ibs_node_name(const struct ibs_node *node,
		   char ret_text[IBS_DESC_TEXT_SIZE]);
/*
 * The name as it stands in a column: blanks at its ends or after another blank
 * are escaped too, so that two blanks always end a column.
 */
void ibs_node_cell(const struct ibs_node *node,
		   char ret_text[IBS_DESC_TEXT_SIZE]);
/* "master", "standby", ...; NULL when there is no SM. */
const char *ibs_sm_state_name(uint8_t sm_state);
/* "running", "stopped", "none" */
const char *ibs_recorder_state_name(const struct ibs_status *status);

/* 0, or -EIO when the stream has failed. */
int ibs_stream_end(FILE *out);

#endif
