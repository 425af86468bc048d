import { digitExpectedInGtin, type Fault, formatDecimal, type Operation, type StoredAdvanceCase, type TaxpayerEntry } from "@overa/domain"
import type { Form } from "../../http/Form.ts"
import type { Faults } from "../../html/forms.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { gtinDigitWords } from "../checkDigitWords.ts"
import { buyerIn, noBuyer, type TypedBuyer, typedBuyerOf } from "../drafts/buyer.ts"
import { paymentsIn, type TypedPayment } from "../drafts/payments.ts"
import { faultWords } from "../drafts/faultWords.ts"
import { emptyLine, isEmpty, lineOfItem, linesIn, type TypedLine } from "./typedLines.ts"

/** What a person chooses to issue, as the form names it. */
export const kinds = ["NORMAL", "ADVANCE", "PROFORMA", "TRAINING"] as const
export type Kind = (typeof kinds)[number]

/** What a draft is for: a document of its own, a further payment of an advance, or the sale that closes it. */
export type Purpose = "NEW" | "PAYMENT" | "CLOSING"

/** The shops of the environment, and the advance that the document belongs to. */
export interface IssueSubject {
  readonly purpose: Purpose
  readonly entries: ReadonlyArray<TaxpayerEntry>
  /** Null where the document is one of its own. */
  readonly stored: StoredAdvanceCase | null
}

/** The entries as they were typed. */
export interface TypedDocument {
  readonly kind: Kind
  readonly premise: string
  readonly reference: string
  readonly buyer: TypedBuyer
  /** The day of an earlier wire transfer, `2026-11-24`; empty where the payment is of today. */
  readonly occurred: string
  readonly lines: ReadonlyArray<TypedLine>
  readonly payments: ReadonlyArray<TypedPayment>
}

export const typedIn = (form: Form): TypedDocument => ({
  kind: kinds.find((kind) => kind === form.text("kind")) ?? "NORMAL",
  premise: form.text("premise"),
  reference: form.text("reference"),
  buyer: buyerIn(form),
  occurred: form.text("occurred"),
  lines: linesIn(form),
  payments: paymentsIn(form)
})

/** Whether the document is an advance. */
export const isAdvance = ({ purpose }: IssueSubject, { kind }: Pick<TypedDocument, "kind">): boolean => purpose === "PAYMENT" || (purpose === "NEW" && kind === "ADVANCE")

const nothingTyped = (draft: string, { entries: [first], stored }: IssueSubject): TypedDocument => ({
  kind: "NORMAL",
  premise: first?.premises[0]?.id ?? "",
  reference: stored?.opened.clientReference ?? `P-${draft.slice(0, 8)}`,
  buyer: noBuyer,
  occurred: "",
  lines: [emptyLine],
  payments: [{ type: "CARD", amount: "" }]
})

/** The entries of a new draft: nothing, or those of the failed document that is issued anew. */
export const startOf = ({ draft, kind }: { readonly draft: string; readonly kind: string | null }, subject: IssueSubject, source: Operation | null): TypedDocument => {
  const empty = nothingTyped(draft, subject)
  if (source === null) return { ...empty, kind: kinds.find((it) => it === kind) ?? "NORMAL" }
  const { buyer, clientReference, invoiceType, items, payments } = source.content
  return {
    ...empty,
    kind: kinds.find((it) => it === invoiceType) ?? "NORMAL",
    premise: source.businessPremiseId,
    reference: clientReference,
    buyer: typedBuyerOf(buyer?.id),
    lines: items.map(lineOfItem),
    payments: payments.map(({ amount, type }) => ({ type, amount: payments.length === 1 ? "" : formatDecimal(amount, 2).replace(".", ",") }))
  }
}

/** A fault's place among the lines that were typed, empty ones counted. */
const pointed = (typed: TypedDocument, { pointer }: Fault): readonly [string, string] => {
  const [, found = "", index = "", member = ""] = pointer.split("/")
  const list = found === "remainingPayments" ? "payments" : found
  if (list === "items" && index !== "") {
    const at = typed.lines.map((line, place) => isEmpty(line) ? null : place).filter((it) => it !== null)[Number(index)] ?? 0
    return [`/items/${member}`, `-${at}`]
  }
  return [list === "payments" && index !== "" ? `/payments/${member}` : `/${list}`, list === "payments" ? `-${index || typed.payments.length - 1}` : ""]
}

/** The faults of a request as faults of the form's fields, in the reader's words. */
export const spokenFaults = (visit: MemberVisit, typed: TypedDocument, faults: ReadonlyArray<Fault>): Faults =>
  Object.fromEntries(faults.map((fault) => {
    const [place, at] = pointed(typed, fault)
    const { field, words } = faultWords(place)
    return [field + at, visit.say(...words)] as const
  }))

/** Check digits of barcodes that a person has typed. A product of the catalogue keeps the barcode it has. */
export const barcodeFaults = ({ say }: MemberVisit, { lines }: TypedDocument): Faults =>
  Object.fromEntries(lines.flatMap((line, at) => {
    const expected = line.product === "" && !isEmpty(line) ? digitExpectedInGtin(line.gtin) : undefined
    return expected === undefined ? [] : [[`gtin-${at}`, gtinDigitWords(say, expected)] as const]
  }))
