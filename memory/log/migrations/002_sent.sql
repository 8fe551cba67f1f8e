-- What was sent to a provider, for `sam privacy`; 0 in rows of before.

ALTER TABLE usage ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;     -- of the texts that were sent
ALTER TABLE usage ADD COLUMN passages INTEGER NOT NULL DEFAULT 0;  -- of notes and messages in them
