-- What the ledger is compared with: counts kept beside the rows, in the transaction that adds a row.

ALTER TABLE batch ADD COLUMN size INTEGER;  -- how many messages it claimed; null if made before this
UPDATE batch SET size = (SELECT count(*) FROM message WHERE message.batch = batch.id)
 WHERE state != 'released';

INSERT INTO counter SELECT 'turns', count(*) FROM turn;
INSERT INTO counter SELECT 'messages', count(*) FROM message;
INSERT INTO counter SELECT 'batches', count(*) FROM batch;

CREATE TRIGGER turn_made AFTER INSERT ON turn BEGIN
  UPDATE counter SET value = value + 1 WHERE name = 'turns';
END;
CREATE TRIGGER message_made AFTER INSERT ON message BEGIN
  UPDATE counter SET value = value + 1 WHERE name = 'messages';
END;
CREATE TRIGGER batch_made AFTER INSERT ON batch BEGIN
  UPDATE counter SET value = value + 1 WHERE name = 'batches';
END;
