import {
  type Conclusion,
  DocumentEvent,
  type DocumentStatus,
  formatDecimal,
  nextStatus,
  pfrInstant,
  statusesBefore
} from "@overa/domain"
import { DateTime, Option, Result } from "effect"
import { encodeAnswerFacts } from "../../../adapters/postgres/src/rows/storedAnswer.ts"
import { storableText, toStoredJson } from "../../../adapters/postgres/src/rows/storedJson.ts"
import { type Column, manyRows, manyRowsParameters, namesOf, oneRow, oneRowParameters } from "./columns.ts"

/**
 * A receipt is stored whichever attempt it belongs to (Decisions §4). Every other event belongs to one attempt and must not end a later one: a
 * rejection of the first attempt, read after the second was sent, would hide the receipt that the second may bring.
 */
const ofAnyAttempt: ReadonlySet<DocumentEvent> = new Set<DocumentEvent>(["signed", "found", "confirmedIssued"])

interface Move {
  readonly to: DocumentStatus
  /** Statuses the event is allowed from, joined by commas. */
  readonly from: string
}

// The domain's table, inverted once: computing it each time costs more than all other parameters of a commit together.
const moves: ReadonlyMap<DocumentEvent, Move> = new Map(
  DocumentEvent.literals.flatMap((event): ReadonlyArray<readonly [DocumentEvent, Move]> => {
    const from = statusesBefore(event)
    return from[0] === undefined ? [] : [[event, { to: Result.getOrThrow(nextStatus(from[0], event)), from: from.join(",") }]]
  })
)

const moveOf = (event: DocumentEvent): Move => {
  const move = moves.get(event)
  if (move === undefined) throw new Error(`No status allows the event ${event}`)
  return move
}

/** The one status an event leads to, whichever status it is allowed from. */
export const statusAfter = (event: DocumentEvent): DocumentStatus => moveOf(event).to

const sdcTime = (conclusion: Conclusion): number | null =>
  conclusion.answer === null
    ? null
    : Option.getOrNull(Option.map(pfrInstant(conclusion.answer.pfr.sdcTime), DateTime.toEpochMillis))

const concluded: ReadonlyArray<Column<Conclusion>> = [
  { name: "organization_id", type: "uuid", value: (c) => c.organizationId },
  { name: "operation_id", type: "uuid", value: (c) => c.operationId },
  { name: "attempt", type: "int4", value: (c) => c.attempt },
  { name: "of_any_attempt", type: "bool", value: (c) => ofAnyAttempt.has(c.event) },
  { name: "allowed_from", type: "text", value: (c) => moveOf(c.event).from },
  { name: "to_status", type: "text", value: (c) => statusAfter(c.event) },
  { name: "cause", type: "text", value: (c) => c.event },
  { name: "at", type: "timestamptz", value: (c) => DateTime.toEpochMillis(c.at) },
  { name: "actor", type: "text", value: (c) => c.actor },
  { name: "outcome", type: "text", value: (c) => c.attemptOutcome },
  { name: "attempt_text", type: "text", value: (c) => (c.answerText === null ? null : storableText(c.answerText)) },
  { name: "failure_code", type: "text", value: (c) => c.failureCode },
  { name: "rejection", type: "text", value: (c) => (c.rejection === null ? null : toStoredJson(c.rejection)) },
  { name: "answer_text", type: "text", value: (c) => (c.answer === null ? null : storableText(c.answer.text)) },
  { name: "answer_facts", type: "text", value: (c) => (c.answer === null ? null : encodeAnswerFacts(c.answer)) },
  { name: "invoice_number", type: "text", value: (c) => c.answer?.pfr.invoiceNumber ?? null },
  { name: "pfr_time", type: "text", value: (c) => c.answer?.pfr.sdcTime ?? null },
  { name: "sdc_time", type: "timestamptz", value: sdcTime },
  { name: "signed_total", type: "numeric", value: (c) => (c.answer === null ? null : formatDecimal(c.answer.pfr.totalAmount)) },
  { name: "buyer_details", type: "text", value: (c) => (c.buyerDetails === null ? null : toStoredJson(c.buyerDetails)) },
  { name: "next_check_millis", type: "float8", value: (c) => c.nextCheckAfterMillis }
]

/** What commit 2 answers about the row it changed. */
export interface MovedRow {
  readonly operation_id: string
  readonly attempt: number
  readonly buyer_details: string | null
  readonly next_check_at: Date | null
}

interface Raised {
  readonly conclusion: Conclusion
  readonly item: Conclusion["attention"][number]
}

const raised: ReadonlyArray<Column<Raised>> = [
  { name: "organization_id", type: "uuid", value: ({ conclusion }) => conclusion.organizationId },
  { name: "operation_id", type: "uuid", value: ({ conclusion }) => conclusion.operationId },
  { name: "kind", type: "text", value: ({ item }) => item.kind },
  { name: "detail", type: "text", value: ({ item }) => storableText(item.detail) },
  { name: "evidence", type: "text", value: ({ item }) => (item.evidence === null ? null : storableText(item.evidence)) }
]

// Compare-and-set in one statement: if the row's status has changed before, nothing is written.
const statement = (source: typeof oneRow): string => `
with moved as (
  update operations o
  set status = c.to_status, status_before = o.status, revision = o.revision + 1, failure_code = c.failure_code,
    rejection = c.rejection, answer_text = c.answer_text, answer_facts = c.answer_facts, invoice_number = c.invoice_number,
    pfr_time = c.pfr_time, sdc_time = c.sdc_time, signed_total = c.signed_total,
    buyer_details = coalesce(c.buyer_details, o.buyer_details), updated_at = c.at, lease_until = null,
    next_check_at = now() + c.next_check_millis * interval '1 millisecond'
  from ${source(concluded, 1)} as c (${namesOf(concluded)})
  where o.organization_id = c.organization_id and o.operation_id = c.operation_id
    and o.status = any (string_to_array(c.allowed_from, ',')) and (c.of_any_attempt or o.attempt = c.attempt)
  returning o.organization_id, o.operation_id, o.revision, o.status_before, o.status, o.attempt as latest_attempt,
    o.buyer_details, o.next_check_at, c.attempt as concerned, c.cause, c.at, c.actor, c.outcome, c.attempt_text
),
tried as (
  update attempts a set outcome = m.outcome, answer_text = m.attempt_text from moved m
  where a.organization_id = m.organization_id and a.operation_id = m.operation_id and a.number = m.concerned
    and m.outcome is not null
),
recorded as (
  insert into transitions (organization_id, operation_id, position, from_status, to_status, at, cause, actor, attempt)
  select organization_id, operation_id, revision, status_before, status, at, cause, actor, concerned from moved
),
raised as (
  insert into attention (${namesOf(raised)}, raised_at)
  select ${namesOf(raised)}, at
  from ${manyRows(raised, concluded.length + 1)} as raised (${namesOf(raised)}) join moved using (organization_id, operation_id)
)
select operation_id, latest_attempt as attempt, buyer_details, next_check_at from moved`

/** Commit 2 of one operation, and of many, at most one conclusion each; with their attention items. */
export const concludeOne = statement(oneRow)
export const concludeMany = statement(manyRows)

const attentionOf = (conclusion: Conclusion): ReadonlyArray<Raised> => conclusion.attention.map((item) => ({ conclusion, item }))

export const concludeOneParameters = (conclusion: Conclusion): ReadonlyArray<unknown> => [
  ...oneRowParameters(concluded, conclusion),
  ...manyRowsParameters(raised, attentionOf(conclusion))
]

export const concludeManyParameters = (conclusions: ReadonlyArray<Conclusion>): ReadonlyArray<unknown> => [
  ...manyRowsParameters(concluded, conclusions),
  ...manyRowsParameters(raised, conclusions.flatMap(attentionOf))
]
