#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# opensm with the plugin, and the recorder, below valgrind: no error and no
# leak that has a frame of ours.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/lib.sh" || exit 1
sim_need opensm jq valgrind
[ -z "$(sim_libasan)" ] ||
	sim_skip "built with the address sanitizer: the other tests ran below it"

grind=(valgrind --quiet --leak-check=full '--show-leak-kinds=definite,indirect'
	--keep-debuginfo=yes --track-fds=no --xml=yes --num-callers=40
	"--suppressions=$sim_src/valgrind.supp")

# The errors of a report that have a frame in one of our objects.
ours_in() {
	awk -v RS='</error>' '/<error>/ &&
		/<obj>[^<]*(libosmspeed|ibspeed)[^<]*<\/obj>/' "$@"
}
ended() { grep -q '</valgrindoutput>' "$sim_dir"/"$1".*.xml; }

cat > "$sim_dir/recorder" <<END
#!/bin/sh
exec ${grind[*]} --xml-file=$sim_dir/recorder.%p.xml $sim_ibspeed "\$@"
END
chmod +x "$sim_dir/recorder"
sim_debugger=("${grind[@]}" "--xml-file=$sim_dir/opensm.%p.xml")

start_ibsim demo.topo
start_plugin "osmspeed.recorder=$sim_dir/recorder"
wait_map 90
next_map 60
set_rules 'S-0200000005000200 3 drop only=ibspeed'
next_map 60
kill -TERM "$(sim_pid opensm)"
check "opensm ends" wait_for 60 sim_stopped opensm
check "the recorder ends" wait_for 10 sim_stopped ibspeed
check "opensm's report is whole" ended opensm
check "the recorder's report is whole" ended recorder
check_equal "no error or leak of the plugin" \
	"$(ours_in "$sim_dir"/opensm.*.xml | head -n 60)" ""
check_equal "no error or leak of the recorder" \
	"$(ours_in "$sim_dir"/recorder.*.xml | head -n 60)" ""
sim_done
