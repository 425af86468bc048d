import { Redacted, Schema } from "effect"

/** The operator's settings for e-mail cannot be used; the message names the fault, without the password. */
export class MailConnectionInvalid extends Schema.TaggedError<MailConnectionInvalid>()("MailConnectionInvalid", {
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/** Where mail is handed over, and under which sender. */
export interface MailConnection {
  /** `smtps://user:password@host:465` or `smtp://user:password@host:587`; credentials percent-encoded (Decisions §12). */
  readonly url: Redacted.Redacted
  /** The installation's own address, `receipts@example.rs`; messages carry the shop's name before it. */
  readonly sender: string
  /** Certificates to trust for the server, PEM; null: the system's. */
  readonly trustAnchors: string | null
  /** Connections at once, default 4. */
  readonly connections?: number
  /** How long a message that is on its way may take once the worker stops; default 20 seconds. */
  readonly stopMillis?: number
}

/** The connection as the SMTP library takes it. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  /** STARTTLS is required: only mail to the loopback may go unencrypted. */
  readonly requireTLS: boolean
  readonly ignoreTLS: boolean
  readonly auth: { readonly user: string; readonly pass: string } | null
}

const isLoopback = (host: string): boolean => host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host)

const invalid = (detail: string) => new MailConnectionInvalid({ detail })

/** Reads the address of the mail server; throws `MailConnectionInvalid`. */
export const smtpServerOf = (url: Redacted.Redacted): SmtpServer => {
  const text = Redacted.value(url)
  if (!URL.canParse(text)) throw invalid("the address of the mail server is no URL")
  const { hostname, password, pathname, port, protocol, search, username } = new URL(text)
  if (protocol !== "smtp:" && protocol !== "smtps:") throw invalid("the address of the mail server must begin with smtps:// or smtp://")
  if (hostname === "") throw invalid("the address of the mail server names no host")
  if ((pathname !== "" && pathname !== "/") || search !== "") throw invalid("the address of the mail server has a path or a query")
  if ((username === "") !== (password === "")) throw invalid("the address of the mail server has a user or a password without the other")
  const secure = protocol === "smtps:"
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isLoopback(hostname),
    ignoreTLS: !secure && isLoopback(hostname),
    auth: username === "" ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  }
}
