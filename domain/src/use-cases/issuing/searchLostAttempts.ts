import { DateTime, Effect, Option } from "effect"
import type { Signer } from "../../documents/InvoiceToSign.ts"
import type { SearchOutcome } from "../../documents/PfrResult.ts"
import { nextRequestIds } from "../../operations/derivedRequestId.ts"
import type { Attempt, Operation } from "../../operations/Operation.ts"
import { Installation, TenancyDirectory } from "../../ports/TenancyDirectory.ts"
import { UnresolvedOperations } from "../../ports/OperationStore.ts"
import { TaxAuthority } from "../../ports/TaxAuthority.ts"
import type { TaxRateGroup } from "../../tax/TaxRateGroup.ts"
import { pfrInstant } from "../../time/PfrTime.ts"
import { isSettledSince } from "./lease.ts"

/** How many attempts of a document a restore may have lost: with the worker's pauses, more than a day in which each of them failed. */
const mostLostAttempts = 32

/** The V-PFR's clock and the store's may differ by this much. */
const clockMargin = { hours: 1 }

/** The receipt of an attempt that a restore lost. `startedAt`: the attempt was not made earlier. */
export interface LostReceipt extends Pick<Attempt, "elementId" | "jid" | "requestId" | "startedAt"> {
  readonly outcome: Extract<SearchOutcome, { readonly _tag: "Found" }>
}

const longAgo = DateTime.toUtc(DateTime.makeUnsafe(0))

interface LostFuture {
  /** A lost attempt was not made earlier. */
  readonly since: DateTime.Utc
  /**
   * Whether an empty search says that there is no receipt: not in the first quarter of an hour after the restore was ended, because a lost attempt that was made just
   * before it may still arrive. Nothing was lost of a receipt that was signed after the end.
   */
  readonly isSettled: boolean
}

/** When a restore may have lost an attempt; null where none can have, because the document refers to a later receipt. */
const lostFuture = Effect.fnUntraced(function*({ content: { reference }, environment }: Operation) {
  if (reference === null) return null
  const { restoredAt } = yield* (yield* Installation).settings(environment)
  const since = Option.getOrElse(pfrInstant(reference.pfrTime), () => longAgo)
  if (restoredAt === null || DateTime.isGreaterThan(since, DateTime.addDuration(restoredAt, clockMargin))) return null
  const isSettled = DateTime.isGreaterThan(since, restoredAt) || (yield* isSettledSince(restoredAt))
  return { since, isSettled } satisfies LostFuture
})

type SendingElement = Pick<Attempt, "elementId" | "jid">

/**
 * The elements that may have sent a lost attempt: the active one, those of stored attempts, and every other of the premise, because the element may have
 * been replaced since, here or in the lost future. With one whose certificate has ended nobody can ask any more.
 */
const elementsOf = Effect.fnUntraced(function*({ elementId, jid }: Signer, { businessPremiseId, environment, organizationId }: Operation, attempts: ReadonlyArray<Attempt>) {
  const now = yield* DateTime.now
  const others = (yield* (yield* TenancyDirectory).securityElements({ organizationId, environment }))
    .filter((element) => element.businessPremiseId === businessPremiseId && DateTime.isGreaterThan(element.validTo, now))
    .map((element): SendingElement => ({ elementId: element.id, jid: element.jid }))
  const all: ReadonlyArray<SendingElement> = [{ elementId, jid }, ...attempts, ...others]
  return [...new Map(all.map((one) => [one.elementId, { elementId: one.elementId, jid: one.jid }])).values()]
})

const raiseForeign = Effect.fnUntraced(function*(existing: Operation, requestId: string, outcome: Extract<SearchOutcome, { readonly _tag: "FoundForeign" }>) {
  const detail = `search of RequestId ${requestId}, which a restore may have lost: ${outcome.detail}; the document is not sent`
  const about = { organizationId: existing.organizationId, operationId: existing.id }
  yield* (yield* UnresolvedOperations).raise(about, [{ kind: "FOREIGN_ANSWER", detail, evidence: outcome.text }], yield* DateTime.now)
})

/**
 * After a declared restore, before a document that the service itself sends is sent: searches for the attempts that the lost future may have made of it,
 * by their derived RequestIds. Answers the receipts that were found; "unclear" where a search got no answer, or found a receipt that cannot be this
 * document's, and where nothing was found while a lost attempt may still arrive: then nothing may be sent.
 */
export const searchLostAttempts = Effect.fnUntraced(function*(
  { signer, taxRates }: { readonly signer: Signer; readonly taxRates: TaxRateGroup | null },
  existing: Operation,
  attempts: ReadonlyArray<Attempt>
) {
  const found: Array<LostReceipt> = []
  const lost = yield* lostFuture(existing)
  if (lost === null) return found
  const { isSettled, since } = lost
  const authority = yield* TaxAuthority
  const elements = yield* elementsOf(signer, existing, attempts)
  for (const requestId of nextRequestIds(existing, existing.attempt + 1, attempts, mostLostAttempts)) {
    for (const element of elements) {
      const invoice = { tenant: signer.tenant, ...element, content: existing.content, taxRates }
      const outcome = yield* authority.find(invoice, { requestId, submittedAt: since })
      if (outcome._tag === "NothingFound") continue
      if (outcome._tag === "Found") {
        found.push({ ...element, requestId, startedAt: since, outcome })
        continue
      }
      if (outcome._tag === "FoundForeign") yield* raiseForeign(existing, requestId, outcome)
      return "unclear" as const
    }
  }
  return found.length === 0 && !isSettled ? "unclear" as const : found
})
