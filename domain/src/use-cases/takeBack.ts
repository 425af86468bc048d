import { Effect, Option } from "effect"
import type { Act } from "../activity/Activity.ts"
import { ElementOversight } from "../ports/Oversight.ts"
import { Installation, TenancyDirectory } from "../ports/TenancyDirectory.ts"
import { type PutBack, RestoreActs } from "../ports/RecordActs.ts"
import type { KeptFile } from "../restore/KeptFile.ts"
import type { KeptKnowledge } from "../restore/checkKept.ts"
import { jidOf, type KeptPlace, planTakeBack } from "../restore/planTakeBack.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { signedTin } from "../verification/pfrCodes.ts"

/** The result for a kept file. `NO_RECEIPT`: there was no receipt, and its key may be used again. */
export interface TakenBack {
  readonly result: PutBack | "NO_RECEIPT"
  /** What was restored: the document, only its key, or nothing. */
  readonly as: "Operation" | "Key" | "Nothing"
}

const elementOf = Effect.fnUntraced(function*(kept: KeptFile, tenant: Tenant) {
  const jid = jidOf(kept)
  const entries = yield* (yield* ElementOversight).elements(tenant.organizationId)
  const entry = entries.find(({ element }) => element.jid === jid && element.environment === tenant.environment)
  return entry === undefined ? null : { ...entry.element, tin: signedTin(entry.tin, tenant.environment) }
})

const placeOf = Effect.fnUntraced(function*(kept: KeptFile, tenant: Tenant) {
  const { businessPremiseId, taxpayerId } = kept.document
  const settings = yield* (yield* Installation).settings(tenant.environment)
  const found = yield* (yield* TenancyDirectory).premiseForIssuing(tenant, taxpayerId, businessPremiseId)
  const { brandingId, preferredPaperFormat } = Option.getOrElse(found, () => ({ brandingId: null, preferredPaperFormat: "a4" as const }))
  return { element: yield* elementOf(kept, tenant), issuing: { settings, found: { brandingId, preferredPaperFormat } } } satisfies KeptPlace
})

/**
 * Restores what a restore of the database lost, from a file that the caller has kept: the sale with its key, for which the worker then searches at
 * the V-PFR; or only its key, if the file or the kind of document allows no more. Fails with `KeptFileRefused` if the file is not accepted or belongs
 * to another tenant.
 *
 * Source: Decisions §15.
 */
export const takeBack = Effect.fn("takeBack")(function*(act: Act, kept: KeptFile, knowledge: KeptKnowledge) {
  const place = yield* placeOf(kept, knowledge.tenant)
  const planned = yield* Effect.fromResult(planTakeBack(kept, place, knowledge))
  if (planned._tag === "Nothing") return { as: "Nothing", result: "NO_RECEIPT" } satisfies TakenBack
  return { as: planned._tag, result: yield* (yield* RestoreActs).putBack(act, planned) } satisfies TakenBack
})
