-- Roles of the database, once, as its superuser:
--   psql -v owner=… -v app=… -v reader=… -v backup=… -f roles.sql latchkey      (each a password, such as of openssl rand -hex 24)
-- The owner migrates (latchkey migrate, with its address in DATABASE_URL); servers and commands are the app.
\set ON_ERROR_STOP on
create role latchkey_owner login password :'owner';
create role latchkey_app login password :'app' connection limit 150;
create role latchkey_reader login password :'reader' connection limit 10;
create role latchkey_backup login password :'backup' connection limit 4 in role pg_read_all_data;

revoke all on schema public from public;
grant usage, create on schema public to latchkey_owner;
grant usage on schema public to latchkey_app, latchkey_reader;
alter role latchkey_reader set default_transaction_read_only = on;
alter role latchkey_reader set statement_timeout = '60s';

alter default privileges for role latchkey_owner in schema public
  grant select, insert, update, delete on tables to latchkey_app;
alter default privileges for role latchkey_owner in schema public
  grant usage, select on sequences to latchkey_app;
alter default privileges for role latchkey_owner in schema public
  grant select on tables to latchkey_reader;
-- In the audit log the app may only read, insert, and delete events past their retention period: migrations revoke the
-- other privileges, and a trigger refuses to delete younger events.

-- Lets the app see in pg_stat_replication whether the standby is synchronous.
grant pg_read_all_stats to latchkey_app;
