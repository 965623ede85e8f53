// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * The tables of the store, by version: what each adds to the one before.
 *
 * The comments inside of the SQL stay in the file, where `sqlite3 FILE .schema`
 * shows them to whoever asks by SQL.
 *
 * The latest state of each node and port is in a table of its own, with a row
 * that is never moved: so a first map appends rows to two tables and fills no
 * index but that of the GUIDs, which is what makes it cheap.  What is rare or
 * small is packed into a few columns; the views node and port unpack it, and
 * are what version 1 had as tables.
 */
#include <config.h>

#include "store_private.h"

/* clang-format off */
static const char schema_1[] =
"CREATE TABLE sweep (\n"
"  -- A reading of the whole subnet.  Times are ns since 1970, those called\n"
"  -- mono of CLOCK_MONOTONIC_RAW.  A GUID is 64 bits, signed for SQLite:\n"
"  -- printf('0x%016x', node_guid) shows it, node_guid = 0x... finds it.\n"
"  id INTEGER PRIMARY KEY,         -- a later sweep has a larger one\n"
"  start_ns INTEGER NOT NULL,\n"
"  end_ns INTEGER NOT NULL,\n"
"  start_mono_ns INTEGER NOT NULL,\n"
"  end_mono_ns INTEGER NOT NULL,\n"
"  source TEXT NOT NULL,           -- smp: own Gets; sm: OpenSM's bytes\n"
"  sm_init_errors INTEGER NOT NULL, -- 1: OpenSM met errors bringing it up\n"
"  n_smps INTEGER NOT NULL,        -- Gets sent, with retries\n"
"  n_retries INTEGER NOT NULL,\n"
"  n_timeouts INTEGER NOT NULL,    -- tries without an answer\n"
"  n_stray INTEGER NOT NULL,       -- answers that matched nothing\n"
"  clock_source TEXT NOT NULL,\n"
"  clock_reason TEXT NOT NULL,     -- why not the HCA's clock\n"
"  n_nodes INTEGER NOT NULL,\n"
"  n_ports INTEGER NOT NULL,\n"
"  n_unread INTEGER NOT NULL,      -- ports whose PortInfo nobody answered\n"
"  sm_port_guid INTEGER NOT NULL,  -- the subnet: port of its SM\n"
"  prefix INTEGER NOT NULL,        -- its GID prefix\n"
"  opensm TEXT NOT NULL,           -- version of OpenSM, '' if not known\n"
"  force_link_speed INTEGER NOT NULL, -- OpenSM's options, 0: no limit\n"
"  force_link_speed_ext INTEGER NOT NULL,\n"
"  force_link_width INTEGER NOT NULL\n"
") STRICT;\n"
"CREATE INDEX sweep_start ON sweep (start_ns);\n"
"\n"
"CREATE TABLE node (\n"
"  -- What a node was from opened_sweep on, until before closed_sweep.\n"
"  id INTEGER PRIMARY KEY,\n"
"  node_guid INTEGER NOT NULL,\n"
"  node_instance INTEGER NOT NULL, -- 0; 1.. more nodes with the same GUID\n"
"  opened_sweep INTEGER NOT NULL REFERENCES sweep (id),\n"
"  closed_sweep INTEGER REFERENCES sweep (id), -- NULL: still so\n"
"  type INTEGER NOT NULL,          -- NodeType: 1 CA, 2 switch, 3 router\n"
"  n_ports INTEGER NOT NULL,       -- NumPorts\n"
"  sys_guid INTEGER NOT NULL,      -- SystemImageGUID\n"
"  vendor_id INTEGER NOT NULL,\n"
"  device_id INTEGER NOT NULL,\n"
"  pkey_cap INTEGER NOT NULL,      -- PartitionCap\n"
"  sw_pkey_cap INTEGER NOT NULL,   -- PartitionEnforcementCap\n"
"  description BLOB NOT NULL,      -- NodeDescription, no NULs at its end\n"
"  name TEXT AS (CAST(description AS TEXT)), -- for reading\n"
"  -- As of the last sweep before closed_sweep; a change opens no row:\n"
"  port_guid INTEGER NOT NULL,     -- port that answered\n"
"  path BLOB NOT NULL              -- directed route, a byte per hop\n"
") STRICT;\n"
"CREATE INDEX node_now ON node (closed_sweep, node_guid, node_instance);\n"
"CREATE INDEX node_past ON node (node_guid, node_instance)\n"
"  WHERE closed_sweep IS NOT NULL;\n"
"\n"
"CREATE TABLE port (\n"
"  -- The state of a port from opened_sweep on, until before closed_sweep.\n"
"  id INTEGER PRIMARY KEY,\n"
"  node_guid INTEGER NOT NULL,\n"
"  node_instance INTEGER NOT NULL,\n"
"  port_num INTEGER NOT NULL,\n"
"  opened_sweep INTEGER NOT NULL REFERENCES sweep (id),\n"
"  closed_sweep INTEGER REFERENCES sweep (id), -- NULL: still so\n"
"  port_guid INTEGER NOT NULL,     -- of port 0 for a switch's ports\n"
"  read TEXT NOT NULL,             -- ok, timeout, status, unreachable, ...\n"
"  status INTEGER,                 -- MAD status, if read is status\n"
"  asked_ext INTEGER NOT NULL,     -- 1: the Get had bit 31 in its modifier\n"
"  epi_read TEXT,                  -- MLNX ExtendedPortInfo answered, absent;\n"
"                                  -- NULL: not asked or no answer\n"
"  epi BLOB,                       -- its LinkSpeedSupported, Enabled, Active\n"
"  peer_guid INTEGER,              -- node at the other end; NULL: not known\n"
"  peer_instance INTEGER,\n"
"  peer_num INTEGER,\n"
"  behind_read TEXT,               -- who is behind an up port with no peer:\n"
"                                  -- as read; NULL: nobody asked\n"
"  behind_status INTEGER,          -- MAD status, if behind_read is status\n"
"  -- As of the last sweep before closed_sweep; a change opens no row:\n"
"  portinfo BLOB,                  -- 64 bytes, M_Key zeroed; NULL: not read\n"
"  tries INTEGER NOT NULL,         -- Gets sent for it\n"
"  behind_tries INTEGER NOT NULL,  -- and for who is behind it\n"
"  sm_known INTEGER NOT NULL,      -- 1: the next two are OpenSM's own view\n"
"  sm_speed INTEGER,               -- 1 SDR, 2 DDR, 4 QDR, 8 FDR10, 16 FDR,\n"
"                                  -- 32 EDR, 64 HDR, 128 NDR, 256 XDR,\n"
"                                  -- -1 another code; NULL: none\n"
"  sm_lanes INTEGER,               -- 1, 2, 4, 8, 12; -1 and NULL likewise\n"
"  sm_gate INTEGER NOT NULL        -- 1: OpenSM sees extended speeds\n"
") STRICT;\n"
"CREATE INDEX port_now ON port\n"
"  (closed_sweep, node_guid, node_instance, port_num);\n"
"CREATE INDEX port_past ON port (node_guid, node_instance, port_num)\n"
"  WHERE closed_sweep IS NOT NULL;\n"
"\n"
"CREATE TABLE role (\n"
"  -- Changes of the role of the SM that feeds the recorder.\n"
"  id INTEGER PRIMARY KEY,\n"
"  at_ns INTEGER NOT NULL,\n"
"  sm_state INTEGER NOT NULL       -- SMInfo: 0 not active, 1 discovering,\n"
"                                  -- 2 standby, 3 master\n"
") STRICT;\n"
"\n"
"CREATE TABLE recorder (\n"
"  -- Who records, and how it is; one row.\n"
"  id INTEGER PRIMARY KEY CHECK (id = 1),\n"
"  pid INTEGER NOT NULL,\n"
"  started_ns INTEGER NOT NULL,\n"
"  seen_ns INTEGER NOT NULL,       -- last sign of life\n"
"  boot_id TEXT NOT NULL,\n"
"  host TEXT NOT NULL,\n"
"  version TEXT NOT NULL,          -- of ibspeed\n"
"  error TEXT NOT NULL,            -- what failed last, '' when all is well\n"
"  sm_state INTEGER NOT NULL       -- as in role; 0 also: no SM\n"
") STRICT;\n"
"\n"
"PRAGMA application_id = " IBS_STORE_APPLICATION_ID ";\n";

/* clang-format on */

/* The columns that _last and _past have in common, of a state. */
#define NODE_STATE                                                             \
	"type, n_ports, sys_guid, vendor_id, device_id, pkey_cap,"             \
	" sw_pkey_cap, description, port_guid, path"

/* clang-format off */
#define NODE_STATE_TABLE                                                       \
"  type INTEGER NOT NULL,          -- NodeType: 1 CA, 2 switch, 3 router\n"    \
"  n_ports INTEGER NOT NULL,       -- NumPorts\n"                              \
"  sys_guid INTEGER NOT NULL,      -- SystemImageGUID\n"                       \
"  vendor_id INTEGER NOT NULL,\n"                                              \
"  device_id INTEGER NOT NULL,\n"                                              \
"  pkey_cap INTEGER NOT NULL,      -- PartitionCap\n"                          \
"  sw_pkey_cap INTEGER NOT NULL,   -- PartitionEnforcementCap\n"               \
"  description BLOB NOT NULL,      -- NodeDescription, no NULs at its end\n"   \
"  -- As of the last sweep before closed_sweep; a change opens no row:\n"      \
"  port_guid INTEGER NOT NULL,     -- port that answered\n"                    \
"  path BLOB NOT NULL"

#define PORT_STATE_TABLE                                                       \
"  port_guid INTEGER NOT NULL,     -- of port 0 for a switch's ports\n"        \
"  peer INTEGER,                   -- id of the port at the other end;\n"      \
"                                  -- NULL: not known\n"                       \
"  epi BLOB,                       -- MLNX ExtendedPortInfo: its\n"            \
"                                  -- LinkSpeedSupported, Enabled, Active;\n"  \
"                                  -- empty: absent; NULL: not asked\n"        \
"  read INTEGER NOT NULL,          -- the Get of PortInfo, see outcome\n"      \
"  behind INTEGER,                 -- the Get that asked who is behind an up\n"\
"                                  -- port with no peer; NULL: nobody asked\n" \
"  -- As of the last sweep before closed_sweep; a change opens no row.  Nor\n" \
"  -- does one of the tries in read and behind.\n"                             \
"  sm INTEGER,                     -- OpenSM's own view, in bits: 0 known,\n"  \
"                                  -- 1 it sees extended speeds, 8 to 15\n"    \
"                                  -- lanes (255 other), from 16 speed as\n"   \
"                                  -- sm_speed of port (65535 other)\n"        \
"  portinfo BLOB"

/* The nodes come first, so that a GUID finds its ports by their keys. */
#define PORT_VIEW                                                              \
"  SELECT node_guid, node_instance,\n"                                         \
"    p.id & 255 AS port_num, p.opened_sweep, p.closed_sweep, p.port_guid,\n"   \
"    -- ok, timeout, status, unreachable, unasked\n"                           \
"    (SELECT name FROM outcome WHERE code = read & 15) AS read,\n"             \
"    CASE read & 15 WHEN 3 THEN read >> 8 & 65535 END AS status, -- of MAD\n"  \
"    read >> 4 & 1 AS asked_ext, -- 1: the Get had bit 31 in its modifier\n"   \
"    -- MLNX ExtendedPortInfo; NULL: not asked or no answer\n"                 \
"    CASE length(epi) WHEN 0 THEN 'absent' WHEN 3 THEN 'answered' END\n"       \
"      AS epi_read,\n"                                                         \
"    nullif(epi, x'') AS epi, -- its LinkSpeedSupported, Enabled, Active\n"    \
"    -- node and port at the other end; NULL: not known\n"                     \
"    (SELECT node_guid FROM node_last WHERE id = peer >> 8) AS peer_guid,\n"   \
"    (SELECT node_instance FROM node_last WHERE id = peer >> 8)\n"             \
"      AS peer_instance,\n"                                                    \
"    peer & 255 AS peer_num,\n"                                                \
"    -- who is behind an up port with no peer, as read; NULL: nobody asked\n"  \
"    (SELECT name FROM outcome WHERE code = nullif(behind & 15, 0))\n"         \
"      AS behind_read,\n"                                                      \
"    CASE behind & 15 WHEN 3 THEN behind >> 8 & 65535 END AS behind_status,\n" \
"    -- As of the last sweep before closed_sweep; a change opens no row:\n"    \
"    portinfo,\n"                                                              \
"    read >> 24 AS tries, -- Gets sent for it\n"                               \
"    ifnull(behind >> 24, 0) AS behind_tries,\n"                               \
"    ifnull(sm & 1, 0) AS sm_known, -- 1: the next two are OpenSM's own view\n" \
"    -- 1 SDR, 2 DDR, 4 QDR, 8 FDR10, 16 FDR, 32 EDR, 64 HDR, 128 NDR,\n"      \
"    -- 256 XDR, -1 another code; NULL: none\n"                                \
"    CASE sm >> 16 WHEN 65535 THEN -1 ELSE nullif(sm >> 16, 0) END AS sm_speed,\n" \
"    -- 1, 2, 4, 8, 12; -1 and NULL likewise\n"                                \
"    CASE sm >> 8 & 255 WHEN 255 THEN -1 ELSE nullif(sm >> 8 & 255, 0) END\n"  \
"      AS sm_lanes,\n"                                                         \
"    ifnull(sm >> 1 & 1, 0) AS sm_gate -- 1: OpenSM sees extended speeds\n"    \
"  FROM node_last AS n CROSS JOIN "
#define PORT_VIEW_END                                                          \
" AS p\n"                                                                      \
"    ON p.id BETWEEN n.id << 8 AND n.id << 8 | 255"

static const char schema_2[] =
"DROP INDEX node_past; -- the names are wanted\n"
"DROP INDEX port_past;\n"
"\n"
"CREATE TABLE outcome (\n"
"  -- What became of a Get: bits 0 to 3 of read and behind.  Bit 4: the\n"
"  -- modifier had bit 31.  Bits 8 to 23: MAD status, if the outcome is status.\n"
"  -- From bit 24 on: Gets sent for it.\n"
"  code INTEGER PRIMARY KEY,\n"
"  name TEXT NOT NULL\n"
") STRICT;\n"
"INSERT INTO outcome VALUES (0, 'unasked'), (1, 'ok'), (2, 'timeout'),\n"
"  (3, 'status'), (4, 'unreachable');\n"
"\n"
"CREATE TABLE node_last (\n"
"  -- Each node that ever was, and its latest state; the view node has all.\n"
"  id INTEGER PRIMARY KEY,         -- stays with the GUID and instance\n"
"  node_guid INTEGER NOT NULL,\n"
"  node_instance INTEGER NOT NULL, -- 0; 1.. more nodes with the same GUID\n"
"  opened_sweep INTEGER NOT NULL REFERENCES sweep (id),\n"
"  closed_sweep INTEGER REFERENCES sweep (id), -- NULL: still so\n"
NODE_STATE_TABLE ",             -- directed route, a byte per hop\n"
"  UNIQUE (node_guid, node_instance)\n"
") STRICT;\n"
"\n"
"CREATE TABLE node_past (\n"
"  -- Earlier states of a node.\n"
"  id INTEGER NOT NULL REFERENCES node_last (id),\n"
"  opened_sweep INTEGER NOT NULL REFERENCES sweep (id),\n"
"  closed_sweep INTEGER NOT NULL REFERENCES sweep (id),\n"
NODE_STATE_TABLE ",             -- directed route, a byte per hop\n"
"  PRIMARY KEY (id, opened_sweep)\n"
") STRICT, WITHOUT ROWID;\n"
"\n"
"CREATE TABLE port_last (\n"
"  -- Each port that ever was, and its latest state; the view port has all.\n"
"  id INTEGER PRIMARY KEY,         -- 256 * id of its node + port number\n"
"  opened_sweep INTEGER NOT NULL REFERENCES sweep (id),\n"
"  closed_sweep INTEGER REFERENCES sweep (id), -- NULL: still so\n"
PORT_STATE_TABLE "                   -- 64 bytes, M_Key zeroed; NULL: not read\n"
") STRICT;\n"
"\n"
"CREATE TABLE port_past (\n"
"  -- Earlier states of a port.\n"
"  id INTEGER NOT NULL REFERENCES port_last (id),\n"
"  opened_sweep INTEGER NOT NULL REFERENCES sweep (id),\n"
"  closed_sweep INTEGER NOT NULL REFERENCES sweep (id),\n"
PORT_STATE_TABLE ",                  -- 64 bytes, M_Key zeroed; NULL: not read\n"
"  PRIMARY KEY (id, opened_sweep)\n"
") STRICT, WITHOUT ROWID;\n"
"CREATE INDEX port_past_closed ON port_past (closed_sweep);\n"
"\n"
"INSERT INTO node_last\n"
"  SELECT NULL, node_guid, node_instance, max(opened_sweep), closed_sweep,\n"
"    " NODE_STATE "\n"
"  FROM node GROUP BY node_guid, node_instance;\n"
"INSERT INTO node_past\n"
"  SELECT n.id, o.opened_sweep, o.closed_sweep, o.type, o.n_ports, o.sys_guid,\n"
"    o.vendor_id, o.device_id, o.pkey_cap, o.sw_pkey_cap, o.description,\n"
"    o.port_guid, o.path\n"
"  FROM node AS o JOIN node_last AS n USING (node_guid, node_instance)\n"
"  WHERE o.opened_sweep < n.opened_sweep;\n"
"CREATE TEMP TABLE port_2 AS\n"
"  SELECT n.id << 8 | port_num AS id, o.opened_sweep, o.closed_sweep,\n"
"    o.port_guid,\n"
"    (SELECT id << 8 | peer_num FROM node_last\n"
"      WHERE node_guid = peer_guid AND node_instance = peer_instance) AS peer,\n"
"    CASE epi_read WHEN 'absent' THEN x'' ELSE epi END AS epi,\n"
"    (SELECT code FROM outcome WHERE name = read) + (asked_ext << 4) +\n"
"      (ifnull(status, 0) << 8) + (tries << 24) AS read,\n"
"    nullif(ifnull((SELECT code FROM outcome WHERE name = behind_read), 0) +\n"
"      (ifnull(behind_status, 0) << 8) + (behind_tries << 24), 0) AS behind,\n"
"    nullif(sm_known + (sm_gate << 1) + (ifnull(sm_lanes & 255, 0) << 8) +\n"
"      (ifnull(sm_speed & 65535, 0) << 16), 0) AS sm,\n"
"    portinfo\n"
"  FROM port AS o JOIN node_last AS n USING (node_guid, node_instance);\n"
"CREATE INDEX temp.port_2_id ON port_2 (id, opened_sweep);\n"
"INSERT INTO port_last\n"
"  SELECT id, max(opened_sweep), closed_sweep, port_guid, peer, epi, read,\n"
"    behind, sm, portinfo FROM port_2 GROUP BY id;\n"
"INSERT INTO port_past\n"
"  SELECT o.* FROM port_2 AS o JOIN port_last AS p USING (id)\n"
"  WHERE o.opened_sweep < p.opened_sweep;\n"
"\n"
"DROP TABLE port_2;\n"
"DROP TABLE node;\n"
"DROP TABLE port;\n"
"\n"
"CREATE VIEW node AS\n"
"  -- What a node was from opened_sweep on, until before closed_sweep.\n"
"  SELECT id, node_guid, node_instance, opened_sweep, closed_sweep,\n"
"    " NODE_STATE ",\n"
"    CAST(description AS TEXT) AS name -- for reading\n"
"  FROM node_last\n"
"  UNION ALL\n"
"  SELECT id, node_guid, node_instance, p.opened_sweep, p.closed_sweep,\n"
"    p.type, p.n_ports, p.sys_guid, p.vendor_id, p.device_id, p.pkey_cap,\n"
"    p.sw_pkey_cap, p.description, p.port_guid, p.path,\n"
"    CAST(p.description AS TEXT)\n"
"  FROM node_last AS n JOIN node_past AS p USING (id);\n"
"\n"
"CREATE VIEW port AS\n"
"  -- The state of a port from opened_sweep on, until before closed_sweep.\n"
"  -- It has no id; the GUID of the node and port_num find it quickly.\n"
PORT_VIEW "port_last" PORT_VIEW_END "\n"
"  UNION ALL\n"
PORT_VIEW "port_past" PORT_VIEW_END ";\n";

static const char schema_3[] =
"CREATE TABLE clock (\n"
"  -- The clock of a sweep, if it was stamped.  Ticks are counts of the HCA,\n"
"  -- which can be compared within one epoch_ns; 0 where there are none.\n"
"  sweep INTEGER PRIMARY KEY REFERENCES sweep (id),\n"
"  convertible INTEGER NOT NULL,   -- 1: ticks are a time\n"
"  device TEXT NOT NULL,           -- of libibverbs\n"
"  port_num INTEGER NOT NULL,      -- its port that the SMPs went through\n"
"  port_guid INTEGER NOT NULL,\n"
"  node_guid INTEGER NOT NULL,\n"
"  khz INTEGER NOT NULL,           -- as the device states it\n"
"  mask INTEGER NOT NULL,          -- bits that the counter has\n"
"  epoch_ns INTEGER NOT NULL,      -- when the counter was taken up\n"
"  boot_id TEXT NOT NULL,          -- times called mono are of this boot\n"
"  n_failures INTEGER NOT NULL,    -- reads of the counter that failed\n"
"  start_ticks INTEGER NOT NULL,   -- the counter, read between before and\n"
"  start_before_ns INTEGER NOT NULL, -- after of CLOCK_MONOTONIC_RAW\n"
"  start_after_ns INTEGER NOT NULL,\n"
"  end_ticks INTEGER NOT NULL,\n"
"  end_before_ns INTEGER NOT NULL,\n"
"  end_after_ns INTEGER NOT NULL,\n"
"  start_real_ns INTEGER NOT NULL, -- CLOCK_REALTIME was that at start_mono,\n"
"  start_mono_ns INTEGER NOT NULL, -- give or take start_half\n"
"  start_half_ns INTEGER NOT NULL,\n"
"  start_max_error_ns INTEGER NOT NULL, -- by the kernel; -1: not synchronized\n"
"  start_tai_s INTEGER NOT NULL,   -- TAI - UTC; 0: not known\n"
"  end_real_ns INTEGER NOT NULL,\n"
"  end_mono_ns INTEGER NOT NULL,\n"
"  end_half_ns INTEGER NOT NULL,\n"
"  end_max_error_ns INTEGER NOT NULL,\n"
"  end_tai_s INTEGER NOT NULL,\n"
"  ppm_lo REAL NOT NULL,           -- the rate of the counter against khz is\n"
"  ppm_mid REAL NOT NULL,          -- within these\n"
"  ppm_hi REAL NOT NULL,\n"
"  baseline_ns INTEGER NOT NULL,   -- measured over so long; 0: not\n"
"  changed BLOB NOT NULL,          -- times of the readings: of ports whose row\n"
"  unchanged BLOB                  -- it opened; of the others, latest sweep\n"
") STRICT;\n";

/* What an audit compares with: the accepted baseline, and waivers. */
static const char schema_4[] =
"ALTER TABLE recorder ADD COLUMN\n"
"  /* seconds from one reading to the next; 0: not known */\n"
"  interval_s INTEGER NOT NULL DEFAULT 0;\n"
"CREATE TABLE acceptance (\n"
"  -- Who accepted the links of a map as the baseline.\n"
"  id INTEGER PRIMARY KEY,         -- a later one has a larger one\n"
"  at_ns INTEGER NOT NULL,         -- ns since 1970\n"
"  who TEXT NOT NULL,\n"
"  sweep_id INTEGER REFERENCES sweep (id), -- NULL: a map not recorded\n"
"  node_guid INTEGER,              -- NULL: all of it\n"
"  node_instance INTEGER,\n"
"  port_num INTEGER                -- NULL: all of the node\n"
") STRICT;\n"
"\n"
"CREATE TABLE baseline (\n"
"  -- The links that were accepted, each with what it ran at.\n"
"  a_guid INTEGER NOT NULL,\n"
"  a_instance INTEGER NOT NULL,\n"
"  a_num INTEGER NOT NULL,\n"
"  b_guid INTEGER NOT NULL,\n"
"  b_instance INTEGER NOT NULL,\n"
"  b_num INTEGER NOT NULL,\n"
"  speed TEXT NOT NULL,            -- HDR\n"
"  lanes INTEGER NOT NULL,\n"
"  acceptance_id INTEGER NOT NULL REFERENCES acceptance (id),\n"
"  PRIMARY KEY (a_guid, a_instance, a_num)\n"
") STRICT, WITHOUT ROWID;\n"
"CREATE UNIQUE INDEX baseline_b ON baseline (b_guid, b_instance, b_num);\n"
"\n"
"CREATE TABLE baseline_node (\n"
"  -- The nodes of these links, as they were called.\n"
"  node_guid INTEGER NOT NULL,\n"
"  node_instance INTEGER NOT NULL,\n"
"  type INTEGER NOT NULL,          -- NodeType: 1 CA, 2 switch, 3 router\n"
"  description BLOB NOT NULL,      -- NodeDescription, no NULs at its end\n"
"  vendor_id INTEGER NOT NULL,\n"
"  device_id INTEGER NOT NULL,\n"
"  port_guid INTEGER NOT NULL,     -- port that answered\n"
"  PRIMARY KEY (node_guid, node_instance)\n"
") STRICT, WITHOUT ROWID;\n"
"\n"
"CREATE TABLE waiver (\n"
"  -- Findings that nobody wants to hear of for a time.\n"
"  id INTEGER PRIMARY KEY,\n"
"  node_guid INTEGER NOT NULL,\n"
"  node_instance INTEGER NOT NULL,\n"
"  port_num INTEGER,               -- NULL: all of the node\n"
"  at_ns INTEGER NOT NULL,\n"
"  until_ns INTEGER NOT NULL,\n"
"  reason TEXT NOT NULL,\n"
"  who TEXT NOT NULL,\n"
"  findings TEXT NOT NULL          -- it covers: missing,degraded-width; '' any\n"
") STRICT;\n";
/* clang-format on */

const char *const ibs_store_steps[IBS_STORE_VERSION] = { schema_1, schema_2,
							 schema_3, schema_4 };
