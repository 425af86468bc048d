import type { TLSSocket } from "node:tls"

const longestMillis = 30_000

/** Asks an open TLS 1.2 connection for its client certificate and waits until the second handshake is over. */
export const renegotiateForCertificate = (socket: TLSSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(new Error("The client did not renegotiate."))), longestMillis)
    const finish = (settle: () => void): void => {
      clearTimeout(timer)
      socket.off("close", onClose)
      settle()
    }
    const onClose = (): void => finish(() => reject(new Error("The connection closed during renegotiation.")))
    socket.once("close", onClose)
    socket.renegotiate({ requestCert: true, rejectUnauthorized: false }, (cause) => {
      finish(() => cause === null ? resolve() : reject(cause))
    })
  })
