import { BigDecimal, Option, Result, Schema } from "effect"
import type { PaymentType } from "../documents/LineItem.ts"
import { roundToPara } from "../money/rounding.ts"
import type { Operation } from "../operations/Operation.ts"
import { RequestFaults } from "../requests/Fault.ts"
import { pfrInstant } from "../time/PfrTime.ts"
import { onlyValue, queryFault, type QueryTexts, rangeFaults, rangeOf, uuidFaults } from "./queryFields.ts"
import { isInRange, type TimeRange } from "./JournalFilter.ts"
import { type TurnoverDocument, type TurnoverPart, type TurnoverReceipt, turnoverReceipt } from "./turnoverParts.ts"

export const TurnoverGrouping = Schema.Literals(["day", "month", "premise", "paymentType", "taxLabel", "cashier"])
export type TurnoverGrouping = typeof TurnoverGrouping.Type

/** Which turnover is asked for. Source: Decisions §5, Reports. */
export interface TurnoverQuery {
  readonly taxpayerId: string | null
  readonly businessPremiseId: string | null
  /** On `pfr.sdcTime`. */
  readonly pfr: TimeRange
  /** On `createdAt`. */
  readonly created: TimeRange
  /** In the order asked for, each once. */
  readonly groupBy: ReadonlyArray<TurnoverGrouping>
}

/** The turnover query, or everything wrong with it at once. */
export const readTurnoverQuery = (query: QueryTexts): Result.Result<TurnoverQuery, RequestFaults> => {
  const asked = [...new Set(query["groupBy"] ?? [])]
  const groupBy = asked.flatMap((name) => TurnoverGrouping.literals.filter((grouping) => grouping === name))
  const faults = [
    ...uuidFaults(query, "taxpayerId"),
    ...uuidFaults(query, "businessPremiseId"),
    ...rangeFaults(query, "pfrFrom", "pfrTo"),
    ...rangeFaults(query, "createdFrom", "createdTo"),
    ...(groupBy.length === asked.length ? [] : [queryFault("groupBy", `must be one of ${TurnoverGrouping.literals.join(", ")}`)])
  ]
  return faults.length > 0 ? Result.fail(new RequestFaults({ faults })) : Result.succeed({
    taxpayerId: onlyValue(query, "taxpayerId")?.toLowerCase() ?? null,
    businessPremiseId: onlyValue(query, "businessPremiseId")?.toLowerCase() ?? null,
    pfr: rangeOf(query, "pfrFrom", "pfrTo"),
    created: rangeOf(query, "createdFrom", "createdTo"),
    groupBy
  })
}

/** What of a document decides whether a query selects it. */
type SelectedBy = Pick<Operation, "taxpayerId" | "businessPremiseId" | "createdAt"> & Pick<TurnoverDocument, "answer">

/** Whether the query selects a document; `countsAsTurnover` says which of them count. Every store's report must give the same result as this function. */
export const matchesTurnoverQuery = (query: TurnoverQuery, { answer, businessPremiseId, createdAt, taxpayerId }: SelectedBy): boolean => {
  const signedAt = pfrInstant(answer?.pfr.sdcTime ?? "")
  return (query.taxpayerId === null || taxpayerId === query.taxpayerId) &&
    (query.businessPremiseId === null || businessPremiseId === query.businessPremiseId) &&
    Option.isSome(signedAt) && isInRange(signedAt.value, query.pfr) && isInRange(createdAt, query.created)
}

/**
 * One row of the report, in dinars: sales less refunds. `gross` is the sum of `payments` and `advanceApplied` in every row, whatever it
 * is grouped by. Source: Decisions §5, Reports; §10.
 */
export interface TurnoverRow {
  /** The groupings asked for; `paymentType` is null for what was applied from advances. */
  readonly group: Readonly<Partial<Record<TurnoverGrouping, string | null>>>
  /** How many receipts, sales and refunds alike, the row has a part of. */
  readonly receipts: number
  readonly gross: BigDecimal.BigDecimal
  readonly payments: ReadonlyArray<{ readonly type: PaymentType; readonly amount: BigDecimal.BigDecimal }>
  /** The signed four-decimal amounts summed, then rounded once. */
  readonly taxes: ReadonlyArray<{ readonly label: string; readonly amount: BigDecimal.BigDecimal }>
  readonly advanceApplied: BigDecimal.BigDecimal
}

/** Most rows of a report, as many as a journal's export has. */
export const mostTurnoverRows = 10_000

const tooManyRows = `would give more than ${mostTurnoverRows} rows: ask for a shorter time (pfrFrom, pfrTo), or group by less`

/** Refuses a report of more rows; nothing is cut off silently. `rows` may stop counting once it is above the limit. */
export const checkTurnoverSize = (rows: number): Result.Result<void, RequestFaults> =>
  rows <= mostTurnoverRows ? Result.succeed(undefined) : Result.fail(new RequestFaults({ faults: [queryFault("groupBy", tooManyRows)] }))

interface Sums {
  readonly group: TurnoverRow["group"]
  receipts: number
  advanceApplied: bigint
  readonly payments: Map<PaymentType, bigint>
  readonly taxes: Map<string, bigint>
}

const keyOf = (group: TurnoverRow["group"]): string => JSON.stringify(Object.values(group))

const groupOf = (
  receipt: TurnoverReceipt,
  part: TurnoverPart,
  groupBy: ReadonlyArray<TurnoverGrouping>
): TurnoverRow["group"] => {
  const all = { ...receipt, ...part }
  return Object.fromEntries(groupBy.map((grouping) => [grouping, all[grouping]]))
}

const addPart = (sums: Sums, part: Pick<TurnoverPart, "paymentType" | "paras" | "taxes">): void => {
  if (part.paymentType === null) sums.advanceApplied += part.paras
  else sums.payments.set(part.paymentType, (sums.payments.get(part.paymentType) ?? 0n) + part.paras)
  for (const [label, amount] of part.taxes) sums.taxes.set(label, (sums.taxes.get(label) ?? 0n) + amount)
}

/** Of two texts that differ. */
const compareTexts = (one: string, other: string): number => one < other ? -1 : 1

const rowOf = (sums: Sums): TurnoverRow => {
  const paid = [...sums.payments.values()].reduce((sum, paras) => sum + paras, 0n)
  return {
    group: sums.group,
    receipts: sums.receipts,
    gross: BigDecimal.make(paid + sums.advanceApplied, 2),
    payments: [...sums.payments].sort(([one], [other]) => compareTexts(one, other))
      .map(([type, paras]) => ({ type, amount: BigDecimal.make(paras, 2) })),
    taxes: [...sums.taxes].sort(([one], [other]) => compareTexts(one, other))
      .map(([label, amount]) => ({ label, amount: roundToPara(BigDecimal.make(amount, 4)) })),
    advanceApplied: BigDecimal.make(sums.advanceApplied, 2)
  }
}

/** Summed parts of many receipts that belong to one group. `receipts` counts the receipts that had no part in the group before. */
export interface SummedParts extends Pick<TurnoverPart, "paymentType" | "paras" | "taxes"> {
  readonly group: TurnoverRow["group"]
  readonly receipts: number
}

/** A report that is summed up document by document, in any order, so that a store can stream documents into it. */
export interface TurnoverSummary {
  readonly add: (document: TurnoverDocument) => void
  readonly addSummed: (parts: SummedParts) => void
  /** How many rows it has so far. */
  readonly size: () => number
  /** The row of a group; null if it has none. */
  readonly row: (group: TurnoverRow["group"]) => TurnoverRow | null
  /** Sorted by their groups; each is made when it is taken. */
  readonly rows: () => Iterable<TurnoverRow>
}

/** An empty report; documents that are no turnover may be added and change nothing. */
export const turnoverSummary = (groupBy: ReadonlyArray<TurnoverGrouping>): TurnoverSummary => {
  const groups = new Map<string, Sums>()
  const sumsOf = (key: string, group: TurnoverRow["group"]): Sums => {
    const sums = groups.get(key) ?? { group, receipts: 0, advanceApplied: 0n, payments: new Map(), taxes: new Map() }
    groups.set(key, sums)
    return sums
  }
  const add = (document: TurnoverDocument): void => {
    const receipt = turnoverReceipt(document)
    const touched = new Set<Sums>()
    for (const part of receipt?.parts ?? []) {
      const group = groupOf(receipt as TurnoverReceipt, part, groupBy)
      const sums = sumsOf(keyOf(group), group)
      addPart(sums, part)
      touched.add(sums)
    }
    for (const sums of touched) sums.receipts += 1
  }
  const addSummed = ({ group, receipts, ...part }: SummedParts): void => {
    const inOrder = Object.fromEntries(groupBy.map((grouping) => [grouping, group[grouping] ?? null]))
    const sums = sumsOf(keyOf(inOrder), inOrder)
    addPart(sums, part)
    sums.receipts += receipts
  }
  const row = (group: TurnoverRow["group"]): TurnoverRow | null => {
    const sums = groups.get(keyOf(group))
    return sums === undefined ? null : rowOf(sums)
  }
  function* rows() {
    for (const [, sums] of [...groups].sort(([one], [other]) => compareTexts(one, other))) yield rowOf(sums)
  }
  return { add, addSummed, size: () => groups.size, row, rows }
}

/** The turnover of documents in memory. */
export const turnover = (documents: Iterable<TurnoverDocument>, groupBy: ReadonlyArray<TurnoverGrouping>): ReadonlyArray<TurnoverRow> => {
  const summary = turnoverSummary(groupBy)
  for (const document of documents) summary.add(document)
  return [...summary.rows()]
}
