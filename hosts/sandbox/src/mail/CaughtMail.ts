import { type ParsedMail, simpleParser } from "mailparser"

/** A message that the catcher received instead of delivering it. */
export interface CaughtMail {
  readonly id: string
  readonly caughtAt: Date
  readonly recipients: ReadonlyArray<string>
  readonly raw: Buffer
  readonly parsed: ParsedMail
}

const mostKept = 1_000

/** The caught messages, latest first; the oldest are removed when there are too many. */
export class CaughtMails {
  readonly #mails: Array<CaughtMail> = []
  #count = 0

  async add(raw: Buffer, recipients: ReadonlyArray<string>): Promise<void> {
    const parsed = await simpleParser(raw)
    this.#mails.unshift({ id: String((this.#count += 1)), caughtAt: new Date(), recipients, raw, parsed })
    this.#mails.splice(mostKept)
  }

  get all(): ReadonlyArray<CaughtMail> {
    return this.#mails
  }

  find(id: string): CaughtMail | undefined {
    return this.#mails.find((mail) => mail.id === id)
  }
}

/** A message as JSON for programs. */
export const caughtJson = ({ caughtAt, id, parsed, recipients }: CaughtMail) => ({
  id,
  caughtAt: caughtAt.toISOString(),
  recipients,
  from: parsed.from?.text ?? null,
  replyTo: parsed.replyTo?.text ?? null,
  subject: parsed.subject ?? "",
  messageId: parsed.messageId ?? null,
  headers: Object.fromEntries(parsed.headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(":") + 1).trim()])),
  text: parsed.text ?? null,
  html: typeof parsed.html === "string" ? parsed.html : null,
  attachments: parsed.attachments.map(({ contentDisposition, contentType, filename, size }) => ({
    filename: filename ?? null,
    contentType,
    contentDisposition,
    size
  }))
})
