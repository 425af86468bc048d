import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Act } from "../activity/Activity.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { WebhookEndpointAlreadyExists, WebhookEndpointLimitReached } from "../webhooks/errors.ts"
import type { AfterWebhookAttempt, EndpointHealth, WebhookOutcome } from "../webhooks/webhookAttempts.ts"
import type { WebhookEndpoint, WebhookEndpointId, WebhookSecret, WebhookSignature } from "../webhooks/WebhookEndpoint.ts"
import type { WebhookEndpointReplacement } from "../webhooks/webhookRequests.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** One attempt to send an event, as callers see it. */
export interface WebhookAttempt extends WebhookOutcome {
  readonly eventId: string
  /** Null for a test event. */
  readonly sequence: number | null
  readonly at: DateTime.Utc
  readonly taken: boolean
}

/** Endpoints as their owners see them. Every write is one commit together with its line in the activity log. */
export class WebhookStore extends Context.Service<WebhookStore, {
  /** It gets the events behind the last one that exists now. */
  readonly create: (act: Act, endpoint: Omit<WebhookEndpoint, "sequence">) => Effect.Effect<WebhookEndpoint, WebhookEndpointAlreadyExists | WebhookEndpointLimitReached | StoreUnavailable>
  /** Without those that were removed, the oldest first. */
  readonly list: (tenant: Tenant) => Effect.Effect<ReadonlyArray<WebhookEndpoint>, StoreUnavailable>
  readonly get: (tenant: Tenant, id: WebhookEndpointId) => Effect.Effect<Option.Option<WebhookEndpoint>, StoreUnavailable>
  /**
   * One that becomes active, or is active at another address, is judged anew, and everything that waits for it is due. With another address the claims of
   * the former one end. What waits for one that is removed ends with it. None where it does not exist or was removed.
   */
  readonly replace: (
    act: Act,
    tenant: Tenant,
    id: WebhookEndpointId,
    content: WebhookEndpointReplacement,
    at: DateTime.Utc
  ) => Effect.Effect<Option.Option<WebhookEndpoint>, WebhookEndpointAlreadyExists | StoreUnavailable>
  /** The new secret signs from now on, the others until `until` at most. */
  readonly rotate: (
    act: Act,
    tenant: Tenant,
    id: WebhookEndpointId,
    change: { readonly secret: WebhookSecret; readonly at: DateTime.Utc; readonly until: DateTime.Utc }
  ) => Effect.Effect<Option.Option<WebhookEndpoint>, StoreUnavailable>
}>()("@overa/domain/ports/WebhookStore") {}

/** What an owner has sent to an endpoint, and what became of it. */
export class WebhookMessages extends Context.Service<WebhookMessages, {
  /** Queues a message that is no event of the sequence; of `mostWaitingTests` that wait it takes the place of the oldest. False where there is no such endpoint. */
  readonly queueTest: (tenant: Tenant, id: WebhookEndpointId, message: { readonly eventId: string; readonly body: string }) => Effect.Effect<boolean, StoreUnavailable>
  /** Queues events again, of whatever type; one that waits is due at once instead. Answers how many they are. None where there is no such endpoint. */
  readonly resend: (tenant: Tenant, id: WebhookEndpointId, range: { readonly from: number; readonly to: number }) => Effect.Effect<Option.Option<number>, StoreUnavailable>
  /** The latest attempts of the last thirty days, the newest first. */
  readonly attempts: (tenant: Tenant, id: WebhookEndpointId, limit: number) => Effect.Effect<ReadonlyArray<WebhookAttempt>, StoreUnavailable>
}>()("@overa/domain/ports/WebhookMessages") {}

/** A message that one worker may send now. */
export interface ClaimedWebhook {
  readonly endpoint: Pick<WebhookEndpoint, "id" | "organizationId" | "environment" | "url" | "signature" | "secrets">
  readonly eventId: string
  readonly body: string
  /** The message's place in the queue of its endpoint. */
  readonly position: number
  /** Attempts before this one. */
  readonly attempts: number
  /** The fencing token. */
  readonly claim: string
}

/**
 * The queues of endpoints as workers see them. At least once: a claim that is not concluded is claimed again when its lease ends. In order of each
 * resource: an event is not claimed while an earlier one of the same resource and endpoint waits.
 */
export class WebhookOutbox extends Context.Service<WebhookOutbox, {
  /** Queues new events for each endpoint that wants them, from the last one on that it has; answers whether there are more. */
  readonly enqueue: (limit: number) => Effect.Effect<boolean, StoreUnavailable>
  /**
   * Claims what is due in round robin over organizations and endpoints: of each endpoint as many as `mostOnTheirWay` lets be on their way. An endpoint whose
   * secrets do not open is logged and left out, and looked at again a minute later.
   */
  readonly claimDue: (limit: number, leaseMillis: number) => Effect.Effect<ReadonlyArray<ClaimedWebhook>, StoreUnavailable>
  /**
   * Ends the attempt and writes it down; false when the claim has ended. `judge` is given what the store knows of the endpoint, under its lock. An
   * endpoint that is paused by it is told to its owners in the same commit.
   */
  readonly conclude: (
    claimed: ClaimedWebhook,
    outcome: WebhookOutcome,
    judge: (health: EndpointHealth, now: number) => AfterWebhookAttempt
  ) => Effect.Effect<boolean, StoreUnavailable>
  /** Removes attempts, and messages that have ended, that are older than so many days. */
  readonly forget: (days: number) => Effect.Effect<void, StoreUnavailable>
}>()("@overa/domain/ports/WebhookOutbox") {}

/** Keys and signatures. */
export class WebhookKeys extends Context.Service<WebhookKeys, {
  readonly make: (signature: WebhookSignature) => Effect.Effect<WebhookSecret>
}>()("@overa/domain/ports/WebhookKeys") {}

/** Sends one message once, signed with every valid secret and the time of this attempt. Never fails, and always ends within twenty seconds. */
export class WebhookSender extends Context.Service<WebhookSender, {
  readonly send: (claimed: ClaimedWebhook, secrets: ReadonlyArray<WebhookSecret>) => Effect.Effect<WebhookOutcome>
}>()("@overa/domain/ports/WebhookSender") {}
