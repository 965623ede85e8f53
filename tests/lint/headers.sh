#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Each public header compiles alone, with both compilers and all warnings.
# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
lint_need gcc

flags=(-std=gnu17 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wpointer-arith
	-Wvla -Wundef -Wconversion -Werror -fsyntax-only -I "$lint_src/include")
compilers=(gcc)
if command -v clang >/dev/null; then
	compilers+=(clang)
fi

# compiles COMPILER HEADER: also when it is included twice.
compiles() {
	printf '#include "%s"\n#include "%s"\n' "$2" "$2" > "$lint_dir/one.c"
	"$1" "${flags[@]}" "$lint_dir/one.c"
}

for header in "$lint_src"/include/ibspeed/*.h; do
	name=ibspeed/${header##*/}
	for compiler in "${compilers[@]}"; do
		lint "$name with $compiler" compiles "$compiler" "$name"
	done
done
lint_done
