import { type DocumentTree, type Operation, readRelated, totalAmount } from "@overa/domain"
import { Effect } from "effect"
import { el, type Html } from "../../html/el.ts"
import { card } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount, day } from "../../language/formats.ts"
import { kindWords, statusBadge } from "./receiptWords.ts"

/** The copy of a cash refund that the customer signs; a copy that somebody requested belongs to no workflow. */
const isForSignature = ({ content, status, workflow }: Operation): boolean => content.invoiceType === "COPY" && workflow !== null && status === "FISCALIZED"

const toSign = ({ say }: MemberVisit, { id }: Operation): Html =>
  el("span", {}, say("Копија за потпис купца: ", "Copy for the customer's signature: "), el("a", { href: `/receipts/${id}/paper/pdf-a4` }, say("штампај", "print")))

const node = (visit: MemberVisit, document: Operation, isThis: boolean): Html => {
  const { say } = visit
  const name = document.answer?.pfr.invoiceNumber ?? say("без броја", "no number")
  return el(
    "div",
    { class: isThis ? "node this" : "node" },
    isThis ? el("strong", { "aria-current": "true" }, name) : el("a", { href: `/receipts/${document.id}` }, name),
    el("span", {}, `${kindWords(say, document)} · ${amount(totalAmount(document.content.items))} RSD · ${day(document.createdAt)}`),
    statusBadge(say, document.status),
    isForSignature(document) ? toSign(visit, document) : null
  )
}

const branches = (visit: MemberVisit, trees: ReadonlyArray<DocumentTree>, here: Operation): Html =>
  el("ul", { class: "tree" }, trees.map(({ document, followers }) =>
    el("li", {}, node(visit, document, document.id === here.id), followers.length === 0 ? null : branches(visit, followers, here))))

/** What the document refers to and what refers to it, drawn as a tree of links; null where there is neither. */
export const chainHtml = Effect.fnUntraced(function*(visit: MemberVisit, operation: Operation) {
  const trees = yield* readRelated(operation)
  const isAlone = operation.workflow?.type !== "ADVANCE" && trees.length === 1 && trees[0]?.followers.length === 0
  const { reference } = operation.content
  const external = reference !== null && reference.fiscalDocumentId === null
    ? el("p", {}, visit.say("Односи се на рачун другог програма: ", "Refers to a receipt of another program: "), reference.pfrNumber)
    : null
  if (isAlone) return external === null ? null : card(visit.say("Повезани рачуни", "Related receipts"), external)
  const title = operation.workflow?.type === "ADVANCE" ? visit.say("Цео авансни случај", "The whole advance case") : visit.say("Повезани рачуни", "Related receipts")
  const whole = operation.workflow?.type === "ADVANCE" ? el("p", {}, el("a", { href: `/advances/${operation.workflow.id}` }, visit.say("Отвори аванс", "Open the advance"))) : null
  return card(title, whole, external, branches(visit, trees, operation))
})
