import type { Element } from "../certificates/Element.ts"
import { taxRateGroupJson } from "../endpoints/getStatus.ts"
import { type EnvironmentName, environmentNames } from "../EnvironmentName.ts"
import { invoiceTypes, transactionTypes } from "../protocol/InvoiceRequest.ts"
import { headerForms } from "../receipts/journalText.ts"
import type { ReceiptSummary } from "../receipts/ReceiptStore.ts"
import { modulusHex } from "../receipts/Signer.ts"
import { type Answer, jsonAnswer } from "../server/Answer.ts"
import { notFoundForms, type Settings, type Simulation } from "../Simulation.ts"
import { labelOrders } from "../taxes/taxItems.ts"
import { checkFields, ControlRefusal, type Fields, oneOf } from "./readControlBody.ts"
import { readElementOrder } from "./readElementOrder.ts"
import { readFaultOrder } from "./readFaultOrder.ts"
import { readTaxRateOrder } from "./readTaxRateOrder.ts"

export interface ControlRequest {
  readonly simulation: Simulation
  /** The path segment at `*`. */
  readonly argument: string
  readonly query: URLSearchParams
  readonly body: Fields
}

type Handler = (request: ControlRequest) => Answer | Promise<Answer>

const ok = (value: unknown): Answer => jsonAnswer(200, JSON.stringify(value))
const created = (value: unknown): Answer => jsonAnswer(201, JSON.stringify(value))

const perEnvironment = <A>(f: (environment: EnvironmentName) => A): Record<EnvironmentName, A> => ({
  sandbox: f("sandbox"),
  production: f("production")
})

/** As one JSON object; the amount keeps its two decimals. */
const receiptJson = (environment: EnvironmentName, receipt: ReceiptSummary): string => {
  const { requestId, totalAmount, ...rest } = receipt
  const wire = {
    ...rest,
    environment,
    invoiceType: invoiceTypes.indexOf(receipt.invoiceType),
    transactionType: transactionTypes.indexOf(receipt.transactionType)
  }
  return `{"requestId":${JSON.stringify(requestId)},"totalAmount":${totalAmount},${JSON.stringify(wire).slice(1)}`
}

const limitOf = (query: URLSearchParams): number => {
  const text = query.get("limit")
  if (text === null) return Number.POSITIVE_INFINITY
  if (!/^\d{1,9}$/.test(text)) throw new ControlRefusal("The parameter limit must be a whole number.")
  return Number(text)
}

/** Newest first; `count` counts all matches, whatever the limit (Decisions §9). */
const receipts: Handler = ({ query, simulation }) => {
  for (const name of query.keys()) {
    if (!["requestId", "element", "limit"].includes(name)) throw new ControlRefusal(`The parameter ${name} is not known here.`)
  }
  const limit = limitOf(query)
  const requestId = query.get("requestId")
  const element = query.get("element")
  const found = environmentNames.flatMap((name) => {
    const store = simulation.environments[name].receipts
    const chosen = requestId === null ? store.all() : store.withRequestId(requestId)
    return chosen
      .filter((receipt) => element === null || receipt.element === element)
      .map((receipt) => ({ receipt, name, signed: Date.parse(receipt.signedAt) }))
  })
  const newest = found.toReversed().toSorted((a, b) => b.signed - a.signed).slice(0, limit)
  return jsonAnswer(200, `{"count":${found.length},"receipts":[${newest.map(({ name, receipt }) => receiptJson(name, receipt)).join(",")}]}`)
}

/** One receipt as transferred: the request's bytes and the answer's, as texts. */
const oneReceipt: Handler = async ({ argument, simulation }) => {
  for (const environment of environmentNames) {
    const kept = await simulation.environments[environment].receipts.bodiesOf(argument)
    if (kept === null) continue
    const { answer, request, summary } = kept
    return jsonAnswer(200, `{"receipt":${receiptJson(environment, summary)},"request":${JSON.stringify(request)},"answer":${JSON.stringify(answer)}}`)
  }
  throw new ControlRefusal(`There is no receipt ${argument}.`, 404)
}

/** Everything needed to set up a client, secrets included: it is a simulator's element. */
export const elementJson = (element: Element): Record<string, unknown> => {
  const { notAfter, notBefore, pfx, ...rest } = element
  return {
    ...rest,
    pfxBase64: Buffer.from(pfx).toString("base64"),
    notBefore: new Date(notBefore).toISOString(),
    notAfter: new Date(notAfter).toISOString()
  }
}

const elementNamed = (simulation: Simulation, jid: string): Element => {
  const element = simulation.elements.find(jid)
  if (element === undefined) throw new ControlRefusal(`There is no element ${jid}.`, 404)
  return element
}

const settingsRules = {
  notFoundForm: oneOf(notFoundForms),
  headerForm: oneOf(headerForms),
  pacRefusalStatus: oneOf([400, 401, 403]),
  labelOrder: oneOf(labelOrders),
  internalDataBytes: oneOf([256, 512]),
  paymentDecimals: oneOf([2, 4])
}

const changeSettings: Handler = ({ body, simulation }) => {
  const changes = checkFields(body, settingsRules, []) as Partial<Settings>
  return ok(Object.assign(simulation.settings, changes))
}

const taxRates: Handler = ({ simulation }) => {
  const lists = environmentNames.map((name) => `"${name}":[${simulation.taxRates.all(name).map(taxRateGroupJson).join(",")}]`)
  return jsonAnswer(200, `{${lists.join(",")}}`)
}

const clearFaults = async (simulation: Simulation, id?: number): Promise<Answer> => {
  const cleared = await simulation.faults.clear(id)
  if (id !== undefined && cleared === 0) throw new ControlRefusal(`There is no fault ${id}.`, 404)
  return ok({ cleared })
}

const faultId = (argument: string): number => {
  if (!/^\d{1,9}$/.test(argument)) throw new ControlRefusal("A fault is named by its number.", 404)
  return Number(argument)
}

/** Method and path of every control operation; `*` stands for one segment. */
export const controlRoutes: Readonly<Record<string, Handler>> = {
  "GET /": ({ simulation }) =>
    ok(perEnvironment((name) => ({ url: simulation.environments[name].url, verificationRoot: simulation.environments[name].verificationRoot }))),
  "GET /receipts": receipts,
  "GET /receipts/*": oneReceipt,
  "GET /faults": ({ simulation }) => ok({ faults: simulation.faults.list() }),
  "POST /faults": async ({ body, simulation }) => {
    const order = readFaultOrder(body)
    if (order.element !== undefined) elementNamed(simulation, order.element)
    return created(await simulation.faults.add(order))
  },
  "DELETE /faults": ({ simulation }) => clearFaults(simulation),
  "DELETE /faults/*": ({ argument, simulation }) => clearFaults(simulation, faultId(argument)),
  "GET /elements": ({ simulation }) => ok({ elements: simulation.elements.all().map(elementJson) }),
  "GET /elements/*": ({ argument, simulation }) => ok(elementJson(elementNamed(simulation, argument))),
  "POST /elements": async ({ body, simulation }) => {
    const order = readElementOrder(body)
    if (order.sameKeyAs !== undefined) elementNamed(simulation, order.sameKeyAs)
    return created(elementJson(await simulation.elements.issue(order)))
  },
  "POST /elements/*/revocation": async ({ argument, simulation }) => {
    await simulation.elements.revoke(elementNamed(simulation, argument).jid)
    return ok({ jid: argument, revoked: true })
  },
  "GET /ca": ({ simulation }) =>
    ok(perEnvironment((name) => {
      const { issuingPem, rootPem } = simulation.environments[name].authority
      return { rootPem, issuingPem, chainPem: issuingPem + rootPem }
    })),
  "GET /signers": ({ simulation }) =>
    ok(perEnvironment((name) =>
      simulation.environments[name].signers.map(({ publicKey, uid }) => ({
        uid,
        modulusHex: modulusHex(publicKey),
        publicExponent: 65537,
        publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString()
      }))
    )),
  "GET /tax-rates": taxRates,
  "POST /tax-rates": async ({ body, simulation }) => {
    const { environment, taxCategories, validFrom } = readTaxRateOrder(body)
    return jsonAnswer(201, taxRateGroupJson(await simulation.taxRates.schedule(environment, validFrom, taxCategories)))
  },
  "GET /settings": ({ simulation }) => ok(simulation.settings),
  "PATCH /settings": changeSettings
}
