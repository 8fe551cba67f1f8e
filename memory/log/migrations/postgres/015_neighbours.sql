CREATE INDEX message_shown ON message (tenant, session_id, id)
  WHERE state != 'forgotten' AND text != '' AND privacy = 'normal'
    AND reason IS DISTINCT FROM 'command';
