import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { DocumentEvent, nextStatus } from "../../src/documents/documentTransitions.ts"
import type { LineItem } from "../../src/documents/LineItem.ts"
import {
  claimSource, proformaTrainingStatus, ProformaTrainingStatus, repeatSource, type SourceRefund
} from "../../src/proforma-training/ProformaTrainingWorkflow.ts"
import { businessPremiseId, fiscalDocumentId, referencedDocument, taxpayerId } from "../arbitraries/ReferencedDocument.ts"
import { workflowId } from "../arbitraries/RefundItem.ts"
import { decimal, lineOf, saleLine } from "../arbitraries/SaleLine.ts"
import { callerMayReference, checkReference } from "../../src/references/checkReference.ts"
import { rule } from "./ruleBook.ts"

// Every transition a workflow can make, computed from the events of its one document.
const moves: Readonly<Record<ProformaTrainingStatus, ReadonlyArray<ProformaTrainingStatus>>> = {
  PENDING: ["PENDING", "OUTCOME_UNKNOWN", "COMPLETED", "FAILED"],
  OUTCOME_UNKNOWN: ["OUTCOME_UNKNOWN", "PENDING", "COMPLETED", "FAILED"],
  COMPLETED: [],
  FAILED: []
}

/** The events of a document that a caller asked for: its rejection is never retried, and it has no closing. */
const ownEvents = DocumentEvent.literals.filter((event) => event !== "retriedByOperator" && event !== "closingGivenUp")
const happenings = DocumentStatus.literals.flatMap((from) =>
  ownEvents.flatMap((event) => {
    const to = nextStatus(from, event)
    return Result.isSuccess(to) ? [{ from, event, to: to.success }] : []
  })
)

rule("PROFORMA-1", {
  says: "Whatever happens to its document, late answers and operators' decisions included, a workflow that is done or failed stays so; an " +
    "unknown one becomes pending again only by an operator's decision.",
  source: "Decisions §4 (late answers, the operator decides), §5 Proforma and training"
}, ({ holdsForEvery }) => {
  holdsForEvery("every move of a document moves its workflow as the table says", happenings, ({ from, to }) =>
    moves[proformaTrainingStatus(from)].includes(proformaTrainingStatus(to)))
  holdsForEvery("and every move of the table happens", ProformaTrainingStatus.literals.flatMap((from) => moves[from].map((to) => ({ from, to }))), (move) =>
    happenings.some(({ from, to }) => proformaTrainingStatus(from) === move.from && proformaTrainingStatus(to) === move.to))
  const resumed = happenings.filter(({ from, to }) => proformaTrainingStatus(from) === "OUTCOME_UNKNOWN" && proformaTrainingStatus(to) === "PENDING")
  holdsForEvery("from unknown to pending leads the operator's decision alone", resumed, ({ event }) => event === "confirmedNotIssued")
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
  holds("a sale that names any document is refused", { invoiceType }, ({ invoiceType: type }) => {
    const refused = callerMayReference({ invoiceType: type, transactionType: "SALE" })
    return Result.isFailure(refused) && refused.failure.code === "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"
  })
  holds("a refund's source is judged in the order of the catalogue's precedence", { place, invoiceType, id: fiscalDocumentId, source: fc.option(referencedDocument), near: fc.boolean(), sameKind: fc.boolean() },
    ({ place: at, invoiceType: type, id, source: any, near, sameKind }) => {
      const source = any === null ? null : {
        ...any,
        ...(near ? at : {}),
        ...(sameKind ? { invoiceType: type, transactionType: "SALE" as const } : {})
      }
      const answer = checkReference({ ...at, invoiceType: type, transactionType: "REFUND" }, id, source)
      const inScope = source?.taxpayerId === at.taxpayerId && source.businessPremiseId === at.businessPremiseId
      const code = Result.isFailure(answer) ? answer.failure.code : null
      if (source === null) return Result.isFailure(answer) && answer.failure.code === "REFERENCE_DOCUMENT_NOT_FOUND" && answer.failure.fiscalDocumentId === id
      if (!inScope) return code === "REFERENCE_DOCUMENT_SCOPE_MISMATCH"
      if (source.invoiceType !== type || source.transactionType !== "SALE") return code === "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"
      if (source.status !== "FISCALIZED") return code === "REFERENCE_DOCUMENT_NOT_FISCALIZED"
      return Result.isSuccess(answer) && answer.success.pfrNumber === source.pfr?.invoiceNumber && answer.success.pfrTime === source.pfr?.sdcTime
    })
})

const lines = fc.array(saleLine, { minLength: 1, maxLength: 6 })

/** The places where `repeatSource` finds a fault; empty when the items repeat the source. */
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

/** The expectation of the rule at any moment: at most one refund of the source that is not failed. */
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
  readonly to: ProformaTrainingStatus
  constructor(workflow: number, to: ProformaTrainingStatus) {
    this.workflow = workflow
    this.to = to
  }
  check = ({ statuses }: Readonly<Expected>): boolean => {
    const status = statuses.get(this.workflow)
    return status !== undefined && moves[status].includes(this.to)
  }
  run({ statuses }: Expected, source: Source): void {
    const status = this.to
    statuses.set(this.workflow, status)
    const id = workflowId(this.workflow)
    source.refunds = source.refunds.map((refund) => (refund.workflowId === id ? { ...refund, status } : refund))
    if (source.refunds.filter((refund) => refund.status === "COMPLETED").length > 1) throw new Error("given back twice")
  }
  toString = (): string => `refund ${this.workflow}: ${this.to}`
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
      fc.tuple(number, fc.constantFrom(...ProformaTrainingStatus.literals)).map(([workflow, to]) => new Ends(workflow, to))
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
