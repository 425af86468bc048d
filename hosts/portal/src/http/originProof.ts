import type { IncomingHttpHeaders } from "node:http"

/**
 * Whether a request that changes something comes from a page of ours: browsers say where a form was sent from, and no script can
 * change what they say. A request that says nothing is refused (Decisions §13).
 */
export const comesFromUs = (headers: IncomingHttpHeaders, origin: string): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined && site !== "same-origin") return false
  return headers.origin === origin
}
