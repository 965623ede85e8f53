bin_PROGRAMS += ibspeed
ibspeed_SOURCES = \
	%D%/clock.c \
	%D%/clock.h \
	%D%/cmd.h \
	%D%/cmd_audit.c \
	%D%/cmd_audit.h \
	%D%/cmd_audit_place.c \
	%D%/cmd_audit_store.c \
	%D%/cmd_audit_waive.c \
	%D%/cmd_decode.c \
	%D%/cmd_path.c \
	%D%/cmd_query.c \
	%D%/cmd_rate.c \
	%D%/cmd_record.c \
	%D%/cmd_show.c \
	%D%/cmd_status.c \
	%D%/cmd_sweep.c \
	%D%/conf.c \
	%D%/conf.h \
	%D%/feed_in.c \
	%D%/feed_in.h \
	%D%/find.c \
	%D%/find.h \
	%D%/health.c \
	%D%/health.h \
	%D%/host.c \
	%D%/host.h \
	%D%/ini_file.c \
	%D%/ini_file.h \
	%D%/live.c \
	%D%/live.h \
	%D%/main.c \
	%D%/names.c \
	%D%/names.h \
	%D%/options.c \
	%D%/options.h \
	%D%/path_read.c \
	%D%/path_read.h \
	%D%/policy_file.c \
	%D%/policy_file.h \
	%D%/reader.c \
	%D%/reader.h \
	%D%/recorder.c \
	%D%/recorder.h \
	%D%/recorder_store.c \
	%D%/recording.c \
	%D%/recording.h \
	%D%/sa.c \
	%D%/sa.h \
	%D%/smi.c \
	%D%/smi.h \
	%D%/smi_answer.c \
	%D%/smi_answer.h \
	%D%/smi_private.h \
	%D%/store_path.c \
	%D%/store_path.h \
	%D%/verbs.c \
	%D%/verbs.h \
	%D%/when.c \
	%D%/when.h
ibspeed_CFLAGS = $(AM_CFLAGS) $(UMAD_CFLAGS) $(INIH_CFLAGS) \
	$(VERBS_CFLAGS) $(OSMCOMP_CFLAGS) \
	-DIBS_STATEDIR=\"$(localstatedir)/lib/ibspeed\"
ibspeed_LDADD = libibswriter.la libibsstore.la libibscore.la \
	$(UMAD_LIBS) $(INIH_LIBS) $(JANSSON_LIBS) $(SQLITE_LIBS) \
	$(VERBS_LIBS) $(OSMCOMP_LIBS)
