import { Effect } from "effect"
import type { PgStatements } from "./PgDatabase.ts"

// Where the Citus extension is installed, each table is distributed once: by `organization_id` where that is the first column of the primary key, so
// that an organization's rows of all tables are on one server; global tables are copied to every server. Tables that only migrations read stay local.

interface Table {
  readonly name: string
  /** The first column of the primary key is the organization. */
  readonly split: boolean
  /** Tables that its foreign keys refer to; they are distributed first. */
  readonly parents: ReadonlyArray<string>
}

const hasCitus = "select exists (select from pg_extension where extname = 'citus') as present"

const localTables = `select c.relname as name,
    coalesce((select a.attname = 'organization_id' from pg_index x join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
      where x.indrelid = c.oid and x.indisprimary), false) as split,
    array(select k.confrelid::regclass::text from pg_constraint k where k.conrelid = c.oid and k.contype = 'f') as parents
  from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    and c.relname not in ('schema_migrations', 'schema_lock')
    and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
  order by c.relname`

const alreadySplit = `select c.relname as name from pg_dist_partition d join pg_class c on c.oid = d.logicalrelid
  where d.partmethod = 'h' order by c.oid limit 1`

/** Parents before children; global tables before what is split, which may refer to them. */
const inOrder = (tables: ReadonlyArray<Table>): ReadonlyArray<Table> => {
  const waiting = new Map(tables.map((table) => [table.name, table]))
  const ordered: Array<Table> = []
  const place = (table: Table): void => {
    if (!waiting.delete(table.name)) return
    for (const parent of table.parents) {
      const found = waiting.get(parent)
      if (found !== undefined) place(found)
    }
    ordered.push(table)
  }
  for (const table of tables) if (!table.split) place(table)
  for (const table of tables) place(table)
  return ordered
}

/** Triggers run on the server that holds the row; ours only refuse, so they need no other server. */
const allowTriggers = [
  "set citus.enable_unsafe_triggers = on",
  `do $$ begin execute format('alter database %I set citus.enable_unsafe_triggers = on', current_database()); end $$`
]

// Existing rows are copied to the servers that hold them from now on. What remains of them in the local table is never read again.
const distributeOne = (session: PgStatements, { name, split }: Table, beside: string | undefined) =>
  session.query(
    split
      ? `select create_distributed_table('${name}', 'organization_id', colocate_with => '${beside ?? "none"}')`
      : `select create_reference_table('${name}')`
  )

/** Distributes what is not yet distributed; answers the names of those tables. Without Citus nothing is done. */
export const distribute = Effect.fnUntraced(function*(session: PgStatements) {
  const [extension] = yield* session.query<{ readonly present: boolean }>(hasCitus)
  if (extension?.present !== true) return []
  const tables = inOrder(yield* session.query<Table>(localTables))
  if (tables.length === 0) return []
  for (const statement of allowTriggers) yield* session.query(statement)
  let [beside] = (yield* session.query<{ readonly name: string }>(alreadySplit)).map((row) => row.name)
  for (const table of tables) {
    yield* distributeOne(session, table, beside)
    if (table.split) beside ??= table.name
  }
  return tables.map((table) => table.name)
})
