import { amountOf, buyerIdOf, emptyLine, type Kind, kinds, type LineField, type TypedDocument, type TypedLine, type TypedPayment, paymentTypes } from "./typedDocument.ts"
import { type BuyerDetails, digitExpectedInGtin, type Product, type TaxpayerEntry } from "@overa/domain"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, field, form } from "../../html/forms.ts"
import { card, facts, notice } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount } from "../../language/formats.ts"
import { storedGtinWords } from "../checkDigitWords.ts"
import { cashierField } from "../receipts/cashier.ts"
import { invoiceTypeWords, paymentWords } from "../receipts/receiptWords.ts"
import type { BigDecimal } from "effect"

/** The document as it would be signed now. */
export interface Preview {
  readonly total: BigDecimal.BigDecimal
  readonly journal: string | null
  /** Names what was previewed: nothing else is issued. */
  readonly seen: string
}

/** What the page shows besides the entries. */
export interface Shown {
  readonly draft: string
  readonly typed: TypedDocument
  readonly entries: ReadonlyArray<TaxpayerEntry>
  readonly faults: Faults
  readonly preview: Preview | null
  /** Why the document cannot be issued now. */
  readonly refusal: string | null
  readonly found: { readonly text: string; readonly products: ReadonlyArray<Product> } | null
  readonly buyer: BuyerDetails | null
  readonly changed: boolean
}

export const entryAddress = (draft: string): string => `/issue/${draft}/entry`

/** A button that changes the entries and issues nothing; what is missing may be missing still. */
const entryButton = (draft: string, act: string, value: string, label: Html): Html =>
  el("button", { type: "submit", class: "quiet", formAction: entryAddress(draft), formNoValidate: true, name: act, value }, label)

const lineField = (at: number, { faults, typed }: Shown, name: LineField, label: string, more: { readonly inputmode?: "decimal"; readonly hint?: string } = {}): Html =>
  field({ name: `${name}-${at}`, label, value: (typed.lines[at] ?? emptyLine)[name], fault: faults[`${name}-${at}`], autocomplete: "off", ...more })

const lineHtml = (visit: MemberVisit, shown: Shown, line: TypedLine, at: number): Html => {
  const { say } = visit
  const known = amountOf(line)
  const expected = line.product === "" ? undefined : digitExpectedInGtin(line.gtin)
  const number = String(at + 1)
  return el(
    "fieldset",
    { class: "line" },
    el("legend", {}, say("Ставка ", "Item "), number),
    el("input", { type: "hidden", name: `product-${at}`, value: line.product }),
    el(
      "div",
      { class: "filter" },
      lineField(at, shown, "name", say("Назив", "Name")),
      lineField(at, shown, "unit", say("Јединица мере", "Unit")),
      lineField(at, shown, "quantity", say("Количина", "Quantity"), { inputmode: "decimal" }),
      lineField(at, shown, "price", say("Цена са порезом, RSD", "Price with tax, RSD"), { inputmode: "decimal" }),
      lineField(at, shown, "discount", say("Попуст, %", "Discount, %"), { inputmode: "decimal" }),
      lineField(at, shown, "labels", say("Пореске ознаке", "Tax labels")),
      lineField(at, shown, "gtin", say("Баркод", "Barcode"), expected === undefined ? {} : { hint: storedGtinWords(say, expected) })
    ),
    el(
      "p",
      { class: "actions" },
      known === null ? null : el("span", {}, say("Износ: ", "Amount: "), `${amount(known)} RSD`),
      entryButton(shown.draft, "remove", String(at), [say("Уклони ставку ", "Remove item "), number])
    )
  )
}

const productName = ({ grossUnitPrice, name, sku }: Product): string => `${name} (${sku}) – ${amount(grossUnitPrice)} RSD`

/** Products are found by barcode, code or name; a reader of barcodes ends its digits with Enter, which presses the first button. */
const findHtml = (visit: MemberVisit, { draft, found }: Shown): Html => {
  const { say } = visit
  return el(
    "fieldset",
    {},
    el("legend", {}, say("Из каталога", "From the catalogue")),
    el(
      "div",
      { class: "filter" },
      field({ name: "find", label: say("Баркод, шифра или назив", "Barcode, code or name"), autocomplete: "off", value: found === null || found.products.length === 1 ? "" : found.text }),
      entryButton(draft, "act", "find", say("Додај", "Add"))
    ),
    found === null || found.products.length === 1 ? null : found.products.length === 0
      ? notice("wait", el("p", {}, say("Нема таквог активног производа у каталогу.", "The catalogue has no such active product.")))
      : el("ul", { class: "plain" }, found.products.map((product) => el("li", {}, entryButton(draft, "add", product.id, [say("Додај: ", "Add: "), productName(product)]))))
  )
}

const paymentHtml = (visit: MemberVisit, { faults }: Shown, payment: TypedPayment, at: number): Html =>
  el(
    "div",
    { class: "filter" },
    choice({ name: `payment-${at}`, label: `${visit.say("Плаћање", "Payment")} ${at + 1}`, value: payment.type, options: paymentTypes.map((type) => [type, paymentWords(visit.say, type)] as const), fault: faults[`payment-${at}`] }),
    field({ name: `amount-${at}`, label: `${visit.say("Износ", "Amount")} ${at + 1}, RSD`, inputmode: "decimal", autocomplete: "off", value: payment.amount, fault: faults[`amount-${at}`] })
  )

const buyerHtml = (visit: MemberVisit, { buyer, draft, faults, typed }: Shown): Html => {
  const { say } = visit
  return el(
    "fieldset",
    {},
    el("legend", {}, say("Купац, ако тражи", "Buyer, where asked for")),
    el(
      "div",
      { class: "filter" },
      field({ name: "buyer", label: say("Идентификација купца", "The buyer's identification"), hint: say("ПИБ, или 11: и ЈМБГ, 20: и лична карта…", "Tax id, or 11: and personal number, 20: and identity card…"), autocomplete: "off", value: typed.buyer, fault: faults["buyer"] }),
      entryButton(draft, "act", "buyer", say("Нађи купца", "Find the buyer"))
    ),
    buyer === null ? null : el("p", {}, el("strong", {}, buyer.legalName), ` (${buyerIdOf(typed.buyer)})`)
  )
}

const kindNames = (visit: MemberVisit): ReadonlyArray<readonly [Kind, string]> => kinds.map((kind) => [kind, invoiceTypeWords(visit.say, kind)] as const)

const headHtml = (visit: MemberVisit, { entries, faults, typed }: Shown): Html => {
  const { say } = visit
  const premises = entries.flatMap(({ premises: own, taxpayer }) => own.map(({ id, name }) => [id as string, entries.length === 1 ? name : `${taxpayer.name} – ${name}`] as const))
  return el(
    "div",
    { class: "filter" },
    choice({ name: "kind", label: say("Шта се издаје", "What is issued"), value: typed.kind, options: kindNames(visit), fault: faults["kind"] }),
    choice({ name: "premise", label: say("Пословни простор", "Premise"), value: typed.premise, options: premises, fault: faults["premise"] }),
    field({ name: "reference", label: say("Ваша ознака", "Your reference"), value: typed.reference, required: true, autocomplete: "off", fault: faults["reference"] })
  )
}

/** The document as it will be, and the button that issues exactly this. */
const previewHtml = (visit: MemberVisit, { changed, preview, refusal, typed }: Shown): Html => {
  const { say } = visit
  const issue = typed.kind === "NORMAL" ? say("Издај рачун", "Issue the receipt") : typed.kind === "PROFORMA" ? say("Издај предрачун", "Issue the proforma") : say("Издај рачун обуке", "Issue the training document")
  return el(
    "div",
    { id: "preview", "aria-live": "polite" },
    refusal === null ? null : notice("bad", el("p", {}, refusal)),
    changed ? notice("wait", el("p", {}, say("Унос се променио од последњег прегледа. Ништа није издато; погледајте га поново.", "The entries have changed since the preview. Nothing was issued; look at it again."))) : null,
    preview === null ? el("p", { class: "hint" }, say("Овде ће бити рачун какав би био потписан. Унесите ставке, па притисните „Прегледај“.", "The receipt as it would be signed will be here. Enter the items and press “Preview”.")) : [
      facts([[say("Укупно", "Total"), el("strong", {}, `${amount(preview.total)} RSD`)]]),
      preview.journal === null ? null : el("pre", { class: "journal", tabIndex: 0, role: "region", "aria-label": say("Преглед рачуна", "Preview of the receipt") }, preview.journal),
      el("input", { type: "hidden", name: "seen", value: preview.seen }),
      el("p", { class: "hint" }, say("Издат рачун се не може повући, само рефундирати.", "A receipt that is issued cannot be taken back, only refunded.")),
      el("button", { type: "submit", class: "main" }, issue)
    ]
  )
}

/** The whole form: entries and preview. */
export const issueFormHtml = (visit: MemberVisit, shown: Shown): Html => {
  const { draft, typed } = shown
  const { say } = visit
  return form(
    visit,
    { action: `/issue/${draft}`, submit: null, data: { "data-issue": "yes", "data-fresh": visit.form === null && visit.kept === null ? "yes" : "no", "data-offline": say("Нема везе са сервером. Унос остаје на овој страници; ништа није издато.", "The server cannot be reached. Your entries stay on this page; nothing was issued.") } },
    el(
      "div",
      { class: "columns" },
      el(
        "div",
        {},
        card(
          say("Унос", "Entries"),
          findHtml(visit, shown),
          headHtml(visit, shown),
          typed.lines.map((line, at) => lineHtml(visit, shown, line, at)),
          el("p", {}, entryButton(draft, "act", "line", say("Додај ставку", "Add an item"))),
          buyerHtml(visit, shown),
          el("fieldset", {}, el("legend", {}, say("Плаћање", "Payment")), el("p", { class: "hint" }, say("Последње без износа плаћа остатак.", "The last one without an amount pays the rest.")), typed.payments.map((payment, at) => paymentHtml(visit, shown, payment, at)), entryButton(draft, "act", "payment", say("Додај плаћање", "Add a payment"))),
          cashierField(visit, shown.faults),
          entryButton(draft, "act", "preview", say("Прегледај", "Preview"))
        )
      ),
      el("div", {}, card(say("Преглед", "Preview"), previewHtml(visit, shown)))
    )
  )
}

export const pageContent = (visit: MemberVisit, title: string, summary: Html, shown: Shown): Html => all(el("h1", {}, title), summary, issueFormHtml(visit, shown))
