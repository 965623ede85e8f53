#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The plugin's map of our own fabrics holds the same ports, widths and speeds
# as iblinkinfo prints, and a healthy fabric has nothing to report.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm iblinkinfo jq

# map_of TOPO "N WIDTHxSPEED,..."
map_of() {
	local rates
	start_ibsim "$1"
	# what is late counts no more, and so it is later than a busy machine
	start_plugin osmspeed.timeout=5000
	wait_map
	check "$1: show ends with 0" sim_show
	sim_map_ends > "$sim_dir/ours"
	sim_iblinkinfo_ends > "$sim_dir/theirs"
	check_same "$1: every port end as iblinkinfo has it" \
		"$sim_dir/ours" "$sim_dir/theirs"
	rates=$(sim_ends_by_rate < "$sim_dir/ours" | paste -sd,)
	check_equal "$1: how many of which rate" "$rates" "$2"
	check_equal "$1: the reading is complete" \
		"$(sim_map '[.sweep.complete, .sweep.source,
			(.unread | length)] | join(" ")')" "true smp 0"
	check_equal "$1: nothing was found" "$(sim_findings)" ""
	check "$1: Gets in flight: $(sim_most window) of 8 allowed" \
		[ "$(sim_most window)" -le 8 ]
	check "$1: at one node: $(sim_most node-window) of 2 allowed" \
		[ "$(sim_most node-window)" -le 2 ]
	sim_reset
}

map_of healthy.topo "48 4xHDR"
map_of demo.topo "2 4xQDR,4 4xEDR,4 4xFDR10,6 4xFDR,8 4xHDR"
map_of mixed.topo "4 12xDDR,4 12xHDR,4 12xSDR,4 1xFDR,4 1xHDR,4 1xQDR,\
4 2xEDR,4 4xDDR,4 4xFDR,4 4xQDR,4 4xSDR,4 8xEDR,4 8xQDR,6 2xHDR,6 4xEDR,\
6 4xFDR10,6 4xHDR"
sim_done
