import { DateTime, Effect, Option, Result } from "effect"
import type { Operation } from "../../operations/Operation.ts"
import { Installation } from "../../ports/Installation.ts"
import { TenancyDirectory } from "../../ports/TenancyDirectory.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import { environmentGate } from "../../tenancy/environmentGate.ts"
import { apiActor, workerActor } from "./actors.ts"
import { type GuardedRedrive, sendReserved, type Sent } from "./sendReserved.ts"
import { ratesKnownAt, ratesKnownAtPfrTime } from "./taxRates.ts"

/** The actor that has a stored document sent; an operator has a name. */
export type StoredSender = "caller" | "worker" | { readonly operator: string }

/** The element that signs; null while there is none of this environment, or while the environment's traffic is switched off. */
const elementOf = Effect.fnUntraced(function*(tenant: Tenant, operation: Operation) {
  const directory = yield* TenancyDirectory
  const installation = yield* Installation
  const found = yield* directory.premiseForIssuing(tenant, operation.taxpayerId, operation.businessPremiseId)
  const element = Option.getOrNull(Option.map(found, ({ activeElement }) => activeElement))
  const settings = yield* installation.settings(tenant.environment)
  const isOpen = Result.isSuccess(environmentGate(settings, tenant.environment))
  return isOpen && element?.environment === tenant.environment ? element : null
})

/** The rates that the answer is compared with: those of the referenced document where this one gives back or repeats it, else today's. */
const ratesOf = Effect.fnUntraced(function*(tenant: Tenant, element: Parameters<typeof ratesKnownAt>[1], { content }: Operation) {
  const isOfThen = content.transactionType === "REFUND" || content.invoiceType === "COPY"
  return isOfThen && content.reference !== null
    ? yield* ratesKnownAtPfrTime(tenant, element, content.reference.pfrTime)
    : yield* ratesKnownAt(tenant, element, yield* DateTime.now)
})

/**
 * Sends a stored document that passed its checks when it was reserved: neither licence nor labels are checked again (Decisions §2). A premise without
 * an element, or traffic switched off, leaves it unchanged.
 *
 * @returns The operation as it is afterwards, and whether this call sent it; null where it could not be tried.
 */
export const sendStored = Effect.fnUntraced(function*<E = never, R = never>(
  operation: Operation,
  options: { readonly by: StoredSender; readonly callerGone: AbortSignal; readonly redrive?: GuardedRedrive<E, R> }
) {
  const tenant = { organizationId: operation.organizationId, environment: operation.environment }
  const element = yield* elementOf(tenant, operation)
  if (element === null) return null
  const installation = yield* Installation
  const sent: Sent = yield* sendReserved(operation, {
    signer: { tenant, elementId: element.id, jid: element.jid },
    opened: null,
    taxRates: yield* ratesOf(tenant, element.id, operation),
    callerGone: options.callerGone,
    actor: options.by === "worker" ? workerActor(installation) : apiActor(installation),
    operator: typeof options.by === "string" ? null : options.by.operator,
    ...(options.redrive === undefined ? {} : { redrive: options.redrive })
  })
  return sent
})
