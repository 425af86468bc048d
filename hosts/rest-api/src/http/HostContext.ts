import type { Effect, Exit } from "effect"
import type { HostServices } from "./HostServices.ts"
import type { RateLimiter } from "./RateLimiter.ts"
import type { RequestLog } from "./RequestLog.ts"

/** What the middleware shares: the one runtime, the log, the rate limiter. */
export interface HostContext {
  readonly run: <A, E>(effect: Effect.Effect<A, E, HostServices>) => Promise<Exit.Exit<A, E>>
  readonly log: RequestLog
  readonly rateLimiter: RateLimiter
}
