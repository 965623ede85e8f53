/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* writer_audit: what the formats of an audit share. */
#ifndef IBSPEED_LIB_WRITER_AUDIT_H
#define IBSPEED_LIB_WRITER_AUDIT_H

#include <stdbool.h>
#include <stdio.h>

#include "ibspeed/audit.h"
#include "writer_text.h"

/* Its reason belongs to a finding that is told. */
bool ibs_reason_told(const struct ibs_audit_row *row,
		     const struct ibs_reason *reason);
/* In words; names of nodes and rules may be long. */
#define IBS_REASON_TEXT_SIZE 2048
void ibs_reason_text(const struct ibs_labels *labels,
		     const struct ibs_audit *audit,
		     const struct ibs_audit_row *row,
		     const struct ibs_reason *reason,
		     char ret_text[IBS_REASON_TEXT_SIZE]);
/* The line of the policy file that it speaks of; 0 none. */
int ibs_reason_line(const struct ibs_audit *audit,
		    const struct ibs_reason *reason);
/* The name of a node, also of one that the baseline alone has; "" nobody. */
void ibs_audit_end_label(const struct ibs_labels *labels,
			 const struct ibs_audit *audit,
			 const struct ibs_audit_end *end,
			 char ret_text[IBS_CELL_SIZE]);

/* Since when its ends are as they are; 0 not known. */
int64_t ibs_audit_since_ns(const struct ibs_audit *audit,
			   const struct ibs_audit_row *row);
/* What the link lost; -1 when that is not known. */
int64_t ibs_audit_lost_or_none(const struct ibs_audit_row *row);

int ibs_text_audit(FILE *out, const struct ibs_audit *audit);
int ibs_json_audit(FILE *out, const struct ibs_audit *audit);
int ibs_csv_audit(FILE *out, const struct ibs_audit *audit);

#endif
