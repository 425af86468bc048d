import { X509Certificate } from "node:crypto"

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

const readAll = (pem: string): ReadonlyArray<X509Certificate> =>
  (pem.match(pemCertificate) ?? []).map((certificate) => new X509Certificate(certificate))

const isValidAt = (certificate: X509Certificate, atMillis: number): boolean =>
  certificate.validFromDate.getTime() <= atMillis && atMillis <= certificate.validToDate.getTime()

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

/**
 * Whether an element's chain (leaf first, PEM) leads to one of the operator's roots, every signature checked and every
 * certificate valid at that instant. Roots inside a PFX prove nothing and are never trusted (Decisions §4, Trust).
 *
 * @param atMillis milliseconds since 1970, UTC
 */
export const chainsToRoot = (chainPem: string, rootsPem: string, atMillis: number): boolean => {
  const [leaf, ...intermediates] = readAll(chainPem)
  const roots = readAll(rootsPem)
  if (leaf === undefined) return false
  let last = leaf
  for (let steps = 0; steps <= intermediates.length; steps += 1) {
    if (!isValidAt(last, atMillis)) return false
    const current = last
    if (roots.some((root) => isValidAt(root, atMillis) && isIssuedBy(current, root))) return true
    const issuer = intermediates.find((candidate) => candidate !== current && isIssuedBy(current, candidate))
    if (issuer === undefined) return false
    last = issuer
  }
  return false
}
