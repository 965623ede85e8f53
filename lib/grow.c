// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "grow.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROWS 64u

int
ibs_grow(void **rows, size_t row_size, uint32_t used, uint32_t *size)
{
	uint32_t more = *size ? *size : FIRST_ROWS / 2;
	void *moved;

	if (used < *size) {
		return 0;
	}
	if (more > UINT32_MAX / 2) {
		return -ENOMEM;
	}
	more *= 2;
	moved = reallocarray(*rows, more, row_size);
	if (!moved) {
		return -ENOMEM;
	}
	*rows = moved;
	*size = more;
	return 0;
}
