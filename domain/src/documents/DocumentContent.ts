import { Schema } from "effect"
import { Buyer, Cashier } from "../parties/Buyer.ts"
import { DocumentReference } from "../references/ReferencedDocument.ts"
import { PaperFormat } from "../tenancy/Taxpayer.ts"
import { InvoiceType, TransactionType } from "./InvoiceType.ts"
import { LineItem, Payment } from "./LineItem.ts"

/** Free key-value pairs of the caller; never sent to the V-PFR, not on the receipt. */
export const Metadata = Schema.Record(
  Schema.String,
  Schema.Union([Schema.String, Schema.BigDecimal, Schema.Boolean, Schema.Null])
)
export type Metadata = typeof Metadata.Type

/** What stands below the closing line of the sale that closes an advance (Decisions §5, Advance case; V-PFR §8.5). */
export const AdvanceClosing = Schema.Struct({
  lastAdvanceNumber: Schema.String,
  lastAdvanceTime: Schema.String,
  totalAdvance: Schema.BigDecimal,
  taxOnAdvance: Schema.BigDecimal,
  remaining: Schema.BigDecimal
})
export interface AdvanceClosing extends Schema.Schema.Type<typeof AdvanceClosing> {}

/**
 * Everything a document says, captured when it is reserved: what is sent to be signed and what is printed around it, so that a
 * reprint years later is the same (Decisions §6).
 */
export const DocumentContent = Schema.Struct({
  invoiceType: InvoiceType,
  transactionType: TransactionType,
  clientReference: Schema.String,
  cashier: Cashier,
  buyer: Schema.NullOr(Buyer),
  items: Schema.Array(LineItem),
  payments: Schema.Array(Payment),
  commercialFooter: Schema.NullOr(Schema.String),
  metadata: Schema.NullOr(Metadata),
  reference: Schema.NullOr(DocumentReference),
  /** Only an Advance Sale paid by an earlier wire transfer has one (V-PFR §2). */
  dateAndTimeOfIssue: Schema.NullOr(Schema.DateTimeUtc),
  advanceClosing: Schema.NullOr(AdvanceClosing),
  /** The ESIR number at issuance; empty until the tax authority assigns one (Spec, Resources, Runtime). */
  esirNumber: Schema.String,
  preferredPaperFormat: PaperFormat,
  /** The version of the taxpayer's branding that a reprint uses. */
  brandingId: Schema.NullOr(Schema.String)
})
export interface DocumentContent extends Schema.Schema.Type<typeof DocumentContent> {}
