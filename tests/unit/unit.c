// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "unit.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ibspeed/attr.h"

int
unit_main(const char *suite, const struct unit_test *tests, size_t n_tests)
{
	unsigned int failures;
	CU_pSuite s;

	if (CU_initialize_registry() != CUE_SUCCESS) {
		return 2;
	}
	s = CU_add_suite(suite, NULL, NULL);
	for (size_t i = 0; s && i < n_tests; i++) {
		if (!CU_add_test(s, tests[i].name, tests[i].run)) {
			return 2;
		}
	}
	CU_basic_set_mode(CU_BRM_VERBOSE);
	CU_basic_run_tests();
	failures = CU_get_number_of_failures();
	if (CU_get_number_of_tests_run() != n_tests) {
		failures++;
	}
	CU_cleanup_registry();
	return failures ? 1 : 0;
}

void
unit_check(int ok, const char *row, const char *what, const char *file,
	   unsigned int line)
{
	if (!ok) {
		printf("\n    %s:%u: row %s: not true: %s\n", file, line, row,
		       what);
	}
	CU_assertImplementation(ok, line, what, file, row, CU_FALSE);
}

void
unit_check_int(int64_t got, int64_t want, const char *row, const char *what,
	       const char *file, unsigned int line)
{
	if (got != want) {
		printf("\n    %s:%u: row %s: %s is %" PRId64
		       ", expected %" PRId64 "\n",
		       file, line, row, what, got, want);
	}
	CU_assertImplementation(got == want, line, what, file, row, CU_FALSE);
}

void
unit_check_text(const char *got, const char *want, const char *row,
		const char *what, const char *file, unsigned int line)
{
	int same = got && want ? strcmp(got, want) == 0 : got == want;

	if (!same) {
		printf("\n    %s:%u: row %s: %s is \"%s\", expected \"%s\"\n",
		       file, line, row, what, got ? got : "(null)",
		       want ? want : "(null)");
	}
	CU_assertImplementation(same, line, what, file, row, CU_FALSE);
}

void
unit_hex(const char *text, uint8_t *ret_data)
{
	size_t at;

	if (ibs_attr_from_hex(text, ret_data, &at)) {
		printf("bad row, digit %zu: %s\n", at, text);
		exit(2);
	}
}

static void
put(uint8_t *pi, enum ibs_port_info_field field, uint64_t value)
{
	ibs_field_put(pi, &ibs_port_info_fields[field], value);
}

void
unit_port_info(uint8_t *ret_pi, uint8_t width, uint8_t width_mask,
	       uint8_t ext_active, uint8_t ext_mask)
{
	memset(ret_pi, 0, IBS_ATTR_SIZE);
	put(ret_pi, IBS_PI_CapabilityMask, 0xc048);
	put(ret_pi, IBS_PI_CapabilityMask2, 0x30);
	put(ret_pi, IBS_PI_LinkWidthActive, width);
	put(ret_pi, IBS_PI_LinkWidthSupported, width_mask);
	put(ret_pi, IBS_PI_LinkWidthEnabled, width_mask);
	put(ret_pi, IBS_PI_LinkSpeedSupported, 7);
	put(ret_pi, IBS_PI_LinkSpeedEnabled, 7);
	put(ret_pi, IBS_PI_LinkSpeedActive, 4);
	put(ret_pi, IBS_PI_LinkSpeedExtActive, ext_active);
	put(ret_pi, IBS_PI_LinkSpeedExtSupported, ext_mask);
	put(ret_pi, IBS_PI_LinkSpeedExtEnabled, ext_mask);
	put(ret_pi, IBS_PI_PortState, IBS_PORT_ACTIVE);
	put(ret_pi, IBS_PI_PortPhysicalState, 5);
	put(ret_pi, IBS_PI_MTUCap, 5);
	put(ret_pi, IBS_PI_NeighborMTU, 5);
}

static uint32_t
add_node(struct ibs_map *map, uint64_t guid, uint8_t type, uint8_t n_ports,
	 const char *name)
{
	struct ibs_node node = { .guid = guid,
				 .sys_guid = guid,
				 .port_guid = guid,
				 .vendor_id = 0x2c9,
				 .device_id = 0xd2f0,
				 .pkey_cap = 128,
				 .sw_pkey_cap = 8,
				 .type = type,
				 .n_ports = n_ports };
	uint32_t index = 0;

	memcpy(node.desc, name, strlen(name));
	if (ibs_map_add_node(map, &node, &index)) {
		abort();
	}
	return index;
}

static uint32_t
add_port(struct ibs_map *map, uint32_t node, uint8_t num, uint8_t state)
{
	struct ibs_map_port port = { .node = node,
				     .num = num,
				     .peer = IBS_NO_INDEX,
				     .guid = map->nodes[node].port_guid,
				     .flags = IBS_PORT_ASKED_EXT,
				     .read = IBS_READ_OK,
				     .tries = 1 };
	uint32_t index = 0;

	unit_port_info(port.pi, 2, 3, 4, 7);
	put(port.pi, IBS_PI_PortState, state);
	if (state == IBS_PORT_DOWN) {
		put(port.pi, IBS_PI_PortPhysicalState, 2);
	}
	if (num && map->nodes[node].type == IBS_NODE_SWITCH) {
		put(port.pi, IBS_PI_CapabilityMask, 0);
		put(port.pi, IBS_PI_CapabilityMask2, 0);
	} else {
		put(port.pi, IBS_PI_LID, node + 1);
	}
	if (ibs_map_add_port(map, &port, &index)) {
		abort();
	}
	return index;
}

static void
join(struct ibs_map *map, uint32_t a, uint32_t b)
{
	map->ports[a].peer = b;
	map->ports[b].peer = a;
}

struct ibs_map *
unit_map(void (*edit)(struct ibs_map *map))
{
	static const char *const hosts[] = { "hostA", "hostB", "hostC",
					     "hostD" };
	struct ibs_map *map = ibs_map_new();
	uint32_t ports[2][6];

	if (!map) {
		abort();
	}
	for (unsigned int s = 0; s < 2; s++) {
		uint32_t node = add_node(map, 0x10 + s, IBS_NODE_SWITCH, 5,
					 s ? "leaf02" : "leaf01");

		for (uint8_t num = 0; num <= 5; num++) {
			ports[s][num] = add_port(map, node, num,
						 num == 5 ? IBS_PORT_DOWN
							  : IBS_PORT_ACTIVE);
		}
	}
	for (unsigned int h = 0; h < 4; h++) {
		uint32_t node = add_node(map, 0x20 + 0x10 * h, IBS_NODE_CA, 1,
					 hosts[h]);

		join(map, add_port(map, node, 1, IBS_PORT_ACTIVE),
		     ports[h / 2][1 + h % 2]);
	}
	join(map, ports[0][3], ports[1][3]);
	join(map, ports[0][4], ports[1][4]);
	if (edit) {
		edit(map);
	}
	if (ibs_map_freeze(map)) {
		abort();
	}
	return map;
}
