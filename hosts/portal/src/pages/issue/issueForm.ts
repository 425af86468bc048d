import { digitExpectedInGtin, type Product } from "@overa/domain"
import { all, el, type Html } from "../../html/el.ts"
import { choice, field } from "../../html/forms.ts"
import { facts, notice } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount } from "../../language/formats.ts"
import { storedGtinWords } from "../checkDigitWords.ts"
import { buyerHtml } from "../drafts/buyer.ts"
import { entryButton } from "../drafts/draftForm.ts"
import type { Shown } from "../drafts/DraftKind.ts"
import { paymentsHtml } from "../drafts/payments.ts"
import { invoiceTypeWords } from "../receipts/receiptWords.ts"
import { paidInAdvance } from "./askedDocument.ts"
import { isAdvance, type IssueSubject, kinds, type TypedDocument } from "./typedDocument.ts"
import { amountOf, emptyLine, type LineField, type TypedLine } from "./typedLines.ts"

type IssueShown = Shown<IssueSubject, TypedDocument>

const lineField = (at: number, { faults, typed }: IssueShown, name: LineField, label: string, more: { readonly inputmode?: "decimal"; readonly hint?: string } = {}): Html =>
  field({ name: `${name}-${at}`, label, value: (typed.lines[at] ?? emptyLine)[name], fault: faults[`${name}-${at}`], autocomplete: "off", ...more })

/** The prescribed name of an advance is printed where none is typed. */
const nameHint = ({ say }: MemberVisit, { subject, typed }: IssueShown) =>
  isAdvance(subject, typed) ? { hint: say("Оставите празно за прописан назив аванса.", "Leave it empty for the prescribed name of an advance.") } : {}

const lineHtml = (visit: MemberVisit, shown: IssueShown, line: TypedLine, at: number): Html => {
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
      lineField(at, shown, "name", say("Назив", "Name"), nameHint(visit, shown)),
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
      entryButton(shown, "remove", String(at), [say("Уклони ставку ", "Remove item "), number])
    )
  )
}

const productName = ({ grossUnitPrice, name, sku }: Product): string => `${name} (${sku}) – ${amount(grossUnitPrice)} RSD`

/** Products are found by barcode, code or name; a reader of barcodes ends its digits with Enter, which presses the first button. */
const findHtml = (visit: MemberVisit, shown: IssueShown): Html => {
  const { say } = visit
  const found = shown.looked.products
  return el(
    "fieldset",
    {},
    el("legend", {}, say("Из каталога", "From the catalogue")),
    el(
      "div",
      { class: "filter" },
      field({ name: "find", label: say("Баркод, шифра или назив", "Barcode, code or name"), autocomplete: "off", value: found === null || found.products.length === 1 ? "" : found.text }),
      entryButton(shown, "act", "find", say("Додај", "Add"))
    ),
    found === null || found.products.length === 1 ? null : found.products.length === 0
      ? notice("wait", el("p", {}, say("Нема таквог активног производа у каталогу.", "The catalogue has no such active product.")))
      : el("ul", { class: "plain" }, found.products.map((product) => el("li", {}, entryButton(shown, "add", product.id, [say("Додај: ", "Add: "), productName(product)]))))
  )
}

const referenceField = (visit: MemberVisit, { faults, typed }: IssueShown): Html =>
  field({ name: "reference", label: visit.say("Ваша ознака", "Your reference"), value: typed.reference, required: true, autocomplete: "off", fault: faults["reference"] })

const headHtml = (visit: MemberVisit, shown: IssueShown): Html => {
  const { say } = visit
  const { faults, subject: { entries }, typed } = shown
  const premises = entries.flatMap(({ premises: own, taxpayer }) => own.map(({ id, name }) => [id as string, entries.length === 1 ? name : `${taxpayer.name} – ${name}`] as const))
  return el(
    "div",
    { class: "filter" },
    choice({ name: "kind", label: say("Шта се издаје", "What is issued"), value: typed.kind, options: kinds.map((kind) => [kind, invoiceTypeWords(say, kind)] as const), fault: faults["kind"] }),
    choice({ name: "premise", label: say("Пословни простор", "Premise"), value: typed.premise, options: premises, fault: faults["premise"] }),
    referenceField(visit, shown)
  )
}

/** The advance that the document belongs to. */
const caseHtml = (visit: MemberVisit, shown: IssueShown): Html => {
  const { stored } = shown.subject
  if (stored === null) return null
  const { say } = visit
  return all(
    facts([
      [say("Аванс", "Advance"), el("a", { href: `/advances/${stored.opened.id}` }, stored.opened.clientReference)],
      [say("Купац", "Buyer"), stored.opened.buyer?.id ?? "–"],
      [say("Уплаћено", "Paid so far"), `${amount(paidInAdvance(stored))} RSD`]
    ]),
    el("div", { class: "filter" }, referenceField(visit, shown))
  )
}

/** The buyer of an advance is chosen once, with its first payment; a closing asks only where nobody was identified. */
const buyerPart = (visit: MemberVisit, shown: IssueShown): Html => {
  const { address, faults, looked, subject: { stored }, typed } = shown
  if (stored !== null && (shown.subject.purpose === "PAYMENT" || stored.opened.buyer?.id)) return null
  const legend = stored === null ? visit.say("Купац, ако тражи", "Buyer, where asked for") : visit.say("Купац", "Buyer")
  return buyerHtml(visit, { address, faults, legend, looked, typed: typed.buyer })
}

const occurredHtml = ({ say }: MemberVisit, { faults, subject, typed }: IssueShown): Html =>
  !isAdvance(subject, typed) ? null : field({
    name: "occurred",
    type: "date",
    label: say("Дан преноса на рачун, ако је био раније", "Day of the wire transfer, where it was earlier"),
    value: typed.occurred,
    fault: faults["occurred"]
  })

const paymentsPart = (visit: MemberVisit, { address, faults, subject, typed }: IssueShown): Html =>
  paymentsHtml(visit, {
    address, faults, payments: typed.payments, legend: subject.purpose === "CLOSING" ? visit.say("Плаћање остатка", "Payment of the rest") : visit.say("Плаћање", "Payment"),
    ...(subject.purpose === "CLOSING" ? { hint: visit.say("Овде се уноси само оно што се плаћа сада.", "Enter only what is paid now.") } : {})
  })

/** The fields of the entries. */
export const entriesHtml = (visit: MemberVisit, shown: IssueShown): Html =>
  all(
    findHtml(visit, shown),
    shown.subject.stored === null ? headHtml(visit, shown) : caseHtml(visit, shown),
    all(...shown.typed.lines.map((line, at) => lineHtml(visit, shown, line, at))),
    el("p", {}, entryButton(shown, "act", "line", visit.say("Додај ставку", "Add an item"))),
    buyerPart(visit, shown),
    paymentsPart(visit, shown),
    occurredHtml(visit, shown)
  )
