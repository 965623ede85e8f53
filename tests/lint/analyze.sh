#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The slow analysers, cppcheck and clang-tidy, over all C files. Run in a
# configured build directory.
# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
lint_need clang-tidy cppcheck pkg-config

jobs=$(nproc)
# The kernel module is built with headers of its own.
mapfile -t c_files < <(lint_files '*.c' | grep -v '/vm/module/')
mapfile -t not_plugin < <(printf '%s\n' "${c_files[@]}" | grep -v '/plugin/')

# As all local.mk files together have them.
tidy_flags=(-std=gnu17 -DHAVE_CONFIG_H -DIBS_STATEDIR='"/var/lib/ibspeed"'
	-DIBS_RECORDER='"ibspeed"' -DRECORDER='"recorder"'
	-DPLUGIN_SO='"libosmspeed.so"' -DFUZZ_CORPUS='"corpus"'
	-DOLD_SO='"libibverbs.so.1"'
	-I"$lint_build" -I"$lint_src/include" -I"$lint_src/mad" -I"$lint_src/lib"
	-I"$lint_src/plugin" -I"$lint_src/tests/unit"
	-isystem /usr/include/infiniband)
read -ra package_flags < <(pkg-config --cflags libibmad libibumad jansson \
	inih sqlite3 cunit)

# Each file by itself, one process per CPU; its flags are the same for all.
tidy_all() {
	printf '%s\0' "${c_files[@]}" | xargs -0 -n 1 -P "$jobs" \
		"$0" --one
}

if [ "${1:-}" = --one ]; then
	clang-tidy --quiet "$2" -- "${tidy_flags[@]}" "${package_flags[@]}" \
		2>/dev/null
	exit
fi

# Where a variable is declared is a matter of style, and ours is at the top; a
# constant of zeros needs no initializer; a function may fill what it is given.
check_c() {
	cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr \
		--enable=warning,style,performance,portability \
		--suppress=missingIncludeSystem --suppress=variableScope \
		--suppress=unassignedVariable --suppress=ctuuninitvar \
		-D__linux__ -I "$lint_src/include" -j "$jobs" "${not_plugin[@]}"
}

lint "cppcheck" check_c
lint "clang-tidy" tidy_all
lint_done
