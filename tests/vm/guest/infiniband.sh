#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The virtual InfiniBand device: vib0 and vib1, two CAs with a cable between
# them, through the real ib_umad, ib_mad and ib_uverbs.
# shellcheck source=tests/vm/guest/lib.sh
. /tests/lib.sh

parameters=/sys/module/vib/parameters
timeout_ms=200 # ibspeed's defaults
tries=3

# What the kernel says of the link: "4xEDR".
kernel_says() {
	sed 's/.*(\(.*\)X \(.*\))/\1x\2/' \
		/sys/class/infiniband/vib0/ports/1/rate
}
# What ibspeed printed as CSV, of each link: "4xEDR init init".
links_say() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 { print $at["width"] "x" $at["speed"], $at["a_state"],
			$at["b_state"] }' /tmp/out
}
# What query printed of the ends of a link: "4xEDR 4xEDR init init".
query_says() {
	sed -n 's/^\(active\|state\):[.]*//p' /tmp/out | sort |
		xargs echo
}

# The codes of width and speed, as query prints those of its port and as the
# verbs of rdma-core have them: "2 32".
query_codes() {
	awk -F '[:.() ]+' '$1 == "active_width" { width = $3 }
		$1 == "active_speed" { print width, $2 }' /tmp/out
}
verbs_codes() {
	ibv_devinfo -v -d vib0 | sed -n \
		's/.*active_\(width\|speed\):.*(\(.*\)).*/\2/p' | xargs echo
}

# asks STATUS ARGUMENT...: libibumad's choice is not the same at every boot.
asks() {
	wanted_status=$1
	command=$2
	shift 2
	ends "$wanted_status" "$command" -C vib0 "$@"
}

# reads RATE STATE: one node after the other, and all of it.
reads() {
	check_equal "the module makes a link of $1" "$(kernel_says)" "$1"
	asks 0 query -D 0
	check "libibverbs agrees: $1" grep -q 'vib0 port 1 agrees' /tmp/out
	check_equal "ibv_devinfo has the same codes" "$(query_codes)" \
		"$(verbs_codes)"
	check_equal "query -D 0: $1 $2" "$(query_says)" "$1 $1 $2 $2"
	asks 0 query -D 0,1
	check_equal "query -D 0,1: $1 $2" "$(query_says)" "$1 $1 $2 $2"
	rm -f /tmp/map.db*
	asks 0 sweep --db /tmp/map.db --format csv
	check_equal "sweep: $1 $2" "$(links_say)" "$1 $2 $2"
}

# Only root may open a umad device, unless the administrator changes that.
denied() {
	echo 'nobody:x:65534:65534::/:/bin/sh' > /etc/passwd
	su nobody -c '/ibspeed/ibspeed query -C vib0 -D 0' 2> /tmp/err
	check_equal "not root: exit status" $? 4
	says "not root: says why" 'vib0, port 1): Permission denied'
}

# A CA passes nothing on, and says nothing: the kernel reports a time-out.
times_out() {
	asks 0 query -D 0
	whole_ms=$((took_ms + tries * (timeout_ms + 100)))
	asks 3 query -D 0,1,1
	says "a route that ends: says so" 'no node is at the route 0,1,1'
	check "a route that ends: $tries times $timeout_ms ms: $took_ms ms" \
		[ "$took_ms" -ge $((tries * timeout_ms - 20)) ]
	check "a route that ends: and no more" \
		[ "$took_ms" -le $((whole_ms + 500)) ]
}

silent() {
	echo 2 > $parameters/deaf
	asks 3 show --live
	check "vib1 is silent: the sweep is not complete" \
		grep -q '^Reading *INCOMPLETE' /tmp/out
	echo 1 > $parameters/deaf
	asks 4 query -D 0
	says "vib0 is silent: says so" 'local port does not answer'
	echo 0 > $parameters/deaf
	echo N > $parameters/cable
	asks 0 show --live
	check "the cable is out: one node" \
		grep -q '^Nodes *0 switches, 1 CA$' /tmp/out
	echo Y > $parameters/cable
}

# Until an SM comes no InfiniBand port is Active, and libibumad may pick rxe0.
mixes() {
	[ -e /sys/class/infiniband/rxe0 ] || load_ethernet
	ends 0 query -D 0
	check "beside an Ethernet port: an InfiniBand port is asked" \
		grep -q 'vib. port 1 agrees' /tmp/out
	check_equal "beside an Ethernet port: that it is skipped, at most" \
		"$(grep -v 'rxe0, port 1 is Ethernet and was skipped' /tmp/err)" ""
	ends 4 query -C rxe0 -D 0
	rdma link delete rxe0
}

# manages WHAT [-B]: the stock opensm with the plugin.
manages() {
	how=$1
	shift
	start_opensm 0x0200000000000101 "$@"
	check "$how: SUBNET UP" wait_for 20 log_says 'SUBNET UP'
	check "$how: a map is recorded" wait_for 20 recorded /tmp/map.db
	check "$how: the map is complete" \
		grep -q '^Reading *complete, 2 ports' /tmp/out
	ends 0 show --db /tmp/map.db --format csv
	check_equal "$how: both ends are active" "$(links_say)" \
		"$(kernel_says) active active"
	asks 0 query -D 0
	check_equal "$how: query beside it" "$(query_says)" \
		"$(kernel_says) $(kernel_says) active active"
	kill "$(pidof opensm)"
	check "$how: SIGTERM leaves no process" wait_for 15 none_left
	check "$how: opensm came to its end" log_says 'Exiting SM'
}

# A device that is gone reads as 0, with success.
dies() {
	/ibspeed/counter 0x0200000000000101 > /tmp/counter &
	job=$!
	check "the counter of vib0 moves" wait_for 20 \
		grep -q '^moves' /tmp/counter
}
died() {
	wait "$job"
	check_equal "unplugged: the counter, and what is made of it" \
		"$(xargs echo < /tmp/counter)" \
		"vib0: 156250 kHz, mask 0x7fffffffffffffff moves Numerical\
 result out of range, gone"
}

# While the recorder that runs by itself is at work.
unplugs() {
	dies
	counter_job=$job
	timeout -s KILL 60 /ibspeed/ibspeed record -C vib0 --interval 1 \
		--db /tmp/alone.db > /tmp/out 2> /tmp/err.record &
	job=$!
	check "the recorder by itself records" wait_for 20 recorded /tmp/alone.db
	rmmod vib
	check "unplugged: the recorder ends" wait_for 10 none_left
	wait "$job"
	check_equal "unplugged: exit status" $? 4
	job=$counter_job
	died
	grep -v 'clock of the readings' /tmp/err.record > /tmp/err
	says "unplugged: says so, once" 'umad port failed'
	check "unplugged: what was recorded stays" recorded /tmp/alone.db
	ends 4 query -D 0
}

# clock_is WHAT PATTERN: as query tells it.
clock_is() {
	asks 0 query -v -D 0
	check "$1: $(grep '^Clock ' /tmp/out)" grep -qE "^Clock *$2" /tmp/out
}

load_core
load vib
reads "4xEDR" init
# The page is refreshed every 100 us: libmlx5 reads it, but it is no clock.
clock_is "the counter of the page is read" \
	'(hca_raw of|host_monotonic_raw: the counter of) vib0 '
check "it is told what is wrong with it" \
	grep -qE '^Clock .*the counter of vib0' /tmp/out
denied
times_out
silent
mixes
manages "opensm"
manages "opensm -B" -B
reads "4xEDR" active
unplugs
load vib width=16 speed=64 clock_supported=0
reads "2xHDR" init
clock_is "the provider refuses the raw clock" \
	'host_monotonic_raw: not supported by the provider: vib0'
