import { createServer } from "node:tls"
import { message } from "../../adapters/vpfr/test/support/httpMessage.ts"
import { cleanAnswersTo, rate } from "./cleanAnswer.ts"
import { messageReader } from "./leanHttp.ts"

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

/** With the current time: a host sends nothing to a V-PFR whose clock is behind (docs/adr/0051). */
const status = () => JSON.stringify({ sdcDateTime: new Date().toISOString(), supportedLanguages: ["sr-Cyrl-RS"], currentTaxRates: taxRates, allTaxRates: [taxRates] })

/** A TLS server in the V-PFR's place that answers as fast as it can, or after a delay; in a process of its own. It signs nothing that can be verified. */
const serve = (order: SignerOrder): void => {
  let counter = 0
  const answersOf = new Map<string, ReturnType<typeof cleanAnswersTo>>()
  const answerTo = (body: string): string => {
    const answers = answersOf.get(body) ?? cleanAnswersTo(body, order.jid)
    answersOf.set(body, answers)
    return JSON.stringify(answers(counter += 1))
  }
  let delayMillis = 0
  const server = createServer(
    { key: order.key, cert: order.cert, ca: order.ca, requestCert: true, maxVersion: "TLSv1.2" },
    (socket) => {
      socket.on("error", () => socket.destroy())
      socket.on("data", messageReader(({ body, head }) => {
        const text = message("200 OK", head.startsWith("GET ") ? status() : answerTo(body.toString()))
        if (delayMillis === 0) socket.write(text)
        else setTimeout(() => socket.write(text), delayMillis)
      }))
    }
  )
  process.on("message", (change: { readonly delayMillis?: number }) => {
    delayMillis = change.delayMillis ?? delayMillis
  })
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    process.send?.(typeof address === "object" && address !== null ? address.port : 0)
  })
}

process.once("message", (order: SignerOrder) => serve(order))
process.once("disconnect", () => process.exit(0))
