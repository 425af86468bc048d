import { DocumentContent, foldText, type JournalFilter, searchedTexts, type Tenant } from "@overa/domain"
import { Effect } from "effect"
import type { PgQueries } from "../PgDatabase.ts"
import { orUnreadable } from "../rows/orUnreadable.ts"
import { fromStoredJson } from "../rows/storedJson.ts"
import { Parameters } from "../search/Parameters.ts"
import { columnConditions, latestFirst, type Place, rangeConditions, scopeConditions, statusSource } from "./journalConditions.ts"
import { monthsBack, soughtTerms } from "./journalTerms.ts"

/** An operation that a search found, and the tax labels of its lines. */
export interface JournalKey extends Place {
  readonly labels: ReadonlyArray<string>
}

/** How far a tenant's operations are indexed, so that entries can be searched. */
interface Horizon {
  readonly taken_to: Date
  readonly first_at: Date | null
}

interface Asked {
  readonly tenant: Tenant
  readonly filter: JournalFilter
  readonly behind: Place | null
  readonly limit: number
}

interface WindowRow {
  readonly operation_id: string
  readonly created_at: Date
  readonly place: bigint
  readonly found: boolean
  readonly labels: ReadonlyArray<string> | null
  readonly content: string | null
  readonly invoice_number: string | null
}

interface FoundRow {
  readonly operation_id: string
  readonly created_at: Date
  readonly labels: ReadonlyArray<string> | null
  /** Only where the operation was not indexed yet. */
  readonly content: string | null
}

/** How many operations are compared one by one before an index is used for the filter. */
const firstWindow = 400
const largestWindow = 20_000
/** Months searched at once: one, then two more, then four more. */
const firstMonths = 1

const decodeContent = fromStoredJson(DocumentContent)

/** Throws `FiscalDocumentUnreadable`. */
const readContent = (operationId: string, content: string): DocumentContent =>
  orUnreadable(operationId, () => decodeContent(content))

export const labelsOf = (content: Pick<DocumentContent, "items">): ReadonlyArray<string> => [...new Set(content.items.flatMap(({ taxLabels }) => taxLabels))].sort()

/**
 * The same without validating the rest: validating ten thousand documents that are not indexed yet would block the process for a quarter of a second.
 * Throws `FiscalDocumentUnreadable`.
 */
const labelsIn = (operationId: string, content: string): ReadonlyArray<string> =>
  orUnreadable(operationId, () => labelsOf(JSON.parse(content) as Pick<DocumentContent, "items">))

const conjunction = (conditions: ReadonlyArray<string>): string => (conditions.length === 0 ? "true" : conditions.join(" and "))

/** The next operations of the journal behind a place: those that match, and the last one whether it matches or not. */
const windowStatement = ({ behind, filter, tenant }: Asked, size: number) => {
  const parameters = new Parameters()
  const scope = [...scopeConditions("o", tenant, parameters), ...rangeConditions("o", parameters, filter, behind), ...statusSource(filter, parameters)]
  const fits = conjunction(columnConditions(filter, parameters))
  const text = filter.text === null ? null : parameters.add(foldText(filter.text), "text")
  const hasText = text === null
    ? "true"
    : `(e.operation_id is null or strpos(e.search_text, ${text}) > 0 or starts_with(lower(r.invoice_number), ${text}))`
  const sql = `with recent as (
    select o.operation_id, o.created_at, o.invoice_number, o.content, (${fits}) is true as fits,
      row_number() over (${latestFirst("o")}) as place
    from operations o where ${scope.join(" and ")} ${latestFirst("o")} limit ${size})
  select r.operation_id, r.created_at, r.place, r.invoice_number, e.labels, r.fits and ${hasText} as found,
    case when e.operation_id is null then r.content end as content
  from recent r left join journal_entries e
    on e.organization_id = ${parameters.add(tenant.organizationId, "uuid")} and e.operation_id = r.operation_id
  where (r.fits and ${hasText}) or r.place = ${size} ${latestFirst("r")}`
  return { sql, values: parameters.values }
}

/** The key of a row that was found; an operation that is not indexed yet is matched by its content. */
const keyOf = (row: WindowRow, text: string | null): JournalKey | null => {
  const place = { id: row.operation_id, createdAt: row.created_at }
  if (row.content === null) return { ...place, labels: row.labels ?? [] }
  if (text === null) return { ...place, labels: labelsIn(row.operation_id, row.content) }
  const content = readContent(row.operation_id, row.content)
  const says = searchedTexts(content).some((said) => foldText(said).includes(text)) ||
    foldText(row.invoice_number ?? "").startsWith(text)
  return says ? { ...place, labels: labelsOf(content) } : null
}

interface Looked {
  readonly keys: ReadonlyArray<JournalKey>
  /** The last operation that was compared; null where there is none behind it. */
  readonly last: Place | null
}

const look = Effect.fnUntraced(function*(database: PgQueries, asked: Asked, size: number) {
  const { sql, values } = windowStatement(asked, size)
  const rows = yield* database.read<WindowRow>(sql, values)
  const text = asked.filter.text === null ? null : foldText(asked.filter.text)
  const end = rows.find((row) => Number(row.place) === size)
  const looked: Looked = {
    keys: rows.filter(({ found }) => found).flatMap((row) => keyOf(row, text) ?? []),
    last: end === undefined ? null : { id: end.operation_id, createdAt: end.created_at }
  }
  return looked
})

/** Entries of some months that contain every term of the filter, and whose operations match. */
const entriesStatement = ({ behind, filter, limit, tenant }: Asked, months: ReadonlyArray<string>) => {
  const parameters = new Parameters()
  const { add } = parameters
  const terms = months.map((month) => `e.search_terms @> ${add(soughtTerms(tenant, filter, month), "int4[]")}`)
  const conditions = [
    ...scopeConditions("e", tenant, parameters),
    `(${terms.join(" or ")})`,
    ...(filter.text === null ? [] : [`strpos(e.search_text, ${add(foldText(filter.text), "text")}) > 0`]),
    ...rangeConditions("e", parameters, filter, behind)
  ]
  const sql = `with found as materialized (
    select e.operation_id, e.created_at, e.labels from journal_entries e where ${conditions.join(" and ")})
  select f.operation_id, f.created_at, f.labels, null as content from found f
  join operations o on o.organization_id = ${add(tenant.organizationId, "uuid")} and o.operation_id = f.operation_id
  where ${conjunction(columnConditions(filter, parameters))} ${latestFirst("f")} limit ${add(limit, "int4")}`
  return { sql, values: parameters.values }
}

/** Receipts that an index of `operations` finds directly: by signing time, by number, or by the beginning of a number. */
const receiptsStatement = ({ behind, filter, limit, tenant }: Asked, ways: (parameters: Parameters) => ReadonlyArray<string>) => {
  const parameters = new Parameters()
  const conditions = [
    ...scopeConditions("o", tenant, parameters),
    ...ways(parameters),
    ...columnConditions(filter, parameters),
    ...(behind === null
      ? []
      : [`(o.created_at, o.operation_id) < (${parameters.add(behind.createdAt, "timestamptz")}, ${parameters.add(behind.id, "uuid")})`]),
    ...(filter.created.from === null ? [] : [`o.created_at >= ${parameters.add(new Date(filter.created.from.epochMilliseconds), "timestamptz")}`]),
    ...(filter.created.to === null ? [] : [`o.created_at < ${parameters.add(new Date(filter.created.to.epochMilliseconds), "timestamptz")}`])
  ]
  const sql = `with found as materialized (select o.operation_id, o.created_at, o.content from operations o where ${conditions.join(" and ")}),
  page as (select f.* from found f ${latestFirst("f")} limit ${parameters.add(limit, "int4")})
  select p.operation_id, p.created_at, e.labels, case when e.operation_id is null then p.content end as content from page p left join journal_entries e
    on e.organization_id = ${parameters.add(tenant.organizationId, "uuid")} and e.operation_id = p.operation_id ${latestFirst("p")}`
  return { sql, values: parameters.values }
}

const found = (database: PgQueries, { sql, values }: { readonly sql: string; readonly values: ReadonlyArray<unknown> }) =>
  Effect.map(database.read<FoundRow>(sql, values), (rows): ReadonlyArray<JournalKey> =>
    rows.map(({ content, created_at, labels, operation_id }) => ({
      id: operation_id,
      createdAt: created_at,
      labels: content === null ? labels ?? [] : labelsIn(operation_id, content)
    })))

const inOrder = (one: Place, other: Place): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (one.id > other.id ? -1 : Number(one.id < other.id))

const merged = (limit: number, ...lists: ReadonlyArray<ReadonlyArray<JournalKey>>): ReadonlyArray<JournalKey> =>
  [...new Map(lists.flat().map((key) => [key.id, key])).values()].toSorted(inOrder).slice(0, limit)

// A number is <JID>-<JID>-<counter>: letters, digits and hyphens.
const beginningOfNumber = /^[0-9a-z]{1,8}(?:-[0-9a-z]{0,8}(?:-\d*)?)?$/

/** Receipts whose number begins with the text, where it can be the beginning of one. */
const numbered = (database: PgQueries, asked: Asked): Effect.Effect<ReadonlyArray<JournalKey>, Effect.Error<ReturnType<typeof found>>> => {
  const text = foldText(asked.filter.text ?? "")
  if (!beginningOfNumber.test(text)) return Effect.succeed([])
  return found(database, receiptsStatement(asked, ({ add }) => {
    const beginning = text.toUpperCase()
    return [
      `o.invoice_number >= ${add(beginning, "text")}`,
      `o.invoice_number < ${add(`${beginning}~`, "text")}`,
      `starts_with(o.invoice_number, ${add(beginning, "text")})`
    ]
  }))
}

/** Searches the entries month by month, twice as many each time, until the limit is reached. */
const throughEntries = Effect.fnUntraced(function*(database: PgQueries, asked: Asked, from: Date, to: Date) {
  const months = monthsBack(from, to)
  const keys: Array<JournalKey> = []
  for (let at = 0, size = firstMonths; at < months.length && keys.length < asked.limit; at += size, size *= 2) {
    const statement = entriesStatement({ ...asked, limit: asked.limit - keys.length }, months.slice(at, at + size))
    keys.push(...(yield* found(database, statement)))
  }
  return keys
})

const horizonOf = Effect.fnUntraced(function*(database: PgQueries, { environment, organizationId }: Tenant) {
  const [horizon] = yield* database.read<Horizon>(
    "select taken_to, first_at from journal_horizons where organization_id = $1 and environment = $2",
    [organizationId, environment]
  )
  return horizon ?? null
})

/** What is behind a place that the horizon has passed, from the index that serves the filter; null where only reading further one by one does. */
const farKeys = (database: PgQueries, asked: Asked, { first_at }: Horizon, last: Place) => {
  const { filter, tenant } = asked
  const behind = { ...asked, behind: last }
  if (filter.status !== null && filter.status !== "FISCALIZED") return null
  if (soughtTerms(tenant, filter, "").length > 0) {
    const from = filter.created.to === null ? last.createdAt : new Date(Math.min(filter.created.to.epochMilliseconds, last.createdAt.getTime()))
    const to = new Date(Math.max(first_at?.getTime() ?? 0, filter.created.from?.epochMilliseconds ?? 0))
    const entries = throughEntries(database, behind, from, to)
    return filter.text === null
      ? entries
      : Effect.map(Effect.all([entries, numbered(database, behind)]), ([said, begun]) => merged(asked.limit, said, begun))
  }
  return filter.pfr.from === null && filter.pfr.to === null ? null : found(database, receiptsStatement(behind, () => []))
}

/**
 * The operations that match, latest first. The latest ones are compared one by one in the journal's order, whether they are indexed or not. Where
 * those do not suffice, the index that serves the filter gives those behind them, once everything there is indexed. Which index serves which filter:
 * docs/adr/0082.
 */
export const journalKeys = Effect.fnUntraced(function*(database: PgQueries, asked: Asked) {
  const { filter, limit } = asked
  if (filter.pfrNumber !== null && filter.text === null) return yield* found(database, receiptsStatement(asked, () => []))
  const horizon = yield* horizonOf(database, asked.tenant)
  const keys: Array<JournalKey> = []
  let behind = asked.behind
  for (let size = Math.max(firstWindow, limit);; size = Math.min(size * 4, Math.max(largestWindow, limit))) {
    const looked: Looked = yield* look(database, { ...asked, behind }, size)
    keys.push(...looked.keys)
    if (keys.length >= limit || looked.last === null) return keys.slice(0, limit)
    behind = looked.last
    const isTaken = horizon !== null && behind.createdAt.getTime() < horizon.taken_to.getTime()
    const far = isTaken ? farKeys(database, { ...asked, limit: limit - keys.length }, horizon, behind) : null
    if (far !== null) return [...keys, ...(yield* far)]
  }
})
