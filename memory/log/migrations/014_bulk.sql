-- Summaries of imported chats that are ordered from the provider in bulk, at a lower price.

-- 1: the summaries of this import are ordered in bulk
ALTER TABLE import ADD COLUMN bulk INTEGER NOT NULL DEFAULT 0;

-- 1: the owner was told what was learned from it
ALTER TABLE import ADD COLUMN announced INTEGER NOT NULL DEFAULT 0;
UPDATE import SET announced = 1;

CREATE TABLE bulk_order (
  id           INTEGER PRIMARY KEY,
  mark         TEXT NOT NULL UNIQUE,        -- the beginning of the names of its items, at the provider
  begun_at     TEXT NOT NULL,
  remote       TEXT,                        -- its id at the provider; null until that is known
  usage        INTEGER NOT NULL,            -- the row of usage with its estimate, then with its cost
  size         INTEGER NOT NULL,            -- how many summaries were ordered
  ended_at     TEXT                         -- null until the answers are here
);

CREATE TABLE bulk_item (
  id           INTEGER PRIMARY KEY,
  bulk_order   INTEGER NOT NULL REFERENCES bulk_order (id),
  hash         TEXT NOT NULL,               -- of the text that was sent
  answer       TEXT                         -- null until it is here; '' if there is none
);

-- the item that a message was sent in
CREATE TABLE bulk_message (
  message      INTEGER PRIMARY KEY REFERENCES message (id),
  item         INTEGER NOT NULL REFERENCES bulk_item (id)
);
-- which messages an item has
CREATE INDEX bulk_message_by_item ON bulk_message (item);
