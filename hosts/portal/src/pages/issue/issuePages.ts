import { type Product, ProductStore } from "@overa/domain"
import { Effect, Option } from "effect"
import { el, type Html } from "../../html/el.ts"
import { notice } from "../../html/parts.ts"
import type { Form } from "../../http/Form.ts"
import type { Route } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { namedCase } from "../advances/namedCase.ts"
import { ownTaxpayers } from "../catalogue/ownTaxpayers.ts"
import { lookUpBuyer } from "../drafts/buyer.ts"
import type { DraftKind, Pressed } from "../drafts/DraftKind.ts"
import { draftRoutes } from "../drafts/draftPages.ts"
import { documentId } from "../receipts/documentId.ts"
import { readDocument, taxpayerOf } from "./askedDocument.ts"
import { changedEntries, type Found } from "./changedEntries.ts"
import { entriesHtml } from "./issueForm.ts"
import { type IssueSubject, type Purpose, startOf, type TypedDocument, typedIn } from "./typedDocument.ts"

/** Products of the taxpayer whose premise is chosen. */
const findProducts = Effect.fnUntraced(function*(visit: MemberVisit, subject: IssueSubject, typed: TypedDocument, text: string) {
  const taxpayerId = taxpayerOf(subject, typed)
  if (taxpayerId === null) return []
  const found = yield* (yield* ProductStore).page(visit.tenant, { taxpayerId, search: text, isActive: true }, null, 20)
  const products: ReadonlyArray<Product> = Option.match(found, { onNone: () => [], onSome: ({ items }) => items })
  const exact = products.filter(({ gtin, sku }) => gtin === text || sku === text)
  return exact.length === 1 ? exact : products
})

const productOf = Effect.fnUntraced(function*(visit: MemberVisit, id: string) {
  const product = documentId(id) === null ? null : Option.getOrNull(yield* (yield* ProductStore).get(visit.tenant, id as Product["id"]))
  return product === null ? [] : [product]
})

/** What the pressed button looks up in the catalogue. */
const foundBy = Effect.fnUntraced(function*(visit: MemberVisit, form: Form, typed: TypedDocument, subject: IssueSubject) {
  if (form.text("add") !== "") return { text: "", products: yield* productOf(visit, form.text("add")) } satisfies Found
  const text = form.text("find")
  return form.text("act") === "find" && text !== "" ? { text, products: yield* findProducts(visit, subject, typed, text) } satisfies Found : null
})

const pressed = Effect.fnUntraced(function*(visit: MemberVisit, form: Form, typed: TypedDocument, subject: IssueSubject) {
  const products = yield* foundBy(visit, form, typed, subject)
  const { buyer, looked } = yield* lookUpBuyer(visit, form, typed.buyer)
  const after: Pressed<TypedDocument> = { typed: { ...changedEntries(typed, form, products), buyer }, looked: { ...looked, products } }
  return after
})

const titles: Readonly<Record<Purpose, readonly [string, string]>> = {
  NEW: ["Издај рачун", "Issue a receipt"],
  PAYMENT: ["Следећа уплата аванса", "Another payment of the advance"],
  CLOSING: ["Затвори аванс коначним рачуном", "Close the advance with the final receipt"]
}

const newWords = ({ say }: MemberVisit, { kind }: TypedDocument): string => {
  if (kind === "ADVANCE") return say("Издај авансни рачун", "Issue the advance receipt")
  if (kind === "PROFORMA") return say("Издај предрачун", "Issue the proforma")
  return kind === "TRAINING" ? say("Издај рачун обуке", "Issue the training document") : say("Издај рачун", "Issue the receipt")
}

const issueWords = (visit: MemberVisit, typed: TypedDocument, purpose: Purpose): string => {
  if (purpose === "NEW") return newWords(visit, typed)
  return purpose === "PAYMENT" ? visit.say("Издај авансни рачун", "Issue the advance receipt") : visit.say("Затвори аванс", "Close the advance")
}

const nobodyIssues = ({ say }: MemberVisit): Html =>
  notice("wait", el("p", {}, say("У овом окружењу још нема обвезника. ", "There is no taxpayer in this environment yet. "), el("a", { href: "/setup" }, say("Отвори подешавања", "Open the setup"))))

const kindFor = (purpose: Purpose, route: string): DraftKind<IssueSubject, TypedDocument> => ({
  route,
  title: ({ say }) => say(...titles[purpose]),
  subject: Effect.fnUntraced(function*(visit: MemberVisit) {
    const subject: IssueSubject = { purpose, stored: visit.params["case"] === undefined ? null : yield* namedCase(visit), entries: yield* ownTaxpayers(visit) }
    return subject
  }),
  start: ({ query }, draft, subject, source) => startOf({ draft, kind: query.get("kind") }, subject, source),
  typedIn,
  pressed,
  read: readDocument,
  entries: entriesHtml,
  issueWords: (visit, typed) => issueWords(visit, typed, purpose),
  nothing: (visit, { entries }) => entries.length === 0 ? nobodyIssues(visit) : null
})

/** Issuing a document by hand: the address names the draft, and behind an advance the advance. */
export const issueRoutes: ReadonlyArray<Route> = draftRoutes(kindFor("NEW", "/issue/:draft"))

/** Further documents of an advance, by the same form. */
export const advanceDocumentRoutes: ReadonlyArray<Route> = [
  ...draftRoutes(kindFor("PAYMENT", "/advances/:case/payment/:draft")),
  ...draftRoutes(kindFor("CLOSING", "/advances/:case/closing/:draft"))
]
