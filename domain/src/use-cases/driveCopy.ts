import { Effect, Option, Result } from "effect"
import { hasCash } from "../documents/paymentPolicy.ts"
import type { Operation } from "../operations/Operation.ts"
import { Installation } from "../ports/Installation.ts"
import { RefundStore, type StoredRefund } from "../ports/RefundStore.ts"
import { TenancyDirectory } from "../ports/TenancyDirectory.ts"
import { mayCopyBeSent, type RefundDocuments } from "../refunds/refundProgress.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { environmentGate } from "../tenancy/environmentGate.ts"
import { apiActor, operatorActor, workerActor } from "./road/actors.ts"
import { sendReserved } from "./road/sendReserved.ts"
import { ratesKnownAtPfrTime } from "./road/taxRates.ts"

/** The facts of a stored workflow that decide its status. */
export const documentsOf = (refund: StoredRefund): RefundDocuments => ({
  refund: refund.refund.status,
  copyDue: hasCash(refund.refund.content.payments),
  copy: refund.copy?.status ?? null
})

/** Who has a copy sent; an operator has a name. */
export type CopySender = "caller" | "worker" | { readonly operator: string }

const actorOf = (by: CopySender, installation: Installation["Service"]): string => {
  if (by === "caller") return apiActor(installation)
  return by === "worker" ? workerActor(installation) : operatorActor(by.operator)
}

/** The element to sign with; null while there is none of this environment, or while the environment's traffic is switched off. */
const elementOf = Effect.fnUntraced(function*(tenant: Tenant, operation: Operation) {
  const directory = yield* TenancyDirectory
  const installation = yield* Installation
  const found = yield* directory.premiseForIssuing(tenant, operation.taxpayerId, operation.businessPremiseId)
  const element = Option.getOrNull(Option.map(found, ({ activeElement }) => activeElement))
  const settings = yield* installation.settings(tenant.environment)
  const isOpen = Result.isSuccess(environmentGate(settings, tenant.environment))
  return isOpen && element?.environment === tenant.environment ? element : null
})

/**
 * Sends the copy of a cash refund where it may be sent: the refund is a receipt and the copy is reserved or was not fiscalized, or it was
 * rejected and an operator has it sent again. A premise without an element, or traffic switched off, leaves it pending. Answers the
 * workflow as it then stands. Source: Decisions §5, Refund workflow (3), (4).
 */
export const driveCopy = Effect.fn("driveCopy")(function*(
  stored: StoredRefund,
  by: CopySender,
  callerGone: AbortSignal
) {
  const { copy, refund } = stored
  if (copy === null || !mayCopyBeSent(documentsOf(stored), typeof by === "string" ? by : "operator")) return stored
  const tenant = { organizationId: refund.organizationId, environment: refund.environment }
  const element = yield* elementOf(tenant, refund)
  if (element === null) return stored
  const taxRates = yield* ratesKnownAtPfrTime(tenant, element.id, refund.answer?.pfr.sdcTime ?? "")
  const issued = yield* sendReserved(copy, {
    signer: { tenant, elementId: element.id, jid: element.jid },
    opened: null,
    taxRates,
    callerGone,
    actor: actorOf(by, yield* Installation)
  })
  const after: StoredRefund = { ...stored, copy: issued.operation }
  return after
})

/**
 * Carries on a copy that whoever should have sent it did not, in the worker; the operation as it then stands. Anything else that is
 * due is not a copy to be sent and is answered as it is.
 */
export const carryOnCopy = Effect.fn("carryOnCopy")(function*(copy: Operation) {
  const refunds = yield* RefundStore
  if (copy.workflow?.type !== "REFUND" || copy.boundKey.role !== "INNER") return copy
  const tenant = { organizationId: copy.organizationId, environment: copy.environment }
  const stored = yield* refunds.get(tenant, copy.workflow.id)
  if (Option.isNone(stored)) return copy
  const driven = yield* driveCopy(stored.value, "worker", new AbortController().signal)
  return driven.copy ?? copy
})
