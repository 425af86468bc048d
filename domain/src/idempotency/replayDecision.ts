import { Result } from "effect"
import type { BoundKey } from "../operations/Operation.ts"
import { readBodyTree } from "../requests/readBodyTree.ts"
import type { Environment } from "../tenancy/Environment.ts"
import { fingerprint } from "./fingerprint.ts"

/**
 * What a taken key says to the request that presents it: `SAME`, the stored operation is its answer; `DIFFERENT`, other content;
 * `OTHER_ENVIRONMENT`, asked before anything else.
 */
export type ReplayDecision = "SAME" | "DIFFERENT" | "OTHER_ENVIRONMENT"

/**
 * Decides a replay (Decisions §3). Where the stored fingerprint was made by other rules than today's, the stored body is judged by
 * today's: a retry across an upgrade of the service must not conflict.
 */
export const replayDecision = (
  stored: { readonly existing: BoundKey; readonly environment: Environment },
  request: { readonly presented: BoundKey; readonly environment: Environment }
): ReplayDecision => {
  if (stored.environment !== request.environment) return "OTHER_ENVIRONMENT"
  const { presented } = request
  const existing = stored.existing.fingerprint.version === presented.fingerprint.version
    ? stored.existing.fingerprint.digest
    : todaysDigest(stored.existing)
  return existing === presented.fingerprint.digest ? "SAME" : "DIFFERENT"
}

/** Undefined, and so different from every request, when the stored body cannot be read. */
const todaysDigest = (existing: BoundKey): string | undefined => {
  const tree = readBodyTree(existing.body)
  return Result.isSuccess(tree) ? fingerprint(existing.target, tree.success).digest : undefined
}
