import { Readable } from "node:stream"
import type { MailOutcome } from "@overa/domain"

/** What the SMTP library says of a failure. */
interface SmtpFailure {
  readonly code?: string | undefined
  readonly command?: string | undefined
  readonly responseCode?: number | undefined
  readonly response?: string | undefined
  readonly message: string
}

/**
 * One message on its way, and the one place that knows how far it got. The library reads the message's bytes only after the server has
 * accepted DATA, and writes the last dot when they have been read to the end: until then nothing can have been taken.
 */
export class HandOver {
  readonly #bytes: Buffer
  #stream: Readable | null = null

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The bytes, for one connection. A second connection gets them only while the first has read nothing. */
  stream(): Readable {
    if (this.#stream?.readableDidRead === true) {
      return new Readable({ read() { this.destroy(new Error("this message was handed over before")) } })
    }
    this.#stream = Readable.from([this.#bytes], { objectMode: false })
    return this.#stream
  }

  /** How it ended, by where it was and by what the server itself said. */
  outcomeOf(failure: SmtpFailure): MailOutcome {
    const said = failure.response ?? failure.message
    const { responseCode } = failure
    if (responseCode !== undefined) return this.#refusal(responseCode, failure.command ?? "", said)
    if (this.#stream?.readableEnded === true) return { _tag: "MayBeTaken", reason: `no answer after the message: ${failure.message}` }
    if (this.#stream?.readableDidRead === true) {
      return { _tag: "Deferred", reason: `the connection was lost inside the message: ${failure.message}`, recipientNamed: true }
    }
    // Our side refuses an address or a size the server said it cannot take.
    if (failure.code === "EENVELOPE" || failure.code === "EMESSAGE") return { _tag: "Refused", reason: failure.message, recipientNamed: false }
    return this.#stream === null
      ? { _tag: "Unreachable", reason: failure.message }
      : { _tag: "Deferred", reason: `the connection was lost before the message: ${failure.message}`, recipientNamed: true }
  }

  #refusal(responseCode: number, command: string, said: string): MailOutcome {
    const ofMessage = command === "RCPT TO" || command === "DATA"
    // 552 before the recipient: larger than the server takes. Whatever else is said there is about us, and the same for every message.
    if (!ofMessage && !(command === "MAIL FROM" && responseCode === 552)) return { _tag: "Unreachable", reason: said }
    if (responseCode === 530 || responseCode === 535) return { _tag: "Unreachable", reason: said }
    return responseCode >= 500
      ? { _tag: "Refused", reason: said, recipientNamed: ofMessage }
      : { _tag: "Deferred", reason: said, recipientNamed: ofMessage }
  }
}
