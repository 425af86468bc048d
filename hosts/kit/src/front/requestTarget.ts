/**
 * The target of a request without the scheme and the host that some proxies send in it (RFC 9112 §3.2.2). No parser of addresses reads it: a caller can
 * write anything there, and for `//` or `http://[` such a parser throws.
 *
 * @example withoutHost("http://overa.example/metrics?a=b") // "/metrics?a=b"
 */
export const withoutHost = (target: string): string => {
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "")
  return rest.startsWith("/") || rest === "*" ? rest : `/${rest}`
}

/**
 * The path of a request's target, as it was written.
 *
 * @example pathOf("/metrics?a=b") // "/metrics"
 */
export const pathOf = (target: string): string => withoutHost(target).split(/[?#]/, 1)[0] ?? ""
