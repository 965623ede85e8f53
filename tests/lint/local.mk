# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# What the source and the objects look like. analyze.sh takes minutes and is
# run by tests/check.sh alone.
lint_tests = \
	%D%/headers.sh \
	%D%/options.sh \
	%D%/reports.sh \
	%D%/style.sh \
	%D%/symbols.sh
TESTS += $(lint_tests)
EXTRA_DIST += $(lint_tests) \
	%D%/analyze.sh \
	%D%/lib.sh
