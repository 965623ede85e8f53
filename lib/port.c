// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * PortInfo bytes to a port.  Speed and width by the tables of speed.h, the
 * gates by the capability bits of whoever has them.
 */
#include <config.h>

#include "ibspeed/port.h"

#include <string.h>

#include "ibspeed/attr.h"

/* Codes of the speed fields; one bit each in Supported and Enabled. */
struct speed_code {
	uint8_t code;
	uint8_t speed;
};
static const struct speed_code base_codes[] = { { 1, IBS_SPEED_SDR },
						{ 2, IBS_SPEED_DDR },
						{ 4, IBS_SPEED_QDR } };
static const struct speed_code ext_codes[] = { { 1, IBS_SPEED_FDR },
					       { 2, IBS_SPEED_EDR },
					       { 4, IBS_SPEED_HDR },
					       { 8, IBS_SPEED_NDR } };
static const struct speed_code ext2_codes[] = { { 1, IBS_SPEED_XDR } };
static const struct speed_code epi_codes[] = { { 1, IBS_SPEED_FDR10 } };

#define N_CODES(table) (sizeof(table) / sizeof((table)[0]))
#define CODES(table)   table, N_CODES(table)

/*
 * LinkSpeedExtEnabled in a Set: disable all.  It is seen in answers too, where
 * its bits would read EDR, HDR and NDR.  The values for "all that is supported"
 * (255, 15, 31) need no care: they have every bit.
 */
#define EXT_DISABLE 30

static enum ibs_speed
speed_of(const struct speed_code *codes, size_t n, uint64_t code)
{
	for (size_t i = 0; i < n; i++) {
		if (codes[i].code == code) {
			return (enum ibs_speed)codes[i].speed;
		}
	}
	return IBS_SPEED_UNKNOWN;
}

static ibs_set
speeds_of(const struct speed_code *codes, size_t n, uint64_t mask)
{
	ibs_set set = 0;

	for (size_t i = 0; i < n; i++) {
		if (mask & codes[i].code) {
			set |= IBS_BIT(codes[i].speed);
		}
	}
	return set;
}

static bool
has_speed(const struct speed_code *codes, size_t n, enum ibs_speed speed)
{
	return speeds_of(codes, n, UINT64_MAX) & IBS_BIT(speed);
}

enum ibs_port_info_field
ibs_port_enables_in(enum ibs_speed speed)
{
	if (has_speed(CODES(ext2_codes), speed)) {
		return IBS_PI_LinkSpeedExtEnabled2;
	}
	if (has_speed(CODES(ext_codes), speed)) {
		return IBS_PI_LinkSpeedExtEnabled;
	}
	return has_speed(CODES(epi_codes), speed) ? IBS_PI_COUNT
						  : IBS_PI_LinkSpeedEnabled;
}

struct gates {
	bool ext;  /* LinkSpeedExt* are valid */
	bool ext2; /* LinkSpeedExt*2 are valid */
};

static struct gates
gates_of(const uint8_t *pi)
{
	uint32_t cap = (uint32_t)ibs_pi_get(pi, IBS_PI_CapabilityMask);
	uint32_t cap2 = (uint32_t)ibs_pi_get(pi, IBS_PI_CapabilityMask2);

	return (struct gates){
		.ext = cap & IBS_CAP_EXT_SPEEDS,
		.ext2 = (cap & IBS_CAP_CAP_MASK2) &&
			(cap2 & IBS_CAP2_EXT_SPEEDS2),
	};
}

static struct gates
gates_for(const struct ibs_port_source *source)
{
	if (source->ungated) {
		return (struct gates){ .ext = true, .ext2 = true };
	}
	return gates_of(source->cap ? source->cap : source->pi);
}

bool
ibs_port_gate(const uint8_t *pi)
{
	return gates_of(pi).ext;
}

/* The extended speed that is active; NONE when there is none. */
static enum ibs_speed
active_ext_speed(const uint8_t *pi, struct gates gates)
{
	uint64_t ext = ibs_pi_get(pi, IBS_PI_LinkSpeedExtActive);
	uint64_t ext2 = ibs_pi_get(pi, IBS_PI_LinkSpeedExtActive2);

	if (gates.ext2 && ext2) {
		return speed_of(CODES(ext2_codes), ext2);
	}
	if (gates.ext && ext) {
		return speed_of(CODES(ext_codes), ext);
	}
	return IBS_SPEED_NONE;
}

static enum ibs_speed
active_speed(const struct ibs_port_source *source, struct gates gates)
{
	enum ibs_speed speed = active_ext_speed(source->pi, gates);

	if (speed != IBS_SPEED_NONE) {
		return speed;
	}
	speed = speed_of(CODES(base_codes),
			 ibs_pi_get(source->pi, IBS_PI_LinkSpeedActive));
	if (speed == IBS_SPEED_QDR && source->epi.read == IBS_EPI_ANSWERED &&
	    (source->epi.active & 1)) {
		return IBS_SPEED_FDR10;
	}
	return speed;
}

static void
decode_widths(const uint8_t *pi, struct ibs_port *port)
{
	port->width_supported = ibs_width_set(
		(uint8_t)ibs_pi_get(pi, IBS_PI_LinkWidthSupported));
	port->width_enabled =
		port->width_supported &
		ibs_width_set((uint8_t)ibs_pi_get(pi, IBS_PI_LinkWidthEnabled));
}

static void
add_speeds(struct ibs_port *port, ibs_set supported, ibs_set enabled)
{
	port->speed_supported |= supported;
	port->speed_enabled |= supported & enabled;
}

static void
add_ext_speeds(const uint8_t *pi, struct ibs_port *port)
{
	uint64_t enabled = ibs_pi_get(pi, IBS_PI_LinkSpeedExtEnabled);

	if (enabled == EXT_DISABLE) {
		enabled = 0;
	}
	add_speeds(port,
		   speeds_of(CODES(ext_codes),
			     ibs_pi_get(pi, IBS_PI_LinkSpeedExtSupported)),
		   speeds_of(CODES(ext_codes), enabled));
}

static void
add_ext2_speeds(const uint8_t *pi, struct ibs_port *port)
{
	add_speeds(port,
		   speeds_of(CODES(ext2_codes),
			     ibs_pi_get(pi, IBS_PI_LinkSpeedExtSupported2)),
		   speeds_of(CODES(ext2_codes),
			     ibs_pi_get(pi, IBS_PI_LinkSpeedExtEnabled2)));
}

static void
decode_speeds(const struct ibs_port_source *source, struct gates gates,
	      struct ibs_port *port)
{
	const uint8_t *pi = source->pi;

	add_speeds(port,
		   speeds_of(CODES(base_codes),
			     ibs_pi_get(pi, IBS_PI_LinkSpeedSupported)),
		   speeds_of(CODES(base_codes),
			     ibs_pi_get(pi, IBS_PI_LinkSpeedEnabled)));
	if (gates.ext) {
		add_ext_speeds(pi, port);
	}
	if (gates.ext2) {
		add_ext2_speeds(pi, port);
	}
	if (source->epi.read == IBS_EPI_ANSWERED) {
		add_speeds(port,
			   speeds_of(CODES(epi_codes), source->epi.supported),
			   speeds_of(CODES(epi_codes), source->epi.enabled));
	}
}

/* The members of ibv_port_attr, as they stand in PortInfo. */
static void
decode_verbs(const uint8_t *pi, struct ibs_port *port)
{
	port->state = (uint8_t)ibs_pi_get(pi, IBS_PI_PortState);
	port->phys_state = (uint8_t)ibs_pi_get(pi, IBS_PI_PortPhysicalState);
	port->max_mtu = (uint8_t)ibs_pi_get(pi, IBS_PI_MTUCap);
	port->active_mtu = (uint8_t)ibs_pi_get(pi, IBS_PI_NeighborMTU);
	port->gid_tbl_len = (uint8_t)ibs_pi_get(pi, IBS_PI_GUIDCap);
	port->lmc = (uint8_t)ibs_pi_get(pi, IBS_PI_LMC);
	port->max_vl_num = (uint8_t)ibs_pi_get(pi, IBS_PI_VLCap);
	port->sm_sl = (uint8_t)ibs_pi_get(pi, IBS_PI_MasterSMSL);
	port->subnet_timeout = (uint8_t)ibs_pi_get(pi, IBS_PI_SubnetTimeOut);
	port->init_type_reply = (uint8_t)ibs_pi_get(pi, IBS_PI_InitTypeReply);
	port->active_width = (uint8_t)ibs_pi_get(pi, IBS_PI_LinkWidthActive);
	port->lid = (uint16_t)ibs_pi_get(pi, IBS_PI_LID);
	port->sm_lid = (uint16_t)ibs_pi_get(pi, IBS_PI_MasterSMLID);
	port->port_cap_flags = (uint32_t)ibs_pi_get(pi, IBS_PI_CapabilityMask);
	port->port_cap_flags2 =
		(uint16_t)ibs_pi_get(pi, IBS_PI_CapabilityMask2);
	port->bad_pkey_cntr = (uint16_t)ibs_pi_get(pi, IBS_PI_P_KeyViolations);
	port->qkey_viol_cntr = (uint16_t)ibs_pi_get(pi, IBS_PI_Q_KeyViolations);
}

/*
 * A device that hides its extended speeds from a Get without bit 31 leaves
 * LinkSpeedActive at 0, or nothing at all in the extended fields.
 */
static bool
needs_reread(const struct ibs_port_source *source, struct gates gates)
{
	const uint8_t *pi = source->pi;

	if (source->asked_ext || source->ungated || !gates.ext ||
	    active_ext_speed(pi, gates) != IBS_SPEED_NONE) {
		return false;
	}
	return ibs_pi_get(pi, IBS_PI_LinkSpeedActive) == 0 ||
	       (ibs_pi_get(pi, IBS_PI_LinkSpeedExtSupported) == 0 &&
		ibs_pi_get(pi, IBS_PI_LinkSpeedExtEnabled) == 0);
}

static void
decode_active(const struct ibs_port_source *source, struct gates gates,
	      struct ibs_port *port)
{
	const struct ibs_speed_row *row;

	port->speed = (uint8_t)active_speed(source, gates);
	port->width = (uint8_t)ibs_width_from_code(port->active_width);
	port->eff_100mbps = ibs_eff_100mbps((enum ibs_speed)port->speed,
					    (enum ibs_width)port->width);
	row = ibs_speed_row((enum ibs_speed)port->speed);
	port->active_speed = row ? row->ib_speed : 0;
	port->needs_reread = needs_reread(source, gates);
	port->fdr10_known = port->speed != IBS_SPEED_QDR ||
			    source->epi.read != IBS_EPI_NOT_ASKED;
}

void
ibs_port_decode(const struct ibs_port_source *source, struct ibs_port *ret_port)
{
	struct ibs_port port = { .cap_port0 = source->cap != NULL,
				 .fdr10_known = true };

	decode_verbs(source->pi, &port);
	if (source->cap) {
		port.lid = (uint16_t)ibs_pi_get(source->cap, IBS_PI_LID);
		port.sm_lid =
			(uint16_t)ibs_pi_get(source->cap, IBS_PI_MasterSMLID);
	}
	port.up = port.state >= IBS_PORT_INIT && port.state <= IBS_PORT_ACTIVE;
	if (port.up) {
		struct gates gates = gates_for(source);

		decode_widths(source->pi, &port);
		decode_speeds(source, gates, &port);
		decode_active(source, gates, &port);
	} else if (port.state == IBS_PORT_UNUSED) {
		port.eff_100mbps = -1;
	} else if (port.state > IBS_PORT_ACTIVE) {
		port.speed = IBS_SPEED_UNKNOWN;
		port.width = IBS_WIDTH_UNKNOWN;
		port.eff_100mbps = -1;
	}
	*ret_port = port;
}

void
ibs_port_unread(struct ibs_port *ret_port)
{
	*ret_port = (struct ibs_port){
		.speed = IBS_SPEED_UNKNOWN,
		.width = IBS_WIDTH_UNKNOWN,
		.eff_100mbps = -1,
	};
}

struct ibs_epi
ibs_epi_from_attr(const uint8_t *data)
{
	return (struct ibs_epi){
		.read = IBS_EPI_ANSWERED,
		.supported =
			(uint8_t)ibs_epi_get(data, IBS_EPI_LinkSpeedSupported),
		.enabled = (uint8_t)ibs_epi_get(data, IBS_EPI_LinkSpeedEnabled),
		.active = (uint8_t)ibs_epi_get(data, IBS_EPI_LinkSpeedActive),
	};
}

/* Devices with the MLNX ExtendedPortInfo; vendor 0 stands for any vendor. */
#define VENDOR_BULL 0x119f
static const struct {
	uint32_t vendor_id;
	uint16_t first, last; /* device ids */
} epi_devices[] = {
	{ 0, 0xc738, 0xc73b },		 { 0, 0xc839, 0xc839 },
	{ 0, 0xcb20, 0xcb20 },		 { 0, 0xcf08, 0xcf09 },
	{ 0, 0xd2f0, 0xd2f0 },		 { 0, 0x1003, 0x101b },
	{ 0, 0xa2d2, 0xa2d2 },		 { VENDOR_BULL, 0x1b02, 0x1b02 },
	{ VENDOR_BULL, 0x1b50, 0x1b50 }, { VENDOR_BULL, 0x1ba0, 0x1ba0 },
	{ VENDOR_BULL, 0x1bd0, 0x1bd5 }, { VENDOR_BULL, 0x1bf0, 0x1bf0 },
	{ VENDOR_BULL, 0x1b33, 0x1b33 }, { VENDOR_BULL, 0x1b73, 0x1b73 },
	{ VENDOR_BULL, 0x1b40, 0x1b41 }, { VENDOR_BULL, 0x1b60, 0x1b61 },
	{ VENDOR_BULL, 0x1b83, 0x1b83 }, { VENDOR_BULL, 0x1b93, 0x1b94 },
	{ VENDOR_BULL, 0x1bb4, 0x1bb5 }, { VENDOR_BULL, 0x1bc4, 0x1bc6 },
};

bool
ibs_epi_device(uint32_t vendor_id, uint16_t device_id)
{
	for (size_t i = 0; i < N_CODES(epi_devices); i++) {
		if (device_id >= epi_devices[i].first &&
		    device_id <= epi_devices[i].last &&
		    (epi_devices[i].vendor_id == 0 ||
		     epi_devices[i].vendor_id == vendor_id)) {
			return true;
		}
	}
	return false;
}

bool
ibs_epi_wanted(const struct ibs_port *port)
{
	return port->up && port->speed == IBS_SPEED_QDR;
}

const char *
ibs_port_state_name(uint8_t state)
{
	static const char *const names[] = { NULL, "down", "init", "armed",
					     "active" };

	return state < N_CODES(names) ? names[state] : NULL;
}

const char *
ibs_phys_state_name(uint8_t phys_state)
{
	static const char *const names[] = { NULL,	 "sleep",    "polling",
					     "disabled", "training", "linkup",
					     "recovery", "phytest" };

	return phys_state < N_CODES(names) ? names[phys_state] : NULL;
}
