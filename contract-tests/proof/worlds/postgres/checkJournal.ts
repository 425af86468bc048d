import type { MemoryOperations } from "@overa/adapter-memory"
import { anyTime, JournalAudit, JournalStore, turnover, type TurnoverRow } from "@overa/domain"
import { Effect } from "effect"
import { tenant } from "../place.ts"

const textOf = (rows: ReadonlyArray<TurnoverRow>): string => JSON.stringify(rows, (_key, value: unknown) => typeof value === "bigint" ? String(value) : value)

/** The sealed log fits the rows, and the report of the turnover is the sum over the receipts. */
export const checkJournal = Effect.fnUntraced(function*(memory: MemoryOperations["Service"]) {
  const reports = yield* (yield* JournalAudit).verify
  const findings = reports.flatMap((report) => report.findings.map(({ detail, documentId, kind }) => `the log says ${kind} of ${documentId ?? "nothing"}: ${detail}`))
  const journal = yield* JournalStore
  const groupBy = ["day", "paymentType", "taxLabel"] as const
  const told = yield* journal.turnover(tenant, { taxpayerId: null, businessPremiseId: null, pfr: anyTime, created: anyTime, groupBy })
  const summed = turnover([...memory.byId.values()].map(({ operation }) => operation), groupBy)
  return [...findings, ...(textOf(told) === textOf(summed) ? [] : [`the turnover is ${textOf(summed)}, and ${textOf(told)} is reported`])]
})
