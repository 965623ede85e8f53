// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* Layout of the SMP attributes and the only reader of their bits. */
#include <config.h>

#include "ibspeed/attr.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <string.h>

/* A field is read from a word of 64 bits that begins at a byte. */
#define X(name, offset, size)                                                  \
	_Static_assert((size) >= 1 && (offset) % 8 + (size) <= 64 &&           \
			       (offset) + (size) <= 8 * IBS_ATTR_SIZE,         \
		       #name " is inside the attribute");
IBS_PORT_INFO_FIELDS(X)
IBS_NODE_INFO_FIELDS(X)
IBS_SWITCH_INFO_FIELDS(X)
IBS_EXT_PORT_INFO_FIELDS(X)
IBS_PATH_RECORD_FIELDS(X)
#undef X

#define X(name, offset, size) { #name, offset, size },
const struct ibs_field ibs_port_info_fields[IBS_PI_COUNT] = {
	IBS_PORT_INFO_FIELDS(X)
};
const struct ibs_field ibs_node_info_fields[IBS_NI_COUNT] = {
	IBS_NODE_INFO_FIELDS(X)
};
const struct ibs_field ibs_switch_info_fields[IBS_SI_COUNT] = {
	IBS_SWITCH_INFO_FIELDS(X)
};
const struct ibs_field ibs_ext_port_info_fields[IBS_EPI_COUNT] = {
	IBS_EXT_PORT_INFO_FIELDS(X)
};
const struct ibs_field ibs_path_record_fields[IBS_PR_COUNT] = {
	IBS_PATH_RECORD_FIELDS(X)
};
#undef X

const char *
ibs_read_name(enum ibs_read read)
{
	static const char *const names[IBS_READ_COUNT] = {
#define X(id, name) name,
		IBS_READS(X)
#undef X
	};

	return read < IBS_READ_COUNT ? names[read] : "unknown";
}

uint64_t
ibs_field_get(const uint8_t *data, const struct ibs_field *field)
{
	unsigned int byte = IBS_WORD_BYTE(field->offset_bits);
	uint64_t word;

	memcpy(&word, data + byte, sizeof(word));
	word = be64toh(word) << (field->offset_bits - 8 * byte);
	return word >> (64u - field->size_bits);
}

void
ibs_field_put(uint8_t *data, const struct ibs_field *field, uint64_t value)
{
	unsigned int byte = IBS_WORD_BYTE(field->offset_bits);
	unsigned int after =
		64u - (field->offset_bits - 8 * byte) - field->size_bits;
	uint64_t mask = UINT64_MAX >> (64u - field->size_bits) << after;
	uint64_t word;

	memcpy(&word, data + byte, sizeof(word));
	word = (be64toh(word) & ~mask) | (value << after & mask);
	word = htobe64(word);
	memcpy(data + byte, &word, sizeof(word));
}

uint64_t
ibs_ni_get(const uint8_t *data, enum ibs_node_info_field field)
{
	return ibs_field_get(data, &ibs_node_info_fields[field]);
}

uint64_t
ibs_si_get(const uint8_t *data, enum ibs_switch_info_field field)
{
	return ibs_field_get(data, &ibs_switch_info_fields[field]);
}

uint64_t
ibs_epi_get(const uint8_t *data, enum ibs_ext_port_info_field field)
{
	return ibs_field_get(data, &ibs_ext_port_info_fields[field]);
}

uint64_t
ibs_pr_get(const uint8_t *data, enum ibs_path_record_field field)
{
	return ibs_field_get(data, &ibs_path_record_fields[field]);
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	if (c >= 'a' && c <= 'f') {
		return c - 'a' + 10;
	}
	if (c >= 'A' && c <= 'F') {
		return c - 'A' + 10;
	}
	return -1;
}

int
ibs_attr_from_hex(const char *text, uint8_t *ret_data, size_t *ret_at)
{
	uint8_t data[IBS_ATTR_SIZE] = { 0 };
	size_t n = 0, start = 0;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		start = 2;
	}
	for (size_t i = start; text[i]; i++) {
		int digit = hex_digit(text[i]);

		if (text[i] == ':' || isspace((unsigned char)text[i])) {
			continue;
		}
		if (digit < 0) {
			*ret_at = i;
			return -EINVAL;
		}
		if (n < (size_t)2 * IBS_ATTR_SIZE) {
			data[n / 2] |= (uint8_t)(n % 2 ? digit : digit << 4);
		}
		n++;
	}
	if (n != (size_t)2 * IBS_ATTR_SIZE) {
		*ret_at = n;
		return -EMSGSIZE;
	}
	for (size_t i = 0; i < IBS_ATTR_SIZE; i++) {
		ret_data[i] = data[i];
	}
	return 0;
}
