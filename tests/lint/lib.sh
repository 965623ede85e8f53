# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash disable=SC2034
#
# What the lint tests share: where the source and the build are, one line per
# check, and the sum at the end.
set -u

lint_src=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) || exit 1
lint_build=${IBSPEED_BUILD:-$PWD}
lint_test=$(basename "$0" .sh)
lint_n_checks=0
lint_n_failed=0
lint_dir=$(mktemp -d "${TMPDIR:-/tmp}/ibspeed-lint.XXXXXX") || exit 1
trap 'rm -rf "$lint_dir"' EXIT

# lint_need PROGRAM...
lint_need() {
	local program
	for program in "$@"; do
		command -v "$program" >/dev/null || {
			echo "SKIP $lint_test: $program is not installed"
			exit 77
		}
	done
}

# lint WHAT COMMAND...: the command is quiet and ends with 0.
lint() {
	local what=$1 said
	shift
	lint_n_checks=$((lint_n_checks + 1))
	if said=$("$@" 2>&1) && [ -z "$said" ]; then
		echo "ok   $what"
	else
		echo "FAIL $what"
		head -n 150 <<< "$said"
		lint_n_failed=$((lint_n_failed + 1))
	fi
}

lint_done() {
	echo "$lint_test: $lint_n_checks checks, $lint_n_failed failed"
	[ "$lint_n_failed" -eq 0 ]
	exit
}

# lint_files PATTERN...: files of the source; builds and what others made are
# left out.
lint_files() {
	local pattern names=()
	for pattern in "$@"; do
		names+=(-o -name "$pattern")
	done
	find "$lint_src" -mindepth 1 \
		-type d \( -name .git -o -name 'build*' -o -name m4 \
		-o -name autom4te.cache -o -name 'ibspeed-[0-9]*' \
		-o -exec test -e '{}/config.status' \; \) -prune -o \
		-type f ! -name config.h \( "${names[@]:1}" \) -print | sort
}
