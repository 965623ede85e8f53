# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# The plugin that OpenSM loads.  It stays mapped when OpenSM unloads it, and a
# symbol that OpenSM lacks is found out when it is loaded.
plugin_LTLIBRARIES += libosmspeed.la
libosmspeed_la_SOURCES = $(osmspeed_sources)
libosmspeed_la_CPPFLAGS = $(osmspeed_cppflags)
libosmspeed_la_CFLAGS = $(osmspeed_cflags)
libosmspeed_la_LDFLAGS = $(osmspeed_ldflags)
libosmspeed_la_LIBADD = $(osmspeed_libadd)
EXTRA_libosmspeed_la_DEPENDENCIES = %D%/plugin.map
EXTRA_DIST += %D%/plugin.map

# The tests build it once more in ways that OpenSM must refuse.
osmspeed_sources = \
	%D%/child.c \
	%D%/child.h \
	%D%/log.c \
	%D%/log.h \
	%D%/osm.h \
	%D%/outbox.c \
	%D%/outbox.h \
	%D%/plugin.c \
	%D%/recorder.c \
	%D%/recorder.h \
	%D%/said.c \
	%D%/said.h \
	%D%/topology.c \
	%D%/topology.h \
	%D%/worker.c \
	%D%/worker.h
osmspeed_cppflags = $(AM_CPPFLAGS) -DIBS_RECORDER='"$(bindir)/ibspeed"'
osmspeed_cflags = $(AM_CFLAGS) $(OSM_CFLAGS) -pthread
osmspeed_ldflags = $(AM_LDFLAGS) -module -avoid-version -shared -pthread \
	-Wl,-z,nodelete -Wl,-z,now \
	-Wl,--version-script=$(srcdir)/%D%/plugin.map
osmspeed_libadd = libibscore.la $(OSM_LIBS)

# OpenSM's dlopen() asks the dynamic linker, which asks its cache.
install-exec-hook:
	if test -z "$(DESTDIR)" && test "`id -u`" -eq 0; then \
		PATH="$$PATH:/sbin:/usr/sbin" ldconfig || :; \
	fi
