/** How a pass over the logs went. */
export interface SealingWork {
  /** What the pass took. */
  readonly busyMillis: number
  /** How long the transition that waited longest had waited. */
  readonly waitedMillis: number
  /** Whether more is waiting. */
  readonly more: boolean
}

/** The part of the time that sealing may take while transitions wait for less than so long. */
const shares = [
  { untilMillis: 5_000, share: 0.1 },
  { untilMillis: 30_000, share: 0.2 },
  { untilMillis: 120_000, share: 0.5 }
] as const
const greatestShare = 0.9

/** Between passes where nothing waits. */
export const sealingPauseMillis = 2_000
/** A rest is never longer: what moves at its beginning waits for all of it. */
const longestRestMillis = 5_000

/**
 * How long to rest after a pass, in milliseconds. Sealing takes processor time that sales could use, and it can wait: a pass that took long, because
 * there was much or because the machine is busy, is followed by a rest in proportion. The longer transitions wait, the greater the part of the time
 * that sealing gets, so that none waits for ever.
 *
 * @example
 * sealingRest({ busyMillis: 200, waitedMillis: 3_000, more: true }) // 1800
 */
export const sealingRest = ({ busyMillis, more, waitedMillis }: SealingWork): number => {
  const share = shares.find(({ untilMillis }) => waitedMillis < untilMillis)?.share ?? greatestShare
  const rest = busyMillis * (1 / share - 1)
  return Math.min(Math.round(more ? rest : Math.max(rest, sealingPauseMillis)), longestRestMillis)
}
