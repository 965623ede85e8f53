/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* grow: room for one more row of an array that doubles when it is full. */
#ifndef IBSPEED_LIB_GROW_H
#define IBSPEED_LIB_GROW_H

#include <stddef.h>
#include <stdint.h>

/*
 * in      used   rows that are taken
 * out     *rows  moves; *size the rows that there is room for now
 * errors  -ENOMEM
 */
int ibs_grow(void **rows, size_t row_size, uint32_t used, uint32_t *size);

#endif
