import { DateTime } from "effect"
import * as fc from "fast-check"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { mayRejectionBeRetried } from "../../src/documents/documentTransitions.ts"
import { mayBeIssuedAnew, mayBeSentAgain } from "../../src/operations/afterFailure.ts"
import { isCarriedOnByService, isDueToBeSent } from "../../src/operations/carriedOnByService.ts"
import { presentDocument } from "../../src/documents/FiscalDocument.ts"
import { FiscalDocumentUnreadable } from "../../src/operations/FiscalDocumentUnreadable.ts"
import { raisesDoubt, statusInDoubt, whileInDoubt } from "../../src/operations/inDoubt.ts"
import { mayHaveArrived } from "../../src/operations/outcomeTable.ts"
import { nextCheckAfter, searchPeriodMillis } from "../../src/operations/nextCheck.ts"
import { type Attempt, type AttemptOutcome, lastSearchOf, type Operation, searchEnding, type SearchFinding } from "../../src/operations/Operation.ts"
import { toLatin } from "../../src/search/foldText.ts"
import { WorkflowId } from "../../src/tenancy/identifiers.ts"
import { operation as anyOperation, operationOf } from "../arbitraries/Operation.ts"
import { documentKinds } from "../arbitraries/ReferencedDocument.ts"
import { rule } from "./ruleBook.ts"

const id = WorkflowId.make("01900004-0000-7000-8000-000000000001")
const reference = { source: "SVC", pfrNumber: "A-A-1" } as unknown as NonNullable<Operation["content"]["reference"]>

rule("OPERATION-1", {
  says: "The service sends by itself only the signed copy of a cash refund, and the final sale of an advance case once it has its reference; everything else waits for its caller.",
  source: "Decisions §5, Refund workflow; Decisions §5, Advance case"
}, ({ holds, holdsForEvery }) => {
  const given = {
    kind: fc.constantFrom(...documentKinds),
    role: fc.constantFrom("REQUEST" as const, "INNER" as const),
    type: fc.option(fc.constantFrom("ADVANCE" as const, "REFUND" as const, "PROFORMA_TRAINING" as const)),
    refers: fc.boolean(),
    status: fc.constantFrom(...DocumentStatus.literals)
  }
  holds("every kind of document in every workflow", given, ({ kind, refers, role, status, type }) => {
    const base = operationOf({ status, workflow: type === null ? null : { type, id } as Operation["workflow"] })
    const operation: Operation = { ...base, boundKey: { ...base.boundKey, role }, content: { ...base.content, ...kind, reference: refers ? reference : null } }
    const isOwn = (kind.invoiceType === "COPY" && role === "INNER") || (kind.invoiceType === "NORMAL" && type === "ADVANCE" && refers)
    return isCarriedOnByService(operation) === isOwn && isDueToBeSent(operation) === (isOwn && (status === "VALIDATED" || status === "NOT_FISCALIZED"))
  }, { cases: 2_000 })
  const copy = operationOf({ status: "VALIDATED" })
  holdsForEvery("a copy that a caller asked for is the caller's", [["REQUEST", false], ["INNER", true]] as const, ([role, own]) =>
    isDueToBeSent({ ...copy, boundKey: { ...copy.boundKey, role }, content: { ...copy.content, invoiceType: "COPY" } }) === own)
})

rule("OPERATION-2", {
  says: "A search is kept with its time and whether it showed a receipt of somebody else; one without an answer is not kept.",
  source: "Decisions §4"
}, ({ holdsForEvery }) => {
  const at = DateTime.makeUnsafe("2026-08-29T10:00:00Z")
  holdsForEvery("every finding", [["NOTHING", false], ["FOREIGN", true], ["NO_ANSWER", null]] as const, ([finding, found]) => {
    const kept = lastSearchOf(finding, at)
    return found === null ? kept === null : kept?.found === found && kept.at === at
  })
})

rule("OPERATION-5", {
  says: "A search found nothing only where the V-PFR answered for every attempt, and there was one.",
  source: "Decisions §4"
}, ({ holds }) => {
  const findings = fc.array(fc.constantFrom<SearchFinding>("NOTHING", "FOREIGN", "NO_ANSWER"), { maxLength: 3 })
  holds("any findings", { findings }, ({ findings: all }) =>
    (searchEnding(all) === "notFound") === (all.length > 0 && all.every((finding) => finding !== "NO_ANSWER")) && ["notFound", "searchUnanswered"].includes(searchEnding(all)))
})

rule("OPERATION-4", {
  says: "An attempt may have left a receipt that nobody knows of while it has no outcome, or got no answer.",
  source: "Decisions §4"
}, ({ holdsForEvery }) => {
  holdsForEvery("every outcome", [[null, true], ["NO_ANSWER", true], ["SIGNED", false], ["REJECTED", false], ["NOT_SENT", false]] as const, ([outcome, may]) => mayHaveArrived({ outcome }) === may)
})

rule("OPERATION-6", {
  says: "What the service sends by itself always has a next check. Anything else is checked until seven days after its newest attempt that may have arrived.",
  source: "Decisions §4, Resolution; Decisions §5, Refund workflow and Advance case"
}, ({ holds }) => {
  const now = DateTime.makeUnsafe("2026-08-29T10:00:00Z")
  const ago = (millis: number) => DateTime.subtract(now, { milliseconds: millis })
  const age = fc.oneof(fc.integer({ min: 0, max: 30 * 86_400_000 }), fc.constantFrom(searchPeriodMillis - 1, searchPeriodMillis))
  const attempt = fc.record({ age, outcome: fc.constantFrom<AttemptOutcome | null>(null, "NO_ANSWER", "SIGNED", "REJECTED", "NOT_SENT") })
  const given = {
    status: fc.constantFrom(...DocumentStatus.literals),
    role: fc.constantFrom("REQUEST" as const, "INNER" as const),
    age,
    attempts: fc.array(attempt, { maxLength: 4 }),
    checks: fc.nat(30)
  }
  const checkedOf = ({ age: created, attempts, role, status }: { status: DocumentStatus; role: "REQUEST" | "INNER"; age: number; attempts: ReadonlyArray<{ age: number; outcome: AttemptOutcome | null }> }) => {
    const copy = operationOf({ status, createdAt: ago(created) })
    const made = attempts.toSorted((left, right) => right.age - left.age)
      .map((one, index) => ({ number: index + 1, outcome: one.outcome, startedAt: ago(one.age) }) as Attempt)
    return { attempts: made, operation: { ...copy, boundKey: { ...copy.boundKey, role }, content: { ...copy.content, invoiceType: "COPY" as const } } }
  }
  holds("a copy with any attempts, of any age", given, ({ checks, ...facts }) => {
    const checked = checkedOf(facts)
    const next = nextCheckAfter({ ...checked, checks }, now)
    const newest = checked.attempts.filter(({ outcome }) => mayHaveArrived({ outcome })).map(({ startedAt }) => startedAt).at(-1) ?? checked.operation.createdAt
    const isOver = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(newest) >= searchPeriodMillis
    return (next === null) === (isOver && !isDueToBeSent(checked.operation))
  }, { cases: 2_000 })
  holds("the pauses grow from five seconds to an hour and no further", { checks: fc.nat(40) }, ({ checks }) => {
    const pauseOf = (count: number) => nextCheckAfter({ operation: operationOf({ status: "OUTCOME_UNKNOWN", createdAt: now }), attempts: [], checks: count }, now) ?? 0
    return pauseOf(0) === 5_000 && pauseOf(1) === 30_000 && pauseOf(checks) <= pauseOf(checks + 1) && pauseOf(checks) <= 3_600_000
  })
})

rule("OPERATION-7", {
  says: "While an item is open that says that there may be a receipt which a document does not have, the document is told as unknown: never retryable, never rejected, and sent by nobody. A receipt stays a receipt.",
  source: "Spec, purpose 4; Decisions §4"
}, ({ holds, holdsForEvery }) => {
  holds("any document of any status", { stored: anyOperation, role: fc.constantFrom("REQUEST" as const, "INNER" as const) }, ({ role, stored: { boundKey, ...stored } }) => {
    const operation = { ...stored, boundKey: { ...boundKey, role } }
    const doubted = whileInDoubt(operation)
    const told = presentDocument(doubted, { withRejection: true })
    const isReceipt = operation.status === "FISCALIZED"
    return isReceipt
      ? doubted === operation
      : !told.retryable && told.pfrRejection === null && !told.fiscalized && told.pfr === null && !isDueToBeSent(doubted) && doubted.inDoubt === operation.status &&
        statusInDoubt(doubted.status) === doubted.status
  }, { cases: 2_000 })
  holdsForEvery("every kind of item", [["LOST_ATTEMPT", true], ["SECOND_RECEIPT", true], ["FOREIGN_ANSWER", false], ["COUNTER_GAP", false]] as const, ([kind, raises]) =>
    raisesDoubt({ kind }) === raises)
})

rule("OPERATION-8", {
  says: "A person may have a document sent again under its own key, or issue a failed one anew under another key, never both, and neither while it may be a receipt that nobody knows of.",
  source: "Spec, Document transitions; Spec, Refund workflow statuses"
}, ({ holds, holdsForEvery }) => {
  const unknown: ReadonlySet<DocumentStatus> = new Set(["SUBMITTING", "OUTCOME_UNKNOWN", "RECONCILING", "FISCALIZED"])
  const asked = { stored: anyOperation, role: fc.constantFrom("REQUEST" as const, "INNER" as const) }
  const withRole = ({ boundKey, ...stored }: Operation, role: "REQUEST" | "INNER"): Operation => ({ ...stored, boundKey: { ...boundKey, role } })
  holds("never both; nothing of a document in flight, unknown or signed, nothing of the service's own, nothing while it is in doubt", asked, ({ role, stored }) => {
    const document = withRole(stored, role)
    const [again, anew] = [mayBeSentAgain(document), mayBeIssuedAnew(document)]
    const doubted = whileInDoubt(document)
    const isForbidden = role === "INNER" || unknown.has(document.status)
    return !(again && anew) && !(isForbidden && (again || anew)) && !mayBeSentAgain(doubted) && !mayBeIssuedAnew(doubted)
  }, { cases: 2_000 })
  holds("what is issued anew cannot become a receipt by its own key: its status leaves only by an operator's retry, or it is a refund, whose key is not sent again", asked, ({ role, stored }) => {
    const document = withRole(stored, role)
    const { content: { invoiceType, transactionType }, status } = document
    return !mayBeIssuedAnew(document) || (status === "REJECTED" && !mayRejectionBeRetried(role)) || (invoiceType === "NORMAL" && transactionType === "REFUND" && status === "NOT_FISCALIZED")
  }, { cases: 2_000 })
  holdsForEvery("a rejection, and what was not sent, of a sale and of a refund", [
    ["NORMAL", "SALE", "REJECTED", "anew"], ["NORMAL", "SALE", "NOT_FISCALIZED", "again"], ["NORMAL", "REFUND", "REJECTED", "anew"], ["NORMAL", "REFUND", "NOT_FISCALIZED", "anew"],
    ["COPY", "SALE", "NOT_FISCALIZED", "again"], ["ADVANCE", "SALE", "NOT_FISCALIZED", "again"], ["ADVANCE", "SALE", "REJECTED", "anew"]
  ] as const, ([invoiceType, transactionType, status, way]) => {
    const base = operationOf({ status })
    const document = { ...base, content: { ...base.content, invoiceType, transactionType } }
    return mayBeSentAgain(document) === (way === "again") && mayBeIssuedAnew(document) === (way === "anew")
  })
})

rule("OPERATION-3", {
  says: "Of a stored document that cannot be read, its id is told, and that nothing was sent or changed.",
  source: "Decisions §4"
}, ({ holdsForEvery }) => {
  holdsForEvery("any id", ["01900003-0000-7000-8000-000000000001"], (operationId) => {
    const { code, message } = new FiscalDocumentUnreadable({ operationId, cause: new Error("x") })
    return code === "FISCAL_DOCUMENT_UNREADABLE" && message.includes(operationId) && message.includes("nothing was sent")
  })
})

rule("SCRIPT-1", {
  says: "Serbian Cyrillic becomes Latin letter by letter; a letter of two is all capitals only before a capital; nothing else changes.",
  source: "Decisions §11"
}, ({ holds, holdsForEvery }) => {
  const pairs: ReadonlyArray<readonly [string, string]> = [
    ["Љиљана Њушковић", "Ljiljana Njušković"],
    ["ЉИЉАНА ЊУШКОВИЋ", "LJILJANA NJUŠKOVIĆ"],
    ["Џак, џеп и ЏЕП", "Džak, džep i DŽEP"],
    ["Љ", "Lj"],
    ["АЉ 7", "ALj 7"],
    ["Ђура Ћирић чека жабу, шуму, хлеб, фењер и цркву", "Đura Ćirić čeka žabu, šumu, hleb, fenjer i crkvu"],
    ["абвгдезијклмнопрсту", "abvgdezijklmnoprstu"]
  ]
  holdsForEvery("words of both cases", pairs, ([cyrillic, latin]) => toLatin(cyrillic) === latin)
  holds("what has no Cyrillic letter is unchanged", { text: fc.string({ unit: "grapheme" }).filter((text) => !/\p{Script=Cyrillic}/u.test(text)) }, ({ text }) => toLatin(text) === text)
})
