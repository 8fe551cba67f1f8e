-- The self-exam: whether what was said is still found by what was made of it.

CREATE TABLE exam (
  id           INTEGER PRIMARY KEY,
  at           TEXT NOT NULL,
  version      TEXT NOT NULL,               -- of Sam
  identity     TEXT NOT NULL,               -- provider/model of the vectors; '' without
  degraded     TEXT NOT NULL,               -- why recall had to do without vectors; '' if it had them
  ranks        TEXT NOT NULL,               -- JSON: bullet id → [rank, rank by vectors alone], 0 = not found
  alarm        TEXT NOT NULL                -- a sentence; '' if nothing got worse
);
