#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The fabric read live, without OpenSM: the same ports, widths and speeds as
# iblinkinfo prints; one node by route, GUID, LID and name, found by the store
# or by discovery; routes that lead nowhere.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need iblinkinfo jq

# same_as_iblinkinfo WHAT: the map that sim_map reads.
same_as_iblinkinfo() {
	sim_map_ends > "$sim_dir/ours"
	sim_iblinkinfo_ends > "$sim_dir/theirs"
	check "$1: there is something" [ -s "$sim_dir/ours" ]
	check_same "$1: every port end as iblinkinfo has it" \
		"$sim_dir/ours" "$sim_dir/theirs"
}

# reads TOPO
reads() {
	start_ibsim "$1"
	check_status "$1: show --live ends with 0" 0 live_map
	same_as_iblinkinfo "$1: show --live"
	check_equal "$1: nothing was recorded" \
		"$(find "$sim_dir" -name '*.db')" ""
	# what is late counts no more, and so it is later than a busy machine
	check_status "$1: sweep ends with 0" 0 \
		live sweep -t 5000 --db "$sim_db" --format json
	cp "$sim_dir/printed" "$sim_dir/map.json"
	same_as_iblinkinfo "$1: sweep"
	cp "$sim_dir/ours" "$sim_dir/swept"
	check_status "$1: show ends with 0" 0 sim_show
	sim_map_ends > "$sim_dir/ours"
	check_same "$1: the store has what sweep printed" \
		"$sim_dir/ours" "$sim_dir/swept"
	check_equal "$1: the reading is complete" \
		"$(sim_map '[.sweep.complete, .sweep.source,
			(.unread | length)] | join(" ")')" "true smp 0"
	check "$1: Gets in flight: $(sim_most window) of 8 allowed" \
		[ "$(sim_most window)" -le 8 ]
	sim_reset
}

# --- one node of demo.topo, which its answers name -----------------------

# asks WANTED ARGUMENT...: the GUID and the ports of the node that query finds.
asks() {
	local wanted=$1
	shift
	live query --format json "$@" > "$sim_dir/node.json"
	check_equal "query $* ends with 0" $? 0
	check_equal "query $* finds it" "$(jq -r '.node.guid + " " +
		([.ports[].port] | join(","))' "$sim_dir/node.json")" "$wanted"
}

# fails STATUS TEXT ARGUMENT...
fails() {
	local status=$1 text=$2
	shift 2
	check_status "query $* ends with $status" "$status" live query "$@"
	check "query $* says why" live_says "$text"
	check_equal "query $* prints nothing" "$(cat "$sim_dir/printed")" ""
}

spine="0x0200000005000100 0,1,2,3,4,5,6,7,8"
leaf1="0x0200000005000200 0,1,2,3,4,5,6,7,8"
leaf2="0x0200000005000300 0,1,2,3,4,5,6,7,8"

queries() {
	asks "0x0200000001000010 1" -D 0
	asks "$leaf1" -D 0,1
	asks "$spine" -D 0,1,8
	asks "$leaf2" -D 0,1,7,4
	asks "0x0200000001000060 1" -D 0,1,7,3,2
	asks "$leaf1" -D 0,1,7,1
	asks "0x0200000005000300 2" -D 0,1,7,4 2
	check_equal "both ends of the link" "$(jq -r '.links[] | .a, .b |
		[.guid, .port, .width, .speed] | join(" ")' \
		"$sim_dir/node.json" | sort | paste -sd,)" \
"0x0200000001000060 1 4 FDR10,0x0200000005000300 2 4 FDR10"
	asks "0x0200000001000060 1" --live -G 0200000001000060
	asks "0x0200000001000060 1" --live 0x0200000001000061
	asks "0x0200000001000060 1" --live -L 6
	asks "$leaf2" --live -L 11
	asks "$spine" --live spine
	check "it says that discovery found it" live_says 'discovery'
	check_equal "the local port is asked of libibverbs as well" \
		"$(live query -D 0 | grep -c 'no.*device')" 1
}

dead_ends() {
	fails 3 '0,1,6' -D 0,1,6
	fails 3 '0,1,1,1' -D 0,1,1,1
	fails 3 '0,1,200' -D 0,1,200
	fails 3 '0,2' -D 0,2
	fails 2 '1,1' -D 1,1
	fails 2 'nobody' --live nobody
	fails 2 'node-0' --live node-0
	fails 2 '40000' --live -L 40000
}

# --- found by the store --------------------------------------------------

stores() {
	check_status "sweep for the store" 0 live sweep --db "$sim_db"
	asks "$spine" --live --db "$sim_db" spine
	check "it says that the store found it" live_says 'store'
	: > "$sim_log"
	asks "0x0200000001000060 1" --live --db "$sim_db" node-06
	check "only the node and its neighbours were asked: $(sim_count \
		'ibspeed answered') answers" \
		[ "$(sim_count 'ibspeed answered')" -lt 30 ]

	# node-02 and node-03 change places: another node is at the route.
	console 'Unlink "S-0200000005000200"[2]'
	console 'Unlink "S-0200000005000200"[3]'
	console 'Link "H-0200000001000020"[1] "S-0200000005000200"[3]'
	console 'Link "H-0200000001000030"[1] "S-0200000005000200"[2]'
	asks "0x0200000001000020 1" --live --db "$sim_db" node-02
	check "another node at the route of the store: found by discovery" \
		live_says 'discovery'
	check_equal "where it is now" "$(jq -r '.node.path' \
		"$sim_dir/node.json")" 0,1,3
	console 'Unlink "S-0200000005000200"[4]'
	fails 2 'node-04' --live --db "$sim_db" node-04
}

reads demo.topo
reads healthy.topo
reads mixed.topo
start_ibsim demo.topo
queries
dead_ends
stores
sim_done
