# Examples: ibspeed.conf is made from the option rows (a test compares it).
exampledir = $(docdir)/examples
dist_example_DATA = \
	%D%/ibspeed.conf \
	%D%/opensm-oom.conf \
	%D%/opensm-osmspeed.conf \
	%D%/policy.conf
nodist_example_DATA = %D%/ibspeed-recorder.service
EXTRA_DIST += %D%/ibspeed-recorder.service.in
CLEANFILES += %D%/ibspeed-recorder.service

%D%/ibspeed-recorder.service: %D%/ibspeed-recorder.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	sed 's,@bindir\@,$(bindir),' $(srcdir)/%D%/ibspeed-recorder.service.in >$@
