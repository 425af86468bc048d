import { createServer } from "node:https"
import { signedAnswer } from "../adapters/vpfr/test/support/signedAnswer.ts"

/** What the measuring process sends first. */
export interface FarEndOrder {
  readonly key: string
  readonly cert: string
  readonly ca: string
  readonly jid: string
  /** Requests with this PAC are never answered. */
  readonly hangingPac: string
}

const journalLine = `${"Назив   Цена         Кол.         Укупно".padEnd(40)}\r\n`

/** Answers submissions in a process of its own, so that the client's CPU time is the client's alone. */
const serve = (order: FarEndOrder): void => {
  let counter = 0
  const server = createServer(
    { key: order.key, cert: order.cert, ca: order.ca, requestCert: true, maxVersion: "TLSv1.2", keepAliveTimeout: 120_000 },
    (request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        if (request.headers["pac"] === order.hangingPac) return
        const answer = signedAnswer(Buffer.concat(chunks).toString("utf8"), order.jid, (counter += 1))
        const body = JSON.stringify({ ...answer, journal: `${journalLine.repeat(30)}${String(answer["invoiceNumber"])}\r\n` })
        response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body)
      })
    }
  )
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    process.send?.(typeof address === "object" && address !== null ? address.port : 0)
  })
}

process.once("message", (order: FarEndOrder) => serve(order))
process.once("disconnect", () => process.exit(0))
