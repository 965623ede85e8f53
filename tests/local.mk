# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
EXTRA_DIST += \
	%D%/data/link.rows \
	%D%/data/port.rows \
	%D%/data/real.rows

include tests/unit/local.mk
include tests/fuzz/local.mk
include tests/fake/local.mk
