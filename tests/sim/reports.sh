#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# What went wrong for people who run InfiniBand fabrics, each by the number
# that tests/reports.txt knows it by, and what would have been right.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need jq sqlite3

# Of demo.topo: node-NN is at port NN of leaf-1.
leaf1=S-0200000005000200
node1=H-0200000001000010
node2=H-0200000001000020
node3=H-0200000001000030

# One line of jq over the link at a port of leaf-1.
sim_link() {
	sim_map ".links[] | select(.a.name == \"leaf-1\" and .a.port == $1) |
		$2"
}

# name_rules NODE HEX...: the bytes of its NodeDescription; the rest is 0.
name_rules() {
	local node=$1 i
	shift
	for ((i = 0; i < 64; i++)); do
		echo "$node * set nodedesc $i ${1:-0}"
		[ $# -eq 0 ] || shift
	done
}

# named HEX...: node-02 has that name.
named() {
	local rules
	mapfile -t rules < <(name_rules "$node2" "$@")
	set_rules "${rules[@]}"
	live_map
}
sim_name_of_2() {
	sim_map '.links[] | .b | select(.guid == "0x0200000001000020") | .name'
}

# Hex bytes of a text.
bytes_of() { printf %s "$1" | od -An -v -tx1; }

# --- A: what runs at which speed
speeds() {
	set_rules "$leaf1 3 set portinfo 31 40" "$leaf1 4 set portinfo 62 30"
	check_status "R08: codes that nobody knows are read" 0 live_map
	check_equal "R08: an unknown width is unknown, not one of ours" \
		"$(sim_link 3 '[.a.width, .a.speed, .a.rate_enum,
			(.findings | index("unknown") != null)] | tojson')" \
		'[null,"EDR",null,true]'
	check_equal "R08: so is an unknown speed" "$(sim_link 4 \
		'[.a.width, .a.speed, .a.rate_enum] | tojson')" \
		'[4,"unknown",null]'
	live query -v --format json -D 0,1 3 > "$sim_dir/node.json"
	check_equal "R08: the code itself is kept" "$(jq \
		'.ports[0].raw.LinkWidthActive' "$sim_dir/node.json")" 64

	set_rules "$leaf1 2 set portinfo 31 1" "$leaf1 2 set portinfo 62 7" \
		"$leaf1 2 set portinfo 35 17" "$node2 1 set portinfo 31 1" \
		"$node2 1 set portinfo 62 7" "$node2 1 set portinfo 35 17"
	live show --live 1xSDR > "$sim_dir/printed"
	check_equal "R14: 1X SDR is 2.5 Gb/s" "$(awk '$1 == "leaf-1" {
		print $6, $7 }' "$sim_dir/printed")" "1xSDR 2.5"
	set_rules

	live_map
	check_equal "R34: a switch has links of several speeds" \
		"$(sim_map '[.links[] | select(.a.name == "leaf-1") | .a.speed] |
			unique | join(" ")')" "EDR HDR"
	check_equal "R34: and none of its own" "$(sim_map '[.nodes[] |
		select(.name == "leaf-1") | has("speed", "eff_100mbps",
			"rate_enum")] | tojson')" "[false,false,false]"
}

no_cable() {
	console "Unlink \"$node1\"[1]"
	check_status "R28: a local port without a cable" 0 \
		live query --format json -D 0
	check_equal "R28: is down and has no rate" "$(jq -c '.ports[0] |
		[.state, .width, .speed, .eff_100mbps, .rate_enum]' \
		"$sim_dir/printed")" '["down",null,null,0,null]'
	check_status "R28: nor is it an error of the whole" 0 live_map
	console "ReLink \"$node1\"[1]"
}

# --- B: who is there, and does not answer
keys() {
	local rules
	set_rules "$node2 1 silence"
	check_status "R38: a host that keeps its PortInfo to itself" 3 \
		live_map -t 50
	check_equal "R38: is in the map by its other end and as unread" \
		"$(sim_map '[.unread[] | [.guid, .port, .reason] | join(" ")] |
			join(",")') $(sim_link 2 '[.a.width, .a.speed] |
			join(" ")')" "0x0200000001000020 1 timeout 4 HDR"
	mapfile -t rules < <(for i in {0..7}; do
		echo "* * set portinfo $i 5c"
	done)
	set_rules "${rules[@]}"
	check_status "R38: an M_Key that comes along" 0 live sweep -v \
		--db "$sim_db" --format json
	check_not "R38: is not told" grep -qi 5c5c "$sim_dir/printed"
	check_equal "R38: and not kept" "$(sqlite3 -readonly "$sim_db" \
		"SELECT count(*) FROM port WHERE hex(portinfo) LIKE '%5C5C%'")" 0
	set_rules
}

guids() {
	# node-01's port has its node's GUID; node-02 is the same card's next
	# device, whose GUID is what a sum would give node-01's port.
	console "Guid \"$node2\" 0x0200000001000011"
	set_rules "$node1 * set nodeinfo 27 10"
	check_status "R42: port GUIDs that equal their node's" 0 live_map
	check_equal "R42: are taken as they are" "$(sim_map '.links[] | .b |
		select(.name == "node-01 hca-1" or .name == "node-02 hca-1") |
		[.guid, .port_guid, .instance] | join(" ")')" \
"0x0200000001000010 0x0200000001000010 0
0x0200000001000011 0x0200000001000012 0"
	live query --live --format json 0x0200000001000011 > \
		"$sim_dir/node.json"
	check_equal "R42: and find one node each" \
		"$(jq -r .node.name "$sim_dir/node.json")" "node-02 hca-1"
	set_rules
	console "Guid \"$node2\" 0x0200000001000020"
}

# A cable is pulled, a switch reboots, while they are read.
mid_sweep() {
	local job
	set_rules '* * delay 30 any'
	: > "$sim_log"
	live_map -t 100 &
	job=$!
	wait_for 10 grep -q "answered nodeinfo $node3" "$sim_log"
	echo "Unlink \"$node3\"[1]" >&9
	wait "$job"
	status=$?
	check "R44: a host that goes while it is read: $status is 0 or 3" \
		[ "$status" -eq 0 -o "$status" -eq 3 ]
	check_equal "R44: the others are read" "$(sim_map '[.links[] |
		select(.a.width == 4 and .b.width == 4) | .b.name] |
		map(select(startswith("node")) | .[5:7]) - ["03"] |
		join(" ")')" "01 02 04 05 06 07 08"
	set_rules
	check_status "R44: the next reading is whole" 0 live_map
	check_equal "R44: without the host" "$(sim_map '.links | length')" 11
	console "ReLink \"$node3\"[1]"
	console 'Clear "S-0200000005000300"[7]'
	console 'Clear "S-0200000005000300"[8]'
	check_status "R44: a switch that is gone" 0 live_map
	check_equal "R44: nothing is left of it" "$(sim_map '[.nodes[].name] |
		map(select(. == "leaf-2" or . == "node-05 hca-1")) | length')" 0
	console 'ReLink "S-0200000005000300"[7]'
	console 'ReLink "S-0200000005000300"[8]'
	check_status "R44: and back" 0 live_map
	check_equal "R44: is there as before" "$(sim_map '.links | length')" 12
}

# --- C: names
names() {
	local long
	long=$(printf 'n%.0s' {1..64})
	# shellcheck disable=SC2046 # bytes are words
	named $(bytes_of "$long")
	check_equal "R54: a name of 64 bytes is kept whole" \
		"$(sim_name_of_2)" "$long"
	# shellcheck disable=SC2046
	named $(bytes_of 'a b:c,d "e" (FDR10)')
	check_equal "R55: blanks, quotes, colons and commas are kept" \
		"$(sim_name_of_2)" 'a b:c,d "e" (FDR10)'
	live show --live --format csv > "$sim_dir/printed"
	check_equal "R55: rows of CSV have one number of fields" \
		"$(fields_of_csv < "$sim_dir/printed" | sort -u | wc -l)" 1
	named 6e e9 0 2d c3 a9 1b 5b 33 31 6d
	check_equal "R56: bytes that are no ASCII text are escaped" \
		"$(sim_name_of_2)" 'n\xe9\x00-\xc3\xa9\x1b[31m'
	check_equal "R56: the JSON is JSON" "$(jq empty "$sim_dir/map.json" &&
		echo yes)" yes
	live show --live > "$sim_dir/printed"
	check_not "R56: no other byte reaches the terminal" \
		env LC_ALL=C grep -qa '[^ -~]' "$sim_dir/printed"
	named
	check_equal "R53: a name may be empty" "$(sim_name_of_2)" ""
	check_equal "R53: that node is there all the same" \
		"$(sim_link 2 .b.guid)" 0x0200000001000020
	set_rules
}

# How many fields each line has; a quoted one may have commas in it.
fields_of_csv() {
	awk '{ gsub(/"([^"]|"")*"/, "q"); print gsub(/,/, ",") }'
}

# many_of_one_name TOPO: 60 hosts, which have nothing but their GUIDs.
many_of_one_name() {
	awk -v leaves=3 -v hosts=20 -v spines=2 -f "$sim_src/fattree.awk" |
		sed -E 's/"host-[0-9]+"/"MT4123 ConnectX6   Mellanox"/' \
			> "$sim_dir/one-name.topo"
	start_ibsim "$sim_dir/one-name.topo"
	check_status "R53: 60 hosts of one name" 0 live_map
	check_equal "R53: are 60 hosts" "$(sim_map '.summary |
		[.cas, .links] | join(" ")')" "60 66"
	check_status "R53: the name alone finds none" 2 \
		live query --live 'MT4123 ConnectX6   Mellanox'
	check "R53: but says how many there are" live_says 'any of 60 nodes'
	check_status "R53: a GUID does" 0 live query --live 0x1000000000000100
}

# Two devices at a fast leaf each, a third at a slow one.
rails() {
	cat > "$sim_dir/rails.topo" <<-'END'
	caguid=0x10
	Ca	1 "H-10"	# "n1 mlx5_0"
	[1]	"S-100"[1]	# "a" lid 0 4xHDR

	caguid=0x20
	Ca	1 "H-20"	# "n1 mlx5_1"
	[1]	"S-200"[1]	# "b" lid 0 4xHDR

	caguid=0x30
	Ca	1 "H-30"	# "n1 HCA-3"
	[1]	"S-300"[1]	# "c" lid 0 4xEDR

	switchguid=0x100(100)
	Switch	4 "S-100"	# "a"
	[1]	"H-10"[1]	# "n1 mlx5_0" lid 0 4xHDR
	[2]	"S-200"[2]	# "b" lid 0 4xHDR

	switchguid=0x200(200)
	Switch	4 "S-200"	# "b"
	[1]	"H-20"[1]	# "n1 mlx5_1" lid 0 4xHDR
	[2]	"S-100"[2]	# "a" lid 0 4xHDR
	[3]	"S-300"[2]	# "c" lid 0 4xEDR

	switchguid=0x300(300)
	Switch	4 "S-300"	# "c"
	[1]	"H-30"[1]	# "n1 HCA-3" lid 0 4xEDR
	[2]	"S-200"[3]	# "b" lid 0 4xEDR
	END
	start_ibsim "$sim_dir/rails.topo"
	check_status "R48: a host with rails" 0 live_map
	check_equal "R48: has a speed for each" "$(sim_map '.links[] | .b |
		select(.type == "ca") | [.name, .speed] | join(" ")' | sort)" \
"n1 HCA-3 EDR
n1 mlx5_0 HDR
n1 mlx5_1 HDR"
	check_status "R48: its name alone is not enough" 2 \
		live query --live n1
	check "R48: the candidates are listed" live_says 'n1 HCA-3'
}

start_ibsim demo.topo
speeds
no_cable
keys
guids
mid_sweep
names
check_equal "R31: all that was asked went by directed route" \
	"$(sim_count 'ibspeed wrong class')" 0
sim_reset
many_of_one_name
sim_reset
rails
sim_done
