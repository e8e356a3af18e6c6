-- Runs, their records and the contents they pin. docs/ledger-format.md describes each column.
-- Nothing here is ever changed or removed.

CREATE TABLE run (
  run_no INTEGER PRIMARY KEY,
  run TEXT NOT NULL UNIQUE
) STRICT;

-- payload stands last: reading the other columns does not touch its overflow pages.
CREATE TABLE record (
  position INTEGER PRIMARY KEY,
  run_no INTEGER NOT NULL REFERENCES run (run_no),
  seq INTEGER NOT NULL CHECK (seq >= 1),
  kind INTEGER NOT NULL,
  time_us INTEGER NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  body TEXT NOT NULL,
  payload BLOB CHECK (payload IS NULL OR length(payload) > 0)
) STRICT;

CREATE UNIQUE INDEX record_of_run ON record (run_no, seq);

CREATE TABLE pinned (
  digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
  bytes BLOB NOT NULL
) STRICT;

CREATE TRIGGER run_is_not_changed BEFORE UPDATE ON run
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER run_is_not_removed BEFORE DELETE ON run
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER record_is_not_changed BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER record_is_not_removed BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER pinned_is_not_changed BEFORE UPDATE ON pinned
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER pinned_is_not_removed BEFORE DELETE ON pinned
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
