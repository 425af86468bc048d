import { Context, type Effect } from "effect"
import type { ActRefused } from "../activity/ActRefused.ts"
import type { Act } from "../activity/Activity.ts"
import type { BusinessPremise, PaymentMode } from "../tenancy/BusinessPremise.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { CreatedPremise, CreatedTaxpayer, NewBusinessPremise, NewTaxpayer, RegistrationQuota } from "../tenancy/NewTaxpayer.ts"
import type { PaperFormat, Taxpayer, VatStatus } from "../tenancy/Taxpayer.ts"
import type { TaxpayerAlreadyExists } from "../tenancy/errors.ts"
import type { BusinessPremiseId, OrganizationId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Taxpayers and their business premises. Every act is one commit together with its line in the activity log: who, what, before, after, why. */
export class TaxpayerActs extends Context.Service<TaxpayerActs, {
  /**
   * Sandbox premises get a pool element at once. With a quota the act is the organization's own: the quota is its limit, and a production tax
   * identifier that nobody has confirmed yet does not prevent another organization from registering it.
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
