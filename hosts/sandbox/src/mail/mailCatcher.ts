import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo, Server } from "node:net"
import { pathOf } from "@overa/host-kit"
import { Effect } from "effect"
import type { Attachment } from "mailparser"
import { SMTPServer } from "smtp-server"
import { SandboxProblem } from "../SandboxProblem.ts"
import { type CaughtMail, caughtJson, CaughtMails } from "./CaughtMail.ts"
import { listPage, mailPage } from "./catcherPages.ts"

/** A mail server that delivers nothing, and the page where its messages can be looked at. */
export interface MailCatcher {
  readonly smtpUrl: string
  readonly webUrl: string
}

const send = (response: ServerResponse, status: number, type: string, body: string | Buffer): void => {
  response.writeHead(status, {
    "Content-Type": type,
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'"
  })
  response.end(body)
}

const html = "text/html; charset=utf-8"
const plain = "text/plain; charset=utf-8"
const json = "application/json; charset=utf-8"

/** What a message calls its attachment may be no media type, and a header cannot have every character. */
const mediaTypeOf = ({ contentType }: Attachment): string => /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : "application/octet-stream"

const answerPart = (response: ServerResponse, mail: CaughtMail, part: string | undefined, index: string | undefined): void => {
  const { parsed } = mail
  const attachment = parsed.attachments[Number(index ?? Number.NaN)]
  if (part === undefined) return send(response, 200, json, JSON.stringify(caughtJson(mail)))
  if (part === "page") return send(response, 200, html, mailPage(mail))
  if (part === "html" && typeof parsed.html === "string") return send(response, 200, html, parsed.html)
  if (part === "text") return send(response, 200, plain, parsed.text ?? "")
  if (part === "source") return send(response, 200, plain, mail.raw)
  if (part === "attachments" && attachment !== undefined) return send(response, 200, mediaTypeOf(attachment), attachment.content)
  send(response, 404, plain, "There is no such part.")
}

const answer = (mails: CaughtMails, path: string, response: ServerResponse): void => {
  const [first, id, part, index] = path.split("/").filter((segment) => segment !== "")
  if (first === undefined) return send(response, 200, html, listPage(mails.all))
  if (first === "messages" && id === undefined) return send(response, 200, json, JSON.stringify({ items: mails.all.map(caughtJson) }))
  const mail = first === "messages" && id !== undefined ? mails.find(id) : undefined
  if (mail === undefined) return send(response, 404, plain, "There is no such message.")
  answerPart(response, mail, part, index)
}

/** Answers the fault where a message cannot be read. */
const keep = async (mails: CaughtMails, raw: Buffer, recipients: ReadonlyArray<string>): Promise<Error | undefined> => {
  try {
    await mails.add(raw, recipients)
    return undefined
  } catch (fault) {
    return fault as Error
  }
}

const smtpServerFor = (mails: CaughtMails): SMTPServer =>
  new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    closeTimeout: 500,
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => void chunks.push(chunk))
      const finish = async () => {
        done(await keep(mails, Buffer.concat(chunks), session.envelope.rcptTo.map(({ address }) => address)))
      }
      stream.on("end", () => void finish())
    }
  })

const listening = (server: Pick<Server, "listen" | "once" | "address">): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
  })

const open = async () => {
  const mails = new CaughtMails()
  const smtp = smtpServerFor(mails)
  // A sender that leaves in the middle of a message is told as an error of the server; without a listener it would end the process.
  smtp.on("error", () => undefined)
  const web = createServer((request, response) => answer(mails, pathOf(request.url ?? ""), response))
  const [smtpPort, webPort] = [await listening(smtp.server), await listening(web)]
  const catcher: MailCatcher = { smtpUrl: `smtp://127.0.0.1:${smtpPort}`, webUrl: `http://127.0.0.1:${webPort}` }
  return { catcher, close: () => {
    smtp.close()
    web.close()
    web.closeAllConnections()
  } }
}

/** The sandbox's mail catcher, until the scope closes; both of its servers listen on the loopback only. */
export const mailCatcher = Effect.acquireRelease(
  Effect.tryPromise({
    try: open,
    catch: (cause) => new SandboxProblem({ line: `the mail catcher did not start: ${(cause as Error).message}` })
  }),
  ({ close }) => Effect.sync(close)
).pipe(Effect.map(({ catcher }) => catcher))
