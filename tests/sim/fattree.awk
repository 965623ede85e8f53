# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# A fat tree of two levels as an ibnetdiscover topology file, all 4xHDR:
#
#	awk -v leaves=N -v hosts=N -v spines=N -f fattree.awk
#
# hosts are those of one leaf; each leaf has a cable to each spine. Ids:
# H-1000..., S-2000... the leaves, S-3000... the spines, numbered from 0.

function id(kind, n,    digit)
{
	digit = kind == "host" ? 1 : kind == "leaf" ? 2 : 3
	return sprintf("%d%015x", digit, 256 * n)
}

function letter(kind)
{
	return kind == "host" ? "H" : "S"
}

function node(kind, n, ports)
{
	print "\nvendid=0x2c9\ndevid=0x" (kind == "host" ? "101b" : "d2f0")
	if (kind == "host") {
		print "caguid=0x" id(kind, n)
	} else {
		print "switchguid=0x" id(kind, n) "(" id(kind, n) ")"
	}
	printf "%s\t%d \"%s-%s\"\t# \"%s-%d\"\n",
		kind == "host" ? "Ca" : "Switch", ports, letter(kind),
		id(kind, n), kind, n
}

function port(num, kind, n, peer_num)
{
	printf "[%d]\t\"%s-%s\"[%d]\t# \"%s-%d\" lid 0 4xHDR\n", num,
		letter(kind), id(kind, n), peer_num, kind, n
}

BEGIN {
	for (i = 0; i < leaves * hosts; i++) {
		node("host", i, 1)
		port(1, "leaf", int(i / hosts), 1 + i % hosts)
	}
	for (i = 0; i < leaves; i++) {
		node("leaf", i, hosts + spines)
		for (j = 0; j < hosts; j++) {
			port(1 + j, "host", i * hosts + j, 1)
		}
		for (j = 0; j < spines; j++) {
			port(1 + hosts + j, "spine", j, 1 + i)
		}
	}
	for (i = 0; i < spines; i++) {
		node("spine", i, leaves)
		for (j = 0; j < leaves; j++) {
			port(1 + j, "leaf", j, 1 + hosts + i)
		}
	}
}
