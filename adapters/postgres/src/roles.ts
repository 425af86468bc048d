import type { StoreUnavailable } from "@overa/domain"
import { Effect, Schema } from "effect"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"

/** The database roles that an installation's programs use, besides the owner of the schema. */
export interface InstallationRoles {
  /** For the API, the worker, the portal and the operator's command. */
  readonly hosts: string
  /** For people and programs that only read; null creates none. */
  readonly reading: string | null
}

/** Tables whose rows are deleted in normal operation; everywhere else nothing is ever deleted. */
const deletable: ReadonlySet<string> = new Set(["element_pool", "token_keys", "members", "portal_sessions", "portal_guesses", "directory_taxpayers", "journal_pending", "counter_spans"])
/** Append-only tables: nothing in them may ever be changed. */
const appendOnly: ReadonlySet<string> = new Set(["activity_log", "transitions", "branding_versions", "journal_log_entries", "journal_checkpoints"])
/** The record of the schema: hosts read whether it is their version. */
const readOnly: ReadonlySet<string> = new Set(["schema_migrations"])
/** Encrypted secrets, digests of passwords and sessions: hidden from the reading role. */
const hidden: ReadonlySet<string> = new Set(["security_elements", "element_pool", "token_keys", "journal_keys", "credentials", "people", "portal_sessions", "portal_guesses", "invitations"])

const quoted = (name: string): string => `"${name.replaceAll("\"", "\"\"")}"`

/** The privileges of the hosts' role on a table. */
export const hostPrivileges = (table: string): ReadonlyArray<string> => {
  if (readOnly.has(table)) return ["select"]
  if (appendOnly.has(table)) return ["select", "insert"]
  return ["select", "insert", "update", ...(deletable.has(table) ? ["delete"] : [])]
}

const grantTable = (table: string, { hosts, reading }: InstallationRoles): ReadonlyArray<string> => [
  `revoke all on table ${quoted(table)} from public, ${quoted(hosts)}`,
  `grant ${hostPrivileges(table).join(", ")} on table ${quoted(table)} to ${quoted(hosts)}`,
  ...(reading === null ? [] : [
    `revoke all on table ${quoted(table)} from ${quoted(reading)}`,
    ...(hidden.has(table) ? [] : [`grant select on table ${quoted(table)} to ${quoted(reading)}`])
  ])
]

/** For a grant by any other role the database would only give a warning. */
export class NotTheOwner extends Schema.TaggedError<NotTheOwner>()("NotTheOwner", { table: Schema.String }) {
  override get message(): string {
    return `Only the owner of the schema can give roles their grants; ${this.table} is somebody else's.`
  }
}

const grantAll = Effect.fnUntraced(function*(tx: PgStatements, roles: InstallationRoles) {
  const [place] = yield* tx.query<{ readonly schema: string; readonly database: string }>("select current_schema() as schema, current_database() as database")
  if (place === undefined) return yield* Effect.die(new Error("a query without a row"))
  const tables = yield* tx.query<{ readonly name: string }>(
    "select tablename::text as name from pg_tables where schemaname = current_schema() order by 1"
  )
  const [foreign] = yield* tx.query<{ readonly name: string }>(
    "select tablename::text as name from pg_tables where schemaname = current_schema() and not pg_has_role(tableowner, 'usage') limit 1"
  )
  if (foreign !== undefined) return yield* new NotTheOwner({ table: foreign.name })
  const names = [roles.hosts, ...(roles.reading === null ? [] : [roles.reading])].map(quoted).join(", ")
  yield* tx.query(`revoke create on schema ${quoted(place.schema)} from public`)
  yield* tx.query(`grant connect on database ${quoted(place.database)} to ${names}`)
  yield* tx.query(`grant usage on schema ${quoted(place.schema)} to ${names}`)
  for (const { name } of tables) for (const statement of grantTable(name, roles)) yield* tx.query(statement)
  return tables.map(({ name }) => name)
})

/**
 * Grants the roles what they need and nothing else, as the owner of the schema. Repeat it after every upgrade, because only the owner has rights on
 * new tables. The roles must exist. Answers the tables.
 */
export const grantRoles = Effect.fn("grantRoles")(function*(
  roles: InstallationRoles
): Effect.fn.Return<ReadonlyArray<string>, NotTheOwner | StoreUnavailable, PgDatabase> {
  const database = yield* PgDatabase
  return yield* database.transaction((tx) => grantAll(tx, roles))
})
