#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Fabrics of unusual shape and nodes of unusual identity, read live. The
# number of a report names what somebody met in the field.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need iblinkinfo jq

# One line per link: node:port of both ends, width and speed.
sim_links() {
	sim_map '.links[] | [.a, .b] | map(select(. != null)) |
		([.[] | "\(.name):\(.port)"] | join(" ")) +
		(.[0] | " \(.width)x\(.speed)")' | sort
}
sim_nodes() {
	sim_map '.summary | "\(.switches) switches, \(.cas) CAs, " +
		"\(.routers) routers"'
}
complete() { sim_map '[.sweep.complete, (.unread | length)] | join(" ")'; }

# --- odd.topo
start_ibsim odd.topo
check_status "odd.topo is read" 0 live_map
check_equal "R49: only the island that we are on, and that is no error" \
	"$(complete), $(sim_nodes)" "true 0, 1 switches, 2 CAs, 1 routers"
check_equal "R46: two ports of a host at one switch; its second port only; \
a router; a switch cabled to itself; a plug" "$(sim_links)" \
"leaf-1:1 host-1:1 4xHDR
leaf-1:2 host-1:2 4xHDR
leaf-1:3 host-2:2 4xEDR
leaf-1:4 router-1:1 4xEDR
leaf-1:5 leaf-1:6 4xHDR
leaf-1:7 4xHDR"
check_equal "R46: each link has its own LID, R41: or what stands for none" \
	"$(sim_map '[.links[] | .b.lid] | tojson')" "[null,1,2,65535,0,10]"
check_equal "R46: and its own port GUID" "$(sim_map '[.links[] |
	select(.b.type == "ca") | .b.port_guid[-4:]] | join(" ")')" \
	"0011 0012 0022"
check_equal "the two ends of the cable within a switch are two" \
	"$(sim_map '[.links[] | select(.a.port == 5) |
		.a.port, .b.port] | tojson')" "[5,6]"
sim_map_ends > "$sim_dir/ours"
sim_iblinkinfo_ends > "$sim_dir/theirs"
check_same "every port end as iblinkinfo has it" "$sim_dir/ours" \
	"$sim_dir/theirs"
check_status "R41: a LID that is none finds nothing" 2 \
	live query --live -L 65535
check_status "R41: but a route does" 0 live query -D 0,1,3
check_status "R46: a port GUID finds its node" 0 \
	live query --live 0x0200000001000012
console 'Guid "H-0200000001000020" 0x0200000001000010'
check_status "R39: a host with the GUID of one with two ports" 0 live_map
check_equal "R39: each port's bytes are its own" \
	"$(sim_map '[.links[] | select(.findings | index("mismatch"))] |
		length')" 0
sim_reset

# --- two hosts and a cable
start_ibsim pair.topo
check_status "R47: CA to CA is read" 0 live_map
check_equal "R47: one link and no switch" \
	"$(complete), $(sim_nodes), $(sim_links)" \
	"true 0, 0 switches, 2 CAs, 0 routers, host-1:1 host-2:1 4xQDR"
check_status "R47: and recorded, without an SM" 0 \
	live sweep --db "$sim_db"
check_status "R47: and shown" 0 live show --db "$sim_db"
check_equal "LID 0" "$(sim_map '[.links[] | .a.lid, .b.lid] | tojson')" \
	"[0,0]"
sim_reset

# --- GUIDs that are not unique, or none
start_ibsim demo.topo
live_map
sim_links > "$sim_dir/clean"
console 'Guid "H-0200000001000020" 0x0200000001000030'
check_status "R39: two nodes with one GUID are read" 0 live_map
sim_links > "$sim_dir/ours"
check_same "R39: each with its own link" "$sim_dir/ours" "$sim_dir/clean"
check_equal "R39: they are told apart" "$(sim_map '[.nodes[] |
	select(.guid == "0x0200000001000030") | .instance] | tojson')" "[0,1]"
check_equal "R39: no node is missing" "$(sim_nodes)" \
	"3 switches, 8 CAs, 0 routers"
console 'Guid "S-0200000005000100" 0x0200000005000300'
check_status "R39: what is behind the second is not said to be complete" 3 \
	live_map
check_equal "R39: two switches with one GUID: both are there" \
	"$(sim_map '[.nodes[] | select(.guid == "0x0200000005000300") |
		.name] | sort | join(",")')" \
	"leaf-2,spine-1"
console 'Guid "S-0200000005000100" 0x0200000005000100'
console 'Guid "H-0200000001000020" 0x0'
console 'Guid "H-0200000001000030" 0x0'
check_status "R43: two nodes with GUID 0 are read" 0 live_map
sim_links > "$sim_dir/ours"
check_same "R43: each with its own link" "$sim_dir/ours" "$sim_dir/clean"
check_status "R43: and recorded" 0 live sweep --db "$sim_db"
check_status "R43: and shown" 0 sim_show
sim_links > "$sim_dir/ours"
check_same "R43: each with its own link" "$sim_dir/ours" "$sim_dir/clean"
sim_reset

# --- a chain that is longer than a directed route can be
# chain N: a host and N switches in a row.
chain() {
	awk -v n="$1" '
	function switch_id(i) { return sprintf("S-%016x", 4096 + 16 * i) }
	function port(num, peer, peer_num) {
		printf "[%d]\t\"%s\"[%d]\t# \"x\" lid 1 4xHDR\n", num, peer,
			peer_num
	}
	BEGIN {
		host = "H-0000000000000010"
		print "caguid=0x10\nCa\t1 \"" host "\"\t# \"host\""
		port(1, switch_id(0), 1)
		for (i = 0; i < n; i++) {
			guid = sprintf("%x", 4096 + 16 * i)
			printf "\nswitchguid=0x%s(%s)\n", guid, guid
			printf "Switch\t2 \"%s\"\t# \"s-%d\"\n", switch_id(i), i
			port(1, i ? switch_id(i - 1) : host, i ? 2 : 1)
			if (i < n - 1) {
				port(2, switch_id(i + 1), 1)
			}
		}
	}'
}
chain 70 > "$sim_dir/chain.topo"
start_ibsim "$sim_dir/chain.topo"
check_status "a chain of 70 switches is read, and not all of it" 3 live_map
check_equal "as far as 63 hops reach" "$(sim_nodes)" \
	"63 switches, 1 CAs, 0 routers"
check_equal "the last link says that its peer is not known" \
	"$(sim_map '.links[] | select(.b == null) |
		[.a.name, .a.port, (.findings | join(","))] | join(" ")')" \
	"s-62 2 unknown"
sim_done
