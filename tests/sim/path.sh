#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# audit --path follows packets as opensm has routed them: the hops are those
# of ibtracert, the rate is that of the slowest link on them, and whether the
# PathRecord of the SA says the same is told. Wrong tables and silent switches
# end it where they are.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm ibtracert saquery jq awk

# Three leaves of two hosts, two spines: fattree.awk has the ids. Ports 3 and 4
# of a leaf go to the spines.
sim_tree=$sim_dir/tree.topo
awk -v leaves=3 -v hosts=2 -v spines=2 -f "$sim_src/fattree.awk" \
	> "$sim_tree" || sim_die "no fabric"
leaf0=S-2000000000000000
leaf2=S-2000000000000200
host5=H-1000000000000500

# path ARGUMENT...: what it says as JSON, into $sim_dir/path.json.
path() { live audit --path --format json "$@" > "$sim_dir/path.json"; }
path_is() { jq -r "$1" "$sim_dir/path.json"; }

# Both print a line per link: the port that packets leave by, the port they
# arrive at.
our_hops() {
	path_is '.links[] | [.a.port, .b.port_guid, .b.port] | join(" ")'
}
ibtracert_hops() {
	sim_client ibtracert "$@" 2> "$sim_dir/ibtracert.err" |
		sed -nE 's/^\[([0-9]+)\] -> .* port \{(0x[0-9a-f]+)\}\[([0-9]+)\].*/\1 \2 \3/p'
}

# The rate of the PathRecord that saquery gets, without its selector.
saquery_rate() {
	local rate
	rate=$(sim_client saquery PR --slid "$1" --dlid "$2" 2>/dev/null |
		sed -nE 's/^[[:space:]]*rate\.+(0x[0-9A-Fa-f]+).*/\1/p')
	echo $((rate & 0x3f))
}

# check_hops NAME SRC DST: as ibtracert goes between their LIDs.
check_hops() {
	path "$2" "$3" || echo "exit status $?"
	our_hops > "$sim_dir/ours"
	ibtracert_hops "$(path_is .src.lid)" "$(path_is .dlid)" \
		> "$sim_dir/theirs"
	check "$1: there are hops" [ -s "$sim_dir/theirs" ]
	check_same "$1: the hops of ibtracert" \
		"$sim_dir/ours" "$sim_dir/theirs"
	check_equal "$1: rate of the path, of its record, of saquery" \
		"$(path_is '"\(.rate_enum) \(.record.rate_enum)"')" \
		"17 $(saquery_rate "$(path_is .src.lid)" "$(path_is .dlid)")"
}

# check_end NAME STATUS "END AT/PORT": how the way from host-0 to host-5 ends.
check_end() {
	path host-0 host-5
	check_equal "$1: exit status" "$?" "$2"
	check_equal "$1: where it ends" \
		"$(path_is '[.end, .at.name, .at.port // empty] | join(" ")')" \
		"$3"
	check_equal "$1: a rate only when packets get there" \
		"$(path_is '.eff_100mbps // .rate_enum // .slowest')" null
}

start_ibsim "$sim_tree"
start_opensm
wait_for 30 sim_subnet_up || sim_die "no SUBNET UP"

for pair in host-0:host-1 host-0:host-5 host-5:host-0 host-2:host-4 \
	host-3:host-0 host-4:host-1; do
	check_hops "$pair" "${pair%:*}" "${pair#*:}"
done

path host-0/1 leaf-2
our_hops > "$sim_dir/ours"
ibtracert_hops "$(path_is .src.lid)" "$(path_is .dlid)" > "$sim_dir/theirs"
check_same "to a switch" "$sim_dir/ours" "$sim_dir/theirs"
path leaf-2 0x1000000000000101
our_hops > "$sim_dir/ours"
ibtracert_hops "$(path_is .src.lid)" "$(path_is .dlid)" > "$sim_dir/theirs"
check_same "from a switch to the GUID of a port" \
	"$sim_dir/ours" "$sim_dir/theirs"
check_status "from a port to itself" 0 live audit --path host-0 host-0/1
check "which is said" grep -q '^Path  *the same port' "$sim_dir/printed"
check_status "external port of a switch" 2 \
	live audit --path host-0 leaf-2/1
check_status "a port that is not there" 2 live audit --path host-0 host-5/2
check_status "no such node" 2 live audit --path host-0 nobody
check_status "several" 2 live audit --path host-0 leaf
check_status "one Get in 5 ms" 0 \
	live audit --path --max_rate 200 host-0 host-5

# Packets get there and answers do not, since nobody forwards them.
path host-0 host-5
set_rules "$leaf2 0 set lft $(path_is .slid) ff only=ibspeed"
path host-0 host-5
check_equal "the way back is not there: exit status" "$?" 4
check_equal "it alone" "$(path_is '[.end, .eff_100mbps, .back.end,
	.back.at.name] | map(tostring) | join(" ")')" \
	"arrived 2000 no-entry leaf-2"
no_way="no path, at leaf-2: the forwarding table has no port for the LID"
check_status "as text" 4 live audit --path host-0 host-5
check "it is told" grep -qx "Back  *$no_way" "$sim_dir/printed"
check_status "as CSV" 4 live audit --path --format csv host-0 host-5
check "it is told apart" live_says "^ibspeed: audit: the way back: $no_way\$"
check_status "the other way round" 4 \
	live audit --path --format csv host-5 host-0
check "it is told apart, too" live_says "^ibspeed: audit: $no_way\$"
check_equal "but the links so far" "$(wc -l < "$sim_dir/printed")" 2
set_rules
check_status "CSV of a path that is there" 0 \
	live audit --path --format csv host-0 host-5
check_not "has nothing to tell" grep -q "^ibspeed:" "$sim_dir/said"

# A host that may not ask the SA knows the path all the same.
for refused in register send; do
	IBSPEED_SIM_NO_SA=$refused live audit --path host-0 host-5 \
		> "$sim_dir/printed"
	check_equal "the SA cannot be asked, $refused: exit status" "$?" 0
	check "why is told" live_says '^ibspeed: cannot ask the SA: '
	check "and not as if there were no SA" grep -qx \
		'SA  *could not be asked for its PathRecord' "$sim_dir/printed"
	IBSPEED_SIM_NO_SA=$refused path host-0 host-5
	check_equal "in JSON too" "$(path_is '[.end, .record.read,
		.record.status, .record.rate_enum, .record.agrees] |
		map(tostring) | join(" ")')" "arrived failed null null null"
done

# A slash and digits may be of a name, of a port, or of both.
names=$sim_dir/names
named() {
	echo "$1" > "$names"
	shift
	path --node-name-map "$names" "$@"
	echo "$? $(path_is '.src | "\(.name) \(.port)"')"
}
check_equal "a port of a node before the beginning of a name" \
	"$(named '0x2000000000000000 "host-1/1x"' host-1/1 host-5)" \
	"0 host-1 1"
check_equal "a name before a port" \
	"$(named '0x1000000000000300 "host-1/1"' host-1/1 host-5)" \
	"0 host-1/1 1"
check_equal "the beginning of a name" \
	"$(named '0x1000000000000300 "h-1/12"' h-1/1 host-5)" "0 h-1/12 1"
check_equal "the beginning of a name, and a port" \
	"$(named '0x1000000000000300 "h-12"' h-1/1 host-5)" "0 h-12 1"
check_equal "a port before the beginning of several names" \
	"$(named '0x1000000000000200 "host-0/10"
0x1000000000000300 "host-0/11"' host-0/1 host-5)" "0 host-0 1"
for port in 255 256 -1 x ''; do
	check_status "no port can have that number: \"$port\"" 2 \
		live audit --path host-0/$port host-5
	check "which is said" live_says "port \"$port\": expected a number \
from 0 to 254"
done

# Every key of it has a name in ibspeed-map(5).
path -v host-0 host-5
jq -r '[paths | map(strings) | last // empty] | unique[]' \
	"$sim_dir/path.json" | grep -vE '^[A-Z]' > "$sim_dir/keys"
untold=$(sed -nE 's/^\.(It )?Cm //p' "$sim_src/../../man/ibspeed-map.5" |
	tr -c 'a-z_0-9\n' '\n' | sort -u |
	comm -13 - <(sort -u "$sim_dir/keys"))
check "there are keys" [ "$(wc -l < "$sim_dir/keys")" -gt 60 ]
check_equal "each key is told in ibspeed-map(5)" "$untold" ""

# The uplink that packets from host-0 to host-5 take, and where they arrive.
path host-0 host-5
up=$(path_is '.links[1].a.port')
spine=$(path_is '.links[1].b.guid')
spine=S-${spine#0x}
spine_name=$(path_is '.links[1].b.name')
spine_up=$(path_is '.links[1].b.port')
dlid=$(path_is .dlid)

# At EDR instead of HDR, after opensm has read it.
set_rules "$leaf0 $up set portinfo 62 27 only=ibspeed" \
	"$spine $spine_up set portinfo 62 27 only=ibspeed"
path host-0 host-5
check_equal "a slow link on the way: exit status" "$?" 0
check_equal "it is the slowest, the path has its rate" \
	"$(path_is '[.slowest, .eff_100mbps, .rate_enum, .rate_mult,
		.rate_mbps, .links[1].findings[0]] | join(" ")')" \
	"1 1000 16 40 103125 degraded-speed"
check_equal "the SA says another rate" \
	"$(path_is '[.record.read, .record.rate_enum, .record.eff_100mbps,
		.record.agrees] | map(tostring) | join(" ")')" \
	"ok 17 2000 false"
live audit --path host-0 host-5 > "$sim_dir/printed"
check "text names the slowest" grep -qx "Path  *leaf-0/$up -> \
$spine_name/$spine_up is the slowest: 4xEDR, 100 Gb/s; path 100 Gb/s, \
rate enum 16 (mult 40, 103125 Mb/s)" "$sim_dir/printed"
check "and what the SA says" grep -qx "SA  *its PathRecord says rate enum 17 \
(200 Gb/s): more than the slowest link carries" "$sim_dir/printed"
check_equal "csv has a line per link" \
	"$(live audit --path --format csv host-0 host-5 | cut -d, -f3,10,15,16)" \
	"a_port,b_port,width,speed
1,1,4,HDR
$up,$spine_up,4,EDR
$(path_is '.links[2:][] | "\(.a.port),\(.b.port),\(.active.width),\(.active.speed)"')"
path host-2 host-5
check_equal "another way is as good as before" \
	"$(path_is '"\(.eff_100mbps) \(.record.agrees)"')" "2000 true"

# Nobody can say what the slowest is when an end is silent.
set_rules "$leaf0 $up drop portinfo only=ibspeed"
path host-0 host-5
check_equal "a port that does not answer: exit status" "$?" 3
check_equal "its packets arrive all the same" \
	"$(path_is '[.end, .eff_100mbps] | map(tostring) | join(" ")')" \
	"arrived null"

set_rules "$spine * drop any only=ibspeed"
check_end "a silent switch" 3 "unknown-peer leaf-0 $up"
set_rules "$spine * drop lft only=ibspeed"
check_end "a silent table" 3 "unread-table $spine_name"
set_rules "$spine * status 1c switchinfo only=ibspeed"
check_end "a refused SwitchInfo" 3 "unread-table $spine_name"
set_rules "$leaf2 * drop any only=ibspeed" "$host5 * drop any only=ibspeed"
check_status "the destination is behind who is silent" 3 \
	live audit --path host-0 host-5
check "and that is said" live_says 'the map is incomplete'
echo '0x1000000000000200 "host-55"' > "$names"
for dst in host-5 host-5/1; do
	check_status "nobody answers for it whose name begins so: $dst" 3 \
		live audit --path --node-name-map "$names" host-0 $dst
	check "and that is said" live_says 'the map is incomplete'
done
echo '0x1000000000000200 "host-5"' > "$names"
check_status "a whole name is enough" 0 \
	live audit --path --node-name-map "$names" host-0 host-5/1

# Tables that lead nowhere. Byte N of a block is the port for LID N.
set_rules "$spine 0 set lft $dlid ff only=ibspeed"
check_end "no entry" 4 "no-entry $spine_name"
set_rules "$spine 0 set lft $dlid 0 only=ibspeed"
check_end "an entry for the switch itself" 4 "kept $spine_name 0"
set_rules "$spine 0 set lft $dlid 63 only=ibspeed"
check_end "an entry for a port that is not there" 4 "no-port $spine_name 99"
set_rules "$spine 0 set lft $dlid $spine_up only=ibspeed"
check_end "back to where they came from" 4 "loop leaf-0"
set_rules "$leaf0 0 set lft $dlid 2 only=ibspeed"
check_end "to another host" 4 "stray host-1 1"
set_rules "* * set switchinfo 6 0 only=ibspeed" \
	"* * set switchinfo 7 1 only=ibspeed"
check_end "a LID above the top" 4 "above-top leaf-0"
set_rules "$leaf0 $up set portinfo 32 12 only=ibspeed"
check_end "a link that is up and not Active" 4 "not-active leaf-0 $up"
set_rules "$host5 1 set portinfo 16 0 only=ibspeed" \
	"$host5 1 set portinfo 17 0 only=ibspeed"
check_end "a destination without a LID" 4 "no-lid host-5 1"

# Without its SM the fabric still forwards.
set_rules
stop_program opensm
path host-0 host-5
check_equal "no SM: exit status" "$?" 0
check_equal "no SM: the path is known, its record is not" \
	"$(path_is '[.eff_100mbps, .record.read, .record.agrees] |
		map(tostring) | join(" ")')" "2000 timeout null"
console "Unlink \"$leaf0\"[$up]"
check_end "a cable that was pulled" 4 "not-active leaf-0 $up"
path host-1 host-0
check_equal "not on the way to a neighbour" "$?" 0

# Two LIDs each: two ways.
sim_reset
start_ibsim "$sim_tree"
start_opensm "lmc 1"
wait_for 30 sim_subnet_up || sim_die "no SUBNET UP with two LIDs"
path host-0 host-5
first=$(path_is .dlid)
src=$(path_is .src.lid)
check_equal "LMC" "$(path_is .dst.lmc)" 1
for lid in "$first" $((first + 1)); do
	path -L "$src" "$lid"
	check_equal "LID $lid of two: the SA knows it" \
		"$(path_is '"\(.dlid) \(.record.read) \(.record.agrees)"')" \
		"$lid ok true"
	our_hops > "$sim_dir/ours"
	ibtracert_hops "$src" "$lid" > "$sim_dir/theirs"
	check_same "LID $lid of two: the hops of ibtracert" \
		"$sim_dir/ours" "$sim_dir/theirs"
	path_is '.links[1].a.port' >> "$sim_dir/uplinks"
	path -L "$lid" "$src"
	check_equal "LID $lid of two: packets come from it, answers go to it" \
		"$(path_is '[.slid, .dlid, .back.slid, .back.dlid,
			.record.read] | join(" ")')" \
		"$lid $src $src $lid ok"
	path_is '.back.links[1].a.port' >> "$sim_dir/back_uplinks"
done
check_equal "both uplinks are taken" \
	"$(sort "$sim_dir/uplinks" | paste -sd' ')" "3 4"
check_same "by answers too" "$sim_dir/uplinks" "$sim_dir/back_uplinks"
sim_done
