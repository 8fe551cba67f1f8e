-- What undo needs: the lines that each edit of Sam's took out and put in. Kept for a month.

CREATE TABLE edit (
  id           INTEGER PRIMARY KEY,
  at           TEXT NOT NULL,
  change       TEXT NOT NULL,               -- edits of one batch, turn or command: undone together
  path         TEXT NOT NULL,
  cause        TEXT NOT NULL,               -- as in the journal
  is_new       INTEGER NOT NULL,            -- 1: the edit made the note
  marks        TEXT NOT NULL,               -- of the note's lines after it: 8 hex digits a line
  hunks        TEXT NOT NULL,               -- JSON: [line from 0, [lines before], [lines after]], …
  undone       INTEGER NOT NULL DEFAULT 0   -- 1: reverted at present
);
-- serves: one change, and the last ones
CREATE INDEX edit_change ON edit (change, id);
-- serves: deleting what is older than a month
CREATE INDEX edit_at ON edit (at);
