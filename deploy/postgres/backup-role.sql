-- A role for pg_dump, which has to see every person's rows; Sam never uses it. As role.sql:
--   SAM_BACKUP_PASSWORD=… psql --file deploy/postgres/backup-role.sql
\set ON_ERROR_STOP on
\getenv password SAM_BACKUP_PASSWORD
\if :{?password}
\else
  \warn 'set SAM_BACKUP_PASSWORD: the password of the role sam_backup'
  SELECT 1 / 0;
\endif

SELECT 'CREATE ROLE sam_backup'
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'sam_backup') \gexec
ALTER ROLE sam_backup LOGIN NOSUPERUSER BYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION
  PASSWORD :'password';
GRANT pg_read_all_data TO sam_backup;
GRANT CONNECT ON DATABASE sam TO sam_backup;
