import type { Effect, Exit } from "effect"
import type { Admission } from "./Admission.ts"
import type { FairGate } from "./FairGate.ts"
import type { HostServices } from "./HostServices.ts"
import type { RateLimiter } from "./RateLimiter.ts"
import type { RequestLog } from "./RequestLog.ts"

/** What the middleware shares: the one runtime, the log, and what keeps one caller from holding up the others. */
export interface HostContext {
  readonly run: <A, E>(effect: Effect.Effect<A, E, HostServices>) => Promise<Exit.Exit<A, E>>
  readonly log: RequestLog
  readonly rateLimiter: RateLimiter
  readonly admission: Admission
  /** To the reading of large bodies. */
  readonly largeBodies: FairGate
  /** To what costs work for somebody who has not proven who they are: token requests and tokens seen for the first time, by address. */
  readonly strangers: FairGate
  /** To the public pages, by address. */
  readonly pages: FairGate
  /** To receipts as files: they are loaded and drawn few at a time, whoever asks for how many. */
  readonly files: FairGate
}
