import { PgDatabase, type PgStatements } from "@overa/adapter-postgres"
import { Effect, Layer } from "effect"
import { parse } from "libpg-query"

// The rules for statements that run where rows are split over servers by organization (docs/adr/0032, docs/operations/citus.md), checked on
// PostgreSQL's own parse tree. A real cluster refused a statement for each of these rules.

type Node = Readonly<Record<string, unknown>>

/**
 * Tables that are global by design: the directory of Decisions §7, and what belongs to the installation, not to an organization. They are copied
 * to every server; everything else is split. `postgresSchema.test.ts` compares the list with the database.
 */
export const globalTables: ReadonlySet<string> = new Set([
  "directory_taxpayers",
  "directory_elements",
  "directory_clients",
  "element_pool",
  "token_keys",
  "journal_keys",
  "environment_settings",
  "reference_keys",
  "people",
  "portal_sessions",
  "portal_devices",
  "portal_forms",
  "portal_guesses",
  "portal_issuer_accounts",
  "portal_mail",
  "portal_passkeys",
  "portal_recovery_codes",
  "portal_resets",
  "portal_sent_forms",
  "invitations",
  "schema_migrations",
  "schema_lock",
  "mail_transport",
  "price_lists",
  "invoice_issuers",
  "invoices",
  "payment_notes"
])

const copied = new Set([...globalTables, "pg_extension"])

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null

/** Every node of a kind below, including itself. */
const nodes = (tree: unknown, kind: string): ReadonlyArray<Node> => {
  if (Array.isArray(tree)) return tree.flatMap((each) => nodes(each, kind))
  if (!isNode(tree)) return []
  return Object.entries(tree).flatMap(([name, value]) => [...(name === kind && isNode(value) ? [value] : []), ...nodes(value, kind)])
}

const textsOf = (tree: unknown): ReadonlyArray<string> => nodes(tree, "String").map((node) => String(node["sval"]))

/** Functions whose value differs by time or by server. */
const unsteady = new Set(["now", "clock_timestamp", "statement_timestamp", "random", "gen_random_uuid", "uuidv7", "pg_current_xact_id", "nextval"])

const isUnsteady = (tree: unknown): boolean =>
  nodes(tree, "SQLValueFunction").length > 0 || nodes(tree, "FuncCall").some((call) => textsOf(call["funcname"]).some((name) => unsteady.has(name)))

/** `case x when …` is rewritten wrongly; an unsteady function may not be in a case or coalesce, nor in one value with a column. */
const valueOffences = (statement: Node): ReadonlyArray<string> => {
  const values = nodes(statement["targetList"], "ResTarget").map((target) => target["val"])
  return values.flatMap((value) => [
    ...(isUnsteady(value) && nodes(value, "ColumnRef").length > 0 ? ["an unsteady function in one value with a column"] : []),
    ...([...nodes(value, "CaseExpr"), ...nodes(value, "CoalesceExpr")].some(isUnsteady) ? ["an unsteady function in a case or coalesce"] : []),
    ...(nodes(value, "CaseExpr").some((each) => each["arg"] !== undefined) ? ["case with a subject"] : [])
  ])
}

const aliasOf = (range: Node): string => {
  const alias = range["alias"]
  return String(isNode(alias) ? alias["aliasname"] : range["relname"])
}

/** The name of the row source whose organization a column is; "" where the column has no qualifier. */
const organizationOf = (tree: unknown): string | undefined => {
  if (!isNode(tree) || !isNode(tree["ColumnRef"])) return undefined
  const parts = textsOf(tree["ColumnRef"])
  return parts.at(-1) === "organization_id" ? parts.length === 1 ? "" : parts[0] : undefined
}

const isGiven = (tree: unknown): boolean => nodes(tree, "ParamRef").length > 0 && nodes(tree, "ColumnRef").length === 0

/** The row sources with an organization that a parameter gives, directly or by equality with another. */
const tied = (statement: Node): Set<string> => {
  const given = new Set<string>()
  const equal: Array<readonly [string, string]> = []
  for (const each of nodes(statement, "A_Expr")) {
    if (each["kind"] !== "AEXPR_OP" || textsOf(each["name"])[0] !== "=") continue
    const [left, right] = [organizationOf(each["lexpr"]), organizationOf(each["rexpr"])]
    if (left !== undefined && isGiven(each["rexpr"])) given.add(left)
    if (left !== undefined && right !== undefined) equal.push([left, right])
  }
  for (let grown = true; grown;) {
    grown = false
    for (const [left, right] of equal) {
      if (given.has(left) === given.has(right)) continue
      given.add(left).add(right)
      grown = true
    }
  }
  return given
}

const joinsByOrganization = (statement: Node): boolean =>
  nodes(statement, "JoinExpr").every((join) => !("usingClause" in join) || textsOf(join["usingClause"]).includes("organization_id"))

const namesOrganization = (statement: Node, sources: ReadonlyArray<string>): boolean => {
  const given = tied(statement)
  const byUsing = nodes(statement, "JoinExpr").some((join) => "usingClause" in join)
  if (given.has("") && sources.length === 1) return true
  return byUsing ? given.size > 0 && joinsByOrganization(statement) : sources.every((source) => given.has(source))
}

const splitSources = (statement: Node): ReadonlyArray<string> => {
  const own = new Set(nodes(statement, "CommonTableExpr").map((each) => String(each["ctename"])))
  const ranges = [...nodes(statement, "RangeVar"), ...["relation"].flatMap((name) => (isNode(statement[name]) ? [statement[name] as Node] : []))]
  return ranges.filter((range) => !own.has(String(range["relname"])) && !copied.has(String(range["relname"]))).map(aliasOf)
}

const isWriting = (kind: string): boolean => kind !== "SelectStmt"

/** A plain read over many organizations: allowed without a lock, and only for what a worker or an operator looks for. */
export const isReadOverAll = async (sql: string): Promise<boolean> => {
  const [kind = "", statement] = await partsOf(sql)
  return kind === "SelectStmt" && splitSources(statement).length > 0 && !namesOrganization(statement, splitSources(statement))
}

const partsOf = async (sql: string): Promise<readonly [string, Node]> => {
  const { stmts } = await parse(sql) as { readonly stmts: ReadonlyArray<{ readonly stmt: Node }> }
  const [entry] = Object.entries(stmts[0]?.stmt ?? {})
  return [entry?.[0] ?? "", (entry?.[1] ?? {}) as Node]
}

const writesInParts = (statement: Node): boolean =>
  nodes(statement["withClause"], "CommonTableExpr").some((each) =>
    isNode(each["ctequery"]) && Object.keys(each["ctequery"]).some((kind) => kind !== "SelectStmt"))

const insertsFreely = (statement: Node): boolean => {
  const columns = nodes(statement["cols"], "ResTarget").map((each) => each["name"])
  const { SelectStmt: source } = (statement["selectStmt"] ?? {}) as { readonly SelectStmt?: Node }
  if (!columns.includes("organization_id")) return true
  return source !== undefined && splitSources(source).length > 0 && !namesOrganization(source, splitSources(source))
}

/** What a cluster would refuse in a statement, or send to every server. Empty for statements without a split table. */
export const splitOffences = async (sql: string): Promise<ReadonlyArray<string>> => {
  const [kind, statement] = await partsOf(sql)
  const sources = splitSources(statement)
  if (sources.length === 0) return []
  const locks = "lockingClause" in statement
  const unnamed = kind === "InsertStmt" ? insertsFreely(statement) : !namesOrganization(statement, sources)
  return [
    ...(writesInParts(statement) ? ["writes in a part of a statement"] : []),
    ...(unnamed && isWriting(kind) ? ["writes without naming the organization"] : []),
    ...(unnamed && locks ? ["locks without naming the organization"] : []),
    ...(kind === "UpdateStmt" ? valueOffences(statement) : [])
  ].map((why) => `${why}: ${sql.replaceAll(/\s+/g, " ")}`)
}

/** Records every statement sent to the database. */
export const recordStatements = () => {
  const statements = new Set<string>()
  const kept = <A extends PgStatements>(queries: A): A => ({
    ...queries,
    ...Object.fromEntries(Object.entries(queries).filter(([name]) => name === "query" || name === "read").map(([name, run]) => [
      name,
      (sql: string, params?: ReadonlyArray<unknown>) => {
        statements.add(sql)
        return (run as PgStatements["query"])(sql, params)
      }
    ]))
  })
  const layer = Layer.effect(
    PgDatabase,
    Effect.map(Effect.service(PgDatabase), (database) =>
      PgDatabase.of({
        ...kept(database),
        keyed: kept(database.keyed),
        transaction: (work) => database.transaction((tx) => work(kept(tx))),
        session: Effect.map(database.session, kept)
      }))
  )
  return { statements, layer }
}
