-- What came from Telegram and what goes there, until the log knows both.

CREATE TABLE incoming (
  update_id    INTEGER PRIMARY KEY,         -- Telegram's
  chat         TEXT,                        -- null if it belongs to no chat
  received_at  TEXT NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('received', 'done', 'set_aside')),
  reason       TEXT,                        -- why set aside; else null
  tries        INTEGER NOT NULL DEFAULT 0,  -- counted before each
  payload      TEXT,                        -- the update as JSON; null once done
  CHECK (payload IS NULL OR state != 'done')
);
-- serves: what is unfinished, in the order it came
CREATE INDEX incoming_open ON incoming (received_at, update_id) WHERE state = 'received';

CREATE TABLE reply (
  id           INTEGER PRIMARY KEY,
  key          TEXT NOT NULL UNIQUE,        -- what it answers: turn:owner:12, update:99, …
  profile      TEXT NOT NULL,
  chat_id      INTEGER NOT NULL,
  topic        INTEGER,                     -- null outside topics
  purpose      TEXT NOT NULL CHECK (purpose IN ('answer', 'failure', 'spoke', 'notice')),
  turn         INTEGER,                     -- null unless an answer or a failure
  state        TEXT NOT NULL CHECK (state IN ('to_send', 'sent', 'given_up')),
  reason       TEXT,                        -- why given up; else null
  text         TEXT,                        -- what is shown; null once settled
  logged       TEXT,                        -- what the log will be told, JSON; null once settled
  telegram_ids TEXT NOT NULL DEFAULT '[]',  -- JSON list: the parts that were sent
  sent_at      TEXT,                        -- Telegram's date of the first part; null until then
  created_at   TEXT NOT NULL,
  settled      INTEGER NOT NULL DEFAULT 0   -- the log knows what became of it
);
-- serves: what to send again, and what to tell the log, after a crash
CREATE INDEX reply_open ON reply (id) WHERE settled = 0;

-- codes that make their sender the owner
CREATE TABLE pairing (
  id           INTEGER PRIMARY KEY,
  salt         BLOB NOT NULL,
  hash         BLOB NOT NULL,
  expires_at   TEXT NOT NULL,
  tries_left   INTEGER NOT NULL,
  used_by      INTEGER                      -- a Telegram user; null until used
);

CREATE TABLE paired (
  user_id      INTEGER PRIMARY KEY,
  profile      TEXT NOT NULL,
  at           TEXT NOT NULL
);

-- people we do not know: how often they wrote, never what
CREATE TABLE stranger (
  user_id      INTEGER NOT NULL,
  day          TEXT NOT NULL,               -- UTC
  messages     INTEGER NOT NULL,
  greeted      INTEGER NOT NULL DEFAULT 0,  -- the one line of the day was sent
  told         INTEGER NOT NULL DEFAULT 0,  -- so many of them the owner was told of
  PRIMARY KEY (user_id, day)
);

-- small things to remember between runs
CREATE TABLE remembered (
  name         TEXT PRIMARY KEY,
  value        TEXT NOT NULL
);
