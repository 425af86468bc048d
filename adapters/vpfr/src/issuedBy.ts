import type { X509Certificate } from "node:crypto"

/** @param atMillis milliseconds since 1970, UTC */
export const isValidAt = (certificate: X509Certificate, atMillis: number): boolean =>
  certificate.validFromDate.getTime() <= atMillis && atMillis <= certificate.validToDate.getTime()

/** Whether the issuer is an authority of that name whose key verifies the signature. Says nothing of dates. */
export const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

/**
 * Every issuer of the certificate among the others, the issuers' issuers and so on: each once, also where authorities have signed each other. First
 * the first issuer with all that leads up from it. Stops at `most`.
 */
export const issuersOf = (
  certificate: X509Certificate,
  others: ReadonlyArray<X509Certificate>,
  most = others.length
): ReadonlyArray<X509Certificate> => {
  const found = new Set<X509Certificate>()
  const climb = (from: X509Certificate): void => {
    for (const other of others) {
      if (found.size >= most) return
      if (other === certificate || found.has(other) || !isIssuedBy(from, other)) continue
      found.add(other)
      climb(other)
    }
  }
  climb(certificate)
  return [...found]
}
