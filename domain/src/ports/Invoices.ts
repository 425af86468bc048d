import { Context, type Effect, type Option } from "effect"
import type { ActRefused } from "../activity/ActRefused.ts"
import type { Act } from "../activity/Activity.ts"
import type { Invoice, InvoiceContent, InvoiceEntry, InvoiceNumber } from "../billing/Invoice.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** The result of issuing. `AlreadyIssued`: the organization already has an invoice for that month; nothing was stored and no number used. */
export type InvoiceIssued = { readonly _tag: "Issued"; readonly invoice: Invoice } | { readonly _tag: "AlreadyIssued" }

/** An operator's filter of invoices; null: no condition. */
export interface InvoiceFilter {
  readonly paid: boolean | null
  /** Only invoices before this one in the list. */
  readonly before: InvoiceNumber | null
  readonly limit: number
}

/**
 * Issued invoices. An invoice is never changed or withdrawn; an organization has at most one for a month. Every act is one commit together with its
 * line in the organization's activity log. Lists begin with the newest.
 */
export class Invoices extends Context.Service<Invoices, {
  /**
   * Gives the next number of its Belgrade year, in the same commit. Even if many processes issue at the same time, numbers have no gap, and times of
   * issue do not decrease within a year. After `StoreUnavailable` the invoice may have been issued: issue it again.
   */
  readonly issue: (act: Act, organizationId: OrganizationId, content: InvoiceContent) => Effect.Effect<InvoiceIssued, StoreUnavailable>
  readonly find: (id: InvoiceNumber) => Effect.Effect<Option.Option<InvoiceEntry>, StoreUnavailable>
  readonly ofOrganization: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<InvoiceEntry>, StoreUnavailable>
  /** Of every organization. */
  readonly list: (filter: InvoiceFilter) => Effect.Effect<ReadonlyArray<InvoiceEntry>, StoreUnavailable>
  /**
   * Notes the Belgrade day on which an invoice was paid, or with null that it is not paid after all; the reason is the act's. Refused with
   * INVOICE_NOT_FOUND, INVOICE_ALREADY_PAID, INVOICE_NOT_PAID, or CHANGED_MEANWHILE if two persons note at the same time.
   */
  readonly notePayment: (act: Act, id: InvoiceNumber, paidOn: string | null) => Effect.Effect<void, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/Invoices") {}
