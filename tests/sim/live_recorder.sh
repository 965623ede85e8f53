#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The recorder by itself, without opensm: it reads every interval, ends when it
# is told to, and says so when the fabric is gone. And two that write into one
# store, the plugin's recorder and a sweep by hand: when nothing changed, the
# reading of one is no change to the other.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm jq sqlite3

job=
start_recorder() {
	sim_client -t "$sim_limit" "$sim_ibspeed" record --interval 1 \
		--db "$sim_db" 2> "$sim_dir/said" &
	job=$!
	wait_for 10 sim_running ibspeed || sim_die "no recorder"
}

# ends STATUS SECONDS WHAT: the recorder does, by itself. Seconds are counted
# whole: 2 is between one and two.
ends() {
	local status begin=$SECONDS
	check "$3: the recorder ends" wait_for "$2" sim_stopped ibspeed
	sim_stopped ibspeed || stop_program ibspeed
	wait "$job"
	status=$?
	check_equal "$3: with exit status $1" "$status" "$1"
	check "$3: within $2 s" [ $((SECONDS - begin)) -le "$2" ]
}

# How many rows the history has, open or closed.
sim_rows() {
	sqlite3 -readonly "$sim_db" 'SELECT (SELECT count(*) FROM node),
		(SELECT count(*) FROM port)'
}
has_sweeps() { sim_newer_than $(($1 - 1)); }
asks() { [ "$(sim_count 'ibspeed answered')" -gt 0 ]; }

silent_sweep() {
	set_rules 'H-0200000001002020 * silence any only=ibspeed'
	live sweep -t 50 --db "$sim_db"
}

# --- by itself
start_ibsim demo.topo
start_recorder
check "a sweep every second" wait_for 10 has_sweeps 3
rows=$(sim_rows)
console 'Unlink "S-0200000005000200"[2]'
before=$(sim_sweep_id)
check "it goes on" wait_for 10 has_sweeps $((before + 2))
sim_show
check_equal "and sees a cable that was pulled" "$(sim_map '.links |
	length')" 11
console 'ReLink "S-0200000005000200"[2]'
before=$(sim_sweep_id)
check "it goes on" wait_for 10 has_sweeps $((before + 2))
sim_show
check_equal "and sees it again" "$(sim_map '.links | length')" 12
check "the history has grown by what changed: $rows, $(sim_rows)" \
	[ "$(sim_rows)" != "$rows" ]
rows=$(sim_rows)
check "a status that says who records" grep -q "$(sim_pid ibspeed)" \
	<(live status --db "$sim_db")
kill -TERM "$(sim_pid ibspeed)"
ends 0 2 "TERM between two sweeps"

: > "$sim_log"
set_rules '* * delay 100 any'
start_recorder
wait_for 10 asks
kill -TERM "$(sim_pid ibspeed)"
ends 0 2 "TERM in mid-sweep"
set_rules
start_recorder
before=$(sim_sweep_id)
wait_for 10 has_sweeps $((before + 1))
kill -INT "$(sim_pid ibspeed)"
ends 0 2 "INT"
check_equal "the next recorder begins no new rows" "$(sim_rows)" "$rows"

# --- the fabric is gone: systemd starts it again
start_recorder
before=$(sim_sweep_id)
wait_for 10 has_sweeps $((before + 1))
kill -KILL "$(sim_pid ibsim)"
ends 4 10 "the simulator is killed"
check "it says so" live_says 'umad'
check_equal "no part of a map is recorded" "$(sqlite3 -readonly "$sim_db" \
	'SELECT count(*) FROM sweep WHERE n_unread > 0')" 0
sim_reset

# --- two writers
start_ibsim mixed.topo
start_plugin
wait_map
wait_for 20 sim_subnet_up
next_map
rows=$(sim_rows)
before=$(sim_sweep_id)
check_status "a sweep into the recorder's store" 0 \
	live sweep --db "$sim_db"
check_equal "it is the next one" "$(sim_sweep_id)" $((before + 1))
check_equal "it opens no row and closes none" "$(sim_rows)" "$rows"
next_map
check_equal "nor does the recorder's next one" "$(sim_rows)" "$rows"
check_status "a sweep with a node that is silent ends with 3" 3 \
	silent_sweep
sim_show
check_equal "and that is recorded" "$(sim_map .sweep.complete)" false
sim_done
