import { TransportRefusal } from "./TransportRefusal.ts"

const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** The token of an `Authorization: Bearer` header (RFC 6750 §2.1); null when there is none. */
export const bearerToken = (header: string | undefined): string | null =>
  header === undefined ? null : bearer.exec(header)?.[1] ?? null

/** The one answer to every missing, expired, foreign or malformed token (Decisions §10). */
export const unauthenticated = () =>
  new TransportRefusal({
    code: "UNAUTHENTICATED",
    message: "The access token is missing, expired or not issued for this API; request a new one and repeat the same request.",
    headers: { "WWW-Authenticate": "Bearer" }
  })
