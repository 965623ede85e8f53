#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The clock of the readings, by the double of libibverbs, which writes down the
# truth (tests/fake/verbs/program.h): of ibspeed by itself and of the recorder
# below the real opensm.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm jq sqlite3

verbs=$sim_build/tests/fake/verbs/.libs
looks=$sim_build/tests/sim/.libs/libsimlooks.so
truth=$sim_dir/truth
device=("device ibsim0 0x0200000001000010" "port 0x0200000001000011")
export IBSPEED_FAKE_VERBS=$sim_dir/verbs
# A drop-in: the sanitizers do not like it to be preloaded.
sim_plugin_dir="$verbs:${sim_plugin_dir:-$sim_build/.libs}"

program() { set_verbs "log $truth" "$@"; }

clock_of() { sim_map ".sweep.clock | $1"; }
source_is() {
	sim_show
	[ "$(clock_of .source)" = "$1" ]
}

# in_truth TICKS FROM TO: the counter was so between these times.
in_truth() {
	awk -v ticks="$1" -v from="$2" -v to="$3" '
		$3 == ticks && $2 >= from && $2 <= to { n++ }
		END { exit !n }' "$truth"
}

# check_anchors WHAT: of the first sweep in the store.
check_anchors() {
	local row end
	row=$(sqlite3 -separator ' ' "$sim_db" "SELECT start_ticks,
		start_before_ns, start_after_ns, end_ticks, end_before_ns,
		end_after_ns FROM clock ORDER BY sweep LIMIT 1")
	for end in start end; do
		# shellcheck disable=SC2046 # three words
		check "$1: the anchor at the $end is true" in_truth \
			$(cut -d' ' -f"$([ $end = start ] && echo 1-3 ||
				echo 4-6)" <<< "$row")
	done
}

# Every reading of the map: the times of both ticks lie within what is stated.
# A count of ns below 2^53 is exact in jq and awk; 8 ns allow for more.
untrue_readings() {
	sim_map '[.links[] | .a, .b] + [.nodes[].ports[]] | .[].reading |
		select(. != null) | [.tx_ticks, .rx_ticks, .mono_ns, .half_ns] |
		join(" ")' | sort -u | awk '
		NR == FNR { ns[$3] = $2; next }
		{ n++ }
		!($1 in ns) || !($2 in ns) || ns[$1] < $3 - $4 - 8 ||
		ns[$2] > $3 + $4 + 8 || ns[$1] > ns[$2] {
			print ns[$1], ns[$2], $3, $4
		}
		END { print n + 0, "readings" }' "$truth" -
}

check_readings() {
	local said n
	said=$(untrue_readings)
	n=$(sim_map '[(.links[] | .a, .b), .nodes[].ports[]] |
		map(select(.read == "ok")) | length')
	check_equal "$1: every reading is true" "$said" "$n readings"
}

# What a map says but for its times.
without_times() {
	jq 'del(.sweep) | del(.. | objects | .since, .reading)' \
		"$sim_dir/map.json"
}

alone() {
	local n_smps
	program "${device[@]}" "khz 156250" "start 5000000000" "ppm 35"
	live_map
	check_equal "show --live: the source" "$(clock_of .source)" hca_raw
	check_equal "show --live: device, port, kHz" \
		"$(clock_of '[.device, .port, .khz, .mask, .convertible] |
			tojson')" \
		'["ibsim0",1,156250,"0x7fffffffffffffff",true]'
	check_readings "show --live"
	n_smps=$(sim_map .sweep.n_smps)
	check "two reads of the counter per SMP, and the anchors'" \
		[ "$(wc -l < "$truth")" -le $((2 * n_smps + 400)) ]
	check_equal "which end of a link was read first, by ticks and by times" \
		"$(sim_map '[.links[] | [.a, .b] | map(.reading) |
			(.[0].rx_ticks | tonumber) < (.[1].rx_ticks | tonumber)
			] | tojson')" \
		"$(sim_map '[.links[] | [.a, .b] | map(.reading) |
			.[0].mono_ns < .[1].mono_ns] | tojson')"

	live query -v -D 0 > "$sim_dir/printed"
	check "query -v: when, give or take" grep -qE \
		'^read_at:\.+20[0-9T:.-]+Z \+-[0-9.]+ us' "$sim_dir/printed"
	check "query -v: the ticks" grep -qE \
		'^ticks:\.+[0-9]+\.\.[0-9]+' "$sim_dir/printed"
	check "query -v: the clock" grep -q \
		'^Clock *hca_raw of ibsim0 port 1, 156250 kHz' "$sim_dir/printed"
}

# Nothing but the two sides of each SMP, and whether it is time to wait.
costs() {
	local n_smps n_looks
	: > "$sim_log"
	sim_client LD_PRELOAD="$(sim_umad2sim):$sim_build/tests/sim/.libs\
/libsimpreload.so:$looks" "$sim_ibspeed" show --live --format json \
		> "$sim_dir/map.json" 2> "$sim_dir/said"
	n_smps=$(sim_map .sweep.n_smps)
	n_looks=$(awk '$1 == "ibspeed" && $2 == "looks" { n += $3 }
		END { print n + 0 }' "$sim_log")
	check "the program looks at clocks: $n_looks times, $n_smps SMPs" \
		[ "$n_looks" -ge "$n_smps" ]
	check "four times per SMP at most, and the anchors'" \
		[ "$n_looks" -le $((4 * n_smps + 600)) ]
}

none() {
	rm -f "$IBSPEED_FAKE_VERBS"
	program
	live_map
	check_equal "no device" "$(clock_of '[.source, .reason, .convertible] |
		tojson')" '["host_monotonic_raw",'\
'"no device: libibverbs has no device",null]'
	check_equal "no device: no ticks" "$(sim_map '[.links[].a.reading |
		.tx_ticks, .rx_ticks] | unique | tojson')" '[null]'
	check "no device: but times" [ "$(sim_map '[.links[].a.reading |
		select(.half_ns > 0)] | length')" -gt 0 ]
	sim_plugin_dir=$sim_build/.libs live_map
	check_equal "the stock libibverbs on the simulator" \
		"$(clock_of '[.source, .reason] | join("; ")')" \
		"host_monotonic_raw; no verbs: libibverbs has no device: \
Function not implemented"
}

# records WHAT [-B]
records() {
	local what=$1 first
	shift
	: > "$truth"
	program "${device[@]}" "khz 156250" "start 5000000000" "ppm 35"
	start_plugin "$@" osmspeed.interval=1
	wait_map
	sim_show
	check_equal "$what: the source" "$(clock_of .source)" hca_raw
	first=$(sim_sweep_id)
	check "$what: a second sweep" wait_for 20 sim_newer_than "$first"
	check_anchors "$what" # the double writes its log late
	check_equal "$what: in the same epoch" "$(sqlite3 "$sim_db" \
		'SELECT count(DISTINCT epoch_ns) FROM clock')" 1
	check "$what: status tells it" wait_for 10 status_says \
		'^Clock *hca_raw of ibsim0 port 1, 156250 kHz \+3[45]\.[0-9]* ppm'
	without_times > "$sim_dir/before"
}

status_says() {
	"$sim_ibspeed" status --db "$sim_db" > "$sim_dir/status" 2>&1
	grep -qE "$1" "$sim_dir/status"
}

latest_epoch() {
	sqlite3 "$sim_db" \
		'SELECT epoch_ns FROM clock ORDER BY sweep DESC LIMIT 1'
}

dies() {
	local epoch
	epoch=$(latest_epoch)
	program "${device[@]}" "khz 156250" "start 5000000000" "dies +1"
	check "$1: the device dies" wait_for 20 source_is host_monotonic_raw
	check_equal "$1: and it says so" "$(clock_of .reason)" \
		"device gone: ibsim0"
	without_times > "$sim_dir/after"
	check_same "$1: the map is the same" "$sim_dir/before" "$sim_dir/after"
	check "$1: the recorder lives" sim_running ibspeed
	program "${device[@]}" "khz 156250" "start 7"
	check "$1: it is looked for again" wait_for 30 source_is hca_raw
	check "$1: in a new epoch" [ "$(latest_epoch)" != "$epoch" ]
}

start_ibsim demo.topo
alone
[ -n "$(sim_libasan)" ] || costs
none
records "opensm"
dies "opensm"
sim_reset
start_ibsim demo.topo
records "opensm -B" -B
sim_done
