#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# What libibverbs says of the local port, held against its PortInfo: by the
# double of libibverbs, tests/fake/verbs/program.h, and by the stock library,
# which has no device on the simulator.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need jq

verbs_new=$sim_build/tests/fake/verbs/.libs
verbs_old=$sim_build/tests/fake/verbs/old/.libs
verbs_lib=$verbs_new
port="H-0200000001000010 1"
export IBSPEED_FAKE_VERBS=$sim_dir/verbs

# has LINE...: a device with the port as its PortInfo has it, but for those.
has() {
	set_verbs "device ibsim0 0x0200000001000010" \
		"port 0x0200000001000011" "state 2" "lid 1" "active_mtu 4" \
		"port_speed 2000" "$@"
}

query() {
	sim_client LD_LIBRARY_PATH="$verbs_lib:$sim_build/.libs" "$@" \
		"$sim_ibspeed" query --format "$format" -D "$route" \
		2> "$sim_dir/said"
}

# says WHAT VERDICT SPEED JSON [NAME=VALUE...]: both lines of the text, of
# which the second may not be there, and the JSON without what is null.
says() {
	local what=$1 verdict=$2 speed=$3 json=$4 format route=0
	shift 4
	format=text
	query "$@" > "$sim_dir/printed"
	check_equal "$what: ends with 0" "$?" 0
	check_equal "$what: text" \
		"$(sed -n '/^Verbs /,$s/^\(Verbs\)\? *//p' "$sim_dir/printed")" \
		"$verdict${speed:+
ibv_query_port_speed: $speed}"
	format=json
	check_equal "$what: json" "$(query "$@" |
		jq -c '.verbs | map_values(select(. != null))')" "$json"
}

# agrees WHAT, differs WHAT MEMBER...
agrees() { differs "$1"; }
differs() {
	local what=$1 verdict="ibsim0 port 1 agrees with PortInfo" members
	shift
	[ $# -eq 0 ] ||
		verdict="ibsim0 port 1 differs from PortInfo: $*"
	members=$(printf '%s\n' "$@" | jq -cR . | grep -v '^""$' |
		paste -sd,)
	says "$what" "$verdict" "${gbps:-200} Gb/s" \
		'{"device":"ibsim0","port":1,"differs":['"$members"\
'],"port_speed_100mbps":'"${gbps:-200}0}"
}

# cannot WHAT ERROR: libibverbs cannot be asked.
cannot() {
	says "$1" "$2" "" \
		"$(jq -cn --arg error "$2" '{ error: $error, differs: [] }')" \
		"${@:3}"
}

# no_speed WHAT ERROR
no_speed() {
	says "$1" "ibsim0 port 1 agrees with PortInfo" "$2" \
		"$(jq -cn --arg error "$2" '{ device: "ibsim0", port: 1,
			differs: [], port_speed_error: $error }')"
}

members() {
	has
	agrees "as PortInfo has it"
	has "state 4" "phys_state 4" "active_mtu 5" "lid 9" "sm_lid 9" \
		"active_width 1" "active_speed 32" "port_speed 1000"
	gbps=100 differs "all members" state phys_state active_mtu lid \
		sm_lid active_width active_speed port_speed
	has "lid 9"
	differs "one member" lid
	has "port_speed 1000"
	gbps=100 differs "the speed alone" port_speed
	has "port_cap_flags 5" "gid_tbl_len 1" "max_mtu 5"
	agrees "members that are not compared"
}

speeds() {
	has "fail query_port_speed 95"
	no_speed "95" "Operation not supported"
	has "port_speed 0"
	no_speed "a provider without it" "Operation not supported"
	has "fail query_port_speed 93"
	no_speed "93" "Protocol not supported"
	has
	verbs_lib=$verbs_old
	no_speed "libibverbs without it" "not in this libibverbs"
	verbs_lib=$verbs_new
}

# What the values of PortInfo allow. Its bytes: 32 and 33 the states, 56 the
# speeds beyond NDR, 60 CapabilityMask2, 62 LinkSpeedExtActive.
values() {
	set_rules "$port set portinfo 56 29" "$port set portinfo 60 0c"
	has "active_speed 128" "port_speed 8000"
	gbps=800 agrees "XDR, which 8 bits cap to NDR"
	has "active_speed 64" "port_speed 8000"
	gbps=800 differs "XDR, but HDR" active_speed

	set_rules "$port set portinfo 62 07" "$port drop extportinfo"
	has "active_speed 8" "port_speed 400"
	gbps=40 agrees "FDR10, where nobody can tell it from QDR"
	has "active_speed 2" "port_speed 400"
	gbps=40 differs "DDR is neither" active_speed

	set_rules "$port set portinfo 62 f7"
	has "port_speed 77"
	says "a speed that is not known" \
		"ibsim0 port 1 agrees with PortInfo" "7.7 Gb/s" \
'{"device":"ibsim0","port":1,"differs":[],"port_speed_100mbps":77}'

	set_rules "$port set portinfo 32 71" "$port set portinfo 33 22"
	has "state 1" "phys_state 2" "active_mtu 1" "lid 9" "sm_lid 9" \
		"active_width 1" "active_speed 1" "port_speed 25"
	says "a Down port has nothing but its states" \
		"ibsim0 port 1 agrees with PortInfo" "2.5 Gb/s" \
'{"device":"ibsim0","port":1,"differs":[],"port_speed_100mbps":25}'
	has "lid 9"
	differs "which are compared" state phys_state
	set_rules
}

ports() {
	set_verbs "device eth0 0x10" "port 0x0200000001000011" "link_layer 2"
	cannot "an Ethernet port is not ours" \
		"no device: no device of libibverbs has this port"
	set_verbs "device other 0x10" "port 0x11" \
		"device ibsim0 0x0200000001000010" \
		"port 0x0200000001000011" "link_layer 2" \
		"port 0x0200000001000011 0xfec0000000000001" "link_layer 0" \
		"state 2" "lid 1" "active_mtu 4"
	says "the second port of the second device" \
		"ibsim0 port 2 agrees with PortInfo" "Operation not supported" \
'{"device":"ibsim0","port":2,"differs":[],'\
'"port_speed_error":"Operation not supported"}'
	set_verbs "device ibsim0 0x0200000001000011" "port 0x11"
	cannot "a node GUID is no port GUID" \
		"no device: no device of libibverbs has this port"
}

failures() {
	local none="no device: no device of libibverbs has this port"
	set_verbs
	cannot "no device" "no device: libibverbs has no device"
	set_verbs "fail list 38"
	cannot "no verbs" \
		"no verbs: libibverbs has no device: Function not implemented"
	has "fail open 13"
	cannot "no permission" "$none; ibsim0: Permission denied"
	# in these two the clock goes by the GUID of the node
	has "fail query_device 5"
	cannot "no device attributes" \
		"${none#*: }; ibsim0: Input/output error"
	has "fail query_gid 5"
	cannot "no GID" "${none#*: }; ibsim0: Input/output error"
	has "fail query_port 5"
	cannot "no port attributes" "$none; ibsim0: Input/output error"
	# the first is of the clock, the second finds the port
	has "fail query_port 5 3"
	says "none the third time" "ibv_query_port: Input/output error" "" \
'{"device":"ibsim0","port":1,"error":"ibv_query_port: Input/output error",'\
'"differs":[]}'
	has "device second 0x10" "fail open 13"
	agrees "a second device that cannot be opened"
	has "missing query_port"
	agrees "a provider of old"
}

elsewhere() {
	local format=json route=0,1
	has
	check_equal "another node's port is not asked of libibverbs" \
		"$(query | jq -c '[.node.guid, .verbs]')" \
		'["0x0200000005000200",null]'
}

# The double in LD_PRELOAD instead, with the others; and none at all.
ways() {
	local asan
	asan=$(sim_libasan)
	has
	verbs_lib=
	says "preloaded" "ibsim0 port 1 agrees with PortInfo" "200 Gb/s" \
'{"device":"ibsim0","port":1,"differs":[],"port_speed_100mbps":2000}' \
		LD_PRELOAD="${asan:+$asan:}$(sim_umad2sim):$sim_build\
/tests/sim/.libs/libsimpreload.so:$verbs_new/libibverbs.so.1"
	cannot "the stock library, which has no device here" \
		"no verbs: libibverbs has no device: Function not implemented"
}

start_ibsim demo.topo
members
speeds
values
ports
failures
elsewhere
ways
sim_done
