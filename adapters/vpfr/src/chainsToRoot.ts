import { X509Certificate } from "node:crypto"
import { isIssuedBy, issuersOf, isValidAt } from "./issuedBy.ts"

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

const readAll = (pem: string): ReadonlyArray<X509Certificate> =>
  (pem.match(pemCertificate) ?? []).map((certificate) => new X509Certificate(certificate))

/**
 * Whether an element's chain (leaf first, PEM) leads to one of the operator's roots, every signature checked and every certificate on the way valid at
 * that instant; which of several ways, and in which order its intermediates are, does not matter. Roots inside a PFX prove nothing and are never
 * trusted (Decisions §4, Trust).
 *
 * @param atMillis milliseconds since 1970, UTC
 */
export const chainsToRoot = (chainPem: string, rootsPem: string, atMillis: number): boolean => {
  const isValid = (certificate: X509Certificate) => isValidAt(certificate, atMillis)
  const [leaf, ...intermediates] = readAll(chainPem)
  const roots = readAll(rootsPem).filter(isValid)
  if (leaf === undefined || !isValid(leaf)) return false
  const onTheWay = [leaf, ...issuersOf(leaf, intermediates.filter(isValid))]
  return onTheWay.some((certificate) => roots.some((root) => isIssuedBy(certificate, root)))
}
