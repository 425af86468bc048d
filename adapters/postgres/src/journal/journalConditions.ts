import { type AmountRange, type DocumentStatus, doubtedStatuses, type JournalFilter, type Tenant, type TimeRange } from "@overa/domain"
import { BigDecimal, DateTime } from "effect"
import { hidesStatus } from "../operations/inDoubt.ts"
import type { Parameters } from "../search/Parameters.ts"

/** A place in the journal's order. */
export interface Place {
  readonly createdAt: Date
  readonly id: string
}

export const dateOf = (instant: DateTime.Utc): Date => new Date(DateTime.toEpochMillis(instant))

export const latestFirst = (alias: string): string => `order by ${alias}.created_at desc, ${alias}.operation_id desc`

/**
 * A receipt is signed after its request was created; the V-PFR's clock may be five minutes behind ours (Decisions §4), and this doubles it as a
 * margin.
 */
const signedEarlierMillis = 10 * 60_000

const endOfTime = "infinity"

/** The instant after which nothing that the filter selects can have been created. */
const upperBound = (filter: JournalFilter, behind: Place | null): Date | null => {
  const bounds = [
    ...(behind === null ? [] : [behind.createdAt.getTime()]),
    ...(filter.created.to === null ? [] : [filter.created.to.epochMilliseconds]),
    ...(filter.pfr.to === null ? [] : [filter.pfr.to.epochMilliseconds + signedEarlierMillis])
  ]
  return bounds.length === 0 ? null : new Date(Math.min(...bounds))
}

/** The bounds of a range of time. */
export const within = (column: string, { from, to }: TimeRange, { add }: Parameters): ReadonlyArray<string> => [
  ...(from === null ? [] : [`${column} >= ${add(dateOf(from), "timestamptz")}`]),
  ...(to === null ? [] : [`${column} < ${add(dateOf(to), "timestamptz")}`])
]

/** What the filter and the cursor say about the creation time, for rows of operations or entries. */
export const creationConditions = (alias: string, parameters: Parameters, filter: JournalFilter, behind: Place | null): ReadonlyArray<string> => [
  ...(behind === null
    ? []
    : [`(${alias}.created_at, ${alias}.operation_id) < (${parameters.add(behind.createdAt, "timestamptz")}, ${parameters.add(behind.id, "uuid")})`]),
  ...within(`${alias}.created_at`, filter.created, parameters)
]

/** The range of the journal's order that the filter and the cursor leave: its bound makes the order's index usable. */
export const rangeConditions = (alias: string, parameters: Parameters, filter: JournalFilter, behind: Place | null): ReadonlyArray<string> => {
  const upper = upperBound(filter, behind)
  return [
    upper === null ? `${alias}.created_at <= '${endOfTime}'` : `${alias}.created_at <= ${parameters.add(upper, "timestamptz")}`,
    ...creationConditions(alias, parameters, filter, behind)
  ]
}

/** A column has a value, where one is asked for. */
export const equal = (column: string, value: string | null, { add }: Parameters, type = "text"): ReadonlyArray<string> =>
  value === null ? [] : [`${column} = ${add(value, type)}`]

/** An amount lies in a range. */
export const amountConditions = (column: string, range: AmountRange | undefined, { add }: Parameters): ReadonlyArray<string> => [
  ...(range === undefined || range.from === null ? [] : [`${column} >= ${add(BigDecimal.format(range.from), "numeric")}`]),
  ...(range === undefined || range.to === null ? [] : [`${column} <= ${add(BigDecimal.format(range.to), "numeric")}`])
]

/** A document in doubt is found by the status that is told of it. */
const hasStatus = (status: DocumentStatus, parameters: Parameters): string => {
  const has = `o.status = ${parameters.add(status, "text")}`
  if (status === "FISCALIZED") return has
  return status === "OUTCOME_UNKNOWN" ? `(${has} or ${hidesStatus("o")})` : `${has} and not ${hidesStatus("o")}`
}

const statusConditions = ({ status }: JournalFilter, parameters: Parameters): ReadonlyArray<string> =>
  status === null ? [] : [`(${status.map((one) => hasStatus(one, parameters)).join(" or ")})`]

/** All conditions of a filter on the columns of `operations`, except `text` and the creation time. */
export const columnConditions = (filter: JournalFilter, parameters: Parameters): ReadonlyArray<string> => [
  ...equal("o.taxpayer_id", filter.taxpayerId, parameters, "uuid"),
  ...equal("o.premise_id", filter.businessPremiseId, parameters, "uuid"),
  ...statusConditions(filter, parameters),
  ...equal("o.invoice_type", filter.invoiceType, parameters),
  ...equal("o.transaction_type", filter.transactionType, parameters),
  ...equal("o.client_reference", filter.clientReference, parameters),
  ...equal("o.invoice_number", filter.pfrNumber, parameters),
  ...equal("o.buyer_id", filter.buyerId, parameters),
  ...equal("o.cashier_id", filter.cashierId, parameters),
  ...amountConditions("o.total_amount", filter.amount, parameters),
  ...within("o.sdc_time", filter.pfr, parameters)
]

/** The organization and environment of rows, which every statement names. */
export const scopeConditions = (alias: string, { environment, organizationId }: Tenant, { add }: Parameters): ReadonlyArray<string> => [
  `${alias}.organization_id = ${add(organizationId, "uuid")}`,
  `${alias}.environment = ${add(environment, "text")}`
]

/**
 * The indexes for the operations of some statuses: rare statuses have an index of their own, a SUBMITTING row has a lease, and FISCALIZED is the
 * status of nearly all.
 */
export const statusSource = ({ status }: JournalFilter, parameters: Parameters): ReadonlyArray<string> => {
  if (status === null || status.includes("FISCALIZED")) return []
  const leased = status.includes("SUBMITTING") ? ["o.lease_until is not null"] : []
  const rare = status.filter((one) => one !== "SUBMITTING").flatMap((one) => one === "OUTCOME_UNKNOWN" ? [one, ...doubtedStatuses] : [one])
  const among = rare.length === 0
    ? []
    : [`o.status in (${[...new Set(rare)].map((one) => parameters.add(one, "text")).join(", ")}) and o.status not in ('FISCALIZED', 'SUBMITTING')`]
  return [`(${[...leased, ...among].join(" or ")})`]
}
