# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# The queueing model is a test; what takes a simulator and minutes is run by
# "make bench", with BENCH="5k 11k" or other arguments of run.sh.
check_PROGRAMS += %D%/model
TESTS += %D%/model
%C%_model_SOURCES = \
	%D%/agents.c \
	%D%/agents.h \
	%D%/model.c \
	%D%/shape.c \
	%D%/shape.h
%C%_model_LDADD = libibscore.la

bench_programs = %D%/fabric %D%/floor
EXTRA_PROGRAMS = $(bench_programs)
%C%_fabric_SOURCES = %D%/fabric.c %D%/shape.c %D%/shape.h
%C%_floor_SOURCES = %D%/floor.c
%C%_floor_CFLAGS = $(AM_CFLAGS) $(UMAD_CFLAGS)
%C%_floor_LDADD = libibscore.la $(UMAD_LIBS)

# Loaded into programs that are not ours: never built with the sanitizers.
EXTRA_LTLIBRARIES = %D%/libbenchcount.la
%C%_libbenchcount_la_SOURCES = %D%/count.c
%C%_libbenchcount_la_CFLAGS = $(AM_CFLAGS) $(UMAD_CFLAGS) -fno-sanitize=all
%C%_libbenchcount_la_LDFLAGS = -module -avoid-version -shared \
	-rpath $(abs_builddir)/%D%

CLEANFILES += $(bench_programs) $(EXTRA_LTLIBRARIES)
EXTRA_DIST += %D%/run.sh

.PHONY: bench
bench: ibspeed$(EXEEXT) $(bench_programs) $(EXTRA_LTLIBRARIES) \
	tests/fake/verbs/libibverbs.la
	$(srcdir)/%D%/run.sh $(BENCH)
