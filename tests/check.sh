#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The whole test suite, from a fresh Debian 12 on: installs what is missing
# (as root), builds with gcc, clang and the sanitizers, and runs every test.
# Ends with one line, `N passed, N failed, N skipped`: test programs, and the
# stages that are tests by themselves. A test that is skipped for want of
# something that apt-get can install has failed.
#
#	tests/check.sh [--quick]
#
# --quick: one build with gcc, without the slow tests and analysers.
set -u
setup_top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
# shellcheck source=tests/setup.sh
. "$setup_top/tests/setup.sh" || exit 1

quick=false
case ${1:-} in
--quick) quick=true ;;
'') ;;
*)
	echo "usage: tests/check.sh [--quick]" >&2
	exit 2
	;;
esac

build=$setup_top/build-check
jobs=$(nproc)
n_passed=0
n_failed=0
n_skipped=0
failed=()
slow='sim/(again|fabrics|handover|lifecycle|live_fabrics|memory|refuse|signals)'

passed() { n_passed=$((n_passed + 1)); }
fail() {
	n_failed=$((n_failed + 1))
	failed+=("$1")
	echo "FAIL $1"
}

# stage NAME COMMAND...: a test by itself; what it says is shown if it fails.
stage() {
	local name=$1 log=$build/logs/$1.log begin=$SECONDS
	shift
	if "$@" > "$log" 2>&1; then
		echo "PASS $name ($((SECONDS - begin)) s)"
		passed
		return 0
	fi
	tail -n 40 "$log"
	fail "$name ($log)"
	return 1
}

# count_tests DIRECTORY NAME: adds up the .trs files of a make check.
count_tests() {
	local trs log result
	while read -r trs; do
		log=${trs%.trs}.log
		result=$(sed -n 's/^:test-result: \([A-Z]*\).*/\1/p' "$trs")
		case $result in
		PASS) passed ;;
		SKIP)
			if grep -q 'is not installed' "$log"; then
				fail "$2: $(tail -n 1 "$log")"
			else
				n_skipped=$((n_skipped + 1))
				grep SKIP "$log"
			fi
			;;
		*)
			grep -vE '^(ok|PASS) ' "$log" | tail -n 60
			fail "$2: ${trs#"$1"/}"
			;;
		esac
	done < <(find "$1" -name '*.trs' | sort)
}

# The names of a build's tests, as make knows them.
tests_of() {
	# shellcheck disable=SC2016 # make's variable
	make -s -C "$1" --eval='ibs-tests: ; @echo $(TESTS)' ibs-tests
}

# check_in DIRECTORY NAME [REGEX [NOT]]: make check, with those tests only.
check_in() {
	local directory=$1 name=$2 only=${3:-.} not=${4:-'^$'} tests
	tests=$(tests_of "$directory" | tr ' ' '\n' | grep -E "$only" |
		grep -vE "$not" | paste -sd' ')
	find "$directory" -name '*.trs' -delete
	say "$name: $(wc -w <<< "$tests") test programs"
	make -s -k -j"$jobs" -C "$directory" check TESTS="$tests" \
		> "$build/logs/$name.log" 2>&1
	if ! find "$directory" -name '*.trs' | grep -q .; then
		tail -n 40 "$build/logs/$name.log"
		fail "$name: no test ran"
	fi
	count_tests "$directory" "$name"
}

# build_in NAME CONFIGURE-ARGUMENT...: a build of its own, tests included.
build_in() {
	local name=$1
	shift
	stage "build-$name" build_one "$build/$name" "$@"
}
build_one() {
	local directory=$1
	shift
	(setup_configure "$directory" "$@") &&
		make -s -j"$jobs" -C "$directory" &&
		make -s -j"$jobs" -C "$directory" check TESTS=
}

# For hosts without OpenSM.
build_client() {
	(setup_configure "$build/client" --enable-werror --disable-plugin) &&
		make -s -j"$jobs" -C "$build/client" &&
		"$build/client/ibspeed" rate 4xHDR
}

# The unit tests below valgrind. Those that kill processes of their own are not
# among them: what a killed child had is not lost by us; nor are long histories,
# which take what others take. sim/memory.sh has the plugin and the recorder.
valgrind_unit() {
	local test said status=0
	export srcdir=$setup_top
	cd "$build/gcc" || return
	for test in $(tests_of . | tr ' ' '\n' | grep '^tests/unit/' |
		grep -vE 'crash|random'); do
		said=$(./libtool --mode=execute valgrind --quiet \
			--child-silent-after-fork=yes --error-exitcode=99 \
			--leak-check=full \
			--errors-for-leak-kinds=definite,indirect \
			"$test" 2>&1) || {
			echo "$test"
			tail -n 40 <<< "$said"
			status=1
		}
	done
	return "$status"
}

# Everything is where a packager and opensm look for it, and works there.
install_check() {
	local root=$build/installed file
	rm -rf "$root"
	make -s -C "$build/gcc" install DESTDIR="$root" || return
	for file in usr/bin/ibspeed 'usr/lib*/libosmspeed.so' \
		usr/share/man/man8/ibspeed.8 usr/share/man/man8/osmspeed.8 \
		usr/share/man/man5/ibspeed.conf.5 \
		usr/share/man/man5/ibspeed-map.5; do
		find "$root" -path "$root/$file" | grep -q . || {
			echo "missing: $file"
			find "$root" -type f
			return 1
		}
	done
	# What was installed is what the real opensm loads.
	plugin=$(find "$root/usr" -name libosmspeed.so)
	(cd "$build/gcc" && srcdir=$setup_top \
		IBSPEED_PLUGIN_DIR=$(dirname "$plugin") \
		IBSPEED_PROGRAM=$root/usr/bin/ibspeed \
		"$setup_top/tests/sim/map.sh")
}

# The tarball builds and passes by itself: what has no simulator, and some that
# has; all of it ran already.
distcheck() {
	local tests
	tests=$(tests_of "$build/gcc" | tr ' ' '\n' |
		grep -E 'tests/(unit|fuzz|fake|cli)/|sim/(map|live|audit|path)\.sh' |
		paste -sd' ')
	make -s -j"$jobs" -C "$build/gcc" distcheck TESTS="$tests" \
		DISTCHECK_CONFIGURE_FLAGS=--enable-werror
}

# On a real kernel, which is downloaded; no test where that cannot be.
on_real_kernel() {
	local log=$build/logs/vm.log begin=$SECONDS
	IBSPEED_BUILD=$build/gcc "$setup_top/tests/vm/run.sh" > "$log" 2>&1
	case $? in
	0)
		echo "PASS vm ($((SECONDS - begin)) s)"
		passed
		;;
	77)
		if grep -q 'is not installed' "$log"; then
			fail "vm: $(tail -n 1 "$log")"
		else
			n_skipped=$((n_skipped + 1))
			grep SKIP "$log"
		fi
		;;
	*)
		grep -v '^PASS ' "$log" | tail -n 60
		fail "vm ($log)"
		;;
	esac
}

analyze() {
	(cd "$build/gcc" && "$setup_top/tests/lint/analyze.sh")
}

finish() {
	say "$SECONDS seconds"
	[ ${#failed[@]} -eq 0 ] || printf 'FAIL %s\n' "${failed[@]}"
	echo "$n_passed passed, $n_failed failed, $n_skipped skipped"
	[ "$n_failed" -eq 0 ]
	exit
}

# What was made by an earlier run must not be taken for this one's.
rm -rf "$build"
mkdir -p "$build/logs"
setup_packages check || {
	fail "packages"
	finish
}

say "Building with gcc"
stage autoreconf setup_autoreconf || finish
build_in gcc --enable-werror || finish
if $quick; then
	check_in "$build/gcc" check . "$slow"
	finish
fi
check_in "$build/gcc" check

say "On a real kernel"
on_real_kernel

say "Other builds"
build_in clang --enable-werror CC=clang
stage build-client build_client
build_in sanitizers --enable-sanitizers &&
	check_in "$build/sanitizers" sanitizers \
		'tests/(unit|fuzz|fake|cli)/|sim/(map|audit|clock|path|degrade|source|lifecycle|verbs|faults|live|live_recorder)'

say "Analysers"
stage valgrind valgrind_unit
stage analyze analyze

say "Packaging"
stage install install_check
stage distcheck distcheck
finish
