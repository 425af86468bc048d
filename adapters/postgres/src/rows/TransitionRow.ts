import type { DocumentEvent, DocumentStatus, Transition } from "@overa/domain"
import { utc } from "./OperationRow.ts"

/** A row of `transitions` as the driver reads it. */
export interface TransitionRow {
  readonly from_status: DocumentStatus | null
  readonly to_status: DocumentStatus
  readonly at: Date
  readonly cause: DocumentEvent
  readonly actor: string
  readonly attempt: number
}

/** The transition a row holds. */
export const decodeTransition = (row: TransitionRow): Transition => ({
  from: row.from_status,
  to: row.to_status,
  at: utc(row.at),
  cause: row.cause,
  actor: row.actor,
  attempt: row.attempt
})
