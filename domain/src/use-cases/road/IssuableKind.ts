import { Effect, type Result } from "effect"
import type { DocumentContent } from "../../documents/DocumentContent.ts"
import type { StoreUnavailable } from "../../ports/StoreUnavailable.ts"
import type { Reservation } from "../../ports/OperationStore.ts"
import type { TaxRateGroup } from "../../tax/TaxRateGroup.ts"
import type { FirstCommit, Kept } from "./FirstCommit.ts"
import type { GateNeeds, Place } from "./passGates.ts"
import type { GuardedRedrive } from "./sendReserved.ts"

/** The facts a document is composed of. */
export interface DraftFacts<Subject> {
  readonly subject: Subject
  readonly place: Place
  /** Null where no configuration is known, or, where `ratesAt` answers NOW, none that is fresh enough. */
  readonly taxRates: TaxRateGroup | null
}

/** A document that has passed every check and may be reserved now. */
export interface DocumentDraft<Subject = unknown> extends DraftFacts<Subject> {
  readonly content: DocumentContent
}

/**
 * A kind of document: the inputs of steps 5 to 10 of the order of checks (Decisions §2), a pure composition of the content, and the first commit.
 * Everything else, from the look-up of the key to the stored outcome, is the same for every kind (`issueUnderKey`).
 *
 * `Subject` is what the request refers to, `K` what the first commit stores, `Refusal` the rules that may refuse.
 */
export interface IssuableKind<Subject, K extends Kept, Refusal, Needs> {
  /**
   * When the key is looked up: before anything else, or only before the request would wait for the V-PFR. The second saves a round trip where nothing
   * is read from the store before the first commit, because that commit finds a taken key itself (docs/adr/0007).
   */
  readonly asksForKey: "FIRST" | "BEFORE_WAITING"
  /** Reads what the request refers to. It refuses nothing: `gates` or `compose` refuse what is missing, in their order. */
  readonly subject: Effect.Effect<Subject, StoreUnavailable, Needs>
  /** The checks of premise and installation (steps 5 to 8b): `passGates`, with the options of this kind. */
  readonly gates: (subject: Subject) => Effect.Effect<Place, Refusal | StoreUnavailable, Needs | GateNeeds>
  /** The tax rates that the labels are checked against (step 9): today's, freshly fetched, or those at a PFR time, from any known configuration. */
  readonly ratesAt: (subject: Subject) => "NOW" | { readonly pfrTime: string }
  /** The labels and the kind's own rules (steps 9 and 10), then the content. */
  readonly compose: (facts: DraftFacts<Subject>) => Result.Result<DocumentContent, Refusal>
  /** Step 11: `plainCommit`, or one that stores more than the document. `reservation` is the document as it may be stored now. */
  readonly firstCommit: (
    reservation: Reservation,
    draft: DocumentDraft<Subject>
  ) => Effect.Effect<FirstCommit<K, Refusal>, never, Needs>
  /** What the same key does with a document that was not fiscalized: sends it again, or answers it unchanged. */
  readonly replay: "SENDS_AGAIN" | "ANSWERS"
  /** The compare-and-set of sending it again, where more than the operation's own status decides. */
  readonly redrive?: GuardedRedrive<Refusal, Needs>
}

/** The subject of a kind that refers to nothing stored. */
export const nothing: Effect.Effect<null> = Effect.succeed(null)
