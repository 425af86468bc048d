import { createSecureContext, type SecureContext } from "node:tls"
import { buildConnector } from "undici"

/** The PEM texts of one side of a mutual TLS connection and the certificates it trusts on the other side. */
export interface TlsIdentity {
  readonly privateKey: string
  /** Leaf first, then intermediates. */
  readonly certificateChain: string
  readonly trustAnchors: string
}

/**
 * Key, certificate and trust in OpenSSL's form, made once per element. TLS 1.2 only: the server asks for the client's certificate by renegotiation,
 * which later versions do not have (V-PFR §1.5). Throws on a key that does not fit its certificate.
 */
export const elementSecureContext = (identity: TlsIdentity): SecureContext =>
  createSecureContext({
    key: identity.privateKey,
    cert: identity.certificateChain,
    ca: identity.trustAnchors,
    minVersion: "TLSv1.2",
    maxVersion: "TLSv1.2"
  })

/**
 * Connects as the element. `rejectUnauthorized` is set here so that no environment variable can disable it.
 *
 * Sessions are not resumed: Node checks the host name only on a full handshake, so a session begun with a wrongly named server of a trusted CA would
 * be accepted on the second connection.
 */
export const elementConnector = (secureContext: SecureContext, connectTimeoutMillis: number) =>
  buildConnector({
    secureContext,
    rejectUnauthorized: true,
    allowH2: false,
    maxCachedSessions: 0,
    timeout: connectTimeoutMillis,
    keepAlive: true
  })
