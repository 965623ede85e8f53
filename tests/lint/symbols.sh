#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The architecture, read from the built objects and the includes: the core is
# pure, the plugin shows one symbol and links no client library, and every
# outside library has one door.
# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
lint_need nm readelf

# All that the core may take from the C library: memory, text, sorting.
pure='mem(cpy|move|set|cmp|chr)|str(n?len|n?cmp|n?casecmp|n?cpy|r?chr|str|p?brk'
pure+='|c?spn|toul|toull|tol|toll|n?dup|tok_r)|malloc|calloc|realloc'
pure+='|reallocarray|free|qsort|qsort_r|bsearch|v?snprintf|isalnum|isalpha'
pure+='|isdigit|isspace|isxdigit|isprint|toupper|tolower|__errno_location'
pure+='|__ctype_(b|tolower|toupper)_loc|__assert_fail|__isoc(99|23)_[a-z]+'
pure+='|__stack_chk_fail|__[a-z]+_chk|_GLOBAL_OFFSET_TABLE_'
pure+='|__(asan|ubsan|sanitizer|lsan)_.*|__gcov.*|__start_.*|__stop_.*'

# A writer also selects and sorts by name, prints times, writes to the FILE
# that it is given, and makes JSON.
writing='fnmatch|gmtime_r|strverscmp|f(printf|puts|putc|write|flush|error)|putc|vfprintf|json_.*'

# strangers REGEX ARCHIVE...: what it takes that it neither has nor may have.
strangers() {
	local allowed=$1
	shift
	nm --format=posix "$@" | awk -v allowed="^($allowed)\$" '
		$2 == "U" { taken[$1] = 1; next }
		NF >= 2 { had[$1] = 1 }
		END {
			for (name in taken) {
				if (!(name in had) && name !~ allowed) {
					print name
				}
			}
		}'
}

# includers_of REGEX ALLOWED: files that include it and may not.
includers_of() {
	lint_files '*.c' '*.h' | xargs grep -lE "^#[ ]*include <($1)" |
		sed "s|^$lint_src/||" | grep -vE "^($2)"
	true
}

core=$lint_build/.libs/libibscore.a
writer=$lint_build/.libs/libibswriter.a
plugin=$lint_build/.libs/libosmspeed.so

[ -e "$core" ] || core=$lint_build/libibscore.a
lint "the core takes memory, text and sorting, and nothing else" \
	strangers "$pure" "$core"

# libtool put the core into the writer's archive.
lint "a writer takes a FILE and jansson besides" \
	strangers "$pure|$writing" "$writer"

if [ -e "$plugin" ]; then
	exported() {
		nm -D --defined-only --format=posix "$plugin" |
			awk '$2 != "A" && $1 != "osm_event_plugin"'
		nm -D --defined-only "$plugin" | grep -q ' osm_event_plugin$' ||
			echo "osm_event_plugin is missing"
	}
	needed() {
		readelf -d "$plugin" | grep NEEDED |
			grep -E 'ibumad|ibmad|ibverbs|sqlite|jansson|inih'
		true
	}
	lint "the plugin shows osm_event_plugin and nothing else" exported
	lint "the plugin needs no umad, verbs, SQLite, jansson" needed
fi

lint "only the plugin includes OpenSM" \
	includers_of 'opensm/|complib/|iba/' 'plugin/|mad/names\.c'
lint "and names.c the node name map alone" \
	includers_of 'opensm/|iba/|complib/cl_[^n]' 'plugin/'
lint "only smi.c and sa.c include umad and mad" \
	includers_of 'infiniband/(umad|mad)' 'mad/(smi(_answer|_private)?|sa)\.[ch]|mad/host\.[ch]|tests/'
lint "only verbs.c and clock.c include verbs" \
	includers_of 'infiniband/verbs' 'mad/(verbs|clock)\.[ch]|tests/'
lint "only the store includes SQLite" \
	includers_of 'sqlite3' 'lib/store[a-z_]*\.[ch]|tests/'
lint "only the writers and the commands include jansson" \
	includers_of 'jansson' 'lib/(writer|report)[a-z_]*\.[ch]|mad/|tests/'
lint_done
