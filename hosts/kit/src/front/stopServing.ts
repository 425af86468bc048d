import type { InFlightRequests } from "./InFlightRequests.ts"
import type { Listening } from "./listen.ts"

/** Stops a host: no new connections, requests in flight reach their answer or the deadline, then the services end. */
export const stopServing = async (
  listening: Listening,
  inFlight: InFlightRequests,
  runtime: { readonly dispose: () => Promise<void> },
  stopMillis: number
): Promise<void> => {
  inFlight.stopping = true
  const closed = listening.stop()
  const { promise: deadline, resolve: giveUp } = Promise.withResolvers<void>()
  const timer = setTimeout(giveUp, stopMillis)
  await Promise.race([inFlight.whenIdle(), deadline])
  clearTimeout(timer)
  listening.closeConnections()
  await closed
  await runtime.dispose()
}
