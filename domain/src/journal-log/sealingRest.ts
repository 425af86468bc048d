/** The result of a pass over the logs. */
export interface SealingWork {
  /** The duration of the pass. */
  readonly busyMillis: number
  /** The longest waiting time of a transition. */
  readonly waitedMillis: number
  /** Whether more transitions are waiting. */
  readonly more: boolean
}

/** The share of the time that sealing may use, while transitions have waited for less than the given time. */
const shares = [
  { untilMillis: 5_000, share: 0.1 },
  { untilMillis: 30_000, share: 0.2 },
  { untilMillis: 120_000, share: 0.5 }
] as const
const greatestShare = 0.9

/** The pause between passes when nothing waits. */
export const sealingPauseMillis = 2_000
/** The longest rest: a transition that comes at its beginning waits for the whole rest. */
const longestRestMillis = 5_000

/**
 * How long to rest after a pass, in milliseconds. Sealing uses processor time that sales could use, and it can wait. A pass that took long, because
 * of much work or a busy machine, is followed by a rest in proportion. The longer transitions wait, the larger the share of time for sealing, so that
 * none waits for ever.
 *
 * @example
 * sealingRest({ busyMillis: 200, waitedMillis: 3_000, more: true }) // 1800
 */
export const sealingRest = ({ busyMillis, more, waitedMillis }: SealingWork): number => {
  const share = shares.find(({ untilMillis }) => waitedMillis < untilMillis)?.share ?? greatestShare
  const rest = busyMillis * (1 / share - 1)
  return Math.min(Math.round(more ? rest : Math.max(rest, sealingPauseMillis)), longestRestMillis)
}
