# Examples: ibspeed.conf is made from the option rows (a test compares it).
exampledir = $(docdir)/examples
dist_example_DATA = \
	%D%/ibspeed-recorder.service \
	%D%/ibspeed.conf \
	%D%/opensm-osmspeed.conf
