import type { Attempt, AttemptOutcome, FiscalDocumentId, SecurityElementId } from "@overa/domain"
import { utc } from "./OperationRow.ts"

/** A row of `attempts` as the driver reads it. */
export interface AttemptRow {
  readonly operation_id: string
  readonly number: number
  readonly request_id: string
  readonly mark: string | null
  readonly element_id: string
  readonly jid: string
  readonly host_id: string
  readonly boot_id: string
  readonly started_at: Date
  readonly outcome: AttemptOutcome | null
  readonly last_search_at: Date | null
  readonly last_search_found: boolean | null
}

export const attemptColumns = "operation_id, number, request_id, mark, element_id, jid, host_id, boot_id, started_at, outcome, last_search_at, last_search_found"

/** The attempt a row holds. */
export const decodeAttempt = (row: AttemptRow): Attempt => ({
  operationId: row.operation_id as FiscalDocumentId,
  number: row.number,
  requestId: row.request_id,
  mark: row.mark,
  elementId: row.element_id as SecurityElementId,
  jid: row.jid,
  hostId: row.host_id,
  bootId: row.boot_id,
  startedAt: utc(row.started_at),
  outcome: row.outcome,
  lastSearch: row.last_search_at === null
    ? null
    : { at: utc(row.last_search_at), found: row.last_search_found === true }
})

/** The first attempt, from the operation's own row. */
export interface FirstAttemptRow {
  readonly operation_id: string
  readonly request_id: string | null
  readonly first_mark: string | null
  readonly element_id: string | null
  readonly jid: string | null
  readonly sender_host: string | null
  readonly sender_boot: string | null
  readonly started_at: Date | null
  readonly first_outcome: AttemptOutcome | null
  readonly first_search_at: Date | null
  readonly first_search_found: boolean | null
}

export const firstAttemptColumns = `operation_id, request_id, first_mark, element_id, jid, sender_host, sender_boot, started_at,
  first_outcome, first_search_at, first_search_found`

const firstAttempt = (row: FirstAttemptRow): AttemptRow | null =>
  row.request_id === null || row.element_id === null || row.jid === null || row.started_at === null
    ? null
    : {
      operation_id: row.operation_id,
      number: 1,
      request_id: row.request_id,
      mark: row.first_mark,
      element_id: row.element_id,
      jid: row.jid,
      host_id: row.sender_host ?? "",
      boot_id: row.sender_boot ?? "",
      started_at: row.started_at,
      outcome: row.first_outcome,
      last_search_at: row.first_search_at,
      last_search_found: row.first_search_found
    }

// Releases before the first attempt moved into the operation's row stored it in `attempts`; what was learned about it since is in the row.
const newest = (row: FirstAttemptRow) => (attempt: AttemptRow): AttemptRow =>
  attempt.number !== 1 ? attempt : {
    ...attempt,
    outcome: row.first_outcome ?? attempt.outcome,
    last_search_at: row.first_search_at ?? attempt.last_search_at,
    last_search_found: row.first_search_at === null ? attempt.last_search_found : row.first_search_found
  }

/** Every attempt of an operation, from its own row and from `attempts`, in order. */
export const decodeAttempts = (row: FirstAttemptRow, others: ReadonlyArray<AttemptRow>): ReadonlyArray<Attempt> => {
  const first = firstAttempt(row)
  return [...(first === null ? [] : [first]), ...others.map(newest(row))].map(decodeAttempt)
}
