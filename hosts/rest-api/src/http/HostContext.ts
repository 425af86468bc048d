import type { Effect, Exit } from "effect"
import type { Admission, FairSemaphore } from "@overa/host-kit"
import type { HostServices } from "./HostServices.ts"
import type { RateLimiter } from "./RateLimiter.ts"
import type { RefusalPause } from "./RefusalPause.ts"
import type { RequestLog } from "./RequestLog.ts"

/** What the middleware shares: the one runtime, the log, and the limits that keep one caller from delaying the others. */
export interface HostContext {
  readonly run: <A, E>(effect: Effect.Effect<A, E, HostServices>) => Promise<Exit.Exit<A, E>>
  readonly log: RequestLog
  readonly rateLimiter: RateLimiter
  readonly refusals: RefusalPause
  readonly admission: Admission
  /** Limits how many large bodies are read at once. */
  readonly largeBodies: FairSemaphore
  /** Limits work for callers that are not authenticated yet, by address: token requests and tokens seen for the first time. */
  readonly strangers: FairSemaphore
  /** Limits requests of the public pages, by address. */
  readonly pages: FairSemaphore
  /** Limits how many receipts are loaded and drawn at once. */
  readonly files: FairSemaphore
  /** Limits how many documents are read at once: one may have megabytes. */
  readonly documents: FairSemaphore
}
