#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# What may become of an answer on its way: each verb of the preload's rules,
# and that nothing is ever decoded as what it is not. A port whose answers are
# no use is in the map as one that did not answer; all others are right.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need jq

# Of demo.topo: a port of a leaf.
leaf1=S-0200000005000200
port3="0x0200000005000200 3"
# Who is behind it is not found then.
sim_but_port3() {
	sim_map 'del(.. | objects | .reading) |
		[.links[] | .a, .b], [.nodes[].ports[]] | .[] |
		select(. != null and .name != "node-03 hca-1" and
			(.name != "leaf-1" or .port != 3)) | tojson' | sort
}
sim_unread() {
	sim_map '[.unread[] | [.guid, .port, .reason, .status // "-"]
		| join(" ")] | join(",")'
}
sweep_count() { sim_map ".sweep.$1"; }

# Reads with rules; how long that took is in $took_ms.
took_ms=0
reads_with() {
	local begin
	set_rules "$@"
	begin=$(date +%s%3N)
	live_map -t 50 "${arguments[@]}"
	status=$?
	took_ms=$(($(date +%s%3N) - begin))
}
arguments=()

# harmless WHAT RULE...: what the map is not changed by.
harmless() {
	local what=$1
	shift
	reads_with "$@"
	check_equal "$what: ends with 0" "$status" 0
	sim_whole_map > "$sim_dir/ours"
	check_same "$what: the map is the same" "$sim_dir/ours" \
		"$sim_dir/clean"
}

# fatal WHAT REASON RULE...: what port 3 of leaf-1 is not read for.
fatal() {
	local what=$1 reason=$2
	shift 2
	reads_with "$@"
	check_equal "$what: ends with 3" "$status" 3
	check_equal "$what: the port is unread" "$(sim_unread)" \
		"$port3 $reason"
	sim_but_port3 > "$sim_dir/ours"
	check_same "$what: all others are the same" "$sim_dir/ours" \
		"$sim_dir/clean-others"
}

start_ibsim demo.topo
reads_with
check_equal "no rules: ends with 0" "$status" 0
sim_whole_map > "$sim_dir/clean"
sim_but_port3 > "$sim_dir/clean-others"
check_equal "no rules: nothing is lost" "$(sim_map '.sweep |
	[.n_retries, .n_timeouts, .n_stray] | join(" ")')" "0 0 0"

# --- what is harmless
arguments=(-t 1000)
harmless "answers that come twice" '* * duplicate any'
check "the second ones were dropped: $(sweep_count n_stray)" \
	[ "$(sweep_count n_stray)" -gt 30 ]
harmless "answers out of their order" '* * reorder any share=50'
check_equal "none was lost" "$(sweep_count n_timeouts)" 0
harmless "answers that are slow" '* * delay 30 any'
check_equal "none was too late" "$(sweep_count n_timeouts)" 0
check "it took its time: $took_ms ms" [ "$took_ms" -ge 200 ]
arguments=()

# --- what loses a port
fatal "no answer" "timeout -" "$leaf1 3 drop"
check_equal "each try was counted" "$(sim_map '.sweep |
	[.n_retries, .n_timeouts, .n_stray] | join(" ")')" "2 3 0"
fatal "no answer, and no word of it" "timeout -" "$leaf1 3 silence"
check "the time-outs are ours: $took_ms ms" \
	[ "$took_ms" -ge 450 -a "$took_ms" -le 3000 ]
fatal "a driver that says so when the time is over" "timeout -" \
	"$leaf1 3 drop" "$leaf1 3 delay 50"
check "it took three times as long: $took_ms ms" \
	[ "$took_ms" -ge 150 -a "$took_ms" -le 3000 ]
fatal "answers that are too late" "timeout -" "$leaf1 3 delay 200"
check "they were dropped: $(sweep_count n_stray)" \
	[ "$(sweep_count n_stray)" -ge 1 ]
fatal "a status" "status 28" "$leaf1 3 status 1c"
fatal "a status that means busy" "status 1" "$leaf1 3 status 1"
fatal "another TID" "timeout -" "$leaf1 3 flip 12 80"
check_equal "they were counted" "$(sweep_count n_stray)" 3
fatal "another attribute" "timeout -" "$leaf1 3 flip 17 2"
check_equal "they were counted" "$(sweep_count n_stray)" 3
fatal "another port's number" "timeout -" "$leaf1 3 flip 23 4"
check_equal "they were counted" "$(sweep_count n_stray)" 3
fatal "another class" "timeout -" "$leaf1 3 flip 1 80"
fatal "another method" "timeout -" "$leaf1 3 flip 3 2"
fatal "a request and no answer" "timeout -" "$leaf1 3 flip 3 80"
fatal "cut short by a byte" "timeout -" "$leaf1 3 cut 255"
fatal "cut short in its head" "timeout -" "$leaf1 3 cut 20"
fatal "nothing at all" "timeout -" "$leaf1 3 cut 0"

# --- what changes one port, and all of it at once
reads_with "$leaf1 3 set portinfo 31 1"
check_equal "a byte that is set" "$(sim_map '.links[] |
	select(.a.port == 3 and .a.name == "leaf-1") | .a.width')" 1
sim_reset
start_ibsim healthy.topo
reads_with
sim_whole_map > "$sim_dir/clean"
arguments=(--retries 12)
harmless "everything at once" '* * drop any share=10' \
	'* * duplicate any share=20' '* * reorder any share=20' \
	'* * delay 200 any share=5' '* * cut 200 any share=5' \
	'* * flip 12 40 any share=5' '* * silence any share=3'
check "and all that was counted: $(sim_map '.sweep | [.n_smps, .n_retries,
	.n_timeouts, .n_stray] | join(" ")')" \
	[ "$(sweep_count n_retries)" -gt 5 ]
arguments=()

# --- a rule that is wrong must not be one that is not there
# wrong RULE...: ibsim keeps the place of a client that ends like this, and
# has ten.
wrong() {
	local rule
	sim_reset
	start_ibsim demo.topo
	for rule in "$@"; do
		reads_with "$rule"
		check_equal "wrong rule: $rule" "$status" 2
	done
}
wrong '* * frobnicate' '* * drop nothing' '* * set portinfo 64 1' \
	'* * set portinfo 3 100' '* * flip 256 1' '* * flip 1' '* * cut 257'
wrong '* 256 drop' '* * drop share=101' '* * drop only' '* * status' \
	'* * delay' '* * drop portinfo nodeinfo' '*'
sim_done
