import { beginningsOfNumber, foldText, type JournalFilter, searchedTexts, type Tenant } from "@overa/domain"
import { Effect } from "effect"
import { inParts } from "../inParts.ts"
import type { PgQueries } from "../PgDatabase.ts"
import { Parameters } from "../search/Parameters.ts"
import { amountConditions, columnConditions, creationConditions, latestFirst, type Place, rangeConditions, scopeConditions, statusSource } from "./journalConditions.ts"
import { monthsBack, partsOfText, rarestTerm, soughtTerms } from "./journalTerms.ts"
import { eachStoredContent } from "./storedContents.ts"

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
  /** The filter has a text, and the operation is not indexed yet: its content decides. */
  readonly undecided: boolean
  readonly invoice_number: string | null
}

interface FoundRow {
  readonly operation_id: string
  readonly created_at: Date
}

/** How many operations are compared one by one before an index is used for the filter. */
const firstWindow = 400
const largestWindow = 6_400
/**
 * Where at least this share of the ones just compared match, comparing the next ones takes less time than an index, which reads all that match of the
 * whole organization or month.
 */
const commonShare = 1 / 4
/** Months searched at once: one, then two more, then four more. */
const firstMonths = 1

const conjunction = (conditions: ReadonlyArray<string>): string => (conditions.length === 0 ? "true" : conditions.join(" and "))

/** The number contains a folded text. A number has letters of ASCII only, which the server folds as `foldText` does. */
const hasNumber = (alias: string, text: string): string => `strpos(lower(${alias}.invoice_number), ${text}) > 0`

/** The next operations of the journal behind a place: those that match, and the last one whether it matches or not. */
const windowStatement = ({ behind, filter, tenant }: Asked, size: number) => {
  const parameters = new Parameters()
  const scope = [...scopeConditions("o", tenant, parameters), ...rangeConditions("o", parameters, filter, behind), ...statusSource(filter, parameters)]
  const fits = conjunction(columnConditions(filter, parameters))
  const text = filter.text === null ? null : parameters.add(foldText(filter.text), "text")
  const recent = `select o.operation_id, o.created_at, o.invoice_number, (${fits}) is true as fits, row_number() over (${latestFirst("o")}) as place
    from operations o where ${scope.join(" and ")} ${latestFirst("o")} limit ${size}`
  if (text === null) {
    // Without the number, an unfiltered selection is read from the index alone.
    const sql = `with recent as (${recent})
      select r.operation_id, r.created_at, r.place, null::text as invoice_number, r.fits as found, false as undecided
      from recent r where r.fits or r.place = ${size} ${latestFirst("r")}`
    return { sql, values: parameters.values }
  }
  const hasText = `(e.operation_id is null or strpos(e.search_text, ${text}) > 0 or ${hasNumber("r", text)})`
  const sql = `with recent as (${recent})
  select r.operation_id, r.created_at, r.place, r.invoice_number, r.fits and ${hasText} as found, r.fits and e.operation_id is null as undecided
  from recent r left join journal_entries e
    on e.organization_id = ${parameters.add(tenant.organizationId, "uuid")} and e.operation_id = r.operation_id
  where (r.fits and ${hasText}) or r.place = ${size} ${latestFirst("r")}`
  return { sql, values: parameters.values }
}

/** The undecided rows that do not contain the text of the filter. */
const withoutText = Effect.fnUntraced(function*(database: PgQueries, { filter, tenant }: Asked, rows: ReadonlyArray<WindowRow>) {
  const text = foldText(filter.text ?? "")
  const undecided = rows.filter((row) => row.undecided && !foldText(row.invoice_number ?? "").includes(text))
  const without = new Set(undecided.map((row) => row.operation_id))
  yield* eachStoredContent(database, tenant, without, (operationId, content) => {
    if (searchedTexts(content).some((said) => foldText(said).includes(text))) without.delete(operationId)
  })
  return without
})

interface Looked {
  readonly keys: ReadonlyArray<Place>
  /** The last operation that was compared; null where there is none behind it. */
  readonly last: Place | null
}

const look = Effect.fnUntraced(function*(database: PgQueries, asked: Asked, size: number) {
  const { sql, values } = windowStatement(asked, size)
  const rows = yield* inParts(database.read<WindowRow>(sql, values), (found) => found)
  const without = yield* withoutText(database, asked, rows)
  const end = rows.find((row) => Number(row.place) === size)
  const looked: Looked = {
    keys: rows.filter((row) => row.found && !without.has(row.operation_id)).map(placeOf),
    last: end === undefined ? null : placeOf(end)
  }
  return looked
})

const placeOf = ({ created_at, operation_id }: FoundRow): Place => ({ id: operation_id, createdAt: created_at })

/** With fewer numbers for a text, one of its parts is said again, as the rarest value is. */
const fewTerms = 3

/** Entries that match the filter, and contain every term of it in one of the months; no months where the filter has no terms. */
const entriesStatement = ({ behind, filter, limit, tenant }: Asked, months: ReadonlyArray<string>, parts: ReadonlyArray<string> = []) => {
  const parameters = new Parameters()
  const { add } = parameters
  const terms = months.map((month) => {
    const sought = soughtTerms(tenant, filter, month, parts)
    const again = rarestTerm(tenant, filter, month) ?? (parts.length > 0 && sought.length < fewTerms ? sought.at(-1) : undefined)
    const all = `e.search_terms @> ${add(sought, "int4[]")}`
    // Says nothing more. The planner takes any number for one that half a percent of the entries have, and would also read the whole organization.
    return again === undefined ? all : `(${all} and e.search_terms && ${add([again], "int4[]")})`
  })
  const conditions = [
    ...scopeConditions("e", tenant, parameters),
    ...(terms.length === 0 ? [] : [`(${terms.join(" or ")})`]),
    ...amountConditions("e.amount", filter.amount, parameters),
    ...(filter.text === null ? [] : [`strpos(e.search_text, ${add(foldText(filter.text), "text")}) > 0`]),
    ...rangeConditions("e", parameters, filter, behind)
  ]
  const sql = `with found as materialized (
    select e.operation_id, e.created_at from journal_entries e where ${conditions.join(" and ")})
  select f.operation_id, f.created_at from found f
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
    ...creationConditions("o", parameters, filter, behind)
  ]
  const sql = `with found as materialized (select o.operation_id, o.created_at from operations o where ${conditions.join(" and ")})
  select f.operation_id, f.created_at from found f ${latestFirst("f")} limit ${parameters.add(limit, "int4")}`
  return { sql, values: parameters.values }
}

const found = (database: PgQueries, { sql, values }: { readonly sql: string; readonly values: ReadonlyArray<unknown> }) =>
  Effect.map(database.read<FoundRow>(sql, values), (rows): ReadonlyArray<Place> => rows.map(placeOf))

const inOrder = (one: Place, other: Place): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (one.id > other.id ? -1 : Number(one.id < other.id))

const merged = (limit: number, ...lists: ReadonlyArray<ReadonlyArray<Place>>): ReadonlyArray<Place> =>
  [...new Map(lists.flat().map((key) => [key.id, key])).values()].toSorted(inOrder).slice(0, limit)

/**
 * Receipts whose number begins with the text, where it can be the beginning of one, and those whose entry does not have their number yet: they were no
 * receipts when they were added to the entries.
 */
const numbered = (database: PgQueries, asked: Asked): Effect.Effect<ReadonlyArray<Place>, Effect.Error<ReturnType<typeof found>>> => {
  const begun = beginningsOfNumber(asked.filter.text ?? "").map((beginning) =>
    receiptsStatement(asked, ({ add }) => [
      `o.invoice_number >= ${add(beginning, "text")}`,
      `o.invoice_number < ${add(`${beginning}~`, "text")}`,
      `starts_with(o.invoice_number, ${add(beginning, "text")})`
    ]))
  const pending = receiptsStatement(asked, (parameters) => [
    `o.operation_id in (select p.operation_id from journal_pending p where ${scopeConditions("p", asked.tenant, parameters).join(" and ")})`,
    hasNumber("o", parameters.add(foldText(asked.filter.text ?? ""), "text"))
  ])
  const statements = [...begun, pending]
  return Effect.map(Effect.forEach(statements, (statement) => found(database, statement)), (lists) => merged(asked.limit, ...lists))
}

/** Entries from whose texts it is seen which parts of a text most documents of the tenant have, and how much of each is read. */
const sampled = { entries: 50, characters: 2_000 } as const

/** The beginnings of the texts of the next documents behind a place; none where the filter has no text. */
const nextTexts = Effect.fnUntraced(function*(database: PgQueries, { behind, filter, tenant }: Asked) {
  if (filter.text === null) return []
  const parameters = new Parameters()
  const scope = [...scopeConditions("o", tenant, parameters), ...rangeConditions("o", parameters, filter, behind)]
  const latest = `select o.operation_id from operations o where ${scope.join(" and ")} ${latestFirst("o")} limit ${sampled.entries}`
  const rows = yield* database.read<{ readonly text: string }>(`select left(e.search_text, ${sampled.characters}) as text from (${latest}) r
    join journal_entries e on e.organization_id = ${parameters.add(tenant.organizationId, "uuid")} and e.operation_id = r.operation_id`, parameters.values)
  return rows.map(({ text }) => text)
})

/** Searches the entries month by month, twice as many each time, until the limit is reached. */
const throughEntries = Effect.fnUntraced(function*(database: PgQueries, asked: Asked, from: Date, to: Date) {
  const months = monthsBack(from, to)
  const parts = partsOfText(asked.filter, yield* nextTexts(database, asked))
  const keys: Array<Place> = []
  for (let at = 0, size = firstMonths; at < months.length && keys.length < asked.limit; at += size, size *= 2) {
    const statement = entriesStatement({ ...asked, limit: asked.limit - keys.length }, months.slice(at, at + size), parts)
    keys.push(...(yield* found(database, statement)))
  }
  return keys
})

/** Whether there are entries of a release before that lack the amount and the number: until the worker has filled them, only the documents themselves tell. */
const hasUnfilled = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant) {
  const parameters = new Parameters()
  const [row] = yield* database.read<{ readonly some: boolean }>(
    `select exists (select from journal_entries e where ${scopeConditions("e", tenant, parameters).join(" and ")} and e.amount is null) as some`, parameters.values)
  return row?.some === true
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
  if (filter.status?.includes("FISCALIZED") === false) return null
  if (soughtTerms(tenant, filter, "", partsOfText(filter)).length > 0) {
    const from = filter.created.to === null ? last.createdAt : new Date(Math.min(filter.created.to.epochMilliseconds, last.createdAt.getTime()))
    const to = new Date(Math.max(first_at?.getTime() ?? 0, filter.created.from?.epochMilliseconds ?? 0))
    const entries = throughEntries(database, behind, from, to)
    return filter.text === null
      ? entries
      : Effect.map(Effect.all([entries, numbered(database, behind)]), ([said, begun]) => merged(asked.limit, said, begun))
  }
  if (filter.pfr.from !== null || filter.pfr.to !== null) return found(database, receiptsStatement(behind, () => []))
  return filter.amount === undefined ? null : found(database, entriesStatement(behind, []))
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
  const keys: Array<Place> = []
  let isComplete: boolean | undefined
  let behind = asked.behind
  for (let size = firstWindow;;) {
    const looked: Looked = yield* look(database, { ...asked, behind }, size)
    keys.push(...looked.keys)
    if (keys.length >= limit || looked.last === null) return keys.slice(0, limit)
    behind = looked.last
    const isCommon = looked.keys.length >= size * commonShare
    isComplete ??= (filter.amount === undefined && filter.text === null) || !(yield* hasUnfilled(database, asked.tenant))
    const isTaken = isComplete && horizon !== null && behind.createdAt.getTime() < horizon.taken_to.getTime()
    const far = isTaken && !isCommon ? farKeys(database, { ...asked, limit: limit - keys.length }, horizon, behind) : null
    if (far !== null) return [...keys, ...(yield* far)]
    // A tenth more than are needed at this share, and never fewer than before: matches may end where the next ones are looked for.
    const next = isCommon ? Math.ceil((1.1 * (limit - keys.length) * size) / looked.keys.length) : size * 4
    size = Math.min(largestWindow, Math.max(size, next))
  }
})
