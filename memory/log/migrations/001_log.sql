-- log.db: what was said, and what became of it. One a profile; append-mostly.
-- Moments are UTC text of one form, 2026-11-21T08:00:00Z; days are local, 2026-11-21.

CREATE TABLE session (
  id           INTEGER PRIMARY KEY,
  chat         TEXT NOT NULL,               -- 'terminal', 'telegram:<chat>', 'telegram:<chat>:<topic>'
  started_at   TEXT NOT NULL,
  ended_at     TEXT,                        -- null if it is the chat's current one
  history_from INTEGER NOT NULL DEFAULT 0,  -- messages below this id are compacted out of the context
  path         TEXT                         -- null if no transcript is written
);
-- serves: the current session of a chat; at most one
CREATE UNIQUE INDEX session_current ON session (chat) WHERE ended_at IS NULL;

CREATE TABLE turn (
  id           INTEGER PRIMARY KEY,
  session_id   INTEGER NOT NULL REFERENCES session (id),
  chat         TEXT NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('open', 'answered', 'failed', 'stopped')),
  reason       TEXT,                        -- null if it did not fail
  opened_at    TEXT NOT NULL,
  closed_at    TEXT                         -- null if open
);
-- serves: what to resume at start
CREATE INDEX turn_open ON turn (id) WHERE state = 'open';

CREATE TABLE batch (
  id           TEXT PRIMARY KEY,            -- random, also the block id of its section
  chat         TEXT NOT NULL,
  day          TEXT NOT NULL,               -- the local day of its messages
  state        TEXT NOT NULL CHECK (state IN ('claimed', 'written', 'closed', 'released')),
  reason       TEXT NOT NULL,               -- why then: threshold, day, new, asked, overflow, idle
  claimed_at   TEXT NOT NULL,
  closed_at    TEXT,                        -- null if neither closed nor released
  path         TEXT,                        -- null if nothing is written (yet, or nothing worth keeping)
  text_hash    TEXT                         -- of the section as written; null with path
);

CREATE TABLE message (
  id           INTEGER PRIMARY KEY,
  key          TEXT UNIQUE,                 -- logged once; null if nothing could send it twice
  turn_id      INTEGER NOT NULL REFERENCES turn (id),
  session_id   INTEGER NOT NULL REFERENCES session (id),
  role         TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
  origin       TEXT NOT NULL CHECK (origin IN
                 ('owner', 'sam', 'recall', 'forwarded', 'quoted', 'file', 'web', 'tool', 'other')),
  author       TEXT NOT NULL,               -- a name to show; '' if the role says it
  privacy      TEXT NOT NULL CHECK (privacy IN ('normal', 'sensitive', 'sealed')),
  lang         TEXT,                        -- null if not known
  sent_at      TEXT NOT NULL,               -- the chat's own date of it
  edited_at    TEXT,                        -- null if never edited
  chat         TEXT NOT NULL,
  telegram_ids TEXT NOT NULL,               -- JSON list; [] outside Telegram
  text         TEXT NOT NULL,               -- '' once forgotten
  state        TEXT NOT NULL CHECK (state IN
                 ('pending', 'claimed', 'written', 'closed', 'excluded', 'forgotten')),
  reason       TEXT,                        -- why excluded or forgotten; else null
  batch        TEXT REFERENCES batch (id),  -- null if pending or excluded
  changed      INTEGER NOT NULL             -- counts up with every change of a row: what to index again
);
-- serves: history, recent
CREATE INDEX message_session ON message (session_id, id);
-- serves: the answer of a turn
CREATE INDEX message_turn ON message (turn_id);
-- serves: claiming
CREATE INDEX message_pending ON message (id) WHERE state = 'pending';
-- serves: a batch's messages
CREATE INDEX message_batch ON message (batch) WHERE batch IS NOT NULL;
-- serves: reconcile
CREATE INDEX message_changed ON message (changed);
-- serves: get_memory of a day
CREATE INDEX message_sent ON message (sent_at);

CREATE TABLE bullet (
  id           INTEGER PRIMARY KEY,
  batch        TEXT NOT NULL REFERENCES batch (id),
  path         TEXT NOT NULL,
  text_hash    TEXT NOT NULL,               -- of the line as last written by Sam
  text         TEXT NOT NULL,
  sources      TEXT NOT NULL,               -- JSON list of message ids
  privacy      TEXT NOT NULL CHECK (privacy IN ('normal', 'sensitive', 'sealed'))
);
-- serves: what a batch wrote
CREATE INDEX bullet_batch ON bullet (batch);
-- serves: why does this line stand here
CREATE INDEX bullet_hash ON bullet (text_hash);

CREATE TABLE journal (
  id           INTEGER PRIMARY KEY,
  at           TEXT NOT NULL,
  path         TEXT NOT NULL,
  before       TEXT,                        -- hash; null if the note was made
  after        TEXT,                        -- hash; null if it moved to archive/
  cause        TEXT NOT NULL                -- summary b7k2mq, tool edit_memory, command /remember, …
);
-- serves: the history of one note
CREATE INDEX journal_path ON journal (path, id);

CREATE TABLE tombstone (
  id           INTEGER PRIMARY KEY,
  at           TEXT NOT NULL,
  text_hash    TEXT NOT NULL UNIQUE,        -- what must not be written again
  cause        TEXT NOT NULL
);

CREATE TABLE usage (
  id           INTEGER PRIMARY KEY,
  at           TEXT NOT NULL,
  provider     TEXT NOT NULL,
  model        TEXT NOT NULL,
  purpose      TEXT NOT NULL,               -- turn, summary, heartbeat, embed, …
  turn_id      INTEGER,                     -- null outside a turn
  input        INTEGER NOT NULL,            -- tokens, cache not counted
  output       INTEGER NOT NULL,
  cache_read   INTEGER NOT NULL,
  cache_write  INTEGER NOT NULL,
  usd          REAL NOT NULL
);
-- serves: the day's budget
CREATE INDEX usage_at ON usage (at);

CREATE TABLE job_run (
  id           INTEGER PRIMARY KEY,
  job          TEXT NOT NULL,
  started_at   TEXT NOT NULL,
  ended_at     TEXT,                        -- null if running, or killed
  error        TEXT                         -- null if it went well
);
-- serves: the latest run of each job
CREATE INDEX job_latest ON job_run (job, id);

-- small things to remember between runs: consent, what an endpoint refused, the last full scan
CREATE TABLE setting (
  name         TEXT PRIMARY KEY,
  value        TEXT NOT NULL
);

-- `changed` comes from one counter, so that a reader asks for all above the last one it saw
CREATE TABLE counter (
  name         TEXT PRIMARY KEY,
  value        INTEGER NOT NULL
);
INSERT INTO counter VALUES ('changed', 0);
INSERT INTO setting VALUES ('log_id', lower(hex(randomblob(8))));
