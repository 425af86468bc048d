import { decodeReceiptDeliveryRequest, type Operation, readDocument, requestDelivery } from "@overa/domain"
import { Effect } from "effect"
import { all, el } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary, field, form } from "../../html/forms.ts"
import { notice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { hasFormId, keyedRequestOf, refusalSentence } from "./issueForm.ts"
import { documentId } from "./documentId.ts"

const askPage = (visit: MemberVisit, receipt: Operation, faults: Faults = {}) => {
  const { say } = visit
  const title = say("Пошаљи рачун е-поштом", "Send the receipt by e-mail")
  const content = all(
    el("h1", {}, title),
    el("p", {}, el("a", { href: `/receipts/${receipt.id}` }, receipt.answer?.pfr.invoiceNumber ?? receipt.id)),
    faults["refused"] === undefined ? faultSummary(visit, faults) : notice("bad", el("p", {}, faults["refused"])),
    form(
      visit,
      { action: `/receipts/${receipt.id}/send`, submit: say("Пошаљи", "Send") },
      field({ name: "recipient", label: say("Адреса купца", "The buyer's address"), type: "email", autocomplete: "off", required: true, value: visit.form?.text("recipient") ?? "", fault: faults["recipient"] })
    )
  )
  return page(title, el("div", { class: "card narrow" }, content), faultStatus(faults))
}

const opened = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = documentId(visit.params["id"])
  return id === null ? yield* new NotFound({}) : yield* readDocument(visit.tenant, id)
})

const send = Effect.fnUntraced(function*(visit: MemberVisit) {
  const receipt = yield* opened(visit)
  if (!hasFormId(visit)) return yield* new NotFound({})
  const body = { fiscalDocumentId: receipt.id, recipient: visit.form?.text("recipient") ?? "" }
  const asked = yield* Effect.fromResult(decodeReceiptDeliveryRequest(body))
  yield* requestDelivery(keyedRequestOf(visit, "POST /v1/receipt-deliveries", body), asked)
  return redirect(`/receipts/${receipt.id}?done=queued`)
})

const refused = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults) {
  return askPage(visit, yield* opened(visit), faults)
})

const faultsOf = (visit: MemberVisit, error: unknown): Faults | null => {
  const { _tag } = error as { readonly _tag?: string }
  if (_tag === "RequestFaults") {
    return { recipient: visit.say("Унесите исправну адресу којој овај рачун није већ више пута послат.", "Enter an address that this receipt was not sent to many times already.") }
  }
  const sentence = _tag === "FiscalDocumentNotFound" ? null : refusalSentence(visit, error)
  return sentence === null ? null : { refused: sentence }
}

const sendOrSay = (visit: MemberVisit) =>
  Effect.catchIf(send(visit), (error) => faultsOf(visit, error) !== null, (error) => refused(visit, faultsOf(visit, error) ?? {}))

/** Sending a receipt to its buyer: queued here, sent by the worker. */
export const sendRoutes = [
  memberRoute("GET", "/receipts/:id/send", "receipts:send", (visit) => Effect.map(opened(visit), (receipt) => askPage(visit, receipt))),
  memberRoute("POST", "/receipts/:id/send", "receipts:send", sendOrSay)
]
