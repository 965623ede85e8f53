# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=sh disable=SC2034
# (what only the parts use)
#
# What the parts share: one line per check, drivers, ibspeed and opensm.

# --- verdicts ----------------------------------------------------------

# check WHAT COMMAND...
check() {
	what=$1
	shift
	if "$@"; then
		echo "PASS $what"
	else
		echo "FAIL $what"
	fi
}

# check_equal WHAT GOT WANTED
check_equal() {
	check "$1" [ "$2" = "$3" ]
	[ "$2" = "$3" ] || printf '  got    %s\n  wanted %s\n' "$2" "$3"
}

# wait_for SECONDS COMMAND...: true as soon as the command is.
wait_for() {
	tenths=$(($1 * 10))
	shift
	until "$@"; do
		[ "$tenths" -gt 0 ] || return 1
		tenths=$((tenths - 1))
		usleep 100000
	done
}

# now_ms: since the start.
now_ms() { awk '{ print int($1 * 1000) }' /proc/uptime; }

# running PROGRAM: zombies do not count.
running() {
	for pid in $(pidof "$1"); do
		grep -q '^State:.*Z' "/proc/$pid/status" 2>/dev/null || return 0
	done
	return 1
}
none_left() { ! running opensm && ! running ibspeed; }

# --- drivers -----------------------------------------------------------

# load MODULE [PARAMETER=VALUE...]: unless it is there.
load() {
	module=$1
	shift
	grep -q "^$module " /proc/modules ||
		insmod "/modules/$module.ko" "$@" ||
		echo "FAIL insmod $module"
}

load_core() {
	load ib_core
	load ib_uverbs
	load ib_umad
}

# load_ethernet: rdma_rxe at a network device that leads nowhere.
load_ethernet() {
	load_core
	load crc32_generic
	load udp_tunnel
	load ip6_udp_tunnel
	load rdma_rxe
	load dummy numdummies=1
	ip link set dummy0 up
	rdma link add rxe0 type rxe netdev dummy0 || echo "FAIL rdma link add"
}

# --- ibspeed -----------------------------------------------------------

# ibspeed ARGUMENT...: what it prints is in /tmp/out, what it says in /tmp/err,
# how it ends in $status, and how long it took in $took_ms. A minute is more
# than it may ever take.
ibspeed() {
	begin_ms=$(now_ms)
	timeout -s KILL 60 /ibspeed/ibspeed "$@" > /tmp/out 2> /tmp/err
	status=$?
	took_ms=$(($(now_ms) - begin_ms))
}

# ends STATUS ARGUMENT...: how ibspeed ends.
ends() {
	wanted=$1
	shift
	ibspeed "$@"
	check_equal "ibspeed $* ends with $wanted" "$status" "$wanted"
	[ "$status" = "$wanted" ] || sed 's/^/  said   /' /tmp/err
}

# says WHAT PATTERN...: all that it said; a pattern for each line.
says() {
	what=$1
	shift
	n=0
	for pattern in "$@"; do
		n=$((n + 1))
		sed -n "${n}p" /tmp/err | grep -q -- "$pattern" || n=999
	done
	if [ "$n" -eq "$(wc -l < /tmp/err)" ]; then
		echo "PASS $what"
	else
		echo "FAIL $what"
		sed 's/^/  said   /' /tmp/err
	fi
}

# recorded FILE: a sweep is in the store; it is printed.
recorded() {
	ibspeed show --db "$1"
	[ "$status" -eq 0 ]
}

# --- opensm ------------------------------------------------------------

# start_opensm GUID [-B]: the stock one with our plugin, at that port; 0: any.
start_opensm() {
	rm -f /tmp/map.db* /tmp/opensm.log
	cat > /tmp/opensm.conf <<-END
		guid $1
		log_file /tmp/opensm.log
		force_log_flush TRUE
		event_plugin_name osmspeed
		event_plugin_options osmspeed.db=/tmp/map.db osmspeed.recorder=/ibspeed/ibspeed
	END
	shift
	OSM_TMP_DIR=/tmp OSM_CACHE_DIR=/tmp LD_LIBRARY_PATH=/ibspeed \
		timeout -s KILL 60 opensm -F /tmp/opensm.conf "$@" \
		> /tmp/opensm.out 2>&1 &
}
log_says() { grep -qs -- "$1" /tmp/opensm.log; }
