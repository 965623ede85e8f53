#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# How the source looks: format, sizes, spelling, licence lines, scripts, man
# pages.
# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
lint_need clang-format codespell mandoc pmccabe shellcheck

max_function=60
max_file=500
max_complexity=15

mapfile -t c_files < <(lint_files '*.c' '*.h')
mapfile -t scripts < <(lint_files '*.sh'; echo "$lint_src/.ci/run")
mapfile -t pages < <(lint_files '*.[1-9]')
mapfile -t texts < <(lint_files '*.c' '*.h' '*.sh' '*.awk' '*.md' '*.mk' \
	'*.[1-9]' '*.topo' '*.conf' configure.ac Makefile.am)

formatted() {
	clang-format --style="file:$lint_src/.clang-format" --dry-run \
		--Werror "${c_files[@]}"
}

# A macro that is a whole program, such as UNIT_MAIN, makes pmccabe complain.
long_functions() {
	pmccabe "${c_files[@]}" 2>/dev/null | awk -v lines="$max_function" \
		-v complexity="$max_complexity" '
		$5 > lines { print $6, $7 ": " $5 " lines" }
		$1 > complexity { print $6, $7 ": complexity " $1 }'
}

long_files() {
	wc -l "${c_files[@]}" | awk -v lines="$max_file" '
		$2 != "total" && $1 > lines { print $2 ": " $1 " lines" }'
}

# A tab counts as eight columns; what clang-format leaves alone, so do we.
wide_lines() {
	local file
	for file in "${c_files[@]}"; do
		expand "$file" | awk -v file="$file" \
			'/clang-format off/ { off = 1 }
			/clang-format on/ { off = 0 }
			length($0) > 80 && !off { print file ":" NR ": wide" }'
	done
}

# What the kernel loads is under its licence alone.
unlicensed() {
	local file licence
	for file in "${c_files[@]}" "${scripts[@]}"; do
		licence='GPL-2.0-only OR Linux-OpenIB'
		case $file in
		*/vm/module/*) licence='GPL-2.0-only' ;;
		esac
		head -n 2 "$file" | grep -qE \
			"SPDX-License-Identifier: $licence( \*/)?\$" ||
			echo "$file: no SPDX line at its head"
	done
}

config_first() {
	local file
	for file in "${c_files[@]}"; do
		case $file in
		*/vm/module/*) ;; # the kernel's headers come first there
		*.c)
			[ "$(grep -m 1 '^#[ ]*include' "$file")" = \
				'#include <config.h>' ] ||
				echo "$file: config.h is not its first include"
			;;
		esac
	done
}

blanks() {
	grep -nE '[[:blank:]]+$' "${texts[@]}"
	[ $? -eq 1 ]
}

# SC2317 takes functions that check() calls for dead code.
scripts_are_clean() {
	(cd "$lint_src" && shellcheck --external-sources --exclude=SC2317 \
		--source-path="$lint_src" "${scripts[@]}")
}

spelled() { codespell --ignore-words-list=nd,inout,mis "${texts[@]}"; }

# What is installed on this machine is not the pages' fault.
pages_are_clean() {
	mandoc -T lint -W style "${pages[@]}" 2>&1 |
		grep -vE 'mandoc.db|referenced manual not found'
	true
}

lint "clang-format" formatted
lint "functions of $max_function lines, complexity $max_complexity" \
	long_functions
lint "files of $max_file lines" long_files
lint "lines of 80 columns" wide_lines
lint "licence lines" unlicensed
lint "config.h first" config_first
lint "no blanks at the end of a line" blanks
lint "shellcheck" scripts_are_clean
lint "codespell" spelled
lint "mandoc" pages_are_clean
lint_done
