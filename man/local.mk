dist_man_MANS += \
	%D%/ibspeed-map.5 \
	%D%/ibspeed-policy.5 \
	%D%/ibspeed.8 \
	%D%/ibspeed.conf.5
if PLUGIN
dist_man_MANS += %D%/osmspeed.8
endif
