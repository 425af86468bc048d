import {
  type Conclusion,
  DocumentEvent,
  type DocumentStatus,
  endsOnlyItsAttempt,
  formatDecimal,
  mayCause,
  nextStatus,
  pfrInstant,
  statusesBefore
} from "@overa/domain"
import { DateTime, Option, Result } from "effect"
import { historyLines } from "../rows/OperationRow.ts"
import { packAnswer } from "../rows/packedAnswer.ts"
import { encodeAnswerFacts } from "../rows/storedAnswer.ts"
import { storableText, toStoredJson } from "../rows/storedJson.ts"
import { type Column, manyParameters, manyRows, parametersOf, placeholderOf } from "./columns.ts"

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

// A later attempt has a row of its own (`concludeAttempt`).
const ofFirst = <A>(conclusion: Conclusion, value: A | null): A | null => (conclusion.attempt === 1 ? value : null)

/** A conclusion, and whether the database stores answers without what their links repeat (docs/adr/0409). */
export interface StoredConclusion extends Conclusion {
  readonly packsAnswer?: boolean
}

const storedAnswer = ({ answer, packsAnswer = false }: StoredConclusion): string | null => {
  const text = answer === null ? null : storableText(answer.text)
  return text !== null && packsAnswer ? packAnswer(text) : text
}

const columns: ReadonlyArray<Column<StoredConclusion>> = [
  { name: "organization_id", type: "uuid", value: (c) => c.organizationId },
  { name: "operation_id", type: "uuid", value: (c) => c.operationId },
  /** Null: whatever the attempt. */
  { name: "of_attempt", type: "int4", value: (c) => (endsOnlyItsAttempt(c.event) ? c.attempt : null) },
  { name: "allowed_from", type: "text", value: (c) => (mayCause(c.actor, c.event) ? moveOf(c.event).from : "") },
  { name: "to_status", type: "text", value: (c) => statusAfter(c.event) },
  { name: "line", type: "text", value: (c) => historyLines([{ to: statusAfter(c.event), at: c.at, cause: c.event, actor: c.actor, attempt: c.attempt }]) },
  { name: "at", type: "timestamptz", value: (c) => DateTime.toEpochMillis(c.at) },
  { name: "first_outcome", type: "text", value: (c) => ofFirst(c, c.attemptOutcome) },
  { name: "first_answer_text", type: "text", value: (c) => ofFirst(c, c.answerText === null ? null : storableText(c.answerText)) },
  { name: "failure_code", type: "text", value: (c) => c.failureCode },
  { name: "rejection", type: "text", value: (c) => (c.rejection === null ? null : toStoredJson(c.rejection)) },
  { name: "answer_text", type: "text", value: storedAnswer },
  { name: "answer_facts", type: "text", value: (c) => (c.answer === null ? null : encodeAnswerFacts(c.answer)) },
  { name: "invoice_number", type: "text", value: (c) => c.answer?.pfr.invoiceNumber ?? null },
  { name: "pfr_time", type: "text", value: (c) => c.answer?.pfr.sdcTime ?? null },
  { name: "sdc_time", type: "timestamptz", value: sdcTime },
  { name: "signed_total", type: "numeric", value: (c) => (c.answer === null ? null : formatDecimal(c.answer.pfr.totalAmount)) },
  { name: "buyer_details", type: "text", value: (c) => (c.buyerDetails === null ? null : toStoredJson(c.buyerDetails)) },
  { name: "next_check_millis", type: "float8", value: (c) => c.nextCheckAfterMillis },
  /** An operation that has no attempt has lost the one that this is the outcome of: it is added again first. */
  { name: "least_attempt", type: "int4", value: (c) => Math.min(c.attempt, 1) }
]

/** What commit 2 answers about the row it changed. */
export interface MovedRow {
  readonly operation_id: string
  readonly attempt: number
  readonly buyer_details: string | null
  readonly next_check_at: Date | null
  readonly in_doubt: boolean
}

interface Source {
  /** The SQL of a value in the statement. */
  readonly of: (name: string) => string
  readonly from: string
}

// Compare-and-set: no row is returned if its status has changed before.
const statement = ({ from, of }: Source): string => `update operations o
set status = ${of("to_status")}, revision = o.revision + 1, moved_by = pg_current_xact_id(), history = o.history || ${of("line")}, updated_at = ${of("at")},
  first_outcome = coalesce(${of("first_outcome")}, o.first_outcome),
  first_answer_text = coalesce(${of("first_answer_text")}, o.first_answer_text),
  failure_code = ${of("failure_code")}, rejection = ${of("rejection")}, answer_text = ${of("answer_text")},
  answer_facts = ${of("answer_facts")}, invoice_number = ${of("invoice_number")}, pfr_time = ${of("pfr_time")}, sdc_time = ${of("sdc_time")},
  signed_total = ${of("signed_total")}, buyer_details = coalesce(${of("buyer_details")}, o.buyer_details), lease_until = null,
  next_check_at = now() + ${of("next_check_millis")} * interval '1 millisecond'
${from}where o.organization_id = ${of("organization_id")} and o.operation_id = ${of("operation_id")}
  and o.status = any (string_to_array(${of("allowed_from")}, ','))
  and (${of("of_attempt")}::int4 is null or o.attempt = ${of("of_attempt")}) and o.attempt >= ${of("least_attempt")}
returning o.operation_id, o.attempt, o.buyer_details, o.next_check_at, o.in_doubt`

/** Commit 2: one row by one plain statement. */
export const concludeStatement = statement({ of: (name) => placeholderOf(columns, name), from: "" })

/** Commit 2 of several operations in one statement, at most one conclusion each, on a database that is not split. */
export const concludeManyStatement = statement({ of: (name) => `many.${name}`, from: `from ${manyRows(columns)}\n` })

export const concludeParameters = (conclusion: StoredConclusion): ReadonlyArray<unknown> => parametersOf(columns, conclusion)

export const concludeManyParameters = (conclusions: ReadonlyArray<StoredConclusion>): ReadonlyArray<unknown> => manyParameters(columns, conclusions)
