// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * Any bytes as the two ends of a link, decoded and judged; then as hex text.
 * Whatever they are, what comes out keeps its promises.
 *
 * input   an end: 1 byte of flags, 64 PortInfo, 64 PortInfo of port 0, 64
 *         MLNX ExtendedPortInfo; two ends; 1 byte of facts, 2 x 2 bytes of
 *         OpenSM's pairs; the rest is text.  What is missing is 0.
 */
#include <config.h>

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "ibspeed/attr.h"
#include "ibspeed/link.h"
#include "ibspeed/port.h"

#define END_GATED	      1u /* by port 0 */
#define END_EPI		      2u /* the MLNX ExtendedPortInfo answered */
#define END_EPI_ABSENT	      4u
#define END_ASKED_EXT	      8u
#define END_UNGATED	      16u
#define END_UNREAD	      32u
#define FACTS_SM_A	      1u
#define FACTS_SM_B	      2u
#define FACTS_SM_FORCES_WIDTH 4u
#define FACTS_SM_FORCES_SPEED 8u

struct input {
	const uint8_t *data;
	size_t size;
};

static void
take(struct input *in, void *ret_bytes, size_t n)
{
	size_t have = n < in->size ? n : in->size;

	memset(ret_bytes, 0, n);
	if (have) {
		memcpy(ret_bytes, in->data, have);
		in->data += have;
		in->size -= have;
	}
}

static void
check_sets(const struct ibs_port *port)
{
	const ibs_set speeds = (1u << IBS_SPEED_COUNT) - (1u << IBS_SPEED_SDR);
	const ibs_set widths = (1u << IBS_WIDTH_COUNT) - (1u << IBS_WIDTH_1X);

	FUZZ_CHECK(!(port->speed_supported & ~speeds));
	FUZZ_CHECK(!(port->width_supported & ~widths));
	FUZZ_CHECK(!(port->speed_enabled & ~port->speed_supported));
	FUZZ_CHECK(!(port->width_enabled & ~port->width_supported));
	FUZZ_CHECK(port->up ||
		   (!port->speed_supported && !port->width_supported));
}

static void
check_speed(const struct ibs_port *port)
{
	enum ibs_speed speed = (enum ibs_speed)port->speed;
	enum ibs_width width = (enum ibs_width)port->width;
	const struct ibs_speed_row *row = ibs_speed_row(speed);

	FUZZ_CHECK(speed < IBS_SPEED_COUNT && width < IBS_WIDTH_COUNT);
	FUZZ_CHECK(port->active_speed == (row ? row->ib_speed : 0));
	if (port->up) {
		FUZZ_CHECK(speed != IBS_SPEED_NONE && width != IBS_WIDTH_NONE);
		FUZZ_CHECK(port->eff_100mbps == ibs_eff_100mbps(speed, width));
	} else {
		FUZZ_CHECK(!row && !ibs_width_row(width));
		FUZZ_CHECK(port->eff_100mbps ==
			   (port->state == IBS_PORT_DOWN ? 0 : -1));
	}
}

static void
check_port(const struct ibs_port_source *source, const struct ibs_port *port)
{
	bool state_up =
		port->state >= IBS_PORT_INIT && port->state <= IBS_PORT_ACTIVE;

	check_sets(port);
	check_speed(port);
	FUZZ_CHECK(port->up == state_up);
	FUZZ_CHECK(port->cap_port0 == (source->cap != NULL));
	FUZZ_CHECK(!port->needs_reread || (port->up && !source->asked_ext));
	FUZZ_CHECK(port->fdr10_known || port->speed == IBS_SPEED_QDR);
	FUZZ_CHECK(port->speed != IBS_SPEED_FDR10 ||
		   source->epi.read == IBS_EPI_ANSWERED);
	FUZZ_CHECK(ibs_epi_wanted(port) == (port->speed == IBS_SPEED_QDR));
}

/* The blocks end where the attributes end, for the address sanitizer. */
static void
take_end(struct input *in, struct ibs_port *ret_port)
{
	uint8_t *pi = malloc(IBS_ATTR_SIZE), *cap = malloc(IBS_ATTR_SIZE),
		*epi = malloc(IBS_ATTR_SIZE);
	struct ibs_port_source source = { .pi = pi };
	uint8_t flags;

	FUZZ_CHECK(pi && cap && epi);
	take(in, &flags, 1);
	take(in, pi, IBS_ATTR_SIZE);
	take(in, cap, IBS_ATTR_SIZE);
	take(in, epi, IBS_ATTR_SIZE);
	source.cap = flags & END_GATED ? cap : NULL;
	source.asked_ext = flags & END_ASKED_EXT;
	source.ungated = flags & END_UNGATED;
	if (flags & END_EPI) {
		source.epi = ibs_epi_from_attr(epi);
	} else if (flags & END_EPI_ABSENT) {
		source.epi.read = IBS_EPI_ABSENT;
	}
	ibs_port_decode(&source, ret_port);
	check_port(&source, ret_port);
	if (flags & END_UNREAD) {
		ibs_port_unread(ret_port);
	}
	free(pi);
	free(cap);
	free(epi);
}

static struct ibs_pair
take_pair(struct input *in)
{
	uint8_t codes[2];

	take(in, codes, sizeof(codes));
	return (struct ibs_pair){ .speed = codes[0] % IBS_SPEED_COUNT,
				  .width = codes[1] % IBS_WIDTH_COUNT };
}

static bool
has(const struct ibs_link *link, enum ibs_finding finding)
{
	return link->findings & IBS_BIT(finding);
}

static void
check_link(const struct ibs_port *a, const struct ibs_port *b,
	   const struct ibs_link *link)
{
	FUZZ_CHECK(link->findings < 1u << IBS_FINDING_COUNT);
	FUZZ_CHECK(link->expected.speed <= link->capability.speed);
	FUZZ_CHECK(link->expected.width <= link->capability.width);
	FUZZ_CHECK(link->expected.speed != IBS_SPEED_UNKNOWN);
	FUZZ_CHECK(link->eff_100mbps >= -1);
	FUZZ_CHECK(link->eff_100mbps <= a->eff_100mbps ||
		   link->eff_100mbps <= b->eff_100mbps);
	FUZZ_CHECK(ibs_link_lost_100mbps(link) >= 0);
	FUZZ_CHECK(
		!has(link, IBS_FINDING_DEGRADED_WIDTH) ||
		(a->up && b->up && link->active.width < link->expected.width));
	FUZZ_CHECK(
		!has(link, IBS_FINDING_DEGRADED_SPEED) ||
		(a->up && b->up && link->active.speed < link->expected.speed));
	FUZZ_CHECK(has(link, IBS_FINDING_UNKNOWN) == (link->eff_100mbps == -1));
	FUZZ_CHECK(!has(link, IBS_FINDING_MISMATCH) || a->up || b->up);
	FUZZ_CHECK((a->up && b->up) ||
		   !(link->findings & (IBS_BIT(IBS_FINDING_LIMITED_BY_CONFIG) |
				       IBS_BIT(IBS_FINDING_LIMITED_BY_PEER) |
				       IBS_BIT(IBS_FINDING_NOT_ENABLED))));
}

static bool
same_link(const struct ibs_link *a, const struct ibs_link *b)
{
	return a->active.speed == b->active.speed &&
	       a->active.width == b->active.width &&
	       a->expected.speed == b->expected.speed &&
	       a->expected.width == b->expected.width &&
	       a->capability.speed == b->capability.speed &&
	       a->capability.width == b->capability.width &&
	       a->findings == b->findings && a->eff_100mbps == b->eff_100mbps;
}

/* A port and its twin agree and have the same sets. */
static void
check_twins(const struct ibs_port *port)
{
	struct ibs_link link;

	ibs_link_judge(port, port, NULL, &link);
	check_link(port, port, &link);
	FUZZ_CHECK(!has(&link, IBS_FINDING_MISMATCH));
	FUZZ_CHECK(!has(&link, IBS_FINDING_LIMITED_BY_PEER));
	FUZZ_CHECK(!has(&link, IBS_FINDING_LIMITED_BY_CONFIG));
	FUZZ_CHECK(link.active.speed == port->speed);
	FUZZ_CHECK(link.active.width == port->width);
	FUZZ_CHECK(link.eff_100mbps == port->eff_100mbps);
}

static void
check_hex(const struct input *in)
{
	char *text = malloc(in->size + 1);
	char again[2 * IBS_ATTR_SIZE + 1];
	uint8_t data[IBS_ATTR_SIZE] = { 0x5a };
	uint8_t twice[IBS_ATTR_SIZE];
	size_t at = SIZE_MAX;
	int err;

	FUZZ_CHECK(text);
	if (in->size) {
		memcpy(text, in->data, in->size);
	}
	text[in->size] = '\0';
	err = ibs_attr_from_hex(text, data, &at);
	FUZZ_CHECK(err == 0 || err == -EINVAL || err == -EMSGSIZE);
	FUZZ_CHECK(!err || (data[0] == 0x5a && at <= in->size));
	for (size_t i = 0; i < IBS_ATTR_SIZE; i++) {
		snprintf(again + 2 * i, 3, "%02x", (unsigned int)data[i]);
	}
	FUZZ_CHECK(ibs_attr_from_hex(again, twice, &at) == 0);
	FUZZ_CHECK(memcmp(data, twice, sizeof(data)) == 0);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { .data = data, .size = size };
	struct ibs_port ends[2];
	struct ibs_link_facts facts = { 0 }, turned;
	struct ibs_link link, back;
	uint8_t flags;

	take_end(&in, &ends[0]);
	take_end(&in, &ends[1]);
	take(&in, &flags, 1);
	facts.has_sm[0] = flags & FACTS_SM_A;
	facts.has_sm[1] = flags & FACTS_SM_B;
	facts.sm_forces_width = flags & FACTS_SM_FORCES_WIDTH;
	facts.sm_forces_speed = flags & FACTS_SM_FORCES_SPEED;
	facts.sm[0] = take_pair(&in);
	facts.sm[1] = take_pair(&in);
	turned = (struct ibs_link_facts){
		.has_sm = { facts.has_sm[1], facts.has_sm[0] },
		.sm = { facts.sm[1], facts.sm[0] },
		.sm_forces_width = facts.sm_forces_width,
		.sm_forces_speed = facts.sm_forces_speed,
	};
	ibs_link_judge(&ends[0], &ends[1], &facts, &link);
	check_link(&ends[0], &ends[1], &link);
	ibs_link_judge(&ends[1], &ends[0], &turned, &back);
	FUZZ_CHECK(same_link(&link, &back));
	check_twins(&ends[0]);
	check_hex(&in);
	return 0;
}
