import { DateTime, Effect } from "effect"
import type { SearchOutcome } from "../documents/SubmissionOutcome.ts"
import type { Attempt, Operation } from "../operations/Operation.ts"
import { Installation } from "../ports/Installation.ts"
import { type ClaimedCheck, UnresolvedOperations } from "../ports/OperationStore.ts"
import { TaxAuthority } from "../ports/TaxAuthority.ts"
import { TaxRates } from "../ports/TaxRates.ts"
import { groupAt } from "../tax/currentGroup.ts"
import { receiptConclusion } from "./road/conclusionOf.ts"
import { carryOnCopy } from "./driveCopy.ts"
import { ElementContacts } from "./road/ElementContacts.ts"
import { storeOutcome } from "./road/storeOutcome.ts"
import { nextCheckAfter, pauseAfterSearch } from "./road/SubmissionPolicy.ts"

/** A claim outlives the slowest search of all its attempts; a worker that dies gives it back by itself. */
const claimLeaseMillis = 120_000

type Searched = { readonly attempt: Attempt; readonly outcome: SearchOutcome }

const searchAttempt = Effect.fnUntraced(function*({ operation }: ClaimedCheck, attempt: Attempt) {
  const authority = yield* TaxAuthority
  const contacts = yield* ElementContacts
  const rates = yield* TaxRates
  const tenant = { organizationId: operation.organizationId, environment: operation.environment }
  const known = yield* rates.known(tenant, attempt.elementId)
  const taxRates = known === null ? null : groupAt(known.groups, attempt.startedAt)
  // The element of the attempt, not the premise's present one: its keys are kept while anything is unresolved.
  const outcome = yield* authority.find(
    { tenant, elementId: attempt.elementId, jid: attempt.jid, content: operation.content, taxRates },
    { requestId: attempt.requestId, submittedAt: attempt.startedAt }
  )
  if (outcome._tag === "NoAnswer") contacts.lost(attempt.elementId)
  else yield* contacts.answered(attempt.elementId)
  return { attempt, outcome } satisfies Searched
})

const raiseForeign = Effect.fnUntraced(function*(claim: ClaimedCheck, searched: ReadonlyArray<Searched>) {
  const unresolved = yield* UnresolvedOperations
  const at = yield* DateTime.now
  const items = searched.flatMap(({ attempt, outcome }) =>
    outcome._tag === "FoundForeign"
      ? [{ kind: "FOREIGN_ANSWER", detail: `search of attempt ${attempt.number}: ${outcome.detail}`, evidence: outcome.text }]
      : []
  )
  if (items.length === 0) return
  yield* unresolved.raise({ organizationId: claim.operation.organizationId, operationId: claim.operation.id }, items, at)
})

const storeReceipt = Effect.fnUntraced(function*(
  claim: ClaimedCheck,
  attempt: Attempt,
  outcome: Extract<SearchOutcome, { readonly _tag: "Found" }>,
  actor: string
) {
  const at = yield* DateTime.now
  const { operation } = claim
  return yield* storeOutcome(
    { operation, requestId: attempt.requestId, elementId: attempt.elementId, again: null },
    receiptConclusion({
      organizationId: operation.organizationId,
      operationId: operation.id,
      workflow: operation.workflow,
      attempt: attempt.number,
      at,
      actor,
      buyerDetails: null
    }, outcome),
    DateTime.toEpochMillis(at) + claimLeaseMillis / 2
  )
})

const recordSearch = Effect.fnUntraced(function*(
  claim: ClaimedCheck,
  searched: ReadonlyArray<Searched>,
  actor: string,
  nextCheckAfterMillis: number | null
) {
  const unresolved = yield* UnresolvedOperations
  yield* unresolved.recordSearch({
    organizationId: claim.operation.organizationId,
    operationId: claim.operation.id,
    at: yield* DateTime.now,
    actor,
    reachedAttempts: searched.filter(({ outcome }) => outcome._tag === "NothingFound").map(({ attempt }) => attempt.number),
    nextCheckAfterMillis
  })
})

const isUnsentCopy = (operation: Operation): boolean =>
  operation.boundKey.role === "INNER" && (operation.status === "VALIDATED" || operation.status === "NOT_FISCALIZED")

/** A copy is due: it is sent, and looked at again where it could not be (Decisions §5, Refund workflow). */
const carryOn = Effect.fnUntraced(function*(claim: ClaimedCheck, actor: string) {
  const copy = yield* carryOnCopy(claim.operation)
  if (isUnsentCopy(copy)) yield* recordSearch(claim, [], actor, pauseAfterSearch(claim.checks))
})

/** Asks the V-PFR for every attempt of one unresolved operation and stores what it learned. Read-only at the V-PFR. */
export const checkUnresolved = Effect.fn("checkUnresolved")(function*(claim: ClaimedCheck) {
  const installation = yield* Installation
  const actor = `worker:${installation.hostId}`
  if (isUnsentCopy(claim.operation)) return yield* carryOn(claim, actor)
  const searched: Array<Searched> = []
  for (const attempt of claim.attempts) searched.push(yield* searchAttempt(claim, attempt))
  let receipts = 0
  for (const { attempt, outcome } of searched) {
    if (outcome._tag !== "Found") continue
    receipts += 1
    const stored = yield* storeReceipt(claim, attempt, outcome, actor)
    // Raised as a second receipt: there is nothing more to learn of this operation.
    if (stored.answer?.pfr.invoiceNumber !== outcome.answer.pfr.invoiceNumber) yield* recordSearch(claim, searched, actor, null)
  }
  if (receipts > 0) return
  yield* raiseForeign(claim, searched)
  const at = yield* DateTime.now
  const since = claim.attempts[0]?.startedAt ?? claim.operation.createdAt
  const unresolvedForMillis = DateTime.toEpochMillis(at) - DateTime.toEpochMillis(since)
  yield* recordSearch(claim, searched, actor, nextCheckAfter(claim.checks, unresolvedForMillis))
})

/** Claims what is due and checks it, at most `limit` operations with `concurrency` searches at once; how many were checked. */
export const reconcileDue = Effect.fn("reconcileDue")(function*(options: { readonly limit: number; readonly concurrency: number }) {
  const installation = yield* Installation
  const unresolved = yield* UnresolvedOperations
  const at = yield* DateTime.now
  const claims = yield* unresolved.claimDue({
    limit: options.limit,
    leaseMillis: claimLeaseMillis,
    actor: `worker:${installation.hostId}`,
    hostId: installation.hostId,
    at
  })
  yield* Effect.forEach(claims, checkUnresolved, { concurrency: options.concurrency, discard: true })
  return claims.length
})

/** Moves operations whose lease has ended to OUTCOME_UNKNOWN (Decisions §4, Orphans); how many were moved. */
export const sweepOrphans = Effect.fn("sweepOrphans")(function*(limit: number) {
  const installation = yield* Installation
  const unresolved = yield* UnresolvedOperations
  return yield* unresolved.expireLeases(`worker:${installation.hostId}`, yield* DateTime.now, limit)
})
