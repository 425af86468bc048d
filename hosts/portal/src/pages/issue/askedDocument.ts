import {
  addAdvancePayment, type AdvanceCaseRequest, advanceSales, bodyOf, caseDocuments, closeAdvanceCase, decodeAdvanceCaseRequest, decodeAdvanceClosingRequest, decodeAdvancePaymentRequest,
  decodeFiscalDocumentRequest, decodeProformaTrainingRequest, dryRunAdvancePayment, dryRunClosing, dryRunFiscalDocument, dryRunFirstPayment, dryRunProformaTraining,
  type Fault, issueNormalSale, issueProformaTraining, openAdvanceCase, type ReceiptPreview, type RequestFaults, type StoredAdvanceCase, type TaxpayerId, totalAdvance
} from "@overa/domain"
import { BigDecimal, Effect, Result } from "effect"
import type { Faults } from "../../html/forms.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { askedUnder, seenOf } from "../drafts/askedUnder.ts"
import { buyerFaults, buyerIdOf } from "../drafts/buyer.ts"
import { type Asked, isAsked, type Paper } from "../drafts/DraftKind.ts"
import { paidWith } from "../drafts/payments.ts"
import { cashierFaults, readCashier } from "../receipts/cashier.ts"
import { keyedRequestOf } from "../receipts/issueForm.ts"
import { barcodeFaults, isAdvance, type IssueSubject, spokenFaults, type TypedDocument } from "./typedDocument.ts"
import { isEmpty, itemOf, totalOf } from "./typedLines.ts"

/** Complete entries, with what is known of the place. */
interface Entered {
  readonly visit: MemberVisit
  readonly draft: string
  readonly typed: TypedDocument
  readonly subject: IssueSubject
  readonly cashier: string
  readonly taxpayerId: string
  readonly items: ReadonlyArray<unknown>
  /** What is to be paid. */
  readonly total: BigDecimal.BigDecimal
}

type Read = Result.Result<Asked, ReadonlyArray<Fault>>

const faultsOf = ({ faults }: RequestFaults): ReadonlyArray<Fault> => faults
const only = (receipt: ReceiptPreview): ReadonlyArray<Paper> => [{ title: null, receipt }]

const buyerOf = ({ typed }: Entered) => {
  const id = buyerIdOf(typed.buyer)
  return id === "" ? {} : { buyer: { id } }
}

const placeOf = ({ taxpayerId, typed }: Entered) => ({ taxpayerId, businessPremiseId: typed.premise, clientReference: typed.reference })

/** Members of the body that every document has. */
const saidBy = ({ cashier, items }: Entered) => ({ cashier: { id: cashier }, items })

const documentBody = (entered: Entered): unknown => {
  const { total, typed } = entered
  return bodyOf({ ...placeOf(entered), invoiceType: typed.kind, transactionType: "SALE", ...saidBy(entered), ...buyerOf(entered), payments: paidWith(typed.payments, total) })
}

const saleOf = (entered: Entered): Read => {
  const { draft, visit } = entered
  const body = documentBody(entered)
  return Result.map(Result.mapError(decodeFiscalDocumentRequest(body, { environment: visit.environment }), faultsOf), (decoded) => {
    if (decoded._tag !== "NormalSale") throw new Error("a body without a reference is no copy")
    return askedUnder(visit, { draft, target: "POST /v1/fiscal-documents", body }, (request) => ({
      tried: Effect.map(dryRunFiscalDocument(visit.tenant, decoded), only),
      issued: Effect.map(issueNormalSale(request, decoded), ({ operation }) => operation.id)
    }))
  })
}

const proformaTrainingOf = (entered: Entered): Read => {
  const { draft, visit } = entered
  const body = documentBody(entered)
  return Result.map(Result.mapError(decodeProformaTrainingRequest(body, { environment: visit.environment }), faultsOf), (decoded) =>
    askedUnder(visit, { draft, target: "POST /v1/proforma-training-workflows", body }, (request) => ({
      tried: Effect.map(dryRunProformaTraining(request, decoded), only),
      issued: Effect.map(issueProformaTraining(request, decoded), ({ operation }) => operation.id)
    })))
}

/** Noon of a day in Belgrade is that day in every zone of the request's rules. */
const occurredOf = ({ occurred }: TypedDocument) => occurred === "" ? {} : { paymentOccurredAt: `${occurred}T11:00:00Z` }

const paymentBody = (entered: Entered): unknown => {
  const { subject, total, typed } = entered
  return bodyOf({ ...saidBy(entered), payments: paidWith(typed.payments, total), ...occurredOf(typed), ...(subject.stored === null ? {} : { clientReference: typed.reference }) })
}

const paymentOf = (entered: Entered) => {
  const body = paymentBody(entered)
  return Result.map(Result.mapError(decodeAdvancePaymentRequest(body, { environment: entered.visit.environment }), faultsOf), (payment) => ({ body, payment }))
}

const targetOf = (caseId: string, part: "closing" | "payments"): string => `POST /v1/advance-cases/${caseId}/${part}`

/** Opens a case under a key that follows from the draft and from what the case says, then records its payment under the draft's own key. */
const firstPaymentOf = (entered: Entered): Read => {
  const { draft, visit } = entered
  const caseBody = bodyOf({ ...placeOf(entered), ...buyerOf(entered) })
  const opening: Result.Result<AdvanceCaseRequest, ReadonlyArray<Fault>> = Result.mapError(decodeAdvanceCaseRequest(caseBody), faultsOf)
  return Result.flatMap(opening, (asked) => Result.map(paymentOf(entered), ({ body, payment }): Asked => {
    const digest = keyedRequestOf(visit, "POST /v1/advance-cases", caseBody, draft).boundKey.fingerprint.digest
    const request = keyedRequestOf(visit, "POST /v1/advance-cases", caseBody, `${draft}-case-${digest.slice(0, 16)}`)
    return {
      seen: seenOf(request, keyedRequestOf(visit, "POST /v1/advance-cases/payments", body, draft)),
      tried: Effect.map(dryRunFirstPayment(request, asked, payment), only),
      issued: Effect.gen(function*() {
        const { stored: { opened } } = yield* openAdvanceCase(request, asked)
        const { current } = yield* addAdvancePayment(keyedRequestOf(visit, targetOf(opened.id, "payments"), body, draft), opened.id, payment)
        return current.id
      })
    }
  }))
}

const nextPaymentOf = (entered: Entered, { opened: { id } }: StoredAdvanceCase): Read =>
  Result.map(paymentOf(entered), ({ body, payment }) =>
    askedUnder(entered.visit, { draft: entered.draft, target: targetOf(id, "payments"), body }, (request) => ({
      tried: Effect.map(dryRunAdvancePayment(entered.visit.tenant, id, payment), only),
      issued: Effect.map(addAdvancePayment(request, id, payment), ({ current }) => current.id)
    })))

const closingOf = (entered: Entered, { opened: { id } }: StoredAdvanceCase): Read => {
  const { draft, total, typed, visit } = entered
  const body = bodyOf({ ...saidBy(entered), ...buyerOf(entered), remainingPayments: paidWith(typed.payments, total), clientReference: typed.reference })
  return Result.map(Result.mapError(decodeAdvanceClosingRequest(body, { environment: visit.environment }), faultsOf), (asked) =>
    askedUnder(visit, { draft, target: targetOf(id, "closing"), body }, (request) => ({
      tried: Effect.map(dryRunClosing(visit.tenant, id, asked), ({ advanceRefund, finalSale }): ReadonlyArray<Paper> => [
        ...(advanceRefund === null ? [] : [{ title: visit.say("Рефундација аванса", "Refund of the advance"), receipt: advanceRefund }]),
        { title: visit.say("Коначан рачун", "The final receipt"), receipt: finalSale }
      ]),
      issued: Effect.map(closeAdvanceCase(request, id, asked), ({ current }) => current.id)
    })))
}

const askedFor = (entered: Entered): Read => {
  const { subject: { purpose, stored }, typed } = entered
  if (stored !== null) return purpose === "CLOSING" ? closingOf(entered, stored) : nextPaymentOf(entered, stored)
  if (typed.kind === "ADVANCE") return firstPaymentOf(entered)
  return typed.kind === "NORMAL" ? saleOf(entered) : proformaTrainingOf(entered)
}

/** What was paid in advance and stands, in dinars. */
export const paidInAdvance = ({ documents, opened }: StoredAdvanceCase): BigDecimal.BigDecimal => totalAdvance(advanceSales(caseDocuments(documents)), opened.externalAdvance)

/** The taxpayer of the advance, or of the chosen premise; null where none is chosen. */
export const taxpayerOf = ({ entries, stored }: IssueSubject, { premise }: TypedDocument): TaxpayerId | null =>
  stored?.opened.taxpayerId ?? entries.find(({ premises }) => premises.some(({ id }) => id === premise))?.taxpayer.id ?? null

const notEntered = (visit: MemberVisit, taxpayerId: string | null): Faults => ({
  ...cashierFaults(visit),
  ...(taxpayerId === null ? { premise: visit.say("Изаберите пословни простор.", "Choose the premise.") } : {})
})

const decoded = (visit: MemberVisit, draft: string, typed: TypedDocument, subject: IssueSubject): Asked | Faults => {
  const cashier = readCashier(visit)
  const taxpayerId = taxpayerOf(subject, typed)
  const lines = typed.lines.filter((line) => !isEmpty(line))
  if (cashier === null || taxpayerId === null) return notEntered(visit, taxpayerId)
  if (lines.length === 0) return { "name-0": visit.say("Унесите бар једну ставку.", "Enter at least one item.") }
  const goods = totalOf(lines)
  const total = subject.purpose === "CLOSING" && subject.stored !== null ? BigDecimal.subtract(goods, paidInAdvance(subject.stored)) : goods
  if (BigDecimal.isNegative(total)) return { "price-0": visit.say("Ставке вреде мање од плаћеног аванса. Прво вратите вишак аванса.", "The items cost less than was paid in advance. Give the surplus of the advance back first.") }
  const advanceIn = isAdvance(subject, typed) ? visit.environment : null
  const read = askedFor({ visit, draft, typed, subject, cashier, taxpayerId, total, items: lines.map((line) => itemOf(line, advanceIn)) })
  return Result.isFailure(read) ? spokenFaults(visit, typed, read.failure) : read.success
}

const missingBuyer = (visit: MemberVisit, { purpose, stored }: IssueSubject): string | null =>
  purpose === "CLOSING" && (stored?.opened.buyer?.id ?? null) === null
    ? visit.say("Рефундација аванса тражи идентификацију купца.", "The refund of the advance needs the buyer's identification.")
    : null

/** The document in the form, or its faults by field. */
export const readDocument = (visit: MemberVisit, draft: string, typed: TypedDocument, subject: IssueSubject): Asked | Faults => {
  const read = decoded(visit, draft, typed, subject)
  const own = { ...buyerFaults(visit, typed.buyer, { missing: missingBuyer(visit, subject) }), ...barcodeFaults(visit, typed) }
  if (Object.keys(own).length === 0) return read
  return isAsked(read) ? own : { ...read, ...own }
}
