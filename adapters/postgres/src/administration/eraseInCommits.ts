import { Effect } from "effect"
import type { PgDatabase, PgStatements } from "../PgDatabase.ts"
import type { PgFailure } from "../PgFailure.ts"

/** Rows read by one commit: so many are changed within a statement's time limit. */
export const erasedAtOnce = 500

const beforeAll = "00000000-0000-0000-0000-000000000000"

/** One commit of an erasure. */
export interface ErasedSome {
  /** The rows that were erased from. */
  readonly erased: ReadonlyArray<string>
  /** The number of rows that stay as they are, because they cannot be read. */
  readonly unreadable: number
  /** The last row that was read; null where there was none. */
  readonly last: string | null
}

/** An erasure of rows in the order of their ids. */
export interface Erasure {
  /** Erases from the next rows after an id. */
  readonly some: (tx: PgStatements, after: string) => Effect.Effect<ErasedSome, PgFailure>
  /** Writes the commit's line of the activity log. */
  readonly record: (tx: PgStatements, erased: ReadonlyArray<string>) => Effect.Effect<unknown, PgFailure>
}

/** The two statements of an erasure that one `update` does; $1 organization, $3 and on the conditions. */
interface Statements {
  /** The `id` of the next rows after $2. */
  readonly next: string
  /** Erases from the rows $2 and returns the `id` of each. */
  readonly erase: string
}

interface Row {
  readonly id: string
}

/** Erases by one `update` for each commit. */
export const erasingBy = ({ erase, next }: Statements, organizationId: string, conditions: ReadonlyArray<unknown>): Erasure["some"] =>
  Effect.fnUntraced(function*(tx, after) {
    const ids = (yield* tx.query<Row>(next, [organizationId, after, ...conditions])).map(({ id }) => id)
    const erased = (yield* tx.query<Row>(erase, [organizationId, ids, ...conditions])).map(({ id }) => id)
    return { erased, unreadable: 0, last: ids.at(-1) ?? null }
  })

/**
 * Erases in commits of some hundred rows, each with its own line of the activity log. The first one has a line even where there was nothing to erase: it
 * says that somebody erased.
 */
export const eraseInCommits = Effect.fnUntraced(function*(database: PgDatabase["Service"], { record, some }: Erasure) {
  const commit = Effect.fnUntraced(function*(tx: PgStatements, after: string) {
    const done = yield* some(tx, after)
    if (done.erased.length > 0 || after === beforeAll) yield* record(tx, done.erased)
    return done
  })
  const total = { erased: 0, unreadable: 0 }
  for (let after: string | null = beforeAll; after !== null;) {
    const from: string = after
    const done: ErasedSome = yield* database.transaction((tx) => commit(tx, from))
    total.erased += done.erased.length
    total.unreadable += done.unreadable
    after = done.last
  }
  return total
})
