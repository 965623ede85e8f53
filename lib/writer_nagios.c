// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* One line for Nagios and its kin: what a plugin of theirs prints. */
#include <config.h>

#include <inttypes.h>

#include "writer_audit.h"

static const char *
state_of(const struct ibs_audit *audit)
{
	if (ibs_audit_found(audit)) {
		return "CRITICAL";
	}
	return audit->complete && !audit->n_unknown ? "OK" : "WARNING";
}

int
ibs_audit_nagios(FILE *out, const struct ibs_audit *audit)
{
	const struct ibs_capacity *total = &audit->total;
	const struct ibs_summary *sum = &audit->report.summary;
	char lost[IBS_NUMBER_SIZE], all[IBS_NUMBER_SIZE];

	ibs_decimal_text(
		(int64_t)(total->expected_100mbps - total->eff_100mbps), 1,
		lost);
	ibs_decimal_text((int64_t)total->expected_100mbps, 1, all);
	fprintf(out, "IBSPEED %s - %u %s, %u %s on %u %s, %s of %s Gb/s lost",
		state_of(audit), audit->n_found,
		ibs_plural(audit->n_found, "finding", "findings"),
		audit->n_noted, ibs_plural(audit->n_noted, "note", "notes"),
		total->n_links, ibs_plural(total->n_links, "link", "links"),
		lost, all);
	if (!audit->complete) {
		fprintf(out, ", %u %s did not answer",
			sum->n_unread + sum->n_behind,
			ibs_plural(sum->n_unread + sum->n_behind, "port",
				   "ports"));
	}
	fprintf(out,
		" | findings=%u;;0;0 notes=%u unknown=%u waived=%u links=%u"
		" unread=%u lost_gbps=%s;;;0;%s",
		audit->n_found, audit->n_noted, audit->n_unknown,
		audit->n_waived, total->n_links, sum->n_unread + sum->n_behind,
		lost, all);
	for (int i = 0; i < IBS_FINDING_COUNT; i++) {
		if (audit->n_findings[i]) {
			fprintf(out, " %s=%u",
				ibs_finding_row((enum ibs_finding)i)->name,
				audit->n_findings[i]);
		}
	}
	fputc('\n', out);
	return ibs_stream_end(out);
}
