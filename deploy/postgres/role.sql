-- The role and the database of Sam. As a superuser of PostgreSQL 15 or newer, with psql:
--   SAM_DB_PASSWORD=… psql --file deploy/postgres/role.sql
-- It can be run again: what is there stays, and the password is set anew.
\set ON_ERROR_STOP on
\getenv password SAM_DB_PASSWORD
\if :{?password}
\else
  \warn 'set SAM_DB_PASSWORD: the password of the role sam'
  SELECT 1 / 0;
\endif

-- Row-level security keeps people's rows apart. It does not apply to superusers and to roles with
-- BYPASSRLS, so Sam refuses these.
SELECT 'CREATE ROLE sam'
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'sam') \gexec
ALTER ROLE sam LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION
  PASSWORD :'password';

SELECT 'CREATE DATABASE sam OWNER sam ENCODING ''UTF8'' TEMPLATE template0'
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'sam') \gexec
REVOKE ALL ON DATABASE sam FROM PUBLIC;
