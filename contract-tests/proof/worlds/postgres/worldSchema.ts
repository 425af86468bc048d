/**
 * What a simulated world needs in a migrated database, in a schema of its own that a session searches before PostgreSQL's (docs/adr/0127): its own time,
 * and the changes of every row, so that a failover can put back what was stored before.
 */

/** Searched first by the sessions of a world: an unqualified `now()` is then the world's. */
export const searchPath = "overa_world, pg_catalog, public"

/**
 * The file in the server's data directory from which statements read the world's time and its last mark. A statement reads it only where it asks for the
 * time or changes a row, and needs no other statement before it.
 */
export const moment = { file: "overa_world_moment", bytes: 48 } as const

/** What the file contains: the time as epoch milliseconds, the mark, and the transaction that runs on the world's other connection, 0 for none. */
export const momentText = (time: number, mark: number, running: string): string => `${time} ${mark} ${running} `.padEnd(moment.bytes)

const partOf = (position: 1 | 2 | 3): string => `split_part(pg_read_file('${moment.file}.' || current_database()), ' ', ${position})`

const clockFunctions = ["now", "statement_timestamp", "transaction_timestamp", "clock_timestamp"].map((name) =>
  `create function overa_world.${name}() returns timestamptz language plpgsql stable as $$ begin
  return to_timestamp(${partOf(1)}::float8 / 1000);
end $$`
)

// Other databases of the server, and its own upkeep, have transactions too; of a world at most the one on its other connection runs while a statement does. It may have a
// higher number than the next one, as long as none behind it has ended.
const snapshotFunction = `create function overa_world.pg_current_snapshot() returns pg_snapshot language plpgsql stable as $$
declare
  running bigint := ${partOf(3)};
  next bigint := pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text;
begin
  if running = 0 or running >= next then return format('%1$s:%1$s:', next); end if;
  return format('%1$s:%2$s:%1$s', running, next);
end $$`

/** `before` is null where the row is new. */
const changesTable = `create unlogged table overa_world.changes (
  number bigint generated always as identity primary key,
  mark bigint not null,
  relation text not null,
  key jsonb not null,
  before jsonb
)`

const noteChange = `create function overa_world.note_change() returns trigger language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'INSERT' then to_jsonb(new) else to_jsonb(old) end;
begin
  insert into overa_world.changes (mark, relation, key, before) values (
    ${partOf(2)}::bigint, tg_table_name,
    (select jsonb_object_agg(name, changed -> name) from unnest(tg_argv) as name),
    case when tg_op = 'INSERT' then null else changed end);
  return null;
end $$`

// What a row was at a mark is what its first change after the mark found.
const goBack = `create function overa_world.go_back(to_mark bigint) returns void language plpgsql
set session_replication_role = replica as $$
declare
  one record;
  firsts jsonb;
begin
  for one in select t.relation, t.is_same from overa_world.relations t
    where t.relation in (select c.relation from overa_world.changes c where c.mark >= to_mark)
  loop
    select jsonb_agg(f) into firsts from (select distinct on (c.key) c.key, c.before from overa_world.changes c
      where c.mark >= to_mark and c.relation = one.relation order by c.key, c.number) f;
    execute format('delete from public.%1$I t using jsonb_to_recordset($1) as f (key jsonb) where %2$s', one.relation, one.is_same) using firsts;
    execute format('insert into public.%1$I select r.* from jsonb_to_recordset($1) as f (before jsonb)
      cross join lateral jsonb_populate_record(null::public.%1$I, f.before) r where f.before is not null', one.relation) using firsts;
  end loop;
  delete from overa_world.changes c where c.mark >= to_mark;
end $$`

/** The session setting under which changes are noted: while a failover is still to come. */
export const watching = "overa_world.watching"

const watchTables = `do $$
declare
  one record;
  filled boolean;
begin
  for one in
    select c.relname as relation, array_agg(a.attname order by a.attnum) as columns,
      string_agg(format('t.%1$I = (f.key ->> %1$L)::%2$s', a.attname, format_type(a.atttypid, a.atttypmod)), ' and ' order by a.attnum) as is_same
    from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'schema\\_%'
    group by c.relname
  loop
    execute format('select exists (select from public.%I)', one.relation) into filled;
    insert into overa_world.relations values (one.relation, one.is_same, filled);
    execute format('create trigger zz_world_notes_change after insert or update or delete on public.%I for each row
      when (current_setting(''${watching}'') = ''on'') execute function overa_world.note_change(%s)', one.relation, (select string_agg(quote_literal(name), ', ') from unnest(one.columns) as name));
  end loop;
end $$`

/** Tables whose rows no failover of a world could put back. */
export const tablesWithoutKey = `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  and c.relname not like 'schema\\_%' and not exists (select from overa_world.relations t where t.relation = c.relname)`

/** $1 mark: puts every row back as it was at a mark. */
export const goBackTo = "select overa_world.go_back($1)"

const emptyTables = `create function overa_world.empty() returns void language plpgsql set session_replication_role = replica as $$
declare
  one record;
begin
  for one in select t.relation from overa_world.relations t
    where not t.is_migrated and pg_relation_size(format('public.%I', t.relation)::regclass) > 0
  loop
    execute format('delete from public.%I', one.relation);
  end loop;
  truncate overa_world.changes;
end $$`

/** Removes the rows of an earlier world. */
export const emptyWorld = "select overa_world.empty()"

/** The settings are rows of the migration, which stay from world to world. */
export const noRestore = "update environment_settings set restoring_since = null, restored_at = null"

/** The state of the mail server is a row of the migration too. */
export const workingMail = "update mail_transport set failures = 0, detail = null, try_at = to_timestamp(0), updated_at = to_timestamp(0) where updated_at > to_timestamp(0)"

/** $1 transaction: the operations of which a row was written by it or a later one, and the first transaction that has not ended. */
export const writtenSince = `select operation_id, pg_snapshot_xmin(pg_current_snapshot())::text as next from (
  select operation_id from operations where xmin::text::bigint >= $1::bigint
  union select operation_id from attempts where xmin::text::bigint >= $1::bigint
  union select operation_id from attention where xmin::text::bigint >= $1::bigint and operation_id is not null) o order by operation_id`

/** Makes the schema in a migrated database, statement by statement. */
export const makeWorldSchema: ReadonlyArray<string> = [
  "create schema overa_world",
  ...clockFunctions,
  snapshotFunction,
  changesTable,
  "create index on overa_world.changes (mark)",
  "create table overa_world.relations (relation text primary key, is_same text not null, is_migrated boolean not null)",
  noteChange,
  goBack,
  emptyTables,
  watchTables
]
