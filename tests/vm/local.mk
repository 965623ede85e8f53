# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# On a real kernel: run by check.sh, not by make check, since what it boots is
# downloaded.
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
