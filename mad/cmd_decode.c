// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* ibspeed decode: bytes from the command line through the same decoder and
 * judge as everything else; the tests' oracle. */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "cmd.h"
#include "host.h"
#include "ibspeed/attr.h"
#include "ibspeed/link.h"
#include "ibspeed/writer.h"

/* The attributes of one end, as they were typed. */
struct typed {
	const char *pi, *cap, *ext;
	uint8_t pi_bytes[IBS_ATTR_SIZE];
	uint8_t cap_bytes[IBS_ATTR_SIZE];
	uint8_t ext_bytes[IBS_ATTR_SIZE];
};

static int
parse(const char *what, const char *text, uint8_t *ret_bytes)
{
	size_t at;
	int err = ibs_attr_from_hex(text, ret_bytes, &at);

	if (err == -EINVAL) {
		message("decode: %s: \"%c\" at %zu is not a hex digit", what,
			text[at], at + 1);
	} else if (err) {
		message("decode: %s: %zu hex digits, expected %d (%d bytes)",
			what, at, 2 * IBS_ATTR_SIZE, IBS_ATTR_SIZE);
	}
	return err;
}

/* in  names  what the three texts are called in a message */
static int
decode_end(struct typed *typed, const char *const names[3],
	   struct ibs_decoded *ret_end)
{
	struct ibs_port_source source = { .pi = typed->pi_bytes };

	if (parse(names[0], typed->pi, typed->pi_bytes) ||
	    (*typed->cap && parse(names[1], typed->cap, typed->cap_bytes)) ||
	    (*typed->ext && parse(names[2], typed->ext, typed->ext_bytes))) {
		return -EINVAL;
	}
	if (*typed->cap) {
		source.cap = typed->cap_bytes;
	}
	if (*typed->ext) {
		source.epi = ibs_epi_from_attr(typed->ext_bytes);
	}
	ret_end->pi = typed->pi_bytes;
	ibs_port_decode(&source, &ret_end->port);
	return 0;
}

enum cmd_exit
cmd_decode(const struct ibs_settings *settings, int argc, char *const *argv)
{
	static const char *const names[] = { "PortInfo", "--cap", "--ext" };
	static const char *const peer_names[] = { "--peer", "--peer-cap",
						  "--peer-ext" };
	const struct ibs_writer *writer = ibs_writer_find(settings->format);
	struct typed a = { argv[0], settings->cap, settings->ext,
			   { 0 },   { 0 },	   { 0 } };
	struct typed b = { settings->peer,
			   settings->peer_cap,
			   settings->peer_ext,
			   { 0 },
			   { 0 },
			   { 0 } };
	struct ibs_decoded ends[2];
	struct ibs_link link;

	(void)argc;
	if (!writer || !writer->port || !writer->link) {
		message("decode: no %s format, expected text or json",
			settings->format);
		return CMD_USAGE;
	}
	if (!*b.pi && (*b.cap || *b.ext)) {
		message("decode: --peer-cap and --peer-ext need --peer");
		return CMD_USAGE;
	}
	if (decode_end(&a, names, &ends[0])) {
		return CMD_USAGE;
	}
	if (!*b.pi) {
		return cmd_written(writer->port(stdout, &ends[0]));
	}
	if (decode_end(&b, peer_names, &ends[1])) {
		return CMD_USAGE;
	}
	ibs_link_judge(&ends[0].port, &ends[1].port, NULL, &link);
	return cmd_written(writer->link(stdout, &ends[0], &ends[1], &link));
}
