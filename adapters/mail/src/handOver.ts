import { Readable } from "node:stream"
import type { MailOutcome } from "@overa/domain"

/** A failure as the SMTP library reports it. */
interface SmtpFailure {
  readonly code?: string | undefined
  readonly command?: string | undefined
  readonly responseCode?: number | undefined
  readonly response?: string | undefined
  readonly message: string
}

/**
 * One message that is being handed over, and how far it got. The library reads the message's bytes only after the server has accepted DATA, and
 * writes the final dot when all bytes were read: before that the server cannot have taken the message.
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

  /** The outcome, from how far the message got and what the server itself answered. */
  outcomeOf(failure: SmtpFailure): MailOutcome {
    const said = failure.response ?? failure.message
    const { responseCode } = failure
    if (responseCode !== undefined) return this.#refusal(responseCode, failure.command ?? "", said)
    if (this.#stream?.readableEnded === true) return { _tag: "MayBeTaken", reason: `no answer after the message: ${failure.message}` }
    if (this.#stream?.readableDidRead === true) {
      return { _tag: "Deferred", reason: `the connection was lost inside the message: ${failure.message}`, recipientNamed: true }
    }
    // This side refuses an address or a size that the server announced it does not accept.
    if (failure.code === "EENVELOPE" || failure.code === "EMESSAGE") return { _tag: "Refused", reason: failure.message, recipientNamed: false }
    return this.#stream === null
      ? { _tag: "Unreachable", reason: failure.message }
      : { _tag: "Deferred", reason: `the connection was lost before the message: ${failure.message}`, recipientNamed: true }
  }

  #refusal(responseCode: number, command: string, said: string): MailOutcome {
    const ofMessage = command === "RCPT TO" || command === "DATA"
    // 552 before the recipient: the message is larger than the server accepts. Any other answer at that point concerns the connection and is the same
    // for every message.
    if (!ofMessage && !(command === "MAIL FROM" && responseCode === 552)) return { _tag: "Unreachable", reason: said }
    if (responseCode === 530 || responseCode === 535) return { _tag: "Unreachable", reason: said }
    return responseCode >= 500
      ? { _tag: "Refused", reason: said, recipientNamed: ofMessage }
      : { _tag: "Deferred", reason: said, recipientNamed: ofMessage }
  }
}
