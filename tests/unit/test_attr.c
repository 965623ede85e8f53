// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The layout of the attributes against libibmad, and the hex parser. */
#include <config.h>

#include "ibspeed/attr.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#define N_ROWS(table) (sizeof(table) / sizeof((table)[0]))
#define N_ROUNDS      10000

/* The fields that libibmad 44 does not have: test_ext2 has rows for them. */
#define NO_MAD_FIELD (-1)

struct oracle {
	int field; /* of our table */
	int mad;   /* enum MAD_FIELDS */
};
static const struct oracle port_info[] = {
	{ IBS_PI_M_Key, IB_PORT_MKEY_F },
	{ IBS_PI_GidPrefix, IB_PORT_GID_PREFIX_F },
	{ IBS_PI_LID, IB_PORT_LID_F },
	{ IBS_PI_MasterSMLID, IB_PORT_SMLID_F },
	{ IBS_PI_CapabilityMask, IB_PORT_CAPMASK_F },
	{ IBS_PI_DiagCode, IB_PORT_DIAG_F },
	{ IBS_PI_M_KeyLeasePeriod, IB_PORT_MKEY_LEASE_F },
	{ IBS_PI_LocalPortNum, IB_PORT_LOCAL_PORT_F },
	{ IBS_PI_LinkWidthEnabled, IB_PORT_LINK_WIDTH_ENABLED_F },
	{ IBS_PI_LinkWidthSupported, IB_PORT_LINK_WIDTH_SUPPORTED_F },
	{ IBS_PI_LinkWidthActive, IB_PORT_LINK_WIDTH_ACTIVE_F },
	{ IBS_PI_LinkSpeedSupported, IB_PORT_LINK_SPEED_SUPPORTED_F },
	{ IBS_PI_PortState, IB_PORT_STATE_F },
	{ IBS_PI_PortPhysicalState, IB_PORT_PHYS_STATE_F },
	{ IBS_PI_LinkDownDefaultState, IB_PORT_LINK_DOWN_DEF_F },
	{ IBS_PI_M_KeyProtectBits, IB_PORT_MKEY_PROT_BITS_F },
	{ IBS_PI_LMC, IB_PORT_LMC_F },
	{ IBS_PI_LinkSpeedActive, IB_PORT_LINK_SPEED_ACTIVE_F },
	{ IBS_PI_LinkSpeedEnabled, IB_PORT_LINK_SPEED_ENABLED_F },
	{ IBS_PI_NeighborMTU, IB_PORT_NEIGHBOR_MTU_F },
	{ IBS_PI_MasterSMSL, IB_PORT_SMSL_F },
	{ IBS_PI_VLCap, IB_PORT_VL_CAP_F },
	{ IBS_PI_InitType, IB_PORT_INIT_TYPE_F },
	{ IBS_PI_VLHighLimit, IB_PORT_VL_HIGH_LIMIT_F },
	{ IBS_PI_VLArbitrationHighCap, IB_PORT_VL_ARBITRATION_HIGH_CAP_F },
	{ IBS_PI_VLArbitrationLowCap, IB_PORT_VL_ARBITRATION_LOW_CAP_F },
	{ IBS_PI_InitTypeReply, IB_PORT_INIT_TYPE_REPLY_F },
	{ IBS_PI_MTUCap, IB_PORT_MTU_CAP_F },
	{ IBS_PI_VLStallCount, IB_PORT_VL_STALL_COUNT_F },
	{ IBS_PI_HOQLife, IB_PORT_HOQ_LIFE_F },
	{ IBS_PI_OperationalVLs, IB_PORT_OPER_VLS_F },
	{ IBS_PI_PartitionEnforcementInbound, IB_PORT_PART_EN_INB_F },
	{ IBS_PI_PartitionEnforcementOutbound, IB_PORT_PART_EN_OUTB_F },
	{ IBS_PI_FilterRawInbound, IB_PORT_FILTER_RAW_INB_F },
	{ IBS_PI_FilterRawOutbound, IB_PORT_FILTER_RAW_OUTB_F },
	{ IBS_PI_M_KeyViolations, IB_PORT_MKEY_VIOL_F },
	{ IBS_PI_P_KeyViolations, IB_PORT_PKEY_VIOL_F },
	{ IBS_PI_Q_KeyViolations, IB_PORT_QKEY_VIOL_F },
	{ IBS_PI_GUIDCap, IB_PORT_GUID_CAP_F },
	{ IBS_PI_ClientReregister, IB_PORT_CLIENT_REREG_F },
	{ IBS_PI_MulticastPKeyTrapSuppressionEnabled,
	  IB_PORT_MCAST_PKEY_SUPR_ENAB_F },
	{ IBS_PI_SubnetTimeOut, IB_PORT_SUBN_TIMEOUT_F },
	{ IBS_PI_RespTimeValue, IB_PORT_RESP_TIME_VAL_F },
	{ IBS_PI_LocalPhyErrors, IB_PORT_LOCAL_PHYS_ERR_F },
	{ IBS_PI_OverrunErrors, IB_PORT_OVERRUN_ERR_F },
	{ IBS_PI_MaxCreditHint, IB_PORT_MAX_CREDIT_HINT_F },
	{ IBS_PI_LinkSpeedExtActive2, NO_MAD_FIELD },
	{ IBS_PI_LinkSpeedExtSupported2, NO_MAD_FIELD },
	{ IBS_PI_LinkSpeedExtEnabled2, NO_MAD_FIELD },
	{ IBS_PI_LinkRoundTripLatency, IB_PORT_LINK_ROUND_TRIP_F },
	{ IBS_PI_CapabilityMask2, IB_PORT_CAPMASK2_F },
	{ IBS_PI_LinkSpeedExtActive, IB_PORT_LINK_SPEED_EXT_ACTIVE_F },
	{ IBS_PI_LinkSpeedExtSupported, IB_PORT_LINK_SPEED_EXT_SUPPORTED_F },
	{ IBS_PI_LinkSpeedExtEnabled, IB_PORT_LINK_SPEED_EXT_ENABLED_F },
};
static const struct oracle node_info[] = {
	{ IBS_NI_BaseVersion, IB_NODE_BASE_VERS_F },
	{ IBS_NI_ClassVersion, IB_NODE_CLASS_VERS_F },
	{ IBS_NI_NodeType, IB_NODE_TYPE_F },
	{ IBS_NI_NumPorts, IB_NODE_NPORTS_F },
	{ IBS_NI_SystemImageGUID, IB_NODE_SYSTEM_GUID_F },
	{ IBS_NI_NodeGUID, IB_NODE_GUID_F },
	{ IBS_NI_PortGUID, IB_NODE_PORT_GUID_F },
	{ IBS_NI_PartitionCap, IB_NODE_PARTITION_CAP_F },
	{ IBS_NI_DeviceID, IB_NODE_DEVID_F },
	{ IBS_NI_Revision, IB_NODE_REVISION_F },
	{ IBS_NI_LocalPortNum, IB_NODE_LOCAL_PORT_F },
	{ IBS_NI_VendorID, IB_NODE_VENDORID_F },
};
static const struct oracle switch_info[] = {
	{ IBS_SI_LinearFDBCap, IB_SW_LINEAR_FDB_CAP_F },
	{ IBS_SI_RandomFDBCap, IB_SW_RANDOM_FDB_CAP_F },
	{ IBS_SI_MulticastFDBCap, IB_SW_MCAST_FDB_CAP_F },
	{ IBS_SI_LinearFDBTop, IB_SW_LINEAR_FDB_TOP_F },
	{ IBS_SI_DefaultPort, IB_SW_DEF_PORT_F },
	{ IBS_SI_DefaultMulticastPrimaryPort, IB_SW_DEF_MCAST_PRIM_F },
	{ IBS_SI_DefaultMulticastNotPrimaryPort, IB_SW_DEF_MCAST_NOT_PRIM_F },
	{ IBS_SI_LifeTimeValue, IB_SW_LIFE_TIME_F },
	{ IBS_SI_PortStateChange, IB_SW_STATE_CHANGE_F },
	{ IBS_SI_OptimizedSLtoVLMappingProgramming,
	  IB_SW_OPT_SLTOVL_MAPPING_F },
	{ IBS_SI_LIDsPerPort, IB_SW_LIDS_PER_PORT_F },
	{ IBS_SI_PartitionEnforcementCap, IB_SW_PARTITION_ENFORCE_CAP_F },
	{ IBS_SI_InboundEnforcementCap, IB_SW_PARTITION_ENF_INB_F },
	{ IBS_SI_OutboundEnforcementCap, IB_SW_PARTITION_ENF_OUTB_F },
	{ IBS_SI_FilterRawInboundCap, IB_SW_FILTER_RAW_INB_F },
	{ IBS_SI_FilterRawOutboundCap, IB_SW_FILTER_RAW_OUTB_F },
	{ IBS_SI_EnhancedPort0, IB_SW_ENHANCED_PORT0_F },
	{ IBS_SI_MulticastFDBTop, IB_SW_MCAST_FDB_TOP_F },
};
static const struct oracle ext_port_info[] = {
	{ IBS_EPI_StateChangeEnable, IB_MLNX_EXT_PORT_STATE_CHG_ENABLE_F },
	{ IBS_EPI_LinkSpeedSupported, IB_MLNX_EXT_PORT_LINK_SPEED_SUPPORTED_F },
	{ IBS_EPI_LinkSpeedEnabled, IB_MLNX_EXT_PORT_LINK_SPEED_ENABLED_F },
	{ IBS_EPI_LinkSpeedActive, IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F },
};
static const struct oracle path_record[] = {
	{ IBS_PR_ServiceID, NO_MAD_FIELD },
	{ IBS_PR_DLID, IB_SA_PR_DLID_F },
	{ IBS_PR_SLID, IB_SA_PR_SLID_F },
	{ IBS_PR_RawTraffic, NO_MAD_FIELD },
	{ IBS_PR_FlowLabel, NO_MAD_FIELD },
	{ IBS_PR_HopLimit, NO_MAD_FIELD },
	{ IBS_PR_TClass, NO_MAD_FIELD },
	{ IBS_PR_Reversible, NO_MAD_FIELD },
	{ IBS_PR_NumbPath, IB_SA_PR_NPATH_F },
	{ IBS_PR_P_Key, NO_MAD_FIELD },
	{ IBS_PR_QosClass, NO_MAD_FIELD },
	{ IBS_PR_SL, IB_SA_PR_SL_F },
	{ IBS_PR_MtuSelector, NO_MAD_FIELD },
	{ IBS_PR_Mtu, NO_MAD_FIELD },
	{ IBS_PR_RateSelector, NO_MAD_FIELD },
	{ IBS_PR_Rate, NO_MAD_FIELD },
	{ IBS_PR_PacketLifeTimeSelector, NO_MAD_FIELD },
	{ IBS_PR_PacketLifeTime, NO_MAD_FIELD },
};

struct attribute {
	const char *name;
	const struct ibs_field *fields;
	size_t n_fields;
	const struct oracle *oracles;
	size_t n_oracles;
	struct {
		int first, last; /* last is not in it */
	} mad[2];		 /* all fields that libibmad has */
};
static const struct attribute attributes[] = {
	{ "PortInfo",
	  ibs_port_info_fields,
	  IBS_PI_COUNT,
	  port_info,
	  N_ROWS(port_info),
	  { { IB_PORT_FIRST_F, IB_PORT_LAST_F },
	    { IB_PORT_CAPMASK2_F, IB_PORT_LINK_SPEED_EXT_LAST_F } } },
	{ "NodeInfo",
	  ibs_node_info_fields,
	  IBS_NI_COUNT,
	  node_info,
	  N_ROWS(node_info),
	  { { IB_NODE_FIRST_F, IB_NODE_LAST_F } } },
	{ "SwitchInfo",
	  ibs_switch_info_fields,
	  IBS_SI_COUNT,
	  switch_info,
	  N_ROWS(switch_info),
	  { { IB_SW_FIRST_F, IB_SW_LAST_F } } },
	{ "ExtendedPortInfo",
	  ibs_ext_port_info_fields,
	  IBS_EPI_COUNT,
	  ext_port_info,
	  N_ROWS(ext_port_info),
	  { { IB_MLNX_EXT_PORT_STATE_CHG_ENABLE_F,
	      IB_MLNX_EXT_PORT_LAST_F } } },
	{ "PathRecord",
	  ibs_path_record_fields,
	  IBS_PR_COUNT,
	  path_record,
	  N_ROWS(path_record),
	  { { IB_SA_PR_DLID_F, IB_SA_PR_SL_F + 1 } } },
};

/* xorshift64: the same bytes in every run. */
static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void
random_bytes(uint64_t *state, uint8_t *ret_data)
{
	for (size_t i = 0; i < IBS_ATTR_SIZE; i += 8) {
		uint64_t value = next_random(state);

		memcpy(ret_data + i, &value, sizeof(value));
	}
}

static bool
has_oracle(const struct attribute *attribute, int mad)
{
	for (size_t i = 0; i < attribute->n_oracles; i++) {
		if (attribute->oracles[i].mad == mad) {
			return true;
		}
	}
	return false;
}

/* Each field of ours has its row, each field of libibmad is in one. */
static void
test_coverage(void)
{
	for (size_t i = 0; i < N_ROWS(attributes); i++) {
		const struct attribute *a = &attributes[i];

		CHECK_INT(a->name, a->n_oracles, a->n_fields);
		for (size_t j = 0; j < a->n_oracles; j++) {
			CHECK_INT(a->name, a->oracles[j].field, j);
		}
		for (size_t r = 0; r < N_ROWS(a->mad); r++) {
			for (int f = a->mad[r].first; f < a->mad[r].last; f++) {
				CHECK(mad_field_name((enum MAD_FIELDS)f),
				      has_oracle(a, f));
			}
		}
	}
}

static uint64_t
mad_value(uint8_t *data, const struct ibs_field *field, int mad)
{
	if (field->size_bits == 64) {
		return mad_get_field64(data, 0, (enum MAD_FIELDS)mad);
	}
	return mad_get_field(data, 0, (enum MAD_FIELDS)mad);
}

static void
check_round(const struct attribute *a, uint8_t *data)
{
	for (size_t j = 0; j < a->n_oracles; j++) {
		const struct ibs_field *field = &a->fields[a->oracles[j].field];

		if (a->oracles[j].mad == NO_MAD_FIELD) {
			continue;
		}
		if (ibs_field_get(data, field) !=
		    mad_value(data, field, a->oracles[j].mad)) {
			CHECK_INT(field->name, ibs_field_get(data, field),
				  mad_value(data, field, a->oracles[j].mad));
		}
	}
}

static void
test_libibmad(void)
{
	uint64_t state = 0x9e3779b97f4a7c15;
	uint8_t data[IBS_ATTR_SIZE];

	for (size_t i = 0; i < N_ROWS(attributes); i++) {
		for (unsigned int round = 0; round < N_ROUNDS; round++) {
			random_bytes(&state, data);
			check_round(&attributes[i], data);
		}
	}
	CHECK("libibmad", state != 0x9e3779b97f4a7c15);
}

/* The extended speeds 2 by hand: byte 56 is -AASSEEE. */
static void
test_ext2(void)
{
	uint8_t data[IBS_ATTR_SIZE] = { 0 };

	for (unsigned int byte = 0; byte < 256; byte++) {
		data[56] = (uint8_t)byte;
		CHECK_INT("ext2", ibs_pi_get(data, IBS_PI_LinkSpeedExtActive2),
			  byte >> 5 & 3);
		CHECK_INT("ext2",
			  ibs_pi_get(data, IBS_PI_LinkSpeedExtSupported2),
			  byte >> 3 & 3);
		CHECK_INT("ext2", ibs_pi_get(data, IBS_PI_LinkSpeedExtEnabled2),
			  byte & 7);
		CHECK_INT("ext2", ibs_pi_get(data, IBS_PI_LinkRoundTripLatency),
			  0);
	}
}

/* Bytes that a look at the wrong end would read wrongly. */
static void
test_getters(void)
{
	uint8_t data[IBS_ATTR_SIZE];

	for (size_t i = 0; i < sizeof(data); i++) {
		data[i] = (uint8_t)i;
	}
	CHECK_INT("PortInfo", ibs_pi_get(data, IBS_PI_LID), 0x1011);
	CHECK_INT("PortInfo", ibs_pi_get(data, IBS_PI_GidPrefix),
		  0x08090a0b0c0d0e0f);
	CHECK_INT("PortInfo", ibs_pi_get(data, IBS_PI_SubnetTimeOut), 51 & 31);
	CHECK_INT("NodeInfo", ibs_ni_get(data, IBS_NI_NodeGUID),
		  0x0c0d0e0f10111213);
	CHECK_INT("NodeInfo", ibs_ni_get(data, IBS_NI_VendorID), 0x252627);
	CHECK_INT("SwitchInfo", ibs_si_get(data, IBS_SI_LinearFDBTop), 0x0607);
	CHECK_INT("ExtendedPortInfo",
		  ibs_epi_get(data, IBS_EPI_LinkSpeedActive), 15);
}

static uint64_t
field_mask(const struct ibs_field *field)
{
	return UINT64_MAX >> (64 - field->size_bits);
}

/* What is put is got; nothing else changes. */
static void
check_put(const struct ibs_field *field, uint64_t value, uint8_t *data)
{
	uint8_t before[IBS_ATTR_SIZE];
	uint64_t old = ibs_field_get(data, field);

	memcpy(before, data, sizeof(before));
	ibs_field_put(data, field, value);
	CHECK_INT(field->name, ibs_field_get(data, field),
		  value & field_mask(field));
	ibs_field_put(data, field, old);
	CHECK(field->name, memcmp(data, before, sizeof(before)) == 0);
}

static void
test_put(void)
{
	uint64_t state = 1;
	uint8_t data[IBS_ATTR_SIZE];

	for (size_t i = 0; i < N_ROWS(attributes); i++) {
		for (size_t j = 0; j < attributes[i].n_fields; j++) {
			const struct ibs_field *field =
				&attributes[i].fields[j];

			random_bytes(&state, data);
			check_put(field, 0, data);
			check_put(field, UINT64_MAX, data);
			check_put(field, next_random(&state), data);
		}
	}
}

/* No two fields of an attribute share a bit. */
static void
test_overlap(void)
{
	for (size_t i = 0; i < N_ROWS(attributes); i++) {
		uint8_t data[IBS_ATTR_SIZE] = { 0 };

		for (size_t j = 0; j < attributes[i].n_fields; j++) {
			const struct ibs_field *field =
				&attributes[i].fields[j];

			CHECK_INT(field->name, ibs_field_get(data, field), 0);
			ibs_field_put(data, field, UINT64_MAX);
		}
	}
}

#define HEX_8	  "0123456789abcdef"
#define HEX_32	  HEX_8 HEX_8 HEX_8 HEX_8
#define HEX_UPPER "0123456789ABCDEF"

static const struct {
	const char *name, *text;
	int err;
	size_t at; /* what *ret_at says after an error */
} hex_rows[] = {
	{ "plain", HEX_32 HEX_32, 0, 0 },
	{ "0x", "0x" HEX_32 HEX_32, 0, 0 },
	{ "0X", "0X" HEX_32 HEX_32, 0, 0 },
	{ "upper", HEX_UPPER HEX_UPPER HEX_UPPER HEX_UPPER HEX_32, 0, 0 },
	{ "blanks", " 01 23 4567\t89abcdef\n" HEX_8 HEX_8 HEX_8 HEX_32 " ", 0,
	  0 },
	{ "colons", "01:23:45:67:89:ab:cd:ef:" HEX_8 HEX_8 HEX_8 HEX_32, 0, 0 },
	{ "empty", "", -EMSGSIZE, 0 },
	{ "0x alone", "0x", -EMSGSIZE, 0 },
	{ "blanks alone", " : ", -EMSGSIZE, 0 },
	{ "odd", HEX_32 HEX_8 HEX_8 HEX_8 "0123456789abcde", -EMSGSIZE, 127 },
	{ "one more", HEX_32 HEX_32 "0", -EMSGSIZE, 129 },
	{ "twice", HEX_32 HEX_32 HEX_32 HEX_32, -EMSGSIZE, 256 },
	{ "half", HEX_32, -EMSGSIZE, 64 },
	{ "not hex", HEX_8 "g", -EINVAL, 16 },
	{ "not hex, first", "x" HEX_32 HEX_32, -EINVAL, 0 },
	{ "not hex, last", HEX_32 HEX_32 "-", -EINVAL, 128 },
	{ "not hex, too long", HEX_32 HEX_32 HEX_8 "z", -EINVAL, 144 },
	{ "0x twice", "0x0x" HEX_32 HEX_32, -EINVAL, 3 },
	{ "0x later", " 0x" HEX_32 HEX_32, -EINVAL, 2 },
	{ "not ASCII", "01\xe9", -EINVAL, 2 },
};

static void
test_hex(void)
{
	for (size_t i = 0; i < N_ROWS(hex_rows); i++) {
		uint8_t data[IBS_ATTR_SIZE + 1];
		size_t at = 12345;

		memset(data, 0xaa, sizeof(data));
		CHECK_INT(hex_rows[i].name,
			  ibs_attr_from_hex(hex_rows[i].text, data, &at),
			  hex_rows[i].err);
		CHECK_INT(hex_rows[i].name, data[IBS_ATTR_SIZE], 0xaa);
		if (hex_rows[i].err) {
			CHECK_INT(hex_rows[i].name, at, hex_rows[i].at);
			CHECK_INT(hex_rows[i].name, data[0], 0xaa);
			CHECK_INT(hex_rows[i].name, data[63], 0xaa);
			continue;
		}
		CHECK_INT(hex_rows[i].name, at, 12345);
		for (size_t j = 0; j < IBS_ATTR_SIZE; j++) {
			CHECK_INT(hex_rows[i].name, data[j],
				  0x01 + 0x22 * (j % 8));
		}
	}
}

static void
test_read_names(void)
{
	static const char *const names[] = { "unasked", "ok", "timeout",
					     "status", "unreachable" };

	CHECK_INT("read", N_ROWS(names), IBS_READ_COUNT);
	for (size_t i = 0; i < N_ROWS(names); i++) {
		CHECK_TEXT("read", ibs_read_name((enum ibs_read)i), names[i]);
	}
	CHECK_TEXT("read", ibs_read_name(IBS_READ_COUNT), "unknown");
	CHECK_TEXT("read", ibs_read_name((enum ibs_read) - 1), "unknown");
}

static const struct unit_test tests[] = {
	{ "coverage", test_coverage }, { "libibmad", test_libibmad },
	{ "ext2", test_ext2 },	       { "getters", test_getters },
	{ "put", test_put },	       { "overlap", test_overlap },
	{ "hex", test_hex },	       { "read names", test_read_names },
};
UNIT_MAIN("attr", tests)
