#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Real fabrics read live, when their dumps are there: IBSPEED_FABRICS, else
# ../shared/fabrics beside the source. The sweep and iblinkinfo agree on the
# number of links and on each one's width and speed.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need iblinkinfo jq
fabrics=${IBSPEED_FABRICS:-$sim_src/../../../shared/fabrics}

n_read=0
# reads NAME "N WIDTHxSPEED,..."
reads() {
	local file=$fabrics/$1.ibnetdiscover
	if [ ! -e "$file" ]; then
		echo "SKIP $1: no $file"
		return
	fi
	start_big_ibsim "$file"
	live sweep --db "$sim_db" -o 32 --format json > "$sim_dir/map.json"
	check_equal "$1: sweep ends with 0" $? 0
	check_as_iblinkinfo "$1" "$2"
	check "$1: so many links" [ "$(sim_map '.links | length')" -eq \
		$(($(wc -l < "$sim_dir/ours") / 2)) ]
	n_read=$((n_read + 1))
	sim_reset
}

reads selene.compute "25704 4xHDR"
reads ufm_director_fixed "17438 4xHDR,8 4xEDR"
reads hk_Topo.5 "7144 4xHDR"
reads hk_Topo6_CS7500 "6886 4xEDR"
reads cyberang3l_k4n3 "768 4xEDR"
reads fau_mixed_sdr_ddr_qdr_from_iblinkinfo "2 4xSDR,4 4xQDR,8 4xDDR"
# R46: one of its hosts is at two switches.
reads teaker_qdr18_from_iblinkinfo "18 4xQDR"
reads jabl_1 "10 4xSDR,4 1xSDR"
reads jabl_2 "4 4xSDR"
reads jabl_3 "2 4xSDR,4 4xQDR,6 4xFDR,8 4xEDR"
reads jabl_4 "2 4xQDR"
[ "$n_read" -gt 0 ] ||
	sim_skip "no dumps of real fabrics in $fabrics (IBSPEED_FABRICS)"
sim_done
