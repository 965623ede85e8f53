# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# The cables of an ibnetdiscover topology file: one line per cabled port,
# `node port peer peerport`, nodes by the file's ids, in the file's order.

# The part between the first two quotes of a text.
function quoted(text,    part)
{
	split(text, part, "\"")
	return part[2]
}

# The number inside the first [] of a text.
function bracket(text)
{
	if (!match(text, /\[[0-9]+\]/)) {
		return ""
	}
	return substr(text, RSTART + 1, RLENGTH - 2)
}

{
	sub(/\r$/, "")
}

/^(Switch|Ca|Hca|Rt)[ \t]/ {
	node = quoted($0)
	next
}

/^\[[0-9]+\]/ && node != "" {
	peer = quoted($0)
	rest = $0
	sub(/^[^"]*"[^"]*"/, "", rest)
	if (peer != "" && bracket(rest) != "") {
		print node, bracket($0), peer, bracket(rest)
	}
}
