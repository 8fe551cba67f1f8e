-- What the ledger is compared with: counts kept beside the rows, in the transaction that adds a row.

CREATE TABLE counter (
  name         TEXT PRIMARY KEY,
  value        INTEGER NOT NULL
);
INSERT INTO counter SELECT 'updates', count(*) FROM incoming;
INSERT INTO counter SELECT 'replies', count(*) FROM reply;

CREATE TRIGGER incoming_made AFTER INSERT ON incoming BEGIN
  UPDATE counter SET value = value + 1 WHERE name = 'updates';
END;
CREATE TRIGGER reply_made AFTER INSERT ON reply BEGIN
  UPDATE counter SET value = value + 1 WHERE name = 'replies';
END;
