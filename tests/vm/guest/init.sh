#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The first process of the guest: runs the parts that the kernel was given,
# and switches off. It also reaps what daemons leave.
PATH=/bin:/usr/bin:/sbin:/usr/sbin
export PATH
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
exec < /dev/null > /dev/ttyS1 2>&1

ip link set lo up
(
	for part in $(echo "${vm_parts:?}" | tr , ' '); do
		echo "== $part"
		sh "/tests/$part.sh"
	done
) &
wait
echo END
poweroff -f
