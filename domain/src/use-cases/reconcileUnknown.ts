import { Cause, DateTime, Effect } from "effect"
import type { SearchOutcome } from "../documents/PfrResult.ts"
import { isDueToBeSent } from "../operations/carriedOnByService.ts"
import { nextCheckAfter, pauseAfterSearch } from "../operations/nextCheck.ts"
import type { Attempt, Operation } from "../operations/Operation.ts"
import { searchTable } from "../operations/outcomeTable.ts"
import { Installation } from "../ports/TenancyDirectory.ts"
import { type ClaimedCheck, UnresolvedOperations } from "../ports/OperationStore.ts"
import type { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import { TaxAuthority } from "../ports/TaxAuthority.ts"
import { workerActor } from "./issuing/reservation.ts"
import { receiptConclusion } from "./issuing/conclusionOf.ts"
import { ElementContacts } from "./issuing/InFlight.ts"
import { sendStored } from "./issuing/sendReserved.ts"
import { ratesKnownAt, taxedAt } from "./issuing/draftDocument.ts"
import { storeOutcome } from "./issuing/storeOutcome.ts"

/** A claim lasts longer than the slowest search of all its attempts; when a worker crashes in between, the claim ends with its lease. */
const claimLeaseMillis = 120_000

type Searched = { readonly attempt: Attempt; readonly outcome: SearchOutcome }

const searchAttempt = Effect.fnUntraced(function*({ operation }: ClaimedCheck, attempt: Attempt) {
  const authority = yield* TaxAuthority
  const contacts = yield* ElementContacts
  const tenant = { organizationId: operation.organizationId, environment: operation.environment }
  const taxRates = yield* ratesKnownAt(tenant, attempt.elementId, taxedAt(operation.content, attempt.startedAt))
  // The element of the attempt, not the premise's current one: its keys are kept while anything is unresolved.
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
    // The last search found it already and put it on the attention list.
    outcome._tag === "FoundForeign" && attempt.lastSearch?.found !== true
      ? [{ kind: "FOREIGN_ANSWER", detail: `search of attempt ${attempt.number}: ${outcome.detail}`, evidence: outcome.text }]
      : []
  )
  if (items.length === 0) return
  yield* unresolved.raise({ organizationId: claim.operation.organizationId, operationId: claim.operation.id }, items, at)
})

type FoundReceipt = Searched & { readonly outcome: Extract<SearchOutcome, { readonly _tag: "Found" }> }

const isReceipt = (searched: Searched): searched is FoundReceipt => searched.outcome._tag === "Found"

const storeReceipt = Effect.fnUntraced(function*(
  { operation }: ClaimedCheck,
  { attempt, outcome }: FoundReceipt,
  actor: string,
  nextCheckAfterMillis: number | null
) {
  const at = yield* DateTime.now
  const concerning = {
    organizationId: operation.organizationId,
    operationId: operation.id,
    workflow: operation.workflow,
    attempt: attempt.number,
    at,
    actor,
    buyerDetails: null
  }
  return yield* storeOutcome(
    { operation, attempt, again: null, isAdded: false },
    { ...receiptConclusion(concerning, outcome), nextCheckAfterMillis },
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
    searches: searched.map((one) => ({ attempt: one.attempt.number, finding: searchTable[one.outcome._tag].finding })),
    nextCheckAfterMillis
  })
})

/** A document that the service itself sends is due: it is sent, and checked again where it could not be (Decisions §5). */
const carryOn = Effect.fnUntraced(function*(claim: ClaimedCheck, actor: string) {
  const { operation } = claim
  const sent = yield* sendStored(operation, { by: "worker", callerGone: new AbortController().signal })
  if (isDueToBeSent(sent?.operation ?? operation)) yield* recordSearch(claim, [], actor, pauseAfterSearch(claim.checks))
})

const pauseOf = (claim: ClaimedCheck) => Effect.map(DateTime.now, (now) => nextCheckAfter(claim, now))

/** A receipt under the attempt's RequestId that differs from the stored one: kept as a second receipt, and as a finding of its own. */
const isSecond = (stored: Operation, { outcome }: FoundReceipt): boolean =>
  stored.answer?.pfr.invoiceNumber !== outcome.answer.pfr.invoiceNumber

/**
 * Searches the V-PFR for every attempt of one unresolved operation and stores the findings. Read-only at the V-PFR. The search for attempts without a
 * receipt continues, also after another attempt has one (Decisions §4: seven days).
 */
export const checkUnresolved = Effect.fn("checkUnresolved")(function*(claim: ClaimedCheck) {
  const installation = yield* Installation
  const actor = workerActor(installation)
  if (isDueToBeSent(claim.operation)) return yield* carryOn(claim, actor)
  const searched: Array<Searched> = []
  for (const attempt of claim.attempts) searched.push(yield* searchAttempt(claim, attempt))
  const open = searched.filter((one) => !isReceipt(one))
  const pause = open.length === 0 && searched.length > 0 ? null : yield* pauseOf(claim)
  const second: Array<Searched> = []
  for (const found of searched.filter(isReceipt)) {
    if (isSecond(yield* storeReceipt(claim, found, actor, pause), found)) second.push(found)
  }
  yield* raiseForeign(claim, open)
  if (open.length > 0 || second.length > 0 || searched.length === 0) yield* recordSearch(claim, [...open, ...second], actor, pause)
})

/** Puts a check that failed in our own code on the attention list, and plans the next one. The other claims are checked nevertheless. */
const setAside = Effect.fnUntraced(function*(claim: ClaimedCheck, cause: Cause.Cause<never>) {
  const unresolved = yield* UnresolvedOperations
  const installation = yield* Installation
  const { id, organizationId } = claim.operation
  const detail = `the check of this operation failed in the service itself: ${Cause.prettyErrors(cause).map(({ message }) => message).join("; ")}`
  yield* Effect.logError("a check of an unresolved operation failed with a defect", { operationId: id, cause: Cause.pretty(cause) })
  const item = { kind: "CHECK_FAILED", detail, evidence: null }
  yield* unresolved.raise({ organizationId, operationId: id }, [item], yield* DateTime.now)
  yield* recordSearch(claim, [], workerActor(installation), yield* pauseOf(claim))
}, (effect) => Effect.ignore(effect))

/** Checks one claim on its own: a check that fails with a defect is set aside. Answers the store failure, if there was one. */
const checkAlone = (claim: ClaimedCheck) =>
  checkUnresolved(claim).pipe(
    Effect.as<StoreUnavailable | null>(null),
    Effect.catchTag("StoreUnavailable", (error) => Effect.succeed<StoreUnavailable | null>(error)),
    Effect.catchCause((cause) => Cause.hasInterrupts(cause) ? Effect.failCause(cause) : Effect.as(setAside(claim, cause), null))
  )

/**
 * Claims what is due and checks it, at most `limit` operations with `concurrency` searches at once; answers how many were checked. The claims are
 * independent of each other. Fails with `StoreUnavailable` after all were tried, if the store was unavailable.
 */
export const reconcileDue = Effect.fn("reconcileDue")(function*(options: { readonly limit: number; readonly concurrency: number }) {
  const installation = yield* Installation
  const unresolved = yield* UnresolvedOperations
  const at = yield* DateTime.now
  const claims = yield* unresolved.claimDue({
    limit: options.limit,
    leaseMillis: claimLeaseMillis,
    actor: workerActor(installation),
    hostId: installation.hostId,
    at
  })
  const troubles = yield* Effect.forEach(claims, checkAlone, { concurrency: options.concurrency })
  const trouble = troubles.find((one) => one !== null)
  return trouble === undefined || trouble === null ? claims.length : yield* trouble
})

/** Moves operations whose lease has ended to OUTCOME_UNKNOWN (Decisions §4, Orphans); answers how many. */
export const sweepOrphans = Effect.fn("sweepOrphans")(function*(limit: number) {
  const installation = yield* Installation
  const unresolved = yield* UnresolvedOperations
  return yield* unresolved.expireLeases(workerActor(installation), yield* DateTime.now, limit)
})
