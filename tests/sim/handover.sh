#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Two SMs: the one with the plugin is master, hands over to the other, and
# takes over again. The role is recorded, and a standby's subnet is not.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm jq sqlite3

roles() {
	sqlite3 "$sim_db" 'SELECT sm_state FROM role ORDER BY id' |
		paste -sd' '
}
roles_are() { [ "$(roles)" = "$1" ]; }

# An opensm of higher rank at another node, without the plugin.
start_other() {
	local node
	node=$(grep -oE '^(Ca|Hca).*"H-[0-9a-f]+"' \
		"$sim_src/fabrics/healthy.topo" | tail -n 1 |
		grep -oE 'H-[0-9a-f]+')
	mkdir -p "$sim_dir/other"
	SIM_HOST=$node OSM_TMP_DIR=$sim_dir/other OSM_CACHE_DIR=$sim_dir/other \
		sim_client -t "$sim_limit" opensm -p 14 \
		-f "$sim_dir/other/opensm.log" \
		< /dev/null > "$sim_dir/other/out" 2>&1 &
}
other_opensm() { sim_pids opensm | grep -vx "$ours"; }

start_ibsim healthy.topo
start_opensm "event_plugin_name osmspeed" \
	"event_plugin_options $(sim_plugin_options)" \
	"sminfo_polling_timeout 1000" "polling_retry_number 2"
wait_map
ours=$(sim_pid opensm)
check "a master is recorded as one" roles_are 3

start_other
check "a handover is recorded" wait_for 20 roles_are '3 2'
before=$(sim_sweep_id)
sleep 2
check_equal "a standby's subnet is not read" "$(sim_sweep_id)" "$before"

sim_signal TERM "$(other_opensm)"
check "it is told when it takes over again" wait_for 60 roles_are '3 2 3'
check "and its subnet is read again" wait_for 20 sim_newer_than "$before"
stop_all
sim_done
