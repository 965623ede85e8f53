// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* One line for Nagios and its kin: what a plugin of theirs prints. */
#include <config.h>

#include <inttypes.h>

#include "writer_audit.h"

#define NS_PER_S INT64_C(1000000000)

static const char *
state_of(const struct ibs_audit *audit)
{
	if (ibs_audit_found(audit)) {
		return "CRITICAL";
	}
	return ibs_audit_sure(audit) ? "OK" : "WARNING";
}

/* The link that lost most, if it is known. */
static int
write_worst(FILE *out, const struct ibs_audit *audit)
{
	const struct ibs_audit_row *row = audit->rows;
	char names[2][IBS_CELL_SIZE], lost[IBS_NUMBER_SIZE];
	struct ibs_labels labels;
	int err;

	if (audit->n_rows == 0 || row->waiver != IBS_NO_INDEX ||
	    row->lost_100mbps <= 0) {
		return 0;
	}
	err = ibs_labels_init(&labels, audit->request.map);
	if (err) {
		return err;
	}
	ibs_decimal_text(row->lost_100mbps, 1, lost);
	for (int i = 0; i < 2; i++) {
		ibs_audit_end_label(&labels, audit, &row->ends[i], names[i]);
	}
	ibs_labels_free(&labels);
	fprintf(out, ", most by %s/%d - %s: %s", names[0], row->ends[0].num,
		names[1], lost);
	return 0;
}

int
ibs_audit_nagios(FILE *out, const struct ibs_audit *audit)
{
	const struct ibs_capacity *total = &audit->total;
	const struct ibs_summary *sum = &audit->report.summary;
	const struct ibs_map *map = audit->request.map;
	char lost[IBS_NUMBER_SIZE], all[IBS_NUMBER_SIZE];
	int err;

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
	err = write_worst(out, audit);
	if (err) {
		return err;
	}
	if (audit->request.stale) {
		fprintf(out, ", %s", audit->request.stale);
	}
	if (!audit->complete) {
		fprintf(out, ", %u %s did not answer",
			sum->n_unread + sum->n_behind,
			ibs_plural(sum->n_unread + sum->n_behind, "port",
				   "ports"));
	}
	fprintf(out,
		" | findings=%u;;0;0 notes=%u unknown=%u waived=%u links=%u"
		" unread=%u lost_gbps=%s;;;0;%s age=%" PRId64 "s",
		audit->n_found, audit->n_noted, audit->n_unknown,
		audit->n_waived, total->n_links, sum->n_unread + sum->n_behind,
		lost, all,
		(audit->request.now_ns - map->sweep.end_ns) / NS_PER_S);
	for (int i = 0; i < IBS_FINDING_COUNT; i++) {
		if (i == IBS_FINDING_UNKNOWN) {
			continue; /* told above: a label stands once */
		}
		fprintf(out, " %s=%u",
			ibs_finding_row((enum ibs_finding)i)->name,
			audit->n_findings[i]);
	}
	fputc('\n', out);
	return ibs_stream_end(out);
}
