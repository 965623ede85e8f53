#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The plugin's map of real fabrics, up to 666 switches and 4,341 hosts, when
# their dumps are there: IBSPEED_FABRICS, else ../shared/fabrics beside the
# source.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm iblinkinfo jq
fabrics=${IBSPEED_FABRICS:-$sim_src/../../../shared/fabrics}

# map_of NAME "N WIDTHxSPEED,..."
map_of() {
	local file=$fabrics/$1.ibnetdiscover
	if [ ! -e "$file" ]; then
		echo "SKIP $1: no $file"
		return
	fi
	start_big_ibsim "$file"
	start_plugin osmspeed.max_smps=32
	wait_map 120
	check "$1: show ends with 0" sim_show
	check_as_iblinkinfo "$1" "$2"
	n_mapped=$((n_mapped + 1))
	sim_reset
}

n_mapped=0
map_of loginoff_topo "290 4xQDR,94 4xFDR10"
map_of hk_Topo.3 "1610 4xHDR,4 4xSDR"
map_of selene.storage "5932 4xHDR,640 4xEDR"
map_of selene.compute "25704 4xHDR"
[ "$n_mapped" -gt 0 ] ||
	sim_skip "no dumps of real fabrics in $fabrics (IBSPEED_FABRICS)"
sim_done
