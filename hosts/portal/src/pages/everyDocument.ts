import { anyTime, type JournalFilter } from "@overa/domain"

/** The filter for all documents of a tenant, to be narrowed. */
export const everyDocument: JournalFilter = {
  taxpayerId: null,
  businessPremiseId: null,
  status: null,
  invoiceType: null,
  transactionType: null,
  clientReference: null,
  pfrNumber: null,
  buyerId: null,
  cashierId: null,
  text: null,
  pfr: anyTime,
  created: anyTime
}
