-- As SQLite's migration of the same number, which says what the column means.

ALTER TABLE pairing ADD COLUMN profile text COLLATE "C" NOT NULL DEFAULT 'owner';
