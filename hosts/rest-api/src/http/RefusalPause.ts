import { setTimeout } from "node:timers/promises"
import { RateLimiter } from "./RateLimiter.ts"

/** Refusals of one caller that are answered at once: so many a second, and so many in a row. */
const limit = { perSecond: 50, burst: 100 }
const pauseMillis = 250
/** The caller sends a large body again with each attempt, and the host has to read it off the connection. */
const pauseOfLargeBody = 1_000

/**
 * A caller who ignores 401 and 429 and repeats at once costs the host more than its allowed requests do. Beyond some refusals a second its
 * refusals wait before they are answered, and each of its connections is slowed down; nobody else waits.
 */
export class RefusalPause {
  private readonly limiter = new RateLimiter(limit)

  /** Resolves when the refusal of this caller may be answered: at once, or after the pause. */
  async until(caller: string, body: "ordinary" | "large"): Promise<void> {
    if (this.limiter.take(caller, performance.now()).allowed) return
    await setTimeout(body === "large" ? pauseOfLargeBody : pauseMillis)
  }
}
