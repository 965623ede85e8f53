# The pure core: no I/O, clock, thread, log, exit or global state.
noinst_LTLIBRARIES += libibscore.la
libibscore_la_SOURCES = \
	%D%/attr.c \
	%D%/baseline.c \
	%D%/clock.c \
	%D%/diff.c \
	%D%/feed_read.c \
	%D%/feed_wire.h \
	%D%/feed_write.c \
	%D%/grow.c \
	%D%/grow.h \
	%D%/link.c \
	%D%/map.c \
	%D%/map_carry.c \
	%D%/map_clock.c \
	%D%/map_freeze.c \
	%D%/option.c \
	%D%/path.c \
	%D%/port.c \
	%D%/speed.c \
	%D%/sweep.c \
	%D%/sweep_discover.c \
	%D%/sweep_port.c \
	%D%/sweep_private.h \
	%D%/sweep_probe.c \
	%D%/sweep_queue.c \
	%D%/sweep_table.c

# Reports, to the FILE they are given.
noinst_LTLIBRARIES += libibswriter.la
libibswriter_la_SOURCES = \
	%D%/address.c \
	%D%/audit.c \
	%D%/audit_explain.c \
	%D%/audit_missing.c \
	%D%/audit_partner.c \
	%D%/audit_private.h \
	%D%/audit_reason.c \
	%D%/audit_rows.c \
	%D%/audit_sum.c \
	%D%/audit_twins.c \
	%D%/policy.c \
	%D%/policy_match.c \
	%D%/report.c \
	%D%/writer.c \
	%D%/writer_audit.h \
	%D%/writer_csv.c \
	%D%/writer_csv.h \
	%D%/writer_csv_audit.c \
	%D%/writer_end.c \
	%D%/writer_json.c \
	%D%/writer_json.h \
	%D%/writer_json_ask.c \
	%D%/writer_json_audit.c \
	%D%/writer_json_clock.c \
	%D%/writer_json_path.c \
	%D%/writer_json_piece.c \
	%D%/writer_json_port.c \
	%D%/writer_nagios.c \
	%D%/writer_private.h \
	%D%/writer_text.c \
	%D%/writer_text.h \
	%D%/writer_text_audit.c \
	%D%/writer_text_clock.c \
	%D%/writer_text_map.c \
	%D%/writer_text_path.c \
	%D%/writer_text_port.c \
	%D%/writer_text_rate.c \
	%D%/writer_text_table.c \
	%D%/writer_waivers.c
libibswriter_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libibswriter_la_LIBADD = libibscore.la $(JANSSON_LIBS)

# The only door to SQLite.
noinst_LTLIBRARIES += libibsstore.la
libibsstore_la_SOURCES = \
	%D%/stamps.c \
	%D%/stamps.h \
	%D%/store.c \
	%D%/store_accept.c \
	%D%/store_baseline.c \
	%D%/store_changes.c \
	%D%/store_clock.c \
	%D%/store_load.c \
	%D%/store_peers.c \
	%D%/store_private.h \
	%D%/store_put.c \
	%D%/store_query.c \
	%D%/store_record.c \
	%D%/store_schema.c \
	%D%/store_status.c \
	%D%/store_tables.c \
	%D%/store_waiver.c
libibsstore_la_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
libibsstore_la_LIBADD = libibscore.la $(SQLITE_LIBS)
