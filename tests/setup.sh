# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# What demo.sh and check.sh do first: the Debian packages of tests/packages
# that are missing, and the configure script. They set setup_top, the source.
: "${setup_top:?}"

# say TEXT...: a heading.
say() { printf '\n== %s\n' "$*"; }

# setup_missing demo|check: the packages of that list that are not installed.
setup_missing() {
	local who package
	while read -r who package; do
		case $who in
		demo) ;;
		check) [ "$1" = check ] || continue ;;
		*) continue ;;
		esac
		dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null |
			grep -qx installed || echo "$package"
	done < "$setup_top/tests/packages"
}

# setup_packages demo|check: installs what is missing.
setup_packages() {
	local missing
	if ! command -v dpkg-query >/dev/null; then
		echo "This is no Debian: tests/packages lists what is needed."
		return
	fi
	mapfile -t missing < <(setup_missing "$1")
	[ ${#missing[@]} -gt 0 ] || return 0
	# Debian's package starts an SM on every InfiniBand port there is.
	if [ -e /sys/class/infiniband_mad/abi_version ] &&
		[[ " ${missing[*]} " == *" opensm "* ]]; then
		echo "This host has InfiniBand, and the package opensm would" \
			"start an SM on it. Please install it yourself." >&2
		return 1
	fi
	say "Installing ${#missing[@]} packages: ${missing[*]}"
	if [ "$(id -u)" -ne 0 ]; then
		echo "Not root. Please run: apt-get install ${missing[*]}" >&2
		return 1
	fi
	export DEBIAN_FRONTEND=noninteractive
	apt-get -qq update &&
		apt-get -qq install -y --no-install-recommends \
			"${missing[@]}" > /dev/null
}

# setup_autoreconf: makes configure, in the source; silent when it succeeds.
setup_autoreconf() {
	local said
	said=$(autoreconf --install --force "$setup_top" 2>&1) || {
		echo "$said" >&2
		return 1
	}
}

# setup_configure DIRECTORY ARGUMENT...: configures a build there.
setup_configure() {
	local directory=$1
	shift
	if [ ! -x "$setup_top/configure" ] ||
		[ "$setup_top/configure.ac" -nt "$setup_top/configure" ]; then
		setup_autoreconf || return
	fi
	if [ -e "$setup_top/config.status" ]; then
		echo "$setup_top is built in place, which rules out another" \
			"build: make distclean there first" >&2
		return 1
	fi
	mkdir -p "$directory" && cd "$directory" || return
	"$setup_top/configure" --silent --prefix=/usr "$@"
}
