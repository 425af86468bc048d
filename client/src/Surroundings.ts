/** What the client needs from its environment; replaceable in tests. */
export interface Surroundings {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Ends early, rejecting, when the signal aborts. */
  readonly wait: (millis: number, signal?: AbortSignal) => Promise<void>
  readonly newKey: () => string
}

/** The platform's own: any runtime with `fetch`, `crypto` and timers. */
export const platform: Surroundings = {
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  wait: (millis, signal) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        reject(signal?.reason as Error)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop)
        resolve()
      }, millis)
      if (signal?.aborted === true) stop()
      else signal?.addEventListener("abort", stop, { once: true })
    }),
  newKey: () => `overa-${crypto.randomUUID()}`
}
