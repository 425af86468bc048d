const spin = (): number => {
  let value = 1
  for (let turn = 0; turn < 4_000_000; turn += 1) value = Math.imul(value ^ turn, 2_654_435_761)
  return value
}

const shortest = (work: () => unknown, tries: number, enough: number): number => {
  let quickest = Number.POSITIVE_INFINITY
  for (let run = 0; run < tries && quickest > enough; run += 1) {
    const from = performance.now()
    work()
    quickest = Math.min(quickest, performance.now() - from)
  }
  return quickest
}

/** The duration of the loop above on an idle core, in milliseconds. */
const spinMillis = 3.8

const text = JSON.stringify(Array.from({ length: 8_000 }, (_, at) => ({ name: `${at}`.padEnd(60, "z"), labels: ["A", "B"], at })))

/** Work that allocates, as reading a body does: other programs that use the memory slow it down more than the loop. */
const rebuild = (): number => JSON.stringify(JSON.parse(text)).length

/** The duration of one such rebuild on an idle core, in milliseconds. */
const rebuildMillis = 12.8

/**
 * The shortest of several runs, in milliseconds of an idle core: the cost of the work once it is compiled, without the time other programs use
 * meanwhile. Stops early once a run took at most `enough`.
 */
export const quickestMillis = (work: () => unknown, enough: number): number => {
  const first = shortest(work, 10, enough)
  if (first <= enough || first > 50 * enough) return first
  const slowness = Math.max(1, shortest(spin, 20, spinMillis) / spinMillis, shortest(rebuild, 10, rebuildMillis) / rebuildMillis)
  return shortest(work, 40, enough * slowness) / slowness
}

/** How long one piece of work may block the event loop: 10 ms, and half as much again for what the test runner adds to every import. */
export const loopMillis = 15
