import { Context, type DateTime, type Effect, type Option } from "effect"
import type { DeliveryFilter } from "../delivery/DeliveryFilter.ts"
import type { DeliverySettings } from "../delivery/DeliverySettings.ts"
import type { MailOutcome, ReceiptDelivery, ReceiptDeliveryId, ReceiptMail } from "../delivery/ReceiptDelivery.ts"
import type { DeliveryUse } from "../delivery/deliverability.ts"
import type { AfterDeliveryAttempt } from "../delivery/deliveryTransitions.ts"
import type { KeyHolder } from "../operations/KeyHolder.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { OrganizationId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** A place in a list that runs from the latest to the earliest. */
export interface DeliveryPlace {
  readonly after: { readonly createdAt: DateTime.Utc; readonly id: string } | null
  readonly limit: number
}

export type Queued =
  | { readonly _tag: "Queued" }
  | { readonly _tag: "KeyTaken"; readonly existing: ReceiptDelivery }
  /** The key is a document's or an advance case's. */
  | { readonly _tag: "KeyHeld"; readonly by: KeyHolder }

/**
 * Deliveries as callers see them, and the settings they follow. One row is the key, the request and the message's place in the queue, so one commit
 * stores all three (Decisions §12).
 */
export class DeliveryStore extends Context.Service<DeliveryStore, {
  readonly queue: (delivery: ReceiptDelivery) => Effect.Effect<Queued, StoreUnavailable>
  readonly findByKey: (organizationId: OrganizationId, key: string) => Effect.Effect<Option.Option<ReceiptDelivery>, StoreUnavailable>
  readonly get: (tenant: Tenant, id: ReceiptDeliveryId) => Effect.Effect<Option.Option<ReceiptDelivery>, StoreUnavailable>
  /** At most `limit` rows behind the place, latest first. */
  readonly list: (
    tenant: Tenant,
    filter: DeliveryFilter,
    place: DeliveryPlace
  ) => Effect.Effect<ReadonlyArray<ReceiptDelivery>, StoreUnavailable>
  /** How many deliveries were requested already, for the limits. */
  readonly use: (
    delivery: Pick<ReceiptDelivery, "organizationId" | "environment" | "fiscalDocumentId">,
    recipient: string
  ) => Effect.Effect<DeliveryUse, StoreUnavailable>
  readonly settings: (organizationId: OrganizationId, taxpayerId: TaxpayerId) => Effect.Effect<DeliverySettings, StoreUnavailable>
}>()("@overa/domain/ports/DeliveryStore") {}

/** A delivery claimed from the queue by one worker under a lease. */
export interface ClaimedDelivery {
  readonly delivery: ReceiptDelivery
  /** The fencing token: refuses a worker whose claim has ended. */
  readonly claim: string
  /** An earlier worker ended while it was handing this message over, so the mail server may have it. */
  readonly interrupted: boolean
}

/** What the workers know about the mail transport, shared by all of them. */
export interface TransportState {
  /** Consecutive failures; 0 when the last attempt succeeded. */
  readonly failures: number
  readonly mayTryInMillis: number
}

/**
 * The queue as workers see it. Only `conclude` ends an attempt: a claim that is not concluded returns to the queue when its lease ends, and then says
 * whether the message was being handed over.
 */
export class DeliveryOutbox extends Context.Service<DeliveryOutbox, {
  /** Claims what is due, longest waiting first, round robin over the organizations. */
  readonly claimDue: (
    limit: number,
    leaseMillis: number
  ) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
  /**
   * Records that the message is about to be handed over and prolongs the claim to `leaseMillis` from now; false when the claim has ended, and then
   * nothing may be sent.
   */
  readonly beginSending: (claimed: ClaimedDelivery, leaseMillis: number) => Effect.Effect<boolean, StoreUnavailable>
  /** Ends the attempt; false when the claim has ended. */
  readonly conclude: (claimed: ClaimedDelivery, after: AfterDeliveryAttempt) => Effect.Effect<boolean, StoreUnavailable>
  /** Returns a message that was not tried to the queue. */
  readonly release: (claimed: ClaimedDelivery, dueInMillis: number) => Effect.Effect<void, StoreUnavailable>
  /**
   * Puts the longest waiting message on the attention list if it has waited longer than `waitingMillis` and no such item is open; answers whether it
   * did.
   */
  readonly raiseWaiting: (waitingMillis: number) => Effect.Effect<boolean, StoreUnavailable>
}>()("@overa/domain/ports/DeliveryOutbox") {}

/** The state of the mail server, shared by all hosts and workers. */
export class MailTransport extends Context.Service<MailTransport, {
  /** Whether the installation can send: a transport is configured, and its latest attempts did not fail too many times in a row. */
  readonly available: Effect.Effect<boolean, StoreUnavailable>
  readonly state: Effect.Effect<TransportState, StoreUnavailable>
  /** `tryInMillis`: no worker tries earlier; null when the transport works. */
  readonly note: (failed: { readonly detail: string; readonly tryInMillis: number } | null) => Effect.Effect<void, StoreUnavailable>
}>()("@overa/domain/ports/MailTransport") {}

/** The transport counts as broken after so many failures in a row. */
export const failuresToBreakTransport = 5

/** The longest time for handing one message over, in milliseconds. */
export const longestHandOverMillis = 300_000

/**
 * Hands one message to the mail server, at most once. Never fails: the value says what happened. It always ends within `longestHandOverMillis`, and
 * answers `MayBeTaken` whenever the server may have taken the message. Interrupted, it answers nevertheless, within twenty seconds.
 */
export class ReceiptMailer extends Context.Service<ReceiptMailer, {
  readonly send: (mail: ReceiptMail) => Effect.Effect<MailOutcome>
}>()("@overa/domain/ports/ReceiptMailer") {}
