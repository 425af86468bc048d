import { Context, type Effect } from "effect"
import type { WitnessAnswer } from "../journal-log/askingWitness.ts"
import type { NoteKey } from "../journal-log/signedNote.ts"
import type { WitnessRequest } from "../journal-log/witnessing.ts"
import type { AttentionItem } from "../operations/Operation.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** The witnesses of this installation (C2SP tlog-witness): other parties, who cosign that a log only grew. */
export class Witnesses extends Context.Service<Witnesses, {
  /** The keys of those that are set; none where nobody is asked. */
  readonly known: ReadonlyArray<NoteKey>
  /** Sends one request to one of them. Never fails: what happened is the answer. */
  readonly ask: (witness: NoteKey, request: WitnessRequest) => Effect.Effect<WitnessAnswer>
}>()("@overa/domain/ports/Witnessing/Witnesses") {}

/** A cosignature of a checkpoint. */
export interface Cosignature {
  /** The witness's key, in the form in which others are told it. */
  readonly witness: string
  /** The signature line, with its line feed. */
  readonly line: string
}

/** A log whose turn it is to be shown to the witnesses. */
export interface LogToCosign {
  readonly tenant: Tenant
  /** By key of the witness: the size of the log that it cosigned last; a witness that has cosigned nothing is missing. */
  readonly sizes: ReadonlyMap<string, number>
}

/**
 * What witnesses have cosigned of each log: of each witness its newest cosignature, and the newest checkpoint that all of them have cosigned. Written by
 * the worker, not on a receipt's path; it may lag behind what the witnesses themselves remember.
 *
 * @example
 * const note = yield* (yield* Cosignatures).newest(tenant)
 */
export class Cosignatures extends Context.Service<Cosignatures, {
  /**
   * Takes logs with a checkpoint that one of the witnesses has not cosigned, those first that have waited longest. Each log is taken at most once a minute,
   * whoever takes it.
   */
  readonly take: (witnesses: ReadonlyArray<string>, limit: number) => Effect.Effect<ReadonlyArray<LogToCosign>, StoreUnavailable>
  /**
   * Keeps cosignatures of a checkpoint. If each of the witnesses has now cosigned it, the checkpoint with their lines, in the order of the witnesses, is
   * the newest cosigned one. What is kept is never replaced by a smaller size.
   */
  readonly keep: (
    tenant: Tenant,
    checkpoint: { readonly size: number; readonly note: string },
    cosigned: ReadonlyArray<Cosignature>,
    witnesses: ReadonlyArray<string>
  ) => Effect.Effect<void, StoreUnavailable>
  /** The newest checkpoint that all witnesses have cosigned, a note with their lines; null where there is none. */
  readonly newest: (tenant: Tenant) => Effect.Effect<string | null, StoreUnavailable>
  /** Puts an item about the log on the attention list; the same item only once, also where it was acknowledged. Whether it is new. */
  readonly raise: (tenant: Tenant, item: Pick<AttentionItem, "kind" | "detail">) => Effect.Effect<boolean, StoreUnavailable>
}>()("@overa/domain/ports/Witnessing/Cosignatures") {}
