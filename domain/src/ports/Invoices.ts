import { Context, type Effect, type Option } from "effect"
import type { ActRefused } from "../activity/ActRefused.ts"
import type { Act } from "../activity/Activity.ts"
import type { Invoice, InvoiceContent, InvoiceEntry, InvoiceNumber } from "../billing/Invoice.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** What came of issuing: `AlreadyIssued` where the organization has an invoice for that month; nothing was stored then and no number used. */
export type InvoiceIssued = { readonly _tag: "Issued"; readonly invoice: Invoice } | { readonly _tag: "AlreadyIssued" }

/** Which invoices an operator looks for; null asks for nothing. */
export interface InvoiceFilter {
  readonly paid: boolean | null
  /** Only invoices before this one in the list. */
  readonly before: InvoiceNumber | null
  readonly limit: number
}

/**
 * Issued invoices. One is never changed or taken back; a month of an organization has at most one. Every act is one commit together with its line
 * in the organization's activity log. Lists begin with the newest.
 */
export class Invoices extends Context.Service<Invoices, {
  /**
   * Gives the next number of its Belgrade year, in the same commit. However many issue at once, numbers have no gap, and times of issue
   * do not go back within a year. After `StoreUnavailable` it may have been issued: issue it again.
   */
  readonly issue: (act: Act, organizationId: OrganizationId, content: InvoiceContent) => Effect.Effect<InvoiceIssued, StoreUnavailable>
  readonly find: (id: InvoiceNumber) => Effect.Effect<Option.Option<InvoiceEntry>, StoreUnavailable>
  readonly ofOrganization: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<InvoiceEntry>, StoreUnavailable>
  /** Of every organization. */
  readonly list: (filter: InvoiceFilter) => Effect.Effect<ReadonlyArray<InvoiceEntry>, StoreUnavailable>
  /**
   * Notes the Belgrade day an invoice was paid on, or with null that it is not paid after all; the reason is the act's. Refused with
   * INVOICE_NOT_FOUND, INVOICE_ALREADY_PAID, INVOICE_NOT_PAID, or CHANGED_MEANWHILE where two note at once.
   */
  readonly notePayment: (act: Act, id: InvoiceNumber, paidOn: string | null) => Effect.Effect<void, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/Invoices") {}
