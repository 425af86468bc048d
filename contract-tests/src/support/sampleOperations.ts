import {
  type Attempt,
  type Conclusion,
  documentActors,
  DocumentContent,
  type Operation,
  type Reservation,
  type SignedAnswer,
  type Transition
} from "@overa/domain"
import { BigDecimal, DateTime, Schema } from "effect"
import { mintKey, mintUuid } from "./mintIdentity.ts"

const decimal = BigDecimal.fromStringUnsafe

/** The instant of the samples, to the millisecond. */
export const sampleTime = DateTime.toUtc(DateTime.makeUnsafe("2026-03-04T05:06:07.089Z"))

/** Some milliseconds after `sampleTime`. */
export const after = (millis: number): DateTime.Utc => DateTime.add(sampleTime, { milliseconds: millis })

/** A content with everything that is difficult to store: decimals of several scales, metadata of every kind, Cyrillic, null members. */
export const sampleContent = (lines = 2): DocumentContent =>
  Schema.decodeUnknownSync(Schema.toType(DocumentContent))({
    invoiceType: "NORMAL",
    transactionType: "SALE",
    clientReference: "порџбина-4711",
    cashier: { id: "web", displayName: "Ана" },
    buyer: { id: "10:101883300", optionalField: null },
    items: Array.from({ length: lines }, (_, index) => ({
      name: `Књига „Дервиш и смрт" ${index}`,
      unitOfMeasure: "ком",
      quantity: decimal("1.250"),
      unitPrice: decimal("100.40"),
      unitPriceBeforeDiscount: decimal("120"),
      gtin: "8600000000017",
      catalogProductId: null,
      taxLabels: ["Ђ"],
      originalLineIndex: null
    })),
    payments: [{ type: "CARD", amount: BigDecimal.multiply(decimal("125.50"), BigDecimal.fromBigInt(BigInt(lines))) }],
    commercialFooter: "хвала\nна поверењу",
    metadata: { text: "1.5", number: decimal("1.5"), yes: true, nothing: null },
    reference: null,
    dateAndTimeOfIssue: null,
    advanceClosing: null,
    esirNumber: "1234/1.0",
    preferredPaperFormat: "a4",
    brandingId: null
  })

type Place = Pick<Operation, "organizationId" | "environment" | "taxpayerId" | "businessPremiseId">

/** A place of issue that no other test uses. */
export const mintPlace = (environment: Operation["environment"] = "sandbox"): Place => ({
  organizationId: mintUuid() as Operation["organizationId"],
  environment,
  taxpayerId: mintUuid() as Operation["taxpayerId"],
  businessPremiseId: mintUuid() as Operation["businessPremiseId"]
})

const content = sampleContent()

/** A fresh operation of a place, as the first commit takes it. */
export const sampleOperation = (place: Place, changes: Partial<Operation> = {}): Operation => ({
  ...place,
  id: mintUuid() as Operation["id"],
  clientId: "svc-sbx-tests",
  boundKey: {
    role: "REQUEST",
    key: mintKey(),
    target: "POST /v1/fiscal-documents",
    body: "{\"clientReference\":\"порџбина-4711\"}",
    fingerprint: { version: 1, digest: "00ff" }
  },
  content,
  workflow: null,
  status: "SUBMITTING",
  attempt: 1,
  failureCode: null,
  rejection: null,
  answer: null,
  buyerDetails: null,
  createdAt: sampleTime,
  updatedAt: sampleTime,
  nextCheckAt: null,
  ...changes
})

/** An operation with a content of 1.2 MB. */
export const sampleLargeOperation = (place: Place): Operation => {
  const items = content.items.map((item) => ({ ...item, unitOfMeasure: "ж".repeat(300_000) }))
  return sampleOperation(place, { content: { ...content, items } })
}

/** An attempt of an operation. */
export const sampleAttempt = (operation: Operation, changes: Partial<Attempt> = {}): Attempt => ({
  operationId: operation.id,
  number: 1,
  requestId: mintUuid().replaceAll("-", ""),
  mark: null,
  elementId: mintUuid() as Attempt["elementId"],
  jid: "ABCD2345",
  hostId: "host-a",
  bootId: "boot-1",
  startedAt: sampleTime,
  outcome: null,
  lastSearch: null,
  ...changes
})

const transition = (from: Transition["from"], to: Transition["to"], cause: Transition["cause"], attempt: number): Transition => ({
  from,
  to,
  at: sampleTime,
  cause,
  actor: "api:host-a",
  attempt
})

/** The first commit of an operation: received, validated, reserved. */
export const sampleReservation = (
  operation: Operation,
  changes: { readonly attempt?: Partial<Attempt>; readonly leaseMillis?: number } = {}
): Reservation => ({
  operation,
  attempt: sampleAttempt(operation, changes.attempt),
  transitions: [
    transition(null, "RECEIVED", "received", 0),
    transition("RECEIVED", "VALIDATED", "validated", 0),
    transition("VALIDATED", "SUBMITTING", "reserved", 1)
  ],
  leaseMillis: changes.leaseMillis ?? 50_000
})

/** A reservation whose element could not be opened: stored once, NOT_FISCALIZED, without an attempt. */
export const sampleUnsentReservation = (place: Place): Reservation => {
  const operation = sampleOperation(place, { status: "NOT_FISCALIZED", attempt: 0, failureCode: "PFR_SECURITY_ELEMENT_UNAVAILABLE" })
  return {
    operation,
    attempt: null,
    transitions: [
      transition(null, "RECEIVED", "received", 0),
      transition("RECEIVED", "VALIDATED", "validated", 0),
      transition("VALIDATED", "NOT_FISCALIZED", "notSent", 0)
    ],
    leaseMillis: 0
  }
}

let counter = 0

/** A signed answer with a number of its own. */
export const sampleAnswer = (invoiceNumber = `ABCD2345-ABCD2345-${++counter}-${mintUuid().slice(-6)}`): SignedAnswer => ({
  text: `{"invoiceNumber":"${invoiceNumber}","journal":"======\\r\\nФИСКАЛНИ РАЧУН"}`,
  pfr: {
    invoiceNumber,
    sdcTime: "2026-03-04T06:06:08.4551405+01:00" as SignedAnswer["pfr"]["sdcTime"],
    requestedBy: "ABCD2345",
    signedBy: "ABCD2345",
    transactionTypeCounter: 7,
    totalCounter: 9,
    invoiceCounterExtension: "ПП",
    totalAmount: decimal("251.00"),
    totalTax: decimal("41.8334"),
    verificationUrl: "https://example.test/v/?vl=A0FB",
    journal: "======\r\nФИСКАЛНИ РАЧУН\r\n"
  },
  taxes: [{ label: "Ђ", category: "О-ПДВ", categoryType: 0, rate: decimal("20"), amount: decimal("41.8334") }],
  taxGroupRevision: 4,
  businessName: "СИМУЛАТОР д.о.о.",
  tin: "101883300",
  encryptedInternalData: "AAEC",
  signature: null
})

/** A conclusion of an operation's first attempt. */
export const sampleConclusion = (operation: Operation, changes: Partial<Conclusion> & Pick<Conclusion, "event">): Conclusion => ({
  organizationId: operation.organizationId,
  operationId: operation.id,
  workflow: null,
  attempt: 1,
  at: after(1_500),
  // The first actor that may cause the event (Decisions §4, The operator decides).
  actor: `${documentActors[changes.event][0]}:host-a`,
  attemptOutcome: null,
  failureCode: null,
  rejection: null,
  answer: null,
  answerText: null,
  buyerDetails: null,
  nextCheckAfterMillis: null,
  attention: [],
  ...changes
})

/** The V-PFR signed. */
export const signed = (operation: Operation, changes: Partial<Conclusion> = {}): Conclusion =>
  sampleConclusion(operation, { event: "signed", attemptOutcome: "SIGNED", answer: sampleAnswer(), ...changes })

/** Nothing was sent. */
export const notSent = (operation: Operation, changes: Partial<Conclusion> = {}): Conclusion =>
  sampleConclusion(operation, { event: "notSent", attemptOutcome: "NOT_SENT", failureCode: "PFR_UNAVAILABLE", ...changes })

/** The outcome is unknown. */
export const noAnswer = (operation: Operation, changes: Partial<Conclusion> = {}): Conclusion =>
  sampleConclusion(operation, {
    event: "noAnswer",
    attemptOutcome: "NO_ANSWER",
    failureCode: "OUTCOME_UNKNOWN",
    nextCheckAfterMillis: 0,
    ...changes
  })

/** The V-PFR refused the request. */
export const rejected = (operation: Operation, changes: Partial<Conclusion> = {}): Conclusion =>
  sampleConclusion(operation, {
    event: "rejected",
    attemptOutcome: "REJECTED",
    failureCode: "PFR_VALIDATION_REJECTED",
    rejection: { items: [{ property: "items[0].taxLabels[0]", codes: ["2310"] }] },
    answerText: "{\"modelState\":[]}",
    ...changes
  })

/** The next attempt of an operation that was not sent, as it is offered to the store. */
export const redriveOf = (operation: Operation, number: number, leaseMillis = 50_000) => ({
  operation: { ...operation, status: "SUBMITTING" as const, attempt: number, failureCode: null, updatedAt: after(9_000) },
  attempt: sampleAttempt(operation, { number, startedAt: after(9_000) }),
  transition: {
    from: "NOT_FISCALIZED" as const,
    to: "SUBMITTING" as const,
    at: after(9_000),
    cause: "redriven" as const,
    actor: "api:host-b",
    attempt: number
  },
  leaseMillis
})
