import type { Server } from "node:http"
import type { InFlightRequests } from "./InFlightRequests.ts"

/** Stops a host: no new connections, requests in flight reach their answer or the deadline, then the services end. */
export const stopServing = async (
  server: Server,
  inFlight: InFlightRequests,
  runtime: { readonly dispose: () => Promise<void> },
  stopMillis: number
): Promise<void> => {
  inFlight.stopping = true
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const { promise: deadline, resolve: giveUp } = Promise.withResolvers<void>()
  const timer = setTimeout(giveUp, stopMillis)
  await Promise.race([inFlight.whenIdle(), deadline])
  clearTimeout(timer)
  server.closeAllConnections()
  await closed
  await runtime.dispose()
}
