import { JournalStore, mayBeSentAgain, noFilter, type Operation, readDocument, sendAgain, totalAmount } from "@overa/domain"
import { Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { form } from "../../html/forms.ts"
import { facts, notice, table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { amount, moment } from "../../language/formats.ts"
import { noteAsked } from "../personAct.ts"
import { refusedPage } from "./copyAct.ts"
import { documentId } from "./documentId.ts"
import { refusalSentence } from "./issueForm.ts"
import { kindWords, statusBadge, summaryWords } from "./receiptWords.ts"

const mostOthers = 20

const opened = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = documentId(visit.params["id"])
  return id === null ? yield* new NotFound({}) : yield* readDocument(visit.tenant, id)
})

/** Documents of the same reference of the shop: it may have issued the same sale under another key meanwhile. */
const othersOf = Effect.fnUntraced(function*(visit: MemberVisit, { content: { clientReference }, id, taxpayerId }: Operation) {
  const { items } = yield* (yield* JournalStore).page(visit.tenant, { ...noFilter, taxpayerId, clientReference }, { cursor: null, pageSize: mostOthers })
  return items.filter((other) => other.id !== id)
})

const othersHtml = ({ say }: MemberVisit, others: ReadonlyArray<Operation>): Html =>
  others.length === 0 ? null : all(
    notice("wait", el("p", {}, say("Са истом ознаком постоје и ови документи. Ако је исто већ издато, не шаљите поново.", "These documents have the same reference. If the same was issued already, do not send it again."))),
    table(
      [say("Време", "Time"), say("Врста", "Kind"), say("Број", "Number"), say("Износ, RSD", "Amount, RSD"), say("Стање", "Status")],
      others.map((other) => [moment(other.createdAt), kindWords(say, other), el("a", { href: `/receipts/${other.id}` }, other.answer?.pfr.invoiceNumber ?? say("без броја", "no number")), amount(totalAmount(other.content.items)), statusBadge(say, other.status)]),
      { caption: say("Документи са истом ознаком", "Documents with the same reference"), empty: "–", numbers: [3] }
    )
  )

const ask = Effect.fnUntraced(function*(visit: MemberVisit) {
  const document = yield* opened(visit)
  const { content, id } = document
  if (!mayBeSentAgain(document)) return redirect(`/receipts/${id}`)
  const { say } = visit
  const title = say("Пошаљи поново", "Send it again")
  return page(title, el(
    "div",
    { class: "card" },
    el("h1", {}, title),
    el("p", {}, summaryWords(say, document)),
    facts([[say("Врста", "Kind"), kindWords(say, document)], [say("Износ", "Amount"), `${amount(totalAmount(content.items))} RSD`], [say("Ознака продавнице", "Shop's reference"), content.clientReference]]),
    othersHtml(visit, yield* othersOf(visit, document)),
    el("p", {}, say("Шаље се исти документ под истим кључем: не може да настане други рачун.", "The same document is sent under the same key: no second receipt can come of it.")),
    form(visit, { action: `/receipts/${id}/again`, submit: title }),
    el("p", {}, el("a", { href: `/receipts/${id}` }, say("Назад на документ", "Back to the document")))
  ))
})

const send = Effect.fnUntraced(function*(visit: MemberVisit) {
  const document = yield* opened(visit)
  const { id, status } = document
  if (!mayBeSentAgain(document)) return redirect(`/receipts/${id}`)
  yield* noteAsked(visit, "document sent again", id, { statusBefore: status })
  // A browser leaves the first of two submits: what the person asked for is carried out.
  yield* sendAgain(visit.tenant, id, { clientId: visit.actor, callerGone: new AbortController().signal })
  return redirect(`/receipts/${id}`)
}, (effect, visit) =>
  Effect.catchIf(
    effect,
    (error) => refusalSentence(visit, error) !== null && (error as { readonly _tag?: string })._tag !== "FiscalDocumentNotFound",
    (error) => Effect.succeed(refusedPage(visit, `/receipts/${visit.params["id"] ?? ""}`, refusalSentence(visit, error) ?? ""))
  ))

/** Sending a document again that was not signed, whoever asked for it first. */
export const againRoutes = [
  memberRoute("GET", "/receipts/:id/again", "receipts:issue", ask),
  memberRoute("POST", "/receipts/:id/again", "receipts:issue", send)
]
