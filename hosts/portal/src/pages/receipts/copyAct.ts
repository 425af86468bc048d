import { decodeCopyRequest, issueCopy, type Operation, readDocument } from "@overa/domain"
import { Effect } from "effect"
import { all, el } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary, form } from "../../html/forms.ts"
import { notice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { cashierFaults, cashierField, keepCashier, readCashier } from "./cashier.ts"
import { hasFormId, keyedRequestOf, refusalSentence } from "./issueForm.ts"
import { documentId } from "./documentId.ts"

/** The page for a document that was refused. */
export const refusedPage = (visit: MemberVisit, back: string, sentence: string) => {
  const title = visit.say("Није издато", "Not issued")
  return page(title, [el("h1", {}, title), notice("bad", el("p", {}, sentence)), el("p", {}, el("a", { href: back }, visit.say("Назад на рачун", "Back to the receipt")))], 422)
}

const askPage = (visit: MemberVisit, source: Operation, faults: Faults = {}) => {
  const { say } = visit
  const title = say("Издај копију", "Issue a copy")
  const content = all(
    el("h1", {}, title),
    el("p", {}, el("a", { href: `/receipts/${source.id}` }, source.answer?.pfr.invoiceNumber ?? source.id)),
    faultSummary(visit, faults),
    form(visit, { action: `/receipts/${source.id}/copy`, submit: title }, cashierField(visit, faults))
  )
  return page(title, el("div", { class: "card narrow" }, content), faultStatus(faults))
}

const opened = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = documentId(visit.params["id"])
  return id === null ? yield* new NotFound({}) : yield* readDocument(visit.tenant, id)
})

const copy = Effect.fnUntraced(function*(visit: MemberVisit) {
  const source = yield* opened(visit)
  if (!hasFormId(visit)) return yield* new NotFound({})
  const cashier = readCashier(visit)
  if (cashier === null) return askPage(visit, source, cashierFaults(visit))
  yield* keepCashier(visit, cashier)
  const body = { cashier: { id: cashier } }
  const decoded = yield* Effect.fromResult(decodeCopyRequest(body))
  const issued = yield* issueCopy(keyedRequestOf(visit, `POST /v1/fiscal-documents/${source.id}/copies`, body), source.id, decoded)
  return redirect(`/receipts/${issued.operation.id}${issued.operation.status === "FISCALIZED" ? "?done=copy-issued" : ""}`)
}, (effect, visit) =>
  Effect.catchIf(
    effect,
    (error) => refusalSentence(visit, error) !== null && !("fiscalDocumentId" in (error as object)),
    (error) => Effect.succeed(refusedPage(visit, `/receipts/${visit.params["id"] ?? ""}`, refusalSentence(visit, error) ?? ""))
  ))

/** Issuing a copy. */
export const copyRoutes = [
  memberRoute("GET", "/receipts/:id/copy", "receipts:issue", (visit) => Effect.map(opened(visit), (source) => askPage(visit, source))),
  memberRoute("POST", "/receipts/:id/copy", "receipts:issue", copy)
]
