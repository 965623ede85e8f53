#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Runs the command lines of cases/*.cli and compares what they do with what
# stands there:
#   $ COMMAND   a line for the shell, in a directory with stores
#   text        what it must print on standard output
#   ! text      and on standard error
#   = N         its exit status, when that is not 0
# With CLI_UPDATE=1 in the environment the files are written instead: look at
# the difference before it is committed.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1

# What is not the same everywhere: ages, sizes, places, versions.
steady() {
	sed -E -e 's/[0-9]+ (days|h|min|s) old/N days old/' \
		-e 's/ age=[0-9]+s/ age=Ns/' \
		-e 's/[0-9]+ bytes$/N bytes/' \
		-e 's/accepted [-0-9]+T[0-9:]+Z by/accepted TIME by/' \
		-e 's/baseline of [-0-9]{10}/baseline of DATE/g' \
		-e 's/"(age_s|size_bytes)":[0-9]+/"\1":0/' \
		-e 's/^(! ibspeed: no store in )[^:]+:/\1STATEDIR:/' \
		-e 's/^ibspeed [0-9]+\.[0-9.]+$/ibspeed VERSION/'
}

# Everything runs in this shell, so that a case can set a variable.
run_line() {
	local status
	eval "$1" > "$cli_dir/out" 2> "$cli_dir/err" < /dev/null
	status=$?
	cat "$cli_dir/out"
	sed 's/^/! /' "$cli_dir/err"
	if [ "$status" -ne 0 ]; then
		echo "= $status"
	fi
}

# run_file FILE: the file again, with what its commands do now.
run_file() {
	local line
	cd "$cli_dir" || exit 1
	while IFS= read -r line <&3; do
		case $line in
		'$ '*)
			echo "$line"
			run_line "${line#??}"
			;;
		'#'*)
			echo "$line"
			;;
		esac
	done 3< "$1"
}

# A host may have what the case wants absent, a client not have libosmcomp.
can_run() {
	case $1 in
	names)
		! ibspeed show --db "$cli_dir/healthy.db" \
			--node-name-map absent 2>&1 |
			grep -q 'without libosmcomp'
		;;
	nodevice) [ ! -e /sys/class/infiniband_mad ] ;;
	nostore) ibspeed status 2>&1 | grep -q 'no store in' ;;
	esac
}

n_files=0
n_failed=0
for file in "$cli_src"/cases/*.cli; do
	name=$(basename "$file" .cli)
	n_files=$((n_files + 1))
	if ! can_run "$name"; then
		echo "SKIP $name: not on this host or with this build"
		continue
	fi
	run_file "$file" | steady > "$cli_dir/$name.now"
	if [ -n "${CLI_UPDATE:-}" ]; then
		cp "$cli_dir/$name.now" "$file"
	elif ! diff -u "$file" "$cli_dir/$name.now"; then
		echo "FAIL $name"
		n_failed=$((n_failed + 1))
		continue
	fi
	echo "ok   $name"
done
echo "cli: $n_files files, $n_failed failed"
[ "$n_files" -gt 0 ] && [ "$n_failed" -eq 0 ]
