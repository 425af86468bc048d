import { Effect } from "effect"
import type { ActInvalid } from "./OperatorAct.ts"

/** A proxy waits a minute for an answer; for an act that takes longer there is the operator's command. */
const longestAct = "40 seconds"

/** Interrupts an act that takes too long for a browser; `tooLong` says what to do instead. */
export const beforeProxyGivesUp = (tooLong: () => ActInvalid) => <A, E, R>(act: Effect.Effect<A, E, R>): Effect.Effect<A, E | ActInvalid, R> =>
  Effect.timeoutOrElse(act, { duration: longestAct, orElse: tooLong })
