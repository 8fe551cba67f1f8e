-- serves: the message before or after one, without reading those in between that changefeed.py skips:
-- an import that is undone has thousands of forgotten ones in a row
CREATE INDEX message_shown ON message (session_id, id)
  WHERE state != 'forgotten' AND text != '' AND privacy = 'normal' AND reason IS NOT 'command';
