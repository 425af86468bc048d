import type { TLSSocket } from "node:tls"
import type { Element } from "../certificates/Element.ts"
import type { ElementRegister } from "../certificates/ElementRegister.ts"
import type { EnvironmentName } from "../EnvironmentName.ts"

/** The element of a connection, or why there is none. */
export type ClientIdentity =
  | { readonly known: true; readonly element: Element }
  | { readonly known: false; readonly reason: string }

const refused = (reason: string): ClientIdentity => ({ known: false, reason })

/**
 * Checked on every request, because an element may expire or be revoked during its connection. The handshake has proved possession of the key, and
 * only this environment's authority adds certificates to the register, so the register decides; Node's own result is missing on a resumed session
 * that was renegotiated.
 */
export const clientElement = (
  socket: TLSSocket,
  environment: EnvironmentName,
  elements: ElementRegister,
  now: number
): ClientIdentity => {
  const fingerprint = fingerprintOf(socket)
  if (fingerprint === undefined) return refused("403.7 - Forbidden: SSL client certificate is required.")
  const element = elements.findByFingerprint(fingerprint)
  if (element === undefined || element.environment !== environment) {
    return refused("403.16 - Forbidden: Client certificate is untrusted or invalid.")
  }
  if (elements.isRevoked(element.jid)) return refused("403.13 - Forbidden: Client certificate has been revoked.")
  if (now > element.notAfter || now < element.notBefore) {
    return refused("403.17 - Forbidden: Client certificate has expired or is not yet valid.")
  }
  return { known: true, element }
}

const fingerprints = new WeakMap<TLSSocket, string>()

const fingerprintOf = (socket: TLSSocket): string | undefined => {
  const fingerprint = fingerprints.get(socket) ?? socket.getPeerX509Certificate()?.fingerprint256
  if (fingerprint !== undefined) fingerprints.set(socket, fingerprint)
  return fingerprint
}
