#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# opensm with the plugin through a long life: sweeps in a row, a recorder that
# dies, one that must not outlive opensm, daemon mode; and what the recorder
# inherits: nothing.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm jq sqlite3

n_up() { grep -cs 'SUBNET UP' "$sim_opensm_log"; }
up_more_than() { [ "$(n_up)" -gt "$1" ]; }
recorder_is_not() {
	local pid
	pid=$(sim_pid ibspeed) && [ "$pid" != "$1" ]
}

# What a recorder may hold: 0 the feed, 1 nothing, 2 its messages, its store,
# and the simulator's sockets, which nobody else holds.
strange_fds() {
	local recorder=$1 opensm=$2 fd target
	for fd in /proc/"$recorder"/fd/*; do
		target=$(readlink "$fd") || continue
		case ${fd##*/}:$target in
		0:socket:* | 1:/dev/null | 2:pipe:*) ;;
		*:"$sim_db" | *:"$sim_db"-*) ;;
		*:"$sim_log") ;;
		*:socket:*)
			readlink "/proc/$opensm"/fd/* | grep -qxF "$target" &&
				echo "${fd##*/} $target"
			;;
		*) echo "${fd##*/} $target" ;;
		esac
	done
}

start_ibsim demo.topo
# A descriptor that opensm holds open as it does those of its umad devices.
exec 8< "$0"
start_plugin
exec 8<&-
wait_map
recorder=$(sim_pid ibspeed) || sim_die "no recorder"
opensm=$(sim_pid opensm)
check_equal "opensm holds what the test gave it" \
	"$(readlink "/proc/$opensm/fd/8")" "$(readlink -f "$0")"
check_equal "the recorder holds its own descriptors only" \
	"$(strange_fds "$recorder" "$opensm")" ""
check_equal "no signal is blocked in the recorder" \
	"$(awk '/^SigBlk/ { print $2 }' "/proc/$recorder/status")" \
	0000000000000000
ignored=$(awk '/^SigIgn/ { print $2 }' "/proc/$recorder/status")
# Bits of HUP 1, INT 2, QUIT 3, TERM 15.
check "HUP, INT, QUIT and TERM are not ignored" \
	[ $((0x$ignored & 0x4007)) -eq 0 ]

first=$(sim_sweep_id)
for _ in 1 2 3 4 5; do
	before=$(n_up)
	heavy_sweep
	wait_for 20 up_more_than "$before" || sim_die "opensm swept no more"
done
check "five heavy sweeps in a row are recorded" \
	wait_for 20 sim_newer_than "$first"
check_equal "by the same recorder" "$(sim_pid ibspeed)" "$recorder"

before=$(sim_sweep_id)
swept=$(n_up)
kill -KILL "$recorder"
check "a killed recorder is back" wait_for 15 recorder_is_not "$recorder"
check "and records again" wait_for 15 sim_newer_than "$before"
check_equal "with no new sweep of the SM" "$(n_up)" "$swept"
check_equal "the earlier sweeps are kept" "$(sqlite3 -readonly "$sim_db" \
	"SELECT count(*) FROM sweep WHERE id <= $before")" "$before"
check "the SM's log says that it died" sim_log_says 'osmspeed: .*signal 9'

kill -KILL "$opensm"
check "the recorder does not outlive a killed opensm" \
	wait_for 10 sim_stopped ibspeed
wait "$sim_opensm_job" 2>/dev/null
before=$(sim_sweep_id)

rm -f "$sim_opensm_log"
start_plugin -B
check "daemon mode: a sweep is recorded" wait_for 30 sim_newer_than "$before"
opensm=$(sim_pid opensm)
check "daemon mode: the command has returned" wait "$sim_opensm_job"
before=$(sim_sweep_id)
heavy_sweep
check "daemon mode: so is the next one" wait_for 20 sim_newer_than "$before"
recorder=$(sim_pid ibspeed)
check_equal "daemon mode: the recorder holds its own descriptors only" \
	"$(strange_fds "$recorder" "$opensm")" ""
kill -TERM "$opensm"
check "daemon mode: TERM ends opensm" wait_for 5 sim_stopped opensm
check "daemon mode: and the recorder" wait_for 3 sim_stopped ibspeed
sim_done
