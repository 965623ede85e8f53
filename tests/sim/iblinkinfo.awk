# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# `iblinkinfo -l` to one line per end of a link that is up, named by its lane
# rate: GUID port width x speed.

BEGIN {
	name["2.5"] = "SDR"
	name["5.0"] = "DDR"
	name["10.0"] = "QDR"
	name["14.0625"] = "FDR"
	name["25.78125"] = "EDR"
	name["53.125"] = "HDR"
	name["106.25"] = "NDR"
	name["212.5"] = "XDR"
}

/^0x/ && /==\( *[0-9]+X / {
	guid = $1
	line = $0
	sub(/\[ *\] ==\(.*/, "", line)
	match(line, /[0-9]+$/)
	port = substr(line, RSTART)
	sub(/.*==\( */, "")
	width = $1
	sub(/X/, "", width)
	speed = $0 ~ /^[0-9]+X +10.0 Gbps \(FDR10\)/ ? "FDR10" : name[$2]
	print guid, port, width "x" (speed != "" ? speed : $2)
}
