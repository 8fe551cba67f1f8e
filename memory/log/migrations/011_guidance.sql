-- Changes of the owner's files: those that a model proposed, and the texts that stood there before.
-- And what new facts contradict, for the owner to decide.

CREATE TABLE proposal (
  id           TEXT PRIMARY KEY,
  path         TEXT NOT NULL,               -- the note that it changes
  old          TEXT NOT NULL,               -- what stands there; '' to add; '' once it is decided
  new          TEXT NOT NULL,               -- what replaces it; '' once it is decided
  reason       TEXT NOT NULL,               -- as the model gave it; '' once it is decided
  text_hash    TEXT NOT NULL,               -- of path, old and new
  state        TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'rejected', 'unfit')),
  made_at      TEXT NOT NULL,               -- when the message was sent in whose turn it was made
  shown_at     TEXT,                        -- null: the owner was not asked yet
  decided_at   TEXT
);
-- serves: the open ones
CREATE INDEX proposal_state ON proposal (state, made_at);

CREATE TABLE version (
  id           INTEGER PRIMARY KEY,
  path         TEXT NOT NULL,
  text_hash    TEXT NOT NULL,               -- of the note's text when it was seen
  text         TEXT NOT NULL,               -- without what was forgotten
  cause        TEXT NOT NULL,               -- what changed it; '' for an editor
  seen_at      TEXT NOT NULL
);
-- serves: the versions of a note, the latest first
CREATE INDEX version_path ON version (path, id);

CREATE TABLE contradiction (
  fact         TEXT PRIMARY KEY,            -- id of the line that was written, as uncertain
  other        TEXT NOT NULL,               -- id of the line that it took the place of
  state        TEXT NOT NULL CHECK (state IN ('waiting', 'asked', 'answered', 'lapsed')),
  made_at      TEXT NOT NULL,
  asked_at     TEXT,
  back         TEXT                         -- id of the line that brings the other one back
);

ALTER TABLE candidate ADD COLUMN doubtful INTEGER NOT NULL DEFAULT 0;  -- 1: contradicts its target
