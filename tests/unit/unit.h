/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What all unit tests share: one suite per program, run by CUnit, and checks
 * that name the row of the table that failed.
 */
#ifndef IBSPEED_TESTS_UNIT_H
#define IBSPEED_TESTS_UNIT_H

#include <CUnit/CUnit.h>
#include <stddef.h>
#include <stdint.h>

#include "ibspeed/map.h"

struct unit_test {
	const char *name;
	void (*run)(void);
};
/* Runs the tests of a suite; the exit status of the program. */
int unit_main(const char *suite, const struct unit_test *tests, size_t n_tests);
#define UNIT_MAIN(suite, tests)                                                \
	int main(void)                                                         \
	{                                                                      \
		return unit_main(suite, tests,                                 \
				 sizeof(tests) / sizeof((tests)[0]));          \
	}

/* A failed check prints the row's name and goes on. */
void unit_check(int ok, const char *row, const char *what, const char *file,
		unsigned int line);
#define CHECK(row, condition)                                                  \
	unit_check(!!(condition), row, #condition, __FILE__, __LINE__)
void unit_check_int(int64_t got, int64_t want, const char *row,
		    const char *what, const char *file, unsigned int line);
#define CHECK_INT(row, got, want)                                              \
	unit_check_int((int64_t)(got), (int64_t)(want), row, #got, __FILE__,   \
		       __LINE__)
void unit_check_text(const char *got, const char *want, const char *row,
		     const char *what, const char *file, unsigned int line);
#define CHECK_TEXT(row, got, want)                                             \
	unit_check_text(got, want, row, #got, __FILE__, __LINE__)

/* The bytes of 128 hex digits; a wrong row ends the program. */
void unit_hex(const char *text, uint8_t *ret_data);

/*
 * A PortInfo of an up port: width code for active, one mask for supported and
 * enabled; base, ext and ext2 speed codes likewise.  A test changes from there
 * with ibs_field_put.
 */
void unit_port_info(uint8_t *ret_pi, uint8_t width, uint8_t width_mask,
		    uint8_t ext_active, uint8_t ext_mask);

/*
 * A frozen map of two switches and four hosts: switch 0x10 ports 1, 2 to hosts
 * 0x20, 0x30; switch 0x11 ports 1, 2 to hosts 0x40, 0x50; ports 3 and 4 join
 * the switches; all 4xHDR; port 5 of both is down.  Before it is frozen, edit
 * may change anything; NULL is fine.
 */
struct ibs_map *unit_map(void (*edit)(struct ibs_map *map));

#endif
