import { setTimeout } from "node:timers/promises"

/** One measured point. */
export interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/**
 * Keeps `concurrency` works under way for some seconds. With `spreadMillis` they begin one after another over that time, as callers who
 * know nothing of each other do; what begins before all have begun is not counted.
 */
export const measure = async (work: () => Promise<void>, concurrency: number, seconds: number, spreadMillis = 0): Promise<Measured> => {
  const times: Array<number> = []
  const counted = performance.now() + spreadMillis
  const until = counted + seconds * 1_000
  const customer = async (_: unknown, index: number) => {
    await setTimeout((index * spreadMillis) / concurrency)
    while (performance.now() < until) {
      const before = performance.now()
      await work()
      if (before >= counted) times.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, customer))
  const elapsed = performance.now() - counted
  times.sort((left, right) => left - right)
  return {
    perSecond: (times.length * 1_000) / elapsed,
    p50: times[Math.floor(times.length * 0.5)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0
  }
}

export const median = (values: ReadonlyArray<number>): number => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

/** Rounds in turns, so that a machine that grows slower or faster does so for all; the medians of each. */
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
