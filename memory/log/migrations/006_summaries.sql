-- Summaries that fail are tried again later and later, chat by chat; what each was made of is counted.

CREATE TABLE summary_retry (
  chat          TEXT PRIMARY KEY,
  failures      INTEGER NOT NULL,
  failing_since TEXT NOT NULL,
  retry_at      TEXT NOT NULL
);

ALTER TABLE batch ADD COLUMN mark TEXT NOT NULL DEFAULT '';         -- how the draft was made; '' by the model
ALTER TABLE batch ADD COLUMN unfounded INTEGER NOT NULL DEFAULT 0;  -- bullets left out: no message says them

UPDATE setting SET name = 'log created again' WHERE name = 'log began anew';
