import type { Exchanged } from "./Exchange.ts"

/** Thrown into undici to keep a request from being written, or to have its socket destroyed. Never leaves this package. */
export class NotStarted extends Error {
  override readonly name = "NotStarted"
}

const codeOf = (error: Error): string => {
  const { code } = error as { readonly code?: unknown }
  return typeof code === "string" ? code : error.name
}

type Phase = NonNullable<Extract<Exchanged, { readonly _tag: "NothingLeft" }>["phase"]>

const phases: ReadonlyArray<readonly [RegExp, Phase, string]> = [
  [/^(ENOTFOUND|EAI_\w+)$/, "name", "the V-PFR's name was not resolved"],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, "connection", "the V-PFR refused the connection or is not reachable"],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, "connection", "the connection took too long"],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|CERT_\w+)$/,
    "certificate",
    "the V-PFR's certificate is not trusted"
  ],
  [/^(ERR_SSL_\w+|EPROTO)$/, "tls", "the TLS handshake failed"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "cut", "the connection was cut while it was being opened"]
]

/**
 * The complete allow-list of proofs that nothing was sent. It is not a list of error codes: a code such as ECONNRESET means one thing before the
 * first byte and another after it. The only proof is the state of the exchange (`Exchange`): an error that arrives while the request still waits came
 * from name resolution, connection or handshake, and this function is called only then. The code only chooses the text.
 */
export const failureBeforeFirstByte = (error: Error): Exchanged => {
  const code = codeOf(error)
  if (code === "UND_ERR_DESTROYED" || code === "UND_ERR_CLOSED") {
    return { _tag: "NothingLeft", cause: "closed", detail: "this host is closing the connection" }
  }
  const [, phase, words] = phases.find(([pattern]) => pattern.test(code)) ?? [null, "connection" as const, "no connection to the V-PFR"]
  return { _tag: "NothingLeft", cause: "unreachable", phase, detail: `${words} (${code})` }
}
