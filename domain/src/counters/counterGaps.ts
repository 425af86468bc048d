/** Counters of an element that are accounted for, first to last, both included: a stored receipt's, or a gap that was raised before. */
export interface CounterSpan {
  readonly first: number
  readonly last: number
  /** Epoch milliseconds on the store's clock at which it was noted. */
  readonly notedAt: number
}

/** Counters nobody knows, first to last, and the span that follows them. */
export interface CounterGap {
  readonly first: number
  readonly last: number
  readonly before: CounterSpan
}

export interface CounterVerdict {
  /** Every counter up to this one is accounted for. */
  readonly accountedTo: number
  /** Gaps to raise now. */
  readonly gaps: ReadonlyArray<CounterGap>
}

/**
 * Finds the missing counters of an element (Decisions §14, Counters). `accountedTo` is the last counter that earlier runs accounted for. It is null
 * before the first run: then counting begins with the first receipt, because an element may have been used before it came to this service.
 *
 * `doubtsSince` are the times at which documents of the element were sent whose outcome is not known yet. Each of them may be one missing receipt, if
 * it was sent before the receipt that follows the gap was noted. For that many missing receipts no gap is raised yet.
 */
export const counterGaps = (
  accountedTo: number | null,
  spans: ReadonlyArray<CounterSpan>,
  doubtsSince: ReadonlyArray<number>
): CounterVerdict => {
  const ordered = spans.toSorted((left, right) => left.first - right.first)
  const [earliest] = ordered
  if (earliest === undefined) return { accountedTo: accountedTo ?? 0, gaps: [] }
  let accounted = accountedTo ?? earliest.first - 1
  let reached = accounted
  let [held, waitedFor] = [false, 0]
  const gaps: Array<CounterGap> = []
  for (const span of ordered) {
    const missing = span.first - reached - 1
    if (missing > 0) {
      const doubts = doubtsSince.filter((since) => since <= span.notedAt).length
      if (waitedFor + missing <= doubts) {
        held = true
        waitedFor += missing
      } else gaps.push({ first: reached + 1, last: span.first - 1, before: span })
    }
    reached = Math.max(reached, span.last)
    if (!held) accounted = reached
  }
  return { accountedTo: accounted, gaps }
}

/** The counter of an official number, and the series it counts in; null where the number does not end in a counter. Spec, PfrResult. */
export const counterOf = (invoiceNumber: string): { readonly series: string; readonly counter: number } | null => {
  const found = /^(.+)-(\d{1,15})$/.exec(invoiceNumber)
  return found === null ? null : { series: found[1] ?? "", counter: Number(found[2]) }
}

/** The sentence of the attention list. */
export const gapSentence = (series: string, { first, last }: Pick<CounterGap, "first" | "last">): string => {
  const [which, verb] = first === last ? [`counter ${first}`, "is"] : [`counters ${first} to ${last}`, "are"]
  return `${which} of ${series} ${verb} missing: the element signed documents that this service does not know, or a number was skipped`
}
