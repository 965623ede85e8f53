// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The clock of a sweep and the times of its readings as JSON. */
#include <config.h>

#include "writer_json.h"

#include <inttypes.h>

#define NS_PER_US 1000
#define NS_PER_S  1e9

/* A string, as a GUID is: it may need all of 64 bits. */
static json_t *
ticks_text(uint64_t ticks)
{
	char text[IBS_NUMBER_SIZE];

	snprintf(text, sizeof(text), "%" PRIu64, ticks);
	return json_string(text);
}

static json_t *
ns_number(uint64_t ns)
{
	return json_integer((json_int_t)ns);
}

static json_t *
wall_object(const struct ibs_wall *wall)
{
	bool synchronized = wall->max_error_ns >= 0;
	json_t *json = json_object();

	ibs_json_put(&json, "real_ns", json_integer(wall->real_ns));
	ibs_json_put(&json, "mono_ns", ns_number(wall->mono_ns));
	ibs_json_put(&json, "half_ns", ns_number(wall->half_ns));
	ibs_json_put(&json, "realtime_sync",
		     json_string(synchronized ? "kernel-synchronized"
					      : "unsynchronized"));
	ibs_json_put(&json, "max_error_us",
		     ibs_json_number(synchronized
					     ? wall->max_error_ns / NS_PER_US
					     : -1));
	ibs_json_put(&json, "tai_offset_s",
		     wall->tai_s ? json_integer(wall->tai_s) : json_null());
	return json;
}

static json_t *
anchor_object(const struct ibs_anchor *anchor, const struct ibs_wall *wall)
{
	json_t *json = json_object();

	ibs_json_put(&json, "ticks",
		     anchor->raw ? ticks_text(anchor->raw) : json_null());
	ibs_json_put(&json, "before_ns",
		     anchor->raw ? ns_number(anchor->before_ns) : json_null());
	ibs_json_put(&json, "after_ns",
		     anchor->raw ? ns_number(anchor->after_ns) : json_null());
	ibs_json_put(&json, "wall",
		     wall->mono_ns ? wall_object(wall) : json_null());
	return json;
}

static json_t *
rate_object(const struct ibs_ppm *rate)
{
	bool measured = rate->baseline_ns >= IBS_RATE_MEASURED_NS;
	json_t *json = json_object();

	if (rate->baseline_ns == 0) {
		json_decref(json);
		return json_null();
	}
	ibs_json_put(&json, "state",
		     json_string(measured ? "measured" : "nominal-unverified"));
	ibs_json_put(&json, "ppm_lo", json_real(rate->lo));
	ibs_json_put(&json, "ppm_mid", json_real(rate->mid));
	ibs_json_put(&json, "ppm_hi", json_real(rate->hi));
	ibs_json_put(&json, "baseline_s",
		     json_real((double)rate->baseline_ns / NS_PER_S));
	return json;
}

/* What only the HCA's counter has; null without. */
static void
put_counter(json_t **json, const struct ibs_clock *clock)
{
	bool hca = clock->source == IBS_CLOCK_HCA;
	char mask[IBS_NUMBER_SIZE];

	snprintf(mask, sizeof(mask), "0x%" PRIx64, clock->mask);
	ibs_json_put(json, "convertible",
		     hca ? json_boolean(clock->convertible) : json_null());
	ibs_json_put(json, "device", ibs_json_text(clock->device));
	ibs_json_put(json, "port",
		     ibs_json_number(clock->port_num ? clock->port_num : -1));
	ibs_json_put(json, "port_guid",
		     clock->port_guid ? ibs_json_guid(clock->port_guid)
				      : json_null());
	ibs_json_put(json, "node_guid",
		     clock->node_guid ? ibs_json_guid(clock->node_guid)
				      : json_null());
	ibs_json_put(json, "khz",
		     hca && clock->khz ? json_integer((json_int_t)clock->khz)
				       : json_null());
	ibs_json_put(json, "mask",
		     hca && clock->mask ? json_string(mask) : json_null());
	ibs_json_put(json, "epoch",
		     hca ? ibs_json_time(clock->epoch_ns) : json_null());
	ibs_json_put(json, "rate",
		     hca ? rate_object(&clock->rate) : json_null());
}

json_t *
ibs_json_clock(const struct ibs_map *map)
{
	const struct ibs_clock *clock = &map->sweep.clock;
	json_t *json = json_object();

	ibs_json_put(&json, "source",
		     ibs_json_text(ibs_clock_source_name(
			     (enum ibs_clock_source)clock->source)));
	ibs_json_put(&json, "reason", ibs_json_text(clock->reason));
	put_counter(&json, clock);
	ibs_json_put(&json, "boot_id", ibs_json_text(clock->boot_id));
	ibs_json_put(&json, "failures", json_integer(clock->n_failures));
	ibs_json_put(&json, "start",
		     anchor_object(&clock->start, &clock->wall_start));
	ibs_json_put(&json, "end",
		     anchor_object(&clock->end, &clock->wall_end));
	return json;
}

json_t *
ibs_json_reading(const struct ibs_map *map, uint32_t port)
{
	const struct ibs_stamp *stamp = &map->ports[port].stamp;
	bool counted = stamp->tx.raw && stamp->rx.raw;
	struct ibs_moment moment;
	json_t *json;

	if (!ibs_clock_when(&map->sweep.clock, stamp, &moment)) {
		return json_null();
	}
	json = json_object();
	ibs_json_put(&json, "time", ibs_json_time(moment.real_ns));
	ibs_json_put(&json, "time_half_ns",
		     moment.real_ns ? ns_number(moment.real_half_ns)
				    : json_null());
	ibs_json_put(&json, "mono_ns", ns_number(moment.mono_ns));
	ibs_json_put(&json, "half_ns", ns_number(moment.half_ns));
	ibs_json_put(&json, "tx_ticks",
		     counted ? ticks_text(stamp->tx.raw) : json_null());
	ibs_json_put(&json, "rx_ticks",
		     counted ? ticks_text(stamp->rx.raw) : json_null());
	return json;
}
