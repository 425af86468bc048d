import { Context, type DateTime, type Effect, type Redacted } from "effect"
import type { Act, ActRefused } from "../activity/Activity.ts"
import type { LicenseModule } from "../licensing/licenseGate.ts"
import type { MemberRole } from "../people/MemberRole.ts"
import type {
  BusinessPremise, CreatedPremise, CreatedTaxpayer, NewBusinessPremise, NewTaxpayer, PaperFormat, PaymentMode, RegistrationQuota, Taxpayer, VatStatus
} from "../tenancy/Taxpayer.ts"
import type { ElementFacts } from "../tenancy/SecurityElement.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { GrantableScope } from "../tenancy/Caller.ts"
import type { RegistrationsPaused, TaxpayerAlreadyExists } from "../tenancy/errors.ts"
import type { BusinessPremiseId, OrganizationId, SecurityElementId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { ReferenceKey } from "../verification/checkReceipt.ts"
import type { NewInvitation, PersonActRefused } from "./People.ts"
import type { PersonMail } from "./PersonMails.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Everything that a shop needs before its first element: its organization, its owner's invitation, and a taxpayer with premises. */
export interface NewShop {
  /** Chosen before anything is stored: opened twice under the same id, it is one shop. */
  readonly organizationId: OrganizationId
  readonly name: string
  readonly invitation: NewInvitation
  /** See `Invitations.invite`. */
  readonly mail: PersonMail | null
  readonly environment: Environment
  readonly taxpayer: NewTaxpayer
}

/**
 * Organizations and who belongs to them. Every act is one commit together with its line in the activity log: who, what, before, after, why.
 *
 * @example
 * const id = yield* organizationActs.createOrganization({ actor: "operator:ana", reason: "contract 17" }, "Prodavnica d.o.o.")
 */
export class OrganizationActs extends Context.Service<OrganizationActs, {
  readonly createOrganization: (act: Act, name: string) => Effect.Effect<OrganizationId, StoreUnavailable>
  /**
   * Creates the organization, invites its owner and creates the taxpayer as `TaxpayerActs.createTaxpayer` does, in one commit: all of it, or nothing. False where there is an
   * organization with this id already; then nothing is changed, whatever else differs. Of several at once, one is true, and the others wait for it.
   */
  readonly openShop: (act: Act, shop: NewShop) => Effect.Effect<boolean, TaxpayerAlreadyExists | PersonActRefused | ActRefused | StoreUnavailable>
  /**
   * Gives a role to a person who has an account with a proven address; nobody inherits a role with an address. Adding somebody again is refused, but a role that
   * waits for an account (from an earlier release) is given to it.
   */
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
}>()("@overa/domain/ports/OrganizationActs") {}

/** Taxpayers and their business premises. Every act is one commit together with its line in the activity log: who, what, before, after, why. */
export class TaxpayerActs extends Context.Service<TaxpayerActs, {
  /**
   * Sandbox premises get a pool element at once. With a quota the act is the organization's own: the quota is its limit, and a production tax
   * identifier that nobody has confirmed yet does not prevent another organization from registering it. It is told `takenIdentifiers.most` times a day that
   * an identifier is another organization's; each time is a line of its activity log, the last raises `IDENTIFIERS_TRIED`, and then it waits.
   */
  readonly createTaxpayer: (
    act: Act,
    organizationId: OrganizationId,
    environment: Environment,
    taxpayer: NewTaxpayer,
    quota?: RegistrationQuota
  ) => Effect.Effect<CreatedTaxpayer, TaxpayerAlreadyExists | RegistrationsPaused | ActRefused | StoreUnavailable>
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
  /**
   * Sandbox premises get a pool element at once. With a quota it is an act of the organization itself, which may have no more premises than the
   * quota.
   */
  readonly addPremise: (
    act: Act,
    organizationId: OrganizationId,
    taxpayerId: TaxpayerId,
    premise: NewBusinessPremise,
    quota?: RegistrationQuota
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
}>()("@overa/domain/ports/TaxpayerActs") {}

/** The stored security elements and the pool for the sandbox. Every act is one commit together with its line in the activity log: who, what, before, after, why. */
export class ElementActs extends Context.Service<ElementActs, {
  /** Goes to the oldest sandbox premise that waits for an element; into the pool when none waits. */
  readonly addToPool: (act: Act, element: ElementFacts) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /**
   * Stored as UPLOADED. In production the element's tax identifier must be the taxpayer's. A JID belongs to one premise, and a certificate is stored
   * once.
   */
  readonly upload: (
    act: Act,
    organizationId: OrganizationId,
    premiseId: BusinessPremiseId,
    element: ElementFacts
  ) => Effect.Effect<SecurityElementId, ActRefused | StoreUnavailable>
  /** UPLOADED → ACTIVE; the premise's former element becomes REPLACED and can still be opened. */
  readonly activate: (
    act: Act,
    organizationId: OrganizationId,
    elementId: SecurityElementId
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/ElementActs") {}

/** Settings of the whole installation. Every act is one commit together with its line in the activity log: who, what, before, after, why. */
export class InstallationActs extends Context.Service<InstallationActs, {
  readonly changeEnvironment: (
    act: Act,
    environment: Environment,
    change: {
      readonly trafficEnabled?: boolean
      readonly esirNumber?: string
      readonly vatCategories?: ReadonlyArray<string>
      readonly proformaReferences?: boolean
    }
  ) => Effect.Effect<void, StoreUnavailable>
  /** Adds a root certificate of elements, or a signer's key. Stored keys are never changed (V-PFR §9). */
  readonly addReferenceKey: (act: Act, key: Omit<ReferenceKey, "addedAt">) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /**
   * Encrypts every secret again under the first of the configured keys; answers how many were under another one. It may be interrupted and started
   * again.
   */
  readonly resealSecrets: (act: Act) => Effect.Effect<number, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/InstallationActs") {}

export interface IssuedCredential {
  readonly clientId: string
  /** Shown once; only its digest is stored. */
  readonly clientSecret: Redacted.Redacted<string>
}

/** What a credential has besides its scopes. */
export interface CredentialOptions {
  /** So that people know it in a list. */
  readonly name?: string
  /** The only premises that it may be used for; all where left out. They must be the organization's, in the credential's environment. */
  readonly premises?: ReadonlyArray<BusinessPremiseId> | null
  /**
   * The organization's own act: refused where the operator does not allow it, above `most` valid credentials of the environment, and for the management scope.
   * Owners get a message; of what a program makes over the API, of the first in a day.
   */
  readonly own?: { readonly by: "OWNER" | "PROGRAM"; readonly most: number }
}

/** Which credentials an organization's own act may name: those of an environment over the API, all of the organization in the portal. */
export interface OwnCredentials {
  readonly by: "OWNER" | "PROGRAM"
  readonly organizationId: OrganizationId
  /** Null for those of every environment. */
  readonly environment: Environment | null
}

export interface NewTokenKey {
  readonly kid: string
  readonly privateKey: Redacted.Redacted<string>
  readonly publicJwk: Readonly<Record<string, string>>
}

/** Who may call the API. Every act is one commit together with its line in the activity log: who, what, before, after, why. */
export class CredentialActs extends Context.Service<CredentialActs, {
  readonly issueCredential: (
    act: Act,
    organizationId: OrganizationId,
    environment: Environment | null,
    scopes: ReadonlyArray<GrantableScope>,
    options?: CredentialOptions
  ) => Effect.Effect<IssuedCredential, ActRefused | StoreUnavailable>
  /**
   * A new secret. The one before is accepted for `keepSeconds` more; one that was before that one ends at once. `own`: see `CredentialOptions`; only a credential of that
   * organization and environment is found, and none with the management scope.
   */
  readonly rotateCredential: (
    act: Act,
    clientId: string,
    keepSeconds: number,
    own?: OwnCredentials
  ) => Effect.Effect<IssuedCredential, ActRefused | StoreUnavailable>
  /** `own` as for `rotateCredential`, but never forbidden, and an owner ends also one with the management scope: it only takes rights away. */
  readonly revokeCredential: (act: Act, clientId: string, own?: OwnCredentials) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /** Whether the organization may issue and rotate its credentials itself. */
  readonly allowOwnCredentials: (act: Act, organizationId: OrganizationId, allowed: boolean) => Effect.Effect<void, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/CredentialActs") {}

/**
 * Licences and the keys that sign tokens. Every act is one commit together with its line in the activity log: who, what, before, after,
 * why.
 */
export class AccessActs extends Context.Service<AccessActs, {
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
  /** The new key signs from now on; the earlier keys retire and still verify until the tokens they signed have expired. */
  readonly addTokenKey: (act: Act, key: NewTokenKey) => Effect.Effect<void, StoreUnavailable>
  /** Removes a retired key; tokens signed with it are refused at once. Refused for the key that signs now: add another one first. */
  readonly revokeTokenKey: (act: Act, kid: string) => Effect.Effect<void, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/AccessActs") {}
