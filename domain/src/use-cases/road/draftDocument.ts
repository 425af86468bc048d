import { DateTime, Effect, Option } from "effect"
import type { KeyHolder } from "../../operations/KeyHolder.ts"
import type { StoreUnavailable } from "../../ports/StoreUnavailable.ts"
import { groupAt } from "../../tax/currentGroup.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import type { DocumentDraft, IssuableKind, DraftFacts } from "./IssuableKind.ts"
import type { Kept } from "./FirstCommit.ts"
import { fetchedNow, freshAtHand, ratesKnownAtPfrTime } from "./taxRates.ts"

/** The look-up of a request's key. */
export type KeyLookUp = Effect.Effect<Option.Option<KeyHolder>, StoreUnavailable>

export type Drafted<Subject> =
  | { readonly _tag: "Draft"; readonly draft: DocumentDraft<Subject> }
  /** The key has an operation, which decides the answer; nothing was waited for. */
  | { readonly _tag: "KeyKnown"; readonly existing: KeyHolder }

/**
 * Steps 5 to 10 of the order of checks (Decisions §2) for a request of any kind.
 *
 * @param lookUp Run before the request waits for the V-PFR, so that a stored answer need not wait; null where the key was looked up already.
 */
export const draftDocument = Effect.fnUntraced(function*<Subject, K extends Kept, E, R>(
  tenant: Tenant,
  kind: IssuableKind<Subject, K, E, R>,
  lookUp: KeyLookUp | null
) {
  const subject = yield* kind.subject
  const place = yield* kind.gates(subject)
  const elementId = place.element.id
  const at = kind.ratesAt(subject)
  if (at !== "NOW") {
    return yield* composed(kind, { subject, place, taxRates: yield* ratesKnownAtPfrTime(tenant, elementId, at.pfrTime) })
  }
  const atHand = yield* freshAtHand(tenant, elementId)
  if (atHand === null && lookUp !== null) {
    // A store that is unavailable now will fail the first commit too.
    const known = yield* lookUp.pipe(Effect.catchTag("StoreUnavailable", () => Effect.succeedNone))
    if (Option.isSome(known)) return { _tag: "KeyKnown", existing: known.value } satisfies Drafted<Subject>
  }
  const history = atHand ?? (yield* fetchedNow(tenant, elementId))
  const taxRates = history === null ? null : groupAt(history.groups, yield* DateTime.now)
  return yield* composed(kind, { subject, place, taxRates })
})

const composed = <Subject, K extends Kept, E, R>(kind: IssuableKind<Subject, K, E, R>, facts: DraftFacts<Subject>) =>
  Effect.map(Effect.fromResult(kind.compose(facts)), (content): Drafted<Subject> => ({
    _tag: "Draft",
    draft: { subject: facts.subject, place: facts.place, taxRates: facts.taxRates, content }
  }))

/** The same without a look-up of the key: the request's draft, whatever the key has. */
export const draftWithoutKey = Effect.fnUntraced(function*<Subject, K extends Kept, E, R>(tenant: Tenant, kind: IssuableKind<Subject, K, E, R>) {
  const drafted = yield* draftDocument(tenant, kind, null)
  return drafted._tag === "Draft" ? drafted.draft : yield* Effect.die(new Error("the look-up of a key answered although no look-up was requested"))
})
