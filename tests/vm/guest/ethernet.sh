#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Without InfiniBand: no driver, no device, and rdma_rxe, which has an Ethernet
# port and carries no SMPs. Each time one clear line and exit status 4.
# shellcheck source=tests/vm/guest/lib.sh
. /tests/lib.sh

# refuses WHEN PATTERN...: whatever is asked of the fabric.
refuses() {
	when=$1
	shift
	for words in 'sweep --db /tmp/none.db' 'show --live' 'query -D 0' \
		'record --db /tmp/none.db --interval 1'; do
		# shellcheck disable=SC2086 # words
		ends 4 $words
		says "$when: ibspeed $words says why, once" "$@"
		check "$when: ibspeed $words prints nothing" [ ! -s /tmp/out ]
	done
	check "$when: nothing is recorded" [ ! -e /tmp/none.db ]
}

refuses "no driver" 'ib_umad loaded'
load_core
refuses "no device" 'cannot open an InfiniBand port'

load_ethernet
check "rxe0 has a umad device and no InfiniBand" [ -e /dev/infiniband/umad0 ]
refuses "R32: Ethernet only" 'rxe0, port 1 is Ethernet and was skipped' \
	'no InfiniBand port$'
for port in '-C rxe0' '-C rxe0 -P 1'; do
	# shellcheck disable=SC2086 # words
	ends 4 query $port -D 0
	says "query $port says why" \
		'rxe0, port 1 is Ethernet and was skipped' \
		'no InfiniBand port at rxe0$'
done

# opensm loads the plugin, cannot bind and unloads it.
start_opensm 0
check "opensm ends by itself" wait_for 20 log_says 'Exiting SM'
check "the plugin was created" log_says 'osmspeed: version .* loaded'
check "opensm could not bind" log_says 'Vendor specific bind failed'
check "no process is left" wait_for 10 none_left
