-- What was imported from elsewhere, so that it can be listed, continued and undone.

CREATE TABLE import (
  id           INTEGER PRIMARY KEY,
  source       TEXT NOT NULL,               -- chatgpt, claude, telegram, whatsapp, markdown, sam
  name         TEXT NOT NULL,               -- of the file or folder, without those above it
  mark         TEXT NOT NULL,               -- recognises the file, so that a run that was killed is continued
  started_at   TEXT NOT NULL,
  ended_at     TEXT                         -- null if it was broken off
);

CREATE TABLE import_chat (
  import       INTEGER NOT NULL REFERENCES import (id),
  chat         TEXT NOT NULL,               -- import:<source>:<id there>
  title        TEXT NOT NULL,               -- '' if it has none
  session_id   INTEGER NOT NULL REFERENCES session (id),  -- of this chat's messages in this import
  PRIMARY KEY (import, chat)
);

CREATE TABLE import_note (
  import       INTEGER NOT NULL REFERENCES import (id),
  path         TEXT NOT NULL,               -- where the note was copied to
  hash         TEXT NOT NULL,               -- of the note as it was copied
  PRIMARY KEY (import, path)
);
