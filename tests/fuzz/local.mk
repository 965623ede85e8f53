# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# A fuzz target: copy the lines of port.  make check replays its corpus.
EXTRA_DIST += %D%/corpus
fuzz_sources = %D%/replay.c %D%/fuzz.h

check_PROGRAMS += %D%/fuzz_port
TESTS += %D%/fuzz_port
%C%_fuzz_port_SOURCES = %D%/fuzz_port.c $(fuzz_sources)
%C%_fuzz_port_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_CORPUS='"%D%/corpus/port"'
%C%_fuzz_port_LDADD = libibscore.la

check_PROGRAMS += %D%/fuzz_feed
TESTS += %D%/fuzz_feed
%C%_fuzz_feed_SOURCES = %D%/fuzz_feed.c $(fuzz_sources)
%C%_fuzz_feed_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_CORPUS='"%D%/corpus/feed"'
%C%_fuzz_feed_LDADD = libibscore.la

check_PROGRAMS += %D%/fuzz_sweep
TESTS += %D%/fuzz_sweep
%C%_fuzz_sweep_SOURCES = %D%/fuzz_sweep.c $(fuzz_sources)
%C%_fuzz_sweep_CPPFLAGS = $(AM_CPPFLAGS) -DFUZZ_CORPUS='"%D%/corpus/sweep"'
%C%_fuzz_sweep_LDADD = libibscore.la

check_PROGRAMS += %D%/fuzz_answer
TESTS += %D%/fuzz_answer
%C%_fuzz_answer_SOURCES = %D%/fuzz_answer.c $(fuzz_sources) mad/smi_answer.c
%C%_fuzz_answer_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/mad \
	-DFUZZ_CORPUS='"%D%/corpus/answer"'
%C%_fuzz_answer_CFLAGS = $(AM_CFLAGS) $(UMAD_CFLAGS)
%C%_fuzz_answer_LDADD = libibscore.la

check_PROGRAMS += %D%/fuzz_policy
TESTS += %D%/fuzz_policy
%C%_fuzz_policy_SOURCES = %D%/fuzz_policy.c $(fuzz_sources)
%C%_fuzz_policy_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFUZZ_CORPUS='"%D%/corpus/policy"'
%C%_fuzz_policy_LDADD = libibswriter.la libibscore.la
