#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A link that runs below what both its ends enable, or is kept narrow by one
# of them, is found at the next sweep: that link, that finding, no other.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm ibportstate jq

# Of demo.topo. The SM is on node-01, port 1 of leaf-1.
leaf1=S-0200000005000200
leaf2=S-0200000005000300
spine=S-0200000005000100
node2=H-0200000001000020
node6=H-0200000001000060

found() { sim_show && sim_findings; }

# finds WHAT "GUID PORT GUID PORT FINDINGS"
finds() {
	next_map
	check_equal "$1" "$(sim_findings)" "$2"
}

start_ibsim demo.topo
start_plugin
wait_map
check_equal "at first nothing is found" "$(found)" ""

set_rules "$leaf1 2 set portinfo 31 1" "$node2 1 set portinfo 31 1"
finds "4X that came up as 1X" "0x0200000001000020 1 0x0200000005000200 2 \
degraded-width"
check_equal "its rate is the one it runs at" "$(sim_map '.links[]
	| select((.findings | length) > 0)
	| [.active.width, .active.speed, .expected.width, .expected.speed,
	   .eff_100mbps] | join(" ")')" "1 HDR 4 HDR 500"

set_rules "$leaf1 8 set portinfo 62 27" "$spine 2 set portinfo 62 27"
finds "HDR that came up as EDR" "0x0200000005000100 2 0x0200000005000200 8 \
degraded-speed"

set_rules "$leaf2 2 set extportinfo 15 0" "$node6 1 set extportinfo 15 0"
finds "FDR10 that came up as QDR, the same rate" \
	"0x0200000001000060 1 0x0200000005000300 2 degraded-speed"

set_rules "$leaf1 2 set portinfo 31 1"
next_map
check_equal "two ends that disagree" "$(sim_findings | grep -c \
	'^0x0200000001000020 1 0x0200000005000200 2 .*mismatch')" 1
check_equal "and nothing else" "$(sim_findings | wc -l)" 1

set_rules
finds "mended" ""

sim_client ibportstate -D 0,1 2 width 1 > "$sim_dir/ibportstate.out" 2>&1 ||
	sim_die "ibportstate: $(cat "$sim_dir/ibportstate.out")"
finds "narrowed by the switch's configuration" \
	"0x0200000001000020 1 0x0200000005000200 2 limited-by-config"
sim_client ibportstate -D 0,1 2 width 3 > "$sim_dir/ibportstate.out" 2>&1 ||
	sim_die "ibportstate: $(cat "$sim_dir/ibportstate.out")"
finds "wide again" ""
sim_done
