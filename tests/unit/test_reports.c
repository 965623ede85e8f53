// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Reports from the field that a few codes and the tables can show; the others
 * are where tests/reports.txt says.
 */
#include <config.h>

#include "ibspeed/attr.h"
#include "ibspeed/port.h"
#include "ibspeed/speed.h"
#include "unit.h"

/* 2X EDR to an old driver: the map has the rate of the link, 50 Gb/s. */
static void
test_r13_two_lanes_of_edr(void)
{
	int32_t eff = ibs_eff_100mbps(IBS_SPEED_EDR, IBS_WIDTH_2X);

	CHECK_INT("R13", eff, 500);
	CHECK_INT("R13", ibs_rate_by_eff(eff)->rate_enum, 20);
	CHECK("R13", ibs_rate_merit(20) > ibs_rate_merit(7));
	CHECK("R13", ibs_rate_merit(19) > ibs_rate_merit(15));
}

/* LinkSpeedActive is one bit: 2 is DDR, 3 is nothing. */
static void
test_r15_base_codes(void)
{
	static const enum ibs_speed speeds[16] = {
		[1] = IBS_SPEED_SDR,
		[2] = IBS_SPEED_DDR,
		[4] = IBS_SPEED_QDR,
	};

	for (unsigned int code = 1; code < 16; code++) {
		enum ibs_speed want =
			speeds[code] ? speeds[code] : IBS_SPEED_UNKNOWN;
		uint8_t pi[IBS_ATTR_SIZE];
		const struct ibs_port_source source = { .pi = pi };
		struct ibs_port port;

		unit_port_info(pi, 2, 3, 0, 0);
		ibs_field_put(pi, &ibs_port_info_fields[IBS_PI_LinkSpeedActive],
			      code);
		ibs_port_decode(&source, &port);
		CHECK_INT("R15", port.speed, want);
	}
}

/*
 * 4X FDR: three numbers are said of it, and each column has one of them: the
 * nominal rate, the signal, and its lanes'. What is left after the coding
 * (54.5 Gb/s) is in none.
 */
static void
test_r33_fdr(void)
{
	CHECK_INT("R33", ibs_eff_100mbps(IBS_SPEED_FDR, IBS_WIDTH_4X), 560);
	CHECK_INT("R33", ibs_rate_by_eff(560)->rate_enum, 12);
	CHECK_INT("R33", ibs_signal_kbps(IBS_SPEED_FDR, IBS_WIDTH_4X),
		  56250000);
	CHECK_INT("R33", ibs_speed_row(IBS_SPEED_FDR)->lane_kbps, 14062500);
}

static const struct unit_test tests[] = {
	{ "R13 2X EDR", test_r13_two_lanes_of_edr },
	{ "R15 base codes", test_r15_base_codes },
	{ "R33 FDR", test_r33_fdr },
};
UNIT_MAIN("reports", tests)
