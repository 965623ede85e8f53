# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Tests with the ibsim simulator, and with the real opensm.

# Stands between a program and libibumad. It is loaded into programs that are
# not ours, so it is never built with the sanitizers.
check_LTLIBRARIES += %D%/libsimpreload.la
%C%_libsimpreload_la_SOURCES = \
	%D%/hold.c \
	%D%/hold.h \
	%D%/preload.c \
	%D%/route.c \
	%D%/route.h \
	%D%/rules.c \
	%D%/rules.h \
	%D%/smp.h \
	%D%/watch.c \
	%D%/watch.h
%C%_libsimpreload_la_CFLAGS = $(AM_CFLAGS) $(UMAD_CFLAGS) -fno-sanitize=all
%C%_libsimpreload_la_LDFLAGS = -module -avoid-version -shared \
	-rpath $(abs_builddir)/%D%

# Counts looks at the clock.
check_LTLIBRARIES += %D%/libsimlooks.la
%C%_libsimlooks_la_SOURCES = %D%/looks.c
%C%_libsimlooks_la_CFLAGS = $(AM_CFLAGS) -fno-sanitize=all
%C%_libsimlooks_la_LDFLAGS = -module -avoid-version -shared \
	-rpath $(abs_builddir)/%D%

# Those that need no opensm: ibspeed reads the fabric by itself.
live_tests = \
	%D%/faults.sh \
	%D%/live.sh \
	%D%/live_fabrics.sh \
	%D%/live_faults.sh \
	%D%/live_shapes.sh \
	%D%/reports.sh \
	%D%/verbs.sh
TESTS += $(live_tests)

sim_tests = \
	%D%/again.sh \
	%D%/clock.sh \
	%D%/audit.sh \
	%D%/degrade.sh \
	%D%/fabrics.sh \
	%D%/handover.sh \
	%D%/lifecycle.sh \
	%D%/live_recorder.sh \
	%D%/map.sh \
	%D%/memory.sh \
	%D%/path.sh \
	%D%/refuse.sh \
	%D%/signals.sh \
	%D%/source.sh
if PLUGIN
TESTS += $(sim_tests)

# The plugin for another OpenSM, and for one with another layout: what must
# be refused.
check_LTLIBRARIES += \
	%D%/version/libosmspeed.la \
	%D%/layout/libosmspeed.la
%C%_version_libosmspeed_la_SOURCES = $(osmspeed_sources)
%C%_version_libosmspeed_la_CPPFLAGS = $(osmspeed_cppflags) \
	-DIBS_TEST_OSM_VERSION='"OpenSM 0.0.0"'
%C%_version_libosmspeed_la_CFLAGS = $(osmspeed_cflags)
%C%_version_libosmspeed_la_LDFLAGS = $(osmspeed_ldflags) \
	-rpath $(abs_builddir)/%D%/version
%C%_version_libosmspeed_la_LIBADD = $(osmspeed_libadd)
%C%_layout_libosmspeed_la_SOURCES = $(osmspeed_sources)
%C%_layout_libosmspeed_la_CPPFLAGS = $(osmspeed_cppflags) \
	-DIBS_TEST_NO_OSM_CONFIG
%C%_layout_libosmspeed_la_CFLAGS = $(osmspeed_cflags)
%C%_layout_libosmspeed_la_LDFLAGS = $(osmspeed_ldflags) \
	-rpath $(abs_builddir)/%D%/layout
%C%_layout_libosmspeed_la_LIBADD = $(osmspeed_libadd)
endif

EXTRA_DIST += $(live_tests) $(sim_tests) \
	%D%/asan.supp \
	%D%/capacity.awk \
	%D%/fabrics/demo.topo \
	%D%/fabrics/healthy.topo \
	%D%/fabrics/mixed.topo \
	%D%/fabrics/odd.topo \
	%D%/fabrics/pair.topo \
	%D%/fattree.awk \
	%D%/iblinkinfo.awk \
	%D%/lib.sh \
	%D%/links.awk \
	%D%/valgrind.supp
