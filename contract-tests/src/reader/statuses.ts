import { setTimeout as wait } from "node:timers/promises"
import type { Sentence } from "../sentences/readSentences.ts"
import { type Answer, newKey } from "./Deployment.ts"
import { type Finding, finding, same } from "./Finding.ts"
import { type Ground, refundOf, saleOf } from "./sale.ts"

const sales = "/v1/fiscal-documents"
const refunds = "/v1/refund-workflows"

const rejecting = { fault: "reject", times: 1, modelState: [{ property: "items[0].name", errors: ["2801"] }] }
const unreachable = { fault: "refuse-connection" }
const lost = [{ fault: "sign-then-reset", times: 1 }, { fault: "search-unavailable" }] as const

/** What puts a document into a status; null where it only passes through it. */
const causes: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>> = {
  FISCALIZED: [], REJECTED: [rejecting], NOT_FISCALIZED: [unreachable], OUTCOME_UNKNOWN: lost
}

const statusOf = ({ json, status }: Answer) => [status, json?.status, json?.fiscalized, json?.retryable]

/** `201, 200 on replay` */
const httpOf = (text: string): ReadonlyArray<number> => [...text.matchAll(/\d{3}/g)].map(([code]) => Number(code))

/** The table of document statuses: HTTP, fiscalized and retryable as its cells say; then the transitions that begin there. */
export const documentStatuses = async (ground: Ground, sentences: ReadonlyArray<Sentence>): Promise<ReadonlyArray<Finding>> => {
  const { deployment } = ground
  const rows = sentences.filter(({ cells }) => cells?.["Status"] !== undefined && cells["fiscalized"] !== undefined)
  const findings: Array<Finding> = []
  for (const { cells, text } of rows) {
    const name = cells?.["Status"] ?? ""
    const cause = causes[name]
    if (cause === undefined) continue
    await deployment.far(...cause)
    const [key, body] = [newKey(), saleOf(ground)]
    const answer = await deployment.issue(sales, body, key)
    const [first, again] = httpOf(cells?.["HTTP"] ?? "")
    const judged = [...same("the answer", statusOf(answer), [first, name, cells?.["fiscalized"] === "true", cells?.["retryable"]?.startsWith("true")])]
    if (name === "OUTCOME_UNKNOWN") judged.push(...same("the same key while it is unknown", statusOf(await deployment.issue(sales, body, key)).slice(0, 2), [503, name]))
    await deployment.far()
    if (again !== undefined) judged.push(...same("its replay", (await deployment.issue(sales, body, key)).status, again))
    if (name === "NOT_FISCALIZED") judged.push(...same("the same key", statusOf(await deployment.issue(sales, body, key)).slice(0, 2), [201, "FISCALIZED"]))
    if (name === "REJECTED") judged.push(...same("the fields on a single read", (await deployment.ask("GET", `${sales}/${answer.json.id}`)).json.pfrRejection, { items: [{ property: "items[0].name", codes: ["2801"] }] }))
    if (name === "OUTCOME_UNKNOWN") judged.push(...same("found in the end", await foundLater(ground, answer.json.id), "FISCALIZED"))
    findings.push(finding(text, judged))
  }
  return findings
}

const foundLater = async ({ deployment }: Ground, id: string): Promise<string> => {
  for (let look = 0; look < 100; look++) {
    const { json } = await deployment.ask("GET", `/v1/operations/${id}`)
    if (json.status === "FISCALIZED") return json.status
    await wait(300)
  }
  return "nothing within 30 s"
}

const secondOnly = { times: 1, probability: 0.5, seed: 1 }

/** What puts a refund workflow into a status; a cash refund's copy is the second document. */
const refundCauses: Readonly<Record<string, readonly [type: "CARD" | "CASH", ...faults: ReadonlyArray<Readonly<Record<string, unknown>>>]>> = {
  COMPLETED: ["CASH"],
  REFUND_OUTCOME_UNKNOWN: ["CARD", ...lost],
  COPY_PENDING: ["CASH", { fault: "reject", modelState: [{ property: "items[0].name", errors: ["2801"] }], ...secondOnly }],
  COPY_OUTCOME_UNKNOWN: ["CASH", { fault: "sign-then-reset", ...secondOnly }, { fault: "search-unavailable" }],
  FAILED: ["CARD", rejecting]
}

/** The table of refund workflow statuses. */
export const refundStatuses = async (ground: Ground, sentences: ReadonlyArray<Sentence>): Promise<ReadonlyArray<Finding>> => {
  const { deployment } = ground
  const rows = sentences.filter(({ cells }) => cells?.["What the caller does"] !== undefined)
  const findings: Array<Finding> = []
  for (const { cells, text } of rows) {
    const name = cells?.["Status"] ?? ""
    const [type, ...faults] = refundCauses[name] ?? []
    if (type === undefined) continue
    await deployment.far()
    const sold = await deployment.issue(sales, saleOf(ground))
    const [key, body] = [newKey(), refundOf(ground, sold.json.id, "1", "100.00", type)]
    await deployment.far(...faults)
    const answer = await deployment.issue(refunds, body, key)
    const [http = 422] = httpOf(cells?.["HTTP"] ?? "")
    const judged = [...same("the answer", [answer.status, answer.json?.status], [http, name])]
    if (name === "FAILED") judged.push(...same("a replay", [(await deployment.issue(refunds, body, key)).json.status, answer.json.failureCode], ["FAILED", "PFR_VALIDATION_REJECTED"]))
    if (name.startsWith("COPY_")) judged.push(...same("the refund is already valid", answer.json.refund.fiscalized, true))
    if (name === "COMPLETED") judged.push(...same("the copy", [answer.json.cashRefundCopy.invoiceType, answer.json.cashRefundCopy.transactionType, answer.json.cashRefundCopy.idempotencyKey], ["COPY", "REFUND", `${key}:copy`]))
    await deployment.far()
    if (name === "REFUND_OUTCOME_UNKNOWN") judged.push(...same("found in the end", await foundLater(ground, answer.json.refund.id), "FISCALIZED"))
    findings.push(finding(text, judged))
  }
  return findings
}
