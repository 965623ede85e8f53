// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * PortInfo bytes to a port: the rows of port.rows and real.rows, and every code
 * of every field that says a speed, a width or a state.
 */
#include <config.h>

#include "ibspeed/port.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/attr.h"
#include "rows.h"
#include "unit.h"

#define N_ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* Members of struct ibs_port that a row may name. */
#define MEMBER(name)                                                           \
	{                                                                      \
#name, offsetof(struct ibs_port, name),                        \
			sizeof(((struct ibs_port *)NULL)->name)                \
	}
static const struct {
	const char *name;
	size_t offset, size;
} members[] = {
	MEMBER(speed_supported),
	MEMBER(speed_enabled),
	MEMBER(width_supported),
	MEMBER(width_enabled),
	MEMBER(up),
	MEMBER(cap_port0),
	MEMBER(fdr10_known),
	MEMBER(needs_reread),
	MEMBER(state),
	MEMBER(phys_state),
	MEMBER(max_mtu),
	MEMBER(active_mtu),
	MEMBER(gid_tbl_len),
	MEMBER(lmc),
	MEMBER(max_vl_num),
	MEMBER(sm_sl),
	MEMBER(subnet_timeout),
	MEMBER(init_type_reply),
	MEMBER(active_width),
	MEMBER(active_speed),
	MEMBER(lid),
	MEMBER(sm_lid),
	MEMBER(port_cap_flags),
	MEMBER(port_cap_flags2),
	MEMBER(bad_pkey_cntr),
	MEMBER(qkey_viol_cntr),
};

static uint64_t
member(const struct ibs_port *port, size_t offset, size_t size)
{
	const uint8_t *at = (const uint8_t *)port + offset;
	uint16_t two;
	uint32_t four;

	switch (size) {
	case 2:
		memcpy(&two, at, sizeof(two));
		return two;
	case 4:
		memcpy(&four, at, sizeof(four));
		return four;
	default:
		return *at;
	}
}

static void
check_members(struct unit_row *row, const struct ibs_port *port)
{
	for (size_t i = 0; i < N_ROWS(members); i++) {
		const char *want = unit_row_text(row, "", members[i].name);

		if (want) {
			unit_check_int((int64_t)member(port, members[i].offset,
						       members[i].size),
				       strtoll(want, NULL, 0), row->name,
				       members[i].name, __FILE__, __LINE__);
		}
	}
}

static void
check_row(struct unit_row *row)
{
	const char *rate = unit_row_text(row, "", "rate");
	const char *width = unit_row_text(row, "", "width");
	const char *speed = unit_row_text(row, "", "speed");
	const char *eff = unit_row_text(row, "", "eff");
	const struct ibs_rate_row *found;
	char got[UNIT_PAIR_SIZE], want[UNIT_PAIR_SIZE];
	struct unit_end end;
	struct ibs_port port;

	if (!rate || !width || !speed || !eff) {
		CHECK(row->name, rate && width && speed && eff);
		return;
	}
	unit_row_end(row, "", &end);
	unit_end_decode(&end, &port);
	unit_pair_text(port.speed, port.width, got);
	snprintf(want, sizeof(want), "%sx%s", width, speed);
	CHECK_TEXT(row->name, got, want);
	CHECK_INT(row->name, port.eff_100mbps, atoi(eff));
	found = ibs_rate_by_eff(port.eff_100mbps);
	CHECK_INT(row->name, found ? found->rate_enum : -1,
		  strcmp(rate, "-") ? atoi(rate) : -1);
	check_members(row, &port);
}

static void
test_rows(void)
{
	CHECK_INT("port.rows", unit_rows("port.rows", check_row), 60);
}

static void
test_real_rows(void)
{
	CHECK_INT("real.rows", unit_rows("real.rows", check_row), 20);
}

static void
put(uint8_t *pi, enum ibs_port_info_field field, uint64_t value)
{
	ibs_field_put(pi, &ibs_port_info_fields[field], value);
}

static struct ibs_port
decode(const uint8_t *pi, struct ibs_epi epi)
{
	const struct ibs_port_source source = { .pi = pi, .epi = epi };
	struct ibs_port port;

	ibs_port_decode(&source, &port);
	return port;
}

/* An up port, 4X, all extended speeds gated open and none active. */
static void
open_port(uint8_t *ret_pi)
{
	unit_port_info(ret_pi, 2, 3, 0, 15);
	put(ret_pi, IBS_PI_CapabilityMask2, IBS_CAP2_EXT_SPEEDS2);
}

/* What the one-hot codes of each speed field mean; all others nothing. */
static const struct {
	enum ibs_port_info_field field;
	unsigned int n_codes;
	struct {
		unsigned int code;
		enum ibs_speed speed;
	} known[5];
	const char *name;
} speed_fields[] = {
	{ IBS_PI_LinkSpeedActive,
	  16,
	  { { 1, IBS_SPEED_SDR }, { 2, IBS_SPEED_DDR }, { 4, IBS_SPEED_QDR } },
	  "LinkSpeedActive" },
	{ IBS_PI_LinkSpeedExtActive,
	  16,
	  { { 0, IBS_SPEED_QDR }, /* none: LinkSpeedActive says QDR */
	    { 1, IBS_SPEED_FDR },
	    { 2, IBS_SPEED_EDR },
	    { 4, IBS_SPEED_HDR },
	    { 8, IBS_SPEED_NDR } },
	  "LinkSpeedExtActive" },
	{ IBS_PI_LinkSpeedExtActive2,
	  4,
	  { { 0, IBS_SPEED_QDR }, { 1, IBS_SPEED_XDR } },
	  "LinkSpeedExtActive2" },
};

static enum ibs_speed
meaning(size_t f, unsigned int code)
{
	for (size_t i = 0; i < N_ROWS(speed_fields[f].known); i++) {
		if (speed_fields[f].known[i].speed != IBS_SPEED_NONE &&
		    speed_fields[f].known[i].code == code) {
			return speed_fields[f].known[i].speed;
		}
	}
	return IBS_SPEED_UNKNOWN;
}

static void
check_speed_code(size_t f, unsigned int code)
{
	enum ibs_speed want = meaning(f, code);
	struct ibs_port port;
	uint8_t pi[IBS_ATTR_SIZE];

	open_port(pi);
	put(pi, speed_fields[f].field, code);
	port = decode(pi, (struct ibs_epi){ 0 });
	CHECK_INT(speed_fields[f].name, port.speed, want);
	CHECK_INT(speed_fields[f].name, port.width, IBS_WIDTH_4X);
	CHECK_INT(speed_fields[f].name, port.eff_100mbps,
		  ibs_eff_100mbps(want, IBS_WIDTH_4X));
	CHECK_INT(speed_fields[f].name, port.active_speed,
		  ibs_speed_row(want) ? ibs_speed_row(want)->ib_speed : 0);
}

static void
test_speed_codes(void)
{
	for (size_t f = 0; f < N_ROWS(speed_fields); f++) {
		for (unsigned int c = 0; c < speed_fields[f].n_codes; c++) {
			check_speed_code(f, c);
		}
	}
}

/* The newer field wins whatever the older ones say (R30, R03). */
static void
test_precedence(void)
{
	const struct ibs_epi fdr10 = { .read = IBS_EPI_ANSWERED, .active = 1 };
	uint8_t pi[IBS_ATTR_SIZE];

	for (unsigned int base = 0; base < 16; base++) {
		for (unsigned int ext = 1; ext < 16; ext++) {
			open_port(pi);
			put(pi, IBS_PI_LinkSpeedActive, base);
			put(pi, IBS_PI_LinkSpeedExtActive, ext);
			CHECK_INT("ext over base", decode(pi, fdr10).speed,
				  meaning(1, ext));
			put(pi, IBS_PI_LinkSpeedExtActive2, 1);
			CHECK_INT("ext2 over ext", decode(pi, fdr10).speed,
				  IBS_SPEED_XDR);
			put(pi, IBS_PI_LinkSpeedExtActive2, 2);
			CHECK_INT("unknown ext2 over ext",
				  decode(pi, fdr10).speed, IBS_SPEED_UNKNOWN);
		}
		open_port(pi);
		put(pi, IBS_PI_LinkSpeedActive, base);
		CHECK_INT("FDR10 at QDR only", decode(pi, fdr10).speed,
			  base == 4 ? IBS_SPEED_FDR10 : meaning(0, base));
	}
}

/* Of each capability bit, all others set or clear: only the gates matter. */
static void
test_gates(void)
{
	uint8_t pi[IBS_ATTR_SIZE];

	for (unsigned int bit = 0; bit < 32; bit++) {
		open_port(pi);
		put(pi, IBS_PI_CapabilityMask, 1u << bit);
		CHECK_INT("only this bit", ibs_port_gate(pi), bit == 14);
		put(pi, IBS_PI_LinkSpeedExtActive, 4);
		CHECK_INT("only this bit",
			  decode(pi, (struct ibs_epi){ 0 }).speed,
			  bit == 14 ? IBS_SPEED_HDR : IBS_SPEED_QDR);
		put(pi, IBS_PI_CapabilityMask, ~(1u << bit));
		put(pi, IBS_PI_LinkSpeedExtActive2, 1);
		CHECK_INT("all but this bit",
			  decode(pi, (struct ibs_epi){ 0 }).speed,
			  bit == 15 ? IBS_SPEED_HDR : IBS_SPEED_XDR);
	}
	for (unsigned int bit = 0; bit < 16; bit++) {
		open_port(pi);
		put(pi, IBS_PI_CapabilityMask2, 1u << bit);
		put(pi, IBS_PI_LinkSpeedExtActive2, 1);
		CHECK_INT("only this bit of CapabilityMask2",
			  decode(pi, (struct ibs_epi){ 0 }).speed,
			  bit == 11 ? IBS_SPEED_XDR : IBS_SPEED_QDR);
	}
}

static unsigned int
lanes_of_code(unsigned int code)
{
	switch (code) {
	case 1:
		return 1;
	case 2:
		return 4;
	case 4:
		return 8;
	case 8:
		return 12;
	case 16:
		return 2;
	default:
		return 0;
	}
}

static void
test_width_codes(void)
{
	uint8_t pi[IBS_ATTR_SIZE];

	for (unsigned int code = 0; code < 256; code++) {
		const struct ibs_width_row *row;
		struct ibs_port port;

		unit_port_info(pi, (uint8_t)code, (uint8_t)code, 4, 7);
		port = decode(pi, (struct ibs_epi){ 0 });
		row = ibs_width_row((enum ibs_width)port.width);
		CHECK_INT("width", row ? row->lanes : 0, lanes_of_code(code));
		CHECK("width", row || port.width == IBS_WIDTH_UNKNOWN);
		CHECK_INT("width", port.eff_100mbps,
			  row ? 500 * row->lanes : -1);
		CHECK_INT("width", port.active_width, code);
		for (unsigned int w = 1; w < 32; w <<= 1) {
			ibs_set bit =
				IBS_BIT(ibs_width_from_lanes(lanes_of_code(w)));

			CHECK_INT("mask", !!(port.width_supported & bit),
				  !!(code & w));
			CHECK_INT("mask", !!(port.width_enabled & bit),
				  !!(code & w));
		}
	}
}

static void
test_states(void)
{
	uint8_t pi[IBS_ATTR_SIZE];

	for (unsigned int state = 0; state < 16; state++) {
		struct ibs_port port;
		bool up = state >= 2 && state <= 4;

		unit_port_info(pi, 2, 3, 4, 7);
		put(pi, IBS_PI_PortState, state);
		port = decode(pi, (struct ibs_epi){ 0 });
		CHECK_INT("state", port.state, state);
		CHECK_INT("state", port.up, up);
		CHECK_INT("state", port.eff_100mbps,
			  up	       ? 2000
			  : state == 1 ? 0
				       : -1);
		CHECK_INT("state", port.speed,
			  up	      ? IBS_SPEED_HDR
			  : state > 4 ? IBS_SPEED_UNKNOWN
				      : IBS_SPEED_NONE);
		CHECK_INT("state", port.width_supported != 0, up);
		CHECK_INT("state", port.speed_supported != 0, up);
	}
}

static void
test_names(void)
{
	static const char *const states[] = { NULL, "down", "init", "armed",
					      "active" };
	static const char *const phys[] = {
		NULL,	    "sleep",  "polling",  "disabled",
		"training", "linkup", "recovery", "phytest",
	};

	for (unsigned int i = 0; i < 256; i++) {
		CHECK_TEXT("PortState", ibs_port_state_name((uint8_t)i),
			   i < N_ROWS(states) ? states[i] : NULL);
		CHECK_TEXT("PortPhysicalState", ibs_phys_state_name((uint8_t)i),
			   i < N_ROWS(phys) ? phys[i] : NULL);
	}
}

static void
test_unread(void)
{
	struct ibs_port port;

	memset(&port, 0xff, sizeof(port));
	ibs_port_unread(&port);
	CHECK_INT("unread", port.speed, IBS_SPEED_UNKNOWN);
	CHECK_INT("unread", port.width, IBS_WIDTH_UNKNOWN);
	CHECK_INT("unread", port.eff_100mbps, -1);
	CHECK("unread", !port.up);
	CHECK_INT("unread", port.speed_supported, 0);
}

/* No byte beyond the attributes is read: they end where their block ends. */
static void
test_bounds(void)
{
	uint8_t *pi = malloc(IBS_ATTR_SIZE), *cap = malloc(IBS_ATTR_SIZE);
	struct ibs_port_source source = { .pi = pi, .cap = cap };
	struct ibs_port port;

	if (!pi || !cap) {
		abort();
	}
	for (unsigned int v = 0; v < 256; v++) {
		memset(pi, (int)v, IBS_ATTR_SIZE);
		memset(cap, (int)v, IBS_ATTR_SIZE);
		source.epi = ibs_epi_from_attr(cap);
		ibs_port_decode(&source, &port);
		CHECK_INT("bytes", port.state, v & 15);
	}
	free(pi);
	free(cap);
}

static const struct unit_test tests[] = {
	{ "rows", test_rows },
	{ "real rows", test_real_rows },
	{ "speed codes", test_speed_codes },
	{ "precedence", test_precedence },
	{ "gates", test_gates },
	{ "width codes", test_width_codes },
	{ "states", test_states },
	{ "names", test_names },
	{ "unread", test_unread },
	{ "bounds", test_bounds },
};
UNIT_MAIN("port", tests)
