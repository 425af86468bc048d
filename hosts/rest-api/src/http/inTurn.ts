import { codeAnswer } from "./errorAnswer.ts"
import { callerGone, type FairSemaphore, networkOf } from "@overa/host-kit"
import type { PublicRoute } from "./router.ts"
import { nullIfLeft, unread } from "./untilGone.ts"
import { writeAnswer } from "./writeAnswer.ts"

/** A public page, served round robin by address: an address that sends many requests waits for its own requests, and delays no sale. */
export const inTurn = (gate: FairSemaphore, route: PublicRoute): PublicRoute => ({
  ...route,
  serve: async (context, next) => {
    const turn = gate.enter(networkOf(context.ip), callerGone(context.res))
    if (turn === null) return writeAnswer(context, codeAnswer("RATE_LIMITED", "Too many pages are asked for at once; wait.", {}, { "Retry-After": "1" }))
    const leave = await turn.catch(nullIfLeft)
    if (leave === null) return writeAnswer(context, unread)
    try {
      await route.serve(context, next)
    } finally {
      leave()
    }
  }
})
