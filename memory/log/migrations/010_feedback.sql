-- What the owner thinks of an answer, and messages whose summary says what they said before.

CREATE TABLE feedback (
  message      INTEGER PRIMARY KEY REFERENCES message (id),  -- the answer that is disliked
  at           TEXT NOT NULL,
  sources      TEXT NOT NULL                -- JSON list: the paths that the answer was shown with
);
CREATE TRIGGER feedback_forgotten AFTER UPDATE OF state ON message WHEN new.state = 'forgotten'
BEGIN
  DELETE FROM feedback WHERE message = new.id;
END;

-- 1: edited since it was summarised; what was made of the old words is to be taken back
ALTER TABLE message ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0;
CREATE INDEX message_outdated ON message (id) WHERE outdated = 1;
