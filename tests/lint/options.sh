#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Every option row stands where users look for it: in --help, in the man pages
# and in the conf file that is installed.
# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
ibspeed=$lint_build/ibspeed

# The long options of a subcommand's --help.
options_of() {
	"$ibspeed" "$1" --help | grep -oE -- '--[A-Za-z][A-Za-z_-]+' | sort -u
}

# The keys of the conf file that the option rows make, commented out or not.
conf_keys() {
	"$ibspeed" record --print-conf |
		sed -nE 's/^[#;]? ?([A-Za-z_]+) *=.*/\1/p' | sort -u
}

commands() {
	"$ibspeed" --help | sed -nE 's/^  ([a-z]+)( .*)?$/\1/p' | sort -u
}

# A long option in mdoc: `.It Fl -name` or `.Fl -name`.
not_in_page() {
	local option command
	for command in $(commands); do
		for option in $(options_of "$command"); do
			grep -qE "Fl -${option#--}( |\$)" \
				"$lint_src/man/ibspeed.8" ||
				echo "$command $option is not in ibspeed.8"
		done
	done
}

keys_not_in_page() {
	local key
	for key in $(conf_keys); do
		grep -qw "$key" "$lint_src/man/ibspeed.conf.5" ||
			echo "$key is not in ibspeed.conf.5"
	done
}

commands_not_in_page() {
	local command
	[ "$(commands | wc -l)" -ge 7 ] || echo "--help lists: $(commands)"
	for command in $(commands); do
		grep -qE "(Cm|Ic|Nm ibspeed) $command" \
			"$lint_src/man/ibspeed.8" ||
			echo "$command is not in ibspeed.8"
	done
}

conf_differs() {
	"$ibspeed" record --print-conf |
		diff - "$lint_src/conf/ibspeed.conf"
}

lint "subcommands of --help in ibspeed(8)" commands_not_in_page
lint "options of --help in ibspeed(8)" not_in_page
lint "keys of the conf file in ibspeed.conf(5)" keys_not_in_page
lint "conf/ibspeed.conf is what the option rows make" conf_differs
lint_done
