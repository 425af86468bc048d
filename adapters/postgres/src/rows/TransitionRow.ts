import type { DocumentEvent, DocumentStatus, Transition } from "@overa/domain"
import { type Entry, linkEntries, readHistory, utc } from "./OperationRow.ts"

/** A row of `transitions`, where releases before the history moved into the operation's row stored it. */
export interface TransitionRow {
  readonly position: number
  readonly to_status: DocumentStatus
  readonly at: Date
  readonly cause: DocumentEvent
  readonly actor: string
  readonly attempt: number
}

const entryOf = (row: TransitionRow): Entry => ({ to: row.to_status, at: utc(row.at), cause: row.cause, actor: row.actor, attempt: row.attempt })

/**
 * Every transition, oldest first. Each transition of an operation takes the next number, wherever it is stored: a row of the table has its number,
 * and the lines of the history have the remaining ones.
 */
export const decodeTransitions = (history: string, rows: ReadonlyArray<TransitionRow>): ReadonlyArray<Transition> => {
  const lines = [...readHistory(history)]
  const tabled = new Map(rows.map((row) => [row.position, entryOf(row)]))
  const entries = Array.from({ length: lines.length + rows.length }, (_, index) => tabled.get(index + 1) ?? lines.shift())
  return linkEntries(entries.filter((entry) => entry !== undefined))
}
