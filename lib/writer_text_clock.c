// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* The clock of a sweep, for people. */
#include <config.h>

#include "writer_text.h"

#include <inttypes.h>

#define NS_PER_S 1000000000

void
ibs_text_age(FILE *out, int64_t age_s)
{
	static const struct {
		const char *name;
		int64_t seconds;
	} units[] = { { "days", 86400 }, { "h", 3600 }, { "min", 60 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (age_s >= 2 * units[i].seconds) {
			fprintf(out, ", %" PRId64 " %s old",
				age_s / units[i].seconds, units[i].name);
			return;
		}
	}
	fprintf(out, ", %" PRId64 " s old", age_s);
}

static void
write_rate(FILE *out, const struct ibs_ppm *rate)
{
	double seconds = (double)rate->baseline_ns / NS_PER_S;

	if (rate->baseline_ns == 0) {
		fputs(", rate not measured", out);
	} else if (rate->baseline_ns < IBS_RATE_MEASURED_NS) {
		fprintf(out, ", rate nominal, %+.2f to %+.2f ppm", rate->lo,
			rate->hi);
	} else {
		fprintf(out, " %+.2f ppm (%+.2f to %+.2f, over %.1f s)",
			rate->mid, rate->lo, rate->hi, seconds);
	}
}

static void
write_counter(FILE *out, const struct ibs_clock *clock, int64_t now_ns)
{
	char text[IBS_TIME_TEXT_SIZE];

	fputs(" of ", out);
	ibs_text_foreign(out, clock->device);
	fprintf(out, " port %u", clock->port_num);
	if (clock->khz) {
		fprintf(out, ", %" PRIu64 " kHz", clock->khz);
	}
	write_rate(out, &clock->rate);
	ibs_time_text(clock->epoch_ns, 0, text);
	fprintf(out, ", epoch of %s", text[0] ? text : "-");
	if (now_ns && now_ns >= clock->epoch_ns) {
		ibs_text_age(out, (now_ns - clock->epoch_ns) / NS_PER_S);
	}
}

void
ibs_text_clock(FILE *out, const struct ibs_clock *clock, int64_t now_ns)
{
	enum ibs_clock_source source = (enum ibs_clock_source)clock->source;

	ibs_text_head(out, "Clock");
	fputs(source == IBS_CLOCK_NONE ? "-" : ibs_clock_source_name(source),
	      out);
	if (source == IBS_CLOCK_HCA) {
		write_counter(out, clock, now_ns);
	}
	if (clock->reason[0]) {
		fputs(source == IBS_CLOCK_HCA ? ", not convertible: " : ": ",
		      out);
		ibs_text_foreign(out, clock->reason);
	}
	fputc('\n', out);
}
