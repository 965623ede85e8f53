/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the fuzz targets share.  A target is one fuzz_NAME.c with corpus/NAME;
 * linked with replay.c it runs its corpus in make check, with libFuzzer it
 * looks for more.
 */
#ifndef IBSPEED_TESTS_FUZZ_H
#define IBSPEED_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition)                                                  \
	do {                                                                   \
		if (!(condition)) {                                            \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__,     \
				__LINE__, #condition);                         \
			abort();                                               \
		}                                                              \
	} while (0)

#endif
