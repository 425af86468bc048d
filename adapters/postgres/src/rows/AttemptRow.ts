import type { Attempt, AttemptOutcome, FiscalDocumentId, SecurityElementId } from "@overa/domain"
import { utc } from "./OperationRow.ts"

/** A row of `attempts` as the driver reads it. */
export interface AttemptRow {
  readonly operation_id: string
  readonly number: number
  readonly request_id: string
  readonly element_id: string
  readonly jid: string
  readonly host_id: string
  readonly boot_id: string
  readonly started_at: Date
  readonly outcome: AttemptOutcome | null
  readonly last_search_at: Date | null
  readonly last_search_found: boolean | null
}

export const attemptColumns = `a.operation_id, a.number, a.request_id, a.element_id, a.jid, a.host_id, a.boot_id, a.started_at,
  a.outcome, a.last_search_at, a.last_search_found`

/** The attempt a row holds. */
export const decodeAttempt = (row: AttemptRow): Attempt => ({
  operationId: row.operation_id as FiscalDocumentId,
  number: row.number,
  requestId: row.request_id,
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
