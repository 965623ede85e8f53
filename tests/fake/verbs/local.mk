# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# The double of libibverbs, with and without ibv_query_port_speed(). It is
# loaded into programs that are not ours, so it is never built with the
# sanitizers.
fake_verbs_sources = \
	%D%/clock.c \
	%D%/program.c \
	%D%/program.h \
	%D%/verbs.c \
	%D%/words.c
fake_verbs_cflags = $(AM_CFLAGS) $(VERBS_CFLAGS) -pthread -fno-sanitize=all
fake_verbs_ldflags = -shared -pthread -version-info 1:0:0 \
	-Wl,--version-script=$(top_srcdir)/%D%/libibverbs.map

check_LTLIBRARIES += %D%/libibverbs.la %D%/old/libibverbs.la
%C%_libibverbs_la_SOURCES = $(fake_verbs_sources)
%C%_libibverbs_la_CFLAGS = $(fake_verbs_cflags)
%C%_libibverbs_la_LDFLAGS = $(fake_verbs_ldflags) \
	-rpath $(abs_builddir)/%D%
%C%_libibverbs_la_LIBADD = -lm
EXTRA_%C%_libibverbs_la_DEPENDENCIES = %D%/libibverbs.map
%C%_old_libibverbs_la_SOURCES = $(fake_verbs_sources)
%C%_old_libibverbs_la_CPPFLAGS = $(AM_CPPFLAGS) -DFAKE_NO_PORT_SPEED
%C%_old_libibverbs_la_CFLAGS = $(fake_verbs_cflags)
%C%_old_libibverbs_la_LDFLAGS = $(fake_verbs_ldflags) \
	-rpath $(abs_builddir)/%D%/old
%C%_old_libibverbs_la_LIBADD = -lm

check_PROGRAMS += %D%/test_fake_verbs
TESTS += %D%/test_fake_verbs
%C%_test_fake_verbs_SOURCES = \
	%D%/programmed.c \
	%D%/programmed.h \
	%D%/test_fake_verbs.c
%C%_test_fake_verbs_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit \
	-DOLD_SO='"$(abs_top_builddir)/%D%/old/.libs/libibverbs.so.1"'
%C%_test_fake_verbs_CFLAGS = $(unit_cflags) $(VERBS_CFLAGS)
%C%_test_fake_verbs_LDADD = $(unit_ldadd) %D%/libibverbs.la

check_PROGRAMS += %D%/test_clock_door
TESTS += %D%/test_clock_door
%C%_test_clock_door_SOURCES = \
	%D%/programmed.c \
	%D%/programmed.h \
	%D%/test_clock_door.c \
	mad/clock.c \
	mad/host.c \
	mad/verbs.c
%C%_test_clock_door_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit \
	-I$(top_srcdir)/mad
%C%_test_clock_door_CFLAGS = $(unit_cflags) $(VERBS_CFLAGS)
%C%_test_clock_door_LDADD = $(unit_ldadd) %D%/libibverbs.la

EXTRA_DIST += %D%/libibverbs.map
