-- What the batches found worth knowing, and the lines of knowledge/ that came of it.

CREATE TABLE candidate (
  id           INTEGER PRIMARY KEY,
  batch        TEXT NOT NULL REFERENCES batch (id),
  category     TEXT NOT NULL,               -- biographical, preference, …, rule
  text         TEXT NOT NULL,               -- grounded, as it will be written
  sources      TEXT NOT NULL,               -- JSON list of message ids
  day          TEXT NOT NULL,               -- local day on which it was said
  expires      TEXT,                        -- local day from which it is not so any more
  confidence   REAL,
  action       TEXT CHECK (action IN ('add', 'update', 'delete', 'keep', 'drop')),  -- null: undecided
  fact         TEXT,                        -- id of the line that it becomes
  target       TEXT                         -- id of the line that it updates, deletes or keeps
);
-- serves: what a batch found, when it is released
CREATE INDEX candidate_batch ON candidate (batch);

CREATE TABLE fact (
  id           TEXT PRIMARY KEY,            -- the line's block id
  path         TEXT NOT NULL,               -- the note that it was written to
  line_hash    TEXT NOT NULL,               -- of the line as Sam last wrote or saw it
  text         TEXT NOT NULL,               -- as Sam wrote it; '' once the owner took it out
  sources      TEXT NOT NULL,               -- JSON list of message ids
  state        TEXT NOT NULL CHECK (state IN ('sams', 'owners', 'archived', 'deleted')),
  changed_at   TEXT NOT NULL
);
-- serves: what each line of a note came from
CREATE INDEX fact_path ON fact (path);

ALTER TABLE batch ADD COLUMN facts_refused INTEGER NOT NULL DEFAULT 0;  -- proposed, and in no source
