#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# How fast and how big ibspeed sweep is, against others on the same simulated
# fabric. Run it in the build directory, as "make bench" does:
#
#	run.sh [--quick] [--runs N] [--instructions] [FABRIC...]
#
#	--quick          the 1k fat tree alone, one run: seconds
#	--runs N         medians of so many runs (3)
#	--instructions   count instructions under callgrind, too: 1k, 5k and 11k
#	FABRIC           names that tests/bench/fabric lists (1k 5k 11k 27k)
#
# How to read it. For each fabric there is a table of the clients:
#	sweep -o N       ibspeed sweep with a new store: read, judge, record, print
#	floor -o N       the same Gets with the same window, and nothing else
#	sweep, HCA clock the same with a device of libibverbs, our double of it
#	show --live      as the sweep, but nothing is recorded: what recording costs
#	audit            of a store with one sweep, accepted as the baseline
#	iblinkinfo, ibnetdiscover, and iblinkinfo with more outstanding SMPs
#	ibqueryerrors    what an admin runs beside iblinkinfo; it runs once
# in wall seconds, user seconds, peak memory and SMPs sent; then the ratios that
# have a budget, and whether it is met. Only ratios of one run mean anything:
# the simulator is one thread, and it or the machine may be the limit. A ratio
# near its budget wants more runs on a machine that does nothing else. HACKING.md
# has what was measured last, and what holds the budgets that are not met.
set -u

build=${IBSPEED_BUILD:-$PWD}
ibspeed=$build/ibspeed
programs=$build/tests/bench
PATH=$PATH:/usr/sbin:/sbin
count=$programs/.libs/libbenchcount.so
verbs=$build/tests/fake/verbs/.libs
limit=600 # seconds for one run of a client

runs=3
instructions=
fabrics=()
while [ $# -gt 0 ]; do
	case $1 in
	--quick) runs=1 fabrics=(1k) ;;
	--runs) runs=${2:?} && shift ;;
	--instructions) instructions=yes ;;
	-*) sed -n '/^# *run.sh/,/^# *FABRIC/s/^#[[:blank:]]*//p' "$0" >&2
		exit 2 ;;
	*) fabrics+=("$1") ;;
	esac
	shift
done
[ ${#fabrics[@]} -gt 0 ] || fabrics=(1k 5k 11k 27k)

die() {
	echo "run.sh: $1" >&2
	exit 1
}

for program in ibsim iblinkinfo ibnetdiscover ibqueryerrors jq \
	/usr/bin/time; do
	command -v "$program" > /dev/null || die "$program is needed"
done
[ -z "$instructions" ] || command -v valgrind > /dev/null ||
	die "valgrind is needed"
for file in "$ibspeed" "$programs/fabric" "$programs/floor" "$count" \
	"$verbs/libibverbs.so.1"; do
	[ -e "$file" ] || die "there is no $file; say make bench"
done
for library in /usr/lib/*/umad2sim/libumad2sim.so \
	/usr/lib/umad2sim/libumad2sim.so /usr/lib64/umad2sim/libumad2sim.so; do
	[ ! -e "$library" ] || umad2sim=$library
done
[ -n "${umad2sim:-}" ] || die "libumad2sim.so is needed"

dir=$(mktemp -d "${TMPDIR:-/tmp}/ibspeed-bench.XXXXXX") || exit 1
export IBSIM_SOCKNAME="ibspeed-bench-$$"
ibsim_pid=

stop_ibsim() {
	[ -n "$ibsim_pid" ] || return 0
	kill "$ibsim_pid" 2> /dev/null
	wait "$ibsim_pid" 2> /dev/null
	ibsim_pid=
}
clean() {
	stop_ibsim
	rm -rf "$dir"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

start_ibsim() {
	local i
	"$programs/fabric" "$1" > "$dir/topology" || exit 1
	: > "$dir/ibsim.out"
	ibsim -s -n -N 60000 -S 5000 -P 400000 -L 49152 "$dir/topology" \
		< /dev/null >> "$dir/ibsim.out" 2>&1 &
	ibsim_pid=$!
	for ((i = 0; i < 1200; i++)); do
		grep -q 'simulator ready' "$dir/ibsim.out" && return
		kill -0 "$ibsim_pid" 2> /dev/null || break
		sleep 0.1
	done
	tail -n 5 "$dir/ibsim.out" >&2
	die "ibsim does not start"
}

# client PRELOAD COMMAND...: with the simulator; its output goes nowhere.
client() {
	local preload=$1
	shift
	timeout -s KILL "$limit" env LD_PRELOAD="$preload$umad2sim" "$@" \
		> "$dir/out" 2> "$dir/err"
}

declare -A wall cpu memory smps instructed
clients=('sweep -o 8' 'sweep, HCA clock -o 8' 'floor -o 8' 'sweep -o 32'
	'floor -o 32' 'show --live -o 32' iblinkinfo 'iblinkinfo -o 8' 'iblinkinfo -o 16'
	'iblinkinfo -o 32' ibnetdiscover audit ibqueryerrors)

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

ratio() { awk -v a="${1:-0}" -v b="${2:-0}" \
	'BEGIN { if (a && b) printf "%.2f", a / b; else print "-" }'; }

# What a name of the table runs, into words; with a new store if it has one.
command_of() {
	rm -f "$dir"/db "$dir"/db-*
	case $1 in
	sweep,*) words=(env "IBSPEED_FAKE_VERBS=$dir/verbs"
		"LD_LIBRARY_PATH=$verbs" "$ibspeed" sweep --db "$dir/db"
		-o "${1##* }") ;;
	sweep*) words=("$ibspeed" sweep --db "$dir/db" -o "${1##* }") ;;
	show*) words=("$ibspeed" show --live -o "${1##* }") ;;
	floor*) words=("$programs/floor" -o "${1##* }") ;;
	audit) words=("$ibspeed" audit --db "$dir/kept.db") ;;
	*) read -r -a words <<< "$1" ;;
	esac
}

# The store that audits are of.
keep_store() {
	rm -f "$dir"/kept.db*
	client "" "$ibspeed" sweep --db "$dir/kept.db" -o 32
	"$ibspeed" audit --db "$dir/kept.db" --accept > "$dir/out" ||
		die "no store to audit"
}

# 1: what was looked for was found.
run_once() {
	local status
	command_of "$1"
	timeout -s KILL "$limit" \
		/usr/bin/time -q -a -o "$dir/times $1" -f '%e %U %M' \
		env LD_PRELOAD="$umad2sim" "${words[@]}" \
		> "$dir/out" 2> "$dir/err"
	status=$?
	[ "$status" -le 1 ] || {
		tail -n 5 "$dir/err" >&2
		die "$1 failed"
	}
}

# All clients in turn, again and again: what disturbs them, disturbs them all.
# Then each once more, for the number of its SMPs.
measure() {
	local i name
	rm -f "$dir"/times*
	for ((i = 0; i < runs; i++)); do
		for name in "${clients[@]}"; do
			case $i,$name in [1-9]*,ibqueryerrors) continue ;; esac
			run_once "$name"
		done
	done
	for name in "${clients[@]}"; do
		wall[$name]=$(cut -d ' ' -f 1 "$dir/times $name" | median)
		cpu[$name]=$(cut -d ' ' -f 2 "$dir/times $name" | median)
		memory[$name]=$(cut -d ' ' -f 3 "$dir/times $name" | median)
		smps[$name]=-
		case $name in audit | ibqueryerrors) continue ;; esac
		command_of "$name"
		IBSPEED_BENCH_COUNT=$dir/count client "$count:" "${words[@]}"
		smps[$name]=$(cat "$dir/count")
	done
}

# Instructions of one run each.
instruct() {
	local name
	for name in 'sweep -o 32' 'show --live -o 32' 'floor -o 32' \
		'iblinkinfo -o 32'; do
		command_of "$name"
		client "" valgrind --tool=callgrind \
			--callgrind-out-file=/dev/null "${words[@]}"
		instructed[$name]=$(awk '/Collected :/ { print $4 }' "$dir/err")
	done
}

# A device with the port that the simulator lets us have.
make_device() {
	local guid
	client "" "$ibspeed" query -D 0 --format json || die "no local port"
	guid=$(jq -r .node.port_guid "$dir/out")
	printf 'device ibsim0 1\nport %s\nkhz 156250\n' "$guid" \
		> "$dir/verbs"
}

# The best of iblinkinfo's windows, by wall time.
pick_best() {
	local name
	best_name=
	for name in "${clients[@]}"; do
		case $name in 'iblinkinfo -o '*) ;; *) continue ;; esac
		if [ -z "$best_name" ] || awk -v a="${wall[$name]}" \
			-v b="${wall[$best_name]}" 'BEGIN { exit !(a < b) }'; then
			best_name=$name
		fi
	done
}

print_clients() {
	local name
	printf '\n%s: %s nodes, %s ports, median of %s\n' "$1" "$n_nodes" \
		"$n_ports" "$runs"
	printf '%-22s %9s %9s %10s %9s' client 'wall s' 'user s' 'memory MB' SMPs
	printf ' %12s\n' "${instructions:+instr/port}"
	for name in "${clients[@]}"; do
		printf '%-22s %9s %9s %10.1f %9s' "$name" "${wall[$name]}" \
			"${cpu[$name]}" \
			"$(awk -v k="${memory[$name]}" 'BEGIN { print k / 1024 }')" \
			"${smps[$name]}"
		[ -z "${instructed[$name]:-}" ] ||
			printf ' %12d' $((instructed[$name] / n_ports))
		printf '\n'
	done
}

# judge WHAT VALUE BUDGET
judge() {
	local met=met
	if [ -z "$3" ]; then
		met=-
	elif awk -v v="$2" -v b="$3" 'BEGIN { exit !(v == "-" || v > b) }'; then
		met='NOT MET'
	fi
	printf '  %-52s %6s %8s  %s\n' "$1" "$2" "${3:--}" "$met"
}

# pick FABRIC AT_5K AT_11K AT_27K: the budget at that size, "" for none.
pick() {
	case $1 in
	5k*) echo "$2" ;;
	11k*) echo "$3" ;;
	27k*) echo "$4" ;;
	esac
}

print_budgets() {
	local f=$1
	printf '  %-52s %6s %8s\n' ratio is budget
	judge 'wall, sweep -o 8 / floor -o 8' \
		"$(ratio "${wall[sweep -o 8]}" "${wall[floor -o 8]}")" 1.5
	judge 'wall, sweep -o 32 / floor -o 32' \
		"$(ratio "${wall[sweep -o 32]}" "${wall[floor -o 32]}")" 1.5
	judge 'wall, sweep with the HCA clock / without' \
		"$(ratio "${wall[sweep, HCA clock -o 8]}" \
			"${wall[sweep -o 8]}")" 1.05
	judge 'wall, sweep -o 8 / iblinkinfo' \
		"$(ratio "${wall[sweep -o 8]}" "${wall[iblinkinfo]}")" \
		"$(pick "$f" 0.45 '' 0.22)"
	judge 'wall, sweep -o 32 / iblinkinfo' \
		"$(ratio "${wall[sweep -o 32]}" "${wall[iblinkinfo]}")" \
		"$(pick "$f" 0.30 '' 0.16)"
	judge "wall, sweep -o 32 / $best_name (its best)" \
		"$(ratio "${wall[sweep -o 32]}" "${wall[$best_name]}")" \
		"$(pick "$f" 0.7 0.5 0.2)"
	judge 'user CPU, sweep -o 8 / iblinkinfo' \
		"$(ratio "${cpu[sweep -o 8]}" "${cpu[iblinkinfo]}")" \
		"$(pick "$f" 0.5 '' 0.1)"
	judge 'memory, sweep -o 8 / iblinkinfo' \
		"$(ratio "${memory[sweep -o 8]}" "${memory[iblinkinfo]}")" \
		"$(pick "$f" 1.0 1.0 1.0)"
	judge 'SMPs of a sweep per port' \
		"$(ratio "${smps[sweep -o 8]}" "$n_ports")" 2.05
	judge 'wall, audit / iblinkinfo' \
		"$(ratio "${wall[audit]}" "${wall[iblinkinfo]}")" \
		"$(pick "$f" '' '' 0.1)"
	judge 'wall, audit / ibqueryerrors' \
		"$(ratio "${wall[audit]}" "${wall[ibqueryerrors]}")" ''
	judge 'memory of an audit, bytes per port' \
		"$((1024 * memory[audit] / n_ports))" "$(pick "$f" '' '' 500)"
	[ -z "$instructions" ] || judge \
		'instructions, sweep -o 32 / iblinkinfo -o 32' \
		"$(ratio "${instructed[sweep -o 32]}" \
			"${instructed[iblinkinfo -o 32]}")" \
		"$(pick "$f" 0.5 '' '')"
}

count_ports() {
	n_nodes=$(grep -cE '^(Ca|Switch)' "$dir/topology")
	n_ports=$(awk '/^Switch/ { n += $2 + 1 } /^Ca/ { n += $2 }
		END { print n }' "$dir/topology")
}

bench() {
	local fabric=$1
	instructed=()
	start_ibsim "$fabric"
	count_ports
	make_device
	keep_store
	measure
	pick_best
	case $instructions,$fabric in
	yes,1k* | yes,5k* | yes,1[01]k*)
		instruct
		per_port[$fabric]=$(ratio "${instructed[sweep -o 32]}" "$n_ports")
		;;
	esac
	stop_ibsim
	print_clients "$fabric"
	print_budgets "$fabric"
}

declare -A per_port
echo "$(nproc) CPUs; $("$ibspeed" -V)"
for fabric in "${fabrics[@]}"; do
	bench "$fabric"
done
if [ -n "${per_port[1k]:-}" ] && [ -n "${per_port[11k]:-}" ]; then
	printf '\n'
	judge 'instructions per port of a sweep, 11k / 1k' \
		"$(ratio "${per_port[11k]}" "${per_port[1k]}")" 1.15
fi
