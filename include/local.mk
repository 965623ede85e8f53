noinst_HEADERS = \
	%D%/ibspeed/address.h \
	%D%/ibspeed/attr.h \
	%D%/ibspeed/audit.h \
	%D%/ibspeed/baseline.h \
	%D%/ibspeed/clock.h \
	%D%/ibspeed/diff.h \
	%D%/ibspeed/feed.h \
	%D%/ibspeed/link.h \
	%D%/ibspeed/map.h \
	%D%/ibspeed/option.h \
	%D%/ibspeed/path.h \
	%D%/ibspeed/policy.h \
	%D%/ibspeed/port.h \
	%D%/ibspeed/speed.h \
	%D%/ibspeed/store.h \
	%D%/ibspeed/sweep.h \
	%D%/ibspeed/writer.h
