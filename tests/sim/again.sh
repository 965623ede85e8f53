#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# What OpenSM does not tell: a link that gets slow without a trap is found when
# its time comes, and a host that OpenSM drops because it does not answer keeps
# its row.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm jq

host=H-0200000001000020
slow=(
	'S-0200000005000200 2 set portinfo 31 1'
	"$host 1 set portinfo 31 1"
)
has_finding() {
	sim_show
	[ "$(sim_map '[.links[].findings[]] | sort | join(" ")')" = "$1" ]
}
is_incomplete() {
	sim_show
	[ "$(sim_map .sweep.complete)" = false ]
}
is_complete() {
	sim_show
	[ "$(sim_map .sweep.complete)" = true ]
}

start_ibsim demo.topo
start_plugin osmspeed.interval=2
wait_map
first=$(sim_sweep_id)
check "the ports are read again without a sweep of OpenSM" \
	wait_for 20 sim_newer_than "$first"
set_rules "${slow[@]}"
check "a lane lost without a trap is found, and OpenSM has not noticed" \
	wait_for 20 has_finding 'degraded-width sm-disagrees'
set_rules
check "and it is told when it is back" wait_for 20 has_finding ''

# By OpenSM's word alone: a time-out would be one of our own reading.
sim_reset
start_ibsim demo.topo
start_plugin osmspeed.interval=600
wait_map
sim_show
name=$(sim_map '.nodes[] | select(.guid == "0x0200000001000020") | .name')
set_rules "$host * drop"
heavy_sweep
check "OpenSM drops a host that does not answer: incomplete" \
	wait_for 30 is_incomplete
check_equal "the host keeps its row" \
	"$(sim_map '[.unread[].name] | unique | join(",")')" "$name"
check_equal "as unreachable" \
	"$(sim_map '[.unread[].reason] | unique | join(",")')" unreachable
check_equal "and its link, which is not known" \
	"$(sim_map '[.links[] | select(.findings == ["unknown"]) |
		.a.name, .b.name] | sort | join(",")')" "leaf-1,$name"
"$sim_ibspeed" show --db "$sim_db" > "$sim_dir/show.out"
check_equal "show ends with 3" $? 3
set_rules
heavy_sweep
check "and when it answers again all is well" wait_for 30 is_complete
check "without a finding" wait_for 10 has_finding ''
stop_all
sim_done
