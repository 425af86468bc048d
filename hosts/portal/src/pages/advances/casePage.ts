import { type AdvanceMutation, advanceSales, caseDocuments, caseProgressOf, latestAdvance, mayBegin, type Operation, type StoredAdvanceCase, totalAmount } from "@overa/domain"
import { Effect, Result } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { card, facts, table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount, moment } from "../../language/formats.ts"
import { paidInAdvance } from "../issue/askedDocument.ts"
import { premiseNames } from "../premiseNames.ts"
import { kindWords, statusBadge } from "../receipts/receiptWords.ts"
import { stateBadge, stateOf, stateSays } from "./caseWords.ts"
import { namedCase } from "./namedCase.ts"

/** Whether the act may begin now, by the same table that decides when it is sent. */
const may = ({ documents }: StoredAdvanceCase, mutation: AdvanceMutation): boolean => Result.isSuccess(mayBegin(caseProgressOf(caseDocuments(documents)), mutation))

const hasAdvance = ({ documents }: StoredAdvanceCase): boolean => latestAdvance(advanceSales(caseDocuments(documents))) !== null

const actsHtml = (visit: MemberVisit, stored: StoredAdvanceCase): Html => {
  if (!visit.may("receipts:issue")) return null
  const { id } = stored.opened
  const button = (part: string, words: string) => el("a", { class: "button", href: `/advances/${id}/${part}` }, words)
  const { say } = visit
  const isClosable = hasAdvance(stored) || stored.opened.externalAdvance !== null
  return el(
    "div",
    { class: "actions" },
    may(stored, "PAYMENT") ? button("payment", say("Следећа уплата", "Another payment")) : null,
    may(stored, "CLOSING") && isClosable ? button("closing", say("Затвори коначним рачуном", "Close with the final receipt")) : null,
    may(stored, "CANCELLATION") && hasAdvance(stored) ? button("refund", say("Врати последњу уплату", "Give the latest payment back")) : null
  )
}

const documentsHtml = ({ say }: MemberVisit, documents: ReadonlyArray<Operation>): Html =>
  table(
    [say("Време", "Time"), say("Број", "Number"), say("Врста", "Kind"), say("Износ, RSD", "Amount, RSD"), say("Стање", "Status")],
    documents.map((document) => [
      moment(document.createdAt),
      el("a", { href: `/receipts/${document.id}` }, document.answer?.pfr.invoiceNumber ?? say("без броја", "no number")),
      kindWords(say, document),
      amount(totalAmount(document.content.items)),
      statusBadge(say, document.status)
    ]),
    { caption: say("Документи аванса", "Documents of the advance"), empty: say("Још нема докумената: ниједна уплата није издата.", "There are no documents yet: no payment was issued."), numbers: [3], whole: [0, 1] }
  )

/** One advance: what was paid, its documents, and what can be done now. */
export const showCase = Effect.fnUntraced(function*(visit: MemberVisit) {
  const stored = yield* namedCase(visit)
  const { say } = visit
  const { businessPremiseId, buyer, clientReference, createdAt, externalAdvance } = stored.opened
  const state = stateOf(stored)
  const premise = (yield* premiseNames(visit)).get(businessPremiseId) ?? businessPremiseId
  const title = `${say("Аванс", "Advance")} ${clientReference}`
  return page(title, all(
    el("h1", {}, title),
    el("p", {}, stateBadge(say, state), " ", stateSays(say, state)),
    actsHtml(visit, stored),
    card(say("Подаци", "Details"), facts([
      [say("Уплаћено", "Paid so far"), el("strong", {}, `${amount(paidInAdvance(stored))} RSD`)],
      ...(externalAdvance === null ? [] : [[say("Од тога другим програмом", "Of it with another program"), `${amount(externalAdvance.amount)} RSD (${externalAdvance.documentNumber})`] as const]),
      [say("Купац", "Buyer"), buyer?.id ?? "–"],
      [say("Пословни простор", "Premise"), premise],
      [say("Отворен", "Opened"), moment(createdAt)]
    ])),
    card(say("Документи", "Documents"), documentsHtml(visit, stored.documents))
  ))
})
