// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#include <config.h>

#include "stamps.h"

#include <errno.h>

#define PART_BITS 7
#define PART	  0x7fu
#define MORE	  0x80u

static size_t
put(uint8_t *data, uint64_t value)
{
	size_t used = 0;

	for (; value > PART; value >>= PART_BITS) {
		data[used++] = (uint8_t)(value | MORE);
	}
	data[used++] = (uint8_t)value;
	return used;
}

struct input {
	const uint8_t *data;
	size_t left;
	bool bad;
};

static uint64_t
get(struct input *in)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; shift < 64 && in->left; shift += 7) {
		uint8_t byte = *in->data++;

		in->left--;
		value |= (uint64_t)(byte & PART) << shift;
		if (!(byte & MORE)) {
			return value;
		}
	}
	in->bad = true;
	return 0;
}

/* An index beyond the last one and whether there are counts, in one number. */
static size_t
pack_one(const struct ibs_map *map, uint32_t skipped, uint32_t port,
	 uint8_t *data)
{
	const struct ibs_stamp *stamp = &map->ports[port].stamp;
	const struct ibs_sweep_info *sweep = &map->sweep;
	bool counted = stamp->tx.raw && stamp->rx.raw;
	size_t used = put(data, (uint64_t)skipped << 1 | counted);

	used += put(data + used, stamp->tx.mono_ns - sweep->start_mono_ns);
	used += put(data + used, stamp->rx.mono_ns - stamp->tx.mono_ns);
	if (counted) {
		used += put(data + used,
			    stamp->tx.raw - sweep->clock.start.raw);
		used += put(data + used, stamp->rx.raw - stamp->tx.raw);
	}
	return used;
}

size_t
ibs_stamps_pack(const struct ibs_map *map, const bool *chosen, bool wanted,
		uint8_t *ret_data)
{
	uint32_t next = 0; /* index behind the last one */
	size_t used = 0;

	for (uint32_t i = 0; i < map->n_ports; i++) {
		if (chosen[i] == wanted && map->ports[i].stamp.tx.mono_ns) {
			used += pack_one(map, i - next, i, ret_data + used);
			next = i + 1;
		}
	}
	return used;
}

static void
unpack_one(const struct ibs_sweep_info *sweep, bool counted, struct input *in,
	   struct ibs_stamp *ret_stamp)
{
	ret_stamp->tx.mono_ns = sweep->start_mono_ns + get(in);
	ret_stamp->rx.mono_ns = ret_stamp->tx.mono_ns + get(in);
	if (counted) {
		ret_stamp->tx.raw = sweep->clock.start.raw + get(in);
		ret_stamp->rx.raw = ret_stamp->tx.raw + get(in);
	}
}

/* ns that can be computed with, and no answer before its question. */
static bool
can_be(const struct ibs_stamp *stamp)
{
	return stamp->tx.mono_ns <= stamp->rx.mono_ns &&
	       stamp->rx.mono_ns <= INT64_MAX;
}

int
ibs_stamps_unpack(struct ibs_map *map, const uint8_t *data, size_t size)
{
	struct input in = { .data = data, .left = size };
	uint64_t next = 0;

	while (in.left && !in.bad) {
		uint64_t head = get(&in);

		if (head >> 1 >= map->n_ports - next) {
			return -EPROTO;
		}
		next += head >> 1;
		unpack_one(&map->sweep, head & 1, &in, &map->ports[next].stamp);
		in.bad = in.bad || !can_be(&map->ports[next].stamp);
		next++;
	}
	return in.bad ? -EPROTO : 0;
}
