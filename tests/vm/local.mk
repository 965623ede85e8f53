# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# On a real kernel: run by check.sh, not by make check, since what it boots is
# downloaded.
check_PROGRAMS += %D%/counter
%C%_counter_SOURCES = %D%/counter.c mad/verbs.c
%C%_counter_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/mad
%C%_counter_CFLAGS = $(AM_CFLAGS) $(VERBS_CFLAGS)
%C%_counter_LDADD = libibscore.la $(VERBS_LIBS)

EXTRA_DIST += \
	%D%/guest/ethernet.sh \
	%D%/guest/infiniband.sh \
	%D%/guest/init.sh \
	%D%/guest/lib.sh \
	%D%/image.sh \
	%D%/module/Kbuild \
	%D%/module/face.c \
	%D%/module/main.c \
	%D%/module/sma.c \
	%D%/module/vib.h \
	%D%/module/wire.c \
	%D%/run.sh
