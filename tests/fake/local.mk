# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
include tests/fake/verbs/local.mk

# The plugin in a fake OpenSM, with a double of the recorder.
if PLUGIN
check_PROGRAMS += %D%/recorder
%C%_recorder_SOURCES = %D%/recorder.c

fake_sources = \
	%D%/fed.c \
	%D%/fed.h \
	%D%/host.c \
	%D%/host.h
fake_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/plugin \
	-I$(top_srcdir)/tests/unit \
	-DPLUGIN_SO='"$(abs_top_builddir)/.libs/libosmspeed.so"' \
	-DRECORDER='"$(abs_top_builddir)/%D%/recorder"'
fake_cflags = $(unit_cflags) $(OSM_CFLAGS) -pthread
fake_ldflags = $(AM_LDFLAGS) -pthread
fake_ldadd = $(unit_ldadd) $(OSM_LIBS)

check_PROGRAMS += %D%/test_plugin
TESTS += %D%/test_plugin
%C%_test_plugin_SOURCES = %D%/test_plugin.c $(fake_sources)
%C%_test_plugin_CPPFLAGS = $(fake_cppflags)
%C%_test_plugin_CFLAGS = $(fake_cflags)
%C%_test_plugin_LDFLAGS = $(fake_ldflags)
%C%_test_plugin_LDADD = $(fake_ldadd)

check_PROGRAMS += %D%/test_child
TESTS += %D%/test_child
%C%_test_child_SOURCES = %D%/test_child.c $(fake_sources)
%C%_test_child_CPPFLAGS = $(fake_cppflags)
%C%_test_child_CFLAGS = $(fake_cflags)
%C%_test_child_LDFLAGS = $(fake_ldflags)
%C%_test_child_LDADD = $(fake_ldadd)
endif
