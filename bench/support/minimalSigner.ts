import { hash } from "node:crypto"
import { createServer } from "node:https"
import { cleanAnswer, rate } from "./cleanAnswer.ts"

/** What the measuring process sends first. */
export interface SignerOrder {
  readonly key: string
  readonly cert: string
  readonly ca: string
  readonly jid: string
}

const taxRates = {
  groupId: 1,
  validFrom: "2020-01-01T00:00:00Z",
  taxCategories: [{ name: "VAT", categoryType: 0, orderId: 1, taxRates: [{ label: "A", rate }] }]
}

/**
 * The answers to one body, told apart by number, counters, time and link. A signer that works out the rest anew for every sale would take
 * processor time from what is measured.
 */
const answersTo = (body: string, jid: string) => {
  const first = cleanAnswer(body, jid, 1)
  const firstNumber = String(first["invoiceNumber"])
  const [root = "", payload = ""] = String(first["verificationUrl"]).split("vl=")
  const digested = Buffer.from(decodeURIComponent(payload), "base64").subarray(0, -16)
  return (counter: number): string => {
    const millis = Date.now()
    digested.writeUInt32LE(counter, 17)
    digested.writeUInt32LE(counter, 21)
    digested.writeBigUInt64BE(BigInt(millis), 33)
    const link = Buffer.concat([digested, hash("md5", digested, "buffer")]).toString("base64")
    const invoiceNumber = `${firstNumber.slice(0, -1)}${counter}`
    return JSON.stringify({
      ...first,
      sdcDateTime: new Date(millis).toISOString().replace("Z", "+00:00"),
      invoiceCounter: `${counter}/${counter}${String(first["invoiceCounterExtension"])}`,
      invoiceNumber,
      verificationUrl: `${root}vl=${encodeURIComponent(link)}`,
      journal: String(first["journal"]).replace(firstNumber, invoiceNumber),
      totalCounter: counter,
      transactionTypeCounter: counter
    })
  }
}

const status = JSON.stringify({ sdcDateTime: "2026-01-01T00:00:00Z", supportedLanguages: ["sr-Cyrl-RS"], currentTaxRates: taxRates, allTaxRates: [taxRates] })

/** A TLS far end that answers as fast as it can, or after a delay; in a process of its own. It signs nothing that verifies. */
const serve = (order: SignerOrder): void => {
  let counter = 0
  let answered = ""
  let answerOf = (_: number): string => ""
  const answerTo = (body: string): string => {
    if (body !== answered) {
      answered = body
      answerOf = answersTo(body, order.jid)
    }
    return answerOf(counter += 1)
  }
  let delayMillis = 0
  const server = createServer(
    { key: order.key, cert: order.cert, ca: order.ca, requestCert: true, maxVersion: "TLSv1.2", keepAliveTimeout: 120_000 },
    (request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const answer = request.method === "GET"
          ? status
          : answerTo(Buffer.concat(chunks).toString("utf8"))
        const send = () => response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) }).end(answer)
        if (delayMillis === 0) send()
        else setTimeout(send, delayMillis)
      })
    }
  )
  process.on("message", (message: { readonly delayMillis?: number }) => {
    delayMillis = message.delayMillis ?? delayMillis
  })
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    process.send?.(typeof address === "object" && address !== null ? address.port : 0)
  })
}

process.once("message", (order: SignerOrder) => serve(order))
process.once("disconnect", () => process.exit(0))
