import { generateKeyPairSync } from "node:crypto"
import { hostname } from "node:os"
import forge from "node-forge"
import { type ParsedMail, simpleParser } from "mailparser"
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"

/** A certificate for a server's names, made for one test run. */
export const certificateFor = (names: ReadonlyArray<string>): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" }
  })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  certificate.serialNumber = "01"
  certificate.validity.notBefore = new Date(Date.now() - 3_600_000)
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000)
  certificate.setSubject([{ name: "commonName", value: names[0] ?? "peer" }])
  certificate.setIssuer([{ name: "commonName", value: names[0] ?? "peer" }])
  const altNames = names.map((name) => (/^[\d.]+$/.test(name) ? { type: 7, ip: name } : { type: 2, value: name }))
  certificate.setExtensions([{ name: "basicConstraints", cA: true }, { name: "subjectAltName", altNames }])
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create())
  return { key: privateKey, cert: forge.pki.certificateToPem(certificate) }
}

export const identity = certificateFor(["localhost", "127.0.0.1", hostname()])

/** How a mail server answers one message; an absent field means acceptance. */
export interface Mood {
  readonly onMailFrom?: Error
  readonly onRecipient?: Error
  /** Answer to the message after its last dot. */
  readonly onMessage?: Error
  /** After the whole message, before the answer. */
  readonly cutAfterMessage?: boolean
  /** As soon as DATA is accepted. */
  readonly cutInMessage?: boolean
  readonly cutAtRecipient?: boolean
  readonly slowMillis?: number
  /** Called when the recipient was named, before the answer. */
  readonly atRecipient?: () => Promise<void>
  /** Called when the whole message has arrived, before the answer. */
  readonly atMessage?: () => Promise<void>
}

export const reply = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode })

/** A real SMTP server that behaves as the test says, and keeps what it received. */
export interface MailPeer {
  readonly port: number
  mood: Mood
  /** Whole messages that arrived, accepted or not. */
  readonly arrived: Array<{ readonly raw: Buffer; readonly secure: boolean; readonly to: ReadonlyArray<string> }>
  readonly connections: () => number
  readonly read: (index: number) => Promise<ParsedMail>
  readonly close: () => Promise<void>
}

const socketOf = (server: SMTPServer, session: SMTPServerSession): { destroy: () => void } | undefined =>
  [...(server as unknown as { readonly connections: Set<{ readonly id: string; readonly _socket: { destroy: () => void } }> }).connections]
    .find((connection) => connection.id === session.id)?._socket

export const mailPeer = async (options: SMTPServerOptions = {}, address = "127.0.0.1", port = 0): Promise<MailPeer> => {
  let connections = 0
  const arrived: Array<MailPeer["arrived"][number]> = []
  const server = new SMTPServer({
    ...identity,
    authOptional: true,
    closeTimeout: 100,
    disabledCommands: options.secure === true ? [] : ["AUTH"],
    logger: false,
    onConnect: (_session, done) => {
      connections += 1
      done()
    },
    onMailFrom: (_from, _session, done) => done(peer.mood.onMailFrom),
    onRcptTo: async (_to, session, done) => {
      if (peer.mood.cutAtRecipient === true) return void socketOf(server, session)?.destroy()
      await peer.mood.atRecipient?.()
      setTimeout(() => done(peer.mood.onRecipient), peer.mood.slowMillis ?? 0)
    },
    onData: (stream, session, done) => {
      if (peer.mood.cutInMessage === true) return void socketOf(server, session)?.destroy()
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => void chunks.push(chunk))
      stream.on("end", async () => {
        arrived.push({ raw: Buffer.concat(chunks), secure: session.secure, to: session.envelope.rcptTo.map((one) => one.address) })
        if (peer.mood.cutAfterMessage === true) return void socketOf(server, session)?.destroy()
        await peer.mood.atMessage?.()
        done(peer.mood.onMessage)
      })
    },
    ...options
  })
  server.on("error", () => undefined)
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  const peer: MailPeer = {
    port: (server.server.address() as { readonly port: number }).port,
    mood: {},
    arrived,
    connections: () => connections,
    read: (index) => simpleParser(arrived[index]?.raw ?? Buffer.alloc(0)),
    close: () => new Promise((resolve) => server.close(() => resolve()))
  }
  return peer
}
