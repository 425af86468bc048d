import { type DateTime, Schema } from "effect"
import type { OrganizationId } from "../tenancy/identifiers.ts"

/** Who changes the installation, and why. Both are written to the activity log in the same commit as the change. */
export interface Act {
  readonly actor: string
  readonly reason: string
}

/** The operator who decides about a document or has it sent, and why. The name is without `operator:`. */
export interface Operator {
  readonly name: string
  readonly reason: string
}

/** The operator of an act that a host has taken from a person. */
export const operatorOf = ({ actor, reason }: Act): Operator => ({ name: actor.replace(/^operator:/, ""), reason })

/** An operator's act on a document, which the store writes to the activity log in the commit that carries it out. The document is the line's subject. */
export interface OperatorsDeed extends Act {
  readonly act: string
  readonly after: Readonly<Record<string, unknown>>
}

/** A line of the activity log, or a document or message that a person asked for in the portal, told as one. `before` and `after` are JSON texts. */
export interface Activity {
  readonly organizationId: OrganizationId | null
  readonly at: DateTime.Utc
  readonly actor: string
  /** The name of the person who acted; null for a program, and once the person is erased. */
  readonly actorName: string | null
  readonly act: string
  readonly subject: string
  /** The name that the subject had at that time, or the person's; null where it has none. */
  readonly subjectName: string | null
  readonly before: string | null
  readonly after: string | null
  readonly reason: string
}

/** An administrative act that contradicts the stored state. Nothing was changed. `detail` is one sentence that names the fault. */
export class ActRefused extends Schema.TaggedError<ActRefused>()("ActRefused", {
  reason: Schema.Literals([
    "ORGANIZATION_NOT_FOUND",
    "TAXPAYER_NOT_FOUND",
    "BUSINESS_PREMISE_NOT_FOUND",
    "SECURITY_ELEMENT_NOT_FOUND",
    "SECURITY_ELEMENT_NOT_USABLE",
    "CREDENTIAL_NOT_FOUND",
    "CREDENTIALS_NOT_ALLOWED",
    "LICENSE_NOT_FOUND",
    "TOKEN_KEY_NOT_FOUND",
    "QUOTA_REACHED",
    "PU_IDENTIFIER_ALREADY_EXISTS",
    "JID_ALREADY_EXISTS",
    "TAX_IDENTIFIER_DIFFERS",
    "ATTENTION_ITEM_NOT_FOUND",
    "MEMBER_NOT_FOUND",
    "MEMBER_ALREADY_EXISTS",
    "PERSON_NOT_FOUND",
    "ADDRESS_NOT_PROVEN",
    "REFERENCE_KEY_ALREADY_EXISTS",
    "ENVELOPE_UNREADABLE",
    "RESTORE_STATE_DIFFERS",
    "INVOICE_NOT_FOUND",
    "INVOICE_ALREADY_PAID",
    "INVOICE_NOT_PAID",
    "PRICES_NOT_POSSIBLE",
    "MONTH_NOT_CLOSABLE",
    "CHANGED_MEANWHILE"
  ]),
  detail: Schema.String
}) {}
