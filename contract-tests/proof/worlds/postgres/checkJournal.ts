import type { MemoryOperations } from "@overa/adapter-memory"
import { anyTime, JournalAudit, JournalStore, type LogFinding, turnover, type TurnoverRow } from "@overa/domain"
import { Effect } from "effect"
import { tenant } from "../place.ts"

const textOf = (rows: ReadonlyArray<TurnoverRow>): string => JSON.stringify(rows, (_key, value: unknown) => typeof value === "bigint" ? String(value) : value)

const sealedLate = /^Transition (\d+) was sealed long after/

/**
 * Whether it is what the audit must say of a document that was taken back (docs/operations/journal-log.md): take-back writes a transition with the time at
 * which the lost attempt was sent, and where a copy is reserved again only when its refund is found, this can be an hour after the log went on. Only
 * the transition itself that take-back wrote is excused.
 */
const isTakenBack = (memory: MemoryOperations["Service"], { detail, documentId, kind }: LogFinding): boolean => {
  const position = kind === "ROW_INSERTED" ? sealedLate.exec(detail)?.[1] : undefined
  if (position === undefined || documentId === null) return false
  return memory.byId.get(documentId)?.transitions[Number(position) - 1]?.actor === "api:restored"
}

/** The sealed log fits the rows, and the report of the turnover is the sum over the receipts. */
export const checkJournal = Effect.fnUntraced(function*(memory: MemoryOperations["Service"]) {
  const reports = yield* (yield* JournalAudit).verify
  const unexplained = reports.flatMap((report) => report.findings.filter((finding) => !isTakenBack(memory, finding)))
  const findings = unexplained.map(({ detail, documentId, kind }) => `the log says ${kind} of ${documentId ?? "nothing"}: ${detail}`)
  const journal = yield* JournalStore
  const groupBy = ["day", "paymentType", "taxLabel"] as const
  const told = yield* journal.turnover(tenant, { taxpayerId: null, businessPremiseId: null, pfr: anyTime, created: anyTime, groupBy })
  const summed = turnover([...memory.byId.values()].map(({ operation }) => operation), groupBy)
  return [...findings, ...(textOf(told) === textOf(summed) ? [] : [`the turnover is ${textOf(summed)}, and ${textOf(told)} is reported`])]
})
