# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# The command line as people see it: what it prints, says and returns.
check_PROGRAMS += %D%/makestore
%C%_makestore_SOURCES = %D%/makestore.c
%C%_makestore_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit
%C%_makestore_CFLAGS = $(unit_cflags) $(SQLITE_CFLAGS)
%C%_makestore_LDADD = libibsstore.la $(unit_ldadd) $(SQLITE_LIBS)

cli_tests = \
	%D%/cli.sh \
	%D%/keys.sh
TESTS += $(cli_tests)
EXTRA_DIST += $(cli_tests) \
	%D%/cases \
	%D%/lib.sh
