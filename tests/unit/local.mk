# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# A test of the core is five lines: copy those of test_port.  What is not in
# the core goes in front of $(unit_ldadd).
check_LTLIBRARIES += %D%/libunit.la
%C%_libunit_la_SOURCES = %D%/unit.c %D%/unit.h %D%/rows.c %D%/rows.h
%C%_libunit_la_CFLAGS = $(unit_cflags)

unit_cflags = $(AM_CFLAGS) $(CUNIT_CFLAGS)
unit_ldadd = %D%/libunit.la libibscore.la $(CUNIT_LIBS)

check_PROGRAMS += %D%/test_speed
TESTS += %D%/test_speed
%C%_test_speed_SOURCES = %D%/test_speed.c
%C%_test_speed_CFLAGS = $(unit_cflags) $(VERBS_CFLAGS)
%C%_test_speed_LDADD = $(unit_ldadd) $(VERBS_LIBS)

check_PROGRAMS += %D%/test_attr
TESTS += %D%/test_attr
%C%_test_attr_SOURCES = %D%/test_attr.c
%C%_test_attr_CFLAGS = $(unit_cflags) $(MAD_CFLAGS)
%C%_test_attr_LDADD = $(unit_ldadd) $(MAD_LIBS)

check_PROGRAMS += %D%/test_port
TESTS += %D%/test_port
%C%_test_port_SOURCES = %D%/test_port.c
%C%_test_port_CFLAGS = $(unit_cflags)
%C%_test_port_LDADD = $(unit_ldadd)

check_PROGRAMS += %D%/test_epi
TESTS += %D%/test_epi
%C%_test_epi_SOURCES = %D%/test_epi.c
%C%_test_epi_CFLAGS = $(unit_cflags)
%C%_test_epi_LDADD = $(unit_ldadd)

check_PROGRAMS += %D%/test_link
TESTS += %D%/test_link
%C%_test_link_SOURCES = %D%/test_link.c
%C%_test_link_CFLAGS = $(unit_cflags)
%C%_test_link_LDADD = $(unit_ldadd)

check_PROGRAMS += %D%/test_feed
TESTS += %D%/test_feed
%C%_test_feed_SOURCES = %D%/test_feed.c %D%/frame.c %D%/frame.h
%C%_test_feed_CFLAGS = $(unit_cflags)
%C%_test_feed_LDADD = $(unit_ldadd)

check_PROGRAMS += %D%/test_feed_map
TESTS += %D%/test_feed_map
%C%_test_feed_map_SOURCES = %D%/test_feed_map.c %D%/frame.c %D%/frame.h
%C%_test_feed_map_CFLAGS = $(unit_cflags)
%C%_test_feed_map_LDADD = $(unit_ldadd)

check_PROGRAMS += %D%/test_map
TESTS += %D%/test_map
%C%_test_map_SOURCES = %D%/test_map.c
%C%_test_map_CFLAGS = $(unit_cflags)
%C%_test_map_LDADD = $(unit_ldadd)

check_PROGRAMS += %D%/test_clock
TESTS += %D%/test_clock
%C%_test_clock_SOURCES = %D%/test_clock.c %D%/clocked.c %D%/clocked.h
%C%_test_clock_CFLAGS = $(unit_cflags)
%C%_test_clock_LDADD = $(unit_ldadd)

check_PROGRAMS += %D%/test_map_clock
TESTS += %D%/test_map_clock
%C%_test_map_clock_SOURCES = \
	%D%/test_map_clock.c \
	%D%/clocked.c \
	%D%/clocked.h
%C%_test_map_clock_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib
%C%_test_map_clock_CFLAGS = $(unit_cflags)
%C%_test_map_clock_LDADD = libibsstore.la $(unit_ldadd)

check_PROGRAMS += %D%/test_path
TESTS += %D%/test_path
%C%_test_path_SOURCES = %D%/test_path.c
%C%_test_path_CFLAGS = $(unit_cflags)
%C%_test_path_LDADD = $(unit_ldadd)

check_PROGRAMS += %D%/test_sweep
TESTS += %D%/test_sweep
%C%_test_sweep_SOURCES = %D%/test_sweep.c %D%/fabric.c %D%/fabric.h
%C%_test_sweep_CFLAGS = $(unit_cflags)
%C%_test_sweep_LDADD = $(unit_ldadd)

check_PROGRAMS += %D%/test_option
TESTS += %D%/test_option
%C%_test_option_SOURCES = %D%/test_option.c
%C%_test_option_CFLAGS = $(unit_cflags)
%C%_test_option_LDADD = $(unit_ldadd)

check_PROGRAMS += %D%/test_address
TESTS += %D%/test_address
%C%_test_address_SOURCES = %D%/test_address.c
%C%_test_address_CFLAGS = $(unit_cflags)
%C%_test_address_LDADD = libibswriter.la $(unit_ldadd)

# What tests of reports and writers share.
written = %D%/written.c %D%/written.h

check_PROGRAMS += %D%/test_report
TESTS += %D%/test_report
%C%_test_report_SOURCES = %D%/test_report.c $(written)
%C%_test_report_CFLAGS = $(unit_cflags) $(JANSSON_CFLAGS)
%C%_test_report_LDADD = libibswriter.la $(unit_ldadd) $(JANSSON_LIBS)

check_PROGRAMS += %D%/test_writer
TESTS += %D%/test_writer
%C%_test_writer_SOURCES = %D%/test_writer.c $(written)
%C%_test_writer_CFLAGS = $(unit_cflags) $(JANSSON_CFLAGS)
%C%_test_writer_LDADD = libibswriter.la $(unit_ldadd) $(JANSSON_LIBS)

check_PROGRAMS += %D%/test_writer_json
TESTS += %D%/test_writer_json
%C%_test_writer_json_SOURCES = %D%/test_writer_json.c $(written)
%C%_test_writer_json_CFLAGS = $(unit_cflags) $(JANSSON_CFLAGS)
%C%_test_writer_json_LDADD = libibswriter.la $(unit_ldadd) $(JANSSON_LIBS)

check_PROGRAMS += %D%/test_writer_end
TESTS += %D%/test_writer_end
%C%_test_writer_end_SOURCES = %D%/test_writer_end.c $(written)
%C%_test_writer_end_CFLAGS = $(unit_cflags) $(JANSSON_CFLAGS)
%C%_test_writer_end_LDADD = libibswriter.la $(unit_ldadd) $(JANSSON_LIBS)

check_PROGRAMS += %D%/test_writer_path
TESTS += %D%/test_writer_path
%C%_test_writer_path_SOURCES = %D%/test_writer_path.c $(written)
%C%_test_writer_path_CFLAGS = $(unit_cflags) $(JANSSON_CFLAGS)
%C%_test_writer_path_LDADD = libibswriter.la $(unit_ldadd) $(JANSSON_LIBS)

check_PROGRAMS += %D%/test_path_ends
TESTS += %D%/test_path_ends
%C%_test_path_ends_SOURCES = %D%/test_path_ends.c $(written)
%C%_test_path_ends_CFLAGS = $(unit_cflags) $(JANSSON_CFLAGS)
%C%_test_path_ends_LDADD = libibswriter.la $(unit_ldadd) $(JANSSON_LIBS)

check_PROGRAMS += %D%/test_diff
TESTS += %D%/test_diff
%C%_test_diff_SOURCES = %D%/test_diff.c
%C%_test_diff_CFLAGS = $(unit_cflags)
%C%_test_diff_LDADD = $(unit_ldadd)

# What tests of the store share.
stored = %D%/store_unit.c %D%/store_unit.h %D%/clocked.c %D%/clocked.h
stored_ldadd = libibsstore.la $(unit_ldadd) $(SQLITE_LIBS)

check_PROGRAMS += %D%/test_store
TESTS += %D%/test_store
%C%_test_store_SOURCES = %D%/test_store.c $(stored)
%C%_test_store_CFLAGS = $(unit_cflags) $(SQLITE_CFLAGS)
%C%_test_store_LDADD = $(stored_ldadd)

check_PROGRAMS += %D%/test_store_clock
TESTS += %D%/test_store_clock
%C%_test_store_clock_SOURCES = %D%/test_store_clock.c $(stored)
%C%_test_store_clock_CFLAGS = $(unit_cflags) $(SQLITE_CFLAGS)
%C%_test_store_clock_LDADD = $(stored_ldadd)

check_PROGRAMS += %D%/test_store_random
TESTS += %D%/test_store_random
%C%_test_store_random_SOURCES = %D%/test_store_random.c $(stored)
%C%_test_store_random_CFLAGS = $(unit_cflags) $(SQLITE_CFLAGS)
%C%_test_store_random_LDADD = $(stored_ldadd)

check_PROGRAMS += %D%/test_health
TESTS += %D%/test_health
%C%_test_health_SOURCES = %D%/test_health.c mad/health.c mad/host.c
%C%_test_health_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/mad
%C%_test_health_CFLAGS = $(unit_cflags)
%C%_test_health_LDADD = libibsstore.la $(unit_ldadd) $(SQLITE_LIBS)

check_PROGRAMS += %D%/test_store_file
TESTS += %D%/test_store_file
%C%_test_store_file_SOURCES = %D%/test_store_file.c $(stored)
%C%_test_store_file_CFLAGS = $(unit_cflags) $(SQLITE_CFLAGS)
%C%_test_store_file_LDADD = $(stored_ldadd)

check_PROGRAMS += %D%/test_store_old
TESTS += %D%/test_store_old
%C%_test_store_old_SOURCES = %D%/test_store_old.c $(stored)
%C%_test_store_old_CFLAGS = $(unit_cflags) $(SQLITE_CFLAGS)
%C%_test_store_old_LDADD = $(stored_ldadd)

check_PROGRAMS += %D%/test_store_crash
TESTS += %D%/test_store_crash
%C%_test_store_crash_SOURCES = %D%/test_store_crash.c $(stored)
%C%_test_store_crash_CFLAGS = $(unit_cflags) $(SQLITE_CFLAGS)
%C%_test_store_crash_LDADD = $(stored_ldadd)

check_PROGRAMS += %D%/test_discover
TESTS += %D%/test_discover
%C%_test_discover_SOURCES = %D%/test_discover.c %D%/fabric.c %D%/fabric.h
%C%_test_discover_CFLAGS = $(unit_cflags)
%C%_test_discover_LDADD = $(unit_ldadd)

check_PROGRAMS += %D%/test_reports
TESTS += %D%/test_reports
%C%_test_reports_SOURCES = %D%/test_reports.c
%C%_test_reports_CFLAGS = $(unit_cflags)
%C%_test_reports_LDADD = $(unit_ldadd)

check_PROGRAMS += %D%/test_policy
TESTS += %D%/test_policy
%C%_test_policy_SOURCES = %D%/test_policy.c
%C%_test_policy_CFLAGS = $(unit_cflags)
%C%_test_policy_LDADD = libibswriter.la $(unit_ldadd)

# What tests of audits share.
audited = %D%/audited.c %D%/audited.h $(written)

check_PROGRAMS += %D%/test_audit
TESTS += %D%/test_audit
%C%_test_audit_SOURCES = %D%/test_audit.c $(audited)
%C%_test_audit_CFLAGS = $(unit_cflags) $(JANSSON_CFLAGS)
%C%_test_audit_LDADD = libibswriter.la $(unit_ldadd) $(JANSSON_LIBS)

check_PROGRAMS += %D%/test_audit_base
TESTS += %D%/test_audit_base
%C%_test_audit_base_SOURCES = %D%/test_audit_base.c $(audited)
%C%_test_audit_base_CFLAGS = $(unit_cflags) $(JANSSON_CFLAGS)
%C%_test_audit_base_LDADD = libibswriter.la $(unit_ldadd) $(JANSSON_LIBS)

check_PROGRAMS += %D%/test_audit_waiver
TESTS += %D%/test_audit_waiver
%C%_test_audit_waiver_SOURCES = %D%/test_audit_waiver.c $(audited)
%C%_test_audit_waiver_CFLAGS = $(unit_cflags) $(JANSSON_CFLAGS)
%C%_test_audit_waiver_LDADD = libibswriter.la $(unit_ldadd) $(JANSSON_LIBS)

check_PROGRAMS += %D%/test_audit_moved
TESTS += %D%/test_audit_moved
%C%_test_audit_moved_SOURCES = %D%/test_audit_moved.c $(audited)
%C%_test_audit_moved_CFLAGS = $(unit_cflags) $(JANSSON_CFLAGS)
%C%_test_audit_moved_LDADD = libibswriter.la $(unit_ldadd) $(JANSSON_LIBS)

check_PROGRAMS += %D%/test_audit_policy
TESTS += %D%/test_audit_policy
%C%_test_audit_policy_SOURCES = %D%/test_audit_policy.c $(audited)
%C%_test_audit_policy_CFLAGS = $(unit_cflags) $(JANSSON_CFLAGS)
%C%_test_audit_policy_LDADD = libibswriter.la $(unit_ldadd) $(JANSSON_LIBS)

check_PROGRAMS += %D%/test_store_audit
TESTS += %D%/test_store_audit
%C%_test_store_audit_SOURCES = %D%/test_store_audit.c $(stored)
%C%_test_store_audit_CFLAGS = $(unit_cflags) $(SQLITE_CFLAGS)
%C%_test_store_audit_LDADD = $(stored_ldadd)

check_PROGRAMS += %D%/test_store_waiver
TESTS += %D%/test_store_waiver
%C%_test_store_waiver_SOURCES = %D%/test_store_waiver.c $(stored)
%C%_test_store_waiver_CFLAGS = $(unit_cflags) $(SQLITE_CFLAGS)
%C%_test_store_waiver_LDADD = $(stored_ldadd)

check_PROGRAMS += %D%/test_audit_rows
TESTS += %D%/test_audit_rows
%C%_test_audit_rows_SOURCES = %D%/test_audit_rows.c $(audited)
%C%_test_audit_rows_CFLAGS = $(unit_cflags) $(JANSSON_CFLAGS)
%C%_test_audit_rows_LDADD = libibswriter.la $(unit_ldadd) $(JANSSON_LIBS)
