import { decodeCopyRequest, issueCopy } from "@overa/domain"
import { Effect } from "effect"
import { el } from "../../html/el.ts"
import { notice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { cashierOf, hasFormId, keyedRequestOf, refusalSentence } from "./issueForm.ts"
import { documentId } from "./receiptsPage.ts"

/** The page for a document that was refused. */
export const refusedPage = (visit: MemberVisit, back: string, sentence: string) => {
  const title = visit.say("Није издато", "Not issued")
  return page(title, [el("h1", {}, title), notice("bad", el("p", {}, sentence)), el("p", {}, el("a", { href: back }, visit.say("Назад на рачун", "Back to the receipt")))], 422)
}

const copy = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = documentId(visit.params["id"])
  if (id === null || !hasFormId(visit)) return yield* new NotFound({})
  const body = { cashier: cashierOf(visit) }
  const decoded = yield* Effect.fromResult(decodeCopyRequest(body))
  const issued = yield* issueCopy(keyedRequestOf(visit, `POST /v1/fiscal-documents/${id}/copies`, body), id, decoded)
  return redirect(`/receipts/${issued.operation.id}${issued.operation.status === "FISCALIZED" ? "?done=copy-issued" : ""}`)
}, (effect, visit) =>
  Effect.catchIf(
    effect,
    (error) => refusalSentence(visit, error) !== null && !("fiscalDocumentId" in (error as object)),
    (error) => Effect.succeed(refusedPage(visit, `/receipts/${visit.params["id"] ?? ""}`, refusalSentence(visit, error) ?? ""))
  ))

/** Issuing a copy. */
export const copyRoutes = [memberRoute("POST", "/receipts/:id/copy", "receipts:issue", copy)]
