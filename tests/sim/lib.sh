# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash disable=SC2034,SC2119,SC2120
# (what only the tests use, and functions that take no arguments here)
#
# What all simulator tests share: ibsim with a fabric of its own, the real
# opensm, clients, and the end of all of them. A test is
#
#	. "$(dirname "$0")/lib.sh" || exit 1
#	sim_need opensm
#	start_ibsim demo.topo
#	start_opensm
#	wait_for 20 sim_subnet_up
#	...
#	sim_done
#
# Everything that is started shares one private IBSIM_SOCKNAME and is found by
# it in /proc/*/environ, so that nothing is ever stopped that is not ours, and
# nothing of ours is overlooked. All files are in $sim_dir, which goes at the
# end; IBSPEED_SIM_KEEP=1 keeps it.
set -u

# make runs the tests in the build directory.
sim_src=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
sim_build=${IBSPEED_BUILD:-$PWD}
sim_ibspeed=${IBSPEED_PROGRAM:-$sim_build/ibspeed}
sim_test=$(basename "$0" .sh)

sim_dir=$(mktemp -d "${TMPDIR:-/tmp}/ibspeed-sim.XXXXXX") || exit 1
sim_db=$sim_dir/map.db
sim_rules=$sim_dir/rules
sim_log=$sim_dir/mads
sim_opensm_log=$sim_dir/opensm.log
sim_limit=300 # seconds after which anything started here is killed
sim_plugin_dir=${IBSPEED_PLUGIN_DIR:-} # where opensm finds libosmspeed.so, when not the build's
sim_debugger=()  # what opensm runs below, such as valgrind
sim_opensm_job=  # the background job that opensm is
sim_n_checks=0
sim_n_failed=0

export IBSIM_SOCKNAME="ibspeed-$sim_test-$$"
export OSM_TMP_DIR=$sim_dir
export OSM_CACHE_DIR=$sim_dir/cache
export IBSPEED_SIM_RULES=$sim_rules
export IBSPEED_SIM_LINKS=$sim_dir/links
export IBSPEED_SIM_LOG=$sim_log
# libumad2sim reads past its own block; opensm has leaks of its own.
export ASAN_OPTIONS="suppressions=$sim_src/asan.supp:detect_leaks=0\
:log_path=$sim_dir/asan"
PATH=$PATH:/usr/sbin:/sbin
mkdir "$OSM_CACHE_DIR"
: > "$sim_rules"
: > "$sim_log"
: > "$sim_dir/ibspeed.conf"

# --- processes ---------------------------------------------------------

# The name of a process; below valgrind the name of what it runs.
sim_name() {
	local comm word
	read -r comm 2>/dev/null < "/proc/$1/comm" || return
	case $comm in
	memcheck*)
		while read -r -d '' word; do
			case ${word##*/} in
			opensm | ibspeed) comm=${word##*/} && break ;;
			esac
		done 2>/dev/null < "/proc/$1/cmdline"
		;;
	esac
	echo "$comm"
}

# The pids of ours, of one program when it is named.
sim_pids() {
	local files file pid
	mapfile -t files < <(grep -lsz \
		"^IBSIM_SOCKNAME=$IBSIM_SOCKNAME\$" /proc/[0-9]*/environ)
	for file in "${files[@]}"; do
		pid=${file%/environ}
		pid=${pid#/proc/}
		if [ $# -eq 0 ] || [ "$(sim_name "$pid")" = "$1" ]; then
			echo "$pid"
		fi
	done
}

# The one pid of a program; fails when there is none.
sim_pid() {
	local pids
	mapfile -t pids < <(sim_pids "$1")
	[ ${#pids[@]} -gt 0 ] && echo "${pids[0]}"
}

sim_running() { [ -n "$(sim_pid "$1")" ]; }
sim_stopped() { ! sim_running "$1"; }

# Those of ours that are more than the search for them.
sim_left() {
	local pid
	for pid in $(sim_pids); do
		case $(sim_name "$pid") in
		'' | grep) ;;
		*) echo "$pid" ;;
		esac
	done
}

sim_none_left() { [ -z "$(sim_left)" ]; }

# wait_for SECONDS COMMAND...: true as soon as the command is.
wait_for() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}

sim_signal() {
	local signal=$1 pid
	shift
	for pid in "$@"; do
		kill "-$signal" "$pid" 2>/dev/null
	done
}

# stop_program NAME: TERM, after 5 s KILL.
stop_program() {
	local pids
	mapfile -t pids < <(sim_pids "$1")
	sim_signal TERM "${pids[@]}"
	wait_for 5 sim_stopped "$1" || {
		sim_signal KILL "${pids[@]}"
		wait_for 5 sim_stopped "$1"
	}
}

# opensm first: a client whose simulator is gone hangs.
stop_all() {
	local pids
	stop_program opensm
	stop_program ibspeed
	stop_program ibsim
	mapfile -t pids < <(sim_left)
	sim_signal TERM "${pids[@]}"
	wait_for 5 sim_none_left || {
		mapfile -t pids < <(sim_left)
		sim_signal KILL "${pids[@]}"
	}
	exec 9>&-
	rm -f "$sim_dir/console"
	wait
}

# Back to the beginning, for the next fabric of the same test.
sim_reset() {
	stop_all
	rm -f "$sim_db"* "$sim_opensm_log" "$sim_dir/opensm.out"
	set_rules
}

sim_clean() {
	trap - EXIT INT TERM
	stop_all
	if [ "${IBSPEED_SIM_KEEP:-}" = 1 ]; then
		echo "kept: $sim_dir"
	else
		rm -rf "$sim_dir"
	fi
}
trap sim_clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# --- verdicts ----------------------------------------------------------

sim_skip() {
	echo "SKIP $sim_test: $1"
	exit 77
}

# For what the rest of the test cannot do without.
sim_die() {
	echo "FAIL $sim_test: $1"
	sim_evidence
	exit 1
}

sim_evidence() {
	head -qn 40 "$sim_dir"/asan.* 2>/dev/null
	if [ -s "$sim_opensm_log" ]; then
		echo "--- the end of opensm's log"
		tail -n 25 "$sim_opensm_log"
	fi
	if [ -s "$sim_dir/opensm.out" ]; then
		echo "--- the end of what opensm printed"
		tail -n 10 "$sim_dir/opensm.out"
	fi
}

# check WHAT COMMAND...: one line per check.
check() {
	local what=$1
	shift
	sim_n_checks=$((sim_n_checks + 1))
	if "$@"; then
		echo "ok   $what"
	else
		echo "FAIL $what"
		sim_n_failed=$((sim_n_failed + 1))
	fi
}

check_not() {
	local what=$1
	shift
	check "$what" sim_not "$@"
}
sim_not() { ! "$@"; }

# check_equal WHAT GOT WANTED
check_equal() {
	check "$1" [ "$2" = "$3" ]
	[ "$2" = "$3" ] || printf '  got    %s\n  wanted %s\n' "$2" "$3"
}

# check_same WHAT FILE FILE
check_same() {
	check "$1" cmp -s "$2" "$3"
	cmp -s "$2" "$3" || diff "$2" "$3" | head -n 20
}

# The end of a test: stops everything, proves that nothing is left.
sim_done() {
	stop_all
	check "no process is left" sim_none_left
	check_equal "no sanitizer complained" \
		"$(cat "$sim_dir"/asan.* 2>/dev/null | head -n 40)" ""
	check_equal "ibspeed sent nothing but what a kernel and a fabric take" \
		"$(grep -s '^ibspeed wrong' "$sim_log" | sort -u | head -n 3)" ""
	[ "$sim_n_failed" -eq 0 ] || sim_evidence
	echo "$sim_test: $sim_n_checks checks, $sim_n_failed failed"
	[ "$sim_n_failed" -eq 0 ]
	exit
}

# --- what is needed ----------------------------------------------------

sim_umad2sim() {
	local file
	for file in /usr/lib/*/umad2sim/libumad2sim.so \
		/usr/lib/umad2sim/libumad2sim.so \
		/usr/lib64/umad2sim/libumad2sim.so; do
		[ ! -e "$file" ] || {
			echo "$file"
			return
		}
	done
	return 1
}

# sim_need PROGRAM...: skips without; the simulator itself always.
sim_need() {
	local program
	for program in ibsim "$@"; do
		command -v "$program" >/dev/null ||
			sim_skip "$program is not installed"
	done
	sim_umad2sim >/dev/null || sim_skip "libumad2sim.so is not installed"
	[ -x "$sim_ibspeed" ] || sim_die "$sim_ibspeed is not built"
	[ -e "$sim_build/tests/sim/.libs/libsimpreload.so" ] ||
		sim_die "libsimpreload.so is not built: make check builds it"
}

# --- the simulator -----------------------------------------------------

# The address sanitizer's run time, when we were built with it: it wants to
# come first in every program that loads us.
sim_libasan() { ldd "$sim_ibspeed" 2>/dev/null | awk '/libasan/ { print $3 }'; }

# sim_client [-t SECONDS] COMMAND...: as a program of the simulated host.
sim_client() {
	local seconds=60 preload asan
	if [ "$1" = -t ]; then
		seconds=$2
		shift 2
	fi
	preload=$(sim_umad2sim):$sim_build/tests/sim/.libs/libsimpreload.so
	asan=$(sim_libasan)
	# libumad2sim makes files where it stands, and leaves them when killed.
	timeout -s KILL "$seconds" \
		env -C "$sim_dir" LD_PRELOAD="${asan:+$asan:}$preload" \
		LD_LIBRARY_PATH="${sim_plugin_dir:-$sim_build/.libs}" \
		"$@" 9>&-
}

sim_listens() { grep -q "@$IBSIM_SOCKNAME:ctl" /proc/net/unix; }

# start_ibsim FILE [ibsim's own arguments...]; console commands go to fd 9.
start_ibsim() {
	local file=$1
	shift
	[ -e "$file" ] || file=$sim_src/fabrics/$file
	awk -f "$sim_src/links.awk" "$file" > "$IBSPEED_SIM_LINKS" ||
		sim_die "$file cannot be read"
	mkfifo "$sim_dir/console"
	exec 9<> "$sim_dir/console"
	timeout -s KILL "$sim_limit" ibsim -s "$@" "$file" \
		< "$sim_dir/console" > "$sim_dir/ibsim.out" 2>&1 9>&- &
	wait_for 30 sim_listens || {
		cat "$sim_dir/ibsim.out"
		sim_die "ibsim does not start with $file"
	}
}

# For the fabrics of thousands of nodes.
start_big_ibsim() { start_ibsim "$1" -N 8192 -S 1024 -P 65536 -L 49152; }

# console COMMAND: one line to ibsim, such as Unlink "H-1"[1].
console() {
	echo "$1" >&9
	sleep 0.2
}

# set_rules LINE...: the preload's rules from now on; none: no rules.
set_rules() {
	printf '%s\n' "$@" > "$sim_rules.new"
	mv "$sim_rules.new" "$sim_rules"
}

# set_verbs LINE...: what the double of libibverbs does from now on.
set_verbs() {
	printf '%s\n' "$@" > "$IBSPEED_FAKE_VERBS.new"
	mv "$IBSPEED_FAKE_VERBS.new" "$IBSPEED_FAKE_VERBS"
}

# How many lines of the preload's log begin with a text.
sim_count() { grep -c "^$1" "$sim_log"; }

# sim_most WORD: the greatest number behind it in what ibspeed did.
sim_most() {
	awk -v word="$1" '$1 == "ibspeed" && $2 == word && $3 > most {
		most = $3 }
		END { print most + 0 }' "$sim_log"
}

# --- opensm ------------------------------------------------------------

# start_opensm [-B] [LINE OF opensm.conf...]
start_opensm() {
	local daemon=()
	if [ "${1:-}" = -B ]; then
		daemon=(-B)
		shift
	fi
	{
		echo "log_file $sim_opensm_log"
		echo "force_log_flush TRUE"
		echo "babbling_port_policy FALSE"
		printf '%s\n' "$@"
	} > "$sim_dir/opensm.conf"
	sim_client -t "$sim_limit" "${sim_debugger[@]}" opensm \
		-F "$sim_dir/opensm.conf" "${daemon[@]}" \
		< /dev/null >> "$sim_dir/opensm.out" 2>&1 &
	sim_opensm_job=$!
	wait_for 20 sim_running opensm || sim_die "opensm does not start"
}

# start_plugin [-B] [osmspeed.KEY=VALUE...]: opensm with our plugin.
start_plugin() {
	local daemon=()
	if [ "${1:-}" = -B ]; then
		daemon=(-B)
		shift
	fi
	start_opensm "${daemon[@]}" "event_plugin_name osmspeed" \
		"event_plugin_options $(sim_plugin_options "$@")"
}

sim_plugin_options() {
	local IFS=' '
	echo "osmspeed.db=$sim_db osmspeed.recorder=$sim_ibspeed" \
		"osmspeed.conf=$sim_dir/ibspeed.conf $*"
}

sim_subnet_up() { grep -qs 'SUBNET UP' "$sim_opensm_log"; }
sim_log_says() { grep -qs -- "$1" "$sim_opensm_log"; }

# Makes opensm sweep the whole subnet.
heavy_sweep() { sim_signal HUP "$(sim_pid opensm)"; }

# --- ibspeed that asks the fabric itself --------------------------------

# live ARGUMENT...: ibspeed as a program of the simulated host; what it says
# goes into $sim_dir/said.
live() { sim_client "$sim_ibspeed" "$@" 2> "$sim_dir/said"; }

# live_map [ARGUMENT...]: the map that it reads now, into $sim_dir/map.json.
live_map() { live show --live --format json "$@" > "$sim_dir/map.json"; }

# check_status WHAT WANTED COMMAND...: how a command ends; it prints nothing.
check_status() {
	local what=$1 wanted=$2
	shift 2
	"$@" > "$sim_dir/printed"
	check_equal "$what" "$?" "$wanted"
}

# live_says TEXT: it did, on its last call.
live_says() {
	grep -q -- "$1" "$sim_dir/said" || {
		sed 's/^/  said   /' "$sim_dir/said"
		return 1
	}
}

# --- the recorded map --------------------------------------------------

# The map as JSON into $sim_dir/map.json; the exit status of show.
sim_show() {
	timeout -s KILL 60 "$sim_ibspeed" show --db "$sim_db" --format json \
		> "$sim_dir/map.json" 2> "$sim_dir/show.err" 9>&-
}

# sim_map FILTER: jq over the map that sim_show left.
sim_map() { jq -r "$1" "$sim_dir/map.json"; }

# The map, but for when it was read and which of several routes led to a node
# first.
sim_whole_map() {
	sim_map 'del(.. | objects | .reading) |
		.links, (.nodes | map(del(.path))), .unread'
}

sim_sweep_id() {
	sim_show
	sim_map '.sweep.id // 0' 2>/dev/null || echo 0
}

sim_newer_than() {
	local id
	id=$(sim_sweep_id)
	[ "${id:-0}" -gt "$1" ]
}

# wait_map [SECONDS]: the first recorded sweep.
wait_map() {
	wait_for "${1:-30}" sim_newer_than 0 ||
		sim_die "no sweep was recorded: $(cat "$sim_dir/show.err")"
}

# next_map [SECONDS]: a heavy sweep, and what was recorded after it.
next_map() {
	local before
	before=$(sim_sweep_id)
	heavy_sweep
	wait_for "${1:-30}" sim_newer_than "${before:-0}" ||
		sim_die "no sweep was recorded after sweep $before"
}

# One line per end of a link that is up: GUID port width speed, as iblinkinfo
# knows it: by the GUID of a switch's port 0 and of a host's own port.
sim_map_ends() {
	sim_map '.links[] | (.a, .b) | select(. != null)
		| select(.state != "down")
		| [.port_guid, .port, "\(.width)x\(.speed)"] | join(" ")' |
		sort
}

# The same of iblinkinfo, on the standard input.
sim_iblinkinfo_ends() {
	sim_client -t 120 iblinkinfo -l "$@" 2> "$sim_dir/iblinkinfo.err" |
		awk -f "$sim_src/iblinkinfo.awk" | sort
}

# How many ends there are per width and speed: "290 4xQDR".
sim_ends_by_rate() { awk '{ n[$3]++ } END { for (r in n) print n[r], r }' | sort; }

# check_as_iblinkinfo NAME "N WIDTHxSPEED,...": the map is complete, equals
# iblinkinfo's on every end, and has so many ends of each rate.
check_as_iblinkinfo() {
	sim_map_ends > "$sim_dir/ours"
	sim_iblinkinfo_ends -o 16 > "$sim_dir/theirs"
	check_same "$1: every port end as iblinkinfo has it" \
		"$sim_dir/ours" "$sim_dir/theirs"
	check_equal "$1: how many of which rate" \
		"$(sim_ends_by_rate < "$sim_dir/ours" | paste -sd,)" "$2"
	check_equal "$1: the reading is complete" \
		"$(sim_map '[.sweep.complete, (.unread | length)] | join(" ")')" \
		"true 0"
}

# One line per link that has a finding: both ends, the lower GUID first.
sim_findings() {
	sim_map '.links[] | select((.findings | length) > 0)
		| [([[.a.guid, .a.port], [.b.guid, .b.port]] | sort | .[] | .[]),
		   (.findings | sort | join(","))] | join(" ")' | sort
}
