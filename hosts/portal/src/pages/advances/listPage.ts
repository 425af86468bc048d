import { type AskedCases, anyTime, cursorBinding, decodeJournalCursor, encodeJournalCursor, listAdvanceCases, type StoredAdvanceCase } from "@overa/domain"
import { Effect, Option } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, field } from "../../html/forms.ts"
import { table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount, day } from "../../language/formats.ts"
import { paidInAdvance } from "../issue/askedDocument.ts"
import { caseStates, stateBadge, stateName, stateOf } from "./caseWords.ts"

const perPage = 25

const askedCases = ({ query }: MemberVisit): AskedCases => {
  const clientReference = (query.get("reference") ?? "").trim()
  const states = caseStates.filter((state) => state === query.get("state"))
  return {
    filter: { taxpayerId: null, businessPremiseId: null, clientReference: clientReference === "" ? null : clientReference, created: anyTime },
    documents: null,
    states: states.length === 0 ? null : states
  }
}

const filterHtml = ({ query, say }: MemberVisit): Html =>
  el(
    "form",
    { method: "get", action: "/advances", class: "filter", role: "search" },
    field({ name: "reference", label: say("Ознака, цела", "Reference, whole"), type: "search", value: query.get("reference") ?? "" }),
    choice({ name: "state", label: say("Стање", "State"), value: query.get("state") ?? "", options: [["", say("свако", "any")], ...caseStates.map((state) => [state, stateName(say, state)] as const)] }),
    el("button", { type: "submit", class: "main" }, say("Прикажи", "Show"))
  )

const row = ({ say }: MemberVisit, stored: StoredAdvanceCase): ReadonlyArray<Html> => {
  const { buyer, clientReference, createdAt, id } = stored.opened
  return [day(createdAt), el("a", { href: `/advances/${id}` }, clientReference), buyer?.id ?? "–", amount(paidInAdvance(stored)), stateBadge(say, stateOf(stored))]
}

/** The advances of the environment, latest first. */
export const showCases = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const asked = askedCases(visit)
  const binding = cursorBinding(visit.tenant, { cases: asked })
  const cursor = Option.getOrNull(decodeJournalCursor(visit.query.get("after") ?? "", binding))
  const { items, nextCursor } = yield* listAdvanceCases(visit.tenant, asked, { cursor, pageSize: perPage })
  const title = say("Аванси", "Advances")
  const next = new URLSearchParams(visit.query)
  if (nextCursor !== null) next.set("after", encodeJournalCursor(nextCursor, binding))
  return page(title, all(
    el("h1", {}, title),
    visit.may("receipts:issue") ? el("p", { class: "actions" }, el("a", { class: "button", href: "/issue?kind=ADVANCE" }, say("Прими аванс", "Take an advance"))) : null,
    filterHtml(visit),
    table(
      [say("Отворен", "Opened"), say("Ознака", "Reference"), say("Купац", "Buyer"), say("Уплаћено, RSD", "Paid so far, RSD"), say("Стање", "State")],
      items.map((stored) => row(visit, stored)),
      { caption: say("Аванси, најновији први", "Advances, newest first"), empty: say("Нема таквих аванса.", "There are no such advances."), numbers: [3], whole: [0] }
    ),
    nextCursor === null ? null : el("p", {}, el("a", { href: `/advances?${next.toString()}` }, say("Старији", "Older")))
  ))
})
