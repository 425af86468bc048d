import type { StoredOperation } from "@overa/adapter-memory"
import { counterOf } from "@overa/domain"
import type { FaultyStore } from "./FaultyStore.ts"
import type { FinishedRun, Violation } from "./FinishedRun.ts"
import { elements } from "./place.ts"
import { seriesOf } from "./signedText.ts"

interface Range {
  readonly first: number
  readonly last: number
}

/** Whether a range has a counter. */
export const isIn = (counter: number) => ({ first, last }: Range): boolean => first <= counter && counter <= last

/** Everything one element's counters came to. */
interface Counted {
  readonly series: string
  /** Counters of stored receipts. */
  readonly held: ReadonlySet<number>
  /** Gaps on the attention list. */
  readonly gaps: ReadonlyArray<Range>
  /** Documents of the element of which nobody knows yet whether they are receipts. */
  readonly doubts: ReadonlyArray<StoredOperation>
  /** From the beginning of counting to the last stored receipt: what nobody here knows as a receipt. */
  readonly missing: ReadonlyArray<number>
}

/** The gaps of a series of counters on the attention list. */
export const gapsOf = (store: FaultyStore, series: string): ReadonlyArray<Range> =>
  [...store.memory.byId.values()].flatMap(({ attention }) =>
    attention.flatMap(({ detail, kind }) => {
      const [, first, last = first, of] = /^counters? (\d+)(?: to (\d+))? of (\S+) /.exec(detail) ?? []
      return kind === "COUNTER_GAP" && of === series ? [{ first: Number(first), last: Number(last) }] : []
    })
  )

const inDoubt: ReadonlySet<string> = new Set(["SUBMITTING", "OUTCOME_UNKNOWN", "RECONCILING"])

const countedOf = (run: FinishedRun, jid: string): Counted => {
  const series = seriesOf(jid)
  const all = [...run.store.memory.byId.values()]
  const held = new Set(all.flatMap(({ operation }) => {
    const counted = operation.answer === null ? null : counterOf(operation.answer.pfr.invoiceNumber)
    return counted?.series === series ? [counted.counter] : []
  }))
  const begins = run.watch.begins.get(series) ?? Infinity
  const last = Math.max(...held)
  const doubts = all.filter(({ attempts, operation }) => inDoubt.has(operation.status) && (attempts.at(-1)?.jid === jid || attempts.length > 1))
  const missing = [...run.vpfr.counters.usesOf(jid).keys()].filter((counter) => counter > begins && counter < last && !held.has(counter))
  return { series, held, gaps: gapsOf(run.store, series), doubts, missing }
}

/** It will not stay in doubt unnoticed: it is searched for, or an open item asks a person about it. */
const isBeingSettled = ({ attention, leaseUntil, nextCheckAt }: StoredOperation): boolean =>
  nextCheckAt !== null || leaseUntil !== null || attention.some(({ isAcknowledged }) => !isAcknowledged)

/** Whether the service waits for this receipt: it knows the counter as missing, and raises it once no document in doubt is left that may have it. */
export const isWaitedFor = (run: FinishedRun, invoiceNumber: string): boolean => {
  const counted = counterOf(invoiceNumber)
  const element = elements.find(({ jid }) => seriesOf(jid) === counted?.series)
  if (counted === null || element === undefined) return false
  const { doubts, missing } = countedOf(run, element.jid)
  return doubts.some(isBeingSettled) && missing.includes(counted.counter)
}

/** Whatever was signed and is not known here is on the attention list, unless no more is missing than is in doubt. */
const checkNoticed = ({ doubts, gaps, missing, series }: Counted): ReadonlyArray<Violation> => {
  const untold = missing.filter((counter) => !gaps.some(isIn(counter)))
  return untold.length > doubts.length ? [`${series}: counters ${untold.join(", ")} are missing, ${doubts.length} documents are in doubt, and nobody was told`] : []
}

const checkOnce = ({ gaps, series }: Counted): ReadonlyArray<Violation> =>
  gaps.flatMap((gap, at) => gaps.slice(at + 1).some((other) => gap.first <= other.last && other.first <= gap.last) ? [`${series}: counter ${gap.first} was raised twice`] : [])

/** What was only late is not raised: there is a receipt nobody knows, up to there, or a failover made the service forget one for a while. */
const checkFounded = ({ store, vpfr }: FinishedRun, { gaps, held, missing, series }: Counted): ReadonlyArray<Violation> => {
  if (store.lostReservations.size > 0 || store.lostOutcomes.size > 0) return []
  return gaps.flatMap((gap) => {
    // An operator had decided that it was not issued, so nobody waited for it any more.
    const isTooLate = vpfr.receipts.some((receipt) => receipt.isTooLate && isIn(counterOf(receipt.invoiceNumber)?.counter ?? 0)(gap))
    const isFounded = isTooLate || missing.some((counter) => counter <= gap.last) || [...held].every((counter) => !isIn(counter)(gap))
    return isFounded ? [] : [`${series}: counters ${gap.first} to ${gap.last} were raised and were receipts of ours that came late`]
  })
}

/** The promises about an element's counters (Decisions §14, Counters): every receipt that is lost to the service is noticed. */
export const checkCounters = (run: FinishedRun): ReadonlyArray<Violation> => [
  ...run.watch.faults.slice(0, 1),
  ...elements.map(({ jid }) => countedOf(run, jid)).flatMap((counted) => [...checkNoticed(counted), ...checkOnce(counted), ...checkFounded(run, counted)])
]
