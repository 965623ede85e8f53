#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Whose bytes the map is made of: the recorder's own by default, the SM's with
# source = sm. The preload alters what the recorder alone is told.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm jq

# Of demo.topo.
leaf1=S-0200000005000200
node2=H-0200000001000020
lie=("$leaf1 2 set portinfo 31 1 only=ibspeed"
	"$node2 1 set portinfo 31 1 only=ibspeed")
lied="0x0200000001000020 1 0x0200000005000200 2"

show_ends_with() {
	local status
	sim_show
	status=$?
	[ "$status" -eq "$1" ]
}

# --- source = smp
set_rules "${lie[@]}"
start_ibsim demo.topo
start_plugin
wait_map
check_equal "what only the recorder is told is in the map" \
	"$(sim_findings | grep -c "^$lied .*degraded-width")" 1
check_equal "the map says where it is from" "$(sim_map .sweep.source)" smp
check "the recorder sent SMPs" [ "$(sim_count 'ibspeed answered')" -gt 24 ]

set_rules "$leaf1 3 drop only=ibspeed"
next_map
check_equal "a port that answers the SM but not us is unread" \
	"$(sim_map '[.unread[] | [.guid, .port, .reason] | join(" ")]
		| join(",")')" "0x0200000005000200 3 timeout"
check_equal "the reading is not complete" "$(sim_map .sweep.complete)" false
check "show ends with 3" show_ends_with 3
check "opensm knows the port" grep -q \
	'NodeGUID:0200000005000200.* PN:03 }.*NodeGUID:0200000001000030' \
	"$sim_dir/opensm-subnet.lst"

set_rules "$leaf1 3 status 1c portinfo only=ibspeed"
next_map
check_equal "a port that refuses is unread, with its status" \
	"$(sim_map '[.unread[] | [.guid, .port, .reason, .status] | join(" ")]
		| join(",")')" "0x0200000005000200 3 status 28"
sim_reset

# --- source = sm
: > "$sim_log"
set_rules "${lie[@]}"
start_ibsim demo.topo
start_plugin osmspeed.source=sm
wait_map
check_equal "source = sm: the map is as the SM knows it" "$(sim_findings)" ""
check_equal "source = sm: the map says so" "$(sim_map .sweep.source)" sm
check_equal "source = sm: every end is there" \
	"$(sim_map_ends | sim_ends_by_rate | paste -sd,)" \
	"2 4xQDR,4 4xEDR,4 4xFDR10,6 4xFDR,8 4xHDR"
check_equal "source = sm: the recorder sent nothing" \
	"$(sim_count ibspeed)" 0
sim_reset

# --- the conf changes from sm to smp: nothing that was known is unread
echo 'source = sm' > "$sim_dir/ibspeed.conf"
start_ibsim demo.topo
start_plugin osmspeed.interval=1
wait_map
printf 'source = smp\n' > "$sim_dir/ibspeed.conf"
first=$(sim_sweep_id)
sleep 3
check_equal "sm to smp: the map stays until OpenSM tells again" \
	"$(sim_sweep_id) $(sim_map .sweep.source)" "$first sm"
next_map
check_equal "sm to smp: then the ports are read, all of them" \
	"$(sim_map '[.sweep.source, .sweep.complete] | join(" ")')" "smp true"
sim_done
