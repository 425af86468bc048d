import { type Attempt, counterGaps, counterOf, type CounterSpan, CounterWatch, type FiscalDocumentId, gapSentence } from "@overa/domain"
import { Clock, Effect, Layer } from "effect"
import { MemoryOperations, type StoredOperation, utc } from "./MemoryOperations.ts"
import { raise } from "./raise.ts"

type Memory = MemoryOperations["Service"]

type NotedSpan = CounterSpan & { readonly operationId: FiscalDocumentId }

/** The counters of one series, `<requested by>-<signed by>`, of an organization and environment. */
export interface MemorySeries {
  /** Everything up to here is accounted for; null before the first check. */
  readonly accountedTo: number | null
  /** What was noted since. */
  readonly spans: ReadonlyArray<NotedSpan>
}

const untouched: MemorySeries = { accountedTo: null, spans: [] }

const seriesKey = ({ environment, organizationId }: StoredOperation["operation"], series: string): string => `${organizationId} ${environment} ${series}`

const isNoted = (memory: Memory, { operation }: StoredOperation): boolean => operation.answer !== null && memory.noted.has(operation.answer.pfr.invoiceNumber)

/** Notes the counters of receipts that are new; how many. */
export const noteCounters = (memory: Memory, now: number): number => {
  let noted = 0
  for (const stored of memory.byId.values()) {
    const { answer, id } = stored.operation
    const counter = answer === null || isNoted(memory, stored) ? null : counterOf(answer.pfr.invoiceNumber)
    if (answer === null || counter === null) continue
    const key = seriesKey(stored.operation, counter.series)
    const series = memory.counters.get(key) ?? untouched
    memory.counters.set(key, { ...series, spans: [...series.spans, { first: counter.counter, last: counter.counter, notedAt: now, operationId: id }] })
    memory.noted.add(answer.pfr.invoiceNumber)
    noted += 1
  }
  return noted
}

/** A lease lasts so long from its sending, by the store's clock. */
const leaseMillis = 50_000
/** Hosts' clocks may be so far apart. */
const clocksApartMillis = 5 * 60_000

const sentAt = (memory: Memory, stored: StoredOperation, { startedAt }: Attempt): number | null => {
  switch (stored.operation.status) {
    case "SUBMITTING":
      return (stored.leaseUntil ?? 0) - leaseMillis
    case "OUTCOME_UNKNOWN":
    case "RECONCILING":
      return startedAt.epochMilliseconds - clocksApartMillis
    case "FISCALIZED":
      return isNoted(memory, stored) ? null : startedAt.epochMilliseconds - clocksApartMillis
    default:
      return null
  }
}

/** When documents of the element were sent that may still turn out to be missing receipts. */
const doubtsOf = (memory: Memory, key: string, jid: string): ReadonlyArray<number> =>
  [...memory.byId.values()].flatMap((stored) => {
    const attempt = stored.attempts.at(-1)
    if (attempt === undefined || (attempt.jid !== jid && attempt.number === 1) || !key.startsWith(seriesKey(stored.operation, ""))) return []
    return sentAt(memory, stored, attempt) ?? []
  })

/** Raises the gaps of every series, each once; how many. `judge` is for tests. */
export const checkCounters = (memory: Memory, now: number, judge: typeof counterGaps = counterGaps): number => {
  let raised = 0
  for (const [key, { accountedTo, spans }] of memory.counters) {
    const series = key.slice(key.lastIndexOf(" ") + 1)
    const verdict = judge(accountedTo, spans, doubtsOf(memory, key, series.slice(0, series.indexOf("-"))))
    const gaps = verdict.gaps.map(({ before, first, last }) => ({ ...before as NotedSpan, first, last }))
    for (const gap of gaps) {
      const stored = memory.byId.get(gap.operationId)
      if (stored !== undefined) raise(stored, [{ kind: "COUNTER_GAP", detail: gapSentence(series, gap), evidence: null }], utc(now))
    }
    raised += gaps.length
    memory.counters.set(key, { accountedTo: verdict.accountedTo, spans: [...spans, ...gaps].filter(({ last }) => last > verdict.accountedTo) })
  }
  return raised
}

/** Gaps in the counters of the operations in memory. */
export const layerCounterWatch: Layer.Layer<CounterWatch, never, MemoryOperations> = Layer.effect(
  CounterWatch,
  Effect.gen(function*() {
    const memory = yield* MemoryOperations
    return CounterWatch.of({
      check: Effect.map(Clock.currentTimeMillis, (now) => {
        noteCounters(memory, now)
        return checkCounters(memory, now)
      })
    })
  })
)
