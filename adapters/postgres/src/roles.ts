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

interface TableAccess {
  /**
   * What hosts may do. `reads`: tables of the schema itself. `adds`: append-only tables. `changes`: rows are added, changed and locked, never deleted;
   * triggers restrict which columns may change. `removes`: tables whose rows are deleted in normal operation.
   */
  readonly hosts: "reads" | "adds" | "changes" | "removes"
  /** Encrypted secrets, digests of passwords and sessions: hidden from the reading role. */
  readonly secret?: true
}

/** The privileges on every table of the schema. A table that is missing here is closed to the hosts and to the reading role. */
const tables: Readonly<Record<string, TableAccess>> = {
  schema_migrations: { hosts: "reads" },
  schema_lock: { hosts: "reads" },
  activity_log: { hosts: "adds" },
  advance_documents: { hosts: "adds" },
  branding_versions: { hosts: "adds" },
  directory_clients: { hosts: "adds" },
  events: { hosts: "adds" },
  invoice_issuers: { hosts: "adds" },
  invoices: { hosts: "adds" },
  journal_checkpoints: { hosts: "adds" },
  journal_log_entries: { hosts: "adds" },
  kept_attempts: { hosts: "adds" },
  licence_changes: { hosts: "adds" },
  payment_notes: { hosts: "adds" },
  portal_forms: { hosts: "adds", secret: true },
  price_lists: { hosts: "adds" },
  reference_keys: { hosts: "adds" },
  refund_entries: { hosts: "adds" },
  transitions: { hosts: "adds" },
  advance_cases: { hosts: "changes" },
  attempts: { hosts: "changes" },
  attention: { hosts: "changes" },
  business_premises: { hosts: "changes" },
  counter_series: { hosts: "changes" },
  credentials: { hosts: "changes", secret: true },
  delivery_settings: { hosts: "changes" },
  directory_elements: { hosts: "changes" },
  environment_settings: { hosts: "changes" },
  event_heads: { hosts: "changes" },
  invitations: { hosts: "changes", secret: true },
  journal_entries: { hosts: "changes" },
  journal_horizons: { hosts: "changes" },
  journal_cosignatures: { hosts: "changes" },
  journal_keys: { hosts: "changes", secret: true },
  journal_log_positions: { hosts: "changes" },
  journal_log_tiles: { hosts: "changes" },
  journal_logs: { hosts: "changes" },
  journal_witnessed: { hosts: "changes" },
  kept_answers: { hosts: "changes" },
  kept_keys: { hosts: "changes" },
  licences: { hosts: "changes" },
  mail_transport: { hosts: "changes" },
  operations: { hosts: "changes" },
  organizations: { hosts: "changes" },
  people: { hosts: "changes", secret: true },
  products: { hosts: "changes" },
  proforma_training_documents: { hosts: "changes" },
  receipt_deliveries: { hosts: "changes" },
  refund_lines: { hosts: "changes" },
  refund_workflows: { hosts: "changes" },
  security_elements: { hosts: "changes", secret: true },
  taxpayers: { hosts: "changes" },
  turnover_days: { hosts: "changes" },
  turnover_parts: { hosts: "changes" },
  counter_spans: { hosts: "removes" },
  directory_taxpayers: { hosts: "removes" },
  elsewhere_receipts: { hosts: "removes" },
  element_pool: { hosts: "removes", secret: true },
  journal_pending: { hosts: "removes" },
  leaving_turns: { hosts: "removes" },
  members: { hosts: "removes" },
  month_mails: { hosts: "removes" },
  noted_changes: { hosts: "removes" },
  portal_issuer_accounts: { hosts: "removes" },
  portal_devices: { hosts: "removes" },
  portal_recovery_codes: { hosts: "removes", secret: true },
  portal_guesses: { hosts: "removes", secret: true },
  portal_mail: { hosts: "removes", secret: true },
  portal_passkeys: { hosts: "removes", secret: true },
  portal_sent_forms: { hosts: "removes", secret: true },
  portal_resets: { hosts: "removes", secret: true },
  portal_sessions: { hosts: "removes", secret: true },
  saved_searches: { hosts: "removes" },
  webhook_attempts: { hosts: "removes" },
  webhook_endpoints: { hosts: "changes", secret: true },
  webhook_messages: { hosts: "removes" },
  token_keys: { hosts: "removes", secret: true }
}

const privileges: Readonly<Record<TableAccess["hosts"], ReadonlyArray<string>>> = {
  reads: ["select"],
  adds: ["select", "insert"],
  changes: ["select", "insert", "update"],
  removes: ["select", "insert", "update", "delete"]
}

/** The names of the tables whose privileges are decided. */
export const decidedTables: ReadonlySet<string> = new Set(Object.keys(tables))

const quoted = (name: string): string => `"${name.replaceAll("\"", "\"\"")}"`

/** The privileges of the hosts' role on a table; none on a table that is not listed. */
export const hostPrivileges = (table: string): ReadonlyArray<string> => {
  const access = tables[table]
  return access === undefined ? [] : privileges[access.hosts]
}

const mayBeRead = (table: string): boolean => tables[table] !== undefined && tables[table].secret !== true

const grantTable = (table: string, { hosts, reading }: InstallationRoles): ReadonlyArray<string> => {
  const granted = hostPrivileges(table)
  return [
    `revoke all on table ${quoted(table)} from public, ${quoted(hosts)}`,
    ...(granted.length === 0 ? [] : [`grant ${granted.join(", ")} on table ${quoted(table)} to ${quoted(hosts)}`]),
    ...(reading === null ? [] : [
      `revoke all on table ${quoted(table)} from ${quoted(reading)}`,
      ...(mayBeRead(table) ? [`grant select on table ${quoted(table)} to ${quoted(reading)}`] : [])
    ])
  ]
}

/** For a grant by any other role the database would only give a warning. */
export class NotTheOwner extends Schema.TaggedError<NotTheOwner>()("NotTheOwner", { table: Schema.String }) {
  override get message(): string {
    return `Only the owner of the schema can give roles their grants; ${this.table} is somebody else's.`
  }
}

const grantAll = Effect.fnUntraced(function*(tx: PgStatements, roles: InstallationRoles) {
  const [place] = yield* tx.query<{ readonly schema: string; readonly database: string }>("select current_schema() as schema, current_database() as database")
  if (place === undefined) return yield* Effect.die(new Error("a query without a row"))
  const found = yield* tx.query<{ readonly name: string }>(
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
  for (const { name } of found) for (const statement of grantTable(name, roles)) yield* tx.query(statement)
  return found.map(({ name }) => name)
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
