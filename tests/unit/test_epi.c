// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The MLNX ExtendedPortInfo: who has it, when to ask for it, what it says. */
#include <config.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "ibspeed/attr.h"
#include "ibspeed/port.h"
#include "unit.h"

#define N_ROWS(table) (sizeof(table) / sizeof((table)[0]))

static void
put(uint8_t *pi, enum ibs_port_info_field field, uint64_t value)
{
	ibs_field_put(pi, &ibs_port_info_fields[field], value);
}

/* A 4X port with the codes of LinkSpeedActive and LinkSpeedExtActive. */
static struct ibs_port
base_port(unsigned int state, unsigned int base, unsigned int ext,
	  struct ibs_epi epi)
{
	uint8_t pi[IBS_ATTR_SIZE];
	const struct ibs_port_source source = { .pi = pi, .epi = epi };
	struct ibs_port port;

	unit_port_info(pi, 2, 3, (uint8_t)ext, 15);
	put(pi, IBS_PI_PortState, state);
	put(pi, IBS_PI_LinkSpeedActive, base);
	ibs_port_decode(&source, &port);
	return port;
}

/* An up port at QDR alone is worth a Get of the vendor attribute. */
static void
test_epi_wanted(void)
{
	const struct ibs_epi none = { .read = IBS_EPI_NOT_ASKED };
	struct ibs_port port;

	for (unsigned int state = 0; state < 16; state++) {
		for (unsigned int speed = 0; speed < 16; speed++) {
			port = base_port(state, speed, 0, none);
			CHECK_INT("EPI wanted", ibs_epi_wanted(&port),
				  state >= 2 && state <= 4 && speed == 4);
		}
	}
	port = base_port(4, 4, 1, none);
	CHECK("EPI wanted", !ibs_epi_wanted(&port));
}

/* Of the vendor attribute only bit 0 of each byte is FDR10. */
static void
test_epi_bits(void)
{
	uint8_t data[IBS_ATTR_SIZE];
	const ibs_set fdr10 = IBS_BIT(IBS_SPEED_FDR10);

	for (unsigned int v = 0; v < 256; v++) {
		struct ibs_port port;
		struct ibs_epi epi;

		memset(data, 0xff, sizeof(data));
		data[7] = (uint8_t)v;
		data[11] = (uint8_t)(v >> 1);
		data[15] = (uint8_t)(v >> 2);
		epi = ibs_epi_from_attr(data);
		CHECK_INT("epi", epi.read, IBS_EPI_ANSWERED);
		port = base_port(4, 4, 0, epi);
		CHECK_INT("epi", port.speed,
			  v & 4 ? IBS_SPEED_FDR10 : IBS_SPEED_QDR);
		CHECK_INT("epi", !!(port.speed_supported & fdr10), v & 1);
		CHECK_INT("epi", !!(port.speed_enabled & fdr10), (v & 3) == 3);
		CHECK("epi", port.fdr10_known);
	}
}

/* Edges of each range of the list, and their neighbours outside. */
#define BULL 0x119f
static const struct {
	uint32_t vendor_id;
	uint16_t device_id;
	bool has;
} epi_rows[] = {
	{ 0x2c9, 0xc737, false }, { 0x2c9, 0xc738, true },
	{ 0x2c9, 0xc73b, true },  { 0x2c9, 0xc73c, false },
	{ 0x2c9, 0xc838, false }, { 0x2c9, 0xc839, true },
	{ 0x2c9, 0xc83a, false }, { 0x2c9, 0xcb1f, false },
	{ 0x2c9, 0xcb20, true },  { 0x2c9, 0xcb21, false },
	{ 0x2c9, 0xcf07, false }, { 0x2c9, 0xcf08, true },
	{ 0x2c9, 0xcf09, true },  { 0x2c9, 0xcf0a, false },
	{ 0x2c9, 0xd2ef, false }, { 0x2c9, 0xd2f0, true },
	{ 0x2c9, 0xd2f1, false }, { 0x2c9, 0xd2f2, false },
	{ 0x2c9, 0x1002, false }, { 0x2c9, 0x1003, true },
	{ 0x2c9, 0x101b, true },  { 0x2c9, 0x101c, false },
	{ 0x2c9, 0xa2d1, false }, { 0x2c9, 0xa2d2, true },
	{ 0x2c9, 0xa2d3, false }, { 0, 0xc738, true },
	{ BULL, 0xc738, true },	  { 0xffffff, 0x1003, true },
	{ BULL, 0x1b01, false },  { BULL, 0x1b02, true },
	{ BULL, 0x1b03, false },  { BULL, 0x1b32, false },
	{ BULL, 0x1b33, true },	  { BULL, 0x1b34, false },
	{ BULL, 0x1b3f, false },  { BULL, 0x1b40, true },
	{ BULL, 0x1b41, true },	  { BULL, 0x1b42, false },
	{ BULL, 0x1b4f, false },  { BULL, 0x1b50, true },
	{ BULL, 0x1b51, false },  { BULL, 0x1b5f, false },
	{ BULL, 0x1b60, true },	  { BULL, 0x1b61, true },
	{ BULL, 0x1b62, false },  { BULL, 0x1b72, false },
	{ BULL, 0x1b73, true },	  { BULL, 0x1b74, false },
	{ BULL, 0x1b82, false },  { BULL, 0x1b83, true },
	{ BULL, 0x1b84, false },  { BULL, 0x1b92, false },
	{ BULL, 0x1b93, true },	  { BULL, 0x1b94, true },
	{ BULL, 0x1b95, false },  { BULL, 0x1b9f, false },
	{ BULL, 0x1ba0, true },	  { BULL, 0x1ba1, false },
	{ BULL, 0x1bb3, false },  { BULL, 0x1bb4, true },
	{ BULL, 0x1bb5, true },	  { BULL, 0x1bb6, false },
	{ BULL, 0x1bc3, false },  { BULL, 0x1bc4, true },
	{ BULL, 0x1bc6, true },	  { BULL, 0x1bc7, false },
	{ BULL, 0x1bcf, false },  { BULL, 0x1bd0, true },
	{ BULL, 0x1bd5, true },	  { BULL, 0x1bd6, false },
	{ BULL, 0x1bef, false },  { BULL, 0x1bf0, true },
	{ BULL, 0x1bf1, false },  { 0x2c9, 0x1b02, false },
	{ 0, 0x1bd0, false },	  { 0x2c9, 0, false },
	{ BULL, 0xffff, false },
};

static void
test_epi_devices(void)
{
	unsigned int n_any = 0, n_bull = 0;
	char name[32];

	for (size_t i = 0; i < N_ROWS(epi_rows); i++) {
		snprintf(name, sizeof(name), "0x%x 0x%x", epi_rows[i].vendor_id,
			 epi_rows[i].device_id);
		CHECK_INT(name,
			  ibs_epi_device(epi_rows[i].vendor_id,
					 epi_rows[i].device_id),
			  epi_rows[i].has);
	}
	for (unsigned int id = 0; id <= UINT16_MAX; id++) {
		n_any += ibs_epi_device(0x2c9, (uint16_t)id);
		n_bull += ibs_epi_device(BULL, (uint16_t)id);
	}
	CHECK_INT("devices of any vendor", n_any, 35);
	CHECK_INT("devices of Bull", n_bull - n_any, 24);
}

static const struct unit_test tests[] = {
	{ "wanted", test_epi_wanted },
	{ "bits", test_epi_bits },
	{ "devices", test_epi_devices },
};
UNIT_MAIN("epi", tests)
