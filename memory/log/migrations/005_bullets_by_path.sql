-- serves: what each line of a day's file came from; every recall asks it of the files it found
CREATE INDEX bullet_path ON bullet (path);
