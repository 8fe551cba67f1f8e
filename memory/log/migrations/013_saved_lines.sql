-- What the lines came from that were written down at their minute, at the owner's word.

CREATE TABLE saved (
  name         TEXT PRIMARY KEY,            -- a hash of the line of a day's file; of MEMORY.md ^ and its block id
  sources      TEXT NOT NULL                -- JSON list of message ids
);
