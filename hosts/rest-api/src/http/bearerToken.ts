import { TransportRefusal } from "@overa/host-kit"

const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** The token of an `Authorization: Bearer` header (RFC 6750 §2.1); null when there is none. */
export const bearerToken = (header: string | undefined): string | null =>
  header === undefined ? null : bearer.exec(header)?.[1] ?? null

/** A challenge with its reason (RFC 6750 §3). */
export const bearerChallenge = (error: "invalid_token" | "insufficient_scope", description: string, scope?: string): string =>
  `Bearer error="${error}", error_description="${description}"${scope === undefined ? "" : `, scope="${scope}"`}`

/** The same answer to every missing, expired, foreign or malformed token (Decisions §10). */
export const unauthenticated = (sent: "nothing" | "a token") =>
  new TransportRefusal({
    code: "UNAUTHENTICATED",
    message: "The access token is missing, expired or not issued for this API; request a new one and repeat the same request.",
    // RFC 6750 §3: a caller that sent no token gets the scheme alone.
    headers: { "WWW-Authenticate": sent === "nothing" ? "Bearer" : bearerChallenge("invalid_token", "The access token is expired, malformed or not issued for this API") }
  })
