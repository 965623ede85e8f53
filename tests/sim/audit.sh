#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# ibspeed audit on a fat tree with the real opensm: nothing as long as it is
# healthy; then one thing after another goes wrong, and each gives exactly its
# finding or note, its reason, what it costs and its exit status, and is gone
# when it is mended.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm ibportstate iblinkinfo jq

# Ids of the fat tree: three leaves of four hosts each, two spines. The SM is
# on host-0, which is behind port 1 of leaf-0.
host() { printf 'H-1%015x' $((256 * $1)); }
leaf() { printf 'S-2%015x' $((256 * $1)); }
spine() { printf 'S-3%015x' $((256 * $1)); }

topology=$sim_dir/fattree.topo
awk -v leaves=3 -v hosts=4 -v spines=2 -f "$sim_src/fattree.awk" \
	> "$topology"

# audit [ARGUMENT...]: into $sim_dir/audit.json; its exit status.
audit() {
	timeout -s KILL 60 "$sim_ibspeed" audit --db "$sim_db" \
		--policy "$sim_dir/policy.conf" --format json "$@" \
		> "$sim_dir/audit.json" 2> "$sim_dir/said" 9>&-
}

# One line per link: both ends, findings, Gb/s lost, codes of the reasons.
listed() {
	jq -r '.links[] | [([.a, .b | "\(.name)/\(.port)"] | .[]),
		(.findings | join(",")), ((.lost_100mbps // 0) / 10),
		([.reasons[].code] | join(","))] | join(" ")' \
		"$sim_dir/audit.json"
}

# check_audit WHAT STATUS "LINES" [ARGUMENT...]
check_audit() {
	local what=$1 status=$2 lines=$3
	shift 3
	audit "$@"
	check_equal "$what: exit status" "$?" "$status"
	check_equal "$what: what is listed" "$(listed)" "$lines"
}

# check_nagios WHAT STATUS "WORDS": its one line, up to the perfdata.
check_nagios() {
	local status
	audit --nagios
	status=$?
	check_equal "$1, for Nagios: exit status" "$status" "$2"
	check_equal "$1, for Nagios: its line" \
		"$(sed 's/ |.*//' "$sim_dir/audit.json")" "IBSPEED $3"
}

# now WHAT STATUS "LINES": the same after opensm has swept again; what a trap
# tells the recorder before may be recorded first.
now() {
	next_map
	wait_for 10 lists "$3"
	check_audit "$@"
}
lists() {
	audit
	[ "$(listed)" = "$1" ]
}

# reason: the text of the first reason.
reason() { jq -r '.links[0].reasons[0].text' "$sim_dir/audit.json"; }

# capacity ROLE: Gb/s that there are and that there should be.
capacity() {
	jq -r --arg role "$1" '.audit.capacity[$role]
		| [.eff_100mbps / 10, .should_100mbps / 10] | join(" ")' \
		"$sim_dir/audit.json"
}

# As capacity.awk prints it, of what there should be.
our_capacity() {
	jq -r '(.switches[] | .name as $name | ("up", "down") as $way
		| .[$way] | select(.n_links > 0)
		| [$name, $way, .n_links, .should_100mbps / 10] | join(" ")),
		(.audit.capacity.total
		| ["total", .n_links, .should_100mbps / 10] | join(" "))' \
		"$sim_dir/audit.json" | sort
}

# set_enabled PORT WIDTH: LinkWidthEnabled of a port of leaf-0.
set_enabled() {
	sim_client ibportstate -D 0,1 "$1" width "$2" \
		> "$sim_dir/ibportstate.out" 2>&1 ||
		sim_die "ibportstate: $(cat "$sim_dir/ibportstate.out")"
}

swap() {
	console "Unlink \"$(host 1)\"[1]"
	console "Unlink \"$(host 5)\"[1]"
	console "Link \"$(host 1)\"[1] \"$(leaf "$1")\"[2]"
	console "Link \"$(host 5)\"[1] \"$(leaf "$2")\"[2]"
}

: > "$sim_dir/policy.conf"
start_ibsim "$topology"
start_plugin
wait_map

# --- healthy -----------------------------------------------------------

check_audit "healthy" 0 ""
check_equal "healthy: nothing in the text either" \
	"$("$sim_ibspeed" audit --db "$sim_db" | grep -E 'NAME|[0-9]X')" ""
# R64: every port of the simulator supports 12X, and enables 4X.
sim_client iblinkinfo -l > "$sim_dir/iblinkinfo" 2>&1
check "where iblinkinfo complains of every link that is up" \
	[ "$(grep -c 'Could be 12X' "$sim_dir/iblinkinfo")" -ge 18 ]
check_equal "of all of them" "$(grep -F '==(' "$sim_dir/iblinkinfo" |
	grep -vc -e 'Could be 12X' -e Down)" 0
audit -v
check_equal "capacities, as counted from the fabric file" "$(our_capacity)" \
	"$(awk -f "$sim_src/capacity.awk" "$topology" | sort)"
check_equal "all of it is there" "$(capacity total)" "3600 3600"

# --- a lane lost -------------------------------------------------------

set_rules "$(leaf 0) 2 set portinfo 31 1" "$(host 1) 1 set portinfo 31 1"
now "a lane lost" 1 "leaf-0/2 host-1/1 degraded-width 150 lanes-lost"
check_equal "a lane lost: why" "$(reason)" \
	"width 1X, both ends enable 4X: reseat or replace the cable"
check_equal "a lane lost: its capacity" "$(capacity switch-host)" "2250 2400"
check_equal "a lane lost: its switch" "$("$sim_ibspeed" audit --db "$sim_db" |
	grep '^leaf.*full')" "leaf-0: 3 of 4 host links full, 1 at a quarter: \
81.3 % of 800 Gb/s"
check_nagios "a lane lost" 2 "CRITICAL - 1 finding, 0 notes on 18 links, \
150 of 3600 Gb/s lost, most by leaf-0/2 - host-1: 150"
audit
lost_at=$(jq -r '.sweep.end' "$sim_dir/audit.json")
set_rules
now "a lane mended" 0 ""

# --- an enabled set narrowed -------------------------------------------

set_enabled 2 1
narrow="leaf-0/2 host-1/1"
now "narrowed" 0 "$narrow limited-by-config 0 enables-less"
check_equal "narrowed: why" "$(reason)" "leaf-0/2 enables 1X only \
(LinkWidthEnabled 0x01), host-1/1 4X: set it or expect 1X"
check_audit "narrowed, strictly" 1 \
	"$narrow limited-by-config 0 enables-less" --strict
printf '[hosts]\nrole = switch-host\nexpect = 4xHDR\n' \
	> "$sim_dir/policy.conf"
check_audit "narrowed, by a policy" 1 "$narrow below-policy,limited-by-config \
150 below-expect,enables-less"
check_equal "narrowed, by a policy: why" "$(reason)" \
	"1xHDR, [hosts] of $sim_dir/policy.conf:3 expects 4xHDR"
check_equal "narrowed, by a policy: its capacity" \
	"$(capacity switch-host)" "2250 2400"
set_enabled 2 3
now "wide again" 0 ""
: > "$sim_dir/policy.conf"

# --- unplugged ---------------------------------------------------------

"$sim_ibspeed" audit --db "$sim_db" --accept > "$sim_dir/accepted"
check "the baseline is all links" \
	grep -q '^18 links accepted by ' "$sim_dir/accepted"
check_audit "as accepted" 0 ""
console "Unlink \"$(host 5)\"[1]"
now "unplugged" 1 "leaf-1/2 host-5/1 missing 200 link-down"
check_equal "unplugged: its capacity" "$(capacity switch-host)" "2200 2400"
check "unplugged: why" grep -q 'leaf-1/2 is down, the baseline of' \
	<(reason)
"$sim_ibspeed" audit --db "$sim_db" --waive leaf-1 2 --until 2199-01-31 \
	--reason "RMA 4711" > "$sim_dir/waived"
check_audit "unplugged and waived" 0 "leaf-1/2 host-5/1 missing 200 link-down"
check_equal "waived: why" "$(jq -r '.links[0].waiver.reason' \
	"$sim_dir/audit.json")" "RMA 4711"
"$sim_ibspeed" audit --db "$sim_db" --waive leaf-1 2 --until now \
	> "$sim_dir/waived"
check_audit "no longer waived" 1 "leaf-1/2 host-5/1 missing 200 link-down"
"$sim_ibspeed" audit --db "$sim_db" --waive host-5 --until 2199-01-31 \
	--reason "gone for repair" > "$sim_dir/waived"
check_audit "waived by a host that is gone" 0 \
	"leaf-1/2 host-5/1 missing 200 link-down"
"$sim_ibspeed" audit --db "$sim_db" --waive host-5 --until now \
	> "$sim_dir/waived"
console "ReLink \"$(host 5)\"[1]"
now "plugged in" 0 ""
printf '[flaps]\nflaps = 1/1d\n' > "$sim_dir/policy.conf"
check_audit "unplugged and back: two changes" 1 \
	"leaf-1/2 host-5/1 flapping 0 changes" --node host-5
: > "$sim_dir/policy.conf"

# --- a cable between two spines' worth of switches ----------------------

console "Unlink \"$(leaf 2)\"[5]"
now "an uplink unplugged" 1 "leaf-2/5 spine-0/3 missing 200 link-down"
check_equal "an uplink unplugged: its switches" \
	"$("$sim_ibspeed" audit --db "$sim_db" | grep -E '^(leaf|spine).*full')" \
	"leaf-2: 1 of 2 uplinks full, 1 down: 50 % of 400 Gb/s
spine-0: 2 of 3 switch links full, 1 down: 66.7 % of 600 Gb/s"
console "ReLink \"$(leaf 2)\"[5]"
now "the uplink plugged in" 0 ""

# --- swapped cables ----------------------------------------------------

swap 1 0
now "two cables swapped" 0 "leaf-0/2 host-5/1 moved 0 elsewhere,elsewhere
leaf-1/2 host-1/1 moved 0 elsewhere,elsewhere"
check "swapped: why" grep -q ' has leaf-0/2 at host-1/1$' <(reason)
check_equal "swapped: nothing is lost" "$(capacity total)" "3600 3600"
check_audit "swapped, strictly" 1 "leaf-0/2 host-5/1 moved 0 elsewhere,elsewhere
leaf-1/2 host-1/1 moved 0 elsewhere,elsewhere" --strict
swap 0 1
now "swapped back" 0 ""

# --- a switch that stops answering -------------------------------------

set_rules "$(spine 1) * drop any"
now "a silent switch" 3 "leaf-0/6 spine-1/1 unknown 0 no-answer
leaf-1/6 spine-1/2 unknown 0 no-answer
leaf-2/6 spine-1/3 unknown 0 no-answer"
check_equal "a silent switch: what is known" "$(capacity switch-switch)" \
	"600 600"
check_equal "a silent switch: how many are not" "$(jq \
	'.audit.capacity."switch-switch".n_unknown' "$sim_dir/audit.json")" 3
check_nagios "a silent switch" 1 "WARNING - 0 findings, 0 notes on 18 links, \
0 of 3000 Gb/s lost, 4 ports did not answer"
set_rules
now "it answers again" 0 ""

# --- the fabric itself, and the past ------------------------------------

live audit --live --db "$sim_db" --format json > "$sim_dir/audit.json"
check_equal "the fabric itself: exit status" "$?" 0
check_equal "the fabric itself: nothing" "$(listed)" ""
check_audit "before the first sweep" 4 "" --at @1700000000
# Nothing was accepted by then.
check_audit "when a lane was lost" 1 \
	"leaf-0/2 host-1/1 degraded-width 150 lanes-lost" --at "$lost_at"
check_audit "and now" 0 "" --at "@$(($(date +%s) + 1))"

# --- OpenSM's own options ----------------------------------------------

sim_reset
start_ibsim "$topology"
start_opensm "event_plugin_name osmspeed" \
	"event_plugin_options $(sim_plugin_options)" "force_link_width 1"
wait_map
next_map
audit
check_equal "forced by OpenSM: exit status" "$?" 0
check_equal "forced by OpenSM: all links, and nothing else" \
	"$(listed | cut -d ' ' -f 3- | sort | uniq -c | xargs)" \
	"18 limited-by-config 0 sm-forces"
check_equal "forced by OpenSM: why" "$(reason)" "limited to 1X by \
force_link_width 1 in opensm.conf, both ends support 12X"

# --- many speeds -------------------------------------------------------

sim_reset
start_ibsim mixed.topo
live audit --live -v --format json > "$sim_dir/audit.json"
check_equal "links of many speeds: exit status" "$?" 0
check_equal "links of many speeds: nothing" "$(listed)" ""
check_equal "links of many speeds: capacities, as counted from the file" \
	"$(our_capacity)" "$(awk -f "$sim_src/capacity.awk" \
		"$sim_src/fabrics/mixed.topo" | sort)"
sim_done
