# The pure core: no I/O, clock, thread, log, exit or global state.
noinst_LTLIBRARIES += libibscore.la
libibscore_la_SOURCES = \
	%D%/attr.c \
	%D%/diff.c \
	%D%/feed_read.c \
	%D%/feed_write.c \
	%D%/link.c \
	%D%/map.c \
	%D%/map_freeze.c \
	%D%/option.c \
	%D%/port.c \
	%D%/speed.c \
	%D%/sweep.c \
	%D%/sweep_discover.c \
	%D%/sweep_port.c \
	%D%/sweep_private.h \
	%D%/sweep_queue.c
