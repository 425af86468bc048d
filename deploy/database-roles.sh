#!/bin/sh
# Runs once, when the database of compose.yaml is made: the roles of the programs. None of them is a superuser, and the hosts' owns nothing.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" \
  -v owner="$(cat /run/secrets/owner-password)" -v hosts="$(cat /run/secrets/hosts-password)" -v reading="$(cat /run/secrets/reading-password)" <<'SQL'
create role overa_owner login password :'owner';
create role overa_hosts login password :'hosts';
create role overa_reading login password :'reading';
alter database overa owner to overa_owner;
revoke all on database overa from public;
SQL
# Nobody from outside this container without TLS.
sed -i 's/^host all all all /hostssl all all all /' "$PGDATA/pg_hba.conf"
grep -q '^hostssl all all all ' "$PGDATA/pg_hba.conf"
