-- What Telegram may know of a reply although its answer never came.

ALTER TABLE reply ADD COLUMN sending INTEGER NOT NULL DEFAULT 0; -- 1: the next part may have arrived

-- the messages that show an answer while it is being made, where Telegram has no drafts
CREATE TABLE streamed (
  key          TEXT PRIMARY KEY,            -- of the reply that the message becomes
  telegram_id  INTEGER NOT NULL,
  sent_at      TEXT NOT NULL                -- Telegram's date
);
