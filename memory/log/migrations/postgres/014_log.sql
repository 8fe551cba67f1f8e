-- The tables of the log in PostgreSQL, as the migrations of SQLite up to 014 leave them; those say
-- what the columns mean. The tenant is the last column: rows are inserted without naming it.

CREATE TABLE session (
  id            bigint NOT NULL DEFAULT next_number('session', 'id'),
  chat          text COLLATE "C" NOT NULL,
  started_at    text COLLATE "C" NOT NULL,
  ended_at      text COLLATE "C",
  history_from  bigint NOT NULL DEFAULT 0,
  path          text COLLATE "C",
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id)
);
CREATE UNIQUE INDEX session_current ON session (tenant, chat) WHERE ended_at IS NULL;

CREATE TABLE turn (
  id            bigint NOT NULL DEFAULT next_number('turn', 'id'),
  session_id    bigint NOT NULL,
  chat          text COLLATE "C" NOT NULL,
  state         text COLLATE "C" NOT NULL CHECK (state IN ('open', 'answered', 'failed', 'stopped')),
  reason        text COLLATE "C",
  opened_at     text COLLATE "C" NOT NULL,
  closed_at     text COLLATE "C",
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, session_id) REFERENCES session (tenant, id)
);
CREATE INDEX turn_open ON turn (tenant, id) WHERE state = 'open';
CREATE TRIGGER turn_made AFTER INSERT ON turn FOR EACH ROW EXECUTE FUNCTION count_row('turns');

CREATE TABLE batch (
  id            text COLLATE "C" NOT NULL,
  chat          text COLLATE "C" NOT NULL,
  day           text COLLATE "C" NOT NULL,
  state         text COLLATE "C" NOT NULL CHECK (state IN ('claimed', 'written', 'closed', 'released')),
  reason        text COLLATE "C" NOT NULL,
  claimed_at    text COLLATE "C" NOT NULL,
  closed_at     text COLLATE "C",
  path          text COLLATE "C",
  text_hash     text COLLATE "C",
  size          bigint,
  mark          text COLLATE "C" NOT NULL DEFAULT '',
  unfounded     bigint NOT NULL DEFAULT 0,
  facts_refused bigint NOT NULL DEFAULT 0,
  rowid         bigint NOT NULL DEFAULT next_number('batch', 'rowid'),
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id)
);
CREATE TRIGGER batch_made AFTER INSERT ON batch FOR EACH ROW EXECUTE FUNCTION count_row('batches');

CREATE TABLE message (
  id            bigint NOT NULL DEFAULT next_number('message', 'id'),
  key           text COLLATE "C",
  turn_id       bigint NOT NULL,
  session_id    bigint NOT NULL,
  role          text COLLATE "C" NOT NULL CHECK (role IN ('user', 'assistant')),
  origin        text COLLATE "C" NOT NULL CHECK (origin IN ('owner', 'sam', 'recall', 'forwarded', 'quoted', 'file', 'web', 'tool', 'other')),
  author        text COLLATE "C" NOT NULL,
  privacy       text COLLATE "C" NOT NULL CHECK (privacy IN ('normal', 'sensitive', 'sealed')),
  lang          text COLLATE "C",
  sent_at       text COLLATE "C" NOT NULL,
  edited_at     text COLLATE "C",
  chat          text COLLATE "C" NOT NULL,
  telegram_ids  text COLLATE "C" NOT NULL,
  text          text COLLATE "C" NOT NULL,
  state         text COLLATE "C" NOT NULL CHECK (state IN ('pending', 'claimed', 'written', 'closed', 'excluded', 'forgotten')),
  reason        text COLLATE "C",
  batch         text COLLATE "C",
  changed       bigint NOT NULL,
  outdated      bigint NOT NULL DEFAULT 0,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, key),
  FOREIGN KEY (tenant, batch) REFERENCES batch (tenant, id),
  FOREIGN KEY (tenant, session_id) REFERENCES session (tenant, id),
  FOREIGN KEY (tenant, turn_id) REFERENCES turn (tenant, id)
);
CREATE INDEX message_session ON message (tenant, session_id, id);
CREATE INDEX message_turn ON message (tenant, turn_id);
CREATE INDEX message_pending ON message (tenant, id) WHERE state = 'pending';
CREATE INDEX message_batch ON message (tenant, batch) WHERE batch IS NOT NULL;
CREATE INDEX message_changed ON message (tenant, changed);
CREATE INDEX message_sent ON message (tenant, sent_at);
CREATE INDEX message_outdated ON message (tenant, id) WHERE outdated = 1;
CREATE TRIGGER message_made AFTER INSERT ON message FOR EACH ROW EXECUTE FUNCTION count_row('messages');

CREATE TABLE bullet (
  id            bigint NOT NULL DEFAULT next_number('bullet', 'id'),
  batch         text COLLATE "C" NOT NULL,
  path          text COLLATE "C" NOT NULL,
  text_hash     text COLLATE "C" NOT NULL,
  text          text COLLATE "C" NOT NULL,
  sources       text COLLATE "C" NOT NULL,
  privacy       text COLLATE "C" NOT NULL CHECK (privacy IN ('normal', 'sensitive', 'sealed')),
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, batch) REFERENCES batch (tenant, id)
);
CREATE INDEX bullet_batch ON bullet (tenant, batch);
CREATE INDEX bullet_hash ON bullet (tenant, text_hash);
CREATE INDEX bullet_path ON bullet (tenant, path);

CREATE TABLE journal (
  id            bigint NOT NULL DEFAULT next_number('journal', 'id'),
  at            text COLLATE "C" NOT NULL,
  path          text COLLATE "C" NOT NULL,
  before        text COLLATE "C",
  after         text COLLATE "C",
  cause         text COLLATE "C" NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id)
);
CREATE INDEX journal_path ON journal (tenant, path, id);

CREATE TABLE tombstone (
  id            bigint NOT NULL DEFAULT next_number('tombstone', 'id'),
  at            text COLLATE "C" NOT NULL,
  text_hash     text COLLATE "C" NOT NULL,
  cause         text COLLATE "C" NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, text_hash)
);

CREATE TABLE usage (
  id            bigint NOT NULL DEFAULT next_number('usage', 'id'),
  at            text COLLATE "C" NOT NULL,
  provider      text COLLATE "C" NOT NULL,
  model         text COLLATE "C" NOT NULL,
  purpose       text COLLATE "C" NOT NULL,
  turn_id       bigint,
  input         bigint NOT NULL,
  output        bigint NOT NULL,
  cache_read    bigint NOT NULL,
  cache_write   bigint NOT NULL,
  usd           double precision NOT NULL,
  bytes         bigint NOT NULL DEFAULT 0,
  passages      bigint NOT NULL DEFAULT 0,
  estimated     bigint NOT NULL DEFAULT 0,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id)
);
CREATE INDEX usage_at ON usage (tenant, at);

CREATE TABLE job_run (
  id            bigint NOT NULL DEFAULT next_number('job_run', 'id'),
  job           text COLLATE "C" NOT NULL,
  started_at    text COLLATE "C" NOT NULL,
  ended_at      text COLLATE "C",
  error         text COLLATE "C",
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id)
);
CREATE INDEX job_latest ON job_run (tenant, job, id);

CREATE TABLE setting (
  name          text COLLATE "C" NOT NULL,
  value         text COLLATE "C" NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, name)
);

CREATE TABLE counter (
  name          text COLLATE "C" NOT NULL,
  value         bigint NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, name)
);

CREATE TABLE exam (
  id            bigint NOT NULL DEFAULT next_number('exam', 'id'),
  at            text COLLATE "C" NOT NULL,
  version       text COLLATE "C" NOT NULL,
  identity      text COLLATE "C" NOT NULL,
  degraded      text COLLATE "C" NOT NULL,
  ranks         text COLLATE "C" NOT NULL,
  alarm         text COLLATE "C" NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id)
);

CREATE TABLE summary_retry (
  chat          text COLLATE "C" NOT NULL,
  failures      bigint NOT NULL,
  failing_since text COLLATE "C" NOT NULL,
  retry_at      text COLLATE "C" NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, chat)
);

CREATE TABLE candidate (
  id            bigint NOT NULL DEFAULT next_number('candidate', 'id'),
  batch         text COLLATE "C" NOT NULL,
  category      text COLLATE "C" NOT NULL,
  text          text COLLATE "C" NOT NULL,
  sources       text COLLATE "C" NOT NULL,
  day           text COLLATE "C" NOT NULL,
  expires       text COLLATE "C",
  confidence    double precision,
  action        text COLLATE "C" CHECK (action IN ('add', 'update', 'delete', 'keep', 'drop')),
  fact          text COLLATE "C",
  target        text COLLATE "C",
  doubtful      bigint NOT NULL DEFAULT 0,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, batch) REFERENCES batch (tenant, id)
);
CREATE INDEX candidate_batch ON candidate (tenant, batch);

CREATE TABLE fact (
  id            text COLLATE "C" NOT NULL,
  path          text COLLATE "C" NOT NULL,
  line_hash     text COLLATE "C" NOT NULL,
  text          text COLLATE "C" NOT NULL,
  sources       text COLLATE "C" NOT NULL,
  state         text COLLATE "C" NOT NULL CHECK (state IN ('sams', 'owners', 'archived', 'deleted')),
  changed_at    text COLLATE "C" NOT NULL,
  rowid         bigint NOT NULL DEFAULT next_number('fact', 'rowid'),
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id)
);
CREATE INDEX fact_path ON fact (tenant, path);

CREATE TABLE edit (
  id            bigint NOT NULL DEFAULT next_number('edit', 'id'),
  at            text COLLATE "C" NOT NULL,
  change        text COLLATE "C" NOT NULL,
  path          text COLLATE "C" NOT NULL,
  cause         text COLLATE "C" NOT NULL,
  is_new        bigint NOT NULL,
  marks         text COLLATE "C" NOT NULL,
  hunks         text COLLATE "C" NOT NULL,
  undone        bigint NOT NULL DEFAULT 0,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id)
);
CREATE INDEX edit_change ON edit (tenant, change, id);
CREATE INDEX edit_at ON edit (tenant, at);

CREATE TABLE import (
  id            bigint NOT NULL DEFAULT next_number('import', 'id'),
  source        text COLLATE "C" NOT NULL,
  name          text COLLATE "C" NOT NULL,
  mark          text COLLATE "C" NOT NULL,
  started_at    text COLLATE "C" NOT NULL,
  ended_at      text COLLATE "C",
  bulk          bigint NOT NULL DEFAULT 0,
  announced     bigint NOT NULL DEFAULT 0,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id)
);

CREATE TABLE import_chat (
  import        bigint NOT NULL,
  chat          text COLLATE "C" NOT NULL,
  title         text COLLATE "C" NOT NULL,
  session_id    bigint NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, import, chat),
  FOREIGN KEY (tenant, session_id) REFERENCES session (tenant, id),
  FOREIGN KEY (tenant, import) REFERENCES import (tenant, id)
);

CREATE TABLE import_note (
  import        bigint NOT NULL,
  path          text COLLATE "C" NOT NULL,
  hash          text COLLATE "C" NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, import, path),
  FOREIGN KEY (tenant, import) REFERENCES import (tenant, id)
);

CREATE TABLE feedback (
  message       bigint NOT NULL,
  at            text COLLATE "C" NOT NULL,
  sources       text COLLATE "C" NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, message),
  FOREIGN KEY (tenant, message) REFERENCES message (tenant, id)
);

CREATE TABLE proposal (
  id            text COLLATE "C" NOT NULL,
  path          text COLLATE "C" NOT NULL,
  old           text COLLATE "C" NOT NULL,
  new           text COLLATE "C" NOT NULL,
  reason        text COLLATE "C" NOT NULL,
  text_hash     text COLLATE "C" NOT NULL,
  state         text COLLATE "C" NOT NULL CHECK (state IN ('open', 'accepted', 'rejected', 'unfit')),
  made_at       text COLLATE "C" NOT NULL,
  shown_at      text COLLATE "C",
  decided_at    text COLLATE "C",
  rowid         bigint NOT NULL DEFAULT next_number('proposal', 'rowid'),
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id)
);
CREATE INDEX proposal_state ON proposal (tenant, state, made_at);

CREATE TABLE version (
  id            bigint NOT NULL DEFAULT next_number('version', 'id'),
  path          text COLLATE "C" NOT NULL,
  text_hash     text COLLATE "C" NOT NULL,
  text          text COLLATE "C" NOT NULL,
  cause         text COLLATE "C" NOT NULL,
  seen_at       text COLLATE "C" NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id)
);
CREATE INDEX version_path ON version (tenant, path, id);

CREATE TABLE contradiction (
  fact          text COLLATE "C" NOT NULL,
  other         text COLLATE "C" NOT NULL,
  state         text COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'asked', 'answered', 'lapsed')),
  made_at       text COLLATE "C" NOT NULL,
  asked_at      text COLLATE "C",
  back          text COLLATE "C",
  rowid         bigint NOT NULL DEFAULT next_number('contradiction', 'rowid'),
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, fact)
);

CREATE TABLE saved (
  name          text COLLATE "C" NOT NULL,
  sources       text COLLATE "C" NOT NULL,
  rowid         bigint NOT NULL DEFAULT next_number('saved', 'rowid'),
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, name)
);

CREATE TABLE bulk_order (
  id            bigint NOT NULL DEFAULT next_number('bulk_order', 'id'),
  mark          text COLLATE "C" NOT NULL,
  begun_at      text COLLATE "C" NOT NULL,
  remote        text COLLATE "C",
  usage         bigint NOT NULL,
  size          bigint NOT NULL,
  ended_at      text COLLATE "C",
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, mark)
);

CREATE TABLE bulk_item (
  id            bigint NOT NULL DEFAULT next_number('bulk_item', 'id'),
  bulk_order    bigint NOT NULL,
  hash          text COLLATE "C" NOT NULL,
  answer        text COLLATE "C",
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, bulk_order) REFERENCES bulk_order (tenant, id)
);

CREATE TABLE bulk_message (
  message       bigint NOT NULL,
  item          bigint NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, message),
  FOREIGN KEY (tenant, item) REFERENCES bulk_item (tenant, id),
  FOREIGN KEY (tenant, message) REFERENCES message (tenant, id)
);
CREATE INDEX bulk_message_by_item ON bulk_message (tenant, item);
CREATE FUNCTION forget_feedback() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM feedback WHERE message = new.id;
  RETURN NULL;
END $$;
CREATE TRIGGER feedback_forgotten AFTER UPDATE OF state ON message
  FOR EACH ROW WHEN (new.state = 'forgotten') EXECUTE FUNCTION forget_feedback();
