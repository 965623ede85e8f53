#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# TERM at any moment of opensm's life ends it and the recorder, as fast as
# without the plugin.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm

start_ibsim demo.topo
for delay in 0.0 0.05 0.1 0.2 0.3 0.5 0.8 1.2 2.0 3.0; do
	start_plugin
	opensm=$(sim_pid opensm)
	sleep "$delay"
	kill -TERM "$opensm" ||
		check "after $delay s opensm was still there" false
	check "TERM after $delay s ends opensm" wait_for 4 sim_stopped opensm
	check "TERM after $delay s ends the recorder" \
		wait_for 2 sim_stopped ibspeed
	wait "$sim_opensm_job" 2>/dev/null
	status=$?
	# 143: before opensm had installed its handler.
	check "TERM after $delay s: exit status $status is 0 or 143" \
		[ "$status" -eq 0 -o "$status" -eq 143 ]
	stop_program opensm
	rm -f "$sim_opensm_log"
done
sim_done
