#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# ibspeed, the plugin and the stock opensm on a real kernel: Debian's, booted
# in qemu (in software, without KVM). The checks are in guest/; what they print
# comes back through a serial port.
#
#	tests/vm/run.sh [PART...]	ethernet, infiniband; without: all
#
# Runs in a build directory. The packages of the kernel are kept below it, or
# in $IBSPEED_VM_CACHE. Exit status 77: something is missing, and it says what.
set -u

vm_src=$(cd "$(dirname "$0")" && pwd) || exit 1
vm_build=$(cd "${IBSPEED_BUILD:-.}" && pwd) || exit 1
vm_cache=${IBSPEED_VM_CACHE:-$vm_build/tests/vm/cache}
vm_limit=120 # seconds after which the guest is killed
vm_dir=$(mktemp -d "${TMPDIR:-/tmp}/ibspeed-vm.XXXXXX") || exit 1
vm_said=$vm_dir/said       # what the checks print
vm_console=$vm_dir/console # what the kernel prints
vm_qemu=
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C # what apt-cache prints is read

# shellcheck source=tests/vm/image.sh
. "$vm_src/image.sh" || exit 1

vm_clean() {
	trap - EXIT INT TERM
	# timeout hands it on to qemu.
	[ -z "$vm_qemu" ] || kill "$vm_qemu" 2>/dev/null
	if [ "${IBSPEED_VM_KEEP:-}" = 1 ]; then
		echo "kept: $vm_dir"
	else
		rm -rf "$vm_dir"
	fi
}
trap vm_clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

vm_die() {
	echo "FAIL vm: $1"
	exit 1
}

vm_boot() {
	local IFS=,
	timeout -s KILL "$vm_limit" qemu-system-x86_64 \
		-accel tcg -m 512 -nodefaults -display none -no-reboot \
		-kernel "$(vm_kernel)" -initrd "$vm_dir/initramfs" \
		-append "console=ttyS0 panic=-1 vm_parts=$*" \
		-serial "file:$vm_console" -serial "file:$vm_said" \
		< /dev/null > "$vm_dir/qemu" 2>&1 &
	vm_qemu=$!
	wait "$vm_qemu"
	vm_qemu=
}

vm_show() { tr -d '\r' < "$vm_said"; }

parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(ethernet infiniband)
vm_need
for file in ibspeed .libs/libosmspeed.so tests/vm/counter; do
	[ -e "$vm_build/$file" ] || vm_die "$vm_build/$file is not built"
done
vm_fetch
vm_module > "$vm_dir/module.log" 2>&1 || {
	tail -n 20 "$vm_dir/module.log"
	vm_die "the module cannot be built"
}
vm_initramfs || vm_die "the initramfs cannot be made"
booted=$SECONDS
vm_boot "${parts[@]}"
[ -s "$vm_said" ] || {
	cat "$vm_dir/qemu"
	tail -n 20 "$vm_console" 2>/dev/null
	vm_die "the guest said nothing"
}
vm_show
complaints=$(grep -aE 'BUG:|WARNING:|Oops|Call Trace|hung task|segfault' \
	"$vm_console")
if [ -n "$complaints" ]; then
	grep -aA 25 -m 1 -E 'BUG:|WARNING:|Oops|segfault' "$vm_console"
	vm_die "the kernel complains"
fi
vm_show | grep -qx END || {
	tail -n 20 "$vm_console"
	vm_die "the guest did not come to its end"
}
n_failed=$(vm_show | grep -c '^FAIL')
n_passed=$(vm_show | grep -c '^PASS')
echo "vm: $n_passed passed, $n_failed failed," \
	"$((SECONDS - booted)) s of $SECONDS s in the guest"
[ "$n_failed" -eq 0 ] && [ "$n_passed" -gt 0 ]
