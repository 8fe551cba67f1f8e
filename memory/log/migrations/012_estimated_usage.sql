-- What a call may cost is recorded before it is made, and replaced by what it did cost.

-- 1: an estimate, of a call in progress or of one whose process was killed
ALTER TABLE usage ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
