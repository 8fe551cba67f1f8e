-- The tables of the inbox in PostgreSQL, as the migrations of SQLite up to 005 leave them; those say
-- what the columns mean. The tenant is the last column: rows are inserted without naming it.

CREATE TABLE incoming (
  update_id     bigint NOT NULL,
  chat          text COLLATE "C",
  received_at   text COLLATE "C" NOT NULL,
  state         text COLLATE "C" NOT NULL CHECK (state IN ('received', 'done', 'set_aside')),
  reason        text COLLATE "C",
  tries         bigint NOT NULL DEFAULT 0,
  payload       text COLLATE "C",
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, update_id),
  CHECK (payload IS NULL OR state != 'done')
);
CREATE INDEX incoming_open ON incoming (tenant, received_at, update_id) WHERE state = 'received';
CREATE TRIGGER incoming_made AFTER INSERT ON incoming FOR EACH ROW EXECUTE FUNCTION count_row('updates');

CREATE TABLE reply (
  id            bigint NOT NULL DEFAULT next_number('reply', 'id'),
  key           text COLLATE "C" NOT NULL,
  profile       text COLLATE "C" NOT NULL,
  chat_id       bigint NOT NULL,
  topic         bigint,
  purpose       text COLLATE "C" NOT NULL CHECK (purpose IN ('answer', 'failure', 'spoke', 'notice')),
  turn          bigint,
  state         text COLLATE "C" NOT NULL CHECK (state IN ('to_send', 'sent', 'given_up')),
  reason        text COLLATE "C",
  text          text COLLATE "C",
  logged        text COLLATE "C",
  telegram_ids  text COLLATE "C" NOT NULL DEFAULT '[]',
  sent_at       text COLLATE "C",
  created_at    text COLLATE "C" NOT NULL,
  settled       bigint NOT NULL DEFAULT 0,
  answers       bigint,
  silent        bigint NOT NULL DEFAULT 0,
  sending       bigint NOT NULL DEFAULT 0,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, key)
);
CREATE INDEX reply_open ON reply (tenant, id) WHERE settled = 0;
CREATE TRIGGER reply_made AFTER INSERT ON reply FOR EACH ROW EXECUTE FUNCTION count_row('replies');

CREATE TABLE pairing (
  id            bigint NOT NULL DEFAULT next_number('pairing', 'id'),
  salt          bytea NOT NULL,
  hash          bytea NOT NULL,
  expires_at    text COLLATE "C" NOT NULL,
  used_by       bigint,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id)
);

CREATE TABLE paired (
  user_id       bigint NOT NULL,
  profile       text COLLATE "C" NOT NULL,
  at            text COLLATE "C" NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, user_id)
);

CREATE TABLE stranger (
  user_id       bigint NOT NULL,
  day           text COLLATE "C" NOT NULL,
  messages      bigint NOT NULL,
  told          bigint NOT NULL DEFAULT 0,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, user_id, day)
);

CREATE TABLE remembered (
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

CREATE TABLE attempt (
  user_id       bigint NOT NULL,
  wrong         bigint NOT NULL,
  since         text COLLATE "C" NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, user_id)
);

CREATE TABLE button (
  id            text COLLATE "C" NOT NULL,
  reply         bigint NOT NULL,
  version       bigint NOT NULL,
  row           bigint NOT NULL,
  place         bigint NOT NULL,
  label         text COLLATE "C" NOT NULL,
  action        text COLLATE "C" NOT NULL,
  argument      text COLLATE "C" NOT NULL,
  copies        text COLLATE "C" NOT NULL,
  created_at    text COLLATE "C" NOT NULL,
  pressed_by    bigint,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, reply) REFERENCES reply (tenant, id)
);
CREATE INDEX button_reply ON button (tenant, reply, version, row, place);

CREATE TABLE streamed (
  key           text COLLATE "C" NOT NULL,
  telegram_id   bigint NOT NULL,
  sent_at       text COLLATE "C" NOT NULL,
  tenant        text COLLATE "C" NOT NULL DEFAULT current_setting('sam.tenant'),
  PRIMARY KEY (tenant, key)
);
