import { Result } from "effect"
import * as fc from "fast-check"
import {
  brokenLimit, checkDeliverable, type DeliverableDocument, type DeliveryConditions, isIssuedToBuyer, recipientFault
} from "../../src/delivery/deliverability.ts"
import {
  afterDeliveryAttempt,
  DeliveryEvent,
  deliveryWaits,
  nextDeliveryStatus
} from "../../src/delivery/deliveryTransitions.ts"
import { deliveryFormats, MailOutcome, preferredFormats, ReceiptDeliveryStatus, shownError } from "../../src/delivery/ReceiptDelivery.ts"
import { decodeReceiptDeliveryRequest } from "../../src/delivery/ReceiptDeliveryRequest.ts"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { RepresentationFormat } from "../../src/documents/Representation.ts"
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

const settings: fc.Arbitrary<DeliveryConditions> = fc.record({ enabled: fc.boolean(), transportAvailable: fc.boolean() })

const codeOf = (answer: ReturnType<typeof checkDeliverable>): string | null => (Result.isFailure(answer) ? answer.failure.code : null)

rule("DELIVERY-2", {
  says: "A delivery is queued only where the taxpayer has deliveries enabled, for a fiscalized document that is given to its buyer, and " +
    "where the installation can send; the first of these that fails is answered.",
  source: "Spec, Errors, Catalogue; Decisions §12, Order of refusals",
  proves: [
    "RECEIPT_DELIVERY_DISABLED",
    "RECEIPT_DELIVERY_DOCUMENT_NOT_ISSUED_TO_BUYER",
    "RECEIPT_DELIVERY_DOCUMENT_NOT_FISCALIZED",
    "RECEIPT_DELIVERY_UNAVAILABLE"
  ]
}, ({ holds, holdsForEvery }) => {
  holds("disabled deliveries refuse whatever the document is", { document, settings }, ({ document: sent, settings: set }) =>
    (codeOf(checkDeliverable(sent, set)) === "RECEIPT_DELIVERY_DISABLED") === !set.enabled)
  holds("enabled, what is no receipt is refused, whoever it would be given to", { document, settings }, ({ document: sent, settings: set }) =>
    (codeOf(checkDeliverable(sent, { ...set, enabled: true })) === "RECEIPT_DELIVERY_DOCUMENT_NOT_FISCALIZED") === (sent.status !== "FISCALIZED"))
  holds("enabled, a receipt that stays with its issuer is refused, transport or none", { document, settings }, ({ document: sent, settings: set }) =>
    (codeOf(checkDeliverable({ ...sent, status: "FISCALIZED" }, { ...set, enabled: true })) === "RECEIPT_DELIVERY_DOCUMENT_NOT_ISSUED_TO_BUYER") === !isIssuedToBuyer(sent))
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

// The transitions, written a second time by hand.
const moves: Readonly<Record<string, ReceiptDeliveryStatus>> = {
  "QUEUED sent": "SENT",
  "QUEUED deferred": "QUEUED",
  "QUEUED refused": "FAILED",
  "QUEUED exhausted": "FAILED"
}
const allCells = ReceiptDeliveryStatus.literals.flatMap((from) => DeliveryEvent.literals.map((event) => ({ from, event })))

const outcomes = {
  Taken: MailOutcome.make({ _tag: "Taken" }),
  Deferred: MailOutcome.make({ _tag: "Deferred", reason: "451 later", recipientNamed: true }),
  DeferredEarly: MailOutcome.make({ _tag: "Deferred", reason: "421 busy", recipientNamed: false }),
  Refused: MailOutcome.make({ _tag: "Refused", reason: "550 no", recipientNamed: true }),
  MayBeTaken: MailOutcome.make({ _tag: "MayBeTaken", reason: "lost" }),
  Unreachable: MailOutcome.make({ _tag: "Unreachable", reason: "no connection" })
}
type OutcomeName = keyof typeof outcomes

interface Attempts {
  /** Connections that named the recipient; -1 once the delivery is over. */
  count: number
  uncertain: number
}
interface Mailbox {
  status: ReceiptDeliveryStatus
  attempts: number
  maybeTaken: number
  /** Messages the server may have taken. */
  copies: number
}

const counts = (name: OutcomeName): boolean => name !== "Unreachable" && name !== "DeferredEarly"

/** Written once more by hand: whether a further attempt follows. */
const goesOnAfter = (name: OutcomeName, { count, uncertain }: Attempts): boolean => {
  if (name === "Taken" || name === "Refused") return false
  if (name === "MayBeTaken") return uncertain < 2
  return !counts(name) || count <= deliveryWaits.length
}

class Attempt implements fc.Command<Attempts, Mailbox> {
  readonly name: OutcomeName
  constructor(name: OutcomeName) {
    this.name = name
  }
  check = (attempts: Readonly<Attempts>): boolean => attempts.count >= 0
  run(attempts: Attempts, mailbox: Mailbox): void {
    if (counts(this.name)) attempts.count += 1
    if (this.name === "MayBeTaken") attempts.uncertain += 1
    const after = afterDeliveryAttempt(mailbox, outcomes[this.name], 0)
    mailbox.status = Result.getOrThrow(nextDeliveryStatus(mailbox.status, after.event))
    mailbox.attempts = after.attempts
    mailbox.maybeTaken = after.maybeTaken
    if (this.name === "Taken" || this.name === "MayBeTaken") mailbox.copies += 1
    const goesOn = goesOnAfter(this.name, attempts)
    if (after.attempts !== attempts.count) throw new Error("counts what never named the recipient, or not what did")
    if (mailbox.copies > 2) throw new Error("a third copy")
    if ((after.nextAttemptInMillis !== null) !== goesOn) throw new Error("goes on where it should end, or ends where it should go on")
    if ((mailbox.status === "QUEUED") !== goesOn) throw new Error(`is ${mailbox.status}`)
    if ((after.failure !== null) !== (mailbox.status === "FAILED")) throw new Error("a failure without a reason, or a reason without one")
    if (!goesOn) attempts.count = -1
  }
  toString = (): string => this.name
}

rule("DELIVERY-3", {
  says: "A delivery is queued until it is sent, refused for good, or deferred too often; then it never moves again. What the server may " +
    "have taken is sent once more, and never a third time.",
  source: "Decisions §12; §5, Journal, reports, deliveries (QUEUED, SENT, FAILED)"
}, ({ holds, holdsForEvery, holdsForHistories }) => {
  holdsForEvery("every status with every event", allCells, ({ from, event }) => {
    const answer = nextDeliveryStatus(from, event)
    const to = moves[`${from} ${event}`]
    return to === undefined
      ? Result.isFailure(answer) && answer.failure.from === from && answer.failure.event === event
      : Result.isSuccess(answer) && answer.success === to
  })
  const name = fc.constantFrom<OutcomeName>("Taken", "Deferred", "Deferred", "Deferred", "Deferred", "DeferredEarly", "Refused", "MayBeTaken", "Unreachable")
  holdsForHistories<Attempts, Mailbox>(
    "histories of attempts, whatever their outcomes",
    fc.commands([name.map((ended) => new Attempt(ended))], { maxCommands: 30, size: "max" }),
    () => ({ model: { count: 0, uncertain: 0 }, real: { status: "QUEUED", attempts: 0, maybeTaken: 0, copies: 0 } })
  )
  holdsForEvery("the waits are 1, 5, 30 minutes, 2, 6 and 24 hours", [[1, 5, 30, 120, 360, 1440]], (waits) =>
    waits.map((wait) => wait * 60_000).join() === deliveryWaits.join())
  holdsForEvery("each wait follows its attempt", deliveryWaits.map((wait, at) => ({ wait, at })), ({ wait, at }) =>
    afterDeliveryAttempt({ attempts: at, maybeTaken: 0 }, outcomes.Deferred, 0).nextAttemptInMillis === wait)
  holdsForEvery("behind the last wait a deferred delivery is given up", [deliveryWaits.length], (attempts) =>
    afterDeliveryAttempt({ attempts, maybeTaken: 0 }, outcomes.Deferred, 0).failure === "EXHAUSTED")
  holds("a transport that is down costs no attempt, and gives up nothing for four days", { attempts: fc.nat({ max: 7 }), hours: fc.integer({ min: 0, max: 96 }) },
    ({ attempts, hours }) => {
      const after = afterDeliveryAttempt({ attempts, maybeTaken: 0 }, outcomes.Unreachable, hours * 3_600_000)
      return after.event === "deferred" && after.attempts === attempts
    })
  holdsForEvery("after five days it is given up", [outcomes.Unreachable, outcomes.DeferredEarly, outcomes.Deferred], (outcome) =>
    afterDeliveryAttempt({ attempts: 0, maybeTaken: 0 }, outcome, 5 * 86_400_000).failure === "EXHAUSTED")
  holds("what is said of an error is one line of at most 300 characters without an address", { words: fc.string({ maxLength: 600, unit: fc.constantFrom("a", "@", ".", "<", ">", " ", "\r\n", "😀", ":", "1") }), address: fc.emailAddress() },
    ({ address, words }) => {
      const shown = shownError(`${words} <${address}> ${words}`)
      return [...shown].length <= 300 && !/[\r\n]/.test(shown) && !/[^\s<>@,;:"'()[\]]@[^\s<>@,;"'()[\]]/.test(shown)
    })
})

rule("DELIVERY-5", {
  says: "One document goes to a few mailboxes and an organization asks for a bounded number an hour: the installation's address is not for " +
    "sending to anybody else.",
  source: "Decisions §12"
}, ({ holds, holdsForEvery }) => {
  const use = fc.record({ otherRecipients: fc.nat({ max: 20 }), deliveriesOfDocument: fc.nat({ max: 60 }), inLastHour: fc.nat({ max: 12_000 }) })
  holds("exactly what stays under every limit is allowed", { use, environment: fc.constantFrom("sandbox" as const, "production" as const) }, ({ environment, use: used }) =>
    (brokenLimit(used, environment) === null) ===
      (used.otherRecipients < 10 && used.deliveriesOfDocument < 30 && used.inLastHour < (environment === "sandbox" ? 1_000 : 10_000)))
  holdsForEvery("the document's limit is told before the hour's", [{ otherRecipients: 10, deliveriesOfDocument: 0, inLastHour: 1_000_000 }],
    (used) => brokenLimit(used, "production") === "DOCUMENT")
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
  says: "A request names one receipt and one mailbox; formats and language are optional, and follow the taxpayer's settings where none is said.",
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
    return Result.isSuccess(answer) && answer.success.formats === null && answer.success.locale === null &&
      answer.success.recipient === body.recipient && answer.success.fiscalDocumentId === documentUuid
  })
  holdsForEvery("any PDF and the official text can be attached, in every language", deliveryFormats.flatMap((format) => ["sr-Cyrl", "sr-Latn", "en"].map((locale) => ({ format, locale }))),
    ({ format, locale }) => {
      const answer = decodeReceiptDeliveryRequest({ ...body, formats: [format], locale })
      return Result.isSuccess(answer) && answer.success.formats?.join() === format && answer.success.locale === locale
    })
  holdsForEvery("no other representation is", RepresentationFormat.literals.filter((format) => !/^pdf-|^official-text$/.test(format)), (format) =>
    faultsOf({ ...body, formats: [format] }).join() === "/formats/0")
  holdsForEvery("every PDF there is can be", RepresentationFormat.literals.filter((format) => format.startsWith("pdf-")), (format) => faultsOf({ ...body, formats: [format] }).length === 0)
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
