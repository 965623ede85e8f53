-- A speed map of version 1, as sqlite3 FILE .dump shows it; see test_store_old.c
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE sweep (
  -- A reading of the whole subnet.  Times are ns since 1970, those called
  -- mono of CLOCK_MONOTONIC_RAW.  A GUID is 64 bits, signed for SQLite:
  -- printf('0x%016x', node_guid) shows it, node_guid = 0x... finds it.
  id INTEGER PRIMARY KEY,         -- a later sweep has a larger one
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  start_mono_ns INTEGER NOT NULL,
  end_mono_ns INTEGER NOT NULL,
  source TEXT NOT NULL,           -- smp: own Gets; sm: OpenSM's bytes
  sm_init_errors INTEGER NOT NULL, -- 1: OpenSM met errors bringing it up
  n_smps INTEGER NOT NULL,        -- Gets sent, with retries
  n_retries INTEGER NOT NULL,
  n_timeouts INTEGER NOT NULL,    -- tries without an answer
  n_stray INTEGER NOT NULL,       -- answers that matched nothing
  clock_source TEXT NOT NULL,
  clock_reason TEXT NOT NULL,     -- why not the HCA's clock
  n_nodes INTEGER NOT NULL,
  n_ports INTEGER NOT NULL,
  n_unread INTEGER NOT NULL,      -- ports whose PortInfo nobody answered
  sm_port_guid INTEGER NOT NULL,  -- the subnet: port of its SM
  prefix INTEGER NOT NULL,        -- its GID prefix
  opensm TEXT NOT NULL,           -- version of OpenSM, '' if not known
  force_link_speed INTEGER NOT NULL, -- OpenSM's options, 0: no limit
  force_link_speed_ext INTEGER NOT NULL,
  force_link_width INTEGER NOT NULL
) STRICT;
INSERT INTO sweep VALUES(1,1700000000123456789,1700000001123456789,5000000001,-2,'sm',1,4294967295,3,4,5,'host_monotonic_raw','no HCA clock',6,16,4,-144115188075855871,-108086391056891904,'OpenSM 3.3.23',15,31,255);
CREATE TABLE node (
  -- What a node was from opened_sweep on, until before closed_sweep.
  id INTEGER PRIMARY KEY,
  node_guid INTEGER NOT NULL,
  node_instance INTEGER NOT NULL, -- 0; 1.. more nodes with the same GUID
  opened_sweep INTEGER NOT NULL REFERENCES sweep (id),
  closed_sweep INTEGER REFERENCES sweep (id), -- NULL: still so
  type INTEGER NOT NULL,          -- NodeType: 1 CA, 2 switch, 3 router
  n_ports INTEGER NOT NULL,       -- NumPorts
  sys_guid INTEGER NOT NULL,      -- SystemImageGUID
  vendor_id INTEGER NOT NULL,
  device_id INTEGER NOT NULL,
  pkey_cap INTEGER NOT NULL,      -- PartitionCap
  sw_pkey_cap INTEGER NOT NULL,   -- PartitionEnforcementCap
  description BLOB NOT NULL,      -- NodeDescription, no NULs at its end
  name TEXT AS (CAST(description AS TEXT)), -- for reading
  -- As of the last sweep before closed_sweep; a change opens no row:
  port_guid INTEGER NOT NULL,     -- port that answered
  path BLOB NOT NULL              -- directed route, a byte per hop
) STRICT;
INSERT INTO node VALUES(1,0,0,1,NULL,7,1,48,713,54000,128,8,X'',48,X'');
INSERT INTO node VALUES(2,16,0,1,NULL,2,5,16,713,54000,128,8,X'6c6561663031',16,X'');
INSERT INTO node VALUES(3,17,0,1,NULL,2,5,17,713,54000,128,8,X'6c6561663032',17,X'');
INSERT INTO node VALUES(4,17,1,1,NULL,1,1,80,713,54000,128,8,X'686f737444',80,X'0008');
INSERT INTO node VALUES(5,17,2,1,NULL,1,1,64,713,54000,128,8,X'686f737443',64,X'0009');
INSERT INTO node VALUES(6,-1,0,1,NULL,1,1,-9223372036854775807,16777215,54000,128,8,X'610027220ac328257300ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',-9223372036854775806,X'fefdfcfbfaf9f8f7f6f5f4f3f2f1f0efeeedecebeae9e8e7e6e5e4e3e2e1e0dfdedddcdbdad9d8d7d6d5d4d3d2d1d0cfcecdcccbcac9c8c7c6c5c4c3c2c1c0');
CREATE TABLE port (
  -- The state of a port from opened_sweep on, until before closed_sweep.
  id INTEGER PRIMARY KEY,
  node_guid INTEGER NOT NULL,
  node_instance INTEGER NOT NULL,
  port_num INTEGER NOT NULL,
  opened_sweep INTEGER NOT NULL REFERENCES sweep (id),
  closed_sweep INTEGER REFERENCES sweep (id), -- NULL: still so
  port_guid INTEGER NOT NULL,     -- of port 0 for a switch's ports
  read TEXT NOT NULL,             -- ok, timeout, status, unreachable, ...
  status INTEGER,                 -- MAD status, if read is status
  asked_ext INTEGER NOT NULL,     -- 1: the Get had bit 31 in its modifier
  epi_read TEXT,                  -- MLNX ExtendedPortInfo answered, absent;
                                  -- NULL: not asked or no answer
  epi BLOB,                       -- its LinkSpeedSupported, Enabled, Active
  peer_guid INTEGER,              -- node at the other end; NULL: not known
  peer_instance INTEGER,
  peer_num INTEGER,
  behind_read TEXT,               -- who is behind an up port with no peer:
                                  -- as read; NULL: nobody asked
  behind_status INTEGER,          -- MAD status, if behind_read is status
  -- As of the last sweep before closed_sweep; a change opens no row:
  portinfo BLOB,                  -- 64 bytes, M_Key zeroed; NULL: not read
  tries INTEGER NOT NULL,         -- Gets sent for it
  behind_tries INTEGER NOT NULL,  -- and for who is behind it
  sm_known INTEGER NOT NULL,      -- 1: the next two are OpenSM's own view
  sm_speed INTEGER,               -- 1 SDR, 2 DDR, 4 QDR, 8 FDR10, 16 FDR,
                                  -- 32 EDR, 64 HDR, 128 NDR, 256 XDR,
                                  -- -1 another code; NULL: none
  sm_lanes INTEGER,               -- 1, 2, 4, 8, 12; -1 and NULL likewise
  sm_gate INTEGER NOT NULL        -- 1: OpenSM sees extended speeds
) STRICT;
INSERT INTO port VALUES(1,0,0,1,1,NULL,48,'status',65535,1,NULL,NULL,16,0,2,NULL,NULL,NULL,1,0,0,NULL,NULL,0);
INSERT INTO port VALUES(2,16,0,0,1,NULL,16,'ok',NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,X'00000000000000000000000000000000000100000000c04800000000000303027450004750000000000500000000000000000000000000000000000000304707',1,0,0,NULL,NULL,0);
INSERT INTO port VALUES(3,16,0,1,1,NULL,16,'ok',NULL,1,'answered',X'0102ff',-1,0,1,NULL,NULL,X'00000000000000000000000000000000000000000000000000000000000303027450004750000000000500000000000000000000000000000000000000004707',1,0,0,NULL,NULL,0);
INSERT INTO port VALUES(4,16,0,2,1,NULL,16,'ok',NULL,1,'absent',NULL,0,0,1,NULL,NULL,X'00000000000000000000000000000000000000000000000000000000000303027450004750000000000500000000000000000000000000000000000000004707',1,0,0,NULL,NULL,0);
INSERT INTO port VALUES(5,16,0,3,1,NULL,16,'ok',NULL,0,NULL,NULL,17,0,3,NULL,NULL,X'00000000000000000000000000000000000000000000000000000000000303027450004750000000000500000000000000000000000000000000000000004707',1,0,1,256,12,0);
INSERT INTO port VALUES(6,16,0,4,1,NULL,16,'ok',NULL,0,NULL,NULL,17,0,4,NULL,NULL,X'00000000000000000000000000000000000000000000000000000000000303027450004750000000000500000000000000000000000000000000000000004707',1,0,1,-1,-1,1);
INSERT INTO port VALUES(7,16,0,5,1,NULL,16,'ok',NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,X'00000000000000000000000000000000000000000000000000000000000303027120004750000000000500000000000000000000000000000000000000004707',1,0,1,NULL,NULL,0);
INSERT INTO port VALUES(8,17,0,0,1,NULL,17,'ok',NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,X'0000000000000000ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',1,0,0,NULL,NULL,0);
INSERT INTO port VALUES(9,17,0,1,1,NULL,17,'ok',NULL,1,NULL,NULL,17,2,1,NULL,NULL,X'00000000000000000000000000000000000000000000000000000000000303027450004750000000000500000000000000000000000000000000000000004707',1,0,0,NULL,NULL,0);
INSERT INTO port VALUES(10,17,0,2,1,NULL,17,'ok',NULL,1,NULL,NULL,17,1,1,NULL,NULL,X'00000000000000000000000000000000000000000000000000000000000303027450004750000000000500000000000000000000000000000000000000004707',1,0,0,NULL,NULL,0);
INSERT INTO port VALUES(11,17,0,3,1,NULL,17,'ok',NULL,1,NULL,NULL,16,0,3,NULL,NULL,X'00000000000000000000000000000000000000000000000000000000000303027450004750000000000500000000000000000000000000000000000000004707',1,0,0,NULL,NULL,0);
INSERT INTO port VALUES(12,17,0,4,1,NULL,17,'ok',NULL,1,NULL,NULL,16,0,4,'status',28,X'00000000000000000000000000000000000000000000000000000000000303027450004750000000000500000000000000000000000000000000000000004707',1,3,0,NULL,NULL,0);
INSERT INTO port VALUES(13,17,0,5,1,NULL,17,'ok',NULL,1,NULL,NULL,NULL,NULL,NULL,'timeout',NULL,X'00000000000000000000000000000000000000000000000000000000000303027120004750000000000500000000000000000000000000000000000000004707',1,255,0,NULL,NULL,0);
INSERT INTO port VALUES(14,17,1,1,1,NULL,80,'unasked',NULL,1,NULL,NULL,17,0,2,NULL,NULL,NULL,1,0,0,NULL,NULL,0);
INSERT INTO port VALUES(15,17,2,1,1,NULL,64,'unreachable',NULL,1,NULL,NULL,17,0,1,NULL,NULL,NULL,1,0,0,NULL,NULL,0);
INSERT INTO port VALUES(16,-1,0,1,1,NULL,32,'timeout',NULL,1,NULL,NULL,16,0,1,NULL,NULL,NULL,255,0,0,NULL,NULL,0);
CREATE TABLE role (
  -- Changes of the role of the SM that feeds the recorder.
  id INTEGER PRIMARY KEY,
  at_ns INTEGER NOT NULL,
  sm_state INTEGER NOT NULL       -- SMInfo: 0 not active, 1 discovering,
                                  -- 2 standby, 3 master
) STRICT;
CREATE TABLE recorder (
  -- Who records, and how it is; one row.
  id INTEGER PRIMARY KEY CHECK (id = 1),
  pid INTEGER NOT NULL,
  started_ns INTEGER NOT NULL,
  seen_ns INTEGER NOT NULL,       -- last sign of life
  boot_id TEXT NOT NULL,
  host TEXT NOT NULL,
  version TEXT NOT NULL,          -- of ibspeed
  error TEXT NOT NULL,            -- what failed last, '' when all is well
  sm_state INTEGER NOT NULL       -- as in role; 0 also: no SM
) STRICT;
CREATE INDEX sweep_start ON sweep (start_ns);
CREATE INDEX node_now ON node (closed_sweep, node_guid, node_instance);
CREATE INDEX node_past ON node (node_guid, node_instance)
  WHERE closed_sweep IS NOT NULL;
CREATE INDEX port_now ON port
  (closed_sweep, node_guid, node_instance, port_num);
CREATE INDEX port_past ON port (node_guid, node_instance, port_num)
  WHERE closed_sweep IS NOT NULL;
COMMIT;
PRAGMA application_id = 0x69627370;
PRAGMA user_version = 1;
