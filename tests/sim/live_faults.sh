#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A fabric of 600 hosts and 30 switches in trouble: hosts that are silent, lost
# answers, a simulator that dies in mid-sweep.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need jq

timeout_ms=50
# Three tries; ours ends 100 ms after the driver should have said so.
chain_ms=$((3 * (timeout_ms + 100)))
n_silent=40

took_ms=0
# reads [ARGUMENT...]: into the map; how long that took is in $took_ms.
reads() {
	local begin
	begin=$(date +%s%3N)
	live_map -t "$timeout_ms" "$@"
	status=$?
	took_ms=$(($(date +%s%3N) - begin))
}
sweep_count() { sim_map ".sweep.$1"; }

# silence NAME...: rules for hosts that answer nothing.
silence() {
	awk -v names="$*" 'BEGIN { n = split(names, wanted, " ")
		while (n > 0) { is_wanted[wanted[n--]] = 1 } }
		/^Ca/ { split($0, part, "\"")
			if (part[4] in is_wanted) {
				print part[2], "* silence any" } }' \
		"$sim_dir/tree.topo" > "$sim_rules.new"
	mv "$sim_rules.new" "$sim_rules"
}

# The links of all but the named hosts.
sim_map_but() {
	jq -r --arg hosts "$*" '($hosts | split(" ")) as $hosts |
		.links[] | [.a, .b] | map(select(. != null)) |
		select(length == 2 and all(.name as $name |
			$hosts | index($name) | not)) |
		map(del(.reading) | tojson) | sort | join(" ")' \
		"$sim_dir/map.json" | sort
}

# silent WHAT CHAINS ARGUMENT... -- HOST...: they do not answer; the others
# are read, and that takes so many chains of time-outs at most.
silent() {
	local what=$1 chains=$2 arguments=() hosts limit_ms
	shift 2
	while [ "$1" != -- ]; do
		arguments+=("$1")
		shift
	done
	shift
	hosts=("$@")
	reads "${arguments[@]}"
	sim_map_but "${hosts[@]}" > "$sim_dir/wanted"
	limit_ms=$((3 * took_ms + chains * chain_ms))
	silence "${hosts[@]}"
	check_equal "$what: so many are silent" "$(wc -l < "$sim_rules")" \
		"$n_silent"
	reads "${arguments[@]}"
	check_equal "R37: $what: ends with 3" "$status" 3
	check "R37: $what: $took_ms ms, $limit_ms ms allowed" \
		[ "$took_ms" -le "$limit_ms" ]
	check_equal "R37: $what: each silent one is named by its path" \
		"$(sim_map '[.unread[] | select(.reason == "timeout" and
			.tries == 3 and .path != null)] | length')" "$n_silent"
	sim_map_but "${hosts[@]}" > "$sim_dir/ours"
	check_same "R37: $what: all others are read" "$sim_dir/ours" \
		"$sim_dir/wanted"
	set_rules
}

awk -v leaves=20 -v hosts=30 -v spines=10 -f "$sim_src/fattree.awk" \
	> "$sim_dir/tree.topo"
start_ibsim "$sim_dir/tree.topo"

# Two at each leaf, and all of a leaf with ten of the next one.
mapfile -t spread < <(for i in {1..20}; do
	echo "host-$((30 * i - 3))"
	echo "host-$((30 * i - 18))"
done)
mapfile -t clustered < <(printf 'host-%d\n' {30..69})
silent "two at each leaf" 3 -- "${spread[@]}"
silent "two at each leaf, a wide window" 3 -o 128 -- "${spread[@]}"
silent "a whole leaf" 3 -- "${clustered[@]}"
silent "a whole leaf, a wide window" 3 -o 128 -- "${clustered[@]}"

# --- one answer in ten is lost
reads
whole_ms=$took_ms
sim_whole_map > "$sim_dir/wanted"
n_smps=$(sweep_count n_smps)
set_rules '* * drop any share=10'
reads --retries 10
check_equal "10 % lost: ends with 0" "$status" 0
sim_whole_map > "$sim_dir/ours"
check_same "10 % lost: the map is the same" "$sim_dir/ours" "$sim_dir/wanted"
check "10 % lost: $(sweep_count n_retries) retries are counted, of $n_smps" \
	[ "$(sweep_count n_retries)" -gt $((n_smps / 20)) ]
check_equal "10 % lost: so are the time-outs" "$(sweep_count n_timeouts)" \
	"$(sweep_count n_retries)"
check_equal "10 % lost: the Gets that were sent" "$(sweep_count n_smps)" \
	$((n_smps + $(sweep_count n_retries)))
check "10 % lost: $took_ms ms, without $whole_ms ms" \
	[ "$took_ms" -le $((3 * whole_ms + 1000)) ]
reads --retries 0
check_equal "10 % lost and no retries: ends with 3" "$status" 3
check_equal "10 % lost and no retries: it says so" \
	"$(sim_map .sweep.complete)" false

# --- the simulator dies in mid-sweep
half_way() { [ "$(sim_count 'ibspeed answered')" -gt 200 ]; }

# dies ARGUMENT...
dies() {
	local what=$1 begin=$SECONDS job
	: > "$sim_log"
	live "$@" > "$sim_dir/printed" &
	job=$!
	wait_for 20 half_way || sim_die "the sweep does not begin"
	kill -KILL "$(sim_pid ibsim)"
	wait "$job"
	status=$?
	check "$what: ends with 4 or 3 when the fabric is gone: $status" \
		[ "$status" -eq 4 -o "$status" -eq 3 ]
	check "$what: at once: $((SECONDS - begin)) s" \
		[ $((SECONDS - begin)) -le 10 ]
	check_not "$what: it prints no map" grep -q complete \
		"$sim_dir/printed"
}

set_rules
check_status "a sweep that is recorded" 0 live sweep --db "$sim_db"
set_rules '* * delay 20 any'
dies sweep --db "$sim_db"
check_equal "no part of a map is recorded" "$(timeout 60 "$sim_ibspeed" \
	show --db "$sim_db" --format json |
	jq -r '[.sweep.id, .sweep.complete] | join(" ")')" "1 true"
sim_reset
start_ibsim "$sim_dir/tree.topo"
set_rules '* * delay 20 any'
dies show --live
sim_done
