#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# See ibspeed work without any InfiniBand hardware: builds it, starts the
# simulator with a small fabric and the real opensm with the plugin, and
# prints the map that it records. Debian 12, root (for missing packages only).
set -u
setup_top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
# shellcheck source=tests/setup.sh
. "$setup_top/tests/setup.sh" || exit 1
build=$setup_top/build-demo
output=$build/output

build_it() {
	say "Building in $build"
	setup_configure "$build" || return
	if ! make -s -C "$build" -j"$(nproc)" all \
		tests/sim/libsimpreload.la > "$build/make.log" 2>&1; then
		tail -n 30 "$build/make.log" >&2
		return 1
	fi
}

# A link that came up too narrow and one that came up too slow, which the
# simulator alone cannot have.
degraded=(
	'S-0200000005000200 2 set portinfo 31 1'
	'H-0200000001000020 1 set portinfo 31 1'
	'S-0200000005000200 8 set portinfo 62 27'
	'S-0200000005000100 2 set portinfo 62 27'
)

setup_packages demo || exit 1
build_it || exit 1

cd "$build" || exit 1
# shellcheck source=tests/sim/lib.sh
. "$setup_top/tests/sim/lib.sh" || exit 1
sim_need opensm ibportstate jq

say "Starting ibsim with tests/sim/fabrics/demo.topo: 3 switches, 8 hosts"
start_ibsim demo.topo
set_rules "${degraded[@]}"

say "Starting opensm -B with the plugin"
start_plugin -B
wait_map 30
echo "recorded: sweep $(sim_map .sweep.id)"

say "Accepting it as the baseline"
"$sim_ibspeed" audit --db "$sim_db" --accept || sim_die "it ended with $?"

sleep 2 # so that the links below are not as they are since the start
say "Narrowing node-03's link on its switch, unplugging node-08"
sim_client ibportstate -D 0,1 3 width 1 > "$sim_dir/ibportstate.out" 2>&1 ||
	sim_die "ibportstate: $(cat "$sim_dir/ibportstate.out")"
console 'Unlink "S-0200000005000300"[4]'
next_map 30
echo "recorded: sweep $(sim_map .sweep.id)"

say "ibspeed show"
"$sim_ibspeed" show --db "$sim_db" ||
	sim_die "it ended with $?"

say "ibspeed audit: what is wrong, why, and what it costs"
"$sim_ibspeed" audit --db "$sim_db"
[ $? -eq 1 ] || sim_die "it found nothing"

say "ibspeed query node-02"
"$sim_ibspeed" query --db "$sim_db" node-02 ||
	sim_die "it ended with $?"

say "ibspeed status"
"$sim_ibspeed" status --db "$sim_db" ||
	sim_die "it ended with $?"

stop_all
mkdir -p "$output"
cp "$sim_db"* "$output/"
say "All is stopped. The recorded map stays; ask it:"
cat <<END
  $sim_ibspeed show --db $output/map.db
  $sim_ibspeed show --db $output/map.db --format json | jq .sweep
  $sim_ibspeed audit --db $output/map.db --format json | jq .audit
  $sim_ibspeed query --db $output/map.db leaf-1
  $sim_ibspeed query --db $output/map.db 0x0200000005000200 2
  $sim_ibspeed rate 4xHDR 200G enum:17
  $setup_top/tests/check.sh
END
