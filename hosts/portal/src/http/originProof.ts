import type { IncomingHttpHeaders } from "node:http"

/**
 * Whether a request that changes something comes from a page of this portal. Browsers name the origin of a form, and no script can change that. A
 * request without an origin is refused (Decisions §13).
 */
export const comesFromUs = (headers: IncomingHttpHeaders, origin: string): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined && site !== "same-origin") return false
  return headers.origin === origin
}
