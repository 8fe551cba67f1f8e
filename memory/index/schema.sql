-- index/<n>.db: derived from the vault and the log; may be deleted at any time. No migrations:
-- another text of this file, chunker, time zone or embedding identity, and it is built anew.

CREATE TABLE meta (
  name       TEXT PRIMARY KEY,
  value      TEXT NOT NULL
);

CREATE TABLE source (
  id         INTEGER PRIMARY KEY,
  path       TEXT NOT NULL UNIQUE,  -- a note's path, or 'message/<id>'
  hash       TEXT NOT NULL,         -- of all that its chunks are made from
  size       INTEGER,               -- bytes; null for a message
  mtime_ns   INTEGER,               -- 0 if it may change again unseen; null for a message
  changed    INTEGER                -- the log's count of its latest change; null for a note
);

CREATE TABLE chunk (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,  -- never reused: in_memory/columns.py reads those after its last
  source_id  INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
  ord        INTEGER NOT NULL,      -- place in its source, from 0
  path       TEXT NOT NULL,         -- what get_memory opens: the note, or log/<local day>
  heading    TEXT NOT NULL,         -- 'A > B'; '' without
  start_line INTEGER NOT NULL,      -- from 1, in the note or the message
  end_line   INTEGER NOT NULL,
  text       TEXT NOT NULL,
  lead       TEXT NOT NULL,         -- what it is embedded behind: a note's heading; of a message the
                                    -- question that it answers, or the piece that it continues
  before     TEXT NOT NULL,         -- the message before it in its session; '' for notes
  after      TEXT NOT NULL,         -- the message after it
  kind       TEXT NOT NULL,
  role       TEXT,                  -- null for notes
  author     TEXT NOT NULL,         -- '' if the role says it
  chat       TEXT,                  -- null for notes
  date       TEXT,                  -- local day; null if not known
  privacy    TEXT NOT NULL,
  expires    TEXT,                  -- local day from which it is gone; null if never
  superseded INTEGER NOT NULL,      -- 1 if another line took its place
  message_id INTEGER,               -- null for notes
  words      INTEGER NOT NULL,      -- of the passage; of a message, all its passages together
  asking     REAL NOT NULL,         -- the share of it that only asks, from 0 to 1
  manual     INTEGER NOT NULL,      -- 1 if about Sam itself: soul, identity, skills, starter notes
  small_talk INTEGER NOT NULL,      -- 1 for greetings, thanks, commands: never a hit, no vector
  language   TEXT NOT NULL,         -- ISO 639-1; '' if it is not clear
  text_hash  TEXT NOT NULL,         -- of what is embedded
  priority   INTEGER NOT NULL,      -- 0: Sam's own and messages, 1: the owner's notes
  age        INTEGER,               -- the note's -mtime_ns; null for a message, and if just written
  embedded   INTEGER NOT NULL,      -- 1 if its vector is there
  unsplit    INTEGER NOT NULL       -- 1 while its sentences wait for their vectors
);
-- serves: replacing a source's chunks
CREATE INDEX chunk_source ON chunk (source_id);
-- serves: the queue of embedding, newest first
CREATE INDEX chunk_queue ON chunk (priority, date DESC, age, id DESC) WHERE embedded = 0;
CREATE INDEX chunk_unsplit ON chunk (priority, date DESC, age, id DESC) WHERE unsplit = 1;
-- serves: the other passages of a message
CREATE INDEX chunk_message ON chunk (message_id) WHERE message_id IS NOT NULL;
-- serves: whether a text is still a passage
CREATE INDEX chunk_text ON chunk (text_hash);
-- serves: filters before the nearest-neighbour search
CREATE INDEX chunk_kind_date ON chunk (kind, date);
-- serves: a period's passages
CREATE INDEX chunk_date ON chunk (date);

-- each chunk that got its vector or went, for what lies in memory (memory/search/in_memory/cache.py); one that
-- came has a larger id than all before
CREATE TABLE chunk_change (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  chunk_id   INTEGER NOT NULL
);
CREATE TRIGGER chunk_change_embedded AFTER UPDATE OF embedded ON chunk
  BEGIN INSERT INTO chunk_change (chunk_id) VALUES (new.id); END;
CREATE TRIGGER chunk_change_went AFTER DELETE ON chunk
  BEGIN INSERT INTO chunk_change (chunk_id) VALUES (old.id); END;

-- the lengths of deleted passages, until the totals of chunk_fts are corrected (fulltext.py)
CREATE TABLE removed (
  sz         BLOB NOT NULL            -- of chunk_fts_docsize
);

CREATE TABLE sentences (              -- of passages that have several: they only rank, and find nothing
  chunk_id   INTEGER PRIMARY KEY REFERENCES chunk (id) ON DELETE CASCADE,
  vectors    BLOB NOT NULL            -- memory/embedding/packed.py
);

CREATE TABLE embedding (              -- the cache
  text_hash  TEXT NOT NULL,
  input_type TEXT NOT NULL CHECK (input_type IN ('document', 'query', 'sentences')),
  vector     BLOB NOT NULL,           -- float32, of the identity in meta (provider, model, dimension);
                                      -- of a passage's sentences, the blob of its row in `sentences`
  PRIMARY KEY (text_hash, input_type)
) WITHOUT ROWID;

-- chunk_fts (text, heading, asked, before, after), made in tables.py since it differs by SQLite's
-- version: `text` has the author's name in front, `asked` what the message before asks, `before`
-- what else it says. The tables of vectors are made when their dimension is known.
