import {
  type BuyerDetails, CompanyRegister, dryRunFiscalDocument, dryRunProformaTraining, isDocument, issueNormalSale, issueProformaTraining, OperationStore, type Product,
  ProductStore, registerTaxIdentifier, type TaxpayerEntry
} from "@overa/domain"
import { sha256 } from "@overa/host-kit"
import { Effect, Option } from "effect"
import { randomUUID } from "node:crypto"
import { assets } from "../../assets/assets.ts"
import { el, type Html } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary } from "../../html/forms.ts"
import { notice } from "../../html/parts.ts"
import type { Form } from "../../http/Form.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { ownTaxpayers } from "../catalogue/ownTaxpayers.ts"
import { keepCashier, readCashier } from "../receipts/cashier.ts"
import { documentId } from "../receipts/documentId.ts"
import { keyOfForm, keyedRequestOf, refusalSentence } from "../receipts/issueForm.ts"
import { pageContent, type Preview, type Shown } from "./issueForm.ts"
import { changedEntries, type Found } from "./changedEntries.ts"
import { type Asked, buyerIdOf, emptyLine, isAsked, readDocument, readTyped, type TypedDocument } from "./typedDocument.ts"

/** The draft that the address names: its id is the key of the one document that it may become (docs/adr/0301). */
const draftOf = (visit: MemberVisit): Effect.Effect<string, NotFound> => {
  const id = documentId(visit.params["draft"])
  return id === null ? new NotFound({}) : Effect.succeed(id)
}

/** The document that this draft has become, whatever its status: it can never become another one. */
const becomeOf = Effect.fnUntraced(function*(visit: MemberVisit, draft: string) {
  const found = Option.getOrNull(yield* (yield* OperationStore).findByKey({ organizationId: visit.organizationId, role: "REQUEST", key: keyOfForm(draft) }))
  return found !== null && isDocument(found) ? found.id : null
})

const targets = { Sale: "POST /v1/fiscal-documents", ProformaTraining: "POST /v1/proforma-training-workflows" } as const

const requestOf = (visit: MemberVisit, draft: string, asked: Asked) => keyedRequestOf(visit, targets[asked._tag], asked.body, draft)

/** Names the document of a draft: target and canonical body. */
const seenOf = (visit: MemberVisit, draft: string, asked: Asked): string => sha256(requestOf(visit, draft, asked).boundKey.fingerprint.digest)

const tried = (visit: MemberVisit, draft: string, asked: Asked) =>
  asked._tag === "Sale" ? dryRunFiscalDocument(visit.tenant, asked.decoded) : dryRunProformaTraining(requestOf(visit, draft, asked), asked.decoded)

type Judged = Pick<Shown, "preview" | "refusal">

/** The preview, or why there is none: the checks of issuing itself, so the two cannot differ. */
const judged = Effect.fnUntraced(function*(visit: MemberVisit, draft: string, asked: Asked) {
  const { journalPreview, totalAmount } = yield* tried(visit, draft, asked)
  const preview: Preview = { total: totalAmount, journal: journalPreview, seen: seenOf(visit, draft, asked) }
  const result: Judged = { preview, refusal: null }
  return result
}, (effect, visit) =>
  Effect.catchIf(effect, (error) => refusalSentence(visit, error) !== null, (error) => Effect.succeed<Judged>({ preview: null, refusal: refusalSentence(visit, error) })))

/** A moment for the register; without its answer the page is shown without the name. */
const buyerOf = Effect.fnUntraced(function*(typed: TypedDocument) {
  const identifier = registerTaxIdentifier(buyerIdOf(typed.buyer))
  if (Option.isNone(identifier)) return null
  const found = yield* Effect.timeoutOption((yield* CompanyRegister).lookup(identifier.value), "1 second")
  const buyer: BuyerDetails | null = Option.getOrNull(Option.flatten(found))
  return buyer
})

const nobodyIssues = (visit: MemberVisit): Html =>
  notice("wait", el("p", {}, visit.say("У овом окружењу још нема обвезника. ", "There is no taxpayer in this environment yet. "), el("a", { href: "/setup" }, visit.say("Отвори подешавања", "Open the setup"))))

const shownPage = (visit: MemberVisit, shown: Shown) => {
  const title = visit.say("Издај рачун", "Issue a receipt")
  const content = shown.entries.length === 0 ? [el("h1", {}, title), nobodyIssues(visit)] : pageContent(visit, title, faultSummary(visit, shown.faults), shown)
  return page(title, content, shown.refusal === null ? faultStatus(shown.faults) : 422, [assets.issue])
}

const nothingTyped = (draft: string, [first]: ReadonlyArray<TaxpayerEntry>): TypedDocument => ({
  kind: "NORMAL",
  premise: first?.premises[0]?.id ?? "",
  reference: `P-${draft.slice(0, 8)}`,
  buyer: "",
  lines: [emptyLine],
  payments: [{ type: "CARD", amount: "" }]
})

const open = Effect.fnUntraced(function*(visit: MemberVisit) {
  const draft = yield* draftOf(visit)
  const become = yield* becomeOf(visit, draft)
  if (become !== null) return redirect(`/receipts/${become}`)
  const entries = yield* ownTaxpayers(visit)
  const typed = visit.kept === null ? nothingTyped(draft, entries) : readTyped(visit.kept)
  return shownPage(visit, { draft, typed, entries, faults: {}, preview: null, refusal: null, found: null, buyer: null, changed: false })
})

/** Products of the taxpayer whose premise is chosen. */
const findProducts = Effect.fnUntraced(function*(visit: MemberVisit, { premise }: TypedDocument, entries: ReadonlyArray<TaxpayerEntry>, text: string) {
  const taxpayer = entries.find(({ premises }) => premises.some(({ id }) => id === premise))?.taxpayer
  if (taxpayer === undefined) return []
  const found = yield* (yield* ProductStore).page(visit.tenant, { taxpayerId: taxpayer.id, search: text, isActive: true }, null, 20)
  const products: ReadonlyArray<Product> = Option.match(found, { onNone: () => [], onSome: ({ items }) => items })
  const exact = products.filter(({ gtin, sku }) => gtin === text || sku === text)
  return exact.length === 1 ? exact : products
})

const productOf = Effect.fnUntraced(function*(visit: MemberVisit, id: string) {
  const product = documentId(id) === null ? null : Option.getOrNull(yield* (yield* ProductStore).get(visit.tenant, id as Product["id"]))
  return product === null ? [] : [product]
})

/** What the pressed button looks up in the catalogue. */
const foundBy = Effect.fnUntraced(function*(visit: MemberVisit, form: Form, typed: TypedDocument, entries: ReadonlyArray<TaxpayerEntry>) {
  if (form.text("add") !== "") return { text: "", products: yield* productOf(visit, form.text("add")) } satisfies Found
  const text = form.text("find")
  return form.text("act") === "find" && text !== "" ? { text, products: yield* findProducts(visit, typed, entries, text) } satisfies Found : null
})

/** The entries after a button was pressed, with the preview wherever they are complete. Nothing is issued. */
const enter = Effect.fnUntraced(function*(visit: MemberVisit) {
  const draft = yield* draftOf(visit)
  const { form } = visit
  if (form === null) return yield* new NotFound({})
  const become = yield* becomeOf(visit, draft)
  if (become !== null) return redirect(`/receipts/${become}?done=already`)
  const entries = yield* ownTaxpayers(visit)
  const before = readTyped(form)
  const found = yield* foundBy(visit, form, before, entries)
  const typed = changedEntries(before, form, found)
  const read = readDocument(visit, typed, entries)
  const isAskedFor = form.text("act") === "preview" || (form.text("act") === "find" && found === null)
  const faults: Faults = !isAsked(read) && isAskedFor ? read : {}
  const result: Judged = isAsked(read) ? yield* judged(visit, draft, read) : { preview: null, refusal: null }
  return shownPage(visit, { draft, typed, entries, faults, ...result, found, buyer: yield* buyerOf(typed), changed: false })
})

const carriedOut = Effect.fnUntraced(function*(visit: MemberVisit, draft: string, asked: Asked) {
  const request = requestOf(visit, draft, asked)
  const { operation } = asked._tag === "Sale" ? yield* issueNormalSale(request, asked.decoded) : yield* issueProformaTraining(request, asked.decoded)
  return redirect(`/receipts/${operation.id}`)
})

/** Nothing was issued: the entries stay, with the reason. Where another sending of this draft was faster, that one's document. */
const refused = Effect.fnUntraced(function*(visit: MemberVisit, shown: Shown, refusal: string | null) {
  const become = yield* becomeOf(visit, shown.draft)
  return become === null ? shownPage(visit, { ...shown, refusal }) : redirect(`/receipts/${become}?done=already`)
})

/** Issues exactly what was previewed, under the key of the draft. */
const issue = Effect.fnUntraced(function*(visit: MemberVisit) {
  const draft = yield* draftOf(visit)
  const { form } = visit
  if (form === null) return yield* new NotFound({})
  const become = yield* becomeOf(visit, draft)
  if (become !== null) return redirect(`/receipts/${become}?done=already`)
  const entries = yield* ownTaxpayers(visit)
  const typed = readTyped(form)
  const read = readDocument(visit, typed, entries)
  const shown: Shown = { draft, typed, entries, faults: {}, preview: null, refusal: null, found: null, buyer: null, changed: false }
  if (!isAsked(read)) return shownPage(visit, { ...shown, faults: read })
  if (form.text("seen") !== seenOf(visit, draft, read)) return shownPage(visit, { ...shown, ...yield* judged(visit, draft, read), changed: true })
  yield* keepCashier(visit, readCashier(visit) ?? "")
  return yield* Effect.catchIf(
    carriedOut(visit, draft, read),
    (error) => refusalSentence(visit, error) !== null,
    (error) => refused(visit, shown, refusalSentence(visit, error))
  )
})

/** Issuing a document by hand: the address names the draft. */
export const issueRoutes = [
  memberRoute("GET", "/issue", "receipts:issue", () => Effect.sync(() => redirect(`/issue/${randomUUID()}`))),
  memberRoute("GET", "/issue/:draft", "receipts:issue", open),
  memberRoute("POST", "/issue/:draft/entry", "receipts:issue", enter),
  memberRoute("POST", "/issue/:draft", "receipts:issue", issue)
]
