// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* What people type, to values; and names, GUIDs and LIDs to places in a map. */
#include <config.h>

#include "ibspeed/address.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "writer_private.h"

int
ibs_guid_from_text(const char *text, uint64_t *ret_guid)
{
	size_t length;

	if (strncasecmp(text, "0x", 2) != 0) {
		return -EINVAL;
	}
	text += 2;
	length = strspn(text, "0123456789abcdefABCDEF");
	if (length == 0 || length > 16 || text[length]) {
		return -EINVAL;
	}
	*ret_guid = strtoull(text, NULL, 16);
	return 0;
}

/* Digits, an x, a letter and more letters or digits. */
static bool
looks_like_pair(const char *text)
{
	size_t digits = strspn(text, "0123456789");
	const char *speed = text + digits + 1;

	if (digits == 0 || tolower((unsigned char)text[digits]) != 'x' ||
	    !isalpha((unsigned char)speed[0])) {
		return false;
	}
	while (isalnum((unsigned char)*speed)) {
		speed++;
	}
	return *speed == '\0';
}

int
ibs_pair_from_text(const char *text, struct ibs_pair *ret_pair)
{
	unsigned long lanes;
	enum ibs_speed speed;
	enum ibs_width width;
	char *x;

	if (!looks_like_pair(text)) {
		return -EINVAL;
	}
	lanes = strtoul(text, &x, 10);
	speed = ibs_speed_from_name(x + 1);
	width = ibs_width_from_lanes(lanes > UINT8_MAX ? 0
						       : (unsigned int)lanes);
	if (speed == IBS_SPEED_NONE || width == IBS_WIDTH_NONE) {
		return -ENOENT;
	}
	*ret_pair = (struct ibs_pair){ (uint8_t)speed, (uint8_t)width };
	return 0;
}

int
ibs_number_from_text(const char *text, int64_t max, int64_t *ret_number)
{
	long long number;
	char *end;

	errno = 0;
	number = strtoll(text, &end, 10);
	if (errno || end == text || *end || isspace((unsigned char)*text) ||
	    *text == '+' || number > max) {
		return -EINVAL;
	}
	*ret_number = number;
	return 0;
}

int
ibs_gbps_from_text(const char *text, int64_t *ret_100mbps)
{
	size_t digits = strspn(text, "0123456789");
	const char *rest = text + digits;
	int64_t tenths;

	if (digits == 0 || digits > 9) {
		return -EINVAL;
	}
	tenths = 10 * strtoll(text, NULL, 10);
	if (rest[0] == '.' && isdigit((unsigned char)rest[1])) {
		tenths += rest[1] - '0';
		rest += 2;
	}
	if (toupper((unsigned char)rest[0]) == 'G') {
		rest++;
	}
	if (*rest) {
		return -EINVAL;
	}
	*ret_100mbps = tenths;
	return 0;
}

/* A number alone may be any of a rate's. */
static bool
ends_with_g(const char *text)
{
	size_t length = strlen(text);

	return length && toupper((unsigned char)text[length - 1]) == 'G';
}

static const struct {
	const char *prefix;
	const struct ibs_rate_row *(*find)(int64_t value);
} rate_forms[] = {
	{ "enum:", ibs_rate_by_enum },
	{ "mult:", ibs_rate_by_mult },
	{ "mbps:", ibs_rate_by_mbps },
};

static int
numbered_rate(const char *text, struct ibs_rate_query *rate)
{
	for (size_t i = 0; i < sizeof(rate_forms) / sizeof(rate_forms[0]);
	     i++) {
		size_t length = strlen(rate_forms[i].prefix);
		int64_t number;

		if (strncmp(text, rate_forms[i].prefix, length) != 0) {
			continue;
		}
		if (ibs_number_from_text(text + length, INT64_MAX, &number)) {
			return -EINVAL;
		}
		rate->rate = rate_forms[i].find(number);
		if (rate->rate) {
			rate->eff_100mbps = rate->rate->eff_100mbps;
		}
		return 0;
	}
	return -EINVAL;
}

int
ibs_rate_from_text(const char *text, struct ibs_rate_query *ret_rate)
{
	struct ibs_rate_query rate = { .text = text, .eff_100mbps = -1 };

	if (ibs_pair_from_text(text, &rate.pair) == 0) {
		rate.eff_100mbps =
			ibs_eff_100mbps((enum ibs_speed)rate.pair.speed,
					(enum ibs_width)rate.pair.width);
		rate.rate = ibs_rate_by_eff(rate.eff_100mbps);
	} else if (ends_with_g(text) &&
		   ibs_gbps_from_text(text, &rate.eff_100mbps) == 0) {
		rate.rate = ibs_rate_by_eff(rate.eff_100mbps);
	} else if (numbered_rate(text, &rate)) {
		return -EINVAL;
	}
	*ret_rate = rate;
	return 0;
}

static int
find_guid(const struct ibs_map *map, uint64_t guid, struct ibs_address *found)
{
	found->node = ibs_map_find_node(map, guid);
	found->port = IBS_NO_INDEX;
	if (found->node != IBS_NO_INDEX) {
		return 0;
	}
	for (uint32_t i = 0; i < map->n_ports; i++) {
		uint32_t node = map->ports[i].node;

		if (map->ports[i].guid == guid) {
			found->node = node;
			if (map->nodes[node].type != IBS_NODE_SWITCH) {
				found->port = i;
			}
			return 0;
		}
	}
	return -ENOENT;
}

/* The LIDs of a port are 2^LMC from its own on. */
static bool
has_lid(const struct ibs_port *port, int64_t lid)
{
	return port->lid && lid >= port->lid &&
	       lid < port->lid + (1 << port->lmc);
}

/* Whether packets get to a port: the more the better. */
enum reach { NOT_UP, UP, ACTIVE };

static enum reach
reach_of(const struct ibs_port *port)
{
	if (port->state == IBS_PORT_ACTIVE) {
		return ACTIVE;
	}
	return port->up ? UP : NOT_UP;
}

/* The port that has the LID; a switch's are port 0's.  One that went down keeps
 * its LID, which another may have by now. */
static uint32_t
find_lid_port(const struct ibs_map *map, int64_t lid)
{
	uint32_t found = IBS_NO_INDEX;
	enum reach best = NOT_UP;

	for (uint32_t i = 0; i < map->n_ports; i++) {
		uint32_t node = map->ports[i].node;
		bool sw = map->nodes[node].type == IBS_NODE_SWITCH;
		struct ibs_port port;
		enum reach reach;

		if (sw && map->ports[i].num) {
			continue;
		}
		ibs_map_port_decode(map, i, &port);
		reach = sw ? ACTIVE : reach_of(&port);
		if (has_lid(&port, lid) &&
		    (found == IBS_NO_INDEX || reach > best)) {
			found = i;
			best = reach;
		}
	}
	return found;
}

static int
find_lid(const struct ibs_map *map, const char *text, struct ibs_address *found)
{
	uint32_t port;
	uint64_t hex;
	int64_t lid;

	if (ibs_guid_from_text(text, &hex) == 0 && hex <= IBS_LID_MAX) {
		lid = (int64_t)hex;
	} else if (ibs_number_from_text(text, IBS_LID_MAX, &lid)) {
		return -EINVAL;
	}
	if (lid < 1) {
		return -EINVAL;
	}
	port = find_lid_port(map, lid);
	if (port == IBS_NO_INDEX) {
		return -ENOENT;
	}
	found->node = map->ports[port].node;
	found->port = map->nodes[found->node].type == IBS_NODE_SWITCH
			      ? IBS_NO_INDEX
			      : port;
	found->lid = (uint16_t)lid;
	return 0;
}

static void
add_candidate(struct ibs_address *found, uint32_t node)
{
	if (found->n_candidates < IBS_CANDIDATES_MAX) {
		found->candidates[found->n_candidates] = node;
	}
	found->n_candidates++;
}

static bool
is_name(const char *text, bool whole, const char *name)
{
	return whole ? strcmp(name, text) == 0
		     : strncmp(name, text, strlen(text)) == 0;
}

/* By the name as JSON has it or as the columns of the text do. */
static bool
has_name(const struct ibs_node *node, const char *text, bool whole)
{
	char name[IBS_DESC_TEXT_SIZE];

	ibs_node_name(node, name);
	if (is_name(text, whole, name)) {
		return true;
	}
	ibs_node_cell(node, name);
	return is_name(text, whole, name);
}

/* Nodes whose name is the text, or begins with it. */
static void
find_names(const struct ibs_map *map, const char *text, bool whole,
	   struct ibs_address *found)
{
	found->n_candidates = 0;
	for (uint32_t i = 0; i < map->n_nodes; i++) {
		if (has_name(&map->nodes[i], text, whole)) {
			add_candidate(found, i);
		}
	}
}

static int
find_name(const struct ibs_map *map, const char *text,
	  struct ibs_address *found)
{
	find_names(map, text, true, found);
	if (found->n_candidates == 0) {
		find_names(map, text, false, found);
		found->by_prefix = true;
	}
	found->node = found->candidates[0];
	found->port = IBS_NO_INDEX;
	if (found->n_candidates == 0) {
		return -ENOENT;
	}
	return found->n_candidates == 1 ? 0 : -ENOTUNIQ;
}

int
ibs_address_find(const struct ibs_map *map, const char *text, bool is_lid,
		 struct ibs_address *ret_address)
{
	struct ibs_address found = { 0 };
	uint64_t guid;
	int err;

	if (is_lid) {
		err = find_lid(map, text, &found);
	} else if (ibs_guid_from_text(text, &guid) == 0) {
		err = find_guid(map, guid, &found);
	} else if (*text == '\0') {
		err = -EINVAL;
	} else {
		err = find_name(map, text, &found);
	}
	if (err == 0 || err == -ENOTUNIQ) {
		*ret_address = found;
	}
	return err;
}
