import { Result } from "effect"
import { onlyValue, queryFault, type QueryTexts, rangeFaults, rangeOf, uuidFaults, valueFaults } from "../journal/queryFields.ts"
import { isInRange, isSignedIn, type TimeRange } from "../journal/JournalFilter.ts"
import { RequestFaults } from "../requests/Fault.ts"
import { type ReceiptDelivery, ReceiptDeliveryStatus } from "./ReceiptDelivery.ts"
import { recipientFault } from "./deliverability.ts"

/** The filter of a list of deliveries. A null field filters nothing; a delivery must match all other fields. */
export interface DeliveryFilter {
  readonly status: ReceiptDeliveryStatus | null
  readonly fiscalDocumentId: string | null
  /** The whole address, letter case aside. */
  readonly recipient: string | null
  /** On `pfr.sdcTime` of the receipt. */
  readonly pfr: TimeRange
  /** On `createdAt`. */
  readonly created: TimeRange
}

/** The names of the filters, as query parameters. */
export const deliveryFilterNames = ["status", "fiscalDocumentId", "recipient", "pfrFrom", "pfrTo", "createdFrom", "createdTo"] as const

/** An address as filters and limits compare it. */
export const comparableAddress = (address: string): string => address.toLowerCase()

const recipientFaults = (query: QueryTexts) => {
  const asked = onlyValue(query, "recipient")
  const message = asked === null ? undefined : recipientFault(asked)
  return message === undefined ? [] : [queryFault("recipient", message)]
}

/** The filter of a list of deliveries, or everything wrong with it at once. */
export const readDeliveryFilter = (query: QueryTexts): Result.Result<DeliveryFilter, RequestFaults> => {
  const faults = [
    ...valueFaults(query, "status", ReceiptDeliveryStatus.literals),
    ...uuidFaults(query, "fiscalDocumentId"),
    ...recipientFaults(query),
    ...rangeFaults(query, "pfrFrom", "pfrTo"),
    ...rangeFaults(query, "createdFrom", "createdTo")
  ]
  if (faults.length > 0) return Result.fail(new RequestFaults({ faults }))
  const recipient = onlyValue(query, "recipient")
  return Result.succeed({
    status: ReceiptDeliveryStatus.literals.find((status) => status === onlyValue(query, "status")) ?? null,
    fiscalDocumentId: onlyValue(query, "fiscalDocumentId")?.toLowerCase() ?? null,
    recipient: recipient === null ? null : comparableAddress(recipient),
    pfr: rangeOf(query, "pfrFrom", "pfrTo"),
    created: rangeOf(query, "createdFrom", "createdTo")
  })
}

/**
 * Whether a delivery matches the filter; `sdcTime` is its receipt's, null where the receipt is not known. Every store's list must give the same result
 * as this function.
 */
export const matchesDeliveryFilter = (filter: DeliveryFilter, delivery: ReceiptDelivery, sdcTime: string | null): boolean =>
  (filter.status === null || filter.status === delivery.status) &&
  (filter.fiscalDocumentId === null || filter.fiscalDocumentId === delivery.fiscalDocumentId) &&
  (filter.recipient === null || (delivery.recipient !== null && filter.recipient === comparableAddress(delivery.recipient))) &&
  isSignedIn(sdcTime, filter.pfr) && isInRange(delivery.createdAt, filter.created)
