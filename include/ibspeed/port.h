/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * port: one PortInfo, decoded.  Never fails: what is not known is UNKNOWN with
 * the raw value in the attribute, what is not there is NONE.
 *
 * locks   none; pure
 * source  IBA vol.1 14.2.5.6; C14-24.2.1 (a Down port means nothing but its
 *         PortState and PortPhysicalState); the members of ibv_port_attr as
 *         the kernel's MAD_IFC query_port() fills them
 */
#ifndef IBSPEED_PORT_H
#define IBSPEED_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "ibspeed/attr.h"
#include "ibspeed/speed.h"

enum ibs_port_state { /* PortState; UNUSED is base switch port 0's */
		      IBS_PORT_UNUSED = 0,
		      IBS_PORT_DOWN = 1,
		      IBS_PORT_INIT = 2,
		      IBS_PORT_ARMED = 3,
		      IBS_PORT_ACTIVE = 4
};

#define IBS_LID_MAX 0xbfff /* of unicast LIDs */

/* What is known of the MLNX ExtendedPortInfo of a port. */
enum ibs_epi_read {
	IBS_EPI_NOT_ASKED, /* or nobody answered: FDR10 cannot be told */
	IBS_EPI_ABSENT,	   /* the device has no such attribute: no FDR10 */
	IBS_EPI_ANSWERED
};

struct ibs_epi {
	uint8_t read;	   /* enum ibs_epi_read */
	uint8_t supported; /* LinkSpeedSupported, bit 0 FDR10 */
	uint8_t enabled;
	uint8_t active;
};

/* What an end is made from; pointers are borrowed for the call only. */
struct ibs_port_source {
	const uint8_t *pi;  /* PortInfo, IBS_ATTR_SIZE bytes */
	const uint8_t *cap; /* PortInfo of switch port 0 that gates an external
			     * port; NULL: the port's own bits do */
	struct ibs_epi epi;
	bool asked_ext; /* the Get had bit 31 (SMSupportExtendedSpeeds) */
	bool ungated;	/* external port whose port 0 was not read: nobody
			 * says which fields it has, so all are read */
};

struct ibs_port {
	/* decoded for the map; NONE and empty sets unless up */
	uint8_t speed; /* enum ibs_speed */
	uint8_t width; /* enum ibs_width */
	ibs_set speed_supported;
	ibs_set speed_enabled; /* and supported */
	ibs_set width_supported;
	ibs_set width_enabled; /* and supported */
	int32_t eff_100mbps;   /* 0 when Down, -1: not known, no state */
	bool up;	       /* Init, Armed or Active */
	bool cap_port0;	       /* gated by port 0, not by itself */
	bool fdr10_known;      /* false: QDR may be FDR10, nobody told */
	bool needs_reread;     /* only a Get with bit 31 can tell */
	/* members of ibv_port_attr, their values and names */
	uint8_t state;	    /* PortState, any of 0..15 */
	uint8_t phys_state; /* PortPhysicalState */
	uint8_t max_mtu;    /* enum ibv_mtu */
	uint8_t active_mtu;
	uint8_t gid_tbl_len;
	uint8_t lmc;
	uint8_t max_vl_num; /* VLCap */
	uint8_t sm_sl;
	uint8_t subnet_timeout;
	uint8_t init_type_reply;
	uint8_t active_width;  /* LinkWidthActive, raw code */
	uint16_t active_speed; /* kernel enum ib_port_speed; 0: not known */
	uint16_t lid;	       /* of port 0 for a switch's external port */
	uint16_t sm_lid;
	uint16_t port_cap_flags2;
	uint16_t bad_pkey_cntr;
	uint16_t qkey_viol_cntr;
	uint32_t port_cap_flags;
};

/* Bits of CapabilityMask and CapabilityMask2 that gate other fields. */
#define IBS_CAP_EXT_SPEEDS   (1u << 14)
#define IBS_CAP_CAP_MASK2    (1u << 15)
#define IBS_CAP2_EXT_SPEEDS2 (1u << 11)

/* True if the PortInfo that gates says IsExtendedSpeedsSupported. */
bool ibs_port_gate(const uint8_t *pi);

void ibs_port_decode(const struct ibs_port_source *source,
		     struct ibs_port *ret_port);
/* An end that did not answer: speed and width UNKNOWN, eff_100mbps -1. */
void ibs_port_unread(struct ibs_port *ret_port);

/* The four bytes of an answered MLNX ExtendedPortInfo that matter. */
struct ibs_epi ibs_epi_from_attr(const uint8_t *data);

/*
 * Whether a device has the MLNX ExtendedPortInfo, by the list that OpenSM and
 * infiniband-diags share.
 */
bool ibs_epi_device(uint32_t vendor_id, uint16_t device_id);
/*
 * Whether that attribute has to be asked to tell FDR10 from QDR: an up port at
 * QDR with no extended speed.
 */
bool ibs_epi_wanted(const struct ibs_port *port);

/*
 * The field of PortInfo that enables a speed; PI_COUNT for FDR10, which the
 * MLNX ExtendedPortInfo does.
 */
enum ibs_port_info_field ibs_port_enables_in(enum ibs_speed speed);

/* "down", "init", "armed", "active"; NULL for other codes, also UNUSED. */
const char *ibs_port_state_name(uint8_t state);
/* "sleep", "polling", ...; NULL for codes that are not known. */
const char *ibs_phys_state_name(uint8_t phys_state);

#endif
