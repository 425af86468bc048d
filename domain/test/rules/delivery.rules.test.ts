import { Result } from "effect"
import * as fc from "fast-check"
import {
  checkDeliverable,
  type DeliverableDocument,
  type DeliverySettings,
  isIssuedToBuyer
} from "../../src/delivery/deliverability.ts"
import {
  afterDeliveryAttempt,
  DeliveryEvent,
  deliveryWaits,
  nextDeliveryStatus
} from "../../src/delivery/deliveryTransitions.ts"
import { deliveryFormats, preferredFormats, ReceiptDeliveryStatus } from "../../src/delivery/ReceiptDelivery.ts"
import { decodeReceiptDeliveryRequest } from "../../src/delivery/ReceiptDeliveryRequest.ts"
import { recipientFault } from "../../src/delivery/recipientFault.ts"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { RepresentationFormat } from "../../src/ports/ReceiptRenderer.ts"
import { type DocumentKind, referenceRule } from "../../src/references/referenceMatrix.ts"
import { PaperFormat } from "../../src/tenancy/Taxpayer.ts"
import { documentKind, documentKinds } from "../arbitraries/ReferencedDocument.ts"
import { documentUuid } from "../arbitraries/SaleBody.ts"
import { rule } from "./ruleBook.ts"

/** Every kind of document with every kind it can refer to, and with none. */
const documentsWithTargets = documentKinds.flatMap((kind) =>
  [null, ...referenceRule(kind).targets].map((target): DocumentKind & { readonly reference: DocumentKind | null } => ({ ...kind, reference: target }))
)

rule("DELIVERY-1", {
  says: "Every document is given to its buyer but an Advance Refund and a copy of one.",
  source: "Spec, receipt-deliveries; Errors, Catalogue; V-PFR §8.7"
}, ({ holdsForEvery }) => {
  const staysHere = ["ADVANCE REFUND of ADVANCE SALE", "ADVANCE REFUND of nothing", "COPY REFUND of ADVANCE REFUND"]
  holdsForEvery("every kind of document, whatever it refers to", documentsWithTargets, (document) => {
    const { reference } = document
    const told = reference === null ? "nothing" : `${reference.invoiceType} ${reference.transactionType}`
    return isIssuedToBuyer(document) !== staysHere.includes(`${document.invoiceType} ${document.transactionType} of ${told}`)
  })
})

const document: fc.Arbitrary<DeliverableDocument> = fc
  .record({ kind: documentKind, status: fc.constantFrom(...DocumentStatus.literals), pick: fc.nat() })
  .map(({ kind, status, pick }) => {
    const { targets } = referenceRule(kind)
    return { ...kind, id: documentUuid, taxpayerId: "taxpayer", status, reference: targets[pick % Math.max(targets.length, 1)] ?? null }
  })

const settings: fc.Arbitrary<DeliverySettings> = fc.record({ enabled: fc.boolean(), transportAvailable: fc.boolean() })

const codeOf = (answer: ReturnType<typeof checkDeliverable>): string | null => (Result.isFailure(answer) ? answer.failure.code : null)

rule("DELIVERY-2", {
  says: "A delivery is queued only for a fiscalized document that is given to its buyer, where the taxpayer has deliveries enabled and " +
    "the installation can send; the first of these that fails is answered.",
  source: "Spec, Errors, Catalogue; Decisions §2, Order of checks",
  proves: [
    "RECEIPT_DELIVERY_DISABLED",
    "RECEIPT_DELIVERY_DOCUMENT_NOT_ISSUED_TO_BUYER",
    "RECEIPT_DELIVERY_DOCUMENT_NOT_FISCALIZED",
    "RECEIPT_DELIVERY_UNAVAILABLE"
  ]
}, ({ holds, holdsForEvery }) => {
  holds("disabled deliveries refuse whatever the document is", { document, settings }, ({ document: sent, settings: set }) =>
    (codeOf(checkDeliverable(sent, set)) === "RECEIPT_DELIVERY_DISABLED") === !set.enabled)
  holds("enabled, a document that stays with its issuer is refused, receipt or not", { document, settings }, ({ document: sent, settings: set }) =>
    (codeOf(checkDeliverable(sent, { ...set, enabled: true })) === "RECEIPT_DELIVERY_DOCUMENT_NOT_ISSUED_TO_BUYER") === !isIssuedToBuyer(sent))
  holds("enabled and given to the buyer, exactly a receipt is deliverable, and waits for a transport", { document, settings }, ({ document: sent, settings: set }) => {
    const sale = { ...sent, invoiceType: "NORMAL", transactionType: "SALE" } as const
    const code = codeOf(checkDeliverable(sale, { ...set, enabled: true }))
    if (sent.status !== "FISCALIZED") return code === "RECEIPT_DELIVERY_DOCUMENT_NOT_FISCALIZED"
    return code === (set.transportAvailable ? null : "RECEIPT_DELIVERY_UNAVAILABLE")
  })
  const receipts = documentsWithTargets.filter(isIssuedToBuyer)
  holdsForEvery("every kind of receipt that is given to the buyer can be delivered", receipts, (kind) =>
    codeOf(checkDeliverable({ ...kind, id: documentUuid, taxpayerId: "taxpayer", status: "FISCALIZED" }, { enabled: true, transportAvailable: true })) === null)
  const refused = fc.record({ status: fc.constantFrom(...DocumentStatus.literals.filter((status) => status !== "FISCALIZED")) })
  holds("the refusal names the document, or the taxpayer whose setting it is", { refused }, ({ refused: { status } }) => {
    const sale = { id: documentUuid, taxpayerId: "taxpayer", invoiceType: "NORMAL", transactionType: "SALE", status, reference: null } as const
    const document = checkDeliverable(sale, { enabled: true, transportAvailable: true })
    const taxpayer = checkDeliverable(sale, { enabled: false, transportAvailable: true })
    return Result.isFailure(document) && "fiscalDocumentId" in document.failure && document.failure.fiscalDocumentId === documentUuid &&
      Result.isFailure(taxpayer) && "taxpayerId" in taxpayer.failure && taxpayer.failure.taxpayerId === "taxpayer"
  })
})

// The moves, written once more by hand.
const moves: Readonly<Record<string, ReceiptDeliveryStatus>> = {
  "QUEUED sent": "SENT",
  "QUEUED deferred": "QUEUED",
  "QUEUED refused": "FAILED",
  "QUEUED exhausted": "FAILED"
}
const allCells = ReceiptDeliveryStatus.literals.flatMap((from) => DeliveryEvent.literals.map((event) => ({ from, event })))

interface Attempts {
  /** How many were made; -1 once the delivery is over. */
  count: number
}
interface Mailbox {
  status: ReceiptDeliveryStatus
}

class Attempt implements fc.Command<Attempts, Mailbox> {
  readonly outcome: "SENT" | "DEFERRED" | "REFUSED"
  constructor(outcome: "SENT" | "DEFERRED" | "REFUSED") {
    this.outcome = outcome
  }
  check = (attempts: Readonly<Attempts>): boolean => attempts.count >= 0
  run(attempts: Attempts, mailbox: Mailbox): void {
    const mostAttempts = deliveryWaits.length + 1
    const { event, nextAttemptInMillis } = afterDeliveryAttempt(++attempts.count, this.outcome)
    mailbox.status = Result.getOrThrow(nextDeliveryStatus(mailbox.status, event))
    const goesOn = this.outcome === "DEFERRED" && attempts.count < mostAttempts
    if ((nextAttemptInMillis !== null) !== goesOn) throw new Error("goes on where it should end, or ends where it should go on")
    if ((mailbox.status === "QUEUED") !== goesOn) throw new Error(`is ${mailbox.status}`)
    if (!goesOn) attempts.count = -1
  }
  toString = (): string => this.outcome
}

rule("DELIVERY-3", {
  says: "A delivery is queued until it is sent, refused for good, or deferred too often; then it never moves again.",
  source: "Decisions §5, Journal, reports, deliveries (QUEUED, SENT, FAILED)"
}, ({ holdsForEvery, holdsForHistories }) => {
  holdsForEvery("every status with every event", allCells, ({ from, event }) => {
    const answer = nextDeliveryStatus(from, event)
    const to = moves[`${from} ${event}`]
    return to === undefined
      ? Result.isFailure(answer) && answer.failure.from === from && answer.failure.event === event
      : Result.isSuccess(answer) && answer.success === to
  })
  const outcome = fc.constantFrom("SENT" as const, "DEFERRED" as const, "DEFERRED" as const, "DEFERRED" as const, "REFUSED" as const)
  holdsForHistories<Attempts, Mailbox>(
    "attempts of any outcome end the delivery after one more than there are waits",
    fc.commands([outcome.map((ended) => new Attempt(ended))], { maxCommands: 20, size: "max" }),
    () => ({ model: { count: 0 }, real: { status: "QUEUED" } })
  )
  const waits = deliveryWaits.map((wait, at) => ({ wait, before: deliveryWaits[at - 1] ?? 0, attempts: at + 1 }))
  holdsForEvery("each wait is longer than the one before and shorter than a day", waits, ({ wait, before, attempts }) =>
    wait > before && wait < 86_400_000 && afterDeliveryAttempt(attempts, "DEFERRED").nextAttemptInMillis === wait)
  holdsForEvery("behind the last wait a deferred delivery is given up", [deliveryWaits.length + 1], (attempts) =>
    afterDeliveryAttempt(attempts, "DEFERRED").event === "exhausted")
})

const accepted = [
  "kupac@example.rs",
  "ime.prezime+racun@posta.example.co.rs",
  "o'neil_7@a-b.example",
  "купац@пример.срб",
  `${"a".repeat(64)}@example.rs`
]

const refused = [
  "kupac",
  "@example.rs",
  "kupac@",
  "kupac@localhost",
  "kupac@example..rs",
  "kupac@-example.rs",
  "kupac@example-.rs",
  ".kupac@example.rs",
  "ku..pac@example.rs",
  "kupac@example.rs.",
  "kupac@example.rs, drugi@example.rs",
  "kupac@example.rs;drugi@example.rs",
  "kupac@example.rs\r\nBcc: drugi@example.rs",
  "kupac@example.rs\n",
  "Kupac <kupac@example.rs>",
  "\"kupac\"@example.rs",
  "ku pac@example.rs",
  " kupac@example.rs",
  "kupac@drugi@example.rs",
  "kupac@[127.0.0.1]",
  `${"a".repeat(65)}@example.rs`,
  `${"ж".repeat(33)}@example.rs`,
  `kupac@${"a".repeat(64)}.rs`,
  `kupac@${`${"a".repeat(60)}.`.repeat(4)}rs.example`
]

const body = { fiscalDocumentId: documentUuid, recipient: "kupac@example.rs" }
const faultsOf = (given: unknown): ReadonlyArray<string> => {
  const answer = decodeReceiptDeliveryRequest(given)
  return Result.isSuccess(answer) ? [] : answer.failure.faults.map(({ pointer }) => pointer)
}

rule("DELIVERY-4", {
  says: "A request names one receipt and one mailbox; formats and language are optional, the language is Serbian Cyrillic where none is said.",
  source: "Decisions §1 (unknown fields, empty texts), §5 Journal, reports, deliveries; RFC 5321, 4.5.3.1"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("addresses of one mailbox are taken", accepted, (address) => recipientFault(address) === undefined && faultsOf({ ...body, recipient: address }).length === 0)
  holdsForEvery("anything that is none, or more than one, or would write into the message's header, is refused", refused, (address) =>
    recipientFault(address) !== undefined && faultsOf({ ...body, recipient: address }).join() === "/recipient")
  holds("no text with white space, a comma or a semicolon is ever one address", { before: fc.string(), between: fc.constantFrom(" ", ",", ";", "\n", "\r", "\t", "\u0000", "\u2028"), after: fc.emailAddress() },
    ({ before, between, after }) => recipientFault(before + between + after) !== undefined)
  holds("ordinary addresses of the Internet are taken", { address: fc.emailAddress() }, ({ address }) => recipientFault(address) === undefined)

  holdsForEvery("what is absent or null takes its default", [body, { ...body, formats: null, locale: null }], (given) => {
    const answer = decodeReceiptDeliveryRequest(given)
    return Result.isSuccess(answer) && answer.success.formats === null && answer.success.locale === "sr-Cyrl" &&
      answer.success.recipient === body.recipient && answer.success.fiscalDocumentId === documentUuid
  })
  holdsForEvery("every representation can be attached, in every language", RepresentationFormat.literals.flatMap((format) => ["sr-Cyrl", "sr-Latn", "en"].map((locale) => ({ format, locale }))),
    ({ format, locale }) => {
      const answer = decodeReceiptDeliveryRequest({ ...body, formats: [format], locale })
      return Result.isSuccess(answer) && answer.success.formats?.join() === format && answer.success.locale === locale
    })
  holdsForEvery("the formats that can be attached are the representations", [...RepresentationFormat.literals], (format) => deliveryFormats.includes(format))
  const faulty: ReadonlyArray<readonly [Record<string, unknown>, string]> = [
    [{ fiscalDocumentId: "15" }, "/fiscalDocumentId"],
    [{ fiscalDocumentId: null }, "/fiscalDocumentId"],
    [{ recipient: "" }, "/recipient"],
    [{ recipient: null }, "/recipient"],
    [{ formats: [] }, "/formats"],
    [{ formats: ["pdf-a4", "pdf-a4"] }, "/formats"],
    [{ formats: ["pdf-a5"] }, "/formats/0"],
    [{ locale: "sr" }, "/locale"],
    [{ reciever: "kupac@example.rs" }, "/reciever"]
  ]
  holdsForEvery("each fault is named at its place", faulty, ([change, pointer]) => faultsOf({ ...body, ...change }).join() === pointer)
  holdsForEvery("an id in capitals is the same id", [documentUuid.toUpperCase()], (id) => {
    const answer = decodeReceiptDeliveryRequest({ ...body, fiscalDocumentId: id })
    return Result.isSuccess(answer) && answer.success.fiscalDocumentId === documentUuid
  })
  holdsForEvery("without formats the PDF of the receipt's own paper is attached", [...PaperFormat.literals], (paper) =>
    preferredFormats(paper).join() === `pdf-${paper}`)
})
