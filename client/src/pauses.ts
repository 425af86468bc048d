/** Pauses before repeating a request whose document was not sent to the V-PFR, in milliseconds (Spec, Client handling rules 2). */
export const retryPauses: ReadonlyArray<number> = [2_000, 5_000, 15_000]

/** The pause before the next attempt: our own, or the longer one that the service requests. Null when there are no attempts left. */
export const retryPause = (attemptsSoFar: number, retryAfter: string | null): number | null => {
  const pause = retryPauses[attemptsSoFar - 1]
  if (pause === undefined) return null
  const asked = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 0
  return Math.max(pause, asked)
}

/** The pause before the n-th read of an unresolved operation (n from 0): about every 30 seconds, then less often (rule 3). */
export const pollPause = (looks: number): number => Math.min(30_000 * 2 ** Math.max(0, Math.floor((looks - 9) / 10)), 15 * 60_000)
