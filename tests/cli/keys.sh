#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# What is printed as JSON and CSV, and what ibspeed-map(5) tells of it: every
# key and column has a name there, and what has a name there is printed. And
# the options of the plugin stand in osmspeed(8).
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
cd "$cli_dir" || exit 1
page=$cli_src/../../man/ibspeed-map.5

# Told only of a host with a device: what libibverbs says.
not_here=(device differs port_speed port_speed_100mbps port_speed_error)
# Told of a path, which tests/sim/path.sh reads.
of_path=(agrees at back dlid dst record slid slowest src)
# Values and commands, no keys, that these maps do not have.
values=(init armed sleep disabled training recovery phytest router sm text csv
	running none discovering standby unreachable unasked failed not-enabled json
	show decode rate audit nominal-unverified unsynchronized)

# With a policy, a baseline and a waiver.
audits() {
	cp faulty.db audit.db
	printf '[up]\nexpect = 4xHDR\n' > audit.conf
	ibspeed audit --db audit.db --accept --at 2023-11-15T00:00Z > accepted
	ibspeed audit --db audit.db --waive hostA --until 2199-12-31 \
		--reason "RMA 4711" > waived
	ibspeed audit -v --notes --format json --db audit.db \
		--policy audit.conf
}

reports() {
	local db
	for db in healthy faulty idle; do
		ibspeed status --format json --db "$db.db"
	done
	ibspeed show -v --format json --db faulty.db
	ibspeed query -v --format json --db faulty.db leaf01
	audits
	ibspeed rate --format json 4xHDR
	ibspeed decode --format json --peer "$(hex link L2 b.pi)" \
		"$(hex link L2 a.pi)"
	ibspeed decode --format json "$(hex port V05_FDR10_4X pi)"
}

# The fields of PortInfo have the names of the IBA; widths with speeds and
# findings are keys too.
keys() {
	grep -oE '"[^"]+":' all.json | tr -d '":' |
		grep -vE '^([A-Z]|[0-9?]+x|unknown$|mismatch$|missing$|flapping$|moved$|[a-z]+-)' |
		sort -u
}

# The keys and the texts that are values.
words() {
	grep -oE '"[^"\\]+"' all.json | tr -d '"' | sort -u
}

# told FROM TO: what ibspeed-map(5) marks as literal between two headings.
told() {
	sed -n "/^\\.Sh $1/,/^\\.Sh $2/p" "$page" |
		sed -nE 's/^\.(It )?Cm //p' | sed -E 's/ (Op|Ns|No|Pq) .*//' |
		tr ' ' '\n' | grep -E '^[a-z]' | sort -u
}

columns() {
	ibspeed audit --format csv --db healthy.db | head -n 1
	ibspeed show --format csv --db healthy.db | head -n 1
	ibspeed query --format csv --db healthy.db leaf01 | head -n 1
}

# The first end of a link stands for both.
printed_columns() { columns | tr ',' '\n' | sed 's/^b_/a_/' | sort -u; }
told_columns() {
	told CSV TEXT | grep -vE '^(show|query|audit|b_)$'
}

# An option of the plugin is a key of the conf file, but for those that make
# sense in one of them only.
plugin_options() {
	ibspeed record --print-conf | sed -nE 's/^#([A-Za-z_]+) =.*/\1/p' |
		grep -vxE 'Ca|Port|policy'
	printf '%s\n' conf recorder
}
told_options() {
	grep -oE 'osmspeed\.[A-Za-z_]+ Ns = Ns' \
		"$cli_src/../../man/osmspeed.8" |
		sed -E 's/osmspeed\.([A-Za-z_]+) .*/\1/' | grep -vx KEY
}

n_failed=0
# lacks WHAT: the words on standard input are missing somewhere.
lacks() {
	local word missing=0
	while read -r word; do
		echo "FAIL $1: $word"
		missing=1
	done
	[ "$missing" -eq 0 ] || n_failed=$((n_failed + 1))
	[ "$missing" -eq 1 ] || echo "ok   $1"
}

reports > all.json
keys > keys.txt
words > words.txt
told 'JSON: A PORT' FINDINGS > told.txt
printed_columns > columns.txt
told_columns > told_columns.txt
plugin_options | sort -u > options.txt
told_options | sort -u > told_options.txt
printf '%s\n' "${not_here[@]}" "${of_path[@]}" "${values[@]}" |
	sort -u > elsewhere.txt

[ "$(wc -l < keys.txt)" -gt 90 ] || lacks "keys were read" < keys.txt
lacks "a key that ibspeed-map(5) does not tell" < <(comm -23 keys.txt told.txt)
lacks "what ibspeed-map(5) tells and is not printed" \
	< <(comm -23 told.txt words.txt | comm -23 - elsewhere.txt)
lacks "a column that ibspeed-map(5) does not tell" \
	< <(comm -23 columns.txt told_columns.txt)
lacks "a column of ibspeed-map(5) that is not printed" \
	< <(comm -13 columns.txt told_columns.txt)
lacks "an option of the plugin that osmspeed(8) does not tell" \
	< <(comm -23 options.txt told_options.txt)
lacks "an option of osmspeed(8) that the plugin does not have" \
	< <(comm -13 options.txt told_options.txt)
echo "keys: $(wc -l < keys.txt) keys, $n_failed failed"
[ "$n_failed" -eq 0 ]
