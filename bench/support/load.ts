import { setTimeout } from "node:timers/promises"

/** One measured point. */
export interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** Rate and percentiles of times in milliseconds. */
export const measured = (times: ReadonlyArray<number>, elapsedMillis: number): Measured => {
  const sorted = times.toSorted((left, right) => left - right)
  return {
    perSecond: (sorted.length * 1_000) / elapsedMillis,
    p50: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0
  }
}

/** The value that five percent of the values exceed. */
export const p95 = (values: ReadonlyArray<number>): number => values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? 0

/** Keeps `concurrency` works in flight for some seconds. */
export const measure = async (work: () => Promise<void>, concurrency: number, seconds: number): Promise<Measured> => {
  const times: Array<number> = []
  const from = performance.now()
  const until = from + seconds * 1_000
  const customer = async () => {
    while (performance.now() < until) {
      const before = performance.now()
      await work()
      times.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, customer))
  return measured(times, performance.now() - from)
}

/**
 * Works that begin like the sales of independent shops: at random moments, with the given mean number a second, never more than `atMost` in flight. A
 * work that begins before `uncountedSeconds` have passed is not counted.
 */
export const arrivals = async (
  work: () => Promise<void>,
  perSecond: number,
  atMost: number,
  seconds: number,
  uncountedSeconds: number
): Promise<Measured> => {
  const times: Array<number> = []
  const underWay = new Set<Promise<void>>()
  const counted = performance.now() + uncountedSeconds * 1_000
  const until = counted + seconds * 1_000
  const oneWork = async () => {
    const before = performance.now()
    await work()
    if (before >= counted) times.push(performance.now() - before)
  }
  // Not a race of everything in flight: with 200 works, every one would take part in 200 races.
  let onEnd = (): void => undefined
  const nextEnd = (): Promise<void> => new Promise((resolve) => (onEnd = resolve))
  const begin = () => {
    const one = oneWork().finally(() => {
      underWay.delete(one)
      onEnd()
    })
    underWay.add(one)
  }
  for (let due = performance.now(); due < until; due += -Math.log(1 - Math.random()) * (1_000 / perSecond)) {
    const early = due - performance.now()
    if (early > 1) await setTimeout(early)
    if (underWay.size >= atMost) await nextEnd()
    begin()
  }
  const elapsed = performance.now() - counted
  await Promise.all(underWay)
  return measured(times, elapsed)
}

export const median = (values: ReadonlyArray<number>): number => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

/** Alternating rounds, so that a machine that becomes slower or faster does so for all; the medians of each. */
export const inTurns = async (
  works: ReadonlyArray<() => Promise<Measured>>,
  rounds: number
): Promise<ReadonlyArray<Measured & { readonly each: ReadonlyArray<number> }>> => {
  const runs: Array<Array<Measured>> = works.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) runs[index]?.push(await work())
  }
  return runs.map((measured) => ({
    perSecond: median(measured.map((run) => run.perSecond)),
    p50: median(measured.map((run) => run.p50)),
    p99: median(measured.map((run) => run.p99)),
    each: measured.map((run) => Math.round(run.perSecond))
  }))
}
