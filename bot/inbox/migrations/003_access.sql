-- Codes are guessed at by a user, not by everybody: one stranger's tries use up nobody else's.

CREATE TABLE attempt (
  user_id      INTEGER PRIMARY KEY,         -- Telegram's; of somebody we do not know
  wrong        INTEGER NOT NULL,            -- codes in a row that were none
  since        TEXT NOT NULL                -- the first of them
);
ALTER TABLE pairing DROP COLUMN tries_left;
ALTER TABLE stranger DROP COLUMN greeted;   -- strangers get no line any more
DELETE FROM pairing;                        -- codes of six digits
