-- The buttons below replies. A press names one by its id; what it does is looked up here.

CREATE TABLE button (
  id           TEXT PRIMARY KEY,            -- random: all that Telegram knows of it
  reply        INTEGER NOT NULL REFERENCES reply (id),
  version      INTEGER NOT NULL,            -- counts the keyboards that the message has had
  row          INTEGER NOT NULL,
  place        INTEGER NOT NULL,            -- in its row
  label        TEXT NOT NULL,
  action       TEXT NOT NULL,               -- what it does; "" for one that copies a text
  argument     TEXT NOT NULL,               -- JSON
  copies       TEXT NOT NULL,               -- the text that it copies; else ""
  created_at   TEXT NOT NULL,
  pressed_by   INTEGER                      -- the update of the first press; null until then
);
-- serves: the buttons to send with a reply
CREATE INDEX button_reply ON button (reply, version, row, place);

ALTER TABLE reply ADD COLUMN answers INTEGER; -- the message that it replies to; null for none
ALTER TABLE reply ADD COLUMN silent INTEGER NOT NULL DEFAULT 0; -- 1: without a sound
