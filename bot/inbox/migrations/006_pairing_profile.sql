-- Codes that let their sender use a profile: the owner's, or somebody else's.

ALTER TABLE pairing ADD COLUMN profile TEXT NOT NULL DEFAULT 'owner';
