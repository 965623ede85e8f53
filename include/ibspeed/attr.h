/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * attr: one Get of an SMP attribute and what became of it; and the layout of
 * the attributes, one row per field, with the only reader of their bits.
 *
 * A reader can never leave the 64 bytes: the rows are checked when the program
 * is compiled.
 *
 * locks   none; pure
 * source  IBA vol.1 14.2.5 (PortInfo, NodeInfo, SwitchInfo,
 *         LinearForwardingTable), 15.2.5.16 (PathRecord, which the SA has and
 *         no SMP); the MLNX ExtendedPortInfo and the extended speeds 2 as
 *         libibmad lays them out
 */
#ifndef IBSPEED_ATTR_H
#define IBSPEED_ATTR_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ibspeed/clock.h"

#define IBS_ATTR_SIZE 64 /* bytes of SMP data */

#define IBS_ATTR_NODE_DESC	    0x0010
#define IBS_ATTR_NODE_INFO	    0x0011
#define IBS_ATTR_SWITCH_INFO	    0x0012
#define IBS_ATTR_PORT_INFO	    0x0015
#define IBS_ATTR_LINEAR_FDB	    0x0019 /* a block of it: 64 entries */
#define IBS_ATTR_MLNX_EXT_PORT_INFO 0xff90

/* AttributeModifier of PortInfo: SMSupportExtendedSpeeds. */
#define IBS_MOD_EXT_SPEEDS 0x80000000u

/* What became of a Get.  The store keeps the numbers: a new one goes last. */
#define IBS_READS(X)                                                           \
	X(UNASKED, "unasked")	      /* not sent (yet) */                     \
	X(OK, "ok")		      /* answered, data is valid */            \
	X(TIMEOUT, "timeout")	      /* no answer after all tries */          \
	X(STATUS, "status")	      /* answered with a MAD status not 0 */   \
	X(UNREACHABLE, "unreachable") /* behind a node that did not answer */

enum ibs_read {
#define X(id, name) IBS_READ_##id,
	IBS_READS(X)
#undef X
		IBS_READ_COUNT
};
const char *ibs_read_name(enum ibs_read read); /* never NULL */

struct ibs_attr {
	uint32_t modifier; /* as sent, with bit 31 */
	uint16_t id;	   /* AttributeID */
	uint16_t status;   /* MAD status, valid with READ_STATUS */
	uint8_t read;	   /* enum ibs_read */
	uint8_t tries;	   /* Gets sent for it */
	struct ibs_stamp stamp;
	uint8_t data[IBS_ATTR_SIZE];
};

/* One field: bit 0 is the highest bit of byte 0, as IBA counts them. */
struct ibs_field {
	const char *name; /* IBA component name, verbatim */
	uint16_t offset_bits;
	uint8_t size_bits; /* 1..64 */
};

/* Where the word of 64 bits begins that a field is read from: at the byte of
 * the field, or the last that there is. */
#define IBS_WORD_BYTE(offset_bits)                                             \
	((offset_bits) / 8 < IBS_ATTR_SIZE - 8 ? (offset_bits) / 8             \
					       : IBS_ATTR_SIZE - 8)

/* name, offset in bits, size in bits */
#define IBS_PORT_INFO_FIELDS(X)                                                \
	X(M_Key, 0, 64)                                                        \
	X(GidPrefix, 64, 64)                                                   \
	X(LID, 128, 16)                                                        \
	X(MasterSMLID, 144, 16)                                                \
	X(CapabilityMask, 160, 32)                                             \
	X(DiagCode, 192, 16)                                                   \
	X(M_KeyLeasePeriod, 208, 16)                                           \
	X(LocalPortNum, 224, 8)                                                \
	X(LinkWidthEnabled, 232, 8)                                            \
	X(LinkWidthSupported, 240, 8)                                          \
	X(LinkWidthActive, 248, 8)                                             \
	X(LinkSpeedSupported, 256, 4)                                          \
	X(PortState, 260, 4)                                                   \
	X(PortPhysicalState, 264, 4)                                           \
	X(LinkDownDefaultState, 268, 4)                                        \
	X(M_KeyProtectBits, 272, 2)                                            \
	X(LMC, 277, 3)                                                         \
	X(LinkSpeedActive, 280, 4)                                             \
	X(LinkSpeedEnabled, 284, 4)                                            \
	X(NeighborMTU, 288, 4)                                                 \
	X(MasterSMSL, 292, 4)                                                  \
	X(VLCap, 296, 4)                                                       \
	X(InitType, 300, 4)                                                    \
	X(VLHighLimit, 304, 8)                                                 \
	X(VLArbitrationHighCap, 312, 8)                                        \
	X(VLArbitrationLowCap, 320, 8)                                         \
	X(InitTypeReply, 328, 4)                                               \
	X(MTUCap, 332, 4)                                                      \
	X(VLStallCount, 336, 3)                                                \
	X(HOQLife, 339, 5)                                                     \
	X(OperationalVLs, 344, 4)                                              \
	X(PartitionEnforcementInbound, 348, 1)                                 \
	X(PartitionEnforcementOutbound, 349, 1)                                \
	X(FilterRawInbound, 350, 1)                                            \
	X(FilterRawOutbound, 351, 1)                                           \
	X(M_KeyViolations, 352, 16)                                            \
	X(P_KeyViolations, 368, 16)                                            \
	X(Q_KeyViolations, 384, 16)                                            \
	X(GUIDCap, 400, 8)                                                     \
	X(ClientReregister, 408, 1)                                            \
	X(MulticastPKeyTrapSuppressionEnabled, 409, 2)                         \
	X(SubnetTimeOut, 411, 5)                                               \
	X(RespTimeValue, 419, 5)                                               \
	X(LocalPhyErrors, 424, 4)                                              \
	X(OverrunErrors, 428, 4)                                               \
	X(MaxCreditHint, 432, 16)                                              \
	X(LinkSpeedExtActive2, 449, 2)                                         \
	X(LinkSpeedExtSupported2, 451, 2)                                      \
	X(LinkSpeedExtEnabled2, 453, 3)                                        \
	X(LinkRoundTripLatency, 456, 24)                                       \
	X(CapabilityMask2, 480, 16)                                            \
	X(LinkSpeedExtActive, 496, 4)                                          \
	X(LinkSpeedExtSupported, 500, 4)                                       \
	X(LinkSpeedExtEnabled, 507, 5)

#define IBS_NODE_INFO_FIELDS(X)                                                \
	X(BaseVersion, 0, 8)                                                   \
	X(ClassVersion, 8, 8)                                                  \
	X(NodeType, 16, 8)                                                     \
	X(NumPorts, 24, 8)                                                     \
	X(SystemImageGUID, 32, 64)                                             \
	X(NodeGUID, 96, 64)                                                    \
	X(PortGUID, 160, 64)                                                   \
	X(PartitionCap, 224, 16)                                               \
	X(DeviceID, 240, 16)                                                   \
	X(Revision, 256, 32)                                                   \
	X(LocalPortNum, 288, 8)                                                \
	X(VendorID, 296, 24)

#define IBS_SWITCH_INFO_FIELDS(X)                                              \
	X(LinearFDBCap, 0, 16)                                                 \
	X(RandomFDBCap, 16, 16)                                                \
	X(MulticastFDBCap, 32, 16)                                             \
	X(LinearFDBTop, 48, 16)                                                \
	X(DefaultPort, 64, 8)                                                  \
	X(DefaultMulticastPrimaryPort, 72, 8)                                  \
	X(DefaultMulticastNotPrimaryPort, 80, 8)                               \
	X(LifeTimeValue, 88, 5)                                                \
	X(PortStateChange, 93, 1)                                              \
	X(OptimizedSLtoVLMappingProgramming, 94, 2)                            \
	X(LIDsPerPort, 96, 16)                                                 \
	X(PartitionEnforcementCap, 112, 16)                                    \
	X(InboundEnforcementCap, 128, 1)                                       \
	X(OutboundEnforcementCap, 129, 1)                                      \
	X(FilterRawInboundCap, 130, 1)                                         \
	X(FilterRawOutboundCap, 131, 1)                                        \
	X(EnhancedPort0, 132, 1)                                               \
	X(MulticastFDBTop, 144, 16)

#define IBS_EXT_PORT_INFO_FIELDS(X)                                            \
	X(StateChangeEnable, 24, 8)                                            \
	X(LinkSpeedSupported, 56, 8)                                           \
	X(LinkSpeedEnabled, 88, 8)                                             \
	X(LinkSpeedActive, 120, 8)

/* All but the GIDs. */
#define IBS_PATH_RECORD_FIELDS(X)                                              \
	X(ServiceID, 0, 64)                                                    \
	X(DLID, 320, 16)                                                       \
	X(SLID, 336, 16)                                                       \
	X(RawTraffic, 352, 1)                                                  \
	X(FlowLabel, 356, 20)                                                  \
	X(HopLimit, 376, 8)                                                    \
	X(TClass, 384, 8)                                                      \
	X(Reversible, 392, 1)                                                  \
	X(NumbPath, 393, 7)                                                    \
	X(P_Key, 400, 16)                                                      \
	X(QosClass, 416, 12)                                                   \
	X(SL, 428, 4)                                                          \
	X(MtuSelector, 432, 2)                                                 \
	X(Mtu, 434, 6)                                                         \
	X(RateSelector, 440, 2)                                                \
	X(Rate, 442, 6)                                                        \
	X(PacketLifeTimeSelector, 448, 2)                                      \
	X(PacketLifeTime, 450, 6)

enum ibs_port_info_field {
#define X(name, offset, size) IBS_PI_##name,
	IBS_PORT_INFO_FIELDS(X)
#undef X
		IBS_PI_COUNT
};
enum ibs_node_info_field {
#define X(name, offset, size) IBS_NI_##name,
	IBS_NODE_INFO_FIELDS(X)
#undef X
		IBS_NI_COUNT
};
enum ibs_switch_info_field {
#define X(name, offset, size) IBS_SI_##name,
	IBS_SWITCH_INFO_FIELDS(X)
#undef X
		IBS_SI_COUNT
};
enum ibs_ext_port_info_field {
#define X(name, offset, size) IBS_EPI_##name,
	IBS_EXT_PORT_INFO_FIELDS(X)
#undef X
		IBS_EPI_COUNT
};
enum ibs_path_record_field {
#define X(name, offset, size) IBS_PR_##name,
	IBS_PATH_RECORD_FIELDS(X)
#undef X
		IBS_PR_COUNT
};

/* The rows, in the order of the enums; IBS_PI_COUNT etc. of them. */
extern const struct ibs_field ibs_port_info_fields[IBS_PI_COUNT];
extern const struct ibs_field ibs_node_info_fields[IBS_NI_COUNT];
extern const struct ibs_field ibs_switch_info_fields[IBS_SI_COUNT];
extern const struct ibs_field ibs_ext_port_info_fields[IBS_EPI_COUNT];
extern const struct ibs_field ibs_path_record_fields[IBS_PR_COUNT];

/* The value of a field in host order.  data has IBS_ATTR_SIZE bytes. */
uint64_t ibs_field_get(const uint8_t *data, const struct ibs_field *field);
uint64_t ibs_ni_get(const uint8_t *data, enum ibs_node_info_field field);
uint64_t ibs_si_get(const uint8_t *data, enum ibs_switch_info_field field);
uint64_t ibs_epi_get(const uint8_t *data, enum ibs_ext_port_info_field field);
uint64_t ibs_pr_get(const uint8_t *data, enum ibs_path_record_field field);

/*
 * Here and not in a file of lib/: of a field that the compiler knows, a load
 * and two shifts are left.  Decoding all ports of a map is mostly this.
 */
static inline uint64_t
ibs_pi_get(const uint8_t *data, enum ibs_port_info_field field)
{
	static const struct {
		uint8_t byte, before_bits, size_bits;
	} words[IBS_PI_COUNT] = {
#define X(name, offset, size)                                                  \
	{ IBS_WORD_BYTE(offset), (offset)-8 * IBS_WORD_BYTE(offset), size },
		IBS_PORT_INFO_FIELDS(X)
#undef X
	};
	uint64_t word;

	memcpy(&word, data + words[field].byte, sizeof(word));
	word = be64toh(word) << words[field].before_bits;
	return word >> (64u - words[field].size_bits);
}

/* Puts the value into the field, cut to its size.  For tests and doubles. */
void ibs_field_put(uint8_t *data, const struct ibs_field *field,
		   uint64_t value);

/*
 * 2 * IBS_ATTR_SIZE hex digits to bytes; an optional 0x, blanks and colons
 * between them are skipped.
 * errors  -EINVAL not a hex digit (*ret_at its position), -EMSGSIZE another
 *         number of digits (*ret_at how many there are)
 */
int ibs_attr_from_hex(const char *text, uint8_t *ret_data, size_t *ret_at);

#endif
