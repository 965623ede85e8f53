// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The words of a program: one line of the file at a time. */
#include <config.h>

#include "program.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX   5
#define PPB_PER_PPM 1000
#define LINK_LOCAL  0xfe80000000000000u
#define MLX5_MASK   0x7fffffffffffffffu

/* The line that is being read. */
struct line {
	struct program *program;
	const char *path;
	unsigned int num;
	char *words[WORDS_MAX];
	int n_words;
};

static _Noreturn void
wrong(const struct line *line, const char *why)
{
	(void)fprintf(stderr, "fake libibverbs: %s:%u: %s\n", line->path,
		      line->num, why);
	abort();
}

static struct device *
last_device(const struct line *line)
{
	if (line->program->n_devices == 0) {
		wrong(line, "before any device");
	}
	return &line->program->devices[line->program->n_devices - 1];
}

static struct port *
last_port(const struct line *line)
{
	struct device *device = last_device(line);

	if (device->n_ports == 0) {
		wrong(line, "before any port");
	}
	return &device->ports[device->n_ports - 1];
}

static uint64_t
number_of(const struct line *line, const char *text)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (end == text || *end || errno || *text == '-') {
		wrong(line, "not a number");
	}
	return value;
}

static uint64_t
number(const struct line *line, int i)
{
	return number_of(line, line->words[i]);
}

static int64_t
signed_number(const struct line *line, int i)
{
	const char *text = line->words[i];

	return *text == '-' ? -(int64_t)number_of(line, text + 1)
			    : (int64_t)number(line, i);
}

static int64_t
ppb(const struct line *line, int i)
{
	char *end;
	double value = strtod(line->words[i], &end);

	if (end == line->words[i] || *end) {
		wrong(line, "not a number of ppm");
	}
	return (int64_t)(value * PPB_PER_PPM);
}

static uint64_t
moment(const struct line *line, int i)
{
	const char *text = line->words[i];

	return *text == '+'
		       ? clock_now_ns(line->program) + number_of(line, text + 1)
		       : number(line, i);
}

static enum call
call(const struct line *line)
{
	static const char *const names[] = {
#define X(name) #name,
		CALLS(X)
#undef X
	};

	for (int i = 0; i < CALL_COUNT; i++) {
		if (strcmp(names[i], line->words[1]) == 0) {
			return (enum call)i;
		}
	}
	wrong(line, "no such call");
}

static void
take_path(const struct line *line, int i, char *path, size_t size)
{
	if ((size_t)snprintf(path, size, "%s", line->words[i]) >= size) {
		wrong(line, "the path is too long");
	}
}

/* --- what the words do --------------------------------------------------- */

static void
set_time(const struct line *line)
{
	if (strcmp(line->words[1], "file") != 0 || line->program->n_devices) {
		wrong(line, "expected time file PATH before any device");
	}
	take_path(line, 2, line->program->time_path,
		  sizeof(line->program->time_path));
}

static void
set_log(const struct line *line)
{
	take_path(line, 1, line->program->log_path,
		  sizeof(line->program->log_path));
}

static void
add_device(const struct line *line)
{
	struct program *program = line->program;
	struct device *device = &program->devices[program->n_devices];

	if (program->n_devices == DEVICES_MAX) {
		wrong(line, "too many devices");
	}
	if (program_find(program, line->words[1])) {
		wrong(line, "there is such a device already");
	}
	*device = (struct device){
		.guid = number(line, 2),
		.khz = 1000000,
		.mask = MLX5_MASK,
		.bits = 63,
		.latch_percent = 50,
		.comp_mask = IBV_VALUES_MASK_RAW_CLOCK,
		.still_ns = NEVER,
		.reset_ns = NEVER,
		.jump_ns = NEVER,
		.drift_ns = NEVER,
		.dies_ns = NEVER,
		.back_ns = NEVER,
		.random = number(line, 2) + 1,
	};
	take_path(line, 1, device->name, sizeof(device->name));
	program->n_devices++;
}

/* An Active 4xHDR port until told otherwise. */
static void
add_port(const struct line *line)
{
	struct device *device = last_device(line);

	if (device->n_ports == PORTS_MAX) {
		wrong(line, "too many ports");
	}
	device->ports[device->n_ports++] = (struct port){
		.guid = number(line, 1),
		.prefix = line->n_words > 2 ? number(line, 2) : LINK_LOCAL,
		.attr = { .state = IBV_PORT_ACTIVE,
			  .phys_state = 5,
			  .max_mtu = IBV_MTU_4096,
			  .active_mtu = IBV_MTU_4096,
			  .gid_tbl_len = 8,
			  .pkey_tbl_len = 128,
			  .max_msg_sz = 1u << 30,
			  .active_width = 2,
			  .active_speed = 64,
			  .link_layer = IBV_LINK_LAYER_INFINIBAND },
	};
}

static void
set_missing(const struct line *line)
{
	enum call which = call(line);

	if (which != CALL_rt_values && which != CALL_query_device_ex &&
	    which != CALL_query_port) {
		wrong(line, "a provider always has that call");
	}
	last_device(line)->missing[which] = true;
}

static void
set_fail(const struct line *line)
{
	enum call which = call(line);
	struct fault *fault = which == CALL_list
				      ? &line->program->list
				      : &last_device(line)->faults[which];

	*fault = (struct fault){
		.err = (int)number(line, 2),
		.from = line->n_words > 3 ? number(line, 3) : 1,
		.times = line->n_words > 4 ? number(line, 4) : UINT64_MAX,
	};
}

static void
set_port_speed(const struct line *line)
{
	last_port(line)->speed_100mbps = number(line, 1);
}

/* --- the words ----------------------------------------------------------- */

/* The words behind a keyword that are numbers of the device, 8 bytes each. */
struct value {
	enum { UNSIGNED, SIGNED, PPM, MOMENT } kind;
	size_t offset;
};
struct key {
	const char *word;
	int min, max; /* words behind it */
	void (*set)(const struct line *line);
	struct value values[2]; /* no set */
};

#define V(kind, member)                                                        \
	{                                                                      \
		kind, offsetof(struct device, member)                          \
	}
/* clang-format off */
static const struct key keys[] = {
	{ "time", 2, 2, set_time, { { 0 } } },
	{ "log", 1, 1, set_log, { { 0 } } },
	{ "device", 2, 2, add_device, { { 0 } } },
	{ "port", 1, 2, add_port, { { 0 } } },
	{ "port_speed", 1, 1, set_port_speed, { { 0 } } },
	{ "missing", 1, 1, set_missing, { { 0 } } },
	{ "fail", 2, 4, set_fail, { { 0 } } },
	{ "khz", 1, 1, NULL, { V(UNSIGNED, khz) } },
	{ "true_khz", 1, 1, NULL, { V(UNSIGNED, true_khz) } },
	{ "mask", 1, 1, NULL, { V(UNSIGNED, mask) } },
	{ "bits", 1, 1, NULL, { V(UNSIGNED, bits) } },
	{ "start", 1, 1, NULL, { V(UNSIGNED, start) } },
	{ "ppm", 1, 1, NULL, { V(PPM, rate_ppb) } },
	{ "wander", 2, 2, NULL, { V(PPM, wander_ppb), V(UNSIGNED, wander_ns) } },
	{ "latency", 1, 1, NULL, { V(UNSIGNED, latency_ns) } },
	{ "latch", 1, 1, NULL, { V(UNSIGNED, latch_percent) } },
	{ "jitter", 1, 1, NULL, { V(UNSIGNED, jitter_ns) } },
	{ "spike", 2, 2, NULL, { V(UNSIGNED, spike_every), V(UNSIGNED, spike_ns) } },
	{ "still", 1, 1, NULL, { V(MOMENT, still_ns) } },
	{ "reset", 2, 2, NULL, { V(MOMENT, reset_ns), V(UNSIGNED, reset_value) } },
	{ "jump", 2, 2, NULL, { V(MOMENT, jump_ns), V(SIGNED, jump_cycles) } },
	{ "drift", 2, 2, NULL, { V(MOMENT, drift_ns), V(PPM, drift_ppb) } },
	{ "dies", 1, 2, NULL, { V(MOMENT, dies_ns), V(MOMENT, back_ns) } },
	{ "tv_sec", 1, 1, NULL, { V(UNSIGNED, tv_sec) } },
	{ "comp_mask", 1, 1, NULL, { V(UNSIGNED, comp_mask) } },
};
/* clang-format on */

static uint64_t
value_of(const struct line *line, const struct value *value, int i)
{
	switch (value->kind) {
	case UNSIGNED:
		break;
	case SIGNED:
		return (uint64_t)signed_number(line, i);
	case PPM:
		return (uint64_t)ppb(line, i);
	case MOMENT:
		return moment(line, i);
	}
	return number(line, i);
}

static void
set_values(const struct line *line, const struct key *key)
{
	char *device = (char *)last_device(line);

	for (int i = 1; i < line->n_words; i++) {
		const struct value *value = &key->values[i - 1];
		uint64_t number_of_it = value_of(line, value, i);

		memcpy(device + value->offset, &number_of_it,
		       sizeof(number_of_it));
	}
}

/* The words that are members of the port's attributes. */
struct member {
	size_t offset, size;
	const char *word;
};

#define M(name)                                                                \
	offsetof(struct ibv_port_attr, name),                                  \
		sizeof(((struct ibv_port_attr *)NULL)->name), #name
static const struct member members[] = {
	{ M(state) },	       { M(max_mtu) },
	{ M(active_mtu) },     { M(gid_tbl_len) },
	{ M(port_cap_flags) }, { M(max_msg_sz) },
	{ M(bad_pkey_cntr) },  { M(qkey_viol_cntr) },
	{ M(pkey_tbl_len) },   { M(lid) },
	{ M(sm_lid) },	       { M(lmc) },
	{ M(max_vl_num) },     { M(sm_sl) },
	{ M(subnet_timeout) }, { M(init_type_reply) },
	{ M(active_width) },   { M(active_speed) },
	{ M(phys_state) },     { M(link_layer) },
	{ M(flags) },	       { M(port_cap_flags2) },
};

static void
set_member(void *at, size_t size, uint64_t value)
{
	uint8_t as8 = (uint8_t)value;
	uint16_t as16 = (uint16_t)value;
	uint32_t as32 = (uint32_t)value;

	switch (size) {
	case sizeof(as8):
		memcpy(at, &as8, sizeof(as8));
		break;
	case sizeof(as16):
		memcpy(at, &as16, sizeof(as16));
		break;
	default:
		memcpy(at, &as32, sizeof(as32));
		break;
	}
}

static bool
set_attr(const struct line *line)
{
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const struct member *member = &members[i];

		if (line->n_words == 2 &&
		    strcmp(member->word, line->words[0]) == 0) {
			char *attr = (char *)&last_port(line)->attr;

			set_member(attr + member->offset, member->size,
				   number(line, 1));
			return true;
		}
	}
	return false;
}

static const struct key *
key_of(const struct line *line)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcmp(keys[i].word, line->words[0]) == 0) {
			return &keys[i];
		}
	}
	return NULL;
}

static void
obey(const struct line *line)
{
	const struct key *key = key_of(line);
	int n = line->n_words - 1;

	if (!key && set_attr(line)) {
		return;
	}
	if (!key) {
		wrong(line, "no such line");
	}
	if (n < key->min || n > key->max) {
		wrong(line, "too few words or too many");
	}
	if (key->set) {
		key->set(line);
	} else {
		set_values(line, key);
	}
}

/* --- the line ------------------------------------------------------------ */

static void
split(struct line *line, char *text)
{
	char *rest = NULL;

	text[strcspn(text, "#\n")] = '\0';
	line->n_words = 0;
	for (char *word = strtok_r(text, " \t", &rest); word;
	     word = strtok_r(NULL, " \t", &rest)) {
		if (line->n_words == WORDS_MAX) {
			wrong(line, "too few words or too many");
		}
		line->words[line->n_words++] = word;
	}
}

void
program_line(struct program *program, const char *path, unsigned int num,
	     char *text)
{
	struct line line = { .program = program, .path = path, .num = num };

	split(&line, text);
	if (line.n_words) {
		obey(&line);
	}
}
