import { Context, type Effect, type Option } from "effect"
import type { Act, ActRefused } from "../activity/Activity.ts"
import type { Invoice, InvoiceBuyer, InvoiceContent, InvoiceEntry, InvoiceIssuer, InvoiceNumber } from "../billing/Invoice.ts"
import type { PriceList, Prices } from "../billing/PriceList.ts"
import type { LicenseChange } from "../billing/licensedDays.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { CalendarMonth } from "../time/CalendarMonth.ts"
import type { RenderingUnavailable } from "./ReceiptRenderer.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** An issuer with the number of its version. */
export interface IssuerVersion {
  readonly version: number
  readonly issuer: InvoiceIssuer
}

/**
 * The terms of invoices: prices and the issuer. Versions are added and never changed; each act is one commit together with its line in the activity
 * log. `seen` is the newest version that the deciding person has seen, 0 for none. If a newer one is stored, the act is refused with
 * CHANGED_MEANWHILE, so that of two acts at the same time one wins.
 */
export class BillingTerms extends Context.Service<BillingTerms, {
  /** Every price list, the newest version first. */
  readonly priceLists: Effect.Effect<ReadonlyArray<PriceList>, StoreUnavailable>
  /** Returns the new version. The caller decides whether the list may begin with that month. */
  readonly addPriceList: (act: Act, prices: Prices & { readonly validFrom: CalendarMonth }, seen: number) => Effect.Effect<number, ActRefused | StoreUnavailable>
  /** The newest issuer; null before the operator has named one. */
  readonly issuer: Effect.Effect<IssuerVersion | null, StoreUnavailable>
  readonly changeIssuer: (act: Act, issuer: InvoiceIssuer, seen: number) => Effect.Effect<number, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/BillingTerms") {}

/** The billed organizations and their charges. Reads only. */
export class BillingAccounts extends Context.Service<BillingAccounts, {
  /**
   * Organizations with a licence that may have been in force in the month and without an invoice for it, in the order of their ids, after `after` if
   * it is given. The caller counts the licence's days.
   */
  readonly unbilled: (month: CalendarMonth, after: OrganizationId | null, limit: number) => Effect.Effect<ReadonlyArray<OrganizationId>, StoreUnavailable>
  /** The present buyer. */
  readonly buyer: (organizationId: OrganizationId) => Effect.Effect<InvoiceBuyer, StoreUnavailable>
  /** All changes of the organization's licence, oldest first. */
  readonly licenseChanges: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<LicenseChange>, StoreUnavailable>
}>()("@overa/domain/ports/BillingAccounts") {}

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

/** The language and script of the words around an invoice's own texts. */
export type InvoiceLanguage = "sr-Cyrl" | "sr-Latn" | "en"

/** Draws invoices. The same invoice in the same language always gives the same bytes. */
export class InvoiceRenderer extends Context.Service<InvoiceRenderer, {
  readonly pdf: (invoice: Invoice, language: InvoiceLanguage) => Effect.Effect<Uint8Array, RenderingUnavailable>
}>()("@overa/domain/ports/InvoiceRenderer") {}
