import type { ServerResponse } from "node:http"

/** Counts the requests in flight, so that a stopping host can wait for the last of them. */
export class InFlightRequests {
  private count = 0
  private idle: (() => void) | null = null
  /** True once the host accepts no more connections: answers then close theirs. */
  stopping = false

  /** How many are in flight. */
  get size(): number {
    return this.count
  }

  /** Call the result once, when the request is over. */
  begin(): () => void {
    this.count++
    return () => {
      this.count--
      if (this.count === 0) this.idle?.()
    }
  }

  /** Resolves when no request is in flight. */
  whenIdle(): Promise<void> {
    return this.count === 0 ? Promise.resolve() : new Promise((resolve) => {
      this.idle = resolve
    })
  }
}

/** A signal that aborts when the connection closes before the answer was written: then nobody waits for it. */
export const callerGone = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  if (response.closed && !response.writableFinished) controller.abort()
  response.once("close", () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
