import {
  BuyerDetails, DocumentContent, type DocumentEvent, DocumentReference, type DocumentStatus, type Environment, type FailureCode,
  type FiscalDocumentId, type KeyHolder, type KeyRole, type Operation, PfrRejection, type SignedAnswer, type Transition, whileInDoubt,
  type WorkflowLink
} from "@overa/domain"
import { DateTime } from "effect"
import { orUnreadable } from "./orUnreadable.ts"
import { decodeAnswer } from "./storedAnswer.ts"
import { fromStoredJson, unpackBody } from "./storedJson.ts"

/** A row of `operations` as the driver reads it. */
export interface OperationRow {
  readonly organization_id: string
  readonly operation_id: string
  readonly environment: Environment
  readonly taxpayer_id: string
  readonly premise_id: string
  readonly client_id: string
  readonly key_role: KeyRole
  readonly key: string
  readonly key_target: string
  readonly key_body: string
  readonly key_body_packed: Uint8Array | null
  readonly fingerprint_version: number
  readonly fingerprint_digest: string
  readonly content: string
  /** The reference of the final sale of an advance case, known only after it was reserved; null elsewhere. */
  readonly late_reference: string | null
  readonly workflow_type: WorkflowLink["type"] | null
  readonly workflow_id: string | null
  readonly created_at: Date
  readonly status: DocumentStatus
  readonly attempt: number
  readonly failure_code: FailureCode | null
  readonly rejection: string | null
  readonly answer_text: string | null
  readonly answer_facts: string | null
  readonly buyer_details: string | null
  readonly next_check_at: Date | null
  readonly checks: number
  readonly updated_at: Date
  /** The signed note of the erasure of metadata and the cashier's name; null where nothing was erased. */
  readonly erased_note: string | null
  /** An item is open that says that there may be a receipt which the operation does not have. */
  readonly in_doubt: boolean
}

/** The columns an `Operation` is read from. */
export const operationColumns = `organization_id, operation_id, environment, taxpayer_id, premise_id, client_id,
  key_role, key, key_target, key_body, key_body_packed, fingerprint_version, fingerprint_digest, content, late_reference, workflow_type,
  workflow_id, created_at, status, attempt, failure_code, rejection, answer_text, answer_facts, buyer_details,
  next_check_at, checks, updated_at, erased_note, in_doubt`

const readContent = fromStoredJson(DocumentContent)
const readReference = fromStoredJson(DocumentReference)
const readRejection = fromStoredJson(PfrRejection)
const readBuyerDetails = fromStoredJson(BuyerDetails)

/** An instant of a row. */
export const utc = (date: Date): DateTime.Utc => DateTime.toUtc(DateTime.makeUnsafe(date.getTime()))

/** A nullable instant of a row. */
export const utcOrNull = (date: Date | null): DateTime.Utc | null => (date === null ? null : utc(date))

const readAnswer = (row: OperationRow): SignedAnswer | null =>
  row.answer_text === null || row.answer_facts === null
    ? null
    : decodeAnswer(row.answer_text, row.answer_facts)

/** Reads the stored buyer details, or null. */
export const decodeBuyerDetails = (text: string | null): BuyerDetails | null => (text === null ? null : readBuyerDetails(text))

const readWorkflow = (row: OperationRow): WorkflowLink | null =>
  row.workflow_type === null || row.workflow_id === null
    ? null
    : { type: row.workflow_type, id: row.workflow_id as WorkflowLink["id"] }

const contentOf = ({ content, late_reference: reference }: OperationRow): DocumentContent =>
  reference === null ? readContent(content) : { ...readContent(content), reference: readReference(reference) }

/** Rows of these environments only hold a key; the environment is their owner's (docs/adr/0034). */
const keyEnvironments: ReadonlyMap<string, Environment> = new Map([["sandbox key", "sandbox"], ["production key", "production"]])

const boundKeyOf = (row: OperationRow): Operation["boundKey"] => ({
  role: row.key_role,
  key: row.key,
  target: row.key_target,
  body: row.key_body_packed === null ? row.key_body : unpackBody(row.key_body_packed, row.content),
  fingerprint: { version: row.fingerprint_version, digest: row.fingerprint_digest },
  ...(row.erased_note === null ? {} : { erasure: row.erased_note })
})

const readOperation = (row: OperationRow): Operation => ({
  id: row.operation_id as FiscalDocumentId,
  organizationId: row.organization_id as Operation["organizationId"],
  environment: row.environment,
  taxpayerId: row.taxpayer_id as Operation["taxpayerId"],
  businessPremiseId: row.premise_id as Operation["businessPremiseId"],
  clientId: row.client_id,
  boundKey: boundKeyOf(row),
  content: contentOf(row),
  workflow: readWorkflow(row),
  status: row.status,
  attempt: row.attempt,
  failureCode: row.failure_code,
  rejection: row.rejection === null ? null : readRejection(row.rejection),
  answer: readAnswer(row),
  buyerDetails: decodeBuyerDetails(row.buyer_details),
  createdAt: utc(row.created_at),
  updatedAt: utc(row.updated_at),
  nextCheckAt: utcOrNull(row.next_check_at)
})

/** The operation a row holds, as readers see it. Throws `FiscalDocumentUnreadable`. */
export const decodeOperation = (row: OperationRow): Operation =>
  orUnreadable(row.operation_id, () => row.in_doubt ? whileInDoubt(readOperation(row)) : readOperation(row))

/** The holder of a row's key: the operation in the row, or the case or delivery that holds its key by this row. */
export const decodeKeyHolder = (row: OperationRow): KeyHolder => {
  const environment = keyEnvironments.get(row.environment)
  return environment === undefined
    ? decodeOperation(row)
    : { id: row.operation_id, organizationId: row.organization_id as Operation["organizationId"], environment, boundKey: boundKeyOf(row) }
}

// An operation's transitions are in its own row, a line for each, oldest first: `["SUBMITTING",1772604368455,"reserved","api:host-a",1]\n`, which is
// the new status, epoch milliseconds, cause, actor and attempt. The previous status is that of the line before. The database refuses every change but
// an appended line.

type Line = readonly [to: DocumentStatus, at: number, cause: DocumentEvent, actor: string, attempt: number]

/** Transitions as the lines that are appended. */
export const historyLines = (transitions: ReadonlyArray<Pick<Transition, "to" | "at" | "cause" | "actor" | "attempt">>): string =>
  transitions.map(({ to, at, cause, actor, attempt }) => `${JSON.stringify([to, DateTime.toEpochMillis(at), cause, actor, attempt])}\n`).join("")

/**
 * A line without its attempt, for a statement that moves several operations at once: `history || <this> || attempt || ']\n'`
 * (`appendedLine` in SQL).
 */
export const historyLineStart = (move: Pick<Transition, "to" | "at" | "cause" | "actor">): string =>
  historyLines([{ ...move, attempt: 0 }]).slice(0, -"0]\n".length)

/** The SQL that appends `historyLineStart`, given as the parameter, with each row's own attempt. */
export const appendedLine = (parameter: string): string => `history || ${parameter}::text || attempt::text || E']\\n'`

/** A transition without the status it started from. */
export type Entry = Omit<Transition, "from">

/** The entries of a history, oldest first. */
export const readHistory = (history: string): ReadonlyArray<Entry> =>
  history.split("\n").filter((line) => line !== "").map((line) => {
    const [to, at, cause, actor, attempt] = JSON.parse(line) as Line
    return { to, at: DateTime.toUtc(DateTime.makeUnsafe(at)), cause, actor, attempt }
  })

/** Each entry with the status of the one before. */
export const linkEntries = (entries: ReadonlyArray<Entry>): ReadonlyArray<Transition> =>
  entries.map((entry, index) => ({ ...entry, from: entries[index - 1]?.to ?? null }))
