# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# What run.sh boots: Debian's kernel, taken out of its packages without being
# installed, the virtual InfiniBand device built for it, and an initramfs with
# our programs. They set vm_src, vm_build, vm_cache and vm_dir.
: "${vm_src:?}" "${vm_build:?}" "${vm_cache:?}" "${vm_dir:?}"

vm_tree=$vm_cache/tree # what is used of the packages
vm_image=$vm_dir/image # the root directory of the guest
vm_modules='crypto/crc32_generic drivers/infiniband/core/ib_core
	drivers/infiniband/core/ib_uverbs drivers/infiniband/core/ib_umad
	drivers/infiniband/sw/rxe/rdma_rxe drivers/net/dummy
	net/ipv4/udp_tunnel net/ipv6/ip6_udp_tunnel'

vm_skip() {
	echo "SKIP vm: $1"
	exit 77
}

vm_need() {
	local program
	[ "$(uname -m)" = x86_64 ] || vm_skip "the guest is for x86_64"
	for program in busybox gcc-12 ibv_devinfo make opensm \
		qemu-system-x86_64 rdma strip; do
		command -v "$program" >/dev/null ||
			vm_skip "$program is not installed"
	done
	for program in apt-cache apt-get dpkg-deb; do
		command -v "$program" >/dev/null ||
			vm_skip "no Debian, whose kernel is used"
	done
}

# --- the kernel ----------------------------------------------------------

# vm_depends PACKAGE PATTERN: the names of what it depends on.
vm_depends() {
	apt-cache depends "$1" 2>/dev/null |
		sed -n "s/^ *Depends: \($2\)\$/\1/p"
}

# The package of the kernel, and what its modules are built with.
vm_packages() {
	local image headers
	image=$(vm_depends linux-image-amd64 'linux-image-[0-9].*')
	[ -n "$image" ] || return
	headers=${image/image/headers}
	echo "$image"
	echo "$headers"
	vm_depends "$headers" 'linux-.*'
}

vm_download() {
	local packages
	mapfile -t packages < <(vm_packages)
	[ ${#packages[@]} -gt 2 ] &&
		(cd "$vm_cache" && apt-get -qq download "${packages[@]}")
}

# Only what is needed of the 400 MB of the kernel. The Makefile of the headers
# has the path of an installed package.
vm_unpack() {
	local package headers
	mkdir -p "$vm_tree"
	for package in "$vm_cache"/linux-image-*.deb; do
		dpkg-deb --fsys-tarfile "$package" | tar -x -C "$vm_tree" \
			--wildcards './boot/vmlinuz-*' \
			'./lib/modules/*/kernel/crypto/crc32_generic.ko' \
			'./lib/modules/*/kernel/drivers/infiniband/core/*' \
			'./lib/modules/*/kernel/drivers/infiniband/sw/rxe/*' \
			'./lib/modules/*/kernel/drivers/net/dummy.ko' \
			'./lib/modules/*/kernel/net/ipv[46]/*udp_tunnel.ko' ||
			return
		rm "$package"
	done
	for package in "$vm_cache"/*.deb; do
		dpkg -x "$package" "$vm_tree" && rm "$package" || return
	done
	for headers in "$vm_tree"/usr/src/linux-headers-*-amd64; do
		sed -i "s,/usr/src,$vm_tree/usr/src," "$headers/Makefile" ||
			return
	done
}

# Fills the cache; lists of packages that are old or absent are renewed.
vm_fetch() {
	[ ! -e "$vm_cache/complete" ] || return 0
	rm -rf "$vm_cache"
	mkdir -p "$vm_cache" || exit 1
	vm_download > "$vm_cache/log" 2>&1 ||
		{ apt-get -qq update && vm_download; } \
			>> "$vm_cache/log" 2>&1 ||
		vm_skip "apt-get has no kernel: $(tail -n 1 "$vm_cache/log")"
	vm_unpack >> "$vm_cache/log" 2>&1 ||
		vm_die "the kernel cannot be unpacked: $vm_cache/log"
	touch "$vm_cache/complete"
}

vm_kernel() { echo "$vm_tree"/boot/vmlinuz-*; }

# --- the virtual InfiniBand device ---------------------------------------

vm_module() {
	local headers=("$vm_tree"/usr/src/linux-headers-*-amd64)
	mkdir "$vm_dir/module" &&
		cp "$vm_src"/module/* "$vm_dir/module/" || return
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "${headers[0]}" \
		M="$vm_dir/module" KCFLAGS=-Werror modules &&
		strip --strip-debug "$vm_dir"/module/vib.ko
}

# --- the guest -----------------------------------------------------------

# vm_copy FILE...: to the same place in the guest, with its libraries.
vm_copy() {
	local file library
	for file in "$@"; do
		mkdir -p "$vm_image/${file%/*}"
		cp -L "$file" "$vm_image/$file" || return
		ldd "$file" 2>/dev/null | grep -o '/[^ ]*' |
			while read -r library; do
				[ -e "$vm_image$library" ] ||
					vm_copy_library "$library" || exit
			done || return
	done
}
vm_copy_library() {
	mkdir -p "$vm_image${1%/*}"
	cp -L "$1" "$vm_image$1"
}

# Ours, and the providers of libibverbs that the guest has devices for.
vm_programs() {
	local name library
	for name in busybox ibv_devinfo opensm rdma; do
		vm_copy "$(command -v "$name")" || return
	done
	# opensm's threads end by way of libgcc_s, which nothing is linked with.
	for library in /usr/lib/*/libibverbs/lib{mlx5,rxe}-*.so \
		/lib/x86_64-linux-gnu/libgcc_s.so.1; do
		vm_copy "$library" || return
	done
	mkdir -p "$vm_image/etc/libibverbs.d" "$vm_image/ibspeed"
	echo "driver mlx5" > "$vm_image/etc/libibverbs.d/mlx5.driver"
	echo "driver rxe" > "$vm_image/etc/libibverbs.d/rxe.driver"
	vm_copy "$vm_build/ibspeed" "$vm_build/.libs/libosmspeed.so" \
		"$vm_build/tests/vm/counter" &&
		mv "$vm_image/$vm_build/ibspeed" \
			"$vm_image/$vm_build/.libs/libosmspeed.so" \
			"$vm_image/$vm_build/tests/vm/counter" \
			"$vm_image/ibspeed/"
}

vm_links() {
	local name
	mkdir -p "$vm_image"/{bin,dev,proc,sys,tmp,usr/bin,var/log,var/cache}
	for name in $("$vm_image$(command -v busybox)" --list); do
		[ -e "$vm_image/bin/$name" ] || ln -s \
			"$(command -v busybox)" "$vm_image/bin/$name"
	done
}

vm_initramfs() {
	local module
	vm_programs && vm_links || return
	mkdir -p "$vm_image/modules" "$vm_image/tests"
	for module in $vm_modules; do
		cp "$vm_tree"/lib/modules/*/kernel/"$module.ko" \
			"$vm_image/modules/" || return
	done
	cp "$vm_dir/module/vib.ko" "$vm_image/modules/" &&
		cp "$vm_src"/guest/* "$vm_image/tests/" &&
		install -m 755 "$vm_src/guest/init.sh" "$vm_image/init" ||
		return
	# Not compressed: the guest is slower than the copy.
	(cd "$vm_image" && find . | busybox cpio -o -H newc -R 0:0) \
		> "$vm_dir/initramfs" 2>/dev/null
}
