# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
EXTRA_DIST += \
	%D%/data/link.rows \
	%D%/data/port.rows \
	%D%/data/real.rows \
	%D%/data/store_1_history.sql \
	%D%/data/store_1_values.sql

include tests/unit/local.mk
include tests/fuzz/local.mk
include tests/lint/local.mk
include tests/sim/local.mk
include tests/fake/local.mk
include tests/bench/local.mk
include tests/cli/local.mk
include tests/vm/local.mk

# The two commands of the README, and the packages that they install.
EXTRA_DIST += \
	%D%/.clang-tidy \
	%D%/check.sh \
	%D%/demo.sh \
	%D%/packages \
	%D%/reports.txt \
	%D%/setup.sh
