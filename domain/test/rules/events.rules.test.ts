import { DateTime, Result } from "effect"
import * as fc from "fast-check"
import type { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { type DocumentEvent, documentTransitions } from "../../src/documents/documentTransitions.ts"
import { changeEvent, changesOf, type ChangeType, type DocumentChangeType, documentChangeTypes, notedEvent, type NumberedChange } from "../../src/events/ChangeEvent.ts"
import { deliveryChange, elementChange, licenseChange, licenseExpiry, type NotedChange, notedTypes } from "../../src/events/notedChange.ts"
import { ReceiptDeliveryId } from "../../src/delivery/ReceiptDelivery.ts"
import { readEventQuery } from "../../src/events/eventQuery.ts"
import type { Transition, WorkflowLink } from "../../src/operations/Operation.ts"
import { FiscalDocumentId, OrganizationId, SecurityElementId, WorkflowId } from "../../src/tenancy/identifiers.ts"
import { rule } from "./ruleBook.ts"

const at = DateTime.makeUnsafe("2026-08-29T10:00:00.123Z")

/** Every cell of the table of transitions. */
const cells: ReadonlyArray<Transition> = (Object.keys(documentTransitions) as Array<DocumentStatus>).flatMap((from) =>
  (Object.entries(documentTransitions[from]) as Array<[DocumentEvent, DocumentStatus]>).map(([cause, to]) => ({ from, to, at, cause, actor: "api:a", attempt: 1 }))
)

/** By the status that a caller reads. */
const outcomeTypes: Readonly<Partial<Record<DocumentStatus, ReadonlyArray<ChangeType>>>> = {
  FISCALIZED: ["document.fiscalized", "document.found"],
  REJECTED: ["document.rejected"],
  NOT_FISCALIZED: ["document.not_fiscalized"],
  OUTCOME_UNKNOWN: ["document.outcome_unknown"]
}

rule("EVENT-1", {
  says: "A transition to an outcome is one event of that outcome; a step between two outcomes, or one that leaves the outcome as it was, is none.",
  source: "docs/adr/0176"
}, ({ holdsForEvery }) => {
  holdsForEvery("every cell of the table of transitions", cells, (transition) => {
    const types = outcomeTypes[transition.to] ?? []
    const isSame = transition.to === transition.from || (transition.from === "RECONCILING" && transition.to === "OUTCOME_UNKNOWN")
    const changes = changesOf(transition, null)
    return types.length === 0 || isSame ? changes.length === 0 : changes.length === 1 && changes.every((change) => types.includes(change))
  })
  holdsForEvery("a receipt that the V-PFR's answer to the sending brought is fiscalized, every other one found", cells.filter(({ to }) => to === "FISCALIZED"), (transition) =>
    changesOf(transition, null)[0] === (transition.from === "SUBMITTING" && transition.cause === "signed" ? "document.fiscalized" : "document.found"))
  const workflows = [["REFUND", "refund_workflow.changed"], ["ADVANCE", "advance_case.changed"], ["PROFORMA_TRAINING", "proforma_training_workflow.changed"]] as const
  holdsForEvery("the workflow's change follows the outcome, and a closing that was given up changes its case alone",
    cells.flatMap((transition) => workflows.map((workflow) => ({ transition, workflow }))), ({ transition, workflow: [type, change] }) => {
      const [alone, together] = [changesOf(transition, null), changesOf(transition, type)]
      const isChange = alone.length > 0 || transition.cause === "closingGivenUp"
      return JSON.stringify(together) === JSON.stringify(isChange ? [...alone, change] : [])
    })
})

const change = (type: DocumentChangeType, changes: Partial<NumberedChange> = {}): NumberedChange => ({
  sequence: 7, type, at, documentId: FiscalDocumentId.make("01900003-0000-7000-8000-000000000001"), position: 4,
  workflow: { type: "ADVANCE", id: WorkflowId.make("01900003-0000-7000-8000-000000000002") } satisfies WorkflowLink, clientReference: "o-1",
  invoiceNumber: "A-A-1", ...changes
})
const tenant = { organizationId: OrganizationId.make("01900000-0000-7000-8000-000000000001"), environment: "sandbox" as const }
const idOf = (one: NumberedChange): string => changeEvent(tenant, one).id

rule("EVENT-2", {
  says: "An event's id depends on the change and not on its number; two changes never have one id.",
  source: "docs/adr/0176"
}, ({ holds, holdsForEvery }) => {
  holds("whatever the number", { sequence: fc.integer({ min: 1 }) }, ({ sequence }) => idOf(change("document.found", { sequence })) === idOf(change("document.found")))
  const others: ReadonlyArray<Partial<NumberedChange>> = [
    { position: 5 }, { type: "document.rejected" }, { at: DateTime.makeUnsafe("2026-08-29T10:00:00.124Z") }, { documentId: FiscalDocumentId.make("01900003-0000-7000-8000-000000000009") }
  ]
  holdsForEvery("each fact of the change counts", others, (other) => idOf(change("document.found", other)) !== idOf(change("document.found")))
  holdsForEvery("only an event of a receipt has its number, and only a workflow's event names the workflow", documentChangeTypes, (type) => {
    const { invoiceNumber, resource } = changeEvent(tenant, change(type))
    return (invoiceNumber !== null) === (type === "document.fiscalized" || type === "document.found") &&
      (resource.type === "FISCAL_DOCUMENT") === type.startsWith("document.")
  })
})

const deliveryId = ReceiptDeliveryId.make("01900003-0000-7000-8000-000000000003")
const elementId = SecurityElementId.make("01900003-0000-7000-8000-000000000004")
const documentId = FiscalDocumentId.make("01900003-0000-7000-8000-000000000001")
const later = DateTime.makeUnsafe("2026-08-29T10:00:00.124Z")
const notes: ReadonlyArray<NotedChange> = [
  ...(["QUEUED", "SENT", "FAILED"] as const).map((status) => deliveryChange({ id: deliveryId, fiscalDocumentId: documentId, status }, at)),
  ...(["security_element.activated", "security_element.replaced"] as const).map((type) => elementChange(type, elementId, at)),
  ...[60, 30, 14, 7, 1].map((days) => elementChange("security_element.expiring", elementId, at, days)),
  elementChange("security_element.expired", elementId, at, 0),
  licenseChange(tenant.organizationId, at, "one"), licenseChange(tenant.organizationId, at, "two"), licenseExpiry(tenant.organizationId, at), licenseExpiry(tenant.organizationId, later)
]
const notedId = (note: NotedChange, sequence = 1): string => notedEvent(tenant, { ...note, sequence, clientReference: "o-1" }).id

rule("EVENT-4", {
  says: "What changes beside documents is an event too: each change of a delivery, an element and a licence once, about what changed.",
  source: "docs/adr/0202"
}, ({ holds, holdsForEvery }) => {
  holds("an id depends on the change and not on its number", { sequence: fc.integer({ min: 1 }), which: fc.nat(notes.length - 1) }, ({ sequence, which }) => {
    const note = notes[which]
    return note !== undefined && notedId(note, sequence) === notedId(note)
  })
  holdsForEvery("two changes have two names and two ids", notes, (note) => notes.every((other) => other === note || (other.source !== note.source && notedId(other) !== notedId(note))))
  holdsForEvery("every kind of change is noted by one of them", notedTypes, (type) => notes.some((note) => note.type === type))
  holdsForEvery("it names what changed, and the document where it concerns one", notes, (note) => {
    const { clientReference, fiscalDocumentId, invoiceNumber, resource } = notedEvent(tenant, { ...note, sequence: 1, clientReference: "o-1" })
    const isDelivery = note.type.startsWith("receipt_delivery.")
    return resource.id === note.subjectId && invoiceNumber === null && (fiscalDocumentId !== null) === isDelivery && (clientReference !== null) === isDelivery &&
      resource.type === (isDelivery ? "RECEIPT_DELIVERY" : note.type.startsWith("license.") ? "LICENSE" : "SECURITY_ELEMENT")
  })
})

rule("EVENT-3", {
  says: "Events are asked for behind a whole number, and by the id of that event where the caller has it.",
  source: "docs/adr/0176"
}, ({ holds, holdsForEvery }) => {
  const read = (query: Readonly<Record<string, string>>) => readEventQuery(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])))
  const id = `evt_${"0f".repeat(16)}`
  holds("every number and size within the bounds is read as it is", { after: fc.integer({ min: 1, max: 999_999_999_999_999 }), pageSize: fc.integer({ min: 1, max: 200 }) },
    ({ after, pageSize }) => JSON.stringify(Result.getOrThrow(read({ after: String(after), afterId: id, pageSize: String(pageSize) }))) === JSON.stringify({ after, afterId: id, pageSize }))
  holdsForEvery("nothing asked for is all, from the first", [{}], (query) =>
    JSON.stringify(Result.getOrThrow(read(query))) === JSON.stringify({ after: 0, afterId: null, pageSize: 50 }))
  const wrong = [
    { after: "-1" }, { after: "01" }, { after: "1.5" }, { after: "1e3" }, { after: "" }, { after: "1000000000000000" }, { afterId: id }, { after: "0", afterId: id },
    { after: "1", afterId: "evt_1" }, { after: "1", afterId: id.toUpperCase() }, { pageSize: "0" }, { pageSize: "201" }, { pageSize: "ten" }
  ]
  holdsForEvery("everything else is refused", wrong, (query) => Result.isFailure(read(query)))
})
