import type { ServerResponse } from "node:http"

/** A signal that aborts when the connection closes before the answer was written: then nobody waits for it. */
export const callerGone = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  if (response.closed && !response.writableFinished) controller.abort()
  response.once("close", () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
