#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Every test that tests/reports.txt names is there and names the report.
# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
table=$lint_src/tests/reports.txt

# The rows without what is no row.
rows() { grep -v '^#' "$table" | grep .; }

wrong_rows() {
	rows | grep -vE '^R[0-9]{2} (([a-z]+/)+[a-z_.]+|-) .'
	true
}

missing_tests() {
	local number file text
	while read -r number file text; do
		[ "$file" != - ] || continue
		grep -qsF -- "$text" "$lint_src/tests/$file" ||
			echo "$number: no \"$text\" in tests/$file"
		grep -qsw -- "$number" "$lint_src/tests/$file" ||
			grep -qsE -- "\b${number}_" "$lint_src/tests/$file" ||
			echo "$number: tests/$file does not name it"
	done < <(rows)
}

# A test that is named after a report and is in no row.
unlisted() {
	local file number
	while IFS=: read -r file number; do
		rows | grep -q "^$number ${file#"$lint_src"/tests/} " ||
			echo "$number of $file is not in the table"
	done < <(grep -oHE '\bR[0-9]{2}(: )' "$lint_src"/tests/sim/*.sh |
		sed 's/: $//' | sort -u)
}

lint "rows of tests/reports.txt" wrong_rows
lint "the tests that it names" missing_tests
lint "the simulator tests that are named after a report" unlisted
lint_done
