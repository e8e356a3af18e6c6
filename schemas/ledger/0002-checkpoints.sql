-- Signed checkpoints over the heads of all runs, and which ledger they are of.
-- docs/ledger-format.md describes them.

CREATE TABLE identity (
  id BLOB NOT NULL CHECK (length(id) = 16)
) STRICT;
INSERT INTO identity (id) VALUES (randomblob(16));

CREATE TABLE checkpoint (
  number INTEGER PRIMARY KEY CHECK (number >= 1),
  note TEXT NOT NULL
) STRICT;

CREATE TRIGGER identity_is_not_changed BEFORE UPDATE ON identity
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER identity_is_not_removed BEFORE DELETE ON identity
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER identity_is_one BEFORE INSERT ON identity
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER checkpoint_is_not_changed BEFORE UPDATE ON checkpoint
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER checkpoint_is_not_removed BEFORE DELETE ON checkpoint
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
