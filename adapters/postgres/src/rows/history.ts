import { type DocumentEvent, type DocumentStatus, type Transition } from "@overa/domain"
import { DateTime } from "effect"

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
