import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { DocumentEvent, nextStatus } from "../../src/documents/documentTransitions.ts"
import type { LineItem } from "../../src/documents/LineItem.ts"
import {
  nextProformaTrainingStatus,
  ProformaTrainingActor,
  ProformaTrainingEvent,
  proformaTrainingEventActors,
  proformaTrainingEventOf
} from "../../src/proforma-training/proformaTrainingTransitions.ts"
import { proformaTrainingStatus, ProformaTrainingStatus } from "../../src/proforma-training/ProformaTrainingWorkflow.ts"
import { repeatSource } from "../../src/proforma-training/repeatSource.ts"
import { claimSource, type SourceRefund } from "../../src/proforma-training/sourceClaim.ts"
import { sourceReference } from "../../src/proforma-training/sourceReference.ts"
import { businessPremiseId, fiscalDocumentId, referencedDocument, taxpayerId } from "../arbitraries/ReferencedDocument.ts"
import { workflowId } from "../arbitraries/RefundItem.ts"
import { decimal, lineOf, saleLine } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

// The moves, written once more by hand: status, event → status.
const moves: ReadonlyArray<readonly [ProformaTrainingStatus, ProformaTrainingEvent, ProformaTrainingStatus]> = [
  ["PENDING", "documentSent", "PENDING"],
  ["PENDING", "documentSigned", "COMPLETED"],
  ["PENDING", "documentRejected", "FAILED"],
  ["PENDING", "documentNotSent", "PENDING"],
  ["PENDING", "documentUnknown", "OUTCOME_UNKNOWN"],
  ["OUTCOME_UNKNOWN", "documentSigned", "COMPLETED"],
  ["OUTCOME_UNKNOWN", "documentRejected", "FAILED"],
  ["OUTCOME_UNKNOWN", "documentUnknown", "OUTCOME_UNKNOWN"],
  ["OUTCOME_UNKNOWN", "documentConfirmedNotIssued", "PENDING"]
]

const allCells = ProformaTrainingStatus.literals.flatMap((from) => ProformaTrainingEvent.literals.map((event) => ({ from, event })))

rule("PROFORMA-1", {
  says: "A proforma or training workflow moves only as the table says; every other move is refused, and what is done or failed stays so.",
  source: "Decisions §4 (late answers), §5 Proforma and training"
}, ({ holdsForEvery }) => {
  holdsForEvery("every status with every event", allCells, ({ from, event }) => {
    const move = moves.find(([status, cause]) => status === from && cause === event)
    const answer = nextProformaTrainingStatus(from, event)
    return move === undefined
      ? Result.isFailure(answer) && answer.failure.from === from && answer.failure.event === event
      : Result.isSuccess(answer) && answer.success === move[2]
  })
})

rule("PROFORMA-2", {
  says: "Only an operator decides that an unknown document was not issued; only the caller's own key sends; a worker only learns outcomes.",
  source: "Decisions §4 (the operator decides; never resubmitted)"
}, ({ holdsForEvery }) => {
  const expected: Readonly<Record<ProformaTrainingEvent, ReadonlyArray<ProformaTrainingActor>>> = {
    documentSent: ["caller"],
    documentSigned: ["caller", "worker", "operator"],
    documentRejected: ["caller", "worker"],
    documentNotSent: ["caller"],
    documentUnknown: ["caller", "worker"],
    documentConfirmedNotIssued: ["operator"]
  }
  const pairs = ProformaTrainingEvent.literals.flatMap((event) => ProformaTrainingActor.literals.map((actor) => ({ event, actor })))
  holdsForEvery("every event with every actor", pairs, ({ event, actor }) => {
    const actors: ReadonlyArray<ProformaTrainingActor> = proformaTrainingEventActors[event]
    return actors.includes(actor) === expected[event].includes(actor)
  })
})

rule("PROFORMA-3", {
  says: "The workflow's status is what its document says: not sent is pending, for the same key goes on; only a rejection fails it.",
  source: "Decisions §5, Proforma and training (201/200, 503, 503, 422)"
}, ({ holdsForEvery }) => {
  const expected: Readonly<Record<DocumentStatus, ProformaTrainingStatus>> = {
    RECEIVED: "PENDING",
    VALIDATED: "PENDING",
    SUBMITTING: "PENDING",
    NOT_FISCALIZED: "PENDING",
    OUTCOME_UNKNOWN: "OUTCOME_UNKNOWN",
    RECONCILING: "OUTCOME_UNKNOWN",
    FISCALIZED: "COMPLETED",
    REJECTED: "FAILED"
  }
  holdsForEvery("every status of a document", [...DocumentStatus.literals], (status) => proformaTrainingStatus(status) === expected[status])
})

interface OneDocument {
  status: DocumentStatus
}
interface Workflow {
  status: ProformaTrainingStatus
}

/** What can happen to a document a caller asked for: nobody has its rejection retried. */
type OwnEvent = keyof typeof proformaTrainingEventOf
const ownEvents = DocumentEvent.literals.filter((event): event is OwnEvent => event !== "retriedByOperator")

class Happens implements fc.Command<OneDocument, Workflow> {
  readonly event: OwnEvent
  constructor(event: OwnEvent) {
    this.event = event
  }
  check = (document: Readonly<OneDocument>): boolean => Result.isSuccess(nextStatus(document.status, this.event))
  run(document: OneDocument, workflow: Workflow): void {
    document.status = Result.getOrThrow(nextStatus(document.status, this.event))
    workflow.status = Result.getOrThrow(nextProformaTrainingStatus(workflow.status, proformaTrainingEventOf[this.event]))
    if (workflow.status !== proformaTrainingStatus(document.status)) throw new Error(`the table says ${workflow.status}`)
  }
  toString = (): string => this.event
}

rule("PROFORMA-4", {
  says: "Whatever happens to the document, late answers and operators' decisions included, the workflow's table follows it.",
  source: "Decisions §4, The document's life; §5 Proforma and training"
}, ({ holdsForHistories }) => {
  holdsForHistories<OneDocument, Workflow>(
    "in any order of events the document's own table allows",
    fc.commands(ownEvents.map((event) => fc.constant(new Happens(event))), { maxCommands: 40 }),
    () => ({ model: { status: "RECEIVED" }, real: { status: "PENDING" } })
  )
})

const invoiceType = fc.constantFrom("PROFORMA" as const, "TRAINING" as const)

rule("PROFORMA-5", {
  says: "A sale refers to nothing. A refund refers to a fiscalized sale of its own kind, taxpayer and premise, number and time digit for digit.",
  source: "Spec, Reference matrix; Decisions §2 (precedence), §5 Proforma and training",
  proves: [
    "REFERENCE_DOCUMENT_NOT_FOUND",
    "REFERENCE_DOCUMENT_SCOPE_MISMATCH",
    "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED",
    "REFERENCE_DOCUMENT_NOT_FISCALIZED"
  ]
}, ({ holds }) => {
  const place = fc.record({ taxpayerId, businessPremiseId })
  holds("a sale with a reference is refused, without one it has none", { place, invoiceType, id: fiscalDocumentId, source: referencedDocument },
    ({ place: at, invoiceType: type, id, source }) => {
      const sale = { ...at, invoiceType: type, transactionType: "SALE" } as const
      const plain = sourceReference({ ...sale, referenced: null }, null)
      const refused = sourceReference({ ...sale, referenced: id }, source)
      return Result.isSuccess(plain) && plain.success === null &&
        Result.isFailure(refused) && refused.failure.code === "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"
    })
  holds("a refund's source is judged in the order of the catalogue's precedence", { place, invoiceType, id: fiscalDocumentId, source: fc.option(referencedDocument), near: fc.boolean(), sameKind: fc.boolean() },
    ({ place: at, invoiceType: type, id, source: any, near, sameKind }) => {
      const source = any === null ? null : {
        ...any,
        ...(near ? at : {}),
        ...(sameKind ? { invoiceType: type, transactionType: "SALE" as const } : {})
      }
      const answer = sourceReference({ ...at, invoiceType: type, transactionType: "REFUND", referenced: id }, source)
      const inScope = source?.taxpayerId === at.taxpayerId && source.businessPremiseId === at.businessPremiseId
      const code = Result.isFailure(answer) ? answer.failure.code : null
      if (source === null) return Result.isFailure(answer) && answer.failure.code === "REFERENCE_DOCUMENT_NOT_FOUND" && answer.failure.fiscalDocumentId === id
      if (!inScope) return code === "REFERENCE_DOCUMENT_SCOPE_MISMATCH"
      if (source.invoiceType !== type || source.transactionType !== "SALE") return code === "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"
      if (source.status !== "FISCALIZED") return code === "REFERENCE_DOCUMENT_NOT_FISCALIZED"
      return Result.isSuccess(answer) && answer.success?.pfrNumber === source.pfr?.invoiceNumber && answer.success?.pfrTime === source.pfr?.sdcTime
    })
})

const lines = fc.array(saleLine, { minLength: 1, maxLength: 6 })

/** Where `repeatSource` finds fault; empty when it repeats. */
const faultsAt = (source: ReadonlyArray<LineItem>, items: ReadonlyArray<LineItem>): ReadonlyArray<string> => {
  const answer = repeatSource(source, items)
  return Result.isSuccess(answer) ? [] : answer.failure.details.map(({ pointer }) => pointer)
}

rule("PROFORMA-6", {
  says: "A proforma or training refund gives back the whole document: all items of its sale, in their order, unchanged.",
  source: "Spec, refund-workflows, Related; Decisions §5, Proforma and training",
  proves: ["REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE"]
}, ({ holds, holdsForEvery }) => {
  holds("all items repeated are accepted, each with its line; the price before discount and the catalogue's product may differ", { lines }, ({ lines: source }) => {
    const product = "01900005-0000-7000-8000-000000000001"
    const answer = repeatSource(source, source.map((line) => ({ ...line, catalogProductId: product })))
    return Result.isSuccess(answer) && answer.success.every((item, at) => item.originalLineIndex === at) && answer.success.length === source.length
  })
  holds("an item left out at the end is named, and so is one added", { lines, more: saleLine }, ({ lines: source, more }) => {
    const shortened = faultsAt(source, source.slice(0, -1))
    const left = repeatSource([...source, more, more], source)
    const named = Result.isFailure(left) ? left.failure.details.map(({ originalLineIndex, message }) => `${originalLineIndex} ${message}`) : []
    const isNamed = named.length === 2 && named.every((line, at) => line.startsWith(`${source.length + at} must repeat the original's line ${source.length + at},`))
    const extended = faultsAt(source, [...source, more])
    return isNamed && shortened.join() === "/items" && extended.join() === `/items/${source.length}`
  })
  holds("two different items exchanged are both refused", { first: saleLine, second: saleLine }, ({ first, second }) => {
    const faults = faultsAt([{ ...first, name: "А" }, { ...second, name: "Б" }], [{ ...second, name: "Б" }, { ...first, name: "А" }])
    return faults.includes("/items/0/name") && faults.includes("/items/1/name")
  })
  holds("less of an item is not the whole, nor is more", { lines, at: fc.nat() }, ({ lines: source, at }) => {
    const index = at % source.length
    const doubled = source.map((line, place) =>
      place === index ? { ...line, quantity: BigDecimal.sum(line.quantity, line.quantity) as LineItem["quantity"] } : line
    )
    return faultsAt(source, doubled).join() === `/items/${index}/quantity` && faultsAt(doubled, source).join() === `/items/${index}/quantity`
  })
  const line = lineOf("10", "2")
  const changes: ReadonlyArray<readonly [Partial<LineItem>, string]> = [
    [{ name: "хлеб" }, "/items/0/name"],
    [{ unitOfMeasure: "kg" }, "/items/0/unitOfMeasure"],
    [{ unitPrice: decimal("10.01") as LineItem["unitPrice"] }, "/items/0/unitPrice"],
    [{ taxLabels: ["Ђ", "Е"] }, "/items/0/taxLabels"],
    [{ gtin: "12345678" }, "/items/0/gtin"],
    [{ quantity: decimal("1.999") as LineItem["quantity"] }, "/items/0/quantity"]
  ]
  holdsForEvery("each field that differs is named at its place, with what it would have to be", changes, ([change, pointer]) => {
    const answer = repeatSource([line], [{ ...line, ...change }])
    return Result.isFailure(answer) && answer.failure.code === "REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE" &&
      answer.failure.details.length === 1 && answer.failure.details[0]?.pointer === pointer && answer.failure.details[0].message.startsWith("must be ")
  })
})

/** What the rule allows at any moment: at most one refund of the source that is not failed. */
interface Expected {
  readonly statuses: Map<number, ProformaTrainingStatus>
}
interface Source {
  refunds: ReadonlyArray<SourceRefund>
}

class Asks implements fc.Command<Expected, Source> {
  readonly workflow: number
  constructor(workflow: number) {
    this.workflow = workflow
  }
  check = (): boolean => true
  run(expected: Expected, source: Source): void {
    const id = workflowId(this.workflow)
    const others = [...expected.statuses].filter(([workflow, status]) => workflow !== this.workflow && status !== "FAILED")
    const answer = claimSource(id, source.refunds)
    const [other] = others
    if (other === undefined) {
      if (Result.isFailure(answer)) throw new Error(`refused with ${answer.failure.code} although nothing is in the way`)
      if (expected.statuses.has(this.workflow)) return
      expected.statuses.set(this.workflow, "PENDING")
      source.refunds = [...source.refunds, { workflowId: id, status: "PENDING" }]
      return
    }
    const code = other[1] === "COMPLETED" ? "PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED" : "PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT"
    if (Result.isSuccess(answer) || answer.failure.code !== code) throw new Error(`should be refused with ${code}`)
    if (answer.failure.workflowId !== workflowId(other[0])) throw new Error("names another workflow than the one in the way")
  }
  toString = (): string => `refund ${this.workflow} asks`
}

class Ends implements fc.Command<Expected, Source> {
  readonly workflow: number
  readonly event: ProformaTrainingEvent
  constructor(workflow: number, event: ProformaTrainingEvent) {
    this.workflow = workflow
    this.event = event
  }
  check = ({ statuses }: Readonly<Expected>): boolean => {
    const status = statuses.get(this.workflow)
    return status !== undefined && Result.isSuccess(nextProformaTrainingStatus(status, this.event))
  }
  run({ statuses }: Expected, source: Source): void {
    const status = Result.getOrThrow(nextProformaTrainingStatus(statuses.get(this.workflow) ?? "PENDING", this.event))
    statuses.set(this.workflow, status)
    const id = workflowId(this.workflow)
    source.refunds = source.refunds.map((refund) => (refund.workflowId === id ? { ...refund, status } : refund))
    if (source.refunds.filter((refund) => refund.status === "COMPLETED").length > 1) throw new Error("given back twice")
  }
  toString = (): string => `refund ${this.workflow}: ${this.event}`
}

rule("PROFORMA-7", {
  says: "A proforma or training sale is given back at most once: a refund not yet resolved keeps every other away, a completed one for " +
    "good, a failed one frees it; the refund's own key is never in its own way.",
  source: "Spec, Errors, Catalogue; Decisions §5, Proforma and training",
  proves: ["PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT", "PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED"]
}, ({ holds, holdsForHistories }) => {
  const number = fc.integer({ min: 1, max: 4 })
  holdsForHistories<Expected, Source>(
    "four refunds of one sale, asked for and ended in any order",
    fc.commands([
      number.map((workflow) => new Asks(workflow)),
      fc.tuple(number, fc.constantFrom(...ProformaTrainingEvent.literals)).map(([workflow, event]) => new Ends(workflow, event))
    ], { maxCommands: 60 }),
    () => ({ model: { statuses: new Map() }, real: { refunds: [] } })
  )
  holds("where a completed one and an open one are both there, the completed one is named", { open: number }, ({ open }) => {
    const answer = claimSource(workflowId(9), [
      { workflowId: workflowId(open), status: "PENDING" },
      { workflowId: workflowId(7), status: "COMPLETED" }
    ])
    return Result.isFailure(answer) && answer.failure.code === "PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED" && answer.failure.workflowId === workflowId(7)
  })
})
