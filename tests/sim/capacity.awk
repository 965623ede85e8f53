# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# What the switches of an ibnetdiscover topology file carry when every link
# runs at what stands behind it: `name direction links Gb/s`, the direction up
# towards switches and down towards hosts; and of all links, `total N Gb/s`.
# A second computation, that shares nothing with ibspeed's.

function quoted(text, n,    part)
{
	split(text, part, "\"")
	return part[2 * n]
}

# Gb/s of "4xHDR", by the lanes and what one of them carries.
function gbps(text,    part)
{
	split(text, part, "x")
	return part[1] * lane[part[2]]
}

BEGIN {
	lane["SDR"] = 2.5
	lane["DDR"] = 5
	lane["QDR"] = 10
	lane["FDR10"] = 10
	lane["FDR"] = 14
	lane["EDR"] = 25
	lane["HDR"] = 50
	lane["NDR"] = 100
}

/^(Switch|Ca)[ \t]/ {
	is_switch = /^Switch/
	name = quoted($0, 2)
	next
}

/^\[[0-9]+\]/ {
	speed = gbps($NF)
	total += speed / 2
	n_ends++
	if (is_switch) {
		direction = quoted($0, 1) ~ /^S-/ ? "up" : "down"
		n[name " " direction]++
		sum[name " " direction] += speed
	}
}

END {
	for (which in n) {
		print which, n[which], sum[which]
	}
	print "total", n_ends / 2, total
}
