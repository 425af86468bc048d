import { hash } from "node:crypto"
import { type JournalLeaf, type LeafDigests, leafText, readErasure, type Transition } from "@overa/domain"
import { isPackedSql, unpackAnswer } from "../rows/packedAnswer.ts"
import { unpackBodyBytes } from "../rows/storedJson.ts"
import { decodeTransitions, type TransitionRow } from "../rows/TransitionRow.ts"

/** A row of `operations` from which its leaves are computed. The server computes the digests of long texts, so that the texts need not be transferred. */
export interface LeafRow {
  readonly organization_id: string
  readonly operation_id: string
  readonly environment: JournalLeaf["environment"]
  readonly taxpayer_id: string
  readonly premise_id: string
  readonly client_id: string
  readonly key_role: string
  readonly key: string
  readonly key_target: string
  readonly key_body: string
  readonly key_body_packed: Uint8Array | null
  readonly fingerprint_version: number
  readonly fingerprint_digest: string
  readonly content: string
  readonly invoice_type: string
  readonly transaction_type: string
  readonly client_reference: string
  readonly cashier_id: string
  readonly buyer_id: string | null
  readonly total_amount: string
  readonly workflow_type: string | null
  readonly workflow_id: string | null
  readonly created_at: Date
  readonly late_reference: string | null
  readonly attempt: number
  readonly request_id: string | null
  readonly first_answer_digest: string | null
  readonly history: string
  readonly revision: number
  /** The answer where it is stored without what its link repeats: its digest is that of the whole text. */
  readonly packed_answer: string | null
  readonly answer_digest: string | null
  readonly answer_facts: string | null
  readonly invoice_number: string | null
  readonly pfr_time: string | null
  readonly sdc_time: Date | null
  readonly signed_total: string | null
  /** The signed note of an erasure, which has the digests of what was asked as the leaves have them; null where nothing was erased. */
  readonly erased_note: string | null
}

const digestOf = (column: string): string => `encode(sha256(convert_to(${column}, 'UTF8')), 'hex')`

/** The columns a `LeafRow` is read from. */
export const leafColumns = `organization_id, operation_id, environment, taxpayer_id, premise_id, client_id, key_role, key, key_target, key_body,
  key_body_packed, fingerprint_version, fingerprint_digest, content, invoice_type, transaction_type, client_reference, cashier_id, buyer_id,
  total_amount, workflow_type, workflow_id, created_at, late_reference, attempt, request_id,
  ${digestOf("first_answer_text")} as first_answer_digest, history, revision, case when ${isPackedSql("answer_text")} then answer_text end as packed_answer,
  case when not ${isPackedSql("answer_text")} then ${digestOf("answer_text")} end as answer_digest, answer_facts,
  invoice_number, pfr_time, sdc_time, signed_total, erased_note`

/** A row of `attempts`, where later attempts and those of earlier releases are. */
export interface LeafAttemptRow {
  readonly operation_id: string
  readonly number: number
  readonly request_id: string
  readonly answer_digest: string | null
}

/** $1 organization, $2 operations. */
export const leafAttempts = `select operation_id, number, request_id, ${digestOf("answer_text")} as answer_digest
from attempts where organization_id = $1 and operation_id = any ($2::uuid[])`

/** $1 organization, $2 operations. */
export const leafTransitions = `select operation_id, position, to_status, at, cause, actor, attempt from transitions
where organization_id = $1 and operation_id = any ($2::uuid[]) order by position`

const sha256 = (text: string | Uint8Array): string => hash("sha256", text, "hex")
const orNull = <A, B>(value: A | null, use: (value: A) => B): B | null => (value === null ? null : use(value))

// A body that cannot be unpacked means a damaged row; its leaf then has a digest that no longer fits the log.
const unreadable = "unreadable"

/** Of the request's body as it is stored. */
export const requestDigest = (row: LeafRow): string => {
  try {
    return sha256(row.key_body_packed === null ? row.key_body : unpackBodyBytes(row.key_body_packed, row.content))
  } catch {
    return unreadable
  }
}

/** Of the facts that were asked, as they are stored. */
export const recordDigest = (row: LeafRow): string =>
  sha256(JSON.stringify([
    row.taxpayer_id, row.premise_id, row.client_id, row.key_role, row.key, row.key_target, row.fingerprint_version, row.fingerprint_digest,
    row.invoice_type, row.transaction_type, row.client_reference, row.cashier_id, row.buyer_id, row.total_amount, row.workflow_type,
    row.workflow_id, row.created_at.toISOString(), row.content
  ]))

const answerDigest = (row: LeafRow): string | null => row.packed_answer === null ? row.answer_digest : sha256(unpackAnswer(row.packed_answer))

const resultDigest = (row: LeafRow): string | null =>
  orNull(row.answer_facts, (facts) => sha256(JSON.stringify([row.invoice_number, row.pfr_time, orNull(row.sdc_time, (at) => at.toISOString()), row.signed_total, facts])))

/** As the leaves have them: of an erased document from the note, whose signature only `journal verify` checks. */
const sealedDigests = (row: LeafRow): Pick<LeafDigests, "record" | "request"> => {
  if (row.erased_note === null) return { request: requestDigest(row), record: recordDigest(row) }
  const erasure = readErasure(row.erased_note)
  return { request: erasure?.request.sealed ?? unreadable, record: erasure?.record.sealed ?? unreadable }
}

/** The facts of an attempt: the operation's own row holds those of the first, unless an earlier release wrote them elsewhere. */
const attemptFacts = (row: LeafRow, attempts: ReadonlyArray<LeafAttemptRow>, number: number) => {
  const other = attempts.find((attempt) => attempt.number === number)
  return number === 1
    ? { requestId: row.request_id ?? other?.request_id ?? null, answer: row.first_answer_digest ?? other?.answer_digest ?? null }
    : { requestId: other?.request_id ?? null, answer: other?.answer_digest ?? null }
}

/** Rows of other tables that belong to an operation. */
export interface LeafExtras {
  readonly transitions: ReadonlyArray<TransitionRow>
  readonly attempts: ReadonlyArray<LeafAttemptRow>
}

/**
 * The leaves of all an operation's transitions, from the first; null where its history cannot be read or has another length than the row says, which
 * means a damaged row.
 */
export const leavesOf = (row: LeafRow, { attempts, transitions }: LeafExtras): ReadonlyArray<string> | null => {
  const found = readTransitions(row, transitions)
  if (found === null) return null
  const { record, request } = sealedDigests(row)
  const [result, reference] = [resultDigest(row), orNull(row.late_reference, sha256)]
  return found.map((transition, at) => {
    const { answer, requestId } = attemptFacts(row, attempts, transition.attempt)
    return leafText({
      organizationId: row.organization_id as JournalLeaf["organizationId"],
      environment: row.environment,
      documentId: row.operation_id as JournalLeaf["documentId"],
      position: at + 1,
      transition,
      requestId,
      invoiceNumber: row.invoice_number,
      digests: { request, record, reference, answer: transition.to === "FISCALIZED" ? answerDigest(row) : answer, result }
    })
  })
}

/** An operation's transitions, from the first; null where its history cannot be read or has another length than the row says. */
export const readTransitions = (row: Pick<LeafRow, "history" | "revision">, tabled: ReadonlyArray<TransitionRow>): ReadonlyArray<Transition> | null => {
  try {
    const found = decodeTransitions(row.history, tabled)
    return found.length === row.revision ? found : null
  } catch {
    return null
  }
}

/** What tells whether rows of other tables belong to an operation. */
export type ExtrasOwner = Pick<LeafRow, "operation_id" | "attempt" | "request_id" | "history" | "revision">

/** Whether rows of other tables belong to the operation. */
export const hasExtras = (row: ExtrasOwner): boolean => row.attempt > 1 || (row.attempt === 1 && row.request_id === null) || linesOf(row.history) < row.revision

const linesOf = (history: string): number => history.split("\n").length - 1
