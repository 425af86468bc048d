import { Context, type DateTime, type Effect, type Redacted, Schema } from "effect"
import type { DeliverySettings } from "../delivery/DeliverySettings.ts"
import type { LicenseModule } from "../licensing/License.ts"
import type { AttentionItem } from "../operations/Operation.ts"
import type { BusinessPremise, PaymentMode } from "../tenancy/BusinessPremise.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { BusinessPremiseId, OrganizationId, SecurityElementId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { Scope } from "../tenancy/Scope.ts"
import type { PaperFormat, Taxpayer, VatStatus } from "../tenancy/Taxpayer.ts"
import type { MemberRole } from "../people/MemberRole.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import type { ReferenceKey } from "../verification/ReferenceKey.ts"
import type { Act } from "../activity/Activity.ts"
import type { TaxpayerAlreadyExists } from "../tenancy/errors.ts"
import type { CreatedPremise, CreatedTaxpayer, NewBusinessPremise, NewTaxpayer } from "../tenancy/NewTaxpayer.ts"
import type { ElementFacts } from "../tenancy/ElementFacts.ts"

/** An act that does not fit what is stored; nothing was changed. `detail` says in a sentence what is wrong. */
export class ActRefused extends Schema.TaggedError<ActRefused>()("ActRefused", {
  reason: Schema.Literals([
    "ORGANIZATION_NOT_FOUND",
    "TAXPAYER_NOT_FOUND",
    "BUSINESS_PREMISE_NOT_FOUND",
    "SECURITY_ELEMENT_NOT_FOUND",
    "SECURITY_ELEMENT_NOT_USABLE",
    "CREDENTIAL_NOT_FOUND",
    "LICENSE_NOT_FOUND",
    "TOKEN_KEY_NOT_FOUND",
    "QUOTA_REACHED",
    "PU_IDENTIFIER_ALREADY_EXISTS",
    "JID_ALREADY_EXISTS",
    "TAX_IDENTIFIER_DIFFERS",
    "ATTENTION_ITEM_NOT_FOUND",
    "MEMBER_NOT_FOUND",
    "MEMBER_ALREADY_EXISTS",
    "REFERENCE_KEY_ALREADY_EXISTS",
    "ENVELOPE_UNREADABLE"
  ]),
  detail: Schema.String
}) {}

export interface IssuedCredential {
  readonly clientId: string
  /** Shown once; only its digest is stored. */
  readonly clientSecret: Redacted.Redacted<string>
}

export interface NewTokenKey {
  readonly kid: string
  readonly privateKey: Redacted.Redacted<string>
  readonly publicJwk: Readonly<Record<string, string>>
}

/** How many an organization may register by itself, in one environment. */
export interface RegistrationQuota {
  readonly taxpayers: number
  readonly premises: number
}

/** Organizations, taxpayers and premises. */
export interface TenancyActs {
  readonly createOrganization: (act: Act, name: string) => Effect.Effect<OrganizationId, StoreUnavailable>
  /**
   * Sandbox premises get a pool element at once. With a quota it is the organization's own act: no more than that, and a production tax
   * identifier, which nobody has proven yet, keeps no other organization from registering it.
   */
  readonly createTaxpayer: (
    act: Act,
    organizationId: OrganizationId,
    environment: Environment,
    taxpayer: NewTaxpayer,
    quota?: RegistrationQuota
  ) => Effect.Effect<CreatedTaxpayer, TaxpayerAlreadyExists | ActRefused | StoreUnavailable>
  /** The tax identifier is this taxpayer's from now on, and no other organization's in this environment. */
  readonly confirmTaxpayer: (
    act: Act,
    organizationId: OrganizationId,
    taxpayerId: TaxpayerId
  ) => Effect.Effect<void, TaxpayerAlreadyExists | ActRefused | StoreUnavailable>
  /** The taxpayer becomes inactive and its tax identifier free for another organization; its documents stay. */
  readonly releaseTaxpayer: (
    act: Act,
    organizationId: OrganizationId,
    taxpayerId: TaxpayerId
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
  readonly addPremise: (
    act: Act,
    organizationId: OrganizationId,
    taxpayerId: TaxpayerId,
    premise: NewBusinessPremise
  ) => Effect.Effect<CreatedPremise, ActRefused | StoreUnavailable>
  readonly changeTaxpayer: (
    act: Act,
    organizationId: OrganizationId,
    taxpayerId: TaxpayerId,
    change: {
      readonly status?: Taxpayer["status"]
      readonly vatStatus?: VatStatus
      /** The Belgrade day it holds from, `2026-01-01`. */
      readonly vatStatusSince?: string
      readonly preferredPaperFormat?: PaperFormat
    }
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
  readonly changePremise: (
    act: Act,
    organizationId: OrganizationId,
    premiseId: BusinessPremiseId,
    change: {
      readonly status?: BusinessPremise["status"]
      readonly paymentMode?: PaymentMode
      readonly commerceMode?: BusinessPremise["commerceMode"]
    }
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /** One role per person; adding somebody again is refused. */
  readonly addMember: (
    act: Act,
    organizationId: OrganizationId,
    member: { readonly person: string; readonly role: MemberRole }
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
  readonly removeMember: (
    act: Act,
    organizationId: OrganizationId,
    person: string
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
}

/** The vault of security elements and the sandbox pool. */
export interface ElementActs {
  /** Goes to the oldest sandbox premise without an element, if one waits; else into the pool. */
  readonly addToPool: (act: Act, element: ElementFacts) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /** Stored as UPLOADED. In production the element's tax identifier must be the taxpayer's. */
  readonly upload: (
    act: Act,
    organizationId: OrganizationId,
    premiseId: BusinessPremiseId,
    element: ElementFacts
  ) => Effect.Effect<SecurityElementId, ActRefused | StoreUnavailable>
  /** UPLOADED → ACTIVE; the premise's former element becomes REPLACED and stays openable. */
  readonly activate: (
    act: Act,
    organizationId: OrganizationId,
    elementId: SecurityElementId
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
}

/** Credentials, licences and the keys that sign tokens. */
export interface AccessActs {
  readonly issueCredential: (
    act: Act,
    organizationId: OrganizationId,
    environment: Environment | null,
    scopes: ReadonlyArray<Scope>
  ) => Effect.Effect<IssuedCredential, ActRefused | StoreUnavailable>
  readonly revokeCredential: (act: Act, clientId: string) => Effect.Effect<void, ActRefused | StoreUnavailable>
  readonly grantLicense: (
    act: Act,
    organizationId: OrganizationId,
    license: {
      readonly startsAt: DateTime.Utc
      readonly expiresAt: DateTime.Utc | null
      readonly modules: ReadonlyArray<LicenseModule>
    }
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
  readonly suspendLicense: (
    act: Act,
    organizationId: OrganizationId,
    suspended: boolean
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /** The new key signs from now on; the keys before it retire and verify until the tokens they signed have expired. */
  readonly addTokenKey: (act: Act, key: NewTokenKey) => Effect.Effect<void, StoreUnavailable>
  /** Forgets a retired key, whose tokens then end at once. Refused for the one that signs: add another first. */
  readonly revokeTokenKey: (act: Act, kid: string) => Effect.Effect<void, ActRefused | StoreUnavailable>
}

/** Settings of an environment of this installation. */
export interface InstallationActs {
  readonly changeEnvironment: (
    act: Act,
    environment: Environment,
    change: {
      readonly trafficEnabled?: boolean
      readonly esirNumber?: string
      readonly vatCategories?: ReadonlyArray<string>
    }
  ) => Effect.Effect<void, StoreUnavailable>
  /** A root that elements may come from, or a signer's key; never changed, only added (V-PFR §9). */
  readonly addReferenceKey: (act: Act, key: Omit<ReferenceKey, "addedAt">) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /** Seals every secret under the first of the configured keys; how many were not before. May be stopped and begun again. */
  readonly resealSecrets: (act: Act) => Effect.Effect<number, ActRefused | StoreUnavailable>
  /**
   * Erases a buyer's address from an organization's deliveries that are no longer queued and at least so many days old (Decisions §15);
   * how many. The activity log says that it was done, and not whose address it was.
   */
  readonly eraseRecipient: (
    act: Act,
    organizationId: OrganizationId,
    erased: { readonly recipient: string; readonly olderThanDays: number }
  ) => Effect.Effect<number, StoreUnavailable>
  readonly changeDelivery: (
    act: Act,
    organizationId: OrganizationId,
    taxpayerId: TaxpayerId,
    settings: DeliverySettings
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
}

/** The attention list and the activity log. Both only grow; an item is acknowledged, never removed. */
export interface RecordActs {
  readonly acknowledge: (act: Act, attentionId: string) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /** Puts an element on the list; false when this kind was raised for it before. */
  readonly raiseAboutElement: (
    element: { readonly organizationId: OrganizationId; readonly elementId: SecurityElementId },
    item: AttentionItem
  ) => Effect.Effect<boolean, StoreUnavailable>
  /** Writes an act done through another port, e.g. an operator's decision, into the log. */
  readonly record: (
    act: Act,
    deed: { readonly organizationId: OrganizationId | null; readonly act: string; readonly subject: string; readonly after: string }
  ) => Effect.Effect<void, StoreUnavailable>
}

/**
 * What an operator, the portal and the sandbox's start do to an installation. Every act is one commit together with its line in the
 * activity log: who, what, before, after, why.
 *
 * @example
 * const id = yield* administration.tenancy.createOrganization({ actor: "operator:ana", reason: "contract 17" }, "Prodavnica d.o.o.")
 */
export class Administration extends Context.Service<Administration, {
  readonly tenancy: TenancyActs
  readonly elements: ElementActs
  readonly access: AccessActs
  readonly installation: InstallationActs
  readonly records: RecordActs
}>()("@overa/domain/ports/Administration") {}
