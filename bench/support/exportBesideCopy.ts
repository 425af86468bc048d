import { writeCsv } from "@overa/adapter-spreadsheets"
import { exportedLines, type JournalFilter, journalSheetHead, journalSheetRow, JournalStore, type Tenant } from "@overa/domain"
import { Effect, Stream } from "effect"
import type pg from "pg"
import { lineColumns } from "../../adapters/postgres/src/journal/journalLines.ts"
import { median } from "./load.ts"

const dialect = { delimiter: ",", newline: "\r\n" } as const

/** One export as the host makes it: the times of its first and last bytes, and their number. */
const exportOnce = Effect.fnUntraced(function*(tenant: Tenant, filter: JournalFilter) {
  const started = performance.now()
  const journal = yield* JournalStore
  const ids = yield* journal.select(tenant, filter, 10_001)
  const labels = yield* journal.labels(tenant, ids)
  const rowOf = journalSheetRow(labels)
  const head = writeCsv([journalSheetHead(labels)], dialect)
  const first = performance.now() - started
  const pieces = Stream.map(exportedLines(tenant, ids.slice(0, 10_000)), (lines) => writeCsv(lines.map(rowOf), dialect).length)
  const length = yield* Stream.runFold(pieces, () => head.length, (sum, one) => sum + one)
  return { first, whole: performance.now() - started, length }
})

/** COPY of the stored columns that an export reads, of the same documents in the same order. */
const copyOnce = async (client: pg.Client, tenant: Tenant): Promise<number> => {
  const started = performance.now()
  await client.query(
    `copy (select ${lineColumns} from operations where organization_id = '${tenant.organizationId}' and environment = '${tenant.environment}'
       order by created_at desc, operation_id desc limit 10000) to '/dev/null' with (format csv)`)
  return performance.now() - started
}

/** The largest increase of used memory during the work, in MB. */
const whileWatched = async (work: () => Promise<void>): Promise<number> => {
  const before = process.memoryUsage().rss
  let most = before
  const sampler = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 2)
  await work()
  clearInterval(sampler)
  return (most - before) / 1e6
}

/** An export of 10,000 documents and COPY of the same columns, alternately; medians in milliseconds. */
export const exportBesideCopy = async (
  run: <A, E>(effect: Effect.Effect<A, E, JournalStore>) => Promise<A>,
  client: pg.Client,
  tenant: Tenant,
  filter: JournalFilter
) => {
  const rounds: Array<{ readonly first: number; readonly whole: number; readonly copy: number; readonly length: number }> = []
  const once = async () => {
    const exported = await run(exportOnce(tenant, filter))
    rounds.push({ ...exported, copy: await copyOnce(client, tenant) })
  }
  for (let round = 0; round < 3; round++) await once()
  rounds.length = 0
  const memory = await whileWatched(async () => {
    for (let round = 0; round < 9; round++) await once()
  })
  const of = (pick: (round: typeof rounds[number]) => number): number => median(rounds.map(pick))
  return { first: of(({ first }) => first), whole: of(({ whole }) => whole), copy: of(({ copy }) => copy), ratio: of(({ copy, whole }) => copy / whole), megabytes: (rounds[0]?.length ?? 0) / 1e6, memory }
}
