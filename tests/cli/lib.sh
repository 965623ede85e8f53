# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash disable=SC2034
#
# What the tests of the command line share: the program, a directory of their
# own with the stores that they need, and the bytes of tests/data.
set -u
export LC_ALL=C

cli_src=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
cli_build=${IBSPEED_BUILD:-$PWD}
cli_dir=$(mktemp -d "${TMPDIR:-/tmp}/ibspeed-cli.XXXXXX") || exit 1
trap 'rm -rf "$cli_dir"' EXIT

ibspeed() {
	timeout -s KILL 60 "$cli_build/ibspeed" "$@"
}

for kind in healthy faulty idle newer; do
	"$cli_build/tests/cli/makestore" "$kind" "$cli_dir/$kind.db" || exit 1
done

# hex ROWS ROW KEY: bytes of a row of tests/data/ROWS.rows.
hex() {
	awk -v row="$2" -v key="$3" '
		/^row / { mine = $2 == row; take = 0; next }
		mine && $1 == key { take = 1; printf "%s", $2; next }
		mine && take && /^\t/ { printf "%s", $1; next }
		{ take = 0 }' "$cli_src/../data/$1.rows"
}
