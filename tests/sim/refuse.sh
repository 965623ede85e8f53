#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# What cannot work is refused with one clear line, and opensm goes on: a
# plugin for another OpenSM, one that was compiled for another layout, a store
# that cannot be opened, a recorder that is not there, options that are wrong.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm jq

n_sweeps() { grep -cs 'SUBNET UP' "$sim_opensm_log"; }
swept_again() { [ "$(n_sweeps)" -gt "$1" ]; }

# goes_on WHAT: opensm brought the subnet up, and does so again.
goes_on() {
	local before
	check "$1: SUBNET UP" wait_for 20 sim_subnet_up
	before=$(n_sweeps)
	heavy_sweep
	check "$1: sweeps again" wait_for 20 swept_again "$before"
	check "$1: opensm runs" sim_running opensm
}

# refused WHAT DIRECTORY TEXT: a plugin that opensm or we refuse.
refused() {
	[ -e "$sim_build/$2/libosmspeed.so" ] ||
		sim_die "$sim_build/$2/libosmspeed.so is not built"
	sim_plugin_dir=$sim_build/$2
	start_plugin
	goes_on "$1"
	check_equal "$1: one line says why" "$(cat "$sim_opensm_log" \
		"$sim_dir/opensm.out" | grep -c "$3")" 1
	check "$1: no recorder" sim_stopped ibspeed
	stop_program opensm
	sim_plugin_dir=
	rm -f "$sim_opensm_log" "$sim_dir/opensm.out"
}

# unfit WHAT TEXT osmspeed.KEY=VALUE...: options with which nothing is recorded.
unfit() {
	local what=$1 text=$2
	shift 2
	start_plugin "$@"
	goes_on "$what"
	check "$what: the log says so" wait_for 10 sim_log_says "$text"
	stop_program opensm
	rm -f "$sim_opensm_log"
}

start_ibsim demo.topo
refused "another OpenSM's version" tests/sim/version/.libs \
	"'osmspeed'.*built against OpenSM 0.0.0"
# The log of an OpenSM of another layout cannot be written to.
refused "compiled without osm_config.h" tests/sim/layout/.libs \
	'osmspeed .*structures differ.*not loaded'

: > "$sim_dir/file"
unfit "a store below a file" "$sim_dir/file/map.db" \
	"osmspeed.db=$sim_dir/file/map.db"
unfit "a store where nobody may write" "/proc/ibspeed" \
	"osmspeed.db=/proc/ibspeed/map.db"
printf 'this is no database, and long enough to be sure of that\n%s\n' \
	"$(head -c 4096 /dev/zero | tr '\0' x)" > "$sim_dir/text.db"
unfit "a store that is no database" "$sim_dir/text.db" \
	"osmspeed.db=$sim_dir/text.db"
unfit "a recorder that is not there" "$sim_dir/none/ibspeed" \
	"osmspeed.recorder=$sim_dir/none/ibspeed"
unfit "an option that we do not have" 'frobnicate' osmspeed.frobnicate=1
unfit "a value that is out of range" 'max_smps' osmspeed.max_smps=100000
sim_done
